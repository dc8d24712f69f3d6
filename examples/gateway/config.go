package main

// The configuration: an immutable snapshot of all routes, and how a manifest
// becomes one.

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/split"
)

// A config is what one manifest compiles to. It never changes: a reload makes
// another one.
type config struct {
	hosts    map[string][]*route // by host, "*.suffix", or "" for any host; best route first
	warnings []*fault
}

// A route sends what matches a host and a path to a service, or to several by
// turns.
type route struct {
	source
	program   *rewrite.Program // shared by the routes of one Ingress
	services  []split.Backend
	upstreams []*url.URL // of the services
	picker    *split.Picker
	line      int
}

// A source is where a route comes from: an Ingress, and the rule and path in
// it, by what they say and not by their number. A reload knows a route by it.
type source struct {
	namespace string
	ingress   string
	host      string
	path      string // clean; a prefix has no final slash, so "/" is ""
	exact     bool
}

var errNoRoute = errors.New("no route for this host and path")

// route chooses the route of a clean URL. The BeforeLocation rules of the
// first match may change the URL; then it is matched once more.
func (c *config) route(u *rewrite.URL) (*route, error) {
	r := c.match(u)
	if r == nil {
		return nil, errNoRoute
	}
	result, err := r.program.Apply(rewrite.BeforeLocation, u, nil)
	if err != nil {
		return nil, err
	}
	if result.Changed() != 0 {
		if r = c.match(u); r == nil {
			return nil, errNoRoute
		}
	}
	return r, nil
}

// match returns the best route of the best host, or nil.
func (c *config) match(u *rewrite.URL) *route {
	host := hostKey(u.Host)
	routes, ok := c.hosts[host]
	if !ok {
		_, suffix, _ := strings.Cut(host, ".")
		routes, ok = c.hosts["*."+suffix]
	}
	if !ok {
		routes = c.hosts[""]
	}
	for _, r := range routes {
		rest, ok := strings.CutPrefix(u.Path, r.path)
		if ok && (rest == "" || !r.exact && rest[0] == '/') {
			return r
		}
	}
	return nil
}

// hostKey returns a host in lower case without its port and final dot.
func hostKey(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// A loader makes configurations from manifests.
type loader struct {
	upstreams map[string]string // host:port by service or namespace/service
	options   *rewrite.Options
}

// load compiles a manifest. The error has one line for every fault in it.
func (l *loader) load(file string, manifest []byte) (*config, error) {
	fs := &faults{file: file}
	c := &config{hosts: make(map[string][]*route)}
	ingresses := readManifest(manifest, fs)
	if len(ingresses) == 0 && len(fs.list) == 0 {
		fs.addf(1, "", "there is no Ingress in this manifest")
	}
	for _, in := range ingresses {
		l.add(c, in, fs)
	}
	if err := fs.err(); err != nil {
		return nil, err
	}
	c.warnings = fs.warnings
	for _, routes := range c.hosts {
		slices.SortStableFunc(routes, func(a, b *route) int {
			if a.exact != b.exact {
				if a.exact {
					return -1
				}
				return 1
			}
			return cmp.Compare(len(b.path), len(a.path))
		})
	}
	return c, nil
}

// add adds the routes of one Ingress to c.
func (l *loader) add(c *config, in *ingress, fs *faults) {
	if v := in.APIVersion; v.Value != "networking.k8s.io/v1" {
		fs.addf(cmp.Or(v.Line, in.Line), "apiVersion", "%q: write networking.k8s.io/v1", v.Value)
	}
	if n := in.Spec.DefaultBackend; !n.IsZero() {
		fs.addf(n.Line, "spec.defaultBackend", "not supported: write a rule without a host for the path /")
	}
	values := in.values(fs)
	program := l.compile(in, values, fs)
	shared := readWeights(in, values, fs)
	routes := 0
	for _, rule := range in.Spec.Rules {
		for _, p := range rule.HTTP.Paths {
			r := &route{program: program, line: cmp.Or(p.Path.Line, p.Backend.Service.Name.Line, in.Line)}
			r.namespace, r.ingress = cmp.Or(in.Metadata.Namespace, "default"), in.Metadata.Name
			r.setHost(rule.Host, fs)
			r.setPath(p, fs)
			l.setServices(r, p, shared, fs)
			c.add(r, fs)
			routes++
		}
	}
	if routes == 0 {
		fs.addf(in.Line, "spec.rules", "no rule of this Ingress has a path")
	}
}

func (c *config) add(r *route, fs *faults) {
	for _, other := range c.hosts[r.host] {
		if other.path == r.path && other.exact == r.exact {
			fs.addf(r.line, "path", "this host and path have a route already, at line %d", other.line)
			return
		}
	}
	c.hosts[r.host] = append(c.hosts[r.host], r)
}

// compile compiles the rewrites in the annotations of one Ingress.
func (l *loader) compile(in *ingress, values map[string]string, fs *faults) *rewrite.Program {
	plan, err := annotation.Parse(values, &annotation.Options{Rewrite: l.options})
	list, _ := errors.AsType[annotation.ErrorList](err)
	for _, e := range list {
		if e.Code == annotation.CodeParam && e.Key == annotation.DefaultPrefix+"host-from-path-prefix" {
			e.Detail = "name the hosts that it may set: -allow-host"
		}
		fs.addAnnotation(in, values, e)
	}
	program, err := plan.Compile() // nil, after faults, has no rules
	if err != nil {
		fs.add(in.Line, "", err)
	}
	return program
}

func (r *route) setHost(host text, fs *faults) {
	name, wildcard := strings.CutPrefix(host.Value, "*.")
	u := rewrite.URL{Host: name, Path: "/"}
	switch err := input.Clean(&u, nil); {
	case err != nil:
		fs.addf(host.Line, "host", "%q: %w", host.Value, err)
	case wildcard && name == "", strings.Contains(name, ":"):
		fs.addf(host.Line, "host", "%q: write a name without a port", host.Value)
	}
	if r.host = hostKey(name); wildcard {
		r.host = "*." + r.host
	}
}

// setPath brings the path into the form that requests are compared in.
func (r *route) setPath(p ingressPath, fs *faults) {
	u := rewrite.URL{Path: cmp.Or(p.Path.Value, "/")}
	if err := input.Clean(&u, nil); err != nil {
		fs.addf(r.line, "path", "%q: %w", p.Path.Value, err)
	}
	r.path = u.Path
	switch p.PathType.Value {
	case "Exact":
		r.exact = true
	case "Prefix", "ImplementationSpecific", "":
		r.path = strings.TrimSuffix(r.path, "/")
	default:
		fs.addf(p.PathType.Line, "pathType", "%q: write Prefix or Exact", p.PathType.Value)
	}
}
