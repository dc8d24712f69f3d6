package nginx

// Hosts: what an Ingress adds to a host beside its paths: app-root, the www
// host, and the default location.

import (
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// hostEntries returns the entries that o adds to its hosts.
func (t *translation) hostEntries(o *object) []ingress.Entry {
	var list []ingress.Entry
	for _, l := range o.places {
		s := t.server(l.p)
		if s.began == o {
			continue
		}
		s.began = o
		list = append(list, t.withAliases(l, t.rootEntries(l, s))...)
		list = append(list, t.wwwEntries(l, s)...)
		list = append(list, t.defaultLocation(l, s)...)
		if t.compat && t.toHTTPS(l) && !o.keepSlash {
			t.report(l.p.Source, ingress.Warning, CodeDropsSlash, "ssl-redirect", 0,
				`the controller's redirect to https loses a final slash, which stays here: write preserve-trailing-slash: "true"`)
		}
	}
	return list
}

// rootEntries returns those of app-root: nginx redirects "/" of a server.
func (t *translation) rootEntries(l *location, s *server) []ingress.Entry {
	o := l.o
	if o.appRoot == "" {
		return nil
	}
	if s.rooted {
		t.report(l.p.Source, ingress.Warning, CodeNoEffect, "app-root", 0, "an earlier Ingress of the host has an app-root")
		return nil
	}
	s.rooted = true
	to, _ := parseTarget(o.appRoot)
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
	if !l.o.www || s.www {
		return nil
	}
	s.www = true
	if s.name == "" || strings.HasPrefix(s.name, "*") {
		t.report(l.p.Source, ingress.Warning, CodeNoEffect, name, 0, "%.64q is no host with or without www", s.name)
		return nil
	}
	other, ok := strings.CutPrefix(s.name, "www.")
	if !ok {
		other = "www." + s.name
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
// gives the redirect of the host's first Ingress.
func (t *translation) defaultLocation(l *location, s *server) []ingress.Entry {
	d := l.o.redirect
	if d.to == nil || s.root || s.objects[0] != l.o {
		return nil
	}
	t.quirk(l.p.Source, CodeDefaultLocation, d.name, "the host has no path /, so all of its other paths are redirected too", "only the Ingress's own paths are")
	if !t.compat {
		return nil
	}
	e := ingress.Entry{
		Source:   l.p.Source,
		Pattern:  route.Pattern{Host: l.p.Host, Path: "/"},
		Redirect: t.annotated(&location{o: l.o, p: l.p, text: "/"}),
	}
	if s.regex {
		e.Pattern.Type = route.Regex
	}
	e.Source.Path, e.Source.Part = -1, "default-location"
	return []ingress.Entry{e}
}
