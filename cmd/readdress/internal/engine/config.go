// Package engine runs the library on manifests and requests: what a proxy would
// do, without the proxy.
package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/gateway"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/kong"
	"github.com/readdress/readdress/route/ingress/nginx"
	"github.com/readdress/readdress/route/ingress/traefik"
	"github.com/readdress/readdress/split"
)

// A Config is what manifests compile to. It does not change.
type Config struct {
	Set       *manifest.Set
	Decisions []ingress.Decision
	Problems  []ingress.Problem
	Sites     []*Site
	tables    []table // in the order in which they are asked
	rewrite   *rewrite.Options
}

// A table has the routes of one API: the APIs rank hosts in different ways.
type table struct {
	name  string
	table *route.Table[*Site]
	sites []*Site // by index of their routes
}

// A Site is an entry, compiled.
type Site struct {
	Entry    *ingress.Entry
	Compiled *ingress.Compiled
	Picker   *split.Picker
	Names    []string // of the backends, as for people
}

// Load compiles the objects of set and lists what is wrong with them.
func Load(set *manifest.Set, opts *Options) (*Config, error) {
	if opts == nil {
		opts = &Options{}
	}
	dispatcher, err := ingress.NewDispatcher(dialects(opts)...)
	if err != nil {
		return nil, err
	}
	cluster := newCluster(set, opts)
	c := &Config{Set: set, rewrite: cluster.Rewrite}
	ingresses := decode[ingress.Ingress](set, "Ingress")
	giveDefaultClass(ingresses, set)
	routes := decode[gateway.HTTPRoute](set, "HTTPRoute")
	proxies := decode[contour.HTTPProxy](set, "HTTPProxy")
	for _, o := range set.Objects {
		if !slices.Contains(kinds, o.Ref.Kind) || o.IsForeign() {
			set.UnknownKind(o)
		}
	}
	result := dispatcher.Dispatch(ingresses, cluster)
	c.Decisions = result.Decisions
	c.Problems = result.Problems
	c.build("Ingress", result.Entries, cluster)
	if len(routes) > 0 {
		api := *cluster
		api.Table = &route.Options{AnyDepthWildcard: true, TryNextHost: true}
		t := gateway.Translate(routes, &api)
		c.Problems = append(c.Problems, t.Problems...)
		c.build("HTTPRoute", t.Entries, &api)
	}
	if len(proxies) > 0 {
		t := contourOptions(opts).Translate(proxies, cluster)
		c.Problems = append(c.Problems, t.Problems...)
		c.build("HTTPProxy", t.Entries, cluster)
	}
	return c, nil
}

// kinds are the kinds that Load reads, and those that others refer to.
var kinds = []string{
	"Ingress", "IngressClass", "HTTPRoute", "HTTPProxy", "ReferenceGrant", "Service", "Middleware", "TraefikService",
	"Namespace", "ServiceEntry",
}

// Dialects are the names of the dialects of Ingress annotations: those of the
// rewriters, and the second that one of them reads.
func Dialects() []string {
	names := []string{"haproxy-ingress"}
	for _, r := range dialects(&Options{}) {
		names = append(names, r.Rewriter.Name())
	}
	slices.Sort(names)
	return names
}

func dialects(opts *Options) []ingress.Registration {
	nginxOptions, haproxyOptions := nginx.Options{Handled: opts.Handled}, haproxy.Options{Handled: opts.Handled}
	traefikOptions, kongOptions := traefik.Options{Handled: opts.Handled}, kong.Options{Handled: opts.Handled}
	if opts.Compat {
		nginxOptions.Mode, haproxyOptions.Mode, traefikOptions.Mode, kongOptions.Mode = nginx.Compat, haproxy.Compat, traefik.Compat, kong.Compat
	}
	return []ingress.Registration{
		{Rewriter: nginx.New(&nginxOptions)},
		{Rewriter: haproxy.New(&haproxyOptions)},
		{Rewriter: traefik.New(&traefikOptions)},
		{Rewriter: contour.New(contourOptions(opts))},
		{Rewriter: kong.New(&kongOptions)},
		{Rewriter: bfe.New(&bfe.Options{RedirectHosts: opts.Hosts})},
	}
}

func contourOptions(opts *Options) *contour.Options {
	out := &contour.Options{Handled: opts.Handled}
	if opts.Compat {
		out.Mode = contour.Compat
	}
	return out
}

// decode returns the objects of a kind. What cannot be decoded is a problem of
// the set.
func decode[T any](set *manifest.Set, kind string) []*T {
	var list []*T
	for _, o := range set.Of(kind) {
		v := new(T)
		if err := o.Decode(v); err != nil {
			set.Unusable(o, v, err)
			continue
		}
		list = append(list, v)
	}
	return list
}

// build adds a table of entries.
func (c *Config) build(name string, entries []ingress.Entry, cluster *ingress.Cluster) {
	if len(entries) == 0 {
		return
	}
	t := table{name: name}
	var problems []ingress.Problem
	t.table, problems = ingress.Build(entries, cluster, func(e *ingress.Entry, compiled *ingress.Compiled) (*Site, error) {
		s, err := newSite(e, compiled)
		if err == nil {
			t.sites = append(t.sites, s)
		}
		return s, err
	})
	c.Problems = append(c.Problems, problems...)
	c.Sites = append(c.Sites, t.sites...)
	c.tables = append(c.tables, t)
}

func newSite(e *ingress.Entry, compiled *ingress.Compiled) (*Site, error) {
	s := &Site{Entry: e, Compiled: compiled}
	backends := make([]split.Backend, len(e.Backends))
	seen := make(map[string]int)
	for i := range e.Backends {
		name := backendName(&e.Backends[i])
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s#%d", name, seen[name])
		}
		s.Names = append(s.Names, name)
		backends[i] = split.Backend{Name: name, Weight: e.Backends[i].Weight, Invalid: e.Backends[i].Invalid}
	}
	var err error
	s.Picker, err = split.New(backends, nil)
	return s, err
}

// backendName returns namespace/service:port, or what else there is.
func backendName(b *ingress.Backend) string {
	switch {
	case b.Service.Name == "" && b.Upstream == "":
		return "(none)"
	case b.Service.Name == "":
		return b.Upstream
	case b.Service.Port == 0:
		return strings.TrimPrefix(b.Service.Namespace+"/"+b.Service.Name, "/")
	}
	return strings.TrimPrefix(fmt.Sprintf("%s/%s:%d", b.Service.Namespace, b.Service.Name, b.Service.Port), "/")
}

// AllowedHosts are the hosts that rules may take from a request. The caller does
// not change them.
func (c *Config) AllowedHosts() []string {
	if c.rewrite == nil {
		return nil
	}
	return c.rewrite.AllowedHosts
}

// find returns the site for a request, and what the BeforeLocation hook did to
// u. An error is route.ErrNoRoute or rewrite.ErrRefused by errors.Is.
func (c *Config) find(u *rewrite.URL, r route.Request) (*Site, rewrite.Result, error) {
	for _, t := range c.tables {
		s, result, err := t.table.Route(u, r, program, nil)
		if !errors.Is(err, route.ErrNoRoute) {
			return s, result, err
		}
	}
	return nil, rewrite.Result{}, route.ErrNoRoute
}

func program(s *Site) *rewrite.Program { return s.Compiled.Program }
