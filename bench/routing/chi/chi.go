// Package chi looks routes up with chi: a map of hosts to a chi.Mux each,
// because chi routes by path. A prefix is two routes, /p and /p/*.
//
// A Mux that finds no context of chi in a request takes one from a pool of its
// own, which with many hosts is mostly empty. So all of them get theirs from
// one pool here, in the way in which a Mux does it.
package chi

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/readdress/readdress/bench/routing"
	"github.com/readdress/readdress/route"
)

// Peer is chi.
var Peer = routing.Peer{Name: "chi", New: newFind, Most: routing.Any(100_000)}

func newFind(_ testing.TB, patterns []route.Pattern, asked []routing.Lookup) routing.Find {
	return routing.ServeHTTP(asked, func(handle func(int) http.HandlerFunc) http.Handler {
		hosts := routing.Hosts{}
		for i, p := range patterns {
			mux, _ := hosts[p.Host].(*chi.Mux)
			if mux == nil {
				mux = chi.NewMux()
				hosts[p.Host] = mux
			}
			path := p.Path
			if p.Type == route.Prefix {
				if path = strings.TrimSuffix(path, "/"); path != "" {
					mux.Handle(path, handle(i))
				}
				path += "/*"
			}
			mux.Handle(path, handle(i))
		}
		return shared(hosts)
	})
}

func shared(next http.Handler) http.Handler {
	pool := sync.Pool{New: func() any { return chi.NewRouteContext() }}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rctx := pool.Get().(*chi.Context)
		rctx.Reset()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, rctx)))
		pool.Put(rctx)
	})
}
