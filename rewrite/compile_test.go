// What Compile refuses and how it says so, and what a Program keeps of what
// it was made of.

package rewrite_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// compileFaults has one fault each: the parameter that is to be named, and what
// the message says about what to write instead, or about the bound.
var compileFaults = []struct {
	action      rewrite.Action
	param, says string
}{
	{rewrite.SetHost(""), "host", "example.com"},
	{rewrite.SetHost("http://x.com"), "host", "write only what follows"},
	{rewrite.SetHost("x.com/a"), "host", "write only what precedes '/'"},
	{rewrite.SetHost("x.com?a"), "host", "write only what precedes '?'"},
	{rewrite.SetHost("u@x.com"), "host", "write only what follows '@'"},
	{rewrite.SetHost("*.x.com"), "host", "write one full name"},
	{rewrite.SetHost("x%2ecom"), "host", "write the character itself"},
	{rewrite.SetHost("x com"), "host", "' '"},
	{rewrite.SetHost("x\x00"), "host", `'\x00'`},
	{rewrite.SetHost("x..com"), "host", "write one '.'"},
	{rewrite.SetHost("-x.com"), "host", "'-'"},
	{rewrite.SetHost("1.2.3"), "host", "four decimal parts"},
	{rewrite.SetHost("::1"), "host", "write [::1]"},
	{rewrite.SetHost("[::1"), "host", "']'"},
	{rewrite.SetHost("[fe80::1%25lo]"), "host", "write only what precedes '%'"},
	{rewrite.SetHost("x.com:"), "host", "1 to 65535"},
	{rewrite.SetHost("x.com:65536"), "host", "1 to 65535"},
	{rewrite.SetHost("x.com:080"), "host", "leading zero"},
	{rewrite.SetHost(strings.Repeat("a", 64)), "host", "63"},
	{rewrite.SetHost(strings.Repeat("a.", 127) + "a"), "host", "253"},
	{rewrite.SetHost(strings.Repeat("a", 1025)), "host", "1024"},
	{rewrite.SetHostname(""), "hostname", "example.com"},
	{rewrite.SetHostname("x.com:80"), "hostname", "write only what precedes ':'"},
	{rewrite.SetPort("0"), "port", "1 to 65535"},
	{rewrite.SetPort("08"), "port", "leading zero"},
	{rewrite.SetPort(":80"), "port", "digits"},
	{rewrite.ReplaceHostSuffix("", "y.org"), "old", "example.com"},
	{rewrite.ReplaceHostSuffix("x.com", "."), "new", "byte 1: the host is empty"},
	{rewrite.ReplaceHostSuffix(".x com", "y.org"), "old", "byte 2: ' '"},
	{rewrite.ReplaceHostSuffix("x.com:80", "y.org"), "old", "write only what precedes ':'"},
	{rewrite.ReplaceHostSuffix("x.com", "127.0.0.1"), "new", "last labels of a name"},
	{rewrite.HostFromPathPrefix(), "", "AllowedHosts"},

	{rewrite.SetPath(""), "path", `such as "/"`},
	{rewrite.SetPath("a"), "path", `write "/a"`},
	{rewrite.SetPath("/a?b"), "path", "at offset 2: write %3F"},
	{rewrite.SetPath("/a#b"), "path", "at offset 2: write %23"},
	{rewrite.SetPath("/a%"), "path", "at offset 2: write %25"},
	{rewrite.SetPath("/%2"), "path", "at offset 1: write %25"},
	{rewrite.SetPath("/a\nb"), "path", "%0A"},
	{rewrite.SetPath("/\x7f"), "path", "%7F"},
	{rewrite.SetPath("/a\xff"), "path", "%FF"},
	{rewrite.SetPath("/a//b"), "path", "at offset 3: write one slash"},
	{rewrite.SetPath("/a/."), "path", "at offset 3: write the path that it leads to"},
	{rewrite.SetPath("/a/%2e%2E/b"), "path", "at offset 3: write the path that it leads to"},
	{rewrite.SetPath("/" + strings.Repeat("a", 64<<10)), "path", "at most 65536"},
	{rewrite.AddPathPrefix(""), "prefix", `such as "/"`},
	{rewrite.AddPathPrefix("../a"), "prefix", "at offset 0: write the path that it leads to"},
	{rewrite.AddPathPrefix("//"), "prefix", "write one slash"},
	{rewrite.TrimPathPrefix(), "", "at least one"},
	{rewrite.TrimPathPrefix("/a", ""), "prefix[1]", `such as "/"`},
	{rewrite.TrimPathPrefix("/a", "b", "/c?"), "prefix[2]", "%3F"},
	{rewrite.StripPathSegments(0), "n", "1 or more"},
	{rewrite.StripPathSegments(math.MinInt), "n", "1 or more"},
	{rewrite.ReplacePathPrefix("", "/"), "match", `such as "/"`},
	{rewrite.ReplacePathPrefix("a", "/"), "match", `write "/a"`},
	{rewrite.ReplacePathPrefix("/a", "b"), "with", `write "/b"`},
	{rewrite.ReplacePathPrefix("/a", "//"), "with", "write one slash"},
	{rewrite.TrimPathText(), "", "at least one"},
	{rewrite.TrimPathText("a"), "prefix[0]", `write "/a"`},
	{rewrite.ReplacePathText("", ""), "prefix", `such as "/"`},
	{rewrite.ReplacePathText("/a", "b/"), "with", `write "/b/"`},

	{rewrite.RewritePath("(", "/"), "regex", "missing closing )"},
	{rewrite.RewritePath("(?=a)", "/"), "regex", "(?="},
	{rewrite.RewritePath("a{1001}", "/"), "regex", "{1001}"},
	{rewrite.RewritePath("(.*){1,1000}", "/"), "regex", "at most 200"},
	{rewrite.RewritePath(strings.Repeat("(", 250)+strings.Repeat(")", 250), "/"), "regex", "at most 200"},
	{rewrite.RewritePath("["+strings.Repeat("a", 511)+"]", "/"), "regex", "at most 512"},
	{rewrite.RewritePath("a", "/$"), "template", "write $$"},
	{rewrite.RewritePath("a", "/$x"), "template", "$1 to $9"},
	{rewrite.RewritePath("(a)", "/$0"), "template", "write $1"},
	{rewrite.RewritePath("(a)", "/${0}"), "template", "write $1"},
	{rewrite.RewritePath("(a)", "/$5"), "template", "capture 5"},
	{rewrite.RewritePath("(a)", "/${10}"), "template", "capture 10"},
	{rewrite.RewritePath("(?P<name>a)", "/${name}"), "template", "write ${1}"},
	{rewrite.RewritePath("(a)", "/${+1}"), "template", "write ${1}"},
	{rewrite.RewritePath("(a)", "/${1"), "template", "write ${1}"},
	{rewrite.RewritePath("(a)", "/$1//b"), "template", "at offset 4: write one slash"},
	{rewrite.RewritePath("(a)", "/$$//b"), "template", "at offset 4: write one slash"},
	{rewrite.RewritePath("(a)", "/../$1"), "template", "at offset 1: write the path"},
	{rewrite.RewritePath("(a)", "/$1/.?q"), "template", "at offset 4: write the path"},
	{rewrite.RewritePath("a", "/%zz"), "template", "at offset 1: write %25"},
	{rewrite.RewritePath("a", "/a?q=%"), "template", "at offset 5: write %25"},
	{rewrite.RewritePath("a", "/a#"), "template", "at offset 2: write %23"},
	{rewrite.RewritePath("a", "/a?#"), "template", "at offset 3: write %23"},
	{rewrite.RewritePath("a", "/\x00"), "template", "%00"},
	{rewrite.RewritePath("a", "/?\r"), "template", "%0D"},
	{rewrite.ReplacePathRegex("[", "/"), "regex", "missing closing ]"},
	{rewrite.ReplacePathRegex("a", "/?b"), "template", "at offset 1: write %3F"},
	{rewrite.ReplacePathRegex("a", "?%"), "template", "at offset 0: write %3F"},

	{rewrite.AddQuery("", "1"), "name", "name of a query parameter"},
	{rewrite.AddQuery("a", "\xff"), "value", "UTF-8"},
	{rewrite.SetQuery("", "1"), "name", "name of a query parameter"},
	{rewrite.DeleteQuery(), "", "at least one"},
	{rewrite.DeleteQuery("a", ""), "name[1]", "name of a query parameter"},
	{rewrite.RenameQuery("", "b"), "from", "name of a query parameter"},
	{rewrite.RenameQuery("a", ""), "to", "name of a query parameter"},
	{rewrite.KeepQuery(), "", "DropQuery()"},
	{rewrite.KeepQuery(""), "name[0]", "name of a query parameter"},
	{rewrite.SetScheme("HTTP"), "scheme", "http or https"},
	{rewrite.SetScheme("ftp"), "scheme", "http or https"},
	{rewrite.SetScheme(""), "scheme", "http or https"},
	{rewrite.Action{}, "", "constructor"},
}

// offsetInText finds the offset in the text of a fault of a path or a host.
var offsetInText = regexp.MustCompile(`(?:at offset|^"[^"]*"[.]*: byte) (\d+)`)

func TestCompileFaults(t *testing.T) {
	faulty := map[rewrite.Op]bool{rewrite.OpDropQuery: true} // has nothing to get wrong
	for _, tt := range compileFaults {
		faulty[tt.action.Op()] = true
		name := tt.action.String()
		t.Run(name[:min(len(name), 40)], func(t *testing.T) {
			origin := rewrite.Origin{Key: "rewrite", Index: 2, Offset: 9}
			p, err := rewrite.Compile([]rewrite.Rule{
				{Action: rewrite.DropQuery()},
				{Hook: rewrite.Forward, Action: tt.action, Origin: origin},
			}, nil)
			faults, _ := err.(rewrite.RuleErrors)
			if len(faults) != 1 || p != nil {
				t.Fatalf("%v, %v; want one fault", p, err)
			}
			f := faults[0]
			if f.Index != 1 || f.Origin != origin || f.Op != tt.action.Op() || f.Param != tt.param || f.Err == nil {
				t.Errorf("%#v; want rule 1, %v, parameter %q", f, tt.action.Op(), tt.param)
			}
			offset := -1
			if m := offsetInText.FindStringSubmatch(f.Err.Error()); m != nil {
				offset, _ = strconv.Atoi(m[1])
			}
			if f.Offset != offset && !(offset < 0 && f.Offset == 0) {
				t.Errorf("offset %d, but %v", f.Offset, f.Err)
			}
			line := f.Error()
			for _, part := range []string{"rule 1", origin.String(), tt.param, tt.says} {
				if !strings.Contains(line, part) {
					t.Errorf("%q does not say %q", line, part)
				}
			}
			if err.Error() != "rewrite: "+line || len(line) > 1024 || strings.Contains(line, "\n") {
				t.Errorf("%q is not the one line %q", err, line)
			}
		})
	}
	for op := rewrite.OpSetHost; op <= rewrite.OpSetScheme; op++ {
		if !faulty[op] {
			t.Errorf("no case for %v", op)
		}
	}
}

// places lists index, op and parameter of faults.
func places(faults rewrite.RuleErrors) []string {
	var list []string
	for _, f := range faults {
		list = append(list, strings.TrimSpace(fmt.Sprint(f.Index, " ", f.Op, " ", f.Param)))
	}
	return list
}

func TestAllFaultsAtOnce(t *testing.T) {
	_, err := rewrite.Compile([]rewrite.Rule{
		{Action: rewrite.RenameQuery("", "")},
		{Action: rewrite.SetPath("/fine")},
		{Order: -1, Hook: -2, Action: rewrite.SetPath("//")},
		{Action: rewrite.RewritePath("[", "/#")},
		{Order: -2, Action: rewrite.TrimPathPrefix("\xff", "/fine", "/?", "\xfe", "")},
		{Hook: 2},
		{Action: rewrite.SetQuery("\xff", "\xff")},
		{Hook: rewrite.BeforeLocation, Action: rewrite.HostFromPathPrefix()},
	}, &rewrite.Options{AllowedHosts: []string{"127.0.0.1", "x com", "x.com", "[::1]:80", "*.", "127.1"}})
	faults, _ := err.(rewrite.RuleErrors)
	want := []string{
		"-1 Action{} AllowedHosts[0]", "-1 Action{} AllowedHosts[1]", "-1 Action{} AllowedHosts[3]",
		"-1 Action{} AllowedHosts[4]", "-1 Action{} AllowedHosts[5]",
		"0 RenameQuery from", "0 RenameQuery to",
		"2 SetPath", "2 SetPath path",
		"3 RewritePath regex", "3 RewritePath template",
		"4 TrimPathPrefix prefix[0]", "4 TrimPathPrefix prefix[2]", "4 TrimPathPrefix prefix[3]", "4 TrimPathPrefix prefix[4]",
		"5 Action{}", "5 Action{}",
		"6 SetQuery name", "6 SetQuery value",
	}
	if got := places(faults); !slices.Equal(got, want) {
		t.Errorf("the faults are\n%q, want\n%q\n%v", got, want, err)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != len(faults) {
		t.Errorf("%d lines for %d faults", len(lines), len(faults))
	}
	for _, f := range faults {
		if !errors.Is(err, f) || !errors.Is(err, f.Err) {
			t.Errorf("errors.Is does not find %v", f)
		}
	}
	var one *rewrite.RuleError
	if !errors.As(err, &one) || one != faults[0] {
		t.Errorf("errors.As finds %v", one)
	}
	var expression *syntax.Error
	if !errors.As(err, &expression) || expression.Code != syntax.ErrMissingBracket {
		t.Errorf("errors.As finds %v of package syntax", expression)
	}
	if errors.Is(err, rewrite.ErrRefused) {
		t.Error("a compile error is no refusal of a request")
	}
}

func TestUnknownHookDoesNotCompile(t *testing.T) {
	for _, h := range []rewrite.Hook{math.MinInt8, -2, 2, math.MaxInt8} {
		_, err := rewrite.Compile([]rewrite.Rule{{Hook: h, Action: rewrite.SetPath("/")}}, nil)
		if err == nil || !strings.Contains(err.Error(), "write BeforeLocation, AfterLocation or Forward") {
			t.Errorf("%v: %v", h, err)
		}
	}
}

func TestAllowedHostsFaults(t *testing.T) {
	for _, tt := range []struct{ entry, says string }{
		{"", "example.com"},
		{"x com", "' '"},
		{"x.com:0", "1 to 65535"},
		{"*", "wildcard"},
		{"x.*.com", "wildcard"},
		{"127.0.0.1", "name"},
		{"127.0.0.1.:80", "name"},
		{"[::1]:80", "name"},
		{"*.127.0.0.1", "name"},
		{"１２７.0.0.1", "name"}, // is mapped to 127.0.0.1
	} {
		_, err := rewrite.Compile(nil, &rewrite.Options{AllowedHosts: []string{"x.com", tt.entry}})
		faults, _ := err.(rewrite.RuleErrors)
		if got := places(faults); !slices.Equal(got, []string{"-1 Action{} AllowedHosts[1]"}) {
			t.Errorf("%q: %v", tt.entry, err)
		} else if line := faults[0].Error(); !strings.Contains(line, "options: AllowedHosts[1]") || !strings.Contains(line, tt.says) {
			t.Errorf("%q: %q does not say %q", tt.entry, line, tt.says)
		} else if strings.Contains(line, "write the address") {
			t.Errorf("%q: %q asks for what is refused", tt.entry, line)
		}
	}
}

func TestMustCompile(t *testing.T) {
	defer func() {
		err, _ := recover().(error)
		var faults rewrite.RuleErrors
		if !errors.As(err, &faults) || faults[0].Param != "path" {
			t.Errorf("it panics with %v", err)
		}
	}()
	rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.SetPath("")}}, nil)
}

// target returns what p makes of path at AfterLocation.
func target(t *testing.T, p *rewrite.Program, path string) string {
	t.Helper()
	u := rewrite.URL{Path: path}
	if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil {
		t.Fatal(err)
	}
	return string(u.AppendTarget(nil))
}

func TestOrder(t *testing.T) {
	orders := []int{0, math.MaxInt, -1, math.MinInt, 1} // many of each: ties keep slice order
	var rules []rewrite.Rule
	for i := range 100 {
		rules = append(rules, rewrite.Rule{Order: orders[i%len(orders)], Action: rewrite.AddQuery(fmt.Sprint("n", i), "")})
	}
	want := ""
	for _, first := range []int{3, 2, 0, 4, 1} {
		for i := first; i < len(rules); i += len(orders) {
			want += fmt.Sprint("&n", i, "=")
		}
	}
	if got := target(t, rewrite.MustCompile(rules, nil), "/"); got != "/?"+want[1:] {
		t.Errorf("got %s, want /?%s", got, want[1:])
	}
}

// A Program holds on to nothing that the caller may still change.
func TestCompileCopies(t *testing.T) {
	prefixes, names := []string{"/a", "/b"}, []string{"x"}
	rules := []rewrite.Rule{
		{Action: rewrite.HostFromPathPrefix()},
		{Action: rewrite.TrimPathPrefix(prefixes...)},
		{Action: rewrite.KeepQuery(names...)},
	}
	opts := &rewrite.Options{AllowedHosts: []string{"x.com"}, MaxLength: 100}
	prefixes[0], names[0] = "/changed", "changed"
	p := rewrite.MustCompile(rules, opts)
	dump := p.String()
	for i := range rules[1:] {
		rules[1+i].Action.Args()[0] = "changed"
	}
	if !rules[1].Action.Equal(rewrite.TrimPathPrefix("/a", "/b")) || !rules[2].Action.Equal(rewrite.KeepQuery("x")) {
		t.Errorf("the actions became %v", rules)
	}
	rules[0].Hook, rules[1], rules[2].Order = rewrite.Forward, rewrite.Rule{}, -1
	opts.AllowedHosts[0], opts.MaxLength = "evil.com", 1

	u := rewrite.URL{Host: "y.org", Path: "/x.com/a/c", RawQuery: "x=1&changed=2"}
	if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil || u != (rewrite.URL{Host: "x.com", Path: "/c", RawQuery: "x=1"}) {
		t.Errorf("got %v, %v", u, err)
	}
	if p.String() != dump || p.MaxLength() != 100 {
		t.Errorf("%d, %s\nwas %s", p.MaxLength(), p, dump)
	}
}

func TestNilAndZeroProgram(t *testing.T) {
	for name, p := range map[string]*rewrite.Program{
		"nil": nil, "zero": {}, "no rules": rewrite.MustCompile(nil, nil), "empty rules": rewrite.MustCompile([]rewrite.Rule{}, &rewrite.Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			for _, h := range []rewrite.Hook{rewrite.BeforeLocation, rewrite.AfterLocation, rewrite.Forward, -2, 2, math.MaxInt8, math.MinInt8} {
				in := rewrite.URL{Host: "not a host", Path: "no path", RawQuery: "#"}
				out := in
				if r, err := p.Apply(h, &out, nil); out != in || r != (rewrite.Result{}) || err != nil {
					t.Errorf("%v: Apply made %v, %v, %v", h, out, r, err)
				}
				if steps, r, err := p.Explain(h, in); len(steps) != 0 || r != (rewrite.Result{}) || err != nil {
					t.Errorf("%v: Explain returned %v, %v, %v", h, steps, r, err)
				}
				if c := p.Touches(h); c != 0 {
					t.Errorf("%v: touches %v", h, c)
				}
			}
			if n := p.MaxLength(); n != 2<<20 {
				t.Errorf("MaxLength is %d", n)
			}
			if err := p.Invertible(); err != nil {
				t.Errorf("Invertible returned %v", err)
			}
			_ = p.String() // does not panic
		})
	}
}

func TestTouches(t *testing.T) {
	const host, path, query = rewrite.HostChanged, rewrite.PathChanged, rewrite.QueryChanged
	aims := map[rewrite.Op]rewrite.Changes{
		rewrite.OpSetHost: host, rewrite.OpSetHostname: host, rewrite.OpSetPort: host, rewrite.OpReplaceHostSuffix: host,
		rewrite.OpHostFromPathPrefix: host | path,
		rewrite.OpSetPath:            path, rewrite.OpAddPathPrefix: path, rewrite.OpTrimPathPrefix: path, rewrite.OpStripPathSegments: path,
		rewrite.OpReplacePathPrefix: path, rewrite.OpTrimPathText: path, rewrite.OpReplacePathText: path,
		rewrite.OpRewritePath: path, rewrite.OpReplacePathRegex: path,
		rewrite.OpAddQuery: query, rewrite.OpSetQuery: query, rewrite.OpDeleteQuery: query, rewrite.OpRenameQuery: query,
		rewrite.OpKeepQuery: query, rewrite.OpDropQuery: query,
		rewrite.OpSetScheme: rewrite.SchemeChanged,
	}
	for _, c := range allocCases {
		if got := program(c.action).Touches(rewrite.AfterLocation); got != aims[c.action.Op()] {
			t.Errorf("%v touches %v, want %v", c.action, got, aims[c.action.Op()])
		}
	}
	p := rewrite.MustCompile([]rewrite.Rule{
		{Hook: rewrite.BeforeLocation, Action: rewrite.SetScheme("https")},
		{Hook: rewrite.Forward, Action: rewrite.RewritePath("/(.*)", "/a?q=$1")},
		{Hook: rewrite.Forward, Action: rewrite.SetPort("")},
	}, nil)
	for h, want := range map[rewrite.Hook]rewrite.Changes{
		rewrite.BeforeLocation: rewrite.SchemeChanged, rewrite.AfterLocation: 0, rewrite.Forward: host | path | query, 2: 0, -2: 0,
	} {
		if got := p.Touches(h); got != want {
			t.Errorf("%v touches %v, want %v", h, got, want)
		}
	}
}
