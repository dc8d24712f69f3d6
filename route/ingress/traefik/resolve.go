package traefik

// From the names of router.middlewares to the objects behind them.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
	"github.com/readdress/readdress/route/ingress/internal/manifest"
)

// maxNames is how many names of middlewares an Ingress can have, those in
// chains included.
const maxNames = 64

// groups are the API groups of Traefik's objects, the present one first.
var groups = []string{"traefik.io", "traefik.containo.us"}

// A middleware is one object, of which exactly one kind is set.
type middleware struct {
	namespace, name string
	kind            string          // such as "stripPrefix"
	config          json.RawMessage // the value of kind
}

func (m *middleware) String() string {
	return fmt.Sprintf("Middleware %s/%s: %s", m.namespace, m.name, m.kind)
}

// A resolver follows names and chains. A middleware that it cannot read may be
// one that keeps clients out, so a fault closes the paths.
type resolver struct {
	*reading
	a      given.Annotation // router.middlewares
	offset int              // of the name that is being followed
	chain  []string         // the chains that led here
	names  int              // that have been followed
	list   []placed
	failed bool
}

// placed is a middleware and where the annotation names it.
type placed struct {
	middleware
	origin rewrite.Origin
}

// middlewares returns the middlewares of the Ingress, chains expanded, in the
// order in which they run; ok is false if one of them is missing.
func (r *reading) middlewares() (list []placed, ok bool) {
	a, there := r.found["router.middlewares"]
	if !there {
		return nil, true
	}
	v := &resolver{reading: r, a: a}
	for _, item := range strings.SplitAfter(a.Value, ",") {
		if name := strings.TrimSpace(strings.TrimSuffix(item, ",")); name != "" {
			at := v.offset
			v.offset += strings.Index(item, name)
			if !v.count() {
				break
			}
			v.follow(name)
			v.offset = at
		}
		v.offset += len(item)
	}
	return v.list, !v.failed
}

func (v *resolver) fail(code ingress.Code, format string, args ...any) {
	v.failed = true
	v.guard(code, v.a, v.offset, format, args...)
}

// count counts a name. It returns false if there are too many.
func (v *resolver) count() bool {
	if v.names++; v.names <= maxNames {
		return true
	}
	v.fail(CodeChain, "there are more than %d names of middlewares, those in chains included", maxNames)
	return false
}

// follow adds the middleware that the annotation names.
func (v *resolver) follow(name string) {
	object, provider, ok := strings.Cut(name, "@")
	switch {
	case !ok:
		v.fail(CodeMiddleware, "%.64q names no provider: write namespace-name@kubernetescrd", name)
		return
	case provider != "kubernetescrd":
		v.fail(CodeMiddleware, "%.64q is of provider %.64q, of which nothing is known: write a Middleware object, and namespace-name@kubernetescrd", name, provider)
		return
	}
	namespace, object, data, ok := v.find(object)
	if !ok {
		v.fail(CodeMiddleware, "there is no Middleware for %.64q: write namespace-name@kubernetescrd of one that there is", name)
		return
	}
	v.add(namespace, object, data)
}

// find returns the object of namespace_name, which is how Traefik with safeNaming
// has it, or namespace-name. Then both parts may have hyphens: the Ingress's own
// namespace is tried first, then shorter namespaces before longer.
func (v *resolver) find(joined string) (namespace, name string, data []byte, ok bool) {
	if namespace, name, ok := strings.Cut(joined, "_"); ok {
		data, ok := v.object(namespace, name)
		return namespace, name, data, ok
	}
	own := v.in.Source().Namespace
	if name, ours := strings.CutPrefix(joined, own+"-"); ours {
		if data, ok := v.object(own, name); ok {
			return own, name, data, true
		}
	}
	const longest = 63 // of a namespace
	for i := 1; i < min(len(joined)-1, longest+1); i++ {
		if joined[i] == '-' && joined[:i] != own {
			if data, ok := v.object(joined[:i], joined[i+1:]); ok {
				return joined[:i], joined[i+1:], data, true
			}
		}
	}
	return "", "", nil, false
}

func (v *resolver) object(namespace, name string) ([]byte, bool) {
	if namespace == "" || name == "" {
		return nil, false
	}
	return v.reading.object("Middleware", namespace, name)
}

func (r *reading) object(kind, namespace, name string) ([]byte, bool) {
	if r.c == nil || r.c.Object == nil {
		return nil, false
	}
	for _, group := range groups {
		if data, ok := r.c.Object(ingress.ObjectRef{Group: group, Kind: kind, Namespace: namespace, Name: name}); ok {
			return data, true
		}
	}
	return nil, false
}

// add adds an object, or those of the chain that it is.
func (v *resolver) add(namespace, name string, data []byte) {
	m, err := decodeMiddleware(data)
	m.namespace, m.name = namespace, name
	if err != nil {
		v.fail(CodeMiddleware, "Middleware %s/%s: %v", namespace, name, err)
		return
	}
	switch how := kinds[m.kind]; {
	case v.handled[m.kind]:
		return
	case how == unknown:
		v.fail(CodeUnknown, "%v: there is no such kind", &m)
		return
	case how == access:
		v.fail(CodeAccess, "%v: an entry cannot say it: see to it in the proxy and name %s in Options.Handled", &m, m.kind)
		return
	case how == guardian:
		v.fail(CodeRefused, "%v: it has no translation, and may keep clients out: see to it in the proxy and name %s in Options.Handled", &m, m.kind)
		return
	case how == outside:
		v.report(ingress.Error, CodeNotTranslated, v.in.Source(), v.a.Origin(v.offset),
			"%v: an entry cannot say it, so it is not obeyed: see to it in the proxy and name %s in Options.Handled", &m, m.kind)
		return
	case how == ignored:
		v.report(ingress.Note, CodeIgnored, v.in.Source(), v.a.Origin(v.offset), "%v: it has no meaning for URL routing", &m)
		return
	case m.kind == "chain":
		v.expand(&m)
		return
	}
	v.list = append(v.list, placed{m, v.a.Origin(v.offset)})
}

// expand adds the middlewares of a chain.
func (v *resolver) expand(m *middleware) {
	var spec struct {
		Middlewares []struct{ Name, Namespace string }
	}
	unread, err := manifest.Decode(m.config, &spec, "middlewares")
	if err != nil {
		v.fail(CodeMiddleware, "%v: %v", m, err)
		return
	}
	v.unknownFields(m.String(), v.a.Origin(v.offset), unread)
	id := m.namespace + "/" + m.name
	if slices.Contains(v.chain, id) {
		v.fail(CodeChain, "%v: the chain is part of itself", m)
		return
	}
	v.chain = append(v.chain, id)
	defer func() { v.chain = v.chain[:len(v.chain)-1] }()
	for _, ref := range spec.Middlewares {
		if !v.count() {
			return
		}
		if ref.Namespace == "" {
			ref.Namespace = m.namespace
		}
		data, ok := v.object(ref.Namespace, ref.Name)
		switch {
		case ok:
			v.add(ref.Namespace, ref.Name, data)
		case strings.Contains(ref.Name, "@"):
			v.fail(CodeMiddleware, "%v: there is no Middleware %.64q: a chain has names and namespaces apart, so leave out @ and what follows it, and the namespace before the name", m, ref.Name)
		default:
			v.fail(CodeMiddleware, "%v: there is no Middleware %.64s/%.64s", m, ref.Namespace, ref.Name)
		}
	}
}

// decodeMiddleware reads the JSON of an object.
func decodeMiddleware(data []byte) (middleware, error) {
	var object struct {
		Kind string
		Spec map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return middleware{}, err
	}
	if object.Kind != "" && object.Kind != "Middleware" {
		return middleware{}, fmt.Errorf("its kind is %.64q", object.Kind)
	}
	maps.DeleteFunc(object.Spec, func(_ string, config json.RawMessage) bool { return string(config) == "null" })
	if len(object.Spec) != 1 {
		return middleware{}, fmt.Errorf("spec has %d kinds: write one", len(object.Spec))
	}
	m := middleware{}
	for kind, config := range object.Spec {
		m.kind, m.config = kind, config
	}
	return m, nil
}
