// Package httprouter looks routes up with httprouter: a map of hosts to a
// Router each, because it routes by path. Its tree cannot hold /a, /a/b and
// everything below /a at once, so it takes part with exact paths only.
package httprouter

import (
	"net/http"
	"testing"

	"github.com/julienschmidt/httprouter"

	"github.com/readdress/readdress/bench/routing"
	"github.com/readdress/readdress/route"
)

// Peer is httprouter.
var Peer = routing.Peer{Name: "httprouter", New: newFind, Most: func(shape string) int {
	if shape == "exact" {
		return 100_000
	}
	return 0
}}

func newFind(_ testing.TB, patterns []route.Pattern, asked []routing.Lookup) routing.Find {
	return routing.ServeHTTP(asked, func(handle func(int) http.HandlerFunc) http.Handler {
		hosts := routing.Hosts{}
		for i, p := range patterns {
			router, _ := hosts[p.Host].(*httprouter.Router)
			if router == nil {
				router = &httprouter.Router{} // without redirects, which New asks for
				hosts[p.Host] = router
			}
			h := handle(i)
			router.GET(p.Path, func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) { h(w, r) })
		}
		return hosts
	})
}
