package nginx

// Hosts: what an Ingress adds to a host beside its paths: app-root and the www
// host.

import (
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
		if t.compat && t.toHTTPS(l) && !o.keepSlash {
			t.report(l.p.Source, ingress.Warning, CodeDropsSlash, "ssl-redirect", 0,
				`the controller's redirect to https loses a final slash, which stays here: write preserve-trailing-slash: "true"`)
		}
	}
	return list
}

// rootEntries returns those of app-root: nginx redirects "/" of a server before
// it looks for a location, so in Compat they are made with the first entries of
// the host, whichever Ingress has the app-root. Of several, that of the longest
// path is written first, and behind a server-snippet.
func (t *translation) rootEntries(l *location, s *server) []ingress.Entry {
	var list []ingress.Entry
	if t.compat && s.redirects("/") {
		if l.o.appRoot != "" {
			t.report(l.p.Source, ingress.Warning, CodeNoEffect, "app-root", 0, "the server-snippet of the host redirects / before")
		}
		return nil
	}
	if t.compat && !s.rootMade {
		s.rootMade = true
		for _, l := range s.places {
			if l.o.appRoot != "" && !t.closed(l) && (s.root == nil || byPath(l.p.Path, s.root.p.Path) < 0) {
				s.root = l
			}
		}
		if s.root != nil {
			list = t.withAliases(s.root, t.rootEntriesOf(s.root))
		}
	}
	switch {
	case l.o.appRoot == "" || s.root != nil && s.root.o == l.o:
		return list
	case s.root != nil:
		t.report(l.p.Source, ingress.Warning, CodeNoEffect, "app-root", 0, "the app-root of another Ingress of the host is read instead")
		return list
	}
	s.root = l
	return t.withAliases(l, t.rootEntriesOf(l))
}

func (t *translation) rootEntriesOf(l *location) []ingress.Entry {
	to, _ := parseTarget(l.o.appRoot)
	e := ingress.Entry{
		Source:   l.p.Source,
		Pattern:  route.Pattern{Host: l.p.Host, Path: "/", Type: route.Exact},
		Rules:    t.serverRules(l),
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
	if !l.o.www || s.wwwMade {
		return nil
	}
	s.wwwMade = true
	other, ok := s.otherWWW()
	if !ok {
		t.report(l.p.Source, ingress.Warning, CodeNoEffect, fromToWWW, 0, "%.64q is no host with or without www", s.name)
		return nil
	}
	if t.servers[other] != nil {
		t.report(l.p.Source, ingress.Warning, CodeHostTaken, fromToWWW, 0, "%s is the host of an Ingress: it is not redirected", other)
		return nil
	}
	entry := func(scheme string, to rewrite.Action) ingress.Entry {
		e := ingress.Entry{
			Source:   l.p.Source,
			Pattern:  route.Pattern{Host: other, Path: "/"},
			When:     route.Conditions{Scheme: scheme},
			Redirect: &ingress.Redirect{Status: 308, Rules: rules([]rewrite.Action{to}, rewrite.AfterLocation, fromToWWW)},
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
	t.report(l.p.Source, ingress.Warning, CodeDropsSlash, fromToWWW, 0, "the controller's redirect loses a final slash, which stays here, and names the port, which in Strict is that of the request")
	return []ingress.Entry{
		entry("http", rewrite.SetHost(s.name+":80")),
		entry("https", rewrite.SetHost(s.name+":443")),
	}
}
