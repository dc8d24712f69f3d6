package nginx_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// A routeOf is how a path routes, said slowly.
type routeOf struct {
	path, pathType string
	weight         string // the longest that matches wins, and of these
	rank           int    // the lowest: Exact is before all
	matches        func(path string) bool
}

func segment(p string) func(string) bool {
	p = strings.TrimSuffix(p, "/")
	return func(path string) bool { return path == p || strings.HasPrefix(path, p+"/") }
}

func text(p string) func(string) bool {
	return func(path string) bool { return strings.HasPrefix(path, p) }
}

func expr(p string) routeOf {
	return routeOf{p, "ImplementationSpecific", p, 2, regexp.MustCompile("^(?:" + p + ")").MatchString}
}

// strictRoutes are what Strict makes of paths: the exact one, else of the
// prefixes and expressions the longest.
func strictRoutes() []routeOf {
	list := []routeOf{
		{"/", "Prefix", "/", 0, text("/")},
		expr("/[a-b]+"), expr("/a/[a-b]+/b"), expr("/(a|b)/b"), expr("/b[/]a"), expr("/a/(a|b)"),
	}
	for _, p := range []string{"/a", "/b", "/a/a", "/a/b", "/ab", "/a/b/a"} {
		list = append(list,
			routeOf{p, "Exact", p, -1, func(path string) bool { return path == p }},
			routeOf{p, "Prefix", p, 0, segment(p)},
			routeOf{p + "/", "Prefix", p, 0, segment(p)},
			routeOf{p + "(/|$)(.*)", "ImplementationSpecific", p, 0, segment(p)},
			routeOf{p + "/(.*)", "ImplementationSpecific", p + "/", 1, text(p + "/")},
			routeOf{p + "(.*)", "ImplementationSpecific", p, 1, text(p)},
		)
	}
	return list
}

// TestOrder: whatever paths a host has, a request goes where the slow rule says,
// although a table tries prefixes before all regular expressions.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pool, inputs := strictRoutes(), texts("/ab", 6)
	rw := nginx.New(nil)
	for range 400 {
		var routes []routeOf
		seen := make(map[string]bool) // one of a kind, or the first would win
		in := made(map[string]string{"use-regex": "true"})
		in.Rules[0].Paths = nil
		for range 1 + r.IntN(6) {
			c := pool[r.IntN(len(pool))]
			if key := fmt.Sprint(c.weight, c.rank); !seen[key] {
				seen[key] = true
				routes = append(routes, c)
				in.Rules[0].Paths = append(in.Rules[0].Paths, ingress.Path{
					Path: c.path, Type: c.pathType, Backend: &ingress.BackendRef{Service: "web", Port: 80},
				})
			}
		}
		translation := rw.Rewrite([]*ingress.Ingress{in}, nil)
		table, problems := ingress.Build(translation.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (int, error) {
			return e.Source.Path, nil
		})
		require.Empty(t, problems)
		for _, input := range inputs {
			best := -1
			for i, c := range routes {
				if c.matches(input) && (best < 0 || before(c, routes[best])) {
					best = i
				}
			}
			got, ok := table.Match(&rewrite.URL{Host: "h", Path: input}, nil)
			if !ok {
				got = -1
			}
			if got != best {
				t.Fatalf("%v\n%s goes to path %d; want %d", in.Rules[0].Paths, input, got, best)
			}
		}
	}
}

func before(a, b routeOf) bool {
	if (a.rank < 0) != (b.rank < 0) {
		return a.rank < 0
	}
	if len(a.weight) != len(b.weight) {
		return len(a.weight) > len(b.weight)
	}
	if a.rank != b.rank {
		return a.rank < b.rank
	}
	return a.weight > b.weight
}
