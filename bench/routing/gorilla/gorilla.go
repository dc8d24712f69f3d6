// Package gorilla looks routes up with gorilla/mux: a subrouter for each host,
// with the routes of one in the order in which they must be tried. A prefix is
// two routes, /p and the prefix /p/.
//
// It tries one host after the other and one route after the other, so it is
// measured with 1,000 routes at most.
package gorilla

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/mux"

	"github.com/readdress/readdress/bench/routing"
	"github.com/readdress/readdress/route"
)

// Peer is gorilla/mux.
var Peer = routing.Peer{Name: "gorilla", New: newFind, Most: routing.Any(1_000)}

func newFind(_ testing.TB, patterns []route.Pattern, asked []routing.Lookup) routing.Find {
	return routing.ServeHTTP(asked, func(handle func(int) http.HandlerFunc) http.Handler {
		root := mux.NewRouter()
		hosts, of := routing.ByHost(patterns)
		for _, host := range hosts {
			router := root.Host(host).Subrouter()
			for _, i := range of[host] {
				p := patterns[i]
				if p.Type == route.Exact {
					router.Path(p.Path).Handler(handle(i))
					continue
				}
				path := strings.TrimSuffix(p.Path, "/")
				if path != "" {
					router.Path(path).Handler(handle(i))
				}
				router.PathPrefix(path + "/").Handler(handle(i))
			}
		}
		return root
	})
}
