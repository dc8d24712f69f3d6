package rewrite_test

// The benchmarks. Each scenario runs as a hand-written floor and as Apply with
// a reused Scratch, a default Scratch and none; ratio_test.go gates the first
// two against each other. Every iteration includes the reset of the URL.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// A scenario is one rewrite of one URL.
type scenario struct {
	name    string
	in      rewrite.URL
	actions []rewrite.Action
	floor   floor
}

// usual is the URL of most scenarios; the functions return it with another
// path or query.
var usual = rewrite.URL{
	Scheme:   "http",
	Host:     "www.example.com",
	Path:     "/api/v1/users/12345/orders",
	RawQuery: "lang=en&user=bob&trace=0af7651916cd43dd",
}

func withPath(path string) rewrite.URL {
	u := usual
	u.Path = path
	return u
}

func withQuery(query string) rewrite.URL {
	u := usual
	u.RawQuery = query
	return u
}

// twentyPairs has user as its last pair but one, so that a reader from the
// left reads nearly all of it.
const twentyPairs = "id=881203&locale=en-GB&page=3&per_page=50&sort=created&order=desc&filter=active" +
	"&region=eu-west-1&tenant=acme&theme=dark&utm_source=newsletter&utm_medium=email" +
	"&utm_campaign=spring-sale&ref=homepage-banner&variant=checkout-b&since=2026-01-31T00:00:00Z" +
	"&format=json&fields=id,name,total,currency,status,created,updated&user=bob" +
	"&trace=0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"

var fiveActions = []rewrite.Action{
	rewrite.SetHost("backend.internal"),
	rewrite.TrimPathPrefix("/api"),
	rewrite.AddPathPrefix("/v2"),
	rewrite.RenameQuery("user", "uid"),
	rewrite.KeepQuery("uid"),
}

var scenarios = []scenario{
	{"S1-trim-prefix", usual, actions(rewrite.TrimPathPrefix("/api")), floorTrimPrefix},
	{"S2-add-prefix", usual, actions(rewrite.AddPathPrefix("/v2")), floorAddPrefix},
	{"S3-set-path", usual, actions(rewrite.SetPath("/status/health")), floorSetPath},
	{"S4-set-host", usual, actions(rewrite.SetHost("backend.internal")), floorSetHost},
	{"S5-host-from-path", withPath("/backend.example.com/v1/users"), actions(rewrite.HostFromPathPrefix()), floorHostFromPathPrefix},
	{"S6-add-pair", usual, actions(rewrite.AddQuery("debug", "1")), floorAddQuery},
	{"S7-delete-key", usual, actions(rewrite.DeleteQuery("user")), floorDeleteQuery},
	{"S8-rename-key", usual, actions(rewrite.RenameQuery("user", "uid")), floorRenameQuery},
	{"S9-keep-key", usual, actions(rewrite.KeepQuery("user")), floorKeepQuery},
	{"S10-regex-idiom", usual, actions(rewrite.RewritePath(`^/api/(.*)$`, "/$1")), floorRegexPrefix},
	{"S11-chain-of-five", usual, fiveActions, floorChain},
	{"S12-twenty-pairs", withQuery(twentyPairs), actions(rewrite.DeleteQuery("user")), floorDeleteQuery},
	{"S13-absent-key", usual, actions(rewrite.DeleteQuery("token")), floorDeleteAbsent},
	{"S14-trim-escaped", withPath("/api/v1/users/12345%2Forders"), actions(rewrite.TrimPathPrefix("/api")), floorTrimPrefix},
	{"H1-keep-one", hostileKeep(1024), actions(rewrite.KeepQuery("user")), floorKeepQuery},
	{"H2-delete-repeated", hostileDelete(2048), actions(rewrite.DeleteQuery("a")), floorDeleteRepeated},
}

// hostileKeep has n distinct pairs of eight bytes, the last of them named user.
func hostileKeep(n int) rewrite.URL {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, "k%04d=1&", i)
	}
	return withQuery(b.String() + "user=1")
}

// hostileDelete has n pairs named a and one that is not.
func hostileDelete(n int) rewrite.URL {
	return withQuery(strings.Repeat("a=1&", n) + "b=2")
}

func actions(a ...rewrite.Action) []rewrite.Action { return a }

// program compiles actions for AfterLocation. HostFromPathPrefix may set the
// one host that S5 names.
func program(actions ...rewrite.Action) *rewrite.Program {
	rules := make([]rewrite.Rule, len(actions))
	for i, a := range actions {
		rules[i].Action = a
	}
	return rewrite.MustCompile(rules, &rewrite.Options{AllowedHosts: []string{"backend.example.com"}})
}

// A setup makes what one benchmark needs and returns the loop that does it n
// times.
type setup func() (loop func(n int))

func runFloor(f floor, in rewrite.URL) setup {
	return func() func(int) {
		u, buf := new(rewrite.URL), make([]byte, 0, 64<<10)
		return func(n int) {
			for range n {
				*u = in
				f(u, buf)
			}
		}
	}
}

// runReuse is Apply as the ratios measure it.
func runReuse(list []rewrite.Action, in rewrite.URL) setup {
	return func() func(int) {
		p, u, s := program(list...), new(rewrite.URL), new(rewrite.Scratch)
		return func(n int) {
			for range n {
				*u = in
				s.Reuse()
				p.Apply(rewrite.AfterLocation, u, s)
			}
		}
	}
}

// runDefault never calls Reuse.
func runDefault(list []rewrite.Action, in rewrite.URL) setup {
	return func() func(int) { return applyWith(new(rewrite.Scratch), list, in) }
}

func runNil(list []rewrite.Action, in rewrite.URL) setup {
	return func() func(int) { return applyWith(nil, list, in) }
}

func applyWith(s *rewrite.Scratch, list []rewrite.Action, in rewrite.URL) func(n int) {
	p, u := program(list...), new(rewrite.URL)
	return func(n int) {
		for range n {
			*u = in
			p.Apply(rewrite.AfterLocation, u, s)
		}
	}
}

// runClean cleans and then applies list.
func runClean(list []rewrite.Action, in rewrite.URL) setup {
	return func() func(int) {
		var input rewrite.Input
		p, u, s := program(list...), new(rewrite.URL), new(rewrite.Scratch)
		if len(list) == 0 {
			p = nil
		}
		return func(n int) {
			for range n {
				*u = in
				s.Reuse()
				input.Clean(u, s)
				if p != nil {
					p.Apply(rewrite.AfterLocation, u, s)
				}
			}
		}
	}
}

func bench(b *testing.B, name string, f setup) {
	b.Run(name, func(b *testing.B) {
		loop := f()
		b.ReportAllocs()
		b.ResetTimer()
		loop(b.N)
	})
}

func BenchmarkApply(b *testing.B) {
	bench(b, "reset-only", runFloor(floorNothing, usual))
	for _, c := range scenarios {
		bench(b, c.name+"/floor", runFloor(c.floor, c.in))
		bench(b, c.name+"/reuse", runReuse(c.actions, c.in))
		bench(b, c.name+"/default", runDefault(c.actions, c.in))
		bench(b, c.name+"/nil", runNil(c.actions, c.in))
	}
}

func BenchmarkClean(b *testing.B) {
	bench(b, "clean-url", runClean(nil, usual))
	bench(b, "clean-url+S11", runClean(fiveActions, usual))
}

// The regular expression that is no prefix in disguise.
const unrecognised, unrecognisedTemplate = `^/api/v([0-9]+)/users/([0-9]+)/(.*)$`, "/u/$2/$3"

func runFind(pattern, path string) setup {
	return func() func(int) {
		re := regexp.MustCompile(pattern)
		return func(n int) {
			for range n {
				re.FindStringSubmatchIndex(path)
			}
		}
	}
}

func BenchmarkRegexp(b *testing.B) {
	list := actions(rewrite.RewritePath(unrecognised, unrecognisedTemplate))
	bench(b, "find", runFind(unrecognised, usual.Path))
	bench(b, "reuse", runReuse(list, usual))
	bench(b, "default", runDefault(list, usual))
	bench(b, "nil", runNil(list, usual))
}

// A chain is a family of programs of different length with the same outcome.
type chain struct {
	name  string
	build func(n int) []rewrite.Action
	sizes []int // each is compared with the first
}

var chains = []chain{
	{"set-add-strip", func(n int) []rewrite.Action {
		if n == 1 {
			return actions(rewrite.SetPath("/v2/orders"))
		}
		return addStrip(n, rewrite.SetPath("/orders"), rewrite.AddPathPrefix("/v2"))
	}, []int{1, 4, 16, 64}},
	{"add-strip", func(n int) []rewrite.Action {
		if n == 1 {
			return actions(rewrite.AddPathPrefix("/v2/shop"))
		}
		return addStrip(n, rewrite.AddPathPrefix("/shop"), rewrite.AddPathPrefix("/v2"))
	}, []int{1, 4, 16, 64}},
	{"query", queryChain, []int{4, 16, 64}},
}

// addStrip returns first and then pairs of actions that cancel each other, n
// actions in all.
func addStrip(n int, first ...rewrite.Action) []rewrite.Action {
	list := first
	for len(list) < n {
		list = append(list, rewrite.AddPathPrefix("/stage"+strconv.Itoa(len(list))), rewrite.StripPathSegments(1))
	}
	return list
}

// queryChain returns four actions that each change the usual query, and then
// renames and deletions of names that it does not have.
func queryChain(n int) []rewrite.Action {
	list := actions(
		rewrite.RenameQuery("user", "uid"),
		rewrite.DeleteQuery("lang"),
		rewrite.AddQuery("via", "edge"),
		rewrite.SetQuery("debug", "1"),
	)
	for i := 0; len(list) < n; i++ {
		name := absentName(i)
		if i%2 == 0 {
			list = append(list, rewrite.RenameQuery(name, name+"x"))
		} else {
			list = append(list, rewrite.DeleteQuery(name))
		}
	}
	return list
}

// absentName returns one of many names that the usual query does not have;
// every letter begins some of them.
func absentName(i int) string {
	return string(rune('a'+i%26)) + "_absent" + strconv.Itoa(i)
}

// absentNames deletes n such names.
func absentNames(n int) rewrite.Action {
	names := make([]string, n)
	for i := range names {
		names[i] = absentName(i)
	}
	return rewrite.DeleteQuery(names...)
}

func BenchmarkChain(b *testing.B) {
	for _, c := range chains {
		for _, n := range c.sizes {
			bench(b, fmt.Sprintf("%s/%d", c.name, n), runReuse(c.build(n), usual))
		}
	}
	for _, n := range []int{1, 1000} {
		bench(b, fmt.Sprintf("absent-names/%d", n), runReuse(actions(absentNames(n)), usual))
	}
}

// The floors are fair only if they do what Apply does.
func TestFloorsAgreeWithApply(t *testing.T) {
	repeated := map[string]rewrite.URL{
		"S8-rename-key":      withQuery("user=a&x=1&user=b&superuser=c&user=d"),
		"S11-chain-of-five":  withQuery("uid=0&user=a&x=1&user=b&superuser=c"),
		"H2-delete-repeated": withQuery("b=1&a=2&c=3&a=4"),
	}
	if n := len(usual.Path); n != 26 {
		t.Errorf("the usual path has %d bytes, not 26", n)
	}
	if n := len(usual.RawQuery); n != 39 {
		t.Errorf("the usual query has %d bytes, not 39", n)
	}
	if n, pairs := len(twentyPairs), strings.Count(twentyPairs, "&")+1; n != 379 || pairs != 20 {
		t.Errorf("the long query has %d bytes in %d pairs, not 379 in 20", n, pairs)
	}
	for _, c := range scenarios {
		t.Run(c.name, func(t *testing.T) {
			checkFloor(t, c, c.in)
			if in, ok := repeated[c.name]; ok {
				checkFloor(t, c, in)
			}
		})
	}
	for _, c := range chains {
		t.Run(c.name, func(t *testing.T) {
			want := applied(t, program(c.build(c.sizes[0])...), usual)
			for _, n := range c.sizes[1:] {
				if list := c.build(n); len(list) != n {
					t.Errorf("%d actions, want %d", len(list), n)
				} else if got := applied(t, program(list...), usual); got != want {
					t.Errorf("%d actions: got %v, want %v", n, got, want)
				}
			}
		})
	}
}

func checkFloor(t testing.TB, c scenario, in rewrite.URL) {
	t.Helper()
	u := in
	if !c.floor(&u, make([]byte, 0, 64<<10)) {
		t.Fatalf("%s: the floor refuses %v", c.name, in)
	}
	if got := applied(t, program(c.actions...), in); got != u {
		t.Errorf("%s: Apply makes %v, the floor %v", c.name, got, u)
	}
}

func applied(t testing.TB, p *rewrite.Program, u rewrite.URL) rewrite.URL {
	t.Helper()
	if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil {
		t.Fatal(err)
	}
	return u
}
