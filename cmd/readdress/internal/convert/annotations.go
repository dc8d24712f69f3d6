package convert

// Annotations: entries as Ingresses with the rewrite annotations of package
// annotation.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

type manifestJSON struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   metadataJSON `json:"metadata"`
	Spec       specJSON     `json:"spec"`
}

type metadataJSON struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type specJSON struct {
	ClassName string       `json:"ingressClassName"`
	Default   *backendJSON `json:"defaultBackend,omitempty"`
	Rules     []ruleJSON   `json:"rules,omitempty"`
}

type ruleJSON struct {
	Host string    `json:"host,omitempty"`
	HTTP *httpJSON `json:"http,omitempty"` // nil: the default backend gets the host's requests
}

type httpJSON struct {
	Paths []pathJSON `json:"paths"`
}

type pathJSON struct {
	Path     string      `json:"path"`
	PathType string      `json:"pathType"`
	Backend  backendJSON `json:"backend"`
}

type backendJSON struct {
	Service struct {
		Name string `json:"name"`
		Port struct {
			Number int    `json:"number,omitempty"`
			Name   string `json:"name,omitempty"`
		} `json:"port"`
	} `json:"service"`
}

// annotations writes an Ingress for all entries of one object that have the same
// annotations, because these are for every path of an Ingress.
func annotations(entries []ingress.Entry) ([]byte, []ingress.Problem, error) {
	w := writer{index: make(map[string]int), names: make(map[ingress.Source]int)}
	for i := range entries {
		w.entry(&entries[i])
	}
	var out []byte
	for _, m := range w.manifests {
		text, err := appendYAML(out, m)
		if err != nil {
			return nil, nil, err
		}
		out = text
	}
	return out, w.problems, nil
}

type writer struct {
	manifests []*manifestJSON
	index     map[string]int         // by object and annotations
	names     map[ingress.Source]int // how many manifests an object has become
	problems  []ingress.Problem
}

func (w *writer) report(s ingress.Severity, code ingress.Code, e *ingress.Entry, format string, args ...any) {
	w.problems = append(w.problems, ingress.Problem{Severity: s, Code: code, Source: e.Source, Detail: fmt.Sprintf(format, args...)})
}

func (w *writer) entry(e *ingress.Entry) {
	if why := unsayable(e); why != "" {
		w.report(ingress.Error, CodeLeftOut, e, "%s: the entry is left out", why)
		return
	}
	b := &e.Backends[0]
	made, err := format(slices.Concat(e.Rules, b.Rules))
	if err != nil {
		w.report(ingress.Error, CodeLeftOut, e, "%v: the entry is left out", err)
		return
	}
	for _, part := range []struct {
		there bool
		what  string
	}{
		{len(e.RequestHeaders)+len(b.RequestHeaders) > 0, "header fields of the request"},
		{len(e.ResponseHeaders)+len(b.ResponseHeaders) > 0, "header fields of the response"},
		{e.MaxBodySize != 0, "the size of bodies"},
		{len(e.Back) > 0, "mappings of what the backend answers"},
		{b.Scheme == "https" || b.CASecret != "" || b.SNI != "", "TLS to the backend"},
	} {
		if part.there {
			w.report(ingress.Warning, CodePartly, e, "there is no annotation for %s", part.what)
		}
	}
	w.add(e, made)
}

// unsayable returns why no Ingress has a path for e.
func unsayable(e *ingress.Entry) string {
	when := &e.When
	switch {
	case e.Redirect != nil:
		return "it redirects"
	case when.Scheme != "" || len(when.Methods)+len(when.Headers)+len(when.Cookies)+len(when.Query) > 0:
		return "it has conditions beside host and path"
	case e.Pattern.Type != route.Prefix && e.Pattern.Type != route.Exact && !isDefault(e):
		return "the path is a " + e.Pattern.Type.String()
	case strings.Contains(e.Pattern.Path, "*"):
		return "the path has an asterisk, which class bfe refuses"
	case len(e.Backends) != 1:
		return fmt.Sprintf("it has %d backends", len(e.Backends))
	case e.Backends[0].Service.Name == "":
		return "its backend is no Service"
	case e.Backends[0].Invalid:
		return "its backend is invalid"
	}
	return ""
}

// isDefault reports whether e is a default backend's, for a host or for those that
// no rule has: such an entry is tried last.
func isDefault(e *ingress.Entry) bool {
	return e.Source.Kind == "Ingress" && e.Source.Path < 0 && e.Pattern.Path == "/" && e.Pattern.Type == route.Regex
}

// format returns annotations for rules that run one after the other: with the
// orders that they have, or else with orders by their places.
func format(rules []rewrite.Rule) (map[string]string, error) {
	m, err := annotation.Format(&annotation.Plan{Rules: rules}, nil)
	if err == nil {
		return m, nil
	}
	rules = slices.Clone(rules)
	for i := range rules {
		rules[i].Order = i
		if i > 0 && rules[i].Hook == rules[i-1].Hook && rules[i].Action.Op() == rules[i-1].Action.Op() {
			rules[i].Order = rules[i-1].Order // the pairs of one object
		}
	}
	return annotation.Format(&annotation.Plan{Rules: rules}, nil)
}

func (w *writer) add(e *ingress.Entry, made map[string]string) {
	text, _ := json.Marshal(made) // a map of strings always has JSON
	object := e.Source.Object()
	key := object.String() + string(text)
	i, ok := w.index[key]
	if !ok {
		i = len(w.manifests)
		w.index[key] = i
		m := &manifestJSON{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}
		m.Metadata = metadataJSON{Name: object.Name, Namespace: object.Namespace, Annotations: made}
		if w.names[object]++; w.names[object] > 1 {
			m.Metadata.Name += fmt.Sprintf("-%d", w.names[object])
		}
		m.Spec.ClassName = "bfe"
		w.manifests = append(w.manifests, m)
	}
	spec := &w.manifests[i].Spec
	if backend := backendOf(e); isDefault(e) {
		spec.Default = &backend
		if e.Pattern.Host != "" {
			spec.rule(e.Pattern.Host)
		}
	} else {
		p := pathJSON{Path: cmp.Or(e.Pattern.Path, "/"), PathType: "Prefix", Backend: backend}
		if e.Pattern.Type == route.Exact {
			p.PathType = "Exact"
		}
		r := spec.rule(e.Pattern.Host)
		if r.HTTP == nil {
			r.HTTP = new(httpJSON)
		}
		r.HTTP.Paths = append(r.HTTP.Paths, p)
	}
}

// rule returns the rule for a host, which it adds if there is none.
func (s *specJSON) rule(host string) *ruleJSON {
	i := slices.IndexFunc(s.Rules, func(r ruleJSON) bool { return r.Host == host })
	if i < 0 {
		i = len(s.Rules)
		s.Rules = append(s.Rules, ruleJSON{Host: host})
	}
	return &s.Rules[i]
}

func backendOf(e *ingress.Entry) backendJSON {
	var b backendJSON
	service := &e.Backends[0].Service
	b.Service.Name = service.Name
	b.Service.Port.Number = service.Port
	if service.Port == 0 {
		b.Service.Port.Name = service.PortName
	}
	return b
}
