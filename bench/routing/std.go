package routing

// The library and the standard library.

import (
	"net/http"
	"strings"
	"testing"

	"github.com/readdress/readdress/route"
)

// Readdress is package route.
var Readdress = Peer{Name: "readdress", New: newTable, Most: Any(100_000)}

func newTable(tb testing.TB, patterns []route.Pattern, asked []Lookup) Find {
	routes := make([]route.Route[int32], len(patterns))
	for i, p := range patterns {
		routes[i] = route.Route[int32]{Pattern: p, Value: int32(i)}
	}
	table, err := route.NewTable(routes, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return func(i int) int {
		index, ok := table.Lookup(asked[i].Host, asked[i].Path)
		if !ok {
			return -1
		}
		return int(index)
	}
}

// ServeMux is that of net/http. It compares each new pattern that ends in a
// slash with all that it has, so that larger tables take minutes to build.
var ServeMux = Peer{Name: "ServeMux", New: newMux, Most: Any(10_000)}

func newMux(_ testing.TB, patterns []route.Pattern, asked []Lookup) Find {
	return ServeHTTP(asked, func(handle func(int) http.HandlerFunc) http.Handler {
		mux := http.NewServeMux()
		for i, p := range patterns {
			path := p.Path
			if p.Type == route.Prefix {
				if path = strings.TrimSuffix(path, "/"); path != "" {
					mux.Handle(p.Host+path, handle(i))
				}
				path += "/"
			}
			mux.Handle(p.Host+path, handle(i))
		}
		return mux
	})
}
