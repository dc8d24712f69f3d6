package nginx

// Default: the location that the controller gives a host without a path "/".

import (
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// hasDefault reports whether the default location of s is what its first Ingress
// says. That of no host is what the controller is configured with.
func (s *server) hasDefault() bool { return s.name != "" && !s.hasRoot && s.first != nil }

// enforceDefault lets the default location make regular expressions of all paths
// of its host, as any other does whose rewrite-target is not its path.
func (s *server) enforceDefault(compat bool) {
	if compat && !s.regex && s.hasDefault() && !s.first.dropped && s.first.target != "" && s.first.target != "/" {
		s.regex, s.cause = true, s.first
	}
}

// locateDefault makes the default location of the host of p, if o is its first
// Ingress. Behind it is nothing to forward to, so it is made for what redirects.
func (t *translation) locateDefault(o *object, p *ingress.PathRule) {
	s := t.server(p)
	if s.fallback || s.first != o || !s.hasDefault() {
		return
	}
	s.fallback = true
	l := &location{o: o, p: &ingress.PathRule{Source: p.Source, Host: p.Host, Path: "/", Type: "Prefix", Default: true}, text: "/", literal: "/", fallback: true}
	if t.closed(l) {
		return
	}
	name := t.redirectsAll(l)
	if name == "" {
		return
	}
	t.quirk(p.Source, CodeDefaultLocation, name, "the host has no path /, so its other paths are redirected too", "only the Ingress's own paths are")
	if !t.compat {
		return
	}
	l.p.Source.Path, l.p.Source.Part = -1, "default-location"
	l.pattern = route.Pattern{Host: p.Host, Path: "/", Type: route.Regex}
	if o.to != nil && o.to.absolute {
		l.to = &ingress.Redirect{Status: 302, Rules: rules(o.to.without(0).actions("", true), rewrite.AfterLocation, rewriteTarget)}
	}
	l.slot = t.count
	t.count++
	t.branchOff(l)
	o.places = append(o.places, l)
	s.places = append(s.places, l)
}

// redirectsAll returns the annotation that redirects requests of the default
// location l, "" if none does.
func (t *translation) redirectsAll(l *location) string {
	for _, s := range t.snippets(l) {
		if s.redirect != nil || len(s.exact) > 0 {
			return s.name
		}
	}
	o := l.o
	switch {
	case o.redirect.to != nil:
		return o.redirect.name
	case o.to != nil && o.to.absolute:
		return rewriteTarget
	case o.forceSSL:
		return "force-ssl-redirect"
	case t.toHTTPS(l):
		return "ssl-redirect"
	}
	return ""
}

// hide hides an Exact "/" on a host of regular expressions: before it stands the
// location of "/" that every host has from the beginning.
func (t *translation) hide(l *location) {
	if t.compat && t.server(l.p).regex && l.p.Type == "Exact" && l.p.Path == "/" && !t.closed(l) {
		l.hidden, l.why = true, "the host has regular expressions, and before this path stands that of its Prefix /, or of the controller, which gets all requests: write pathType Prefix"
	}
}

// hideRoot hides an Exact "/" behind the app-root of its host: entries with
// conditions, of a canary or to https, would come before that.
func (t *translation) hideRoot(l *location) {
	root := t.server(l.p).root
	if t.compat && !l.hidden && root != nil && l.p.Type == "Exact" && l.p.Path == "/" && !t.closed(l) {
		l.hidden, l.earlier, l.why = true, root, "the app-root of the host redirects this path before"
	}
}

// hideBehind hides those of a list in order that have the expression of an
// earlier one.
func hideBehind(list []*location) {
	seen := make(map[string]*location, len(list))
	for _, l := range list {
		first := seen[l.pattern.Path]
		if first == nil {
			seen[l.pattern.Path] = l
			continue
		}
		l.hidden, l.earlier, l.why = true, first, "the host has regular expressions, and an earlier path has the same one and gets all requests"
	}
}
