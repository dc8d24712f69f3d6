package traefik

// The steps of the middlewares, done to one path.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// apply makes e do what the steps say. It returns the entry for the requests
// that are redirected because of their scheme, or nil.
func (r *reading) apply(e *ingress.Entry, to router, steps []step) *ingress.Entry {
	var plain *ingress.Entry
	e.Redirect = to.redirect
	if to.plain != nil {
		plain = schemeEntry(e, "http", *to.plain, nil)
	}
	first := true // no rule has changed the path
	for i := range steps {
		s := &steps[i]
		add := func(a rewrite.Action) {
			e.Rules = append(e.Rules, rewrite.Rule{Action: a, Origin: s.origin})
			first = first && a.Op() == rewrite.OpSetHost
		}
		switch {
		case len(s.prefixes) > 0:
			add(trim(e, s.prefixes, first))
		case s.regex != nil:
			add(s.regex.action(e, first))
		case s.action.Op() != 0:
			add(s.action)
		case s.scheme != nil:
			plain = schemeEntry(e, s.from, *s.scheme, e.Rules)
		case s.redirect != nil:
			e.Redirect = s.redirect
		}
		if s.host != "" {
			add(rewrite.SetHost(s.host))
		}
		e.RequestHeaders = append(e.RequestHeaders, s.request...)
		e.ResponseHeaders = append(e.ResponseHeaders, s.response...)
		if s.maxBody > 0 && (e.MaxBodySize == 0 || s.maxBody < e.MaxBodySize) {
			e.MaxBodySize = s.maxBody
		}
	}
	if action := to.action(e); action.Op() != 0 {
		e.Rules = append(e.Rules, rewrite.Rule{Action: action, Origin: to.origin})
	}
	return plain
}

// schemeEntry returns the entry that redirects the requests of e that have a
// scheme, whose URLs rules have changed before.
func schemeEntry(e *ingress.Entry, scheme string, redirect ingress.Redirect, rules []rewrite.Rule) *ingress.Entry {
	redirect.Rules = append(slices.Clone(rules), redirect.Rules...)
	out := &ingress.Entry{Source: e.Source, Pattern: e.Pattern, When: route.Conditions{Scheme: scheme}, Redirect: &redirect}
	out.Source.Part = strings.TrimSpace(out.Source.Part + " redirect-scheme")
	return out
}

// trim returns the action of stripPrefix: by segment where no path of e tells
// the difference, which is then what a proxy has a word for.
func trim(e *ingress.Entry, prefixes []string, first bool) rewrite.Action {
	if p := prefixes[0]; first && bySegment(e, p) {
		return rewrite.TrimPathPrefix(p)
	}
	return rewrite.TrimPathText(prefixes...)
}
