package contour

// Routes: what is done with the requests that meet their conditions.

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// Fields that are not read.
var (
	// guards keep requests out.
	guards = []string{
		"authPolicy", "authorization", "clientValidation", "ipAllowPolicy", "ipDenyPolicy", "jwtVerificationPolicy", "jwtProviders",
	}
	// quiet ones change neither URLs nor routes.
	quiet = []string{
		"enableWebsockets", "timeoutPolicy", "retryPolicy", "healthCheckPolicy", "loadBalancerPolicy", "healthPort",
		"slowStartPolicy", "ingressClassName", "tcpproxy", "status",
		"minimumProtocolVersion", "maximumProtocolVersion", "enableFallbackCertificate",
	}
	// loud ones change what a client gets.
	loud = []string{"directResponsePolicy", "internalRedirectPolicy", "rateLimitPolicy", "corsPolicy"}
)

// unread reports fields that are not read. ok is false if one of them guards
// what is served.
func (w *walk) unread(fields []string, key string) (ok bool) {
	ok = true
	for _, field := range fields {
		key := key + "." + field
		switch {
		case w.t.handled[field]:
		case contains(guards, field):
			w.add(ingress.Error, CodeGuard, key, "requests are not kept out by it here, so they are answered with 500: name it in Options.Handled if the caller does it")
			ok = false
		case contains(quiet, field):
			w.add(ingress.Note, CodeIgnored, key, "it changes neither URLs nor routes of HTTP, and is not read")
		case contains(loud, field):
			w.add(ingress.Warning, CodeUnsupported, key, "it is not done here")
		default:
			w.add(ingress.Warning, CodeUnknown, key, "the field is not known, and is not read")
		}
	}
	return ok
}

// contains reports whether a list has a name, letter case apart, as encoding/json
// takes names of fields.
func contains(list []string, name string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, name) })
}

func (w *walk) route(r *Route, key string, inherited conditions, spelled map[string]spelling) {
	c, ok := w.conditions(r.Conditions, key+".conditions", inherited)
	if !ok {
		return
	}
	e := ingress.Entry{Pattern: c.pattern(), When: c.when}
	ok = w.unread(r.Unread, key) && !w.guarded
	if (len(r.Services) > 0 || r.RequestRedirectPolicy != nil) && contains(r.Unread, "directResponsePolicy") {
		w.add(ingress.Error, CodeRoute, key+".directResponsePolicy", "there is something else that the route does: requests are answered with 500; write one of them")
		ok = false
	}
	switch {
	case len(r.Services) > 0 && r.RequestRedirectPolicy != nil:
		w.add(ingress.Error, CodeRoute, key, "there are services and a redirect: requests are answered with 500; write one of them")
		ok = false
	case r.RequestRedirectPolicy != nil:
		if r.PathRewritePolicy != nil {
			w.add(ingress.Warning, CodeUnsupported, key+".pathRewritePolicy", "it does nothing beside a redirect: write requestRedirectPolicy.prefix")
		}
		ok = w.redirect(&e, r.RequestRedirectPolicy, key+".requestRedirectPolicy", &c) && ok
	case len(r.Services) == 0:
		w.add(ingress.Error, CodeRoute, key, "there are neither services nor a redirect: requests are answered with 500; write one of them")
		ok = false
	default:
		ok = w.rewrite(&e, r.PathRewritePolicy, key+".pathRewritePolicy", &c, spelled) && ok
		w.backends(&e, r, key)
	}
	ops, host, allowed := w.headers(r.RequestHeadersPolicy, key+".requestHeadersPolicy", nil)
	e.RequestHeaders = ops
	e.ResponseHeaders, _, _ = w.headers(r.ResponseHeadersPolicy, key+".responseHeadersPolicy", nil)
	if host != "" && e.Redirect == nil {
		e.Rules = append(e.Rules, rewrite.Rule{Action: rewrite.SetHost(host), Origin: origin(key + ".requestHeadersPolicy")})
	}
	w.cookies(&e, r.CookieRewritePolicies, key+".cookieRewritePolicies")
	if !ok || !allowed {
		e = ingress.Entry{Pattern: e.Pattern, When: e.When, Backends: answers500()}
	}
	w.emit(e, r.PermitInsecure)
}

// rewrite gives e the rule of a pathRewritePolicy, and the pattern that goes with
// it. Contour makes two routes of a prefix that is replaced, unless both of its
// spellings are routed: /foo/ with a final slash in the replacement and /foo
// without. Together they replace the text /foo by the replacement without its
// final slash.
func (w *walk) rewrite(e *ingress.Entry, p *PathRewritePolicy, key string, c *conditions, spelled map[string]spelling) bool {
	with, at, ok := w.replacement(p, key, c.full())
	if ok && p != nil && len(p.ReplacePrefix) > 0 && c.kind != kindPrefix {
		w.add(ingress.Error, CodeMustHavePrefix, key, "only a prefix can be replaced, and the route has a condition %s: requests are answered with 500; write a prefix", c.kind)
		return false
	}
	if !ok || at == "" {
		return ok
	}
	if fault := judge.Action(rewrite.ReplacePathText("/", with), w.t.c); fault != nil {
		w.add(ingress.Error, CodeReplacement, at, "%v: requests are answered with 500", fault.Err)
		return false
	}
	full := c.full()
	trimmed := strings.TrimRight(full, "/")
	var action rewrite.Action
	switch replacement := strings.TrimRight(with, "/"); {
	case trimmed == "" && replacement == "":
		return true
	case trimmed == "", spelled[trimmed].both(w.t.compat):
		w.glues(full, with, at)
		action = rewrite.ReplacePathText(full, with)
	case trimmed != full && !w.t.compat:
		e.Pattern = route.Pattern{Path: trimmed}
		if action = rewrite.ReplacePathPrefix(trimmed, replacement); replacement == "" {
			action = rewrite.TrimPathPrefix(trimmed)
		}
	default:
		if trimmed == full {
			w.add(ingress.Note, CodeNoBoundary, at, "a prefix is text: %.64s is replaced in %.64sx too; write %.64s/ for a segment", full, full, full)
		} else {
			w.add(ingress.Warning, CodeTrailingSlash, at, "Contour also routes %.64s, and %.64sx: Strict takes the prefix by segment", trimmed, trimmed)
		}
		e.Pattern = route.Pattern{Path: trimmed, Type: route.TextPrefix}
		if action = rewrite.ReplacePathText(trimmed, replacement); replacement == "" {
			action = rewrite.TrimPathText(trimmed)
		}
	}
	e.Rules = []rewrite.Rule{{Action: action, Origin: origin(at)}}
	return true
}

// unknown reports fields of a policy that are not known, without which it would
// do something else.
func (w *walk) unknown(fields []string, key string) (ok bool) {
	for _, field := range fields {
		w.add(ingress.Error, CodeUnknown, key+"."+field, "the field is not known, so requests are answered with 500: look up its name")
	}
	return len(fields) == 0
}

// glues warns of a replacement between which and the rest there is no slash.
func (w *walk) glues(full, with, at string) {
	if full[len(full)-1] == '/' && with[len(with)-1] != '/' {
		w.add(ingress.Warning, CodeGlues, at, "%.64s is put before what follows %.64s, without a slash: write a final slash", with, full)
	}
}

// replacement returns the replacement for a prefix and the key of its field, ""
// if there is none: the one for exactly this prefix, else the one without.
func (w *walk) replacement(p *PathRewritePolicy, key, full string) (with, at string, ok bool) {
	if p == nil {
		return "", "", true
	}
	if !w.unknown(p.Unread, key) {
		return "", "", false
	}
	seen := make(map[string]bool, len(p.ReplacePrefix))
	exact := false
	for i, r := range p.ReplacePrefix {
		key := index(key+".replacePrefix", i)
		if !w.unknown(r.Unread, key) {
			return "", "", false
		}
		switch {
		case seen[r.Prefix] && r.Prefix == "":
			w.add(ingress.Error, CodeReplacement, key, "AmbiguousReplacement: there are two replacements without a prefix: requests are answered with 500; write one")
			return "", "", false
		case seen[r.Prefix]:
			w.add(ingress.Error, CodeReplacement, key+".prefix", "DuplicateReplacement: there are two replacements for %.64s: requests are answered with 500; write one", r.Prefix)
			return "", "", false
		case r.Replacement == "":
			w.add(ingress.Error, CodeReplacement, key+".replacement", "it is empty: requests are answered with 500; write / to remove the prefix")
			return "", "", false
		}
		seen[r.Prefix] = true
		if r.Prefix == full || r.Prefix == "" && !exact {
			with, at, exact = r.Replacement, key+".replacement", r.Prefix != ""
		}
	}
	return with, at, true
}

func (w *walk) redirect(e *ingress.Entry, p *RequestRedirectPolicy, key string, c *conditions) bool {
	refuse := func(field, format string, args ...any) bool {
		w.add(ingress.Error, CodeRedirect, key+field, format+": requests are answered with 500", args...)
		return false
	}
	to := &ingress.Redirect{Status: p.StatusCode}
	add := func(field string, a rewrite.Action) {
		to.Rules = append(to.Rules, rewrite.Rule{Action: a, Origin: origin(key + field)})
	}
	if !w.unknown(p.Unread, key) {
		return false
	}
	switch p.StatusCode {
	case 0:
		to.Status = 302
	case 301, 302:
	default:
		return refuse(".statusCode", "%d cannot be: write 301 or 302", p.StatusCode)
	}
	if p.Path != "" && p.Prefix != "" {
		return refuse(".path", "path and prefix exclude each other: write one")
	}
	if p.Scheme != "" {
		add(".scheme", rewrite.SetScheme(p.Scheme))
	}
	if p.Hostname != "" {
		add(".hostname", rewrite.SetHost(p.Hostname))
	}
	if p.Port != 0 {
		add(".port", rewrite.SetPort(strconv.Itoa(p.Port)))
	}
	switch {
	case p.Path != "":
		add(".path", rewrite.SetPath(p.Path))
	case p.Prefix != "" && c.kind != kindPrefix:
		w.add(ingress.Error, CodeMustHavePrefix, key+".prefix", "only a prefix can be replaced, and the route has a condition %s: requests are answered with 500; write path", c.kind)
		return false
	case p.Prefix != "":
		w.glues(c.full(), p.Prefix, key+".prefix")
		add(".prefix", rewrite.ReplacePathText(c.full(), p.Prefix))
	}
	if len(to.Rules) == 0 {
		return refuse("", "it changes nothing: write scheme, hostname, port, path or prefix")
	}
	if _, err := ingress.CompileRedirect(to, judge.Options(w.t.c)); err != nil {
		field := ""
		if fault, ok := errors.AsType[*rewrite.RuleError](err); ok {
			field = strings.TrimPrefix(fault.Origin.Key, key)
		}
		return refuse(field, "%v", judge.Reason(err))
	}
	e.Redirect = to
	return true
}
