package contour

// Ingresses: Contour's path semantics, and the few annotations that it reads.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/names"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// Annotations that change routes.
const (
	keyForceHTTPS = "ingress.kubernetes.io/force-ssl-redirect"
	keyAllowHTTP  = "kubernetes.io/ingress.allow-http"
)

// What Contour reads under its prefix.
var (
	// of an Ingress, and of no meaning for routes
	ingressKeys = []string{
		"ingress.class", "num-retries", "per-try-timeout", "request-timeout", "response-timeout", "retry-on", "tls-cert-namespace",
		"tls-maximum-protocol-version", "tls-minimum-protocol-version", "websocket-routes",
	}
	// of a Service
	serviceKeys = []string{
		"max-connections", "max-pending-requests", "max-requests", "max-retries", "per-host-max-connections",
		"upstream-protocol.h2", "upstream-protocol.h2c", "upstream-protocol.tls",
	}
)

func rewriteIngress(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	r := report{at: in.Source()}
	forceHTTPS, allowHTTP := r.annotations(in)
	paths, problems := c.Paths(in)
	r.problems = append(r.problems, problems...)
	entries := make([]ingress.Entry, 0, len(paths))
	for i := range paths {
		p := &paths[i]
		r.at = p.Source
		pattern, ok := r.pattern(p)
		if !ok {
			continue
		}
		e := ingress.Entry{Source: p.Source, Pattern: pattern, Backends: []ingress.Backend{p.Backend}}
		e.Backends[0].Scheme = scheme(c, &p.Backend, "")
		switch {
		case forceHTTPS: // which needs http, whatever keyAllowHTTP says
			entries = append(entries, toHTTPS(e, keyForceHTTPS, "force-ssl-redirect"))
		case !allowHTTP:
			e.When.Scheme = "https"
		}
		entries = append(entries, e)
	}
	return ingress.Translation{Entries: entries, Problems: r.problems}
}

// annotations reads the annotations of in, and says of each of Contour's that
// is of no use what it is.
func (r *report) annotations(in *ingress.Ingress) (forceHTTPS, allowHTTP bool) {
	keys := make([]string, 0, len(in.Annotations))
	for key := range in.Annotations {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		name := key[len(prefix):]
		switch {
		case name == "ingress.class":
		case slices.Contains(ingressKeys, name):
			r.add(ingress.Note, CodeIgnored, key, "it changes neither URLs nor routes, and is not read")
		case slices.Contains(serviceKeys, name):
			r.add(ingress.Warning, CodeKind, key, "it is read on a Service, and means nothing on an Ingress")
		default:
			detail := "Contour reads no such annotation; what it can do to URLs is in an HTTPProxy"
			if near := names.Nearest(name, ingressKeys); near != "" {
				detail = "Contour reads no such annotation: write " + prefix + near
			}
			r.add(ingress.Warning, CodeUnknown, key, "%s", detail)
		}
	}
	forceHTTPS = r.boolean(in, keyForceHTTPS, false)
	allowHTTP = r.boolean(in, keyAllowHTTP, true)
	return forceHTTPS, allowHTTP
}

// boolean returns the value of an annotation that is "true" or "false".
func (r *report) boolean(in *ingress.Ingress, key string, otherwise bool) bool {
	switch value, ok := in.Annotations[key]; {
	case !ok:
	case value == "true":
		return true
	case value == "false":
		return false
	default:
		r.add(ingress.Warning, CodeValue, key, "%.64q means nothing: write true or false", value)
	}
	return otherwise
}

// pattern returns the pattern of a path. An ImplementationSpecific path with one
// of ^+*[]% is a regular expression on the whole path, and text otherwise.
func (r *report) pattern(p *ingress.PathRule) (route.Pattern, bool) {
	pattern := route.Pattern{Host: p.Host, Path: p.Path}
	switch {
	case p.Type == "Exact":
		pattern.Type = route.Exact
	case p.Type == "Prefix", p.Path == "/":
	case strings.ContainsAny(p.Path, "^+*[]%"):
		if detail, offset, bad := pcre.Fault(p.Path); bad {
			r.add(ingress.Error, CodePath, "path", "%s; the path is left out", detail)
			r.problems[len(r.problems)-1].Origin = rewrite.Origin{Key: "path", Offset: offset}
			return pattern, false
		}
		pattern.Type, pattern.Path = route.Regex, pcre.Whole(p.Path)
	default:
		pattern.Type = route.TextPrefix
	}
	return pattern, true
}
