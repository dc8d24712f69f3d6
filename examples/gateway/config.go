package main

// The configuration: an immutable snapshot of all sites, and how a manifest
// becomes one.

import (
	"cmp"
	"fmt"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/kong"
	"github.com/readdress/readdress/route/ingress/nginx"
	"github.com/readdress/readdress/route/ingress/traefik"
	"github.com/readdress/readdress/split"
)

// A config is what one manifest compiles to. It never changes: a reload makes
// another one.
type config struct {
	table    *route.Table[*site]
	sites    map[ingress.Source]*site
	problems []string // one or more lines each, to print
	faulty   bool     // something that was asked for is not served
}

// A site is an entry, compiled, with the services behind it.
type site struct {
	entry     *ingress.Entry
	compiled  *ingress.Compiled
	backends  []split.Backend
	upstreams []*url.URL // of the backends
	proxies   []*httputil.ReverseProxy
	picker    *split.Picker
}

// A loader makes configurations from manifests.
type loader struct {
	upstreams map[string]string // host:port by service or namespace/service
	options   *rewrite.Options
	transport http.RoundTripper // of the proxies
	log       *log.Logger
}

// load compiles a manifest. Objects with faults are listed in the problems and
// do not keep others from being served; the error says why nothing can be read.
func (l *loader) load(file string, data []byte) (*config, error) {
	m, err := readManifest(file, data)
	if err != nil {
		return nil, err
	}
	d, err := ingress.NewDispatcher(l.dialects()...)
	if err != nil {
		return nil, err
	}
	cluster := &ingress.Cluster{Rewrite: l.options, Object: m.object}
	result := d.Dispatch(m.ingresses, cluster)
	c := &config{sites: make(map[ingress.Source]*site)}
	table, problems := ingress.Build(result.Entries, cluster, func(e *ingress.Entry, compiled *ingress.Compiled) (*site, error) {
		s, err := l.site(e, compiled)
		if err == nil {
			c.sites[e.Source] = s
		}
		return s, err
	})
	c.table = table
	c.problems, c.faulty = m.faults, len(m.faults) > 0
	for _, list := range [][]ingress.Problem{result.Problems, problems} {
		for i := range list {
			c.problems = append(c.problems, m.describe(&list[i]))
			c.faulty = c.faulty || list[i].Severity == ingress.Error
		}
	}
	return c, nil
}

// dialects are the controllers whose annotations the gateway reads.
func (l *loader) dialects() []ingress.Registration {
	redirects := &bfe.Options{}
	if l.options != nil {
		redirects.RedirectHosts = l.options.AllowedHosts
	}
	return []ingress.Registration{
		{Rewriter: bfe.New(redirects)},
		{Rewriter: nginx.New(nil)},
		{Rewriter: traefik.New(nil)},
		{Rewriter: contour.New(nil)},
		{Rewriter: kong.New(nil)},
		{Rewriter: haproxy.New(nil)}, // the last to be asked: it takes those without a class
	}
}

// site makes the site of an entry.
func (l *loader) site(e *ingress.Entry, compiled *ingress.Compiled) (*site, error) {
	s := &site{entry: e, compiled: compiled}
	for i := range e.Backends {
		b := &e.Backends[i]
		addr := cmp.Or(l.upstreams[b.Service.Namespace+"/"+b.Service.Name], l.upstreams[b.Service.Name])
		s.backends = append(s.backends, split.Backend{
			Name: b.Service.Namespace + "/" + b.Service.Name, Weight: b.Weight, Invalid: b.Invalid && addr == "",
		})
		s.upstreams = append(s.upstreams, &url.URL{Scheme: cmp.Or(b.Scheme, "http"), Host: cmp.Or(addr, b.Upstream)})
		s.proxies = append(s.proxies, l.proxy(s, i, compiled.Back))
	}
	var err error
	s.picker, err = split.New(s.backends, nil)
	return s, err
}

// carryOver lets sites of old that c has too take their turns from where they
// are; with the same weights, as if nothing had happened. c must not be in use.
func (c *config) carryOver(old *config) error {
	if old == nil {
		return nil
	}
	for source, s := range c.sites {
		before := old.sites[source]
		if before == nil {
			continue
		}
		picker, err := before.picker.With(s.backends)
		if err != nil {
			return fmt.Errorf("%v: %w", source, err)
		}
		s.picker = picker
	}
	return nil
}
