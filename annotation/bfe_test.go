// Values as the controller of BFE reads them, and as this package does.

package annotation_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

// testdata/bfe.json has one annotation a row: what ingress-bfe at commit
// 593a473c makes of it, what Parse does and, where that is another thing, why.
// A result is an action, its order and its hook if that is not AfterLocation;
// or the codes of errors.
func TestAgainstBFE(t *testing.T) {
	data, err := os.ReadFile("testdata/bfe.json")
	require.NoError(t, err)
	var rows []struct{ Key, Value, BFE, Ours, Why string }
	require.NoError(t, json.Unmarshal(data, &rows))
	for _, row := range rows {
		t.Run(row.Key+" "+row.Value, func(t *testing.T) {
			plan, err := annotation.Parse(prefixed(map[string]string{row.Key: row.Value}), anyHost)
			var got []string
			if err != nil {
				for _, e := range list(t, err) {
					if e.Code == annotation.CodeUnknownKey || !strings.HasPrefix(row.Ours, "error unknown-key") {
						got = append(got, "error "+string(e.Code))
					}
				}
			} else {
				for _, r := range plan.Rules {
					s := fmt.Sprint(r.Action, " ", r.Order)
					if r.Hook != rewrite.AfterLocation {
						s += fmt.Sprint(" ", r.Hook)
					}
					got = append(got, s)
				}
			}
			assert.Equal(t, row.Ours, strings.Join(got, " "))
			same := row.BFE == row.Ours || row.BFE == "error" && err != nil
			assert.Equal(t, same, row.Why == "", "a row has a reason exactly if the two differ")
		})
	}
}

// Annotations together, from the tests of ingress-bfe and from its code.
func TestAgainstBFETogether(t *testing.T) {
	for _, c := range []struct {
		name        string
		annotations map[string]string
		code        annotation.Code // "": no error
		url, want   string
	}{
		{"two of host", map[string]string{"host": `[{"params":"a.com"}]`, "host-from-path-prefix": `[{"params":true}]`}, annotation.CodeConflict, "", ""},
		{"path and add", map[string]string{"path": `[{"params":"/a"}]`, "path-prefix-add": `[{"params":"/b"}]`}, annotation.CodeConflict, "", ""},
		{"path and trim", map[string]string{"path": `[{"params":"/a"}]`, "path-prefix-trim": `[{"params":"/b"}]`}, annotation.CodeConflict, "", ""},
		// BFE takes these, and runs them in an order that changes from one
		// reconciliation to the next, or panics.
		{"path and strip", map[string]string{"path": `[{"params":"/a"}]`, "path-prefix-strip": `[{"params":1}]`}, annotation.CodeConflict, "", ""},
		{"add and trim", map[string]string{"path-prefix-add": `[{"params":"/a"}]`, "path-prefix-trim": `[{"params":"/a"}]`}, annotation.CodeOrderTie, "", ""},
		{"trim and strip", map[string]string{"path-prefix-trim": `[{"params":"/a"}]`, "path-prefix-strip": `[{"params":1}]`}, annotation.CodeOrderTie, "", ""},
		{"trim and strip in order", map[string]string{"path-prefix-trim": `[{"params":"/a"}]`, "path-prefix-strip": `[{"params":1,"order":1}]`}, "",
			"http://h/a/b/c", "http://h/c"},
		{"keep and delete", map[string]string{"query-delete-all-except": `[{"params":["a","b"]}]`, "query-delete": `[{"params":["b"]}]`}, "",
			"http://h/?a=1&b=2&c=3", "http://h/?a=1"},
		{"add and trim in order", map[string]string{"path-prefix-add": `[{"params":"/index/","order":1}]`, "path-prefix-trim": `[{"params":"/bar","order":2}]`}, "",
			"http://h/bar", "http://h/index/bar"},
		{"keep, rename, add in order", map[string]string{
			"query-delete-all-except": `[{"params":"name","order":1}]`, "query-rename": `[{"params":{"name":"user"},"order":2}]`,
			"query-add": `[{"params":{"age":"18"},"order":3}]`,
		}, "", "http://h/bar?name=bob&gender=man", "http://h/bar?user=bob&age=18"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := annotation.Parse(prefixed(c.annotations), anyHost)
			if c.code != "" {
				e := list(t, err)
				require.Len(t, e, 1)
				assert.Equal(t, c.code, e[0].Code)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, apply(t, plan, c.url))
		})
	}
}

// The cases of published faults that are about annotations.
func TestSecurityCases(t *testing.T) {
	for _, c := range []struct {
		name, source, key, value string
		code                     annotation.Code
	}{
		{"ann-newline", "CVE-2021-25748", "path", `[{"params":"/a\nb"}]`, annotation.CodeText},
		{"ann-newline, raw", "CVE-2021-25748", "path", "[{\"params\":\"/a\nb\"}]", annotation.CodeSyntax},
		{"ann-directive, as data", "CVE-2023-5044, CVE-2021-25746, CVE-2026-24512", "path", `[{"params":"/a; } location /x { proxy_pass http://evil; }"}]`, annotation.CodeParam},
		{"ann-comment", "CVE-2026-4342", "path", `[{"params":"/a #comment"}]`, annotation.CodeParam},
		{"ann-carriage-return", "CVE-2024-7646", "path", `[{"params":"/a\r"}]`, annotation.CodeText},
		{"ann-dup-json-key", "JSON smuggling", "query-add", `[{"params":{"a":"1","a":"2"}}]`, annotation.CodeDuplicateField},
		{"ann-json-trailing", "", "path", `[{"params":"/a"}] junk`, annotation.CodeSyntax},
		{"ann-bom-utf8", "", "path", "\ufeff[{\"params\":\"/a\"}]", annotation.CodeText},
		{"ann-invalid-utf8", "encoding/json replaces", "path", `[{"params":"/\ud800"}]`, annotation.CodeText},
		{"ann-order-overflow", "", "path", `[{"params":"/a","order":99999999999999999999}]`, annotation.CodeNumber},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := annotation.DefaultPrefix + c.key
			plan, err := annotation.Parse(map[string]string{key: c.value}, nil)
			assert.Nil(t, plan)
			e := list(t, err)
			require.Len(t, e, 1)
			assert.Equal(t, c.code, e[0].Code)
			assert.Equal(t, key, e[0].Key)
			assert.GreaterOrEqual(t, e[0].Offset, 0)
		})
	}
}
