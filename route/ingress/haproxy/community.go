package haproxy

// The reading of haproxy-ingress: what its annotations make of the paths.

import (
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

func (r *reading) community() {
	kind := r.pathType()
	redirect := r.redirectTo()
	if redirect != nil {
		r.dead("redirect-to redirects every request", "rewrite-target", "headers")
	}
	root, aliases := r.appRoot(), r.serverAlias()
	from, fromRedirect := r.redirectFrom()
	server := r.communityServer()
	headers := r.headers("headers", func(line string) (name, value string) {
		name, value, _ = strings.Cut(line, ":")
		return strings.TrimSpace(name), strings.TrimSpace(value)
	})
	size := r.bodySize()
	secure, status := r.flag("ssl-redirect", true), r.status("ssl-redirect-code")
	origin := r.found["ssl-redirect"].origin(0)

	// add appends e, behind the entry that redirects its plain requests, and
	// both for each alias.
	add := func(e ingress.Entry, aliases []string) {
		part, host := e.Source.Part, e.Pattern.Host
		for i := -1; i < len(aliases); i++ {
			if i >= 0 {
				e.Source.Part, e.Pattern.Host = strings.TrimSpace(part+" server-alias "+aliases[i]), aliases[i]
			}
			if secure && r.hasTLS(host) {
				r.out.Entries = append(r.out.Entries, toHTTPS(&e, status, "", origin))
			}
			r.out.Entries = append(r.out.Entries, e)
		}
	}
	seen := make(map[string]bool)
	for i := range r.paths {
		p := &r.paths[i]
		e := ingress.Entry{Source: p.Source, Backends: []ingress.Backend{p.Backend}}
		server.set(&e.Backends[0])
		if p.Default {
			e.Pattern = route.Pattern{Host: p.Host, Path: p.Path}
			r.out.Entries = append(r.out.Entries, e)
			continue
		}
		if r.lost {
			continue
		}
		names := aliases
		if p.Host == "" {
			names = nil
		}
		if host := strings.ToLower(p.Host); !seen[host] {
			seen[host] = true
			if root != nil {
				add(rootEntry(p, root), names)
			}
			if from != "" && host != "" {
				r.out.Entries = append(r.out.Entries, r.fromEntry(p, from, fromRedirect))
			}
		}
		if !r.route(&e, p, kind) {
			continue
		}
		e.Redirect, e.MaxBodySize = redirect, size
		if redirect == nil {
			e.RequestHeaders = headers
			if !r.rewriteTarget(&e, p, kind) {
				continue
			}
		}
		add(e, names)
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
	switch kind := strings.ToLower(strings.TrimSpace(a.value)); kind {
	case beginPath, exactPath, prefixPath, regexPath:
		return kind
	}
	r.lose(CodeValue, a, 0, "%.64q is no path type: write begin, exact, prefix or regex", a.value)
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
		if detail, at, bad := pcre.Fault(p.Path); bad {
			r.report(ingress.Error, CodeRegexp, p.Source, rewrite.Origin{Key: "path", Offset: at}, "%s; this path is not served", detail)
			return false
		}
		e.Pattern.Type = route.Regex
		e.Pattern.Path = strings.TrimPrefix(p.Path, "^")
	default:
		e.Pattern.Type = route.TextPrefix
	}
	return true
}

// rewriteTarget sets the rules of e that rewrite-target asks for. It returns
// false if that cannot be translated.
func (r *reading) rewriteTarget(e *ingress.Entry, p *ingress.PathRule, kind string) bool {
	a, ok := r.found["rewrite-target"]
	if !ok {
		return true
	}
	if kind = kindOf(p, kind); kind == regexPath {
		path := annotation{"path", p.Path}
		regex := "^" + strings.TrimPrefix(p.Path, "^")
		if strings.Contains(regex, "|") {
			regex = "^(?:" + regex[1:] + ")"
		}
		made, fault := r.replacement(p.Source, path, 0, regex, a, 0, a.value)
		if fault != nil {
			r.report(ingress.Error, fault.code, p.Source, fault.a.origin(fault.offset), "%s; this path is not served", fault.detail)
			return false
		}
		e.Rules = []rewrite.Rule{{Action: made.action(), Origin: a.origin(0)}}
		return true
	}
	target, at, err := literal(strings.TrimSpace(a.value))
	if err == nil && !strings.HasPrefix(target, "/") {
		at, err = 0, errNoSlash
	}
	if err != nil {
		r.report(ingress.Error, formatCode(err), p.Source, a.origin(at), "%v; this path is not served", err)
		return false
	}
	if strings.HasSuffix(target, "/") && target != "/" && !strings.HasSuffix(p.Path, "/") {
		r.warn(CodeDoubleSlash, p.Source, a.origin(len(target)-1), "HAProxy would make two slashes of %s/x; here it is one: write both with a final slash, or both without", p.Path)
	}
	action := replacePrefix(p.Path, target, kind)
	if action.Op() == 0 {
		return true
	}
	if fault := r.judge(action); fault != nil {
		r.report(ingress.Error, CodeValue, p.Source, a.origin(0), "%v; this path is not served", fault.Err)
		return false
	}
	e.Rules = []rewrite.Rule{{Action: action, Origin: a.origin(0)}}
	return true
}

// replacePrefix returns the action that puts target in the place of path, which
// the route has matched by kind; the zero Action if that changes nothing.
func replacePrefix(path, target, kind string) rewrite.Action {
	if strings.HasSuffix(path, "/") {
		// What follows is behind a slash, and target gets one too.
		path, target = path[:len(path)-1], strings.TrimSuffix(target, "/")
		if path == "" && target == "" {
			return rewrite.Action{}
		}
		if path == "" {
			return rewrite.AddPathPrefix(target)
		}
	}
	root := target == "" || target == "/"
	switch {
	case kind == beginPath && root:
		return rewrite.TrimPathText(path)
	case kind == beginPath:
		return rewrite.ReplacePathText(path, target)
	case root:
		return rewrite.TrimPathPrefix(path)
	}
	return rewrite.ReplacePathPrefix(path, target)
}
