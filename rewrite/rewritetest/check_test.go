package rewritetest

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// Each case is an honest Apply and then a lie about its outcome: Check must
// name exactly the guarantees that the lie breaks. Text that breaks G1, G2, G7
// or G8 is not clean either, so G10 comes with it.
func TestCheckNoticesEachViolation(t *testing.T) {
	var (
		setPath  = []rewrite.Rule{{Action: rewrite.SetPath("/b")}} // has no splice to break
		trim     = []rewrite.Rule{{Action: rewrite.TrimPathPrefix("/a")}}
		setHost  = []rewrite.Rule{{Action: rewrite.SetHost("y.org")}}
		delQuery = []rewrite.Rule{{Action: rewrite.DeleteQuery("d")}}
		setQuery = []rewrite.Rule{{Action: rewrite.SetQuery("k", "v w")}}
		keepBoth = []rewrite.Rule{{Action: rewrite.RewritePath("^/a", "/b?t=1")}}
		in       = rewrite.URL{Scheme: "http", Host: "x.com", Path: "/a/b", RawQuery: "x+y=1&d=2&z+w=%2f"}
	)
	tests := []struct {
		name  string
		rules []rewrite.Rule
		in    rewrite.URL
		lie   func(o *outcome)
		want  []string
	}{
		{"G1", setPath, in, func(o *outcome) { o.out.Path = "b" }, []string{"G1", "G10"}},
		{"G1 empty", setPath, in, func(o *outcome) { o.out.Path = "" }, []string{"G1", "G10"}},
		{"G2 space", setPath, in, func(o *outcome) { o.out.Path = "/b c" }, []string{"G10", "G2", "G6"}},
		{"G2 query", setPath, in, func(o *outcome) { o.out.Path = "/b?c" }, []string{"G10", "G2", "G6"}},
		{"G2 escape", setPath, in, func(o *outcome) { o.out.Path = "/b%2" }, []string{"G10", "G2", "G6"}},
		{"G3", setPath, in, func(o *outcome) { o.out.Path = "//b" }, []string{"G3"}},
		{"G3 backslash", setPath, in, func(o *outcome) { o.out.Path = `/\b` }, []string{"G10", "G2", "G3", "G6"}},
		{"G4", setPath, in, func(o *outcome) { o.out.Path = "/b/%2e." }, []string{"G10", "G4"}},
		{"G4 one more", setPath, withPath(in, "/a/../b"), func(o *outcome) { o.out.Path = "/../.." }, []string{"G4"}},
		{"G4 other kind", setPath, withPath(in, "/a/../b"), func(o *outcome) { o.out.Path = "/b/." }, []string{"G4"}},
		{"G5 component", setPath, in, func(o *outcome) { o.out.Host = "y.org" }, []string{"Changed", "G5"}},
		{"G5 ForceQuery", setPath, in, func(o *outcome) { o.out.ForceQuery = true }, []string{"G5"}},
		{"G5 same host", setPath, in, func(o *outcome) { o.out.Host = strings.Clone(o.out.Host) }, []string{"G5"}},
		{"G5 same path", setHost, in, func(o *outcome) { o.out.Path = strings.Clone(o.out.Path) }, []string{"G5"}},
		{"G5 order of pairs", delQuery, in, func(o *outcome) { o.out.RawQuery = "z+w=%2f&x+y=1" }, []string{"G5", "G5"}},
		{"G5 other spelling of a key", delQuery, in, func(o *outcome) { o.out.RawQuery = "x%20y=1&z+w=%2f" }, []string{"G5"}},
		{"G5 other spelling of a value", delQuery, in, func(o *outcome) { o.out.RawQuery = "x+y=1&z+w=%2F" }, []string{"G5"}},
		{"G7 space", setQuery, in, func(o *outcome) { o.out.RawQuery = "k=v w" }, []string{"G10", "G5", "G7"}},
		{"G7 hash", keepBoth, in, func(o *outcome) { o.out.RawQuery = "t=#" }, []string{"G10", "G7"}},
		{"G7 DEL", keepBoth, in, func(o *outcome) { o.out.RawQuery = "t=\x7f" }, []string{"G10", "G7"}},
		{"G7 question mark", keepBoth, in, func(o *outcome) { o.out.RawQuery = "?t=1" }, []string{"G7"}},
		{"G7 dangling ampersand", keepBoth, in, func(o *outcome) { o.out.RawQuery = "t=1&" }, []string{"G7"}},
		{"G8", setHost, in, func(o *outcome) { o.out.Host = "y.org:0" }, []string{"G10", "G8"}},
		{"G8 gone", setHost, in, func(o *outcome) { o.out.Host = "" }, []string{"G8"}},
		{"G9 changed", setPath, in, func(o *outcome) { o.result, o.err = rewrite.Result{}, rewrite.ErrPath }, []string{"G9"}},
		{"G9 result", setPath, in, func(o *outcome) { o.out, o.err = o.in, rewrite.ErrPath }, []string{"G9"}},
		{"G9 not a refusal", setPath, withPath(in, "/b"), func(o *outcome) { o.err = errors.New("other") }, []string{"G9", "G9"}},
		{"G11 path", setPath, in, func(o *outcome) { o.out.Path = "/b" + strings.Repeat("c", maxLength) }, []string{"G11"}},
		{"G11 query", keepBoth, in, func(o *outcome) { o.out.RawQuery = strings.Repeat("c", maxLength+1) }, []string{"G11"}},
		{"Changed too much", setPath, in, func(o *outcome) { o.out = o.in }, []string{"Changed"}},
		{"Changed too little", setPath, in, func(o *outcome) { o.result = rewrite.Result{} }, []string{"Changed", "Splice"}},
		{"Splice", trim, in, func(o *outcome) { o.out.Path = "/c" }, []string{"Splice"}},
		{"Splice out of range", trim, in, func(o *outcome) { o.in.Path = "/" }, []string{"Splice"}},
		{"Splice untouched", delQuery, withPath(in, "/a/a/b"), func(o *outcome) {
			trimmed := apply(t, append(trim, delQuery...), o.in)
			o.result, o.in.Path, o.out.Path = trimmed.result, "/a/b", "/b"
		}, []string{"G5", "Splice"}},
		{"asterisk", setPath, withPath(in, "*"), func(o *outcome) { o.out.Path = "/b" }, []string{"Changed", "Splice", "path *"}},
		{"asterisk query", delQuery, withPath(in, "*"), func(o *outcome) { o.out.RawQuery = "" }, []string{"Changed", "path *"}},
		{"not clean", setPath, withPath(in, "/a b"), func(o *outcome) { o.out.Path = "//../#" }, nil},
		{"not clean, Changed", setPath, withPath(in, "/a b"), func(o *outcome) { o.out.RawQuery = "" }, []string{"Changed"}},
		{"not clean, Splice", trim, withPath(in, "/a/ b"), func(o *outcome) { o.out.Path = "//" }, []string{"Splice"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := apply(t, tt.rules, tt.in)
			if err := o.check(); err != nil {
				t.Fatalf("before the lie: %v", err)
			}
			tt.lie(&o)
			if got := guarantees(o.check()); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q: %v", got, tt.want, o.check())
			}
		})
	}
}

// maxLength is the limit of the programs of the test: just enough for its URLs.
const maxLength = 32

type outcome struct {
	p       *rewrite.Program
	in, out rewrite.URL
	result  rewrite.Result
	err     error
}

func apply(t *testing.T, rules []rewrite.Rule, in rewrite.URL) outcome {
	t.Helper()
	p, err := rewrite.Compile(rules, &rewrite.Options{MaxLength: maxLength})
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{p: p, in: in, out: in}
	o.result, o.err = p.Apply(rewrite.AfterLocation, &o.out, nil)
	return o
}

func (o *outcome) check() error {
	return Check(o.p, rewrite.AfterLocation, o.in, o.out, o.result, o.err)
}

// guarantees returns the names at the lines of an error of Check, sorted.
func guarantees(err error) []string {
	if err == nil {
		return nil
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^([^:\n]+): `).FindAllStringSubmatch(err.Error(), -1) {
		if m[1] != "rewritetest" {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

func withPath(u rewrite.URL, path string) rewrite.URL {
	u.Path = path
	return u
}

// A program without rules does nothing and promises nothing else.
func TestCheckOfNoProgram(t *testing.T) {
	for _, p := range []*rewrite.Program{nil, {}, rewrite.MustCompile(nil, nil)} {
		for _, in := range []rewrite.URL{{}, {Path: "/a/..#"}, {Host: "x.com", Path: "/a"}} {
			out := in
			result, err := p.Apply(rewrite.Forward, &out, nil)
			if err := Check(p, rewrite.Forward, in, out, result, err); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestIsHost(t *testing.T) {
	label, name := strings.Repeat("a", 63), strings.Repeat("a.", 126)+"a"
	for _, s := range []string{
		"a", "A.b", "a.", "a-b", "a_b", "_a", "a--b", "xn--a", "1a", "0xg", "1.a", "a:1", "a:65535", "a.:80",
		"1.2.3.4", "1.2.3.4.", "1.2.3.4:80", "[::1]", "[::1]:80", "[::ffff:1.2.3.4]", label, name, name + ".",
	} {
		if !isHost(s) {
			t.Errorf("isHost(%q) = false", s)
		}
	}
	for _, s := range []string{
		"", ".", "..", "a..b", ".a", "a..", "-a", "a-", "a-.b", "a b", "a/b", "a@b", "a,b", "a%2f", "é", "a\x00",
		"a:", ":80", "a:0", "a:080", "a:65536", "a:+1", "a:1:1", "::1", "[]", "[::1", "[::1]1", "[::1]:", "[::1%25a]", "[1.2.3.4]", "[a]",
		"1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "a.1", "a.0x1F", "0x", "a.0X", label + "a", "a" + name,
	} {
		if isHost(s) {
			t.Errorf("isHost(%q) = true", s)
		}
	}
}
