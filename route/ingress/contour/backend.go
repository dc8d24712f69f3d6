package contour

// Backends: the services of a route, their shares and how to reach them.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// protocols are the annotations of a Service that list ports. Of two that list one
// port the first counts.
var protocols = []struct{ key, scheme string }{
	{"upstream-protocol.tls", "https"}, {"upstream-protocol.h2c", "http"}, {"upstream-protocol.h2", "https"},
}

// scheme returns how a backend is reached: as protocol says, or else the
// annotations of the Service.
func scheme(c *ingress.Cluster, b *ingress.Backend, protocol string) string {
	switch protocol {
	case "tls", "h2":
		return "https"
	case "h2c":
		return "http"
	}
	if c == nil || c.Service == nil || b.Service == (ingress.Service{}) {
		return "http"
	}
	info, _ := c.Service(b.Service.Namespace, b.Service.Name)
	for _, p := range protocols {
		for port := range strings.SplitSeq(info.Annotations[prefix+p.key], ",") {
			port = strings.TrimSpace(port)
			if port == "" {
				continue
			}
			named := slices.ContainsFunc(info.Ports, func(p ingress.ServicePort) bool { return p.Name == port && p.Number == b.Service.Port })
			if named || port == strconv.Itoa(b.Service.Port) {
				return p.scheme
			}
		}
	}
	return "http"
}

// backends gives e the services of a route, or what answers 500 if all of them are
// mirrors.
func (w *walk) backends(e *ingress.Entry, r *Route, key string) {
	total := int64(0)
	var services []int
	for i := range r.Services {
		s := &r.Services[i]
		if s.Mirror {
			w.add(ingress.Warning, CodeMirror, index(key+".services", i)+".mirror", "requests are not copied: Service %.64s gets none", s.Name)
			continue
		}
		total += max(s.Weight, 0)
		services = append(services, i)
		b := w.backend(s, index(key+".services", i))
		e.Backends = append(e.Backends, b)
		w.cookies(e, s.CookieRewritePolicies, index(key+".services", i)+".cookieRewritePolicies")
	}
	if len(services) == 0 {
		w.add(ingress.Error, CodeRoute, key+".services", "all services are mirrors: requests are answered with 500; write one that is none")
		e.Backends = answers500()
		return
	}
	for i, at := range services {
		s := &r.Services[at]
		weight := min(max(s.Weight, 0), ingress.MaxWeight)
		switch {
		case weight != s.Weight:
			w.add(ingress.Warning, CodeWeight, index(key+".services", at)+".weight", "%d is no weight of Service %.64s: it is %d; write 0 to %d", s.Weight, s.Name, weight, ingress.MaxWeight)
		case total == 0:
			weight = 1
		}
		e.Backends[i].Weight = uint32(weight)
	}
}

func (w *walk) backend(s *Service, key string) ingress.Backend {
	b, problems := w.t.c.Resolve(w.namespace, ingress.BackendRef{Service: s.Name, Port: s.Port})
	for _, p := range problems {
		if w.t.first(place{w.at, p.Severity, p.Code, key}) {
			p.Source, p.Origin.Key = w.at, key
			w.problems = append(w.problems, p)
		}
	}
	switch s.Protocol {
	case "", "tls", "h2", "h2c":
	default:
		w.add(ingress.Warning, CodeUnknown, key+".protocol", "%.64q is no protocol: write tls, h2 or h2c", s.Protocol)
	}
	b.Scheme = scheme(w.t.c, &b, s.Protocol)
	if v := s.Validation; v != nil {
		w.validation(&b, v, key+".validation")
	}
	w.unread(s.Unread, key)
	variables := map[string]string{"%CONTOUR_SERVICE_NAME%": s.Name, "%CONTOUR_SERVICE_PORT%": strconv.Itoa(s.Port)}
	ops, host, ok := w.headers(s.RequestHeadersPolicy, key+".requestHeadersPolicy", variables)
	b.Invalid = b.Invalid || !ok
	b.RequestHeaders = ops
	if host != "" && ok {
		b.Rules = []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost(host), Origin: origin(key + ".requestHeadersPolicy")}}
	}
	b.ResponseHeaders, _, _ = w.headers(s.ResponseHeadersPolicy, key+".responseHeadersPolicy", variables)
	return b
}

// validation says how the certificate of b is verified. The Secret is named with
// its namespace if that is another.
func (w *walk) validation(b *ingress.Backend, v *Validation, key string) {
	w.unread(v.Unread, key)
	b.CASecret = strings.TrimPrefix(v.CASecret, w.namespace+"/")
	b.SNI = v.SubjectName
	if b.SNI == "" && len(v.SubjectNames) > 0 {
		b.SNI = v.SubjectNames[0]
	}
	if others := slices.ContainsFunc(v.SubjectNames, func(name string) bool { return name != b.SNI }); others {
		w.add(ingress.Warning, CodeUnsupported, key+".subjectNames", "one name can be verified, which is %.64q: certificates with another are refused", b.SNI)
	}
}
