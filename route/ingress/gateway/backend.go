package gateway

// Backends: who gets the requests of a rule, and how many of them.

import (
	"slices"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// defaultWeight is that of a backendRef that has none.
const defaultWeight = 1

// backends gives e the backends of a rule.
func (t *translator) backends(e *ingress.Entry, r *Rule, key string) {
	if len(r.BackendRefs) == 0 {
		t.report(ingress.Warning, CodeNoBackend, key, "the rule neither forwards nor redirects: requests are answered with 500; write backendRefs")
		e.Backends = []ingress.Backend{{Weight: 1, Invalid: true}}
		return
	}
	refs := bounded(t, r.BackendRefs, maxRefs, key)
	e.Backends = make([]ingress.Backend, len(refs))
	for i := range refs {
		key := index(key, i)
		b := t.backend(&refs[i], key)
		for _, name := range refs[i].Unread {
			t.report(ingress.Warning, CodeUnknownField, key+"."+name, "the field is not known or empty, and is not read")
		}
		f, ok := t.filters(bounded(t, refs[i].Filters, maxFilters, key+".filters"), key+".filters", r, rewrite.Forward)
		switch {
		case !ok, len(refs[i].Filters) > maxFilters:
			b.Invalid = true
		case rewrites(refs[i].Filters) && rewrites(r.Filters):
			t.filterFault(key+".filters", "the rule has a URLRewrite already: write it in one place", nil)
			b.Invalid = true
		default:
			b.Rules, b.RequestHeaders, b.ResponseHeaders = f.rules, f.request, f.response
		}
		e.Backends[i] = b
	}
}

func (t *translator) backend(ref *BackendRef, key string) ingress.Backend {
	weight := uint32(defaultWeight)
	if ref.Weight != nil {
		weight = uint32(min(max(*ref.Weight, 0), ingress.MaxWeight))
	}
	invalid := ingress.Backend{
		Service: ingress.Service{Namespace: t.namespace, Name: ref.Name, Port: ref.Port},
		Weight:  weight, Invalid: true,
	}
	if ref.Namespace != "" {
		invalid.Service.Namespace = ref.Namespace
	}
	if ref.Weight != nil && int64(weight) != *ref.Weight {
		t.report(ingress.Error, CodeWeight, key+".weight", "%d is no weight: it is 0 and the backend gets nothing; write 0 to %d", *ref.Weight, ingress.MaxWeight)
		invalid.Weight = 0
		return invalid
	}
	switch {
	case ref.Group != "" || ref.Kind != "" && ref.Kind != "Service":
		t.report(ingress.Error, CodeBackend, key+".kind", "%.64q of group %.64q is no Service: its share is answered with 500", ref.Kind, ref.Group)
		invalid.Service = ingress.Service{}
		return invalid
	case ref.Port == 0:
		t.report(ingress.Error, CodeBackend, key+".port", "the port is absent: its share is answered with 500; write the number of a port of the Service")
		return invalid
	case invalid.Service.Namespace != t.namespace && !t.granted(invalid.Service):
		t.report(ingress.Error, CodeGrant, key+".namespace", "no ReferenceGrant in namespace %.64s allows HTTPRoutes of namespace %s to name Service %.64s: its share is answered with 500",
			ref.Namespace, t.namespace, ref.Name)
		return invalid
	}
	b, problems := t.c.Resolve(invalid.Service.Namespace, ingress.BackendRef{Service: ref.Name, Port: ref.Port})
	for _, p := range problems {
		p.Source, p.Origin.Key = t.at, key
		t.out.Problems = append(t.out.Problems, p)
	}
	b.Weight = weight
	return b
}

func (t *translator) granted(s ingress.Service) bool {
	return t.c != nil && t.c.Grant != nil && t.c.Grant(
		ingress.ObjectRef{Group: apiGroup, Kind: routeKind, Namespace: t.namespace},
		ingress.ObjectRef{Kind: "Service", Namespace: s.Namespace, Name: s.Name},
	)
}

func rewrites(list []Filter) bool {
	return slices.ContainsFunc(list, func(f Filter) bool { return f.Type == filterRewrite })
}
