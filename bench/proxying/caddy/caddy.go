// Package caddy has the handlers of Caddy that rewrite in front of the
// httputil.ReverseProxy that all others have too, and what Caddy's server
// attaches to each request.
package caddy

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/readdress/readdress/bench/internal/caddyrun"
	"github.com/readdress/readdress/bench/proxying"
	"github.com/readdress/readdress/bench/rewriting/caddy"
)

// Peer is Caddy.
var Peer = proxying.Peer{Name: "caddy", New: newHandler}

func newHandler(tb testing.TB, upstream *url.URL, transport http.RoundTripper) http.Handler {
	proxy, s := proxying.Proxy(upstream, transport), proxying.Scenario()
	chain := caddyrun.Chain(tb, caddy.Handlers(s.Name), caddyhttp.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		proxy.ServeHTTP(w, r)
		return nil
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := chain.ServeHTTP(w, caddyrun.Prepare(r, w)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}
