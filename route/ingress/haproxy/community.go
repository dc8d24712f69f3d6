package haproxy

// The reading of haproxy-ingress: what its annotations make of the paths.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
	"github.com/readdress/readdress/route/ingress/internal/judge"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

func (r *reading) community() {
	r.defaults = true
	kind, own := r.pathType(), r.pathConfig()
	root, aliases := r.appRoot(), r.serverAlias()
	from := r.redirectFrom(aliases)
	if !slices.ContainsFunc(r.paths, func(p ingress.PathRule) bool { return !p.Default && p.Host != "" }) {
		r.dead("no rule has a host", "server-alias", "redirect-from")
	}
	if !slices.ContainsFunc(r.paths, func(p ingress.PathRule) bool { return !p.Default }) {
		r.dead("no rule has a path", "app-root")
	}
	services := make(map[ingress.Service]*pathConfig)
	rooted := make(map[string]bool)
	for i := range r.paths {
		p := &r.paths[i]
		names := aliases
		if p.Host == "" {
			names = nil
		}
		if host := strings.ToLower(p.Host); !p.Default && !rooted[host] && !r.lost && !r.guarded {
			rooted[host] = true
			if root != nil {
				r.add(rootEntry(p, root), names, nil)
			}
			if from != nil && host != "" {
				r.addFrom(p, from)
				from = nil
			}
		}
		e := ingress.Entry{Source: p.Source, Backends: []ingress.Backend{p.Backend}}
		routable := r.route(&e, p, kind)
		config := r.configOf(p, own, services)
		if r.guarded || config.guarded {
			if routable || r.below(&e.Pattern, p) {
				e.Backends = closed(p)
				r.add(e, names, nil)
			}
			continue
		}
		if !routable || r.lost || config.lost {
			continue
		}
		config.server.set(&e.Backends[0])
		e.Redirect, e.MaxBodySize = config.redirect, config.size
		if config.redirect != nil {
			r.add(e, names, nil) // before HTTPS, as in the controller
			continue
		}
		e.RequestHeaders = config.headers
		if !config.rewriteTarget(&e, p, kind) {
			continue
		}
		e.Rules = slices.Concat(config.host, e.Rules)
		// app-root comes before HTTPS, and a table would try the redirect to HTTPS of
		// the same pattern first, because that has a condition.
		behindRoot := root != nil && !p.Default && e.Pattern.Type == route.Exact && e.Pattern.Path == "/"
		if config.secure.on && r.tls.has(p.Host) && !behindRoot {
			r.add(e, names, &config.secure)
		} else {
			r.add(e, names, nil)
		}
	}
}

// add appends e, behind the entry that redirects its plain requests if secure is
// not nil, and both for each alias.
func (r *reading) add(e ingress.Entry, aliases []string, secure *https) {
	part := e.Source.Part
	for i := -1; i < len(aliases); i++ {
		if i >= 0 {
			e.Source.Part, e.Pattern.Host = strings.TrimSpace(part+" server-alias "+aliases[i]), aliases[i]
		}
		if secure != nil {
			r.out.Entries = append(r.out.Entries, toHTTPS(&e, secure.status, secure.port, secure.origin))
		}
		r.out.Entries = append(r.out.Entries, e)
	}
}

// The values of path-type.
const (
	beginPath  = "begin"
	exactPath  = "exact"
	prefixPath = "prefix"
	regexPath  = "regex"
)

// pathType returns how ImplementationSpecific paths are read.
func (r *reading) pathType() string {
	a, ok := r.found["path-type"]
	if !ok {
		return beginPath
	}
	switch kind := strings.ToLower(strings.TrimSpace(a.Value)); kind {
	case beginPath, exactPath, prefixPath, regexPath:
		return kind
	}
	r.lose(CodeValue, a, 0, "%.64q is no path type: write begin, exact, prefix or regex", a.Value)
	return beginPath
}

// kindOf returns how p is read where ImplementationSpecific ones are of kind.
func kindOf(p *ingress.PathRule, kind string) string {
	switch p.Type {
	case "Exact":
		return exactPath
	case "Prefix":
		return prefixPath
	}
	return kind
}

// route sets the pattern of e. It returns false if there is none.
func (r *reading) route(e *ingress.Entry, p *ingress.PathRule, kind string) bool {
	e.Pattern = route.Pattern{Host: p.Host, Path: p.Path}
	switch kindOf(p, kind) {
	case exactPath:
		e.Pattern.Type = route.Exact
	case prefixPath:
		e.Pattern.Type = route.Prefix
	case regexPath:
		e.Pattern.Type = route.Regex
		if detail, at, bad := pcre.Fault(p.Path); bad {
			r.report(ingress.Error, CodeRegexp, p.Source, rewrite.Origin{Key: "path", Offset: at}, "%s; this path is not served", detail)
			return false
		}
		e.Pattern.Path = pcre.Begin(p.Path)
	default:
		e.Pattern.Type = route.TextPrefix
	}
	return r.routable(&e.Pattern, p)
}

// rewriteTarget sets the rules of e that rewrite-target asks for. It returns
// false if that cannot be translated.
func (c *pathConfig) rewriteTarget(e *ingress.Entry, p *ingress.PathRule, kind string) bool {
	r, a := c.reading, c.target
	if a.Key == "" {
		return true
	}
	value, offset := trim(a.Value)
	if i := strings.IndexAny(value, "\"' "); i >= 0 {
		r.report(ingress.Error, CodeValue, p.Source, a.Origin(offset+i), "the controller takes no spaces and no quotes here: write %%%%%02X; this path is not served", value[i])
		return false
	}
	if kind = kindOf(p, kind); kind == regexPath {
		path := given.Annotation{Key: "path", Value: p.Path}
		regex := "^" + strings.TrimPrefix(p.Path, "^")
		if strings.Contains(regex, "|") {
			regex = "^(?:" + regex[1:] + ")"
		}
		made, fault := r.replacement(p.Source, path, 0, regex, a, offset, value)
		if fault != nil {
			r.report(ingress.Error, fault.code, p.Source, fault.a.Origin(fault.offset), "%s; this path is not served", fault.detail)
			return false
		}
		e.Rules = []rewrite.Rule{{Action: made.action(), Origin: a.Origin(0)}}
		return true
	}
	target, at, err := literal(value)
	if err == nil && !strings.HasPrefix(target, "/") {
		at, err = 0, errNoSlash
	}
	if err != nil {
		r.report(ingress.Error, formatCode(err), p.Source, a.Origin(offset+at), "%v; this path is not served", err)
		return false
	}
	if kind != exactPath && strings.HasSuffix(target, "/") && target != "/" && !strings.HasSuffix(p.Path, "/") {
		r.warn(CodeDoubleSlash, p.Source, a.Origin(offset+len(value)-1), "HAProxy would make two slashes of %s/x; here it is one: write both with a final slash, or both without", p.Path)
	}
	actions := replacePrefix(p.Path, target, kind)
	for _, action := range append(actions, rewrite.SetPath(target)) { // the target as a whole too
		if fault := judge.Action(action, r.c); fault != nil {
			r.report(ingress.Error, CodeValue, p.Source, a.Origin(0), "%v; this path is not served", fault.Err)
			return false
		}
	}
	for _, action := range actions {
		e.Rules = append(e.Rules, rewrite.Rule{Action: action, Origin: a.Origin(0)})
	}
	return true
}

// replacePrefix returns the actions that put target in the place of path, which
// the route has matched by kind; none if that changes nothing.
func replacePrefix(path, target, kind string) []rewrite.Action {
	one := func(a rewrite.Action) []rewrite.Action { return []rewrite.Action{a} }
	root := target == "/"
	switch {
	case strings.HasSuffix(path, "/"):
		// What follows is behind a slash, and target gets one too.
		path, target = path[:len(path)-1], strings.TrimSuffix(target, "/")
		root = target == ""
		if path == "" && root {
			return nil
		}
		if path == "" {
			return one(rewrite.AddPathPrefix(target))
		}
	case strings.HasSuffix(target, "/") && !root && kind != beginPath:
		// The path itself gets target's slash too.
		return []rewrite.Action{rewrite.TrimPathPrefix(path), rewrite.AddPathPrefix(target[:len(target)-1])}
	}
	switch {
	case kind == beginPath && root:
		return one(rewrite.TrimPathText(path))
	case kind == beginPath:
		return one(rewrite.ReplacePathText(path, target))
	case root:
		return one(rewrite.TrimPathPrefix(path))
	}
	return one(rewrite.ReplacePathPrefix(path, target))
}
