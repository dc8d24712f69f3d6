package traefik

// Redirects: of the other scheme, and of the URLs that an expression matches.

import (
	"fmt"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

func (r *reading) redirectScheme(s *step, m *middleware) error {
	var config struct {
		Scheme, Port string
		Permanent    bool
	}
	if err := r.decode(s, m, &config, "scheme", "port", "permanent"); err != nil {
		return err
	}
	switch config.Scheme {
	case "https":
		s.from = "http"
	case "http":
		s.from = "https"
	default:
		return faultf(CodeValue, "scheme is %.64q: write https or http", config.Scheme)
	}
	port := rewrite.SetPort(config.Port)
	s.scheme = redirect(config.Permanent)
	s.scheme.Rules = []rewrite.Rule{{Action: rewrite.SetScheme(config.Scheme), Origin: s.origin}, {Action: port, Origin: s.origin}}
	return r.judged(port)
}

func (r *reading) redirectRegex(s *step, m *middleware) error {
	var config struct {
		Regex, Replacement string
		Permanent          bool
	}
	if err := r.decode(s, m, &config, "regex", "replacement", "permanent"); err != nil {
		return err
	}
	s.redirect = redirect(config.Permanent)
	return r.redirectBy(s.redirect, config.Regex, config.Replacement, s.what+": ", s.origin)
}

// redirectBy makes to redirect the URLs that an expression matches, or returns why
// it cannot. where stands before what is said about the replacement, and origin is
// its place.
func (r *reading) redirectBy(to *ingress.Redirect, expression, replacement, where string, origin rewrite.Origin) error {
	if expression == "" {
		return faultf(CodeValue, "regex is empty: write an expression for the whole URL")
	}
	tree, err := parse(expression)
	if err != nil {
		return err
	}
	t := goTemplate{names: tree.CapNames()}
	if text := t.rewrite(replacement); t.missing != "" {
		r.noGroup(where, t.missing, origin)
		replacement = text
	}
	to.Pattern, to.Template = expression, escaped(replacement)
	if _, err := ingress.CompileRedirect(to, judge.Options(r.c)); err != nil {
		return faultf(CodeValue, "%v", err)
	}
	return nil
}

// escaped returns the replacement of a redirect with escapes for what a Location
// cannot have, as Traefik sends it.
func escaped(replacement string) string {
	var b strings.Builder
	for _, c := range []byte(replacement) {
		if c == ' ' || c >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// redirect returns a redirect that keeps the method of what is neither GET nor
// HEAD, as Traefik's do.
func redirect(permanent bool) *ingress.Redirect {
	if permanent {
		return &ingress.Redirect{Status: 301, StatusOther: 308}
	}
	return &ingress.Redirect{Status: 302, StatusOther: 307}
}
