package traefik

// Router: which requests a path is for.

import (
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A router is what the annotations say of the paths of an Ingress.
type router struct {
	matcher string // of paths without a Kubernetes type: one of the constants

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
		if n, err := strconv.Atoi(strings.TrimSpace(a.value)); err != nil {
			r.warn(CodeValue, r.in.Source(), a.origin(0), "%.64q is no whole number", a.value)
		} else if n != 0 {
			r.warn(CodePriority, r.in.Source(), a.origin(0), "exact paths come first, then longer ones: write paths of which this is true")
		}
	}
	if a, ok := r.found["router.pathmatcher"]; ok {
		switch a.value {
		case matchPath, matchPrefix, matchRegexp:
			to.matcher = a.value
		default:
			r.lose(CodeValue, a, 0, "%.64q is no matcher of paths: write Path, PathPrefix or PathRegexp", a.value)
		}
	}
	r.version1(&to)
	return to
}

// pattern sets the type of e's pattern, and of a regular expression the text.
func (r *reading) pattern(e *ingress.Entry, p *ingress.PathRule, to router) {
	switch {
	case p.Type == "Exact":
		e.Pattern.Type = route.Exact
	case p.Type == "Prefix" && r.mode == Strict:
		e.Pattern.Type = route.Prefix
	case p.Type == "Prefix":
		e.Pattern.Type = route.TextPrefix
		if strings.Trim(p.Path, "/") != "" {
			r.warn(CodeTextPrefix, p.Source, rewrite.Origin{}, "%s matches every path that begins with this text; in Strict it matches by segment", p.Path)
		}
	case to.matcher == matchPath:
		e.Pattern.Type = route.Exact
	case to.matcher == matchRegexp:
		e.Pattern.Type = route.Regex
		// A table's expressions begin where the path does, and with a slash;
		// Traefik's need neither.
		if rest, ok := strings.CutPrefix(p.Path, "^"); ok && !strings.Contains(rest, "|") {
			e.Pattern.Path = rest
		} else {
			e.Pattern.Path = "/?.*(?:" + p.Path + ")"
		}
	default:
		e.Pattern.Type = route.TextPrefix
	}
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
	case route.Regex:
		return ""
	case route.Prefix:
		return strings.TrimRight(e.Pattern.Path, "/")
	}
	return e.Pattern.Path
}
