package traefik

// Router: which requests a path is for.

import (
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
	"github.com/readdress/readdress/route/ingress/internal/judge"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// A router is what the annotations say of the paths of an Ingress.
type router struct {
	matcher string           // of paths without a Kubernetes type: one of the constants, or a faulty value
	from    given.Annotation // where it stands; zero: nowhere

	// What Traefik 1 does beside.
	strip    bool   // the path is stripped
	target   string // what takes the place of the path; empty: nothing
	origin   rewrite.Origin
	plain    *ingress.Redirect // of plain requests
	redirect *ingress.Redirect // of URLs that match
}

// The matchers of Traefik's rules.
const (
	matchPath   = "Path"
	matchPrefix = "PathPrefix"
	matchRegexp = "PathRegexp"
)

// router reads what decides about paths, in the words of all versions.
func (r *reading) router() router {
	to := router{matcher: matchPrefix}
	for _, name := range []string{"router.priority", "priority"} {
		a, ok := r.found[name]
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSpace(a.Value)); err != nil {
			r.warn(CodeValue, r.in.Source(), a.Origin(0), "%.64q is no whole number", a.Value)
		} else if n != 0 {
			r.warn(CodePriority, r.in.Source(), a.Origin(0), "exact paths come first, then expressions, then longer paths: write paths of which this is true")
		}
	}
	if a, ok := r.found["router.pathmatcher"]; ok {
		to.matcher, to.from = a.Value, a
	}
	r.version1(&to)
	return to
}

// of returns what to says of p: of a default backend nothing.
func (to router) of(p *ingress.PathRule) router {
	if p.Default {
		return router{}
	}
	return to
}

// pattern sets the pattern of e. It returns false if there is none for p, which
// is then reported.
func (r *reading) pattern(e *ingress.Entry, p *ingress.PathRule, to router) bool {
	matcher, typed := to.matcher, true
	switch {
	case p.Default:
		return true
	case p.Type == "Exact":
		matcher = matchPath
	case p.Type == "Prefix":
		matcher = matchPrefix
	default:
		typed = false
	}
	if to.from.Key != "" && matcher != to.matcher {
		r.warn(CodeDead, p.Source, to.from.Origin(0), "it does nothing for a path of pathType %s: write ImplementationSpecific", p.Type)
	}
	switch {
	case matcher == matchPath:
		e.Pattern.Type = route.Exact
	case matcher == matchRegexp:
		if !r.expression(e, p, to) {
			return false
		}
	case matcher != matchPrefix && !r.guarded:
		r.report(ingress.Error, CodeValue, p.Source, to.from.Origin(0), "%.64q is no matcher of paths: write Path, PathPrefix or PathRegexp; this path is not served", matcher)
		return false
	case typed && r.mode != Compat:
		e.Pattern.Type = route.Prefix
	default:
		e.Pattern.Type = route.TextPrefix
		if typed && strings.Trim(p.Path, "/") != "" {
			r.warn(CodeTextPrefix, p.Source, rewrite.Origin{}, "%s matches every path that begins with this text; in Strict it matches by segment", p.Path)
		}
	}
	return r.routable(e, p)
}

// expression makes of p a regular expression, which in Traefik need neither match
// at the beginning of a path nor begin with a slash.
func (r *reading) expression(e *ingress.Entry, p *ingress.PathRule, to router) bool {
	if detail, at, bad := pcre.Fault(p.Path); bad {
		r.report(ingress.Error, CodeRegexp, p.Source, rewrite.Origin{Key: "path", Offset: at}, "%s; this path is not served", detail)
		return false
	}
	if !r.guarded && (to.strip || to.target != "") {
		r.report(ingress.Error, CodeRefused, p.Source, to.origin, "an expression has no path to replace: write a replacePathRegex middleware; this path is not served")
		return false
	}
	r.checkEscapes("", p.Source, rewrite.Origin{Key: "path"}, p.Path)
	e.Pattern.Type = route.RegexFirst
	if isAnchored(p.Path) {
		if neverBegins(p.Path) {
			r.warn(CodeNeverMatches, p.Source, rewrite.Origin{Key: "path"}, "no path begins with %.64q: write a slash behind ^", p.Path)
		}
		e.Pattern.Path = pcre.Begin(p.Path)
	} else {
		e.Pattern.Path = "/?.*(?:" + p.Path + ")"
	}
	return true
}

// isAnchored reports whether expression matches at the beginning alone.
func isAnchored(expression string) bool {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return false
	}
	for tree.Op == syntax.OpCapture || tree.Op == syntax.OpConcat {
		tree = tree.Sub[0]
	}
	return tree.Op == syntax.OpBeginText
}

// routable reports whether a table takes the pattern of e. If it does not, that
// is reported as a Dispatcher would, but once for all entries that p would have.
func (r *reading) routable(e *ingress.Entry, p *ingress.PathRule) bool {
	fault := judge.Pattern(e.Pattern, r.c)
	if fault == nil {
		return true
	}
	code, key := ingress.CodeBadEntry, "path"
	switch {
	case fault.Field != "Pattern.Path":
		key = "host"
	case e.Pattern.Type == route.RegexFirst:
		code = CodeRegexp
	}
	r.report(ingress.Error, code, p.Source, rewrite.Origin{Key: key}, "%s: %v; this path is not served", fault.Field, fault.Err)
	return false
}

// bySegment reports whether every path of e is prefix or below it.
func bySegment(e *ingress.Entry, prefix string) bool {
	path := routed(e)
	return strings.HasPrefix(path, prefix+"/") || path == prefix && e.Pattern.Type != route.TextPrefix
}

// byText reports whether every path of e begins with prefix.
func byText(e *ingress.Entry, prefix string) bool { return strings.HasPrefix(routed(e), prefix) }

// routed returns the text that every path of e begins with.
func routed(e *ingress.Entry) string {
	switch e.Pattern.Type {
	case route.Regex, route.RegexFirst:
		return ""
	case route.Prefix:
		return strings.TrimRight(e.Pattern.Path, "/")
	}
	return e.Pattern.Path
}
