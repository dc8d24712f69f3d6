package haproxy

// Services: their annotations, and how their pods are connected to.

import (
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
)

// A serviceReading is what a reading of a Service's annotations knows of them.
type serviceReading struct {
	name string
	keys map[string]bool // of its annotations
	read bool            // the annotations are read, and what is found now is about a path
}

// ofService returns a reading that has found the annotations of p's Service, nil
// if none of them is of r's dialect.
func (r *reading) ofService(p *ingress.PathRule, annotations map[string]string) *reading {
	sub := &reading{
		settings: r.settings, dialect: r.dialect, in: r.in, c: r.c, source: p.Source, tls: r.tls, defaults: true, out: r.out,
		service: &serviceReading{name: p.Backend.Service.Name, keys: make(map[string]bool)},
	}
	ours := make(map[string]string)
	for key, value := range annotations {
		if _, at := cutPrefix(key, r.prefixes); at >= 0 {
			ours[key], sub.service.keys[key] = value, true
		}
	}
	if len(ours) == 0 {
		return nil
	}
	for i := range r.paths {
		if s := r.paths[i].Backend.Service; s.Name == p.Backend.Service.Name && s.Namespace == p.Backend.Service.Namespace {
			sub.paths = append(sub.paths, r.paths[i])
		}
	}
	sub.find(ours)
	return sub
}

// A server is how the pods of a Service are connected to.
type server struct {
	scheme  string // empty: as it is
	ca, sni string
}

// set makes b connected to as s says.
func (s server) set(b *ingress.Backend) {
	if s.scheme != "" {
		b.Scheme = s.scheme
	}
	b.CASecret, b.SNI = s.ca, s.sni
}

// caSecret returns the name of the Secret that an annotation names.
func (r *reading) caSecret(name string) string {
	a, ok := r.found[name]
	if !ok {
		return ""
	}
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
	text, offset := trim(a.Value)
	namespace, secret, both := strings.Cut(text, "/")
	if !both {
		namespace, secret = r.source.Namespace, text
	}
	if secret == "" || strings.Trim(secret, allowed) != "" {
		r.report(ingress.Error, CodeValue, r.source, a.Origin(offset), "%.64q is no name of a Secret: it is not used", secret)
		return ""
	}
	if own := r.source.Namespace; namespace != own {
		r.warn(CodeTLS, r.source, a.Origin(0), "the Secret is in namespace %.64q, and an entry's is in that of the Ingress, %s: put it there", namespace, own)
	}
	return secret
}

// serverName returns the server name for TLS that an annotation has.
func (r *reading) serverName(name string) string {
	a, ok := r.found[name]
	if !ok {
		return ""
	}
	text, offset := trim(a.Value)
	host, err := hostname.ParseName(text)
	if err != nil {
		r.report(ingress.Error, CodeValue, r.source, a.Origin(offset), "%.64q is no host, so no server name is sent: %v", text, err)
	}
	return host
}

// techServer reads the server annotations of the Ingress.
func (r *reading) techServer() server {
	s := server{ca: r.caSecret("server-ca"), sni: r.serverName("server-sni")}
	if r.flag("server-ssl", false) {
		s.scheme = "https"
		return s
	}
	for _, name := range []string{"server-ca", "server-sni"} {
		if a, ok := r.found[name]; ok {
			r.warn(CodeTLS, r.source, a.Origin(0), `without server-ssl: "true" the Service is spoken to in plain text`)
		}
	}
	return s
}

// A techService is what haproxytech's annotations say about a Service.
type techService struct {
	server
	acl     given.Annotation // a condition that nobody here can check; zero: none
	guarded bool             // its paths answer 500
}

// techService returns what the annotations of p's Service say, and own where
// they say nothing. read has those of Services that have been read.
func (r *reading) techService(p *ingress.PathRule, own server, read map[ingress.Service]*techService) *techService {
	service := ingress.Service{Namespace: p.Backend.Service.Namespace, Name: p.Backend.Service.Name}
	s, ok := read[service]
	if ok {
		return s
	}
	s = &techService{server: own}
	read[service] = s
	if r.c == nil || r.c.Service == nil || service.Name == "" {
		return s
	}
	info, _ := r.c.Service(service.Namespace, service.Name)
	sub := r.ofService(p, info.Annotations)
	if sub == nil {
		return s
	}
	for _, name := range slices.Sorted(maps.Keys(sub.found)) {
		switch name {
		case "route-acl":
			s.acl = sub.found[name]
		case "server-ssl":
			s.scheme = ""
			if sub.flag(name, own.scheme == "https") {
				s.scheme = "https"
			}
		case "server-ca":
			s.ca = sub.caSecret(name)
		case "server-sni":
			s.sni = sub.serverName(name)
		default:
			if sub.keys[name] == used {
				sub.dead("the controller reads it on Ingresses: write it there", name)
			}
			sub.treat(sub.found[name], sub.keys[name])
		}
	}
	s.guarded = sub.guarded
	return s
}

// reportACL reports that the paths of a Service get only some requests.
func (r *reading) reportACL(p *ingress.PathRule, acl given.Annotation) {
	r.report(ingress.Error, CodeACL, p.Source, rewrite.Origin{Key: acl.Key},
		"Service %s gets only requests for which a condition of HAProxy holds: write a path for them; this one is not served", p.Backend.Service.Name)
}
