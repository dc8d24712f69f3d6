package diff

// Actions: what the rules and redirects of an entry tell about requests for which
// they do something.

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// rules returns all rules of an entry.
func rules(e *ingress.Entry) []rewrite.Rule {
	list := slices.Clone(e.Rules)
	if e.Redirect != nil {
		list = append(list, e.Redirect.Rules...)
	}
	for i := range e.Backends {
		list = append(list, e.Backends[i].Rules...)
	}
	return list
}

// maxSegments is how many segments a path has for an action that strips more.
const maxSegments = 64

// paths returns paths, and beginnings of paths, with which an action does
// something. hosts are those that it may take from a path.
func paths(a rewrite.Action, hosts []string) []string {
	var list []string
	switch a.Op() {
	case rewrite.OpTrimPathPrefix, rewrite.OpReplacePathPrefix, rewrite.OpTrimPathText, rewrite.OpReplacePathText, rewrite.OpSetPath, rewrite.OpAddPathPrefix:
		for _, arg := range a.Args() {
			if strings.HasPrefix(arg, "/") {
				list = append(list, arg)
			}
		}
	case rewrite.OpRewritePath, rewrite.OpReplacePathRegex:
		list = append(list, regexMark+a.Args()[0])
	case rewrite.OpStripPathSegments:
		n, err := strconv.Atoi(a.Args()[0])
		if err == nil {
			list = append(list, strings.Repeat("/x", min(n, maxSegments)))
		}
	case rewrite.OpHostFromPathPrefix:
		for _, h := range hosts {
			list = append(list, "/"+host(h, 0))
		}
	}
	return list
}

// regexMark stands before a regular expression in a list of paths.
const regexMark = "~"

func queryKeys(a rewrite.Action) []string {
	switch a.Op() {
	case rewrite.OpAddQuery, rewrite.OpSetQuery:
		return a.Args()[:1]
	case rewrite.OpRenameQuery, rewrite.OpDeleteQuery, rewrite.OpKeepQuery:
		return a.Args()
	}
	return nil
}

// queries returns the parameters from which a redirect takes its location.
func queries(r *ingress.Redirect) []string {
	if r.FromQuery == "" {
		return nil
	}
	key := url.QueryEscape(r.FromQuery) + "="
	list := []string{key, key + "/x", key + "//other.example/", key + "https://other.example/x"}
	for _, h := range r.Hosts {
		list = append(list, key+"https://"+host(h, 0)+"/x")
	}
	return list
}

// chain returns a path for a route's actions, which run one after the other:
// what the first takes away can be in front of what the second looks for, and the
// route's own path in front of both.
func (g *Generator) chain(s *seed, own string) string {
	var b strings.Builder
	if g.rng.IntN(2) == 0 {
		b.WriteString(strings.TrimSuffix(own, "/"))
	}
	first := g.rng.IntN(len(s.paths))
	last := min(len(s.paths), first+1+g.rng.IntN(3))
	for _, p := range s.paths[first:last] {
		if expression, ok := strings.CutPrefix(p, regexMark); ok {
			p = g.sample(expression)
		}
		b.WriteString(strings.TrimSuffix(p, "/"))
	}
	return b.String()
}

// url makes a request for a URL that the redirect of a route matches, for the
// route's own host where the expression takes that too.
func (g *Generator) url(s *seed) engine.Request {
	text := g.text(s.url)
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || scheme != "http" && scheme != "https" {
		scheme, rest = []string{"http", "https"}[g.rng.IntN(2)], strings.TrimPrefix(text, "://")
	}
	name, target := rest, "/"
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		name, target = rest[:i], rest[i:]
	}
	if g.rng.IntN(2) == 0 { // the expression may take paths that the route does not
		target = variants[g.rng.IntN(len(variants))](g.path(&s.pattern))
	}
	own := host(s.pattern.Host, 0)
	re, err := regexp.Compile(s.url)
	if engine.CheckHost(name) != nil || err == nil && re.MatchString(scheme+"://"+own+target) {
		name = own
	}
	path, query, _ := strings.Cut(target, "?")
	return g.request(s, scheme, name, path, query, true)
}
