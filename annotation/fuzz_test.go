// Any value of any key: the reader against the reference, and the laws that
// hold for all that it accepts and all that it reports.

package annotation_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []struct{ why, key, value string }{
		{"the usual", "host", `[{"params": "a.com", "when": "AfterLocation", "order": 0}]`},
		{"each hook", "path", `[{"params": "/a"}, {"params": "/b", "when": "Forward"}, {"params": "/c", "when": "BeforeLocation"}]`},
		{"a hook twice, once by default", "path", `[{"params": "/a"}, {"params": "/b", "when": "AfterLocation"}]`},
		{"a string for a value that is none", "host-from-path-prefix", `[{"params": "true"}]`},
		{"digits in a string, one escaped", "path-prefix-strip", `[{"params": "\u0031"}]`},
		{"a number that is whole but has a point", "path-prefix-strip", `[{"params": 1.0}]`},
		{"a number of more than 32 bits", "path-prefix-trim", `[{"params": "a", "order": -2147483649}]`},
		{"minus zero", "path-prefix-add", `[{"params": "/", "order": -0}]`},
		{"pairs, one without a value", "query-add", `[{"params": {"a": "", "b": "x&y"}}]`},
		{"pairs in a string, with escapes in both", "query-rename", `[{"params": " {\"a\\u0062\": \"\\\"\"}"}]`},
		{"a name twice, by an escape", "query-add", `[{"params": {"a": "1", "\u0061": "2"}}]`},
		{"a list in a string", "query-delete", `[{"params": "[\"a\", \"b\"]"}]`},
		{"a string that is a name, and might be a list", "query-delete-all-except", `[{"params": " [a"}]`},
		{"half of a surrogate pair, and U+FFFD", "path", `[{"params": "/\ufffd\\ufffd\ud800"}]`},
		{"a surrogate pair", "path", `[{"params": "/\uD83D\uDE00"}]`},
		{"a control character, escaped twice", "query-add", `[{"params": "{\"a\": \"\\u0000\"}"}]`},
		{"a line end of Unicode", "host", "[{\"params\": \"a\u2028\"}]"},
		{"not UTF-8 behind the end", "host", "[{\"params\": \"a\"}]\xff"},
		{"too deep, in a string", "query-delete", `[{"params": "[[[[[[[]]]]]]]"}]`},
		{"as deep as may be, and still wrong", "query-delete", `[{"params": [[[[[[]]]]]]}]`},
		{"quotes in quotes", "query-add", `[{"params": "{"name": "alice"}"}]`},
		{"a brace too many", "query-rename", `[{"params": {"name": "user"}, "order": 1}}]`},
		{"no comma", "path-prefix-add", "[ {\n\"params\": \"/service\"\n\"when\": \"AfterLocation\"}]"},
		{"no quotes", "host", `[{"params": bar.com, "when": AfterLocation}]`},
		{"a field that differs in case", "host", `[{"Params": "a.com"}]`},
		{"a path that does not compile, behind an escape", "path", `[{"params": "/\u00e9/../b"}]`},
		{"a byte-order mark", "host", "\ufeff[]"},
		{"nothing", "host", ""},
	} {
		f.Add(byte(keyIndex(seed.key)), seed.value)
	}
	f.Fuzz(func(t *testing.T, row byte, value string) {
		name := worldKeys[int(row)%len(worldKeys)]
		m := prefixed(map[string]string{name: value})
		plan, err := annotation.Parse(m, anyHost)
		want, refErr := reference(name, value)
		if (err == nil) != (refErr == nil) {
			t.Fatalf("%s %q: Parse says %v, the reference %v", name, value, err, refErr)
		}
		if err != nil {
			checkErrors(t, m, err)
			return
		}
		if !sameRules(plan.Rules, want) {
			t.Fatalf("%s %q: Parse makes %v, the reference %v", name, value, plan.Rules, want)
		}
		checkPlan(t, m, plan, anyHost)
	})
}

func keyIndex(name string) int {
	for i, key := range worldKeys {
		if key == name {
			return i
		}
	}
	panic("no key " + name)
}

// sameRules compares rules but for their origins.
func sameRules(a, b []rewrite.Rule) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Hook != b[i].Hook || a[i].Order != b[i].Order || !a[i].Action.Equal(b[i].Action) {
			return false
		}
	}
	return true
}

// checkPlan holds the laws of a plan that Parse made.
func checkPlan(t *testing.T, m map[string]string, plan *annotation.Plan, opts *annotation.Options) {
	t.Helper()
	if _, err := plan.Compile(); err != nil {
		t.Fatalf("%q parses and does not compile: %v", m, err)
	}
	for _, r := range plan.Rules {
		if value, ok := m[r.Origin.Key]; !ok || r.Origin.Offset >= len(value) || r.Origin.Index < 0 {
			t.Fatalf("%q: rule %v comes from %v", m, r.Action, r.Origin)
		}
	}
	formatted, err := annotation.Format(plan, opts)
	if err != nil {
		t.Fatalf("%q parses and has no format: %v", m, err)
	}
	again, err := annotation.Parse(formatted, opts)
	if err != nil || !sameRules(again.Rules, plan.Rules) {
		t.Fatalf("%q is formatted as %q, which is %v, %v", m, formatted, again, err)
	}
	for key, value := range formatted {
		if len(value) > len(m[key]) {
			t.Fatalf("%q is shorter than its format %q", m[key], value)
		}
	}
}

// checkErrors holds the laws of an error of Parse.
func checkErrors(t *testing.T, m map[string]string, err error) {
	t.Helper()
	l, ok := err.(annotation.ErrorList)
	if !ok || len(l) == 0 {
		t.Fatalf("%q: %T %v", m, err, err)
	}
	if text := err.Error(); !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\r\t\x1b\x7f\u0085\u2028") || strings.Count(text, "\n") != len(l)-1 {
		t.Fatalf("%q: text of the error is %q", m, text)
	}
	for _, e := range l {
		value := m[e.Key]
		if e.Offset < -1 || e.Offset > len(value) || e.Index < -1 || e.Code == "" || e.Detail == "" {
			t.Fatalf("%q: %+v", m, e)
		}
		caret := e.Caret(value)
		if lines := strings.Split(caret, "\n"); value != "" && (len(lines) != 3 || len(lines[0]) > 300 || len(lines[1]) > 73) {
			t.Fatalf("%q: caret is drawn as %q", m, caret)
		}
	}
}
