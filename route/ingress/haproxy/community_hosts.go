package haproxy

// What haproxy-ingress reads about hosts: redirects, and other names of a host.

import (
	"errors"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
)

var errNoSlash = errors.New("the target does not begin with a slash: write one before it")

// redirectTo returns the redirect that takes every request to one URL, or nil.
func (r *reading) redirectTo() *ingress.Redirect {
	a, ok := r.found["redirect-to"]
	if !ok {
		r.dead("there is no redirect-to", "redirect-to-code")
		return nil
	}
	status := r.status("redirect-to-code", statuses)
	if location := r.location(a); location != "" {
		return &ingress.Redirect{Status: status, Location: location}
	}
	return nil
}

// appRoot returns the redirect of "/", or nil.
func (r *reading) appRoot() *ingress.Redirect {
	a, ok := r.found["app-root"]
	if !ok {
		return nil
	}
	if location := r.location(a); location != "" {
		return &ingress.Redirect{Location: location}
	}
	return nil
}

// location returns the value of a, which is no format, as the Location of a
// redirect, or "", which is then reported.
func (r *reading) location(a given.Annotation) string {
	text, offset := trim(a.Value)
	_, err := ingress.CompileRedirect(&ingress.Redirect{Location: text}, nil)
	if text == "" {
		err = errors.New("there is no location: write a URL or an absolute path")
	}
	if err != nil {
		r.lose(CodeValue, a, offset, "%v", err)
		return ""
	}
	return text
}

// rootEntry returns the entry that redirects "/" of p's host.
func rootEntry(p *ingress.PathRule, redirect *ingress.Redirect) ingress.Entry {
	e := ingress.Entry{
		Source: p.Source, Pattern: route.Pattern{Host: p.Host, Path: "/", Type: route.Exact}, Redirect: redirect,
	}
	e.Source.Part = "app-root"
	return e
}

// A fromRedirect is what becomes of the requests for another host.
type fromRedirect struct {
	host   string
	status int
	a      given.Annotation
}

// redirectFrom returns the host whose requests are to go to the Ingress's own,
// or nil. The Ingress's own hosts, aliases included, it keeps.
func (r *reading) redirectFrom(aliases []string) *fromRedirect {
	a, ok := r.found["redirect-from"]
	if !ok {
		r.dead("there is no redirect-from", "redirect-from-code")
		return nil
	}
	text, offset := trim(a.Value)
	host := strings.ToLower(text)
	if _, err := hostname.ParseName(strings.TrimPrefix(host, "*.")); err != nil {
		r.lose(CodeValue, a, offset, "%.64q is no name of a host: %v", text, err)
		return nil
	}
	own := func(p ingress.PathRule) bool { return strings.EqualFold(p.Host, host) }
	if slices.Contains(aliases, host) || slices.ContainsFunc(r.paths, own) {
		r.dead("the Ingress serves this host itself", "redirect-from", "redirect-from-code")
		return nil
	}
	return &fromRedirect{host, r.status("redirect-from-code", statuses), a}
}

// addFrom adds the entry that redirects the requests of another host to p's, if
// no route of that host gets them.
func (r *reading) addFrom(p *ingress.PathRule, from *fromRedirect) {
	if strings.HasPrefix(p.Host, "*.") {
		r.report(ingress.Error, CodeValue, p.Source, from.a.Origin(0), "%.64q stands for many hosts, and a redirect goes to one: write a rule for that; %s is not redirected", p.Host, from.host)
		return
	}
	for i := range r.paths {
		if other := &r.paths[i]; other.Host != "" && !strings.EqualFold(other.Host, p.Host) {
			r.warn(CodeDead, other.Source, from.a.Origin(0), "%s is redirected to %s alone, the first host: write an Ingress for each", from.host, p.Host)
			break
		}
	}
	r.out.Entries = append(r.out.Entries, ingress.Entry{
		Source:  r.in.At(p.Source.Rule, -1, "redirect-from"),
		Pattern: route.Pattern{Host: from.host, Path: "/", Type: route.Regex},
		Redirect: &ingress.Redirect{Status: from.status, Rules: []rewrite.Rule{
			{Action: rewrite.SetHost(p.Host), Origin: from.a.Origin(0)},
		}},
	})
}

// serverAlias returns the other names of the hosts.
func (r *reading) serverAlias() []string {
	a, ok := r.found["server-alias"]
	if !ok {
		return nil
	}
	var list []string
	offset := 0
	for _, item := range strings.SplitAfter(a.Value, ",") {
		name, at := trim(strings.TrimSuffix(item, ","))
		name, at = strings.ToLower(name), offset+at
		offset += len(item)
		switch _, err := hostname.ParseName(strings.TrimPrefix(name, "*.")); {
		case name == "" || slices.Contains(list, name):
		case err != nil:
			r.report(ingress.Error, CodeValue, r.source, a.Origin(at), "%.64q is no name of a host: %v; the paths are not served under it", name, err)
		case len(list) == maxAliases:
			r.report(ingress.Error, CodeValue, r.source, a.Origin(at), "there are more than %d names: those from here on are left out", maxAliases)
			return list
		default:
			list = append(list, name)
		}
	}
	return list
}

// maxAliases bounds what an Ingress can become: every path is there for each.
const maxAliases = 64
