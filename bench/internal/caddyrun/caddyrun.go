// Package caddyrun starts Caddy without servers, so that its modules find the
// configuration that they have in a running one.
package caddyrun

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

// start runs a configuration that logs from INFO up, as Caddy does unless told
// otherwise: the logger of a process without a configuration writes a line for
// every rewrite.
var start = sync.OnceValue(func() error {
	persist := false
	return caddy.Run(&caddy.Config{
		Admin:   &caddy.AdminConfig{Disabled: true, Config: &caddy.ConfigSettings{Persist: &persist}},
		Logging: &caddy.Logging{Logs: map[string]*caddy.CustomLog{"default": {BaseLog: caddy.BaseLog{Level: "INFO", WriterRaw: json.RawMessage(`{"output": "discard"}`)}}}},
	})
})

// Context returns a context in which modules can be loaded.
func Context(tb testing.TB) caddy.Context {
	tb.Helper()
	if err := start(); err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := caddy.NewContext(caddy.ActiveContext())
	tb.Cleanup(cancel)
	return ctx
}

// A Handler is the name of a handler of Caddy and its configuration.
type Handler struct{ Name, Config string }

// Chain loads handlers and returns one that runs them before last.
func Chain(tb testing.TB, list []Handler, last caddyhttp.Handler) caddyhttp.Handler {
	tb.Helper()
	ctx, chain := Context(tb), last
	for i := range list {
		h := list[len(list)-1-i]
		module, err := ctx.LoadModuleByID("http.handlers."+h.Name, json.RawMessage(h.Config))
		if err != nil {
			tb.Fatal(err)
		}
		mine, next := module.(caddyhttp.MiddlewareHandler), chain
		chain = caddyhttp.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
			return mine.ServeHTTP(w, r, next)
		})
	}
	return chain
}

var server caddyhttp.Server

// Prepare returns r with what Caddy's server attaches to a request.
func Prepare(r *http.Request, w http.ResponseWriter) *http.Request {
	return caddyhttp.PrepareRequest(r, caddy.NewReplacer(), w, &server)
}
