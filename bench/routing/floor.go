package routing

// The floor: a map of hosts and a scan of the routes of one. It knows no port,
// no letter case, no escape and no wildcard.

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/route"
)

// Floor is what one would write by hand.
var Floor = Peer{Name: "floor", New: newFloor, Most: func(shape string) int {
	if shape == "one-host" {
		return 10_000 // it reads all routes of a host
	}
	return 100_000
}}

type floor map[string][]floorRoute

type floorRoute struct {
	path  string // without a final slash
	exact bool
	index int
}

func newFloor(_ testing.TB, patterns []route.Pattern, asked []Lookup) Find {
	f := floor{}
	_, of := ByHost(patterns)
	for host, list := range of {
		for _, i := range list {
			p := patterns[i]
			f[host] = append(f[host], floorRoute{strings.TrimSuffix(p.Path, "/"), p.Type == route.Exact, i})
		}
	}
	return func(i int) int { return f.find(asked[i].Host, asked[i].Path) }
}

func (f floor) find(host, path string) int {
	for _, r := range f[host] {
		if r.exact {
			if r.path == path {
				return r.index
			}
		} else if n := len(r.path); strings.HasPrefix(path, r.path) && (n == len(path) || path[n] == '/') {
			return r.index
		}
	}
	return -1
}

func sortForScan(patterns []route.Pattern, list []int) {
	slices.SortStableFunc(list, func(a, b int) int {
		p, q := patterns[a], patterns[b]
		if p.Type != q.Type {
			return cmp.Compare(q.Type, p.Type) // Exact is the greater
		}
		return cmp.Compare(len(q.Path), len(p.Path))
	})
}
