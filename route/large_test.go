package route_test

// Hosts that are found by hash, where prefixes are nested and their conditions
// do not hold: the next best is found as in a scan.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// nestedPath is up to most segments of few kinds, so that paths begin alike.
func nestedPath(r *rand.Rand, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteString(pick(r, []string{"/a", "/a", "/%61", "/%2f", "/%2F", "/b"}))
	}
	return b.String()
}

// Random tables of nested patterns against the reference.
func TestNested(t *testing.T) {
	methods := []string{"GET", "POST", "PUT"}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		var routes []route.Route[int]
		for i := range 150 {
			p := route.Pattern{Host: "a", Path: nestedPath(r, 9), Type: route.PathType(r.IntN(3))}
			switch r.IntN(30) {
			case 0:
				p.Path = "/"
			case 1:
				p.Path = "/.*a"
				p.Type = pick(r, []route.PathType{route.Regex, route.RegexFirst})
			}
			var w route.Conditions
			if r.IntN(8) != 0 {
				w.Methods = []string{pick(r, methods)}
			}
			routes = append(routes, route.Route[int]{Pattern: p, When: w, Value: i})
		}
		for range 20 {
			u := rewrite.URL{Scheme: "http", Host: "a", Path: nestedPath(r, 12)}
			checkTable(t, routes, route.Options{}, u, &fakeRequest{method: pick(r, methods)})
		}
	}
}

// Of nested prefixes each is tried, from the longest on: the conditions say in
// which order they were asked.
func TestNestedOrder(t *testing.T) {
	const n = 1000
	for _, segment := range []string{"/a", "/%61", "/%2F"} {
		var routes []route.Route[int]
		for i := range n {
			routes = append(routes, route.Route[int]{
				Pattern: route.Pattern{Path: strings.Repeat(segment, i+1)},
				When:    route.Conditions{Headers: one(fmt.Sprint("X-", i), route.Present, "")},
			})
		}
		table, err := route.NewTable(routes, nil)
		if err != nil {
			t.Fatal(err)
		}
		asked := &askedRequest{}
		if _, ok := table.Match(&rewrite.URL{Path: strings.Repeat(segment, n) + "/b"}, asked); ok {
			t.Fatal("a route is found of which the condition does not hold")
		}
		if len(asked.names) != n {
			t.Fatalf("%d conditions were asked, want %d", len(asked.names), n)
		}
		for i, name := range asked.names {
			if want := fmt.Sprint("X-", n-1-i); name != want {
				t.Fatalf("condition %d that was asked is about %s, want %s", i, name, want)
			}
		}
	}
}

// askedRequest has no headers and keeps the names that were asked for.
type askedRequest struct{ names []string }

func (*askedRequest) Method() string { return "GET" }

func (r *askedRequest) Header(name string) (string, bool) {
	r.names = append(r.names, name)
	return "", false
}

// Wherever a path ends, and wherever it has slashes and escapes, its words of
// eight bytes are those of the pattern.
func TestLengths(t *testing.T) {
	var routes []route.Route[int]
	var paths []string
	for n := range 40 {
		for at := 1; at < n; at++ {
			path := "/" + strings.Repeat("x", at) + "/" + strings.Repeat("y", n-at)
			for _, kind := range []route.PathType{route.Exact, route.Prefix} {
				routes = append(routes, route.Route[int]{Pattern: route.Pattern{Path: path, Type: kind}, Value: len(routes)})
			}
			paths = append(paths, path)
		}
	}
	table, err := route.NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range paths {
		for at := range len(path) + 1 {
			spelling := path
			if at < len(path) && path[at] != '/' {
				spelling = fmt.Sprintf("%s%%%x%s", path[:at], path[at], path[at+1:])
			}
			if got, ok := table.Lookup("", spelling); !ok || got != 2*i {
				t.Errorf("%s: %d, %v, want the Exact of %s", spelling, got, ok, path)
			}
			if got, ok := table.Lookup("", spelling+"/z"); !ok || got != 2*i+1 {
				t.Errorf("%s/z: %d, %v, want the Prefix %s", spelling, got, ok, path)
			}
			if got, ok := table.Lookup("", spelling+"z"); ok && strings.HasPrefix(paths[got/2], path) {
				t.Errorf("%sz: %s is found", spelling, paths[got/2])
			}
		}
	}
}
