package haproxy

// What haproxy-ingress reads about paths and their Services, on Ingresses and on
// the Services themselves.

import (
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
)

// A pathConfig is what annotations say about paths. It is read of the Ingress,
// and for a Service that has annotations once more, with these put over those
// of the Ingress.
type pathConfig struct {
	reading  *reading // that made it
	redirect *ingress.Redirect
	target   given.Annotation // rewrite-target; zero: none
	headers  []ingress.HeaderOp
	host     []rewrite.Rule // that sets the Host of headers
	secure   https
	server   server
	size     int64
	lost     bool // the paths are not served
	guarded  bool // they answer 500
}

func (r *reading) pathConfig() *pathConfig {
	c := &pathConfig{reading: r, redirect: r.redirectTo(), target: r.found["rewrite-target"]}
	c.headers = r.colonHeaders("headers")
	if i := lastHost(c.headers); i >= 0 {
		c.host = r.hostRule(r.found["headers"], 0, c.headers[i].Value)
		c.headers = withoutHost(c.headers)
	}
	c.server, c.size = r.communityServer(), r.bodySize()
	c.secure = https{on: r.flag("ssl-redirect", true), status: r.status("ssl-redirect-code", statuses), origin: r.found["ssl-redirect"].Origin(0)}
	if c.redirect != nil {
		r.dead("redirect-to redirects every request", "rewrite-target", "headers", "ssl-redirect", "ssl-redirect-code")
	}
	c.lost, c.guarded = r.lost, r.guarded
	return c
}

// configOf returns what annotations say about p: own, of the Ingress, unless its
// Service has some too. read has those of Services that have been read.
func (r *reading) configOf(p *ingress.PathRule, own *pathConfig, read map[ingress.Service]*pathConfig) *pathConfig {
	if r.c == nil || r.c.Service == nil || p.Backend.Service.Name == "" {
		return own
	}
	service := ingress.Service{Namespace: p.Backend.Service.Namespace, Name: p.Backend.Service.Name}
	config, ok := read[service]
	if !ok {
		config = own
		if info, there := r.c.Service(service.Namespace, service.Name); there {
			config = r.serviceConfig(p, info.Annotations, own)
		}
		read[service] = config
	}
	return config
}

// serviceConfig returns what the annotations of p's Service make of own.
func (r *reading) serviceConfig(p *ingress.PathRule, annotations map[string]string, own *pathConfig) *pathConfig {
	sub := r.ofService(p, annotations)
	if sub == nil {
		return own
	}
	for _, name := range onIngress {
		sub.dead("haproxy-ingress reads it on Ingresses: write it there", name)
		delete(sub.found, name)
	}
	for _, name := range slices.Sorted(maps.Keys(sub.found)) {
		sub.treat(sub.found[name], sub.keys[name])
	}
	for name, a := range r.found {
		if _, ok := sub.found[name]; !ok {
			sub.found[name] = a
		}
	}
	config := sub.pathConfig()
	sub.service.read = true
	return config
}

// communityServer reads how the Service is connected to.
func (r *reading) communityServer() server {
	s := server{ca: r.caSecret("secure-verify-ca-secret")}
	if r.flag("secure-backends", false) {
		s.scheme = "https"
	}
	if a, ok := r.found["backend-protocol"]; ok {
		switch strings.ToLower(strings.TrimSpace(a.Value)) {
		case "h1", "http", "h2", "grpc":
		case "h1-ssl", "https", "h2-ssl", "grpcs":
			s.scheme = "https"
		default:
			r.report(ingress.Error, CodeValue, r.source, a.Origin(0), "%.64q is no protocol: it is h1; write h1, h1-ssl, h2, h2-ssl, grpc or grpcs", a.Value)
		}
	}
	if a, ok := r.found["secure-sni"]; ok {
		switch strings.TrimSpace(a.Value) {
		case "host", "sni":
			r.report(ingress.Note, CodeIgnored, r.source, a.Origin(0), "the server name is that of the request: the proxy has to set it")
		default:
			s.sni = r.serverName("secure-sni")
		}
	}
	return s
}

// bodySize returns the greatest size of a body, 0 if none is set.
func (r *reading) bodySize() int64 {
	a, ok := r.found["proxy-body-size"]
	if !ok {
		return 0
	}
	text := strings.TrimSpace(a.Value)
	if text == "unlimited" {
		return -1
	}
	size, err := ingress.ParseSize(text)
	if err != nil {
		r.report(ingress.Error, CodeValue, r.source, a.Origin(0), "%v; there is no limit", err)
	}
	return size
}
