// Package caddy looks routes up with Caddy's routes and its matchers host and
// path. As in the configuration that Caddy makes of a Caddyfile, each host is a
// route with a subroute, and the routes of one are in the order in which they
// must be tried.
//
// It tries one host after the other and one route after the other, so it is
// measured with 1,000 routes at most. What Caddy's server attaches to each
// request is attached beforehand and not measured.
package caddy

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/readdress/readdress/bench/internal/caddyrun"
	"github.com/readdress/readdress/bench/routing"
	"github.com/readdress/readdress/route"
)

// Peer is Caddy.
var Peer = routing.Peer{Name: "caddy", New: newFind, Most: routing.Any(1_000)}

// A found is the handler of a route: it tells the writer that it was reached.
type found struct {
	Index int `json:"index"`
}

func init() { caddy.RegisterModule(found{}) }

func (found) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.found", New: func() caddy.Module { return new(found) }}
}

func (f *found) ServeHTTP(w http.ResponseWriter, _ *http.Request, _ caddyhttp.Handler) error {
	w.(*writer).index = f.Index
	return nil
}

type writer struct {
	*routing.Discard
	index int
}

type object = map[string]any

func matching(matcher string, values []string, handler object) object {
	return object{"match": []object{{matcher: values}}, "handle": []object{handler}, "terminal": true}
}

func newFind(tb testing.TB, patterns []route.Pattern, asked []routing.Lookup) routing.Find {
	var sites []object
	hosts, of := routing.ByHost(patterns)
	for _, host := range hosts {
		var routes []object
		for _, i := range of[host] {
			p := patterns[i]
			paths := []string{p.Path}
			if p.Type == route.Prefix {
				paths = []string{strings.TrimSuffix(p.Path, "/") + "/*"}
				if p.Path != "/" {
					paths = append(paths, p.Path)
				}
			}
			routes = append(routes, matching("path", paths, object{"handler": "found", "index": i}))
		}
		sites = append(sites, matching("host", []string{host}, object{"handler": "subroute", "routes": routes}))
	}
	config, err := json.Marshal(sites)
	if err != nil {
		tb.Fatal(err)
	}
	var list caddyhttp.RouteList
	if err := json.Unmarshal(config, &list); err != nil {
		tb.Fatal(err)
	}
	if err := list.Provision(caddyrun.Context(tb)); err != nil {
		tb.Fatal(err)
	}
	handler := list.Compile(caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return nil }))

	w := &writer{Discard: routing.NewDiscard()}
	r := caddyrun.Prepare(routing.Request(), w)
	return func(i int) int {
		w.index = -1
		routing.Ask(r, &asked[i])
		if err := handler.ServeHTTP(w, r); err != nil {
			tb.Fatal(err)
		}
		return w.index
	}
}
