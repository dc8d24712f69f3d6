package haproxy

// What haproxy-ingress reads beside paths: redirects of a host, other names of
// it, and the connection to the Service.

import (
	"errors"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

var errNoSlash = errors.New("the target does not begin with a slash: write one before it")

// redirectTo returns the redirect that takes every request to one URL, or nil.
func (r *reading) redirectTo() *ingress.Redirect {
	a, ok := r.found["redirect-to"]
	if !ok {
		r.dead("there is no redirect-to", "redirect-to-code")
		return nil
	}
	status := r.status("redirect-to-code")
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

// location returns the value of a as the Location of a redirect, or "", which
// is then reported.
func (r *reading) location(a annotation) string {
	text, at, err := literal(strings.TrimSpace(a.value))
	if err == nil {
		_, err = ingress.CompileRedirect(&ingress.Redirect{Location: text}, nil)
	}
	if err == nil && text == "" {
		err = errors.New("there is no location: write a URL or an absolute path")
	}
	if err != nil {
		r.lose(formatCode(err), a, at, "%v", err)
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

// redirectFrom returns the host whose requests are to go to the Ingress's own,
// and the redirect without its rules.
func (r *reading) redirectFrom() (string, ingress.Redirect) {
	a, ok := r.found["redirect-from"]
	if !ok {
		r.dead("there is no redirect-from", "redirect-from-code")
		return "", ingress.Redirect{}
	}
	host := strings.TrimSpace(a.value)
	if _, err := hostname.ParseName(strings.TrimPrefix(host, "*.")); err != nil {
		r.lose(CodeValue, a, 0, "%.64q is no name of a host: %v", host, err)
		return "", ingress.Redirect{}
	}
	return host, ingress.Redirect{Status: r.status("redirect-from-code")}
}

// fromEntry returns the entry that redirects the requests of another host to
// p's.
func (r *reading) fromEntry(p *ingress.PathRule, from string, redirect ingress.Redirect) ingress.Entry {
	redirect.Rules = []rewrite.Rule{{Action: rewrite.SetHostname(p.Host), Origin: r.found["redirect-from"].origin(0)}}
	e := ingress.Entry{Source: p.Source, Pattern: route.Pattern{Host: from}, Redirect: &redirect}
	e.Source.Part = "redirect-from"
	return e
}

// serverAlias returns the other names of the hosts.
func (r *reading) serverAlias() []string {
	a, ok := r.found["server-alias"]
	if !ok {
		return nil
	}
	var list []string
	offset := 0
	for _, item := range strings.SplitAfter(a.value, ",") {
		name := strings.ToLower(strings.TrimSpace(strings.TrimSuffix(item, ",")))
		switch _, err := hostname.ParseName(strings.TrimPrefix(name, "*.")); {
		case name == "" || slices.Contains(list, name):
		case err != nil:
			r.report(ingress.Error, CodeValue, r.in.Source(), a.origin(offset), "%.64q is no name of a host: %v; the paths are not served under it", name, err)
		case len(list) == maxAliases:
			r.report(ingress.Error, CodeValue, r.in.Source(), a.origin(offset), "there are more than %d names: those from here on are left out", maxAliases)
			return list
		default:
			list = append(list, name)
		}
		offset += len(item)
	}
	return list
}

// maxAliases bounds what an Ingress can become: every path is there for each.
const maxAliases = 64

// communityServer reads how the Service is connected to.
func (r *reading) communityServer() server {
	s := server{ca: r.caSecret("secure-verify-ca-secret")}
	if r.flag("secure-backends", false) {
		s.scheme = "https"
	}
	if a, ok := r.found["backend-protocol"]; ok {
		switch strings.ToLower(strings.TrimSpace(a.value)) {
		case "h1", "http", "h2", "grpc":
		case "h1-ssl", "https", "h2-ssl", "grpcs":
			s.scheme = "https"
		default:
			r.report(ingress.Error, CodeValue, r.in.Source(), a.origin(0), "%.64q is no protocol: it is h1; write h1, h1-ssl, h2, h2-ssl, grpc or grpcs", a.value)
		}
	}
	if a, ok := r.found["secure-sni"]; ok {
		switch sni := strings.TrimSpace(a.value); sni {
		case "host", "sni":
			r.report(ingress.Note, CodeIgnored, r.in.Source(), a.origin(0), "the server name is that of the request: the proxy has to set it")
		default:
			s.sni = sni
		}
	}
	return s
}

// set makes b connected to as s says.
func (s server) set(b *ingress.Backend) {
	if s.scheme != "" {
		b.Scheme = s.scheme
	}
	b.CASecret, b.SNI = s.ca, s.sni
}

// bodySize returns the greatest size of a body, 0 if none is set.
func (r *reading) bodySize() int64 {
	a, ok := r.found["proxy-body-size"]
	if !ok {
		return 0
	}
	text := strings.TrimSpace(a.value)
	if text == "unlimited" {
		return -1
	}
	size, err := ingress.ParseSize(text)
	if err != nil {
		r.report(ingress.Error, CodeValue, r.in.Source(), a.origin(0), "%v; there is no limit", err)
	}
	return size
}
