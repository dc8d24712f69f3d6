package nginx

// Branches: redirects of some of a location's paths as routes before it.

import (
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// A branch is a redirect of some requests as a route of its own, whose paths are
// some of those of the location.
type branch struct {
	path    string // a regular expression
	literal string // what every match begins with; "" if that is not known
	to      *ingress.Redirect
	at      int // offset of its line
}

// branchOf returns the redirect of the paths that regex matches as a branch, nil
// if it cannot be one. Without "^" it is looked for anywhere in the path.
func (sr *snippetReader) branchOf(regex string, tree *syntax.Regexp, to *target, status int) *branch {
	b := &branch{to: to.redirect(status, regex, true, sr.s.name), at: sr.at}
	path, anchored := strings.CutPrefix(regex, "^")
	subs := flat(tree)
	if anchored && subs[0].Op == syntax.OpBeginText && !pcre.HasAlternatives(path) {
		b.path = pcre.Begin(path)
		b.literal = literalOf(&syntax.Regexp{Op: syntax.OpConcat, Sub: subs[1:]})
	} else {
		b.path = pcre.Begin(".*?(?:" + regex + ")")
	}
	if sr.redirectFault(b.to) != nil || sr.pathFault(route.Pattern{Path: b.path, Type: route.Regex}) != nil {
		return nil
	}
	return b
}

// branchOff finds the snippets whose redirects of some requests are routes
// before that of l.
func (t *translation) branchOff(l *location) {
	for _, s := range t.snippets(l) {
		if s.redirect == nil {
			continue
		}
		if s.branch == nil || !l.holds(s.branch) {
			return
		}
		l.branches = append(l.branches, s)
	}
}

// isRoot reports whether l matches all paths of its host, before it is put in
// order.
func (l *location) isRoot() bool {
	switch l.pattern.Type {
	case route.Prefix, route.TextPrefix:
		return l.literal == "/"
	case route.Regex:
		return l.text == "/"
	}
	return false
}

// holds reports whether l matches whatever b does, before it is put in order.
func (l *location) holds(b *branch) bool {
	if l.isRoot() {
		return true
	}
	switch l.pattern.Type {
	case route.TextPrefix:
		return strings.HasPrefix(b.literal, l.literal)
	case route.Prefix:
		return strings.HasPrefix(b.literal, l.literal+"/")
	}
	return false
}

// misses reports whether no request that l gets has a path that b, which may be
// nil, matches.
func (t *translation) misses(l *location, b *branch) bool {
	return b != nil && !t.server(l.p).moves && !strings.Contains(b.literal+l.literal, "%") &&
		!strings.HasPrefix(b.literal, l.literal) && !strings.HasPrefix(l.literal, b.literal)
}

// branchEntries returns the entries of l's branches.
func (t *translation) branchEntries(l *location) []ingress.Entry {
	var list []ingress.Entry
	rank := route.Regex
	if l.pattern.Type != route.Regex && !l.fallback {
		rank = route.RegexFirst
	}
	for _, s := range l.branches {
		e := ingress.Entry{
			Source:   l.p.Source,
			Pattern:  route.Pattern{Host: l.p.Host, Path: s.branch.path, Type: rank},
			Redirect: s.branch.to,
		}
		e.Source.Part = join(join(e.Source.Part, l.part), s.name)
		if s == l.o.config {
			e.Rules = t.serverRules(l)
		}
		if t.toHTTPS(l) {
			https := httpsEntry(e)
			https.Rules = e.Rules
			list = append(list, https)
		}
		list = append(list, e)
	}
	return list
}
