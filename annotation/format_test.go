// From rules back to annotations.

package annotation_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

func TestFormatText(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"host", ` [ {"order": 0, "params": "\u0061.com", "when": "AfterLocation"} ] `, `[{"params":"a.com"}]`},
		{"host-from-path-prefix", `[{"params": "true", "when": "Forward"}]`, `[{"params":true,"when":"Forward"}]`},
		{"path", `[{"params": "/\"\\\u00e9"}]`, `[{"params":"/\"\\é"}]`},
		{"path-prefix-strip", `[{"params": "3", "order": -7}]`, `[{"params":3,"order":-7}]`},
		{"query-add", `[{"params": "{\"b\": \"1\", \"a\": \"\"}"}]`, `[{"params":{"b":"1","a":""}}]`},
		{"query-delete", `[{"params": ["a"]}]`, `[{"params":["a"]}]`},
		{"query-delete-all-except", `[{"params": ["a"]}]`, `[{"params":"a"}]`},
		{"query-delete-all-except", `[{"params": [" [a"]}]`, `[{"params":[" [a"]}]`},
		{"query-delete-all-except", `[{"params": ["a", "b"]}]`, `[{"params":["a","b"]}]`},
		{"path", `[{"params": "/f", "when": "Forward"}, {"params": "/b", "when": "BeforeLocation"}, {"params": "/a"}]`,
			`[{"params":"/b","when":"BeforeLocation"},{"params":"/a"},{"params":"/f","when":"Forward"}]`},
	} {
		t.Run(c.value, func(t *testing.T) {
			plan, err := annotation.Parse(prefixed(map[string]string{c.key: c.value}), anyHost)
			require.NoError(t, err)
			got, err := annotation.Format(plan, anyHost)
			require.NoError(t, err)
			assert.Equal(t, prefixed(map[string]string{c.key: c.want}), got)
		})
	}
}

func TestFormatNothing(t *testing.T) {
	for _, plan := range []*annotation.Plan{nil, {}} {
		got, err := annotation.Format(plan, nil)
		assert.NoError(t, err)
		assert.Equal(t, map[string]string{}, got)
	}
}

// Plans that Parse never makes have an error that names the rules.
func TestFormatFaults(t *testing.T) {
	cases := []struct {
		name  string
		rules []rewrite.Rule
		want  string
	}{
		{"no annotation", after(0, rewrite.SetPath("/"), rewrite.DropQuery(), rewrite.Action{}), "rule 1: DropQuery: no annotation asks for this action"},
		{"two prefixes", after(0, rewrite.TrimPathPrefix("/a", "/b")), "2 parameters"},
		{"no names", after(0, rewrite.DeleteQuery()), "no names"},
		{"two of one key", after(0, rewrite.SetHost("a.com"), rewrite.SetHost("b.com")), "rule 1: SetHost: second action of host at AfterLocation"},
		{"two orders of one key", append(after(0, rewrite.AddQuery("a", "")), after(1, rewrite.AddQuery("b", ""))...), "second order of query-add"},
		{"not in the order of the table", after(0, rewrite.AddQuery("a", ""), rewrite.SetHost("a.com")), `annotations would run SetHost("a.com") in its place: give the rules different orders`},
		{"not in the order of orders", append(after(1, rewrite.SetHost("a.com")), after(0, rewrite.SetPath("/"))...), `annotations would run SetPath("/") in its place: sort the rules by order`},
		{"not in the order of hooks", append(at(rewrite.Forward, 0, rewrite.SetHost("a.com")), after(0, rewrite.SetPath("/"))...), "sort the rules by order, hook by hook"},
		{"a tie", after(0, rewrite.AddPathPrefix("/a"), rewrite.StripPathSegments(1)), "give them different orders"},
		{"does not compile", after(0, rewrite.SetHost("a b")), "host[0]@13"},
		{"control character", after(0, rewrite.AddQuery("a\n", "")), "control byte"},
		{"order beyond the grammar", after(math.MinInt, rewrite.SetPath("/")), "a whole number"},
		{"no hook", at(rewrite.Hook(7), 0, rewrite.SetPath("/")), "unknown hook"},
		{"a name twice", after(0, rewrite.AddQuery("a", "1"), rewrite.AddQuery("a", "2")), "twice"},
	}
	for _, c := range cases {
		if strings.HasPrefix(c.name, "order") && strconv.IntSize == 32 {
			continue // every int is an order there
		}
		t.Run(c.name, func(t *testing.T) {
			got, err := annotation.Format(&annotation.Plan{Rules: c.rules}, nil)
			assert.Nil(t, got)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// For every map that Parse accepts: the plan compiles, and its format gives
// the same rules.
func TestFormatProperty(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 3000
	if testing.Short() {
		parameters.MinSuccessfulTests = 300
	}
	parsed := 0
	properties := gopter.NewProperties(parameters)
	properties.Property("Parse(Format(plan)) has the rules of plan", prop.ForAll(func(seed uint64, tableOrder bool) bool {
		opts := &annotation.Options{TableOrder: tableOrder, Rewrite: anyHost.Rewrite}
		m := randomAnnotations(rand.New(rand.NewPCG(seed, 0)))
		plan, err := annotation.Parse(m, opts)
		if err != nil {
			checkErrors(t, m, err)
			return true
		}
		parsed++
		checkPlan(t, m, plan, opts)
		return true
	}, gen.UInt64(), gen.Bool()))
	properties.TestingRun(t)
	assert.Greater(t, parsed, parameters.MinSuccessfulTests/4, "most maps have faults: the property says little")
}

// randomAnnotations returns annotations that mostly parse, with names and
// prefixes that meet, in every spelling.
func randomAnnotations(r *rand.Rand) map[string]string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	text := func() string {
		return pick("a", "b", "c d", "é", `"`, `\`, "[", " [x", "{", "%zz", "&=", "\U0001F600", "a\u0301", "\uFFFD", "<", "\u00a0")
	}
	quoted := func(s string) string {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(r.IntN(2) == 0)
		if err := enc.Encode(s); err != nil {
			panic(err)
		}
		return strings.TrimSpace(b.String())
	}
	var list []string
	for range 1 + r.IntN(3) {
		list = append(list, quoted(text()))
	}
	names := "[" + strings.Join(list, pick(",", ", ")) + "]"
	var members []string
	for i, name := range list {
		members = append(members, strings.TrimSuffix(name, `"`)+pick("", fmt.Sprint(i))+`":`+quoted(text()))
	}
	object := "{" + strings.Join(members, " , ") + "}"

	m := map[string]string{}
	for _, key := range worldKeys {
		if r.IntN(3) > 0 {
			continue
		}
		var items []string
		for _, hook := range []string{"", `,"when":"AfterLocation"`, `, "when" : "Forward"`, `,"when":"BeforeLocation"`}[r.IntN(2):] {
			if r.IntN(2) == 0 {
				continue
			}
			var params string
			switch key {
			case "host":
				params = quoted(pick("a.com", "b.org:80", "bücher.example", "[::1]"))
			case "host-from-path-prefix":
				params = pick(`true`, `"true"`)
			case "path-prefix-strip":
				params = pick(`1`, `"2"`, `300`)
			case "path", "path-prefix-add", "path-prefix-trim":
				params = quoted(pick("/", "/a", "/a b", "/é", "/a%2Fb/", `/"`, "/<"))
			case "query-add", "query-rename":
				params = pick(object, quoted(object))
			case "query-delete":
				params = pick(names, quoted(names))
			default:
				params = pick(names, quoted(names), quoted(text()))
			}
			order := ""
			if r.IntN(3) > 0 {
				order = fmt.Sprintf(`,"order":%d`, r.IntN(7)-3)
			}
			items = append(items, pick(`{"params":`, `{ "params" : `)+params+hook+order+pick("}", " }"))
		}
		if len(items) > 0 {
			m[annotation.DefaultPrefix+key] = pick("[", "[ ") + strings.Join(items, ",") + pick("]", "\n]")
		}
	}
	return m
}
