package nginx

// Hosts: what an Ingress adds to a host beside its paths: app-root, the www
// host, and the default location.

import (
	"slices"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// hostEntries returns the entries that o adds to its hosts.
func (t *translation) hostEntries(o *object) []ingress.Entry {
	var list []ingress.Entry
	for _, l := range o.places {
		s := t.server(l.p)
		if s.began == o || t.closed(l) {
			continue
		}
		s.began = o
		list = append(list, t.rootEntries(l, s)...)
		list = append(list, t.wwwEntries(l, s)...)
		list = append(list, t.defaultLocation(l, s)...)
		if t.compat && t.toHTTPS(l) && !o.keepSlash {
			t.report(l.p.Source, ingress.Warning, CodeDropsSlash, "ssl-redirect", 0,
				`the controller's redirect to https loses a final slash, which stays here: write preserve-trailing-slash: "true"`)
		}
	}
	return list
}

// rootEntries returns those of app-root: nginx redirects "/" of a server before
// it looks for a location, so in Compat they are made with the first entries of
// the host, whichever Ingress has the app-root.
func (t *translation) rootEntries(l *location, s *server) []ingress.Entry {
	if t.compat && !s.rootMade {
		s.rootMade = true
		if i := slices.IndexFunc(s.places, func(l *location) bool { return l.o.appRoot != "" && !t.closed(l) }); i >= 0 {
			s.root = s.places[i]
			return t.withAliases(s.root, t.rootEntriesOf(s.root))
		}
	}
	switch {
	case l.o.appRoot == "" || s.root != nil && s.root.o == l.o:
		return nil
	case s.root != nil:
		t.report(l.p.Source, ingress.Warning, CodeNoEffect, "app-root", 0, "an earlier Ingress of the host has an app-root")
		return nil
	}
	s.root = l
	return t.withAliases(l, t.rootEntriesOf(l))
}

func (t *translation) rootEntriesOf(l *location) []ingress.Entry {
	to, _ := parseTarget(l.o.appRoot)
	e := ingress.Entry{
		Source:   l.p.Source,
		Pattern:  route.Pattern{Host: l.p.Host, Path: "/", Type: route.Exact},
		Redirect: to.redirect(302, "", false, "app-root"),
	}
	e.Source.Part = join(e.Source.Part, "app-root")
	if !t.toHTTPS(l) {
		return []ingress.Entry{e}
	}
	t.quirk(l.p.Source, CodeRedirectOrder, "app-root", "the redirect to the app-root comes before that to https", "https is first")
	if t.compat {
		return []ingress.Entry{e}
	}
	return []ingress.Entry{httpsEntry(e), e}
}

// wwwEntries returns those of from-to-www-redirect.
func (t *translation) wwwEntries(l *location, s *server) []ingress.Entry {
	const name = "from-to-www-redirect"
	if !l.o.www || s.wwwMade {
		return nil
	}
	s.wwwMade = true
	other, ok := s.otherWWW()
	if !ok {
		t.report(l.p.Source, ingress.Warning, CodeNoEffect, name, 0, "%.64q is no host with or without www", s.name)
		return nil
	}
	if t.servers[other] != nil {
		t.report(l.p.Source, ingress.Warning, CodeHostTaken, name, 0, "%s is the host of an Ingress: it is not redirected", other)
		return nil
	}
	entry := func(scheme string, to rewrite.Action) ingress.Entry {
		e := ingress.Entry{
			Source:   l.p.Source,
			Pattern:  route.Pattern{Host: other, Path: "/"},
			When:     route.Conditions{Scheme: scheme},
			Redirect: &ingress.Redirect{Status: 308, Rules: rules([]rewrite.Action{to}, rewrite.AfterLocation, name)},
		}
		e.Source.Part = join(e.Source.Part, "www")
		if scheme != "" {
			e.Source.Part += "-" + scheme
		}
		return e
	}
	if !t.compat {
		return []ingress.Entry{entry("", rewrite.SetHostname(s.name))}
	}
	t.report(l.p.Source, ingress.Warning, CodeDropsSlash, name, 0, "the controller's redirect loses a final slash, which stays here, and names the port, which in Strict is that of the request")
	return []ingress.Entry{
		entry("http", rewrite.SetHost(s.name+":80")),
		entry("https", rewrite.SetHost(s.name+":443")),
	}
}

// defaultLocation returns that of a host without "/", to which the controller
// gives what the host's first Ingress says of its paths: here its redirect, for
// there is nothing behind it to forward to.
func (t *translation) defaultLocation(l *location, s *server) []ingress.Entry {
	o := l.o
	if s.hasRoot || s.first != o {
		return nil
	}
	var to *ingress.Redirect
	name := o.redirect.name
	switch {
	case o.config != nil && o.config.always:
		to, name = o.config.redirect, o.config.name
	case o.redirect.to != nil:
		to = o.redirect.redirect(o.redirect.to.without(0), "")
	case o.to != nil && o.to.absolute:
		to = &ingress.Redirect{Status: 302, Rules: rules(o.to.without(0).actions("", true), rewrite.AfterLocation, rewriteTarget)}
		name = rewriteTarget
	default:
		return nil
	}
	t.quirk(l.p.Source, CodeDefaultLocation, name, "the host has no path /, so all of its other paths are redirected too", "only the Ingress's own paths are")
	if !t.compat {
		return nil
	}
	e := ingress.Entry{
		Source:   l.p.Source,
		Pattern:  route.Pattern{Host: l.p.Host, Path: "/"},
		Redirect: to,
	}
	if s.regex {
		e.Pattern.Type = route.Regex
	}
	e.Source.Path, e.Source.Part = -1, "default-location"
	return t.withAliases(l, []ingress.Entry{e})
}
