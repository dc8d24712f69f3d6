// What each annotation means: the table of keys, the defaults, the order of
// the rules, and the examples in the design document of ingress-bfe.

package annotation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

// anyHost lets host-from-path-prefix compile.
var anyHost = &annotation.Options{Rewrite: &rewrite.Options{AllowAnyHost: true}}

// plain returns rules without their origins.
func plain(rules []rewrite.Rule) []rewrite.Rule {
	out := make([]rewrite.Rule, len(rules))
	for i, r := range rules {
		r.Origin = rewrite.Origin{}
		out[i] = r
	}
	return out
}

// list returns err, which must be an ErrorList.
func list(t *testing.T, err error) annotation.ErrorList {
	t.Helper()
	l, ok := err.(annotation.ErrorList)
	require.Truef(t, ok, "%T is no ErrorList: %v", err, err)
	require.NotEmpty(t, l)
	return l
}

func after(order int, actions ...rewrite.Action) []rewrite.Rule {
	return at(rewrite.AfterLocation, order, actions...)
}

func at(hook rewrite.Hook, order int, actions ...rewrite.Action) []rewrite.Rule {
	var rules []rewrite.Rule
	for _, a := range actions {
		rules = append(rules, rewrite.Rule{Hook: hook, Order: order, Action: a})
	}
	return rules
}

func TestParseValues(t *testing.T) {
	for _, c := range []struct {
		name, key, value string
		want             []rewrite.Rule
	}{
		{"host", "host", `[{"params": "baidu.com"}]`, after(0, rewrite.SetHost("baidu.com"))},
		{"host in Unicode", "host", `[{"params": "b\u00fccher.example:80"}]`, after(0, rewrite.SetHost("bücher.example:80"))},
		{"true", "host-from-path-prefix", `[{"params": true}]`, after(0, rewrite.HostFromPathPrefix())},
		{"true as a string", "host-from-path-prefix", `[{"params": "true"}]`, after(0, rewrite.HostFromPathPrefix())},
		{"path", "path", `[{"params": "/foo/bar"}]`, after(0, rewrite.SetPath("/foo/bar"))},
		{"path with escapes of both kinds", "path", `[{"params": "\/a%20\u0062\"\\"}]`, after(0, rewrite.SetPath(`/a%20b"\`))},
		{"surrogate pair", "path", `[{"params": "/\ud83d\ude00"}]`, after(0, rewrite.SetPath("/😀"))},
		{"U+FFFD is a character", "path", `[{"params": "/\ufffd�"}]`, after(0, rewrite.SetPath("/\uFFFD\uFFFD"))},
		{"add", "path-prefix-add", `[{"params": "/bar"}]`, after(0, rewrite.AddPathPrefix("/bar"))},
		{"trim without a slash", "path-prefix-trim", `[{"params": "foo"}]`, after(0, rewrite.TrimPathPrefix("foo"))},
		{"strip", "path-prefix-strip", `[{"params": 12}]`, after(0, rewrite.StripPathSegments(12))},
		{"strip as a string", "path-prefix-strip", `[{"params": "2"}]`, after(0, rewrite.StripPathSegments(2))},
		{"strip, the largest", "path-prefix-strip", `[{"params": 2147483647}]`, after(0, rewrite.StripPathSegments(1<<31-1))},
		{"pairs run in document order", "query-add", `[{"params": {"z": "1", "a": "", "m": "x y"}}]`,
			after(0, rewrite.AddQuery("z", "1"), rewrite.AddQuery("a", ""), rewrite.AddQuery("m", "x y"))},
		{"pairs in a string", "query-add", `[{"params": " {\"z\": \"\\u0031\", \"a\": \"\\\"\"} "}]`,
			after(0, rewrite.AddQuery("z", "1"), rewrite.AddQuery("a", `"`))},
		{"delete", "query-delete", `[{"params": ["name", "a b"]}]`, after(0, rewrite.DeleteQuery("name", "a b"))},
		{"delete, a name twice", "query-delete", `[{"params": ["a", "a"]}]`, after(0, rewrite.DeleteQuery("a", "a"))},
		{"delete, a list in a string", "query-delete", `[{"params": "[\"name\"]"}]`, after(0, rewrite.DeleteQuery("name"))},
		{"rename", "query-rename", `[{"params": {"a": "b", "b": "c"}}]`, after(0, rewrite.RenameQuery("a", "b"), rewrite.RenameQuery("b", "c"))},
		{"rename, to the same", "query-rename", `[{"params": {"a": "a"}}]`, after(0, rewrite.RenameQuery("a", "a"))},
		{"keep one", "query-delete-all-except", `[{"params": "name"}]`, after(0, rewrite.KeepQuery("name"))},
		{"keep some", "query-delete-all-except", `[{"params": ["a", "b"]}]`, after(0, rewrite.KeepQuery("a", "b"))},
		{"keep, a list in a string", "query-delete-all-except", `[{"params": " [\"a\", \"b\"]"}]`, after(0, rewrite.KeepQuery("a", "b"))},
		{"keep, a name like a list", "query-delete-all-except", `[{"params": ["[a]"]}]`, after(0, rewrite.KeepQuery("[a]"))},
		{"keep, a name like an object", "query-delete-all-except", `[{"params": "{a}"}]`, after(0, rewrite.KeepQuery("{a}"))},
		{"all fields", "host", `[{"order": -3, "when": "Forward", "params": "a.com"}]`, at(rewrite.Forward, -3, rewrite.SetHost("a.com"))},
		{"escapes in fields", "host", `[{"p\u0061rams": "a.com", "when": "F\u006frward"}]`, at(rewrite.Forward, 0, rewrite.SetHost("a.com"))},
		{"least order", "host", `[{"params": "a.com", "order": -2147483648}]`, after(-1<<31, rewrite.SetHost("a.com"))},
		{"largest order", "host", `[{"params": "a.com", "order": 2147483647}]`, after(1<<31-1, rewrite.SetHost("a.com"))},
		{"minus zero", "host", `[{"params": "a.com", "order": -0}]`, after(0, rewrite.SetHost("a.com"))},
		{"white space of JSON", "host", "\r\n\t [\t{ \"params\"\n:\r\"a.com\" } ] \n", after(0, rewrite.SetHost("a.com"))},
		{"an item for each hook, in the order of the hooks", "path",
			`[{"params": "/f", "when": "Forward", "order": -1}, {"params": "/a"}, {"params": "/b", "when": "BeforeLocation", "order": 9}]`,
			append(append(at(rewrite.BeforeLocation, 9, rewrite.SetPath("/b")), after(0, rewrite.SetPath("/a"))...), at(rewrite.Forward, -1, rewrite.SetPath("/f"))...)},
	} {
		t.Run(c.key+" "+c.name, func(t *testing.T) {
			plan, err := annotation.Parse(prefixed(map[string]string{c.key: c.value}), anyHost)
			require.NoError(t, err)
			assert.Equal(t, c.want, plain(plan.Rules))
			assert.Empty(t, plan.Warnings)
		})
	}
}

func TestParseNothing(t *testing.T) {
	for name, m := range map[string]map[string]string{
		"nil":    nil,
		"others": {"kubernetes.io/ingress.class": "bfe", "bfe.ingress.kubernetes.io/balance.weight": "{}"},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := annotation.Parse(m, nil)
			require.NoError(t, err)
			assert.Empty(t, plan.Rules)
			assert.Empty(t, plan.String())
			program, err := plan.Compile()
			require.NoError(t, err)
			assert.Zero(t, program.Touches(rewrite.AfterLocation))
		})
	}
	var none *annotation.Plan
	assert.Empty(t, none.String())
	_, err := none.Compile()
	assert.NoError(t, err)
}

// Lower orders first, then the table of keys, then the place in the object,
// whatever the names are.
func TestRuleOrder(t *testing.T) {
	plan, err := annotation.Parse(prefixed(map[string]string{
		"host":                    `[{"params": "a.com"}]`,
		"query-add":               `[{"params": {"z": "1", "y": "2"}}]`,
		"path-prefix-trim":        `[{"params": "/a", "order": -1}]`,
		"query-delete-all-except": `[{"params": ["y", "z"]}]`,
		"path-prefix-add":         `[{"params": "/b"}]`,
	}), nil)
	require.NoError(t, err)
	assert.Equal(t, append(after(-1, rewrite.TrimPathPrefix("/a")), after(0, rewrite.SetHost("a.com"), rewrite.AddPathPrefix("/b"),
		rewrite.AddQuery("z", "1"), rewrite.AddQuery("y", "2"), rewrite.KeepQuery("y", "z"))...), plain(plan.Rules))
}

func TestOrigins(t *testing.T) {
	key := annotation.DefaultPrefix + "query-add"
	for value, want := range map[string][]rewrite.Origin{
		`[{"params": {"a": "1", "b": "2"}}]`:                         {{Key: key, Index: 0, Offset: 13}, {Key: key, Index: 0, Offset: 23}},
		`[{"params": "{\"a\": \"1\", \"b\": \"2\"}"}]`:               {{Key: key, Index: 0, Offset: 14}, {Key: key, Index: 0, Offset: 28}},
		`[{"when":"Forward","params":{"a":""}},{"params":{"b":""}}]`: {{Key: key, Index: 1, Offset: 49}, {Key: key, Index: 0, Offset: 29}},
	} {
		plan, err := annotation.Parse(map[string]string{key: value}, nil)
		require.NoError(t, err)
		var got []rewrite.Origin
		for _, r := range plan.Rules {
			got = append(got, r.Origin)
			assert.Contains(t, []string{`"`, `\`}, value[r.Origin.Offset:r.Origin.Offset+1])
		}
		assert.Equal(t, want, got, value)
	}
}

func TestPrefixOption(t *testing.T) {
	opts := &annotation.Options{Prefix: "example.com/"}
	plan, err := annotation.Parse(map[string]string{
		"example.com/host":                     `[{"params": "a.com"}]`,
		annotation.DefaultPrefix + "host":      `not looked at`,
		annotation.DefaultPrefix + "path-prex": ``,
	}, opts)
	require.NoError(t, err)
	assert.Equal(t, after(0, rewrite.SetHost("a.com")), plain(plan.Rules))
}

// apply runs a plan's program at AfterLocation.
func apply(t *testing.T, plan *annotation.Plan, url string) string {
	t.Helper()
	program, err := plan.Compile()
	require.NoError(t, err)
	u, err := rewrite.Parse(url)
	require.NoError(t, err)
	require.NoError(t, new(rewrite.Input).Clean(&u, nil))
	_, err = program.Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	return u.String()
}

// The examples of the design document that are JSON, and those that are not
// once they are, do what the document says.
func TestDesignDocument(t *testing.T) {
	for _, c := range []struct {
		name        string
		annotations map[string]string
		url, want   string
	}{
		{"host", map[string]string{"host": `[{"params": "baidu.com"}]`}, "http://host/path?k=v", "http://baidu.com/path?k=v"},
		{"host from path", map[string]string{"host-from-path-prefix": `[{"params": "true"}]`}, "https://old/baidu.com/xxx?k=v", "https://baidu.com/xxx?k=v"},
		{"path", map[string]string{"path": `[{"params": "/foo/bar"}]`}, "http://host/path?k=v", "http://host/foo/bar?k=v"},
		{"add", map[string]string{"path-prefix-add": `[{"params": "/bar"}]`}, "http://host/foo", "http://host/bar/foo"},
		{"trim", map[string]string{"path-prefix-trim": `[{"params": "/foo"}]`}, "http://host/foo/bar", "http://host/bar"},
		{"trim another", map[string]string{"path-prefix-trim": `[{"params": "/foo"}]`}, "http://host/rea/bar", "http://host/rea/bar"},
		{"strip", map[string]string{"path-prefix-strip": `[{"params": 1}]`}, "http://host/foo/bar", "http://host/bar"},
		{"query add, mended", map[string]string{"query-add": `[{"params": {"name": "alice"}}]`}, "https://example.org/bar", "https://example.org/bar?name=alice"},
		{"query add, as a string", map[string]string{"query-add": `[{"params": "{\"name\": \"alice\"}"}]`}, "https://example.org/bar", "https://example.org/bar?name=alice"},
		{"query delete, mended", map[string]string{"query-delete": `[{"params": ["name"]}]`}, "https://example.org/bar?name=alice", "https://example.org/bar"},
		{"query rename, mended", map[string]string{"query-rename": `[{"params": {"name": "user"}}]`}, "https://example.org/bar?name=alice", "https://example.org/bar?user=alice"},
		{"query delete all except", map[string]string{"query-delete-all-except": `[{"params": "name"}]`},
			"https://example.org/bar?name=alice&gender=man&age=18", "https://example.org/bar?name=alice"},
		{"the first example", typical[3], "https://example.org/foo?name=alice&a=1", "https://baidu.com/bar?user=alice&a=1"},
		{"ordering, mended", map[string]string{
			"query-rename":            `[{"params": {"name": "user"}, "order": 1}]`,
			"query-delete-all-except": `[{"params": "user", "order": 2}]`,
		}, "https://example.org/bar?name=alice&gender=man&age=18", "https://example.org/bar?user=alice"},
		{"the Ingress, mended", map[string]string{
			"host":            "[\n  { \n    \"params\": \"bar.com\",\n    \"when\": \"AfterLocation\"\n  }\n]",
			"path-prefix-add": "[      \n  {\n    \"params\": \"/service\",\n    \"when\": \"AfterLocation\"\n  }\n]",
		}, "http://foo.com/whoami", "http://bar.com/service/whoami"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := c.annotations
			if c.name != "the first example" {
				m = prefixed(m)
			}
			plan, err := annotation.Parse(m, anyHost)
			require.NoError(t, err)
			assert.Equal(t, c.want, apply(t, plan, c.url))
		})
	}
}

// The examples of the design document that are not JSON: the spot, and the
// form that is right.
func TestDesignDocumentMistakes(t *testing.T) {
	for _, c := range []struct {
		name, key, value string
		offset           int
		detail           string
	}{
		{"query-add with quotes in quotes", "query-add", `[{"params": "{"name": "alice"}"}]`, 15, "the string ended at 14: write the object or list without quotes"},
		{"query-delete with quotes in quotes", "query-delete", `[{"params": "["name"]}]`, 15, "the string ended at 14: write the object or list without quotes"},
		{"query-rename with quotes in quotes", "query-rename", `[{"params": "{"name": "user"}"}]`, 15, "the string ended at 14: write the object or list without quotes"},
		{"ordering, one brace too many", "query-rename", `[{"params": {"name": "user"}, "order": 1}}]`, 41, `one "}" too many: remove it`},
		{"ordering, one brace too many and the key", "query-del-all-except", `[{"params": "user", "order": 2}}]`, 31, `one "}" too many: remove it`},
		{"no comma, as YAML folds the Ingress", "path-prefix-add", "[      \n  {\n    \"params\": \"/service\"\n    \"when\": \"AfterLocation\"\n  }\n]", 41, "no comma before this"},
		{"the first draft, without quotes", "host", `[{ "params": bar.com, "when": AfterLocation }]`, 13, `write it in double quotes, "bar.com"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := annotation.Parse(prefixed(map[string]string{c.key: c.value}), nil)
			var syntax []*annotation.Error
			for _, e := range list(t, err) {
				if e.Code == annotation.CodeSyntax {
					syntax = append(syntax, e)
				} else {
					assert.Equal(t, annotation.CodeUnknownKey, e.Code)
				}
			}
			require.Len(t, syntax, 1)
			assert.Equal(t, c.offset, syntax[0].Offset)
			assert.Equal(t, 0, syntax[0].Index)
			assert.Contains(t, syntax[0].Detail, c.detail)
		})
	}
}

func TestPlanString(t *testing.T) {
	plan, err := annotation.Parse(typical[3], nil)
	require.NoError(t, err)
	assert.Equal(t, strings.Join([]string{
		`AfterLocation  0 SetHost("baidu.com") from bfe.ingress.kubernetes.io/rewrite-url.host[0]@12`,
		`AfterLocation  0 SetPath("/bar") from bfe.ingress.kubernetes.io/rewrite-url.path[0]@12`,
		`AfterLocation  1 RenameQuery("name", "user") from bfe.ingress.kubernetes.io/rewrite-url.query-rename[0]@22`,
	}, "\n")+"\n", plan.String())
}
