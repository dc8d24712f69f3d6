// What is too large, too deep or too many, and what the worst of it costs.

package annotation_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

const (
	valueLimit = 64 << 10
	totalLimit = 256 << 10
)

// fill returns before + unit, as often as fits into size bytes, + after.
func fill(size int, before, unit, after string) string {
	return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
}

func TestSizeLimits(t *testing.T) {
	path := func(size int) string { return fill(size, `[{"params": "/`, "a", `"}]`) }
	_, err := annotation.Parse(prefixed(map[string]string{"path": path(valueLimit)}), nil)
	assert.NoError(t, err)
	_, err = annotation.Parse(prefixed(map[string]string{"path": path(valueLimit + 1), "host": "x"}), nil)
	e := list(t, err)
	require.Len(t, e, 2)
	assert.Equal(t, annotation.CodeLimit, e[1].Code)
	assert.Equal(t, -1, e[1].Offset)

	// All annotations count, with their keys.
	m := map[string]string{"others": ""}
	m["others"] = strings.Repeat("x", totalLimit-len("others"))
	_, err = annotation.Parse(m, nil)
	assert.NoError(t, err)
	m["others"] += "x"
	_, err = annotation.Parse(m, nil)
	e = list(t, err)
	require.Len(t, e, 1)
	assert.Equal(t, annotation.Error{Index: -1, Offset: -1, Code: annotation.CodeLimit, Detail: "262145 bytes of annotations: at most 262144, so remove some"}, *e[0])
}

func TestActionLimit(t *testing.T) {
	object := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `, "k%d": "v"`, i)
		}
		return `[{"params": {` + b.String()[2:] + `}}]`
	}
	for _, c := range []struct {
		name, add, rename string
		faultKey          string
	}{
		{"64", object(64), "", ""},
		{"65", object(65), "", "query-add"},
		{"thousands", object(4000), "", "query-add"},
		{"32 and 32", object(32), object(32), ""},
		{"32 and 33", object(32), object(33), "query-rename"},
		{"64 at another hook", strings.Replace(object(64), `{"params"`, `{"when": "Forward", "params"`, 1), object(64), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := map[string]string{"query-add": c.add}
			if c.rename != "" {
				m["query-rename"] = strings.Replace(c.rename, "}}]", `}, "order": 1}]`, 1)
			}
			plan, err := annotation.Parse(prefixed(m), nil)
			if c.faultKey == "" {
				require.NoError(t, err)
				_, err = plan.Compile()
				require.NoError(t, err)
				return
			}
			e := list(t, err)
			require.Len(t, e, 1, err)
			assert.Equal(t, annotation.CodeLimit, e[0].Code)
			assert.Equal(t, annotation.DefaultPrefix+c.faultKey, e[0].Key)
			if c.name == "65" {
				assert.Equal(t, strings.Index(c.add, `"k64"`), e[0].Offset)
			}
		})
	}
}

func TestFaultLimit(t *testing.T) {
	_, err := annotation.Parse(prefixed(map[string]string{"query-delete": fill(valueLimit, `[{"params": [`, "1,", `1]}]`)}), nil)
	e := list(t, err)
	require.Len(t, e, 256)
	assert.Equal(t, annotation.CodeLimit, e[0].Code)
	assert.Empty(t, e[0].Key)
	for _, fault := range e[1:] {
		assert.Equal(t, annotation.CodeType, fault.Code)
	}
}

// Whatever fills 256 KiB, it is read or refused in 10 ms and 4 MiB. The time
// is tested with much slack, for busy machines and the race detector.
func TestBombs(t *testing.T) {
	const most, slack = 10 * time.Millisecond, 30
	quarter := valueLimit - 256 // so that four, with their keys, are within the total
	pairs := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < quarter-200; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	names := pairs(`"%x",`)
	members := pairs(`"%x":"",`)
	deep := fill(quarter, "", "[", "")
	quotes := fill(quarter, `[{"params":"/`, `\u00e9`, `/../"}]`)
	unknown := make(map[string]string)
	for i := range 3500 {
		unknown[fmt.Sprintf("query-delete-all-excep%d", i)[:23]+fmt.Sprint(i)] = ""
	}
	for name, m := range map[string]map[string]string{
		"names": {
			"query-delete":            `[{"params":[` + names + `"a"]}]`,
			"query-delete-all-except": `[{"params":[` + names + `"a"]}]`,
			"query-rename":            `[{"params":{` + pairs(`"%x":"x",`)[:1200] + `"z":"0"}}]`,
			"path":                    `[{"params":"/~"}]`,
		},
		"members": {"query-add": `[{"params":{` + members + `"a":""}}]`, "query-rename": `[{"params":{` + members + `"a":""}}]`},
		"in strings": {
			"query-add":    `[{"params":"{` + strings.ReplaceAll(members[:len(members)/2], `"`, `\"`) + `\"z\":\"\"}"}]`,
			"query-delete": `[{"params":"[` + strings.ReplaceAll(names[:len(names)/2], `"`, `\"`) + `\"z\"]"}]`,
		},
		"depth":        {"host": deep, "path": deep, "query-add": deep, "query-delete": deep},
		"items":        {"host": fill(quarter, "[", "{},", "{}]"), "path": fill(quarter, "[", "1,", "1]")},
		"escapes":      {"path-prefix-add": quotes, "path-prefix-trim": quotes, "host": quotes},
		"fields":       {"host": fill(quarter, "[{", `"a":1,`, `"a":1}]`), "path": fill(quarter, "[{", `"params":1,`, `"a":1}]`)},
		"unknown keys": unknown,
		"one string":   {"query-delete-all-except": fill(quarter, `[{"params":"`, " ", `[\"a\"]"}]`), "path": fill(quarter, `[{"params":"/`, "a", "")},
		"long paths":   {"path-prefix-add": fill(quarter, `[{"params":"/`, "a/", `a"}]`), "path-prefix-trim": fill(quarter, `[{"params":"/`, "a,", `","order":1}]`)},
		"a number":     {"path-prefix-strip": fill(quarter, `[{"params":1`, "0", `}]`), "host": fill(quarter, `[{"params":"a","order":1`, "0", `}]`)},
		"too much":     {"host": strings.Repeat("[", totalLimit+1)},
	} {
		t.Run(name, func(t *testing.T) {
			m := prefixed(m)
			fastest := time.Hour
			var bytes uint64
			for range 5 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				plan, err := annotation.Parse(m, nil)
				fastest = min(fastest, time.Since(start))
				runtime.ReadMemStats(&after)
				bytes = after.TotalAlloc - before.TotalAlloc
				if err == nil {
					_, err := plan.Compile()
					require.NoError(t, err)
				}
			}
			t.Logf("%v, %d KiB", fastest, bytes>>10)
			assert.Less(t, fastest, most*slack)
			assert.Less(t, bytes, uint64(4<<20))
		})
	}
}

// The same map gives the same rules, or the same text of errors, whatever
// order Go's maps are read in.
func TestDeterminism(t *testing.T) {
	faulty := prefixed(map[string]string{
		"host": `[{"params": "a b"}, {"params": 1}, {"x": 2, "y": 3}]`, "host-from-path-prefix": `[{"params": false}]`,
		"path": `[{"params": "/a//b"}]`, "path-prefix-add": `[{"params": "/a"}]`, "path-prefix-trim": `[{"params": "/b"}]`,
		"path-prefix-strip": `[{"params": 1}]`, "query-add": `[{"params": {"a": "1", "b": "2"}}]`, "query-delete": `[{"params": ["b", "a"]}]`,
		"query-rename": `[{"params": {"a": "b"}}]`, "query-delete-all-except": `[{"params": "c"}]`,
		"path-add": "[]", "path-del": "[]", "hots": "{}", "zzz": "", "\x00": "",
	})
	opts := &annotation.Options{TableOrder: true, Rewrite: &rewrite.Options{AllowedHosts: []string{"a.com"}}}
	describe := func(m map[string]string, opts *annotation.Options) string {
		plan, err := annotation.Parse(m, opts)
		if err != nil {
			return err.Error()
		}
		program, err := plan.Compile()
		require.NoError(t, err)
		return plan.String() + plan.Warnings.Error() + program.String()
	}
	first, second, third := describe(faulty, nil), describe(typical[10], nil), describe(prefixed(map[string]string{
		"path-prefix-add": `[{"params": "/a"}]`, "path-prefix-trim": `[{"params": "/b"}]`, "path-prefix-strip": `[{"params": 1}]`,
		"query-add": `[{"params": {"a": "1", "b": "2"}}]`, "query-delete": `[{"params": ["b", "a"]}]`,
	}), opts)
	assert.Contains(t, third, "it runs second")
	for range 1000 {
		copied := make(map[string]string)
		for k, v := range faulty {
			copied[k] = v
		}
		if describe(copied, nil) != first || describe(typical[10], nil) != second {
			t.Fatal("not the same again")
		}
	}
}
