package diff

// Generate: requests at the boundaries of what the patterns and actions of two
// configurations say.

import (
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/route"
)

// A Generator makes requests. Of the same configurations and seed it makes the
// same ones.
type Generator struct {
	rng     *rand.Rand
	routes  []seed
	keys    []string // of queries
	hosts   []string
	methods []string
	turn    int // how many there were
	at      int // how many of them were systematic
}

// A seed is a route: for which requests it is there.
type seed struct {
	pattern route.Pattern
	when    route.Conditions
	paths   []string // of its actions, in their order
	url     string   // expression that its redirect matches with whole URLs
	queries []string // of its redirect
}

// NewGenerator returns a generator for what a and b say.
func NewGenerator(a, b *engine.Config, seedNumber uint64) *Generator {
	g := &Generator{rng: rand.New(rand.NewPCG(seedNumber, 0))}
	keys, hosts, methods := map[string]bool{"a": true}, map[string]bool{}, map[string]bool{"GET": true, "POST": true, "PATCH": true} // the last is seldom named
	for _, c := range []*engine.Config{a, b} {
		for _, s := range c.Sites {
			e := s.Entry
			from := seed{pattern: e.Pattern, when: e.When}
			hosts[e.Pattern.Host] = true
			for _, m := range e.When.Methods {
				methods[m] = true
			}
			for _, q := range e.When.Query {
				keys[q.Name] = true
			}
			for _, r := range rules(e) {
				from.paths = append(from.paths, paths(r.Action, c.AllowedHosts())...)
				for _, k := range queryKeys(r.Action) {
					keys[k] = true
				}
			}
			if e.Redirect != nil {
				from.queries, from.url = queries(e.Redirect), e.Redirect.Pattern
			}
			g.routes = append(g.routes, from)
		}
	}
	g.keys = slices.Sorted(maps.Keys(keys))
	g.hosts = slices.Sorted(maps.Keys(hosts))
	g.methods = slices.Sorted(maps.Keys(methods))
	if len(g.routes) == 0 {
		g.routes = []seed{{}}
	}
	return g
}

// Next returns the next request. Every second one is a variant of a path with its
// route's own host and conditions, until there was every variant of every path;
// the others are random mixtures of all.
func (g *Generator) Next() engine.Request {
	g.turn++
	if v := g.at / len(g.routes); g.turn%2 == 1 && v < len(variants) {
		s := &g.routes[g.at%len(g.routes)]
		g.at++
		return g.request(s, "", host(s.pattern.Host, 0), variants[v](g.path(&s.pattern)), "", false)
	}
	s := &g.routes[g.rng.IntN(len(g.routes))]
	if s.url != "" && g.rng.IntN(3) == 0 {
		return g.url(s)
	}
	path := g.path(&s.pattern)
	if len(s.paths) > 0 && g.rng.IntN(2) == 0 {
		path = g.chain(s, path)
	}
	for range 1 + g.rng.IntN(2) {
		path = variants[g.rng.IntN(len(variants))](path)
	}
	name := host(s.pattern.Host, g.rng.IntN(6))
	if g.rng.IntN(8) == 0 {
		name = host(g.pick(g.hosts), g.rng.IntN(6))
	}
	query := g.query()
	if len(s.queries) > 0 && g.rng.IntN(2) == 0 {
		query = strings.TrimPrefix(query+"&"+g.pick(s.queries), "&")
	}
	return g.request(s, "", name, path, query, true)
}

func (g *Generator) pick(list []string) string { return list[g.rng.IntN(len(list))] }

// request makes a request that meets the conditions of a route, or, where it is
// to be random, perhaps. An empty scheme is that of the route, or any.
func (g *Generator) request(s *seed, scheme, host, path, query string, random bool) engine.Request {
	maybe := func() bool { return !random || g.rng.IntN(4) > 0 }
	r := engine.Request{}
	if scheme == "" && maybe() {
		scheme = s.when.Scheme
	}
	if scheme == "" {
		scheme = []string{"http", "https"}[g.rng.IntN(2)]
	}
	if len(s.when.Methods) > 0 && maybe() {
		r.Method = s.when.Methods[0]
	} else if random {
		r.Method = g.pick(g.methods)
	}
	headers, cookies := s.when.Headers, s.when.Cookies
	if random && g.rng.IntN(4) == 0 { // another route may come before this one by what it asks for
		other := &g.routes[g.rng.IntN(len(g.routes))].when
		headers, cookies = slices.Concat(headers, other.Headers), slices.Concat(cookies, other.Cookies)
	}
	for _, c := range headers {
		if value, ok := g.value(c, maybe()); ok {
			r.Headers = append(r.Headers, engine.Header{Name: c.Name, Value: value})
		}
	}
	for _, c := range cookies {
		if value, ok := g.value(c, maybe()); ok {
			r.Headers = append(r.Headers, engine.Header{Name: "Cookie", Value: c.Name + "=" + value})
		}
	}
	for _, c := range s.when.Query {
		if value, ok := g.value(c, maybe()); ok {
			query = strings.TrimPrefix(query+"&"+url.QueryEscape(c.Name)+"="+url.QueryEscape(value), "&")
		}
	}
	if query != "" {
		query = "?" + strings.TrimPrefix(query, "?")
	}
	r.URL = scheme + "://" + host + path + query
	return r
}

// value returns one for which a condition holds or, if that is not to be,
// perhaps one for which it does not. ok is false where there is none.
func (g *Generator) value(c route.Condition, holds bool) (value string, ok bool) {
	switch {
	case c.Test == route.Absent:
		return "x", !holds
	case !holds:
		return "x", c.Test != route.Present && g.rng.IntN(2) == 0
	case c.Test == route.Present:
		return "x", true
	case c.Test == route.BeginsWith:
		return c.Value + "x", true
	case c.Test == route.Matches:
		return g.text(c.Value), true
	}
	return c.Value, true
}

// host returns a name that a pattern's host stands for, or nearly so.
func host(pattern string, variant int) string {
	name := pattern
	if suffix, ok := strings.CutPrefix(pattern, "*."); ok {
		name = "a." + suffix
	}
	if name == "" {
		name = "other.example"
	}
	switch variant {
	case 1:
		return strings.ToUpper(name)
	case 2:
		return name + ":8443"
	case 3:
		return "a." + name
	case 4:
		return name + "."
	}
	return name
}

// path returns one that a pattern matches.
func (g *Generator) path(p *route.Pattern) string {
	if p.Type == route.Regex || p.Type == route.RegexFirst {
		return g.sample(p.Path)
	}
	if p.Path == "" {
		return "/"
	}
	return p.Path
}

// variants are paths beside a path: on it, below it, next to it, and the same in
// other bytes.
var variants = []func(path string) string{
	func(p string) string { return p },
	func(p string) string { return slash(p) },
	func(p string) string { return strings.TrimSuffix(p, "/") },
	func(p string) string { return slash(p) + "x" },
	func(p string) string { return slash(p) + "x/" },
	func(p string) string { return slash(p) + "x/y.html" },
	func(p string) string { return p + "x" },
	func(p string) string { return slash(p) + "/x" },
	func(p string) string { return slash(p) + "a%2Fb" },
	func(p string) string { return slash(p) + "a%20b" },
	func(p string) string { return slash(p) + "%7Eu" },
	func(p string) string { return slash(p) + "%c3%a9" },
	func(p string) string { return slash(p) + "a;v=1" },
	func(p string) string { return slash(p) + "../x" },
	func(p string) string { return slash(p) + "%2e%2e/x" },
	func(p string) string { return "/" + p },
	func(p string) string { return p[:max(0, len(p)-1)] },
	func(p string) string { return strings.ToUpper(p) },
	encodeFirst,
	func(p string) string { return "/x" + p },
	func(p string) string {
		if i := strings.LastIndexByte(p, '/'); i > 0 {
			return p[:i]
		}
		return "/"
	},
}

func slash(p string) string { return strings.TrimSuffix(p, "/") + "/" }

// encodeFirst escapes the first letter of a path, which means the same.
func encodeFirst(p string) string {
	const hex = "0123456789ABCDEF"
	for i := range len(p) {
		if c := p[i]; 'a' <= c && c <= 'z' {
			return p[:i] + "%" + string(hex[c>>4]) + string(hex[c&15]) + p[i+1:]
		}
		if p[i] == '%' {
			break
		}
	}
	return p
}

// query returns a query with keys that rules and conditions name.
func (g *Generator) query() string {
	var pairs []string
	for range g.rng.IntN(4) {
		k := g.pick(g.keys)
		pairs = append(pairs, []string{k + "=1", k, k + "=", k + "=a+b", k + "=a%26b", "b=2", "", strings.TrimPrefix(encodeFirst("/"+k), "/") + "=3", k + "=%zz"}[g.rng.IntN(9)])
	}
	separator := "&"
	if g.rng.IntN(12) == 0 {
		separator = ";"
	}
	return strings.Join(pairs, separator)
}
