package haproxy

// Redirects to HTTPS: for which hosts, and the entries that make them.

import (
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// toHTTPS returns the entry that redirects the plain requests of e.
func toHTTPS(e *ingress.Entry, status int, port string, origin rewrite.Origin) ingress.Entry {
	source := e.Source
	source.Part = strings.TrimSpace(source.Part + " ssl-redirect")
	return ingress.Entry{
		Source: source, Pattern: e.Pattern, When: route.Conditions{Scheme: "http"},
		Redirect: &ingress.Redirect{Status: status, Rules: []rewrite.Rule{
			{Action: rewrite.SetScheme("https"), Origin: origin},
			{Action: rewrite.SetPort(port), Origin: origin},
		}},
	}
}

// tlsHosts are the hosts of spec.tls: what Ingress.HasTLS says, for many hosts.
type tlsHosts struct {
	all   bool
	names map[string]bool // in lower case; a wildcard is the text from the dot on
}

func newTLSHosts(in *ingress.Ingress) *tlsHosts {
	t := &tlsHosts{}
	for _, tls := range in.TLS {
		t.all = t.all || len(tls.Hosts) == 0
		for _, host := range tls.Hosts {
			if t.names == nil {
				t.names = make(map[string]bool)
			}
			t.names[strings.ToLower(host)] = true
			if suffix, ok := strings.CutPrefix(host, "*."); ok {
				t.names["."+strings.ToLower(suffix)] = true
			}
		}
	}
	return t
}

// has reports whether host has a certificate.
func (t *tlsHosts) has(host string) bool {
	host = strings.ToLower(host)
	if t.all || t.names[host] {
		return true
	}
	dot := strings.IndexByte(host, '.')
	return dot > 0 && t.names[host[dot:]]
}
