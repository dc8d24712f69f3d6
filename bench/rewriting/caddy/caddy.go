// Package caddy does the rewriting scenarios with Caddy's handlers rewrite and,
// for the host, headers.
//
// The handlers are loaded from their JSON configuration, as Caddy does it, and
// called one after the other without the routes around them. The replacer that
// Caddy makes for every request is made beforehand and not measured. Caddy has
// no handler that takes the host from the path, so there is no S5.
package caddy

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/headers"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"

	"github.com/readdress/readdress/bench/internal/caddyrun"
	"github.com/readdress/readdress/bench/rewriting"
)

func rewrite(config string) caddyrun.Handler {
	return caddyrun.Handler{Name: "rewrite", Config: config}
}

func deleteKey(name string) []caddyrun.Handler {
	return []caddyrun.Handler{rewrite(`{"query": {"delete": ["` + name + `"]}}`)}
}

var (
	setHost   = caddyrun.Handler{Name: "headers", Config: `{"request": {"set": {"Host": ["backend.internal"]}}}`}
	trimAPI   = rewrite(`{"strip_path_prefix": "/api"}`)
	scenarios = map[string][]caddyrun.Handler{
		"S1-trim-prefix":  {trimAPI},
		"S2-add-prefix":   {rewrite(`{"uri": "/v2{http.request.uri.path}"}`)},
		"S3-set-path":     {rewrite(`{"uri": "/status/health"}`)},
		"S4-set-host":     {setHost},
		"S6-add-pair":     {rewrite(`{"query": {"add": [{"key": "debug", "val": "1"}]}}`)},
		"S7-delete-key":   deleteKey("user"),
		"S8-rename-key":   {rewrite(`{"query": {"rename": [{"key": "user", "val": "uid"}]}}`)},
		"S9-keep-key":     {rewrite(`{"uri": "?user={http.request.uri.query.user}"}`)},
		"S10-regex-idiom": {rewrite(`{"path_regexp": [{"find": "^/api/(.*)$", "replace": "/$1"}]}`)},
		"S11-chain-of-five": {
			setHost,
			trimAPI,
			rewrite(`{"uri": "/v2{http.request.uri.path}?uid={http.request.uri.query.user}"}`),
		},
		"S12-twenty-pairs":     deleteKey("user"),
		"S13-absent-key":       deleteKey("token"),
		"S14-trim-escaped":     {trimAPI},
		"H1-keep-one-of-1024":  {rewrite(`{"uri": "?user={http.request.uri.query.user}"}`)},
		"H2-delete-2048-pairs": deleteKey("a"),
	}
)

// Handlers returns the handlers of a scenario in the order in which they run,
// nil if there are none for it.
func Handlers(scenario string) []caddyrun.Handler { return scenarios[scenario] }

// Peer returns Caddy.
func Peer() rewriting.Peer {
	p := rewriting.Peer{Name: "caddy", Scenarios: make(map[string]func(testing.TB) rewriting.Rewriter)}
	for name, list := range scenarios {
		p.Scenarios[name] = func(tb testing.TB) rewriting.Rewriter { return newRewriter(tb, list) }
	}
	return p
}

func newRewriter(tb testing.TB, list []caddyrun.Handler) rewriting.Rewriter {
	var got *http.Request
	chain := caddyrun.Chain(tb, list, caddyhttp.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) error {
		got = r
		return nil
	}))
	w := httptest.NewRecorder()
	var from, prepared *http.Request
	return func(r *http.Request) *http.Request {
		if r != from {
			from, prepared = r, caddyrun.Prepare(r, w)
		}
		prepared.URL, prepared.Host, prepared.RequestURI = r.URL, r.Host, r.RequestURI
		got = nil
		if err := chain.ServeHTTP(w, prepared); err != nil {
			return nil
		}
		return got
	}
}
