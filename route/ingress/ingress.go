package ingress

// Ingress: the manifest, as the JSON of the cluster has it.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/readdress/readdress/route/ingress/internal/manifest"
)

// An Ingress is a networking.k8s.io/v1 Ingress, as far as routing reads it.
// Decode it from JSON with encoding/json, which also takes v1beta1's
// serviceName and servicePort. What is null or absent is the zero value, and
// fields that are not here are ignored.
type Ingress struct {
	Namespace, Name string
	Created         time.Time // metadata.creationTimestamp; zero: not known
	Annotations     map[string]string
	ClassName       string // spec.ingressClassName
	Rules           []Rule
	Default         *BackendRef // spec.defaultBackend, or nil
	TLS             []TLS
}

// A Rule is one of spec.rules: paths for one host, "" for every host. A null
// rule is the zero Rule, so that indexes are those of the manifest.
type Rule struct {
	Host  string
	Paths []Path
}

// A Path is one of http.paths. A null one is the zero Path.
type Path struct {
	Path    string // "" if absent or null
	Type    string // pathType as written: Exact, Prefix, ImplementationSpecific or ""
	Backend *BackendRef
}

// A BackendRef names a port of a Service, or an object of another kind.
type BackendRef struct {
	Service    string
	Port       int    // 0 if it is named or absent
	PortName   string // "" if it is a number or absent
	IsResource bool   // it is spec's backend.resource, and Resource says which
	Resource   ObjectRef
}

// TLS is one of spec.tls.
type TLS struct {
	Hosts  []string
	Secret string
}

// At returns the Source of a place in the object; -1 as in Source. An absent
// namespace is "default", as it is where a manifest is applied.
func (in *Ingress) At(rule, path int, part string) Source {
	return Source{Kind: "Ingress", Namespace: in.namespace(), Name: in.Name, Rule: rule, Path: path, Part: part}
}

func (in *Ingress) namespace() string { return cmp.Or(in.Namespace, "default") }

// Source returns the Source of the object as a whole, for problems that no rule
// has.
func (in *Ingress) Source() Source { return in.At(-1, -1, "") }

type ingressJSON struct {
	Kind     string
	Metadata struct {
		Namespace, Name   string
		CreationTimestamp string
		Annotations       map[string]json.RawMessage // decoded one by one, so that a fault names its key
	}
	Spec struct {
		IngressClassName string
		DefaultBackend   *backendJSON
		Backend          *backendJSON // v1beta1
		Rules            []*struct {
			Host string
			HTTP *struct{ Paths []*pathJSON }
		}
		TLS []*struct {
			Hosts      []*string
			SecretName string
		}
	}
}

type pathJSON struct {
	Path, PathType string
	Backend        *backendJSON
}

type backendJSON struct {
	Service *struct {
		Name string
		Port *struct {
			Number int
			Name   string
		}
	}
	Resource    *struct{ APIGroup, Kind, Name string }
	ServiceName string
	ServicePort json.RawMessage // v1beta1: a number or a name
}

// UnmarshalJSON decodes a manifest. It replaces all of in, or on an error
// nothing. The error of a value of the wrong type names its field.
func (in *Ingress) UnmarshalJSON(data []byte) error {
	var m ingressJSON
	if err := manifest.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("ingress: %w", err)
	}
	if m.Kind != "" && m.Kind != "Ingress" {
		return fmt.Errorf("ingress: kind is %.64q: only an Ingress can be decoded into one", m.Kind)
	}
	out := Ingress{
		Namespace: m.Metadata.Namespace,
		Name:      m.Metadata.Name,
		ClassName: m.Spec.IngressClassName,
	}
	var err error
	if text := m.Metadata.CreationTimestamp; text != "" {
		if out.Created, err = time.Parse(time.RFC3339, text); err != nil {
			return fmt.Errorf("ingress: metadata.creationTimestamp: %.64q: write a time as in 2026-01-02T03:04:05Z", text)
		}
	}
	if out.Annotations, err = annotations(m.Metadata.Annotations); err != nil {
		return fmt.Errorf("ingress: metadata.annotations%w", err)
	}
	backend := m.Spec.DefaultBackend
	if backend == nil {
		backend = m.Spec.Backend
	}
	if out.Default, err = backend.ref(); err != nil {
		return fmt.Errorf("ingress: spec.defaultBackend: %w", err)
	}
	for i, r := range m.Spec.Rules {
		rule := Rule{}
		if r != nil {
			rule.Host = r.Host
			if r.HTTP != nil {
				if rule.Paths, err = paths(r.HTTP.Paths); err != nil {
					return fmt.Errorf("ingress: spec.rules[%d].http.%w", i, err)
				}
			}
		}
		out.Rules = append(out.Rules, rule)
	}
	for _, t := range m.Spec.TLS {
		tls := TLS{}
		if t != nil {
			tls.Secret = t.SecretName
			for _, host := range t.Hosts {
				if host != nil {
					tls.Hosts = append(tls.Hosts, *host)
				}
			}
		}
		out.TLS = append(out.TLS, tls)
	}
	*in = out
	return nil
}

// annotations decodes the values, of which null ones are absent. The error is the
// first in the order of the keys.
func annotations(raw map[string]json.RawMessage) (map[string]string, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	out := make(map[string]string, len(raw))
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		var text *string
		if err := manifest.Unmarshal(raw[key], &text); err != nil {
			return nil, fmt.Errorf("[%.64q]: %w", key, err)
		}
		if text != nil {
			out[key] = *text
		}
	}
	return out, nil
}

func paths(list []*pathJSON) ([]Path, error) {
	var out []Path
	for i, p := range list {
		path := Path{}
		if p != nil {
			backend, err := p.Backend.ref()
			if err != nil {
				return nil, fmt.Errorf("paths[%d].backend: %w", i, err)
			}
			path = Path{Path: p.Path, Type: p.PathType, Backend: backend}
		}
		out = append(out, path)
	}
	return out, nil
}

func (b *backendJSON) ref() (*BackendRef, error) {
	switch {
	case b == nil:
		return nil, nil
	case b.Service != nil:
		ref := &BackendRef{Service: b.Service.Name}
		if b.Service.Port != nil {
			ref.Port, ref.PortName = b.Service.Port.Number, b.Service.Port.Name
		}
		return ref, nil
	case b.Resource != nil:
		return &BackendRef{
			IsResource: true,
			Resource:   ObjectRef{Group: b.Resource.APIGroup, Kind: b.Resource.Kind, Name: b.Resource.Name},
		}, nil
	case b.ServiceName == "":
		return nil, nil
	}
	ref := &BackendRef{Service: b.ServiceName}
	if len(b.ServicePort) == 0 || string(b.ServicePort) == "null" {
		return ref, nil
	}
	if json.Unmarshal(b.ServicePort, &ref.Port) == nil {
		return ref, nil
	}
	ref.Port = 0
	if json.Unmarshal(b.ServicePort, &ref.PortName) != nil {
		return nil, errors.New("servicePort is neither a number nor a name")
	}
	return ref, nil
}
