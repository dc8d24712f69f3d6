package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

func TestReadRules(t *testing.T) {
	type rules []rewrite.Rule
	after := func(a ...rewrite.Action) (out rules) {
		for _, a := range a {
			out = append(out, rewrite.Rule{Action: a})
		}
		return out
	}
	for _, tt := range []struct {
		key, value string
		want       rules
		err        string
	}{
		{"host", `[{"params": "a.example"}]`, after(rewrite.SetHost("a.example")), ""},
		{"host", `[{"params": "a\u002eexample"}]`, after(rewrite.SetHost("a.example")), ""},
		{"host-from-path-prefix", `[{"params": true}]`, after(rewrite.HostFromPathPrefix()), ""},
		{"host-from-path-prefix", `[{"params": "true"}]`, after(rewrite.HostFromPathPrefix()), ""},
		{"host-from-path-prefix", `[{"params": false}]`, nil, "item 0: params: write true"},
		{"host-from-path-prefix", `[{"params": "t"}]`, nil, "item 0: params: write true"},
		{"path", `[{"params": "/bar"}]`, after(rewrite.SetPath("/bar")), ""},
		{"path-prefix-add", `[{"params": "/bar"}]`, after(rewrite.AddPathPrefix("/bar")), ""},
		{"path-prefix-trim", `[{"params": "/foo"}]`, after(rewrite.TrimPathPrefix("/foo")), ""},
		{"path-prefix-strip", `[{"params": 1}]`, after(rewrite.StripPathSegments(1)), ""},
		{"path-prefix-strip", `[{"params": "12"}]`, after(rewrite.StripPathSegments(12)), ""},
		{"path-prefix-strip", `[{"params": -1}]`, nil, "item 0: params: write a whole number from 1"},
		{"path-prefix-strip", `[{"params": 1.0}]`, nil, "item 0: params: write a whole number from 1"},
		{"path-prefix-strip", `[{"params": "01"}]`, nil, "item 0: params: write a whole number from 1"},
		{"query-add", `[{"params": {"z": "1", "a": ""}}]`, after(rewrite.AddQuery("z", "1"), rewrite.AddQuery("a", "")), ""},
		{"query-add", `[{"params": "{\"name\": \"alice\"}"}]`, after(rewrite.AddQuery("name", "alice")), ""},
		{"query-add", `[{"params": "{"name": "alice"}"}]`, nil, "byte 15: not JSON: invalid character 'n' after object key:value pair"},
		{"query-add", `[{"params": {}}]`, nil, "item 0: params: the object is empty"},
		{"query-add", `[{"params": {"": "x"}}]`, nil, "item 0: params: a name is empty"},
		{"query-add", `[{"params": {"a": 1}}]`, nil, `item 0: params: "a": write a string`},
		{"query-add", `[{"params": {"a": "1", "a": "2"}}]`, nil, `item 0: params: "a" is there twice`},
		{"query-add", `[{"params": {"a": "\ud800"}}]`, nil, `item 0: params: "a": the string has a character that is not text`},
		{"query-delete", `[{"params": ["a", "b"]}]`, after(rewrite.DeleteQuery("a", "b")), ""},
		{"query-delete", `[{"params": "[\"a\"]"}]`, after(rewrite.DeleteQuery("a")), ""},
		{"query-delete", `[{"params": "a"}]`, nil, "item 0: params: write a list"},
		{"query-delete", `[{"params": []}]`, nil, "item 0: params: the list is empty"},
		{"query-delete", `[{"params": [""]}]`, nil, "item 0: params: name 0: the string is empty"},
		{"query-delete", `[{"params": ["a", null]}]`, nil, "item 0: params: name 1: write a string"},
		{"query-rename", `[{"params": {"name": "user"}}]`, after(rewrite.RenameQuery("name", "user")), ""},
		{"query-rename", `[{"params": {"name": ""}}]`, nil, `item 0: params: "name": the string is empty`},
		{"query-rename", `[{"params": {"name": "user"}, "order": 1}}]`, nil, "byte 41: not JSON: invalid character '}' after array element"},
		{"query-delete-all-except", `[{"params": "name"}]`, after(rewrite.KeepQuery("name")), ""},
		{"query-delete-all-except", `[{"params": ["a", "b"]}]`, after(rewrite.KeepQuery("a", "b")), ""},
		{"query-delete-all-except", `[{"params": "[\"a\"]"}]`, after(rewrite.KeepQuery("a")), ""},

		{"path", `[{"params": "/a", "when": "Forward", "order": -2147483648}, {"order": 7, "params": "/b"}, {"when": "BeforeLocation", "params": "/c"}]`, rules{
			{Hook: rewrite.Forward, Order: -2147483648, Action: rewrite.SetPath("/a")},
			{Hook: rewrite.AfterLocation, Order: 7, Action: rewrite.SetPath("/b")},
			{Hook: rewrite.BeforeLocation, Action: rewrite.SetPath("/c")},
		}, ""},
		{"path", `[{"params": "/a"}, {"params": "/b", "when": "AfterLocation"}]`, nil, "item 1: when: AfterLocation is configured twice"},
		{"path", `[{"params": "/a", "params": "/b"}]`, nil, `item 0: "params" is there twice`},
		{"path", `[{"Params": "/a"}]`, nil, "item 0: Params: unknown field: write params, when or order"},
		{"path", `[{"params": "/a", "when": ""}]`, nil, `item 0: when: rewrite: unknown hook "": write BeforeLocation, AfterLocation or Forward`},
		{"path", `[{"params": "/a", "when": null}]`, nil, "item 0: when: write a string"},
		{"path", `[{"params": "/a", "order": 1.5}]`, nil, "item 0: order: write a whole number from -2147483648 to 2147483647"},
		{"path", `[{"params": "/a", "order": null}]`, nil, "item 0: order: write a whole number from -2147483648 to 2147483647"},
		{"path", `[{"params": "/a", "order": -2147483649}]`, nil, "item 0: order: write a whole number from -2147483648 to 2147483647"},
		{"path", `[3]`, nil, "item 0: write an object"},
		{"path", `{"params": "/a"}`, nil, "write a list"},
		{"path", ` null `, nil, "write a list"},
		{"path", `[] []`, nil, "byte 3: not JSON: invalid character '[' after top-level value"},
		{"path", ``, nil, "byte 0: not JSON: unexpected end of JSON input"},
	} {
		t.Run(tt.key+" "+tt.value, func(t *testing.T) {
			key := annotationPrefix + tt.key
			got, errs := readRules(map[string]string{key: tt.value})
			if tt.err != "" {
				if len(errs) == 0 || errs[0].Error() != key+": "+tt.err {
					t.Errorf("got %v, want %s: %s", errs, key, tt.err)
				}
				return
			}
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if !slices.EqualFunc(got, tt.want, func(a, b rewrite.Rule) bool {
				return a.Hook == b.Hook && a.Order == b.Order && a.Action.Equal(b.Action)
			}) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			for _, r := range got {
				if r.Origin.Key != key || !strings.HasPrefix(tt.value[r.Origin.Offset:], "{") {
					t.Errorf("origin %v is not an item of %s", r.Origin, key)
				}
			}
		})
	}
}

func TestExclusive(t *testing.T) {
	values := map[string]string{
		"host": `"a.example"`, "host-from-path-prefix": `true`, "path": `"/x"`,
		"path-prefix-add": `"/x"`, "path-prefix-trim": `"/x"`, "path-prefix-strip": `1`,
	}
	want := map[string]bool{
		"host host-from-path-prefix": true, "path path-prefix-add": true,
		"path path-prefix-trim": true, "path path-prefix-strip": true,
	}
	for a, valueA := range values {
		for b, valueB := range values {
			if a >= b {
				continue
			}
			// Different hooks, so that no tie is in the way.
			_, errs := readRules(map[string]string{
				annotationPrefix + a: `[{"params": ` + valueA + `}]`,
				annotationPrefix + b: `[{"params": ` + valueB + `, "when": "Forward"}]`,
			})
			if got := len(errs) > 0; got != want[a+" "+b] {
				t.Errorf("%s beside %s: %v", a, b, errs)
			}
		}
	}
}

// Two query actions must be said to commute exactly if no query tells their
// orders apart, which the engine itself decides.
func TestCommuteIsExact(t *testing.T) {
	names := []string{"a", "b", "c"}
	var actions []rewrite.Action
	for i, x := range names {
		actions = append(actions, rewrite.AddQuery(x, "v"), rewrite.DeleteQuery(x), rewrite.KeepQuery(x),
			rewrite.DeleteQuery(x, names[(i+1)%3]), rewrite.KeepQuery(x, names[(i+1)%3]))
		for _, y := range names {
			actions = append(actions, rewrite.RenameQuery(x, y))
		}
	}
	queries := []string{"", "a", "b", "c", "d", "a&b", "b&a", "a=1&b=2&c=3&d", "c&&a&b=1&a"}
	for _, x := range actions {
		for _, y := range actions {
			if x.Op() == y.Op() {
				continue // one annotation: its own order decides
			}
			same := true
			for _, q := range queries {
				same = same && apply(t, q, x, y) == apply(t, q, y, x)
			}
			if got := commute(x, y); got != same {
				t.Errorf("commute(%v, %v) = %v", x, y, got)
			}
		}
	}
}

func apply(t *testing.T, query string, actions ...rewrite.Action) string {
	t.Helper()
	var rules []rewrite.Rule
	for _, a := range actions {
		rules = append(rules, rewrite.Rule{Action: a})
	}
	p, err := rewrite.Compile(rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := rewrite.URL{Host: "a.example", Path: "/", RawQuery: query}
	if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(u)
}

func TestCommuteOfPathActions(t *testing.T) {
	path := []rewrite.Action{
		rewrite.SetPath("/x"), rewrite.AddPathPrefix("/x"), rewrite.TrimPathPrefix("/x"),
		rewrite.StripPathSegments(1), rewrite.HostFromPathPrefix(),
	}
	others := []rewrite.Action{
		rewrite.AddPathPrefix("/"), rewrite.TrimPathPrefix("/"), rewrite.SetHost("a.example"),
		rewrite.AddQuery("a", "b"), rewrite.KeepQuery("a"),
	}
	for _, x := range path {
		for _, y := range path {
			if commute(x, y) {
				t.Errorf("commute(%v, %v)", x, y)
			}
		}
		for _, y := range others {
			conflict := x.Op() == rewrite.OpHostFromPathPrefix && y.Op() == rewrite.OpSetHost
			if !conflict && !commute(x, y) {
				t.Errorf("%v and %v do not commute", x, y)
			}
		}
	}
}
