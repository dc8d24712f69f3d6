// Package routing compares lookups of a route by host and path: package route,
// code written by hand (the floor), net/http.ServeMux and, in packages below
// this one, other routers.
package routing

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/readdress/readdress/route"
)

// A Shape makes the patterns of a table with n routes. Each pattern is an
// Exact path or a Prefix, of an exact host.
type Shape struct {
	Name     string
	Patterns func(n int) []route.Pattern
}

// Shapes returns the kinds of tables.
func Shapes() []Shape {
	return []Shape{
		{"many-hosts", manyHosts}, // ten routes a host, five of them nested prefixes
		{"one-host", oneHost},     // all on one host, half of them prefixes
		{"exact", exact},          // ten exact paths a host, for routers that cannot nest
	}
}

// Sizes are the numbers of routes.
func Sizes() []int { return []int{10, 1_000, 10_000, 100_000} }

func hostName(i int) string { return fmt.Sprintf("svc%05d.team%03d.example.com", i, i%1000) }

func manyHosts(n int) (list []route.Pattern) {
	for h := 0; len(list) < n; h++ {
		for i := range 5 {
			list = append(list, route.Pattern{Host: hostName(h), Path: fmt.Sprintf("/api/v%d/status%d", h%7, i), Type: route.Exact})
		}
		for _, path := range []string{"/", "/api", "/api/v1", "/api/v1/users", "/static"} {
			list = append(list, route.Pattern{Host: hostName(h), Path: path})
		}
	}
	return list
}

func oneHost(n int) (list []route.Pattern) {
	for i := range n / 2 {
		path := fmt.Sprintf("/group%d/item%05d", i%97, i)
		list = append(list,
			route.Pattern{Host: "api.example.com", Path: path + "/status", Type: route.Exact},
			route.Pattern{Host: "api.example.com", Path: path})
	}
	return list
}

func exact(n int) (list []route.Pattern) {
	for i := range n {
		h := i / 10
		list = append(list, route.Pattern{Host: hostName(h), Path: fmt.Sprintf("/api/v%d/status%d", h%7, i%10), Type: route.Exact})
	}
	return list
}

// A Lookup is the host and the path of a request, and the index of the pattern
// that it is to find, -1 for none.
type Lookup struct {
	Host, Path string
	Want       int
}

// Lookups returns requests for random patterns; one in fifty finds nothing.
// The strings are pieces of one text, in the order in which they are asked for,
// as in a buffer that was read.
func Lookups(patterns []route.Pattern) []Lookup {
	const count = 1 << 14
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]Lookup, count)
	var text strings.Builder
	for i := range list {
		l := &list[i]
		l.Want = random.IntN(len(patterns))
		p := patterns[l.Want]
		l.Host, l.Path = p.Host, p.Path
		if p.Type == route.Prefix {
			l.Path = fmt.Sprintf("%s/%d", strings.TrimSuffix(p.Path, "/"), i)
		}
		if i%50 == 0 {
			l.Host, l.Want = "none"+p.Host, -1
		}
		text.WriteString(l.Host)
		text.WriteString(l.Path)
	}
	rest := text.String()
	for i := range list {
		l := &list[i]
		host, path := len(l.Host), len(l.Path)
		l.Host, l.Path, rest = rest[:host], rest[host:host+path], rest[host+path:]
	}
	return list
}

// ByHost groups the indexes of patterns by host, in the order in which a list
// that is tried one by one must have them: exact paths first, then prefixes,
// the longer before the shorter.
func ByHost(patterns []route.Pattern) (hosts []string, of map[string][]int) {
	of = make(map[string][]int)
	for i, p := range patterns {
		if of[p.Host] == nil {
			hosts = append(hosts, p.Host)
		}
		of[p.Host] = append(of[p.Host], i)
	}
	for _, list := range of {
		sortForScan(patterns, list)
	}
	return hosts, of
}
