package rewrite_test

// The allocation gates: what Clean and Apply may allocate, exactly.

import (
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// An allocCase is one action on one URL.
type allocCase struct {
	action  rewrite.Action
	in      rewrite.URL
	joined  int // components whose bytes must be made
	changed rewrite.Changes
}

func withHost(host string) rewrite.URL {
	u := usual
	u.Host = host
	return u
}

var allocCases = []allocCase{
	{rewrite.SetHost("backend.internal"), usual, 0, rewrite.HostChanged},
	{rewrite.SetHostname("backend.internal"), withHost("www.example.com:8080"), 1, rewrite.HostChanged},
	{rewrite.SetPort("8080"), usual, 1, rewrite.HostChanged},
	{rewrite.SetPort(""), withHost("www.example.com:8080"), 0, rewrite.HostChanged},
	{rewrite.HostFromPathPrefix(), withPath("/backend.example.com/v1"), 0, rewrite.HostChanged | rewrite.PathChanged},
	{rewrite.ReplaceHostSuffix("example.com", "example.net"), usual, 1, rewrite.HostChanged},
	{rewrite.ReplaceHostSuffix("example.org", "example.net"), usual, 0, 0},

	{rewrite.SetPath("/status"), usual, 0, rewrite.PathChanged},
	{rewrite.AddPathPrefix("/v2"), usual, 1, rewrite.PathChanged},
	{rewrite.TrimPathPrefix("/api"), usual, 0, rewrite.PathChanged},
	{rewrite.TrimPathPrefix("/api"), withPath("/%61pi/a%2Fb"), 0, rewrite.PathChanged},
	{rewrite.TrimPathPrefix("/apis"), usual, 0, 0},
	{rewrite.StripPathSegments(2), usual, 0, rewrite.PathChanged},
	{rewrite.ReplacePathPrefix("/api", "/v2"), usual, 1, rewrite.PathChanged},
	{rewrite.TrimPathText("/ap"), withPath("/ap/i"), 0, rewrite.PathChanged},
	{rewrite.TrimPathText("/ap"), usual, 1, rewrite.PathChanged},
	{rewrite.ReplacePathText("/ap", "/x"), usual, 1, rewrite.PathChanged},

	{rewrite.RewritePath(`^/api/(.*)$`, "/$1"), usual, 0, rewrite.PathChanged},
	{rewrite.RewritePath(`^/api(/|$)(.*)`, "/$2"), usual, 0, rewrite.PathChanged},

	{rewrite.AddQuery("debug", "1"), usual, 1, rewrite.QueryChanged},
	{rewrite.AddQuery("debug", "1"), withQuery(""), 0, rewrite.QueryChanged},
	{rewrite.SetQuery("user", "eve"), usual, 1, rewrite.QueryChanged},
	{rewrite.DeleteQuery("user"), usual, 1, rewrite.QueryChanged},
	{rewrite.DeleteQuery("user"), withQuery("a+b=1&%75ser=bob&c=%zz"), 1, rewrite.QueryChanged},
	{rewrite.DeleteQuery("token"), usual, 0, 0},
	{rewrite.RenameQuery("user", "uid"), usual, 1, rewrite.QueryChanged},
	{rewrite.KeepQuery("lang", "trace"), usual, 1, rewrite.QueryChanged},
	{rewrite.DropQuery(), usual, 0, rewrite.QueryChanged},

	{rewrite.SetScheme("https"), usual, 0, rewrite.SchemeChanged},
}

// reuseCost is what the joined strings of one run cost with Reuse: nothing, or
// with purego, where Reuse drops the memory, one chunk.
func reuseCost(t *testing.T, joined int) int {
	t.Helper()
	if tagged(t, "purego") {
		return min(joined, 1)
	}
	return 0
}

func TestAllocsOfEveryAction(t *testing.T) {
	covered := map[rewrite.Op]bool{rewrite.OpReplacePathRegex: true} // by TestAllocsOfRegexp
	for _, c := range allocCases {
		covered[c.action.Op()] = true
		t.Run(c.action.String(), func(t *testing.T) {
			list := actions(c.action)
			u := c.in
			if r, err := program(list...).Apply(rewrite.AfterLocation, &u, nil); err != nil || r.Changed() != c.changed {
				t.Fatalf("changed %v, error %v; want %v", r.Changed(), err, c.changed)
			}
			wantAllocs(t, "reused Scratch", reuseCost(t, c.joined), runReuse(list, c.in))
			wantAllocs(t, "nil Scratch", c.joined, runNil(list, c.in))
		})
	}
	for op := rewrite.OpSetHost; op <= rewrite.OpSetScheme; op++ {
		if !covered[op] {
			t.Errorf("no case for %v", op)
		}
	}
}

// Expressions that are no prefix rewrite in disguise cost the slices that
// package regexp returns, and with a reused Scratch nothing else.
func TestAllocsOfRegexp(t *testing.T) {
	if buildSetting(t, "-race") == "true" {
		t.Skip("sync.Pool, which package regexp uses, drops at random what it is given under the race detector")
	}
	const ten = 10 // matches, for which package regexp makes room at once
	for _, c := range []struct {
		action rewrite.Action
		path   string
		slices int
		joined int
		want   string // target
	}{
		{rewrite.RewritePath(unrecognised, unrecognisedTemplate), "/api/v1/users/12345/orders", 1, 1, "/u/12345/orders"},
		{rewrite.RewritePath(unrecognised, unrecognisedTemplate), "/%61pi/v1/users/12345/orders", 1, 1, "/u/12345/orders"},
		{rewrite.RewritePath(unrecognised, unrecognisedTemplate), "/orders", 0, 0, "/orders"},
		{rewrite.RewritePath(unrecognised, "/u/$2?rest=$3"), "/api/v1/users/12345/orders/2026/invoices", 1, 2, "/u/12345?rest=orders%2F2026%2Finvoices"},
		{rewrite.ReplacePathRegex(`[0-9]+`, "n"), "/api/v1/users/12345", 3, 1, "/api/vn/users/n"},
		{rewrite.ReplacePathRegex(`x`, "y"), "/" + strings.Repeat("x", ten), ten + 1, 1, "/" + strings.Repeat("y", ten)},
	} {
		t.Run(c.action.String(), func(t *testing.T) {
			list, in := actions(c.action), withPath(c.path)
			in.RawQuery = ""
			u := in
			if _, err := program(list...).Apply(rewrite.AfterLocation, &u, nil); err != nil || string(u.AppendTarget(nil)) != c.want {
				t.Fatalf("got %s, error %v; want %s", u.AppendTarget(nil), err, c.want)
			}
			wantAllocs(t, "reused Scratch", c.slices+reuseCost(t, c.joined), runReuse(list, in))
		})
	}
}

func TestAllocsOfAChain(t *testing.T) {
	wantAllocs(t, "reused Scratch", reuseCost(t, 2), runReuse(fiveActions, usual))
	wantAllocs(t, "nil Scratch", 2, runNil(fiveActions, usual))

	halves := actions(rewrite.SetHostname("backend.internal"), rewrite.AddQuery("debug", "1"), rewrite.SetPort("8080"))
	wantAllocs(t, "both halves of the host", 1, runNil(halves, withHost("www.example.com:8443")))
}

// What is too long is refused before there is memory for it, even if it would be
// shorter than it was.
func TestAllocsOfTooLong(t *testing.T) {
	in := withQuery("a=1&b=2&" + strings.Repeat("%61=1&", 1000) + "b=3&c=4")
	for _, list := range [][]rewrite.Action{
		{rewrite.AddPathPrefix("/v2")},
		{rewrite.AddQuery("d", "5")},
		{rewrite.DeleteQuery("b")},
		{rewrite.DeleteQuery("c"), rewrite.AddQuery("d", "5")},
		{rewrite.RenameQuery("b", "d")},
		{rewrite.RenameQuery("a", "d")},
		{rewrite.KeepQuery("a", "c")},
		{rewrite.SetQuery("c", "5")},
		{rewrite.ReplaceHostSuffix("example.org", "example.net"), rewrite.DeleteQuery("b")},
	} {
		p := rewrite.MustCompile(rulesOf(list...), &rewrite.Options{MaxLength: 10})
		allocs := testing.AllocsPerRun(10, func() {
			u := in
			if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != rewrite.ErrTooLong || u != in {
				t.Errorf("%v: %v", list, err)
			}
		})
		if allocs != 0 {
			t.Errorf("%v allocates %v times", list, allocs)
		}
	}
}

// Reuse keeps 64 KiB: what fits in there costs nothing.
func TestAllocsOfLongOutput(t *testing.T) {
	in := usual
	in.Path = "/" + strings.Repeat("p", 32000)
	in.RawQuery = "user=" + strings.Repeat("q", 32000)
	list := actions(rewrite.AddPathPrefix("/v2"), rewrite.RenameQuery("user", "uid"))
	want := 0
	if tagged(t, "purego") {
		want = 2 // each is longer than a chunk
	}
	wantAllocs(t, "reused Scratch", want, runReuse(list, in))
	wantAllocs(t, "nil Scratch", 2, runNil(list, in))
}

// The strings of a default Scratch share chunks of 1 KiB.
func TestAllocsOfDefaultScratch(t *testing.T) {
	length := len("/v2") + len(usual.Path)
	apply := runDefault(actions(rewrite.AddPathPrefix("/v2")), usual)()
	if got := testing.AllocsPerRun(100, func() { apply(1024 / length) }); got != 1 {
		t.Errorf("%v allocations for the strings that fill a chunk, want 1", got)
	}
}

func TestAllocsOfClean(t *testing.T) {
	normal := withPath("/api/a%2Fb/c%20d")
	inputs := map[string]*rewrite.Input{
		"nil":           nil,
		"zero":          {},
		"keep dots":     {DotSegments: rewrite.KeepDotSegments},
		"resolve dots":  {DotSegments: rewrite.ResolveDotSegments},
		"normalize":     {Normalize: true},
		"merge slashes": {MergeSlashes: true},
		"strict":        {Strict: true},
	}
	for name, input := range inputs {
		t.Run(name, func(t *testing.T) {
			for _, in := range []rewrite.URL{usual, normal} {
				if input != nil && input.Strict && in == normal {
					continue // Strict refuses %2F
				}
				u := in
				if err := input.Clean(&u, nil); err != nil || u != in {
					t.Fatalf("Clean makes %v of %v, error %v", u, in, err)
				}
				s := new(rewrite.Scratch)
				for _, s := range []*rewrite.Scratch{nil, s} {
					got := testing.AllocsPerRun(100, func() {
						u = in
						s.Reuse()
						input.Clean(&u, s)
					})
					if got != 0 {
						t.Errorf("%s: %v allocations, want 0", in.Path, got)
					}
				}
			}
		})
	}
}

// wantAllocs fails unless each iteration of the loop makes exactly want allocations.
func wantAllocs(t *testing.T, what string, want int, f setup) {
	t.Helper()
	loop := f()
	if got := testing.AllocsPerRun(100, func() { loop(1) }); got != float64(want) {
		t.Errorf("%s: %v allocations, want %d", what, got, want)
	}
}

// tagged reports whether this test was built with the tag.
func tagged(t *testing.T, tag string) bool {
	t.Helper()
	return slices.Contains(strings.Split(buildSetting(t, "-tags"), ","), tag)
}

// buildSetting returns the value of a build flag, "" if it was not given.
func buildSetting(t *testing.T, key string) string {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("no build information")
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
