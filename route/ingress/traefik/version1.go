package traefik

// The annotations of Traefik 1.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// version1 reads the annotations of Traefik 1 into to.
func (r *reading) version1(to *router) {
	if a, ok := r.found["rule-type"]; ok {
		to.origin = a.Origin(0)
		switch strings.ToLower(strings.TrimSpace(a.Value)) {
		case "pathprefix":
		case "pathprefixstrip":
			to.strip = true
		case "path":
			to.matcher, to.from = matchPath, a
		case "pathstrip":
			to.matcher, to.from, to.strip = matchPath, a, true
		default:
			r.lose(CodeRefused, a, 0, "rule type %.64q has no translation: write PathPrefix, PathPrefixStrip, Path or PathStrip", a.Value)
		}
	}
	if a, ok := r.found["rewrite-target"]; ok {
		switch fault := judge.Action(rewrite.ReplacePathText("/x", a.Value), r.c); {
		case to.strip:
			r.lose(CodeRefused, a, 0, "the rule type strips the path that it is to replace: write one of the two")
		case !strings.HasPrefix(a.Value, "/"):
			r.lose(CodeValue, a, 0, "%.64q does not begin with a slash: write one before it", a.Value)
		case fault != nil:
			r.lose(CodeValue, a, max(0, fault.Offset), "%v", fault.Err)
		default:
			to.target, to.origin = a.Value, a.Origin(0)
		}
	}
	permanent := r.flag("redirect-permanent")
	_, byEntryPoint := r.found["redirect-entry-point"]
	_, byExpression := r.found["redirect-regex"]
	if a, ok := r.found["redirect-permanent"]; ok && !byEntryPoint && !byExpression {
		r.warn(CodeDead, r.in.Source(), a.Origin(0), "it does nothing without redirect-entry-point or redirect-regex")
	}
	if a, ok := r.found["redirect-entry-point"]; ok {
		switch strings.TrimSpace(a.Value) {
		case "https", "websecure":
			to.plain = redirect(permanent)
			to.plain.Rules = []rewrite.Rule{
				{Action: rewrite.SetScheme("https"), Origin: a.Origin(0)}, {Action: rewrite.SetPort(""), Origin: a.Origin(0)},
			}
		default:
			r.lose(CodeRefused, a, 0, "which scheme and port entry point %.64q has is not known: write a redirectScheme middleware", a.Value)
		}
	}
	if a, ok := r.found["redirect-regex"]; ok {
		to.redirect = redirect(permanent)
		with := r.found["redirect-replacement"]
		if err := r.redirectBy(to.redirect, a.Value, with.Value, "", with.Origin(0)); err != nil {
			code := CodeValue
			if f, ok := err.(*fault); ok {
				code = f.code
			}
			r.lose(code, a, 0, "%v", err)
		}
	} else if a, ok := r.found["redirect-replacement"]; ok {
		r.warn(CodeDead, r.in.Source(), a.Origin(0), "it does nothing without redirect-regex")
	}
}

// checkVersions reports what Traefik 1 would do where a middleware does the same.
func (r *reading) checkVersions(to router, steps []step) {
	for i := range steps {
		name := ""
		switch s := &steps[i]; {
		case s.redirect != nil && to.redirect != nil:
			name = "redirect-regex"
		case s.scheme != nil && to.plain != nil:
			name = "redirect-entry-point"
		default:
			continue
		}
		r.warn(CodeDead, r.in.Source(), r.found[name].Origin(0), "it does nothing: %s takes its place", steps[i].what)
	}
}

// flag reads a boolean.
func (r *reading) flag(name string) bool {
	a, ok := r.found[name]
	value, err := strconv.ParseBool(strings.TrimSpace(a.Value))
	if ok && err != nil {
		r.warn(CodeValue, r.in.Source(), a.Origin(0), "%.64q is neither true nor false: it is read as false", a.Value)
	}
	return value
}

// action returns what Traefik 1 does to the paths of e; the zero Action if
// nothing.
func (to *router) action(e *ingress.Entry) rewrite.Action {
	if !to.strip && to.target == "" {
		return rewrite.Action{}
	}
	path, target := e.Pattern.Path, to.target
	if strings.HasSuffix(path, "/") {
		path, target = path[:len(path)-1], strings.TrimSuffix(target, "/")
	}
	root, segment := target == "" || target == "/", e.Pattern.Type != route.TextPrefix
	switch {
	case path == "" && root:
		return rewrite.Action{}
	case path == "":
		return rewrite.AddPathPrefix(target)
	case root && segment:
		return rewrite.TrimPathPrefix(path)
	case root:
		return rewrite.TrimPathText(path)
	case segment:
		return rewrite.ReplacePathPrefix(path, target)
	}
	return rewrite.ReplacePathText(path, target)
}

// appRoot returns the redirect of "/", or nil.
func (r *reading) appRoot() *ingress.Redirect {
	a, ok := r.found["app-root"]
	if !ok {
		return nil
	}
	if !slices.ContainsFunc(r.paths, func(p ingress.PathRule) bool { return !p.Default }) {
		r.warn(CodeDead, r.in.Source(), a.Origin(0), "it does nothing: there is no rule with a path")
	}
	location := strings.TrimSpace(a.Value)
	redirect := &ingress.Redirect{Location: location}
	if _, err := ingress.CompileRedirect(redirect, nil); err != nil || location == "" {
		r.lose(CodeValue, a, 0, "%.64q is nowhere to redirect to: write an absolute path", a.Value)
		return nil
	}
	return redirect
}

// rootEntries adds the entries that redirect "/" of e's host, behind those that
// redirect it because of the scheme, as plain does for e.
func (r *reading) rootEntries(e, plain *ingress.Entry, redirect *ingress.Redirect) {
	root := ingress.Entry{Source: e.Source, Pattern: route.Pattern{Host: e.Pattern.Host, Path: "/", Type: route.Exact}, Redirect: redirect}
	root.Source.Part = "app-root"
	if plain != nil {
		first := *plain
		first.Pattern, first.Source.Part = root.Pattern, "app-root redirect-scheme"
		r.out.Entries = append(r.out.Entries, first)
	}
	r.out.Entries = append(r.out.Entries, root)
}
