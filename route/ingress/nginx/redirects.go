package nginx

// Redirects: permanent-redirect, temporal-redirect and app-root as values.

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A redirect is what permanent-redirect or temporal-redirect says. The zero
// redirect is none.
type redirect struct {
	name     string // of the annotation
	to       *target
	status   int
	relative bool // a path is sent as it is
	text     string
}

const fromToWWW = "from-to-www-redirect"

// redirects reads the two annotations, of which the temporal one wins, and
// fromToWWW, which the controller reads with them.
func (r *reader) redirects() {
	o := r.o
	to := r.text("temporal-redirect")
	d := redirect{name: "temporal-redirect", status: 302}
	last := 308
	if r.compat {
		last = 307
	}
	if to == "" {
		to = r.text("permanent-redirect")
		d = redirect{name: "permanent-redirect", status: 301}
		last = 308
	} else if r.text("permanent-redirect") != "" {
		r.report(o.in.Source(), ingress.Warning, CodeRedirectWins, "permanent-redirect", 0, "temporal-redirect wins: remove one of them")
	}
	d.relative = r.bool("relative-redirects", false)
	if r.validate && r.redirectRefused(d.name) {
		return
	}
	o.www = r.bool(fromToWWW, false)
	code := d.name + "-code"
	if n, ok := r.number(code, "the default is used"); ok {
		if 300 <= n && n <= last {
			d.status = n
		} else {
			r.report(o.in.Source(), ingress.Warning, CodeStatus, code, 0, "%d is not from 300 to %d, so it is %d", n, last, d.status)
		}
	}
	if to == "" {
		return
	}
	if d.name == "temporal-redirect" && r.validate && !isHTTP(to) {
		r.bad(d.name, "only http and https are valid protocols, so there is no redirect, nor from-to-www-redirect: write a URL, or permanent-redirect")
		o.www = false
		return
	}
	var f *fault
	if strings.HasPrefix(to, "//") && !d.relative {
		f = &fault{CodeValue, 0, "it begins with two slashes, which is no host here and no path: write https:// and the host, or one slash"}
	} else {
		d.to, f = parseTarget(lowerScheme(to))
	}
	if f != nil {
		r.report(o.in.Source(), ingress.Error, f.code, d.name, f.offset+o.lead(d.name), "%s; nothing of this Ingress is served", f.text)
		o.dropped = true
		return
	}
	if d.relative && !d.to.absolute && d.to.captures() {
		r.report(o.in.Source(), ingress.Warning, CodeNoEffect, "relative-redirects", 0, "a redirect with captures is sent as a URL")
	}
	d.text = to
	if err := r.redirectFault(d.redirect(d.to.without(0), "")); err != nil {
		r.report(o.in.Source(), ingress.Error, CodeValue, d.name, 0, "Redirect: %v; nothing of this Ingress is served", err)
		o.dropped = true
		return
	}
	o.redirect = d
}

// redirectRefused reports whether the controller's validation refuses one of the
// annotations that it reads with name, and so drops the Ingress.
func (r *reader) redirectRefused(name string) bool {
	const then = notServed + "; Strict and SkipValidation take what can be said"
	wrong := r.refused(name, urlText, notServed)
	if value := r.written(name + "-code"); value != "" {
		if _, err := strconv.Atoi(value); err != nil {
			r.bad(name+"-code", "%.64q is not an integer: "+then, value)
			wrong = true
		}
	}
	if value := r.written(fromToWWW); value != "" {
		if _, err := strconv.ParseBool(value); err != nil {
			r.bad(fromToWWW, "%.64q is no switch: "+then, value)
			wrong = true
		}
	}
	r.o.dropped = r.o.dropped || wrong
	return wrong
}

// isHTTP reports whether the scheme of a URL is one that the controller takes in a
// temporal-redirect.
func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && strings.HasPrefix(u.Scheme, "http")
}

// redirectFault returns the first fault of a redirect, or nil.
func (t *translation) redirectFault(to *ingress.Redirect) error {
	_, err := ingress.CompileRedirect(to, t.options())
	if rule, ok := errors.AsType[*rewrite.RuleError](err); ok {
		return rule.Err
	}
	return err
}

// redirect returns what d says of paths that regex matches; to is its target
// without the groups that they do not have.
func (d *redirect) redirect(to *target, regex string) *ingress.Redirect {
	if !strings.Contains(d.text, "$") && (d.relative || !strings.HasPrefix(d.text, "/")) {
		return &ingress.Redirect{Status: d.status, Location: d.text}
	}
	return to.redirect(d.status, regex, false, d.name)
}

// lowerScheme returns text with http:// or https:// in lower case.
func lowerScheme(text string) string {
	for _, scheme := range []string{"http://", "https://"} {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return scheme + text[len(scheme):]
		}
	}
	return text
}

// rootPath reads app-root.
func (r *reader) rootPath() string {
	const then = "/ is not redirected"
	value := r.checked("app-root", pathWithCapture, then)
	if value == "" {
		return ""
	}
	to, f := parseTarget(value)
	switch {
	case f != nil:
		r.report(r.o.in.Source(), ingress.Error, f.code, "app-root", f.offset+r.o.lead("app-root"), "%s: %s", f.text, then)
	case to.absolute || !strings.HasPrefix(value, "/") || to.captures() || to.whole:
		r.bad("app-root", "%.64q is no absolute path: %s", value, then)
	default:
		if err := r.redirectFault(to.redirect(302, "", false, "app-root")); err != nil {
			r.bad("app-root", "%v: %s", err, then)
			return ""
		}
		return value
	}
	return ""
}
