package nginx

// Branches: redirects of some of a location's paths as routes before it.

import (
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A branch is a redirect of some requests as a route of its own, whose paths are
// some of those of the location.
type branch struct {
	path    string // a regular expression
	literal string // what every match begins with
	to      *ingress.Redirect
}

// branchOf returns the redirect of the paths that regex matches as a branch, nil
// if it cannot be one.
func (sr *snippetReader) branchOf(regex string, tree *syntax.Regexp, to *target, status int) *branch {
	path, anchored := strings.CutPrefix(regex, "^")
	subs := flat(tree)
	if !anchored || !strings.HasPrefix(path, "/") || isAlternation(path) || subs[0].Op != syntax.OpBeginText {
		return nil
	}
	b := &branch{path, literalOf(&syntax.Regexp{Op: syntax.OpConcat, Sub: subs[1:]}), to.redirect(status, regex, true, sr.s.name)}
	_, err := ingress.CompileRedirect(b.to, sr.options())
	if err != nil || !sr.routable(route.Pattern{Path: path, Type: route.Regex}) {
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

// holds reports whether l matches whatever b does, before it is put in order.
func (l *location) holds(b *branch) bool {
	switch l.pattern.Type {
	case route.TextPrefix:
		return strings.HasPrefix(b.literal, l.literal)
	case route.Prefix:
		return strings.HasPrefix(b.literal, strings.TrimSuffix(l.literal, "/")+"/")
	case route.Regex:
		return l.text == "/"
	}
	return false
}

// branchEntries returns the entries of l's branches.
func (t *translation) branchEntries(l *location) []ingress.Entry {
	var list []ingress.Entry
	for _, s := range l.branches {
		e := ingress.Entry{
			Source:   l.p.Source,
			Pattern:  route.Pattern{Host: l.p.Host, Path: s.branch.path, Type: route.Regex},
			Redirect: s.branch.to,
		}
		e.Source.Part = join(join(e.Source.Part, l.part), s.name)
		if t.toHTTPS(l) {
			list = append(list, httpsEntry(e))
		}
		list = append(list, e)
	}
	return list
}
