// Bad input, of operators and of clients: an error that says so or a
// documented no-op, at once, never a panic and never half a rewrite.

package rewrite_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

const mebibyte = 1 << 20

// constructed lists what every constructor makes of a text, alone, and in each
// place beside what is right there.
func constructed(text string) []rewrite.Action {
	return []rewrite.Action{
		rewrite.SetHost(text), rewrite.SetHostname(text), rewrite.SetPort(text),
		rewrite.ReplaceHostSuffix(text, "y.org"), rewrite.ReplaceHostSuffix("x.com", text),
		rewrite.SetPath(text), rewrite.SetPath("/" + text), rewrite.AddPathPrefix(text),
		rewrite.TrimPathPrefix(text), rewrite.TrimPathPrefix("/a", "/"+text),
		rewrite.ReplacePathPrefix(text, "/a"), rewrite.ReplacePathPrefix("/a", text), rewrite.ReplacePathPrefix("/"+text, "/"+text),
		rewrite.TrimPathText(text), rewrite.TrimPathText("/a", "/"+text),
		rewrite.ReplacePathText(text, "/a"), rewrite.ReplacePathText("/a", text), rewrite.ReplacePathText("/a", "/"+text),
		rewrite.RewritePath(text, "/"), rewrite.RewritePath("a", text), rewrite.RewritePath("a", "/"+text), rewrite.RewritePath("a", "/?"+text),
		rewrite.ReplacePathRegex(text, "/"), rewrite.ReplacePathRegex("a", text),
		rewrite.AddQuery(text, ""), rewrite.AddQuery("a", text), rewrite.SetQuery(text, ""), rewrite.SetQuery("a", text),
		rewrite.DeleteQuery(text), rewrite.DeleteQuery("a", text), rewrite.RenameQuery(text, "b"), rewrite.RenameQuery("a", text),
		rewrite.KeepQuery(text), rewrite.KeepQuery("a", text), rewrite.SetScheme(text),
	}
}

// compileOne compiles one action. What it returns is one of program and error;
// the error is a RuleErrors about rule 0, and is short enough for a log.
func compileOne(t *testing.T, a rewrite.Action) (*rewrite.Program, error) {
	t.Helper()
	p, err := rewrite.Compile([]rewrite.Rule{{Action: a}}, &rewrite.Options{AllowAnyHost: true})
	if (p == nil) == (err == nil) {
		t.Fatalf("%.80v: %v and %v", a, p, err)
	}
	var faults rewrite.RuleErrors
	if err != nil && (!errors.As(err, &faults) || faults[0].Index != 0 || faults[0].Op != a.Op() || faults[0].Param == "" || len(err.Error()) > 1024) {
		t.Errorf("%.80v: %.2000v", a, err)
	}
	return p, err
}

// inTime fails if f takes a second of its processor three times. What it is
// about takes milliseconds, and without a bound on the work minutes.
func inTime(t *testing.T, what string, f func()) {
	t.Helper()
	var took time.Duration
	for range 3 {
		if took = gate.Took(f); took <= time.Second {
			return
		}
	}
	t.Errorf("%s took %v, and more than a second three times", what, took)
}

// Of 1 MiB no parameter compiles. Of the 64 KiB that are looked at some do,
// and none for long.
func TestLongParameters(t *testing.T) {
	for _, unit := range []string{"a", "/a", ".", "%41", "(", "a?", "é", "$1", "$$", "a&", "\x00", "\xff"} {
		for _, n := range []int{64<<10 - len("/?"), mebibyte} {
			text := strings.Repeat(unit, n/len(unit))
			for _, a := range constructed(text) {
				inTime(t, fmt.Sprintf("%v, %d bytes of %s,", a.Op(), n, unit), func() {
					if _, err := compileOne(t, a); err == nil && n == mebibyte {
						t.Errorf("%.80v compiles", a)
					}
				})
			}
		}
	}
	if _, err := compileOne(t, rewrite.StripPathSegments(math.MaxInt)); err != nil {
		t.Error(err)
	}
}

// compileEmpty is all that compiles of constructed(""): what may be empty, and
// what is not.
var compileEmpty = []string{
	`SetPort("")`,
	`SetPath("/")`, `TrimPathPrefix("/a", "/")`, `ReplacePathPrefix("/a", "")`, `ReplacePathPrefix("/", "/")`,
	`TrimPathText("/a", "/")`, `ReplacePathText("/a", "")`, `ReplacePathText("/a", "/")`,
	`RewritePath("", "/")`, `RewritePath("a", "")`, `RewritePath("a", "/")`, `RewritePath("a", "/?")`,
	`ReplacePathRegex("", "/")`, `ReplacePathRegex("a", "")`,
	`AddQuery("a", "")`, `SetQuery("a", "")`,
}

func TestEmptyParameters(t *testing.T) {
	for _, a := range constructed("") {
		if _, err := compileOne(t, a); slices.Contains(compileEmpty, a.String()) != (err == nil) {
			t.Errorf("%v: %v", a, err)
		}
	}
}

// Bytes that are not UTF-8 are refused everywhere. Control bytes are refused
// where they would have to be written as they are.
func TestBadBytes(t *testing.T) {
	for _, text := range []string{"\xff", "a\xc3", "\xc0\xae", "\xed\xa0\x80", "\xf4\x90\x80\x80"} {
		for _, a := range constructed(text) {
			if _, err := compileOne(t, a); err == nil {
				t.Errorf("%v compiles", a)
			}
		}
	}
	for c := range byte(0x80) {
		if c >= ' ' && c != 0x7F {
			continue
		}
		for _, a := range constructed("a" + string(rune(c))) {
			p, err := compileOne(t, a)
			switch a.Op() {
			case rewrite.OpRewritePath, rewrite.OpReplacePathRegex, rewrite.OpAddQuery, rewrite.OpSetQuery, rewrite.OpDeleteQuery, rewrite.OpRenameQuery, rewrite.OpKeepQuery:
				// An expression that matches no path, and text that is escaped.
				if err == nil {
					judge(t, p, rewrite.AfterLocation, rewrite.URL{Path: "/a", RawQuery: "a=1&b"})
				}
			default:
				if err == nil {
					t.Errorf("%v compiles", a)
				}
			}
		}
	}
}

// distinctRunes returns n letters, no two the same. Mapping a label of them
// to ASCII takes time quadratic in n, so it must not come to that.
func distinctRunes(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune(rune(0x4E00 + i)) // CJK ideographs
	}
	return b.String()
}

func TestHostsOfManyRunes(t *testing.T) {
	for _, n := range []int{341, 342, 10_000} { // 341 are 1,023 bytes, which are looked at
		host := distinctRunes(n)
		inTime(t, fmt.Sprint("compiling ", n, " runes"), func() {
			for _, h := range []string{host, "x." + host, host + ":80", host[:len(host)-1], "xn--" + host} {
				for _, a := range []rewrite.Action{
					rewrite.SetHost(h), rewrite.SetHostname(h), rewrite.ReplaceHostSuffix(h, "y.org"), rewrite.ReplaceHostSuffix("x.com", h),
				} {
					if _, err := compileOne(t, a); err == nil {
						t.Errorf("%.80v compiles", a)
					}
				}
				for _, entry := range []string{h, "*." + h} {
					if _, err := rewrite.Compile(nil, &rewrite.Options{AllowedHosts: []string{entry}}); err == nil {
						t.Errorf("%.80v is an allowed host", entry)
					}
				}
			}
		})
		fromPath := program(rewrite.HostFromPathPrefix())
		replaced := program(rewrite.ReplaceHostSuffix("x.com", "y.org"))
		inTime(t, fmt.Sprint("a request with ", n, " runes"), func() {
			for _, h := range []string{host, strings.Repeat("a", n), strings.Repeat("a.", n) + "x.com", "[" + strings.Repeat(":1", n) + "]"} {
				u := rewrite.URL{Host: h, Path: "/"}
				if err := new(rewrite.Input).Clean(&u, nil); err != rewrite.ErrHost || u.Host != h {
					t.Errorf("Clean of the host %.20s: %v", h, err)
				}
				u = rewrite.URL{Path: "/" + h + "/a"}
				if err := new(rewrite.Input).Clean(&u, nil); err != nil {
					t.Errorf("Clean of the path /%.20s: %v", h, err)
				}
				if _, _, err := judge(t, fromPath, rewrite.AfterLocation, u); err != rewrite.ErrHost {
					t.Errorf("the host from /%.20s: %v", h, err)
				}
				judge(t, replaced, rewrite.AfterLocation, rewrite.URL{Host: h, Path: "/"})
			}
		})
	}
}

// everyProgram has each action of the allocation gates, and expressions.
func everyProgram() map[string]*rewrite.Program {
	programs := map[string]*rewrite.Program{}
	for _, c := range allocCases {
		programs[c.action.String()] = program(c.action)
	}
	for _, a := range []rewrite.Action{
		rewrite.RewritePath(unrecognised, unrecognisedTemplate), rewrite.RewritePath("(.*)", "/a?q=$1&r"), rewrite.RewritePath("^", "?"),
		rewrite.ReplacePathRegex("a", "bb"), rewrite.ReplacePathRegex("", "/"),
	} {
		programs[a.String()] = program(a)
	}
	programs["five actions"] = program(fiveActions...)
	return programs
}

// What is no clean URL, component by component.
var junk = []rewrite.URL{
	{},
	{Path: "*"}, {Path: "*", Host: "x.com", RawQuery: "a=1", Scheme: "http"}, {Path: "**"}, {Path: "*/"}, {Path: "/*"},
	{Scheme: "http", Host: "x.com"}, {RawQuery: "a=1"}, {Scheme: "http"}, {Host: "x.com"}, {ForceQuery: true},
	{Path: "a"}, {Path: "%2F"}, {Path: "."}, {Path: ".."}, {Path: "?"}, {Path: "//"}, {Path: `/\`}, {Path: "http://x.com/"},
	{Path: "/%"}, {Path: "/%4"}, {Path: "/%zz/api/v1"}, {Path: "/api%"}, {Path: "/api/%"}, {Path: "/a/../..//./%2e%2E/"},
	{Path: "/\x00\xff\n \x7f"}, {Path: "/api/\xff"}, {Path: "/a?b#c"}, {Path: "/a b"}, {Path: "/é"},
	{Path: "/", RawQuery: "#?\x00\xff &&%"}, {Path: "/", RawQuery: strings.Repeat("&", 100)}, {Path: "/", RawQuery: strings.Repeat("=", 100)},
	{Path: "/", RawQuery: "user"}, {Path: "/", RawQuery: "%75ser=%"}, {Path: "/", RawQuery: "%"}, {Path: "/", RawQuery: "user=1&user=2&user"},
	{Path: "/", Host: ":"}, {Path: "/", Host: ":80"}, {Path: "/", Host: "["}, {Path: "/", Host: "]"}, {Path: "/", Host: "."}, {Path: "/", Host: "\x00"},
	{Path: "/", Host: "x.com:"}, {Path: "/", Host: "[::1]:"}, {Path: "/", Host: "example.com:99999999999999999999"}, {Path: "/", Host: "..example.com"},
	{Path: "//a/a", Host: "a"}, {Path: "/[::1]/a"}, {Path: "/:80/a"}, {Path: "/a:/b"}, {Path: "/é/b"}, {Path: "/%00/b"},
	{Scheme: "\x00", Host: "\xff", Path: "\x00", RawQuery: "\x00"},
}

func TestJunk(t *testing.T) {
	inputs := []*rewrite.Input{nil, {}, {DotSegments: 99, MaxLength: -1}, {DotSegments: rewrite.ResolveDotSegments, Normalize: true, MergeSlashes: true, Strict: true}}
	for name, p := range everyProgram() {
		for _, in := range junk {
			for _, u := range cleaned(t, inputs, in) {
				for _, s := range []*rewrite.Scratch{nil, new(rewrite.Scratch)} {
					for _, h := range rewrite.Hooks() {
						out := u
						result, err := p.Apply(h, &out, s)
						if err := rewritetest.Check(p, h, u, out, result, err); err != nil {
							t.Errorf("%s: %v", name, err)
						}
						p.Explain(h, u)
					}
				}
				if u.Path != "*" && !strings.HasPrefix(u.Path, "/") && p.Touches(rewrite.AfterLocation)&rewrite.PathChanged != 0 {
					if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != rewrite.ErrPath {
						t.Errorf("%s on %#v: %v", name, u, err)
					}
				}
			}
		}
	}
}

// cleaned returns in and what the inputs make of it. On error in stays.
func cleaned(t *testing.T, inputs []*rewrite.Input, in rewrite.URL) []rewrite.URL {
	t.Helper()
	urls := []rewrite.URL{in}
	for _, input := range inputs {
		u := in
		err := input.Clean(&u, new(rewrite.Scratch))
		if err != nil && (u != in || !errors.Is(err, rewrite.ErrRefused)) {
			t.Errorf("Clean made %#v of %#v: %v", u, in, err)
		}
		urls = append(urls, u)
	}
	return urls
}

func TestEmptyAndNilURL(t *testing.T) {
	for name, p := range everyProgram() {
		for _, s := range []*rewrite.Scratch{nil, new(rewrite.Scratch)} {
			if r, err := p.Apply(rewrite.AfterLocation, nil, s); r != (rewrite.Result{}) || err != nil {
				t.Errorf("%s: %v, %v", name, r, err)
			}
		}
	}
	var u rewrite.URL
	if err := new(rewrite.Input).Clean(&u, nil); err != rewrite.ErrPath || u != (rewrite.URL{}) {
		t.Errorf("Clean makes %#v of the zero URL, %v", u, err)
	}
	if err := new(rewrite.Input).Clean(nil, nil); err != rewrite.ErrTarget {
		t.Errorf("Clean of nil: %v", err)
	}
	u.Path = "/"
	if err := new(rewrite.Input).Clean(&u, nil); err != nil || u != (rewrite.URL{Path: "/"}) {
		t.Errorf("Clean makes %#v of the URL without a host, %v", u, err)
	}
}

// The asterisk form has no path and no query to rewrite.
func TestAsterisk(t *testing.T) {
	in := rewrite.URL{Scheme: "http", Host: "www.example.com", Path: "*", RawQuery: "user=1"}
	if u := in; new(rewrite.Input).Clean(&u, nil) != nil || u != in {
		t.Errorf("Clean makes %v of it", u)
	}
	for name, p := range everyProgram() {
		out, result, err := judge(t, p, rewrite.AfterLocation, in)
		if out.Path != "*" || out.RawQuery != in.RawQuery || err != nil {
			t.Errorf("%s: %v, %v", name, out, err)
		}
		if cut, put, ok := result.Splice(); cut != 0 || put != 0 || !ok {
			t.Errorf("%s: splice %d, %d, %v", name, cut, put, ok)
		}
	}
	p := program(rewrite.SetPath("/"), rewrite.DropQuery(), rewrite.HostFromPathPrefix(), rewrite.SetHost("y.org"), rewrite.SetScheme("https"))
	if out, _, err := judge(t, p, rewrite.AfterLocation, in); err != nil || out.Host != "y.org" || out.Scheme != "https" {
		t.Errorf("%v, %v", out, err)
	}
}

// Long paths and queries, up to the limit and one byte above it.
func TestLongURLs(t *testing.T) {
	const most = 2 * mebibyte
	programs := everyProgram()
	for _, tt := range []struct {
		unit        string
		n           int
		path, query error
	}{
		{"a", mebibyte, nil, nil},
		{"a", most, nil, nil},
		{"a", most + 1, rewrite.ErrTooLong, rewrite.ErrTooLong},
		{"/", most, nil, nil},
		{"/a", most, nil, nil},
		{"&", most, nil, nil},
		{"=", most, nil, nil},
		{"user&", mebibyte, nil, nil},
		{"user&", most + 1, rewrite.ErrTooLong, rewrite.ErrTooLong},
		{"%%", mebibyte, rewrite.ErrPath, nil},
		{"/.", mebibyte, rewrite.ErrDotSegment, nil},
		{"#", mebibyte, rewrite.ErrPath, rewrite.ErrQuery},
		{" ", mebibyte / 2, nil, nil},
		{" ", mebibyte, rewrite.ErrTooLong, rewrite.ErrTooLong}, // once escaped
		{"\xff", mebibyte, rewrite.ErrTooLong, rewrite.ErrTooLong},
	} {
		text := strings.Repeat(tt.unit, tt.n/len(tt.unit)+1)[:tt.n-1]
		for in, want := range map[rewrite.URL]error{{Path: "/" + text}: tt.path, {Path: "/", RawQuery: "=" + text}: tt.query} {
			what := fmt.Sprintf("%d bytes of %q in %.3q?%.3q", tt.n, tt.unit, in.Path, in.RawQuery)
			u := in
			inTime(t, "Clean of "+what, func() {
				if err := new(rewrite.Input).Clean(&u, nil); err != want || err != nil && u != in {
					t.Errorf("%s: %v, want %v", what, err, want)
				}
			})
			for name, p := range programs { // cleaned or not
				before := u
				inTime(t, name+" on "+what, func() {
					if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil && u != before {
						t.Errorf("%s on %s: %v, and half done", name, what, err)
					}
				})
				u = before
			}
		}
	}
}

// Apply judges the length of what it changed, and of that alone.
func TestApplyAtMaxLength(t *testing.T) {
	const most = 2 * mebibyte
	text := func(n int) string { return strings.Repeat("a", n) }
	for _, tt := range []struct {
		action      rewrite.Action
		path, query int // bytes
		err         error
	}{
		{rewrite.AddPathPrefix("/b"), most - 2, 0, nil},
		{rewrite.AddPathPrefix("/b"), most - 1, 0, rewrite.ErrTooLong},
		{rewrite.AddPathPrefix("/b"), 1, most + 1, nil},
		{rewrite.TrimPathPrefix("/b"), most + 1, 0, nil},
		{rewrite.SetPath("/b"), most + 1, 0, nil},
		{rewrite.ReplacePathText("/", "/bb"), most - 2, 0, nil},
		{rewrite.ReplacePathText("/", "/bb"), most - 1, 0, rewrite.ErrTooLong},
		{rewrite.StripPathSegments(1), most + 1, 0, nil},
		{rewrite.RewritePath("(.*)", "/$1"), most, 0, rewrite.ErrBudget},
		{rewrite.AddQuery("b", ""), 1, most - 3, nil},
		{rewrite.AddQuery("b", ""), 1, most - 2, rewrite.ErrTooLong},
		{rewrite.AddQuery("b", ""), most + 1, 1, nil},
		{rewrite.RenameQuery("b", "c"), 1, most + 1, nil},
		{rewrite.DropQuery(), most + 1, most + 1, nil},
		{rewrite.SetHost("y.org"), most + 1, most + 1, nil},
	} {
		in := rewrite.URL{Path: "/" + text(tt.path-1), RawQuery: text(tt.query)}
		if _, _, err := judge(t, program(tt.action), rewrite.AfterLocation, in); err != tt.err {
			t.Errorf("%v on %d and %d bytes: %v, want %v", tt.action, tt.path, tt.query, err, tt.err)
		}
	}
	// Half of it is too long: nothing happens.
	p := program(rewrite.SetHost("y.org"), rewrite.SetScheme("https"), rewrite.AddPathPrefix("/b"), rewrite.AddQuery("b", ""))
	for _, in := range []rewrite.URL{{Path: "/" + text(most-1)}, {Path: "/", RawQuery: text(most)}} {
		if out, _, err := judge(t, p, rewrite.AfterLocation, in); err != rewrite.ErrTooLong || out != in {
			t.Errorf("%v", err)
		}
	}
}

// Hooks without rules, and hooks that there are not; empty lists of rules are in
// TestNilAndZeroProgram.
func TestNothingToRun(t *testing.T) {
	p := program(fiveActions...)
	for _, h := range []rewrite.Hook{rewrite.BeforeLocation, rewrite.Forward, 2, -2, math.MaxInt8, math.MinInt8} {
		for _, in := range junk {
			out := in
			if r, err := p.Apply(h, &out, nil); out != in || r != (rewrite.Result{}) || err != nil {
				t.Errorf("%v: %#v, %v, %v", h, out, r, err)
			}
		}
	}
}
