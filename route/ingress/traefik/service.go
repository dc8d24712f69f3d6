package traefik

// Backends: what Services say about themselves, and weighted TraefikServices.

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/manifest"
)

// backends returns the backends of a path.
func (r *reading) backends(p *ingress.PathRule) []ingress.Backend {
	ref := r.in.Default
	if !p.Default {
		ref = r.in.Rules[p.Source.Rule].Paths[p.Source.Path].Backend
	}
	if ref == nil || !ref.IsResource || ref.Resource.Kind != "TraefikService" {
		b := p.Backend
		r.connect(&b, "", nil)
		return []ingress.Backend{b}
	}
	list, ok := r.weighted(p, ref.Resource.Name)
	if !ok {
		return []ingress.Backend{p.Backend}
	}
	r.resolved(p.Source)
	return list
}

// resolved takes back that the backend of a place is no Service.
func (r *reading) resolved(at ingress.Source) {
	if r.taken == nil {
		r.taken = make(map[ingress.Source]bool)
	}
	if at.Path < 0 {
		at = at.Object()
	}
	r.taken[at] = true
}

// connect sets how b is connected to: as the annotations of its Service say,
// else by its port, unless scheme or passHost say it.
func (r *reading) connect(b *ingress.Backend, scheme string, passHost *bool) {
	if b.Invalid || b.Service.Name == "" {
		return
	}
	var info ingress.ServiceInfo
	if r.c != nil && r.c.Service != nil {
		info, _ = r.c.Service(b.Service.Namespace, b.Service.Name)
	}
	said := r.service(b.Service, info.Annotations)
	if said.closed {
		*b = ingress.Backend{Service: b.Service, Weight: b.Weight, Invalid: true}
		return
	}
	name := b.Service.PortName
	if i := slices.IndexFunc(info.Ports, func(p ingress.ServicePort) bool { return p.Number == b.Service.Port }); i >= 0 && name == "" {
		name = info.Ports[i].Name
	}
	switch cmp.Or(scheme, said.scheme) {
	case "https":
		b.Scheme = "https"
	case "":
		if b.Service.Port == 443 || strings.HasPrefix(name, "https") {
			b.Scheme = "https"
		}
	}
	if passHost == nil {
		passHost = &said.passHost
	}
	if !*passHost {
		b.Rules = []rewrite.Rule{{
			Hook: rewrite.Forward, Action: rewrite.SetHost(b.Upstream), Origin: rewrite.Origin{Key: prefix + "service.passhostheader"},
		}}
	}
}

// A serviceSays is what the annotations of a Service say.
type serviceSays struct {
	scheme   string // one of schemes; "": as the port does
	passHost bool
	closed   bool // it may keep clients out, and nothing is forwarded to it
}

// schemes are those by which Traefik connects to servers; h2c is http here.
var schemes = []string{"http", "https", "h2c"}

// service reads the annotations of a Service, and the first time reports those
// that do nothing.
func (r *reading) service(s ingress.Service, annotations map[string]string) serviceSays {
	said := serviceSays{passHost: true}
	if len(annotations) == 0 {
		return said
	}
	s = ingress.Service{Namespace: s.Namespace, Name: s.Name}
	if said, ok := r.services[s]; ok {
		return said
	}
	where := "Service " + s.Namespace + "/" + s.Name + ": "
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		value, origin := annotations[key], rewrite.Origin{Key: key}
		warn := func(code ingress.Code, format string, args ...any) {
			r.warn(code, r.in.Source(), origin, where+format, args...)
		}
		closed := func(code ingress.Code, format string, args ...any) {
			said.closed = true
			r.report(ingress.Error, code, r.in.Source(), origin, where+format+"; what goes there answers 500", args...)
		}
		name, known, there := identify(key)
		switch {
		case there == nil || r.handled[name]:
		case known == unknown && strings.HasPrefix(key, prefix) && strings.HasPrefix(name, services):
			closed(CodeUnknown, "Traefik takes no Service with an annotation %.64q%s", name, r.advice.Instead(name, there))
		case known == unknown:
			warn(CodeUnknown, "there is no annotation %.64q%s", name, r.advice.Instead(name, there))
		case value == "":
		case name == "service.middlewares":
			closed(CodeRefused, "middlewares of a Service have no translation, and may keep clients out: write router.middlewares on the Ingresses, or name it in Options.Handled")
		case name == "service.passhostheader":
			keep, err := strconv.ParseBool(value)
			if err != nil {
				warn(CodeValue, "%.64q is neither true nor false: it is read as true", value)
			}
			said.passHost = keep || err != nil
		case name == "service.serversscheme", name == "protocol":
			if slices.Contains(schemes, value) {
				said.scheme = value // service.serversscheme comes last
			} else {
				warn(CodeValue, "%.64q is no scheme: write http, https or h2c", value)
			}
		case known == service || known == ignored:
			r.report(ingress.Note, CodeIgnored, r.in.Source(), origin, "%sit has no meaning for URL routing", where)
		default:
			warn(CodeDead, "Traefik reads it on Ingresses: write it there")
		}
	}
	if r.services == nil {
		r.services = make(map[ingress.Service]serviceSays)
	}
	r.services[s] = said
	return said
}

// A weightedService is one of spec.weighted.services.
type weightedService struct {
	Name, Namespace, Kind, Scheme string
	Port                          json.RawMessage
	Weight                        *int64
	PassHostHeader                *bool
	Middlewares                   []json.RawMessage
}

// weighted returns the backends of a TraefikService; ok is false if there is
// none, which is then reported.
func (r *reading) weighted(p *ingress.PathRule, name string) (list []ingress.Backend, ok bool) {
	namespace := p.Source.Namespace
	fail := func(format string, args ...any) {
		r.report(ingress.Error, CodeService, p.Source, backendResource, "TraefikService "+namespace+"/"+name+": "+format, args...)
	}
	data, ok := r.object("TraefikService", namespace, name)
	if !ok {
		fail("there is none: write one, or a Service")
		return nil, false
	}
	var object struct{ Spec json.RawMessage }
	var spec struct{ Weighted json.RawMessage }
	var weighted struct{ Services []json.RawMessage }
	err := json.Unmarshal(data, &object)
	if err == nil && len(object.Spec) > 0 {
		var others []string
		others, err = manifest.Decode(object.Spec, &spec, "weighted")
		for _, other := range others {
			r.warn(CodeService, p.Source, backendResource, "TraefikService %s/%s: spec.%.64s is not done: spec.weighted is", namespace, name, other)
		}
	}
	if err == nil && len(spec.Weighted) > 0 {
		var unread []string
		unread, err = manifest.Decode(spec.Weighted, &weighted, "services")
		r.unread(p.Source, "TraefikService "+namespace+"/"+name+": spec.weighted", unread)
	}
	if err != nil {
		fail("%v", err)
		return nil, false
	}
	if len(weighted.Services) == 0 {
		fail("it has no spec.weighted.services, and mirrors and failovers have no translation: write them")
		return nil, false
	}
	for i, data := range weighted.Services {
		field := "spec.weighted.services[" + strconv.Itoa(i) + "]"
		var s weightedService
		unread, err := manifest.Decode(data, &s, "name", "namespace", "kind", "scheme", "port", "weight", "passHostHeader", "middlewares")
		if err != nil {
			fail("%s: %v", field, err)
			list = append(list, ingress.Backend{Weight: 1, Invalid: true})
			continue
		}
		r.unread(p.Source, "TraefikService "+namespace+"/"+name+": "+field, unread)
		list = append(list, r.weightedBackend(p.Source, s, namespace, func(format string, args ...any) {
			fail(field+": "+format, args...)
		}))
	}
	return list, true
}

// backendResource is where a path names a TraefikService.
var backendResource = rewrite.Origin{Key: "backend.resource"}

// connections are the fields of a weighted service that are about connections.
var connections = []string{
	"healthCheck", "nativeLB", "nodePortLB", "passiveHealthCheck", "responseForwarding", "serversTransport", "sticky", "strategy",
}

// unread reports fields of a TraefikService.
func (r *reading) unread(at ingress.Source, where string, fields []string) {
	for _, field := range fields {
		if slices.Contains(connections, field) {
			r.report(ingress.Note, CodeIgnored, at, backendResource, "%s.%s: it has no meaning for URL routing", where, field)
			continue
		}
		r.warn(CodeUnknown, at, backendResource, "%s: there is no field %.64q", where, field)
	}
}

// weightedBackend resolves one of the Services. What does not resolve keeps its
// share, as an Invalid backend.
func (r *reading) weightedBackend(at ingress.Source, s weightedService, namespace string, fail func(format string, args ...any)) ingress.Backend {
	weight := int64(1)
	if s.Weight != nil {
		weight = *s.Weight
	}
	if weight < 0 || weight > ingress.MaxWeight {
		fail("weight is %d, which is read as the nearest that can be: write 0 to %d", weight, ingress.MaxWeight)
		weight = min(max(0, weight), ingress.MaxWeight)
	}
	b := ingress.Backend{Weight: uint32(weight), Invalid: true}
	target := namespace
	if s.Namespace != "" {
		target = s.Namespace
	}
	ref := ingress.BackendRef{Service: s.Name}
	switch {
	case len(s.Middlewares) > 0 && !r.handled["service.middlewares"]:
		fail("middlewares of a Service have no translation, and may keep clients out: write router.middlewares on the Ingress, or name service.middlewares in Options.Handled")
		return b
	case s.Kind != "" && s.Kind != "Service":
		fail("kind %.64q has no translation: write Services", s.Kind)
		return b
	case target != namespace && !r.granted(namespace, target, s.Name):
		fail("Service %.64s is in namespace %.64s, and nobody grants its use: write a ReferenceGrant there", s.Name, target)
		return b
	case len(s.Port) == 0 || string(s.Port) == "null" || json.Unmarshal(s.Port, &ref.Port) == nil:
	case json.Unmarshal(s.Port, &ref.PortName) != nil:
		fail("port is neither a number nor a name")
		return b
	default:
		ref.Port = 0
		if n, err := strconv.Atoi(ref.PortName); err == nil {
			ref.Port, ref.PortName = n, ""
		}
	}
	resolved, problems := r.c.Resolve(target, ref)
	for _, problem := range problems {
		problem.Source = at
		r.out.Problems = append(r.out.Problems, problem)
	}
	resolved.Weight = uint32(weight)
	if s.Scheme != "" && !slices.Contains(schemes, s.Scheme) {
		r.warn(CodeValue, at, backendResource, "Service %.64s: %.64q is no scheme: write http, https or h2c", s.Name, s.Scheme)
	}
	r.connect(&resolved, s.Scheme, s.PassHostHeader)
	return resolved
}

// granted reports whether TraefikServices of one namespace may refer to a
// Service of another.
func (r *reading) granted(from, to, name string) bool {
	return r.c != nil && r.c.Grant != nil && r.c.Grant(
		ingress.ObjectRef{Group: groups[0], Kind: "TraefikService", Namespace: from},
		ingress.ObjectRef{Kind: "Service", Namespace: to, Name: name},
	)
}
