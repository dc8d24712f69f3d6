package haproxy

// The reading of haproxytech's controller.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// Where plain requests are redirected to if nobody says where: by HTTPS itself,
// and by the controller.
const (
	httpsPort     = "443"
	techHTTPSPort = "8443"
)

// An https is the redirect of plain requests.
type https struct {
	on     bool
	status int
	port   string
	origin rewrite.Origin
}

func (r *reading) tech() {
	r.finalSlashes()
	redirect := r.requestRedirect()
	lines := r.pathRewrite()
	host := r.setHost()
	requestHeaders, responseHeaders := r.setHeaders("request-set-header"), r.setHeaders("response-set-header")
	if i := lastHost(requestHeaders); i >= 0 {
		a := r.found["request-set-header"]
		host = r.hostRule(a, 0, requestHeaders[i].Value)
		requestHeaders = withoutHost(requestHeaders)
	}
	secure := r.techHTTPS()
	server := r.techServer()
	if redirect != nil {
		r.dead("request-redirect redirects every request", "path-rewrite", "set-host", "request-set-header")
	}
	if !slices.ContainsFunc(r.paths, func(p ingress.PathRule) bool { return !p.Default }) {
		r.dead("it is about paths, and there is only a default backend",
			"path-rewrite", "set-host", "request-redirect", "ssl-redirect", "request-set-header", "response-set-header")
	}
	services := make(map[ingress.Service]*techService)
	for i := range r.paths {
		p := &r.paths[i]
		e := ingress.Entry{Source: p.Source, Pattern: techPattern(p), Backends: []ingress.Backend{p.Backend}}
		routable := r.routable(&e.Pattern, p)
		service := r.techService(p, server, services)
		if r.guarded || service.guarded {
			if routable || r.below(&e.Pattern, p) {
				e.Backends = closed(p)
				r.out.Entries = append(r.out.Entries, e)
			}
			continue
		}
		if service.acl.Key != "" {
			r.reportACL(p, service.acl)
			continue
		}
		if !routable || r.lost && !p.Default {
			continue
		}
		service.set(&e.Backends[0])
		if p.Default {
			r.out.Entries = append(r.out.Entries, e)
			continue
		}
		if secure.on {
			r.out.Entries = append(r.out.Entries, toHTTPS(&e, secure.status, secure.port, secure.origin))
		}
		e.Redirect, e.ResponseHeaders = redirect, responseHeaders
		if redirect == nil {
			e.RequestHeaders = requestHeaders
			e.Rules = slices.Concat(host, r.rewrites(lines, p))
		}
		r.out.Entries = append(r.out.Entries, e)
	}
}

// finalSlashes cuts the final slash of ImplementationSpecific paths in Compat, as
// the controller does.
func (r *reading) finalSlashes() {
	for i := range r.paths {
		p := &r.paths[i]
		short := strings.TrimSuffix(p.Path, "/")
		if p.Default || !isText(p) || short == "" || short == p.Path {
			continue
		}
		if !r.compat {
			r.warn(CodeSlash, p.Source, rewrite.Origin{Key: "path"}, "the controller cuts the final slash, so that %.64q and %.64q are routed too; here they are not: write the path without it", short, short+"x")
			continue
		}
		r.warn(CodeSlash, p.Source, rewrite.Origin{Key: "path"}, "the final slash is cut, so that %.64q and %.64q are routed too; in Strict they are not: write the type Prefix", short, short+"x")
		p.Path = short
	}
}

// techPattern returns the pattern of a path. An ImplementationSpecific path is
// a text prefix to the controller.
func techPattern(p *ingress.PathRule) route.Pattern {
	pattern := route.Pattern{Host: p.Host, Path: p.Path}
	switch p.Type {
	case "Exact":
		pattern.Type = route.Exact
	case "Prefix":
		pattern.Type = route.Prefix
	default:
		pattern.Type = route.TextPrefix
	}
	return pattern
}

// requestRedirect returns the redirect that takes every request to another
// host with its path and query, or nil.
func (r *reading) requestRedirect() *ingress.Redirect {
	a, ok := r.found["request-redirect"]
	if !ok {
		r.dead("there is no request-redirect", "request-redirect-code")
		return nil
	}
	text, at, err := literal(a.Value)
	if err != nil {
		r.lose(formatCode(err), a, at, "%v", err)
		return nil
	}
	text = strings.TrimSpace(text)
	scheme := "http"
	for _, s := range []string{"http", "https"} {
		if rest, ok := strings.CutPrefix(text, s+"://"); ok {
			scheme, text = s, rest
			break
		}
	}
	host, path, below := strings.Cut(text, "/")
	if _, err := hostname.Parse(host); err != nil {
		r.lose(CodeValue, a, max(0, strings.Index(a.Value, host)), "%.64q is no host: %v; write host[:port], or a scheme before it", host, err)
		return nil
	}
	redirect := &ingress.Redirect{Status: r.status("request-redirect-code", statuses), Rules: []rewrite.Rule{
		{Action: rewrite.SetScheme(scheme), Origin: a.Origin(0)},
		{Action: rewrite.SetHost(host), Origin: a.Origin(0)},
	}}
	if below && path != "" {
		action := rewrite.AddPathPrefix("/" + path)
		if fault := judge.Action(action, r.c); fault != nil {
			r.lose(CodeValue, a, strings.LastIndex(a.Value, path), "%v", fault.Err)
			return nil
		}
		redirect.Rules = append(redirect.Rules, rewrite.Rule{Action: action, Origin: a.Origin(0)})
	}
	return redirect
}

// setHost returns the rule of set-host.
func (r *reading) setHost() []rewrite.Rule {
	a, ok := r.found["set-host"]
	if !ok {
		return nil
	}
	text, at, err := literal(a.Value)
	if err != nil {
		r.lose(formatCode(err), a, at, "%v", err)
		return nil
	}
	return r.hostRule(a, 0, text)
}

func (r *reading) hostRule(a given.Annotation, offset int, host string) []rewrite.Rule {
	rule := rewrite.Rule{Action: rewrite.SetHost(strings.TrimSpace(host)), Origin: a.Origin(offset)}
	if fault := judge.Action(rule.Action, r.c); fault != nil {
		r.lose(CodeValue, a, offset, "%v", fault.Err)
		return nil
	}
	return []rewrite.Rule{rule}
}

// techHTTPS reads ssl-redirect, which is on where there is a certificate.
func (r *reading) techHTTPS() https {
	a, written := r.found["ssl-redirect"]
	// What is no boolean is off to the controller, and so it is in Compat.
	otherwise := len(r.in.TLS) > 0 && !(written && r.compat)
	h := https{on: r.flag("ssl-redirect", otherwise), port: httpsPort, origin: a.Origin(0)}
	if !h.on {
		r.dead("ssl-redirect is off", "ssl-redirect-code", "ssl-redirect-port")
		return h
	}
	h.status = r.status("ssl-redirect-code", sslStatuses)
	if r.compat {
		h.port = techHTTPSPort
	}
	if a, ok := r.found["ssl-redirect-port"]; ok {
		port := strings.TrimSpace(a.Value)
		if n, err := strconv.Atoi(port); err == nil && 0 < n && n < 65536 && port == strconv.Itoa(n) {
			h.port = port
			return h
		}
		r.warn(CodeValue, r.source, a.Origin(0), "%.64q is no port: it is %s; write 1 to 65535", a.Value, h.port)
	}
	if r.compat {
		r.warn(CodePort, r.source, h.origin, "plain requests are redirected to port %s, as the controller does by itself; in Strict it is %s: write ssl-redirect-port", techHTTPSPort, httpsPort)
	}
	return h
}
