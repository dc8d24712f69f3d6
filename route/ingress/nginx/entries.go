package nginx

// Entries: what a location becomes.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// entries returns the entries of all locations, in the order of their slots.
func (t *translation) entries() []ingress.Entry {
	places := make([]*location, t.count)
	for _, o := range t.objects {
		for _, l := range o.places {
			places[l.slot] = l
		}
	}
	list := make([]ingress.Entry, 0, len(places))
	for _, l := range places {
		if !l.o.begun {
			l.o.begun = true
			list = append(list, t.hostEntries(l.o)...)
		}
		list = append(list, t.expand(l)...)
	}
	return list
}

// expand returns the entries of a location: for its host and for its aliases.
func (t *translation) expand(l *location) []ingress.Entry {
	t.hideRoot(l)
	if l.hidden {
		t.report(l.p.Source, ingress.Warning, ingress.CodeShadowed, pathField, 0, "%s", l.why)
		if l.earlier != nil {
			t.relate(l.earlier.p.Source)
		}
		return nil
	}
	if t.closed(l) {
		return t.withAliases(l, []ingress.Entry{l.closedEntry()})
	}
	e, always, ok := t.base(l)
	if !ok {
		return nil
	}
	if t.server(l.p).moves && (len(l.branches) > 0 || dependsOnPath(e.Redirect)) {
		t.report(e.Source, ingress.Warning, CodeSnippetChain, pathField, 0, "a rewrite line of this host may lead requests here, and they are redirected by the path that the client sent, or away from here before they are redirected: write lines that exclude each other, and redirect the client's paths too")
	}
	list := t.exactRedirects(l)
	list = append(list, t.slashRedirect(l)...)
	list = append(list, t.branchEntries(l)...)
	if t.toHTTPS(l) && (len(l.branches) > 0 || !always && e.Redirect != nil) {
		t.report(e.Source, ingress.Warning, CodeRedirectOrder, pathField, 0, "requests over http are redirected to https first, and not as the snippet says")
	}
	if !always && t.toHTTPS(l) {
		https := httpsEntry(e)
		if t.compat {
			https.Rules = beforeLocation(e.Rules)
		}
		list = append(list, https)
	}
	if l.fallback && e.Redirect == nil {
		return t.withAliases(l, list)
	}
	if l.canary != nil && !always {
		list = append(list, l.canary.entries(e, l.o.backend.of(l.canary.backend))...)
	} else {
		list = append(list, e)
	}
	return t.withAliases(l, list)
}

// dependsOnPath reports whether a redirect depends on the path but as a whole.
func dependsOnPath(r *ingress.Redirect) bool {
	return r != nil && (r.Pattern != "" || slices.ContainsFunc(r.Rules, func(rule rewrite.Rule) bool {
		return rule.Action.Op() == rewrite.OpRewritePath
	}))
}

// withAliases adds copies of the entries for the aliases of l's host.
func (t *translation) withAliases(l *location, list []ingress.Entry) []ingress.Entry {
	n := len(list)
	for _, alias := range t.extraHosts(l.o, l.p) {
		for _, e := range list[:n] {
			e.Pattern.Host = alias
			e.Source.Part = join(e.Source.Part, "alias="+alias)
			list = append(list, e)
		}
	}
	return list
}

// base returns the entry of a location without canary and https. always: every
// request gets the same answer. ok is false if it cannot be said.
func (t *translation) base(l *location) (e ingress.Entry, always, ok bool) {
	o := l.o
	e = ingress.Entry{
		Source:          l.p.Source,
		Pattern:         l.pattern,
		Backends:        []ingress.Backend{o.backend.of(l.p.Backend)},
		RequestHeaders:  slices.Clone(l.request),
		ResponseHeaders: slices.Clone(o.response),
		MaxBodySize:     o.maxBodySize,
		Back:            o.back,
	}
	if l.part != "" {
		e.Source.Part = join(e.Source.Part, l.part)
	}
	var ends, by *snippet // one that ends what follows, and the one of the redirect
	for _, s := range t.snippets(l) {
		if s.leaves || s.breaks {
			ends = s
		}
		e.Rules = append(e.Rules, s.rules...)
		for _, h := range s.request {
			e.RequestHeaders = append(e.RequestHeaders, l.header(h))
		}
		for _, h := range s.response {
			if h.Op != ingress.AddHeader || s == o.config || o.config == nil || !o.config.adds {
				e.ResponseHeaders = append(e.ResponseHeaders, l.header(h))
			}
		}
		switch {
		case s.redirect == nil, slices.Contains(l.branches, s), t.misses(l, s.branch):
		case s.onlyBranch:
			t.report(e.Source, ingress.Error, CodeSnippet, s.name, s.branch.at, "%s on this path, which has other requests than those that it redirects: the path answers 500; write it for path /", noPattern)
			return l.closedEntry(), true, true
		case e.Redirect == nil:
			e.Redirect, always, by = s.redirect, s.always, s
		case !always:
			t.report(e.Source, ingress.Error, CodeSnippet, s.name, 0, "two snippets redirect requests of this path, and an entry has one redirect: the path answers 500")
			return l.closedEntry(), true, true
		}
	}
	if e.Redirect == nil {
		if e.Redirect = t.annotated(l); e.Redirect == nil {
			e.Redirect = l.to
		}
		always = e.Redirect != nil
	} else if !always && (o.redirect.to != nil || l.to != nil) {
		t.report(e.Source, ingress.Error, CodeSnippet, by.name, 0, "a line redirects some requests of this path and an annotation all, and an entry has one redirect: the path answers 500")
		return l.closedEntry(), true, true
	}
	if always && by == nil && ends != nil {
		t.report(e.Source, ingress.Error, CodeSnippetChain, ends.name, 0, "a line keeps some requests of this path from the redirect of an annotation, and an entry redirects all: the path answers 500")
		return l.closedEntry(), true, true
	}
	rewrites := l.rewrite != nil || l.to != nil && e.Redirect != l.to
	if always {
		if rewrites {
			t.report(e.Source, ingress.Warning, CodeRedirectWins, rewriteTarget, 0, "every request is redirected, so nothing is rewritten: remove one of them")
		}
		first := t.serverRules(l)
		if rest := e.Rules[len(first):]; by == nil && len(rest) > 0 {
			t.report(e.Source, ingress.Warning, CodeRedirectWins, strings.TrimPrefix(rest[0].Origin.Key, prefix), 0, "every request is redirected, so nothing is rewritten: remove one of them")
		}
		e.Backends, e.Rules = nil, first
		return e, true, true
	}
	if ends != nil && ends.breaks && rewrites {
		t.report(e.Source, ingress.Warning, CodeSnippetChain, rewriteTarget, 0, "a rewrite in the %s keeps the controller from rewriting what it matches; here its result is rewritten", ends.name)
	}
	if len(t.serverRules(l)) > 0 && o.config != nil && o.config.moves {
		t.report(e.Source, ingress.Warning, CodeSnippetChain, o.config.name, 0, "where a rewrite in the server-snippet leads from this path to another, the controller runs the lines of that one, and here these run first: write lines that exclude each other")
	}
	e.Rules = append(e.Rules, rules(l.rewrite, rewrite.AfterLocation, rewriteTarget)...)
	host, ok := t.vhost(l)
	e.Rules = append(e.Rules, host...)
	return e, false, ok
}

// snippets returns the snippets that govern l: of its server, in Strict only
// those of its own Ingress, and then its own.
func (t *translation) snippets(l *location) []*snippet {
	var list []*snippet
	if t.compat {
		if s := t.server(l.p).snippet; s != nil {
			list = append(list, s)
		}
	} else if l.o.server != nil {
		list = append(list, l.o.server)
	}
	if l.o.config != nil {
		list = append(list, l.o.config)
	}
	return list
}

// serverRules returns the rules of l's server, which in Compat run before any of
// its locations is found, and so before any redirect but its own.
func (t *translation) serverRules(l *location) []rewrite.Rule {
	if s := t.server(l.p).snippet; t.compat && s != nil && !s.always {
		return s.rules
	}
	return nil
}

// annotated returns the redirect of permanent-redirect or temporal-redirect.
func (t *translation) annotated(l *location) *ingress.Redirect {
	d := &l.o.redirect
	if d.to == nil {
		return nil
	}
	to := t.within(l, d.to, d.name)
	if t.compat && l.o.config != nil && l.o.config.tests && to.captures() {
		t.report(l.p.Source, ingress.Warning, CodeNoGroup, d.name, 0, "its captures are empty: behind a rewrite line of the configuration-snippet they are no longer those of the path")
		to = to.without(0)
	}
	return d.redirect(to, l.expr)
}

// slashRedirect returns the entry of the redirect to a path with a final slash
// that nginx makes of its own accord.
func (t *translation) slashRedirect(l *location) []ingress.Entry {
	s := t.server(l.p)
	path := strings.TrimSuffix(l.text, "/")
	exact := pathKey{path: path, exact: true}
	if path == l.text || path == "" || l.p.Default || s.redirects(path) || t.compat && s.regex || s.paths[pathKey{path: path}] != nil || s.paths[exact] != nil {
		return nil
	}
	t.quirk(l.p.Source, CodeSlashRedirect, pathField, path+" is redirected to "+l.text, "a Prefix matches both, and an Exact path only itself")
	if !t.compat {
		return nil
	}
	s.paths[exact] = l.p
	to := []rewrite.Rule{
		{Action: rewrite.SetPath(l.text), Origin: rewrite.Origin{Key: pathField}},
		{Action: rewrite.SetPort(""), Origin: rewrite.Origin{Key: pathField}},
	}
	e := ingress.Entry{
		Source:   l.p.Source,
		Pattern:  route.Pattern{Host: l.p.Host, Path: path, Type: route.Exact},
		Rules:    t.serverRules(l),
		Redirect: &ingress.Redirect{Status: 301, Rules: to},
	}
	e.Source.Part = join(e.Source.Part, "slash-redirect")
	return []ingress.Entry{e}
}

// toHTTPS reports whether requests over http are redirected to https.
func (t *translation) toHTTPS(l *location) bool {
	o := l.o
	if o.forceSSL || !o.sslRedirect {
		return o.forceSSL
	}
	if t.compat {
		return t.server(l.p).tls
	}
	return o.hasTLS(hostKey(l.p.Host))
}

// beforeLocation returns those of list that run before the route is chosen, which
// in nginx is before the redirect to https.
func beforeLocation(list []rewrite.Rule) []rewrite.Rule {
	var before []rewrite.Rule
	for _, r := range list {
		if r.Hook == rewrite.BeforeLocation {
			before = append(before, r)
		}
	}
	return before
}

// httpsEntry returns the entry that redirects the requests of e over http.
func httpsEntry(e ingress.Entry) ingress.Entry {
	to := []rewrite.Action{rewrite.SetScheme("https"), rewrite.SetPort("")}
	e = ingress.Entry{
		Source: e.Source, Pattern: e.Pattern, When: route.Conditions{Scheme: "http"},
		Redirect: &ingress.Redirect{Status: 308, Rules: rules(to, rewrite.AfterLocation, "ssl-redirect")},
	}
	e.Source.Part = join(e.Source.Part, "https")
	return e
}
