// Package securitytest replays those published faults of other controllers that
// an Ingress brings about.
package securitytest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
	"github.com/readdress/readdress/route/ingress/internal/vector"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestReports runs the reports of testdata/reports.json.
func TestReports(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/reports.json") {
		t.Run(c.Name, func(t *testing.T) {
			d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(nil)})
			require.NoError(t, err)
			ingresses := c.Ingresses()
			if c.Name == "traefik#12696" { // a second path
				paths := &ingresses[0].Rules[0].Paths
				second := (*paths)[0]
				second.Path = "/endpoint/endpoint2(/|$)(.*)"
				*paths = append(*paths, second)
			}
			c.Check(t, d.Dispatch(ingresses, nil), nil)
		})
	}
}

// TestIdentities: names that look the same when they are joined are those of
// different objects, with different routes.
func TestIdentities(t *testing.T) {
	var ingresses []*ingress.Ingress
	for _, name := range [][2]string{{"a-b", "c"}, {"a", "b-c"}, {"a.b", "c"}, {"a", "b.c"}} {
		ingresses = append(ingresses, &ingress.Ingress{
			Namespace: name[0], Name: name[1], ClassName: "nginx",
			Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{{
				Path: "/" + name[0] + "/" + name[1], Type: "Prefix", Backend: &ingress.BackendRef{Service: name[1], Port: 80},
			}}}},
		})
	}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(nil)})
	require.NoError(t, err)
	result := d.Dispatch(ingresses, nil)
	require.Len(t, result.Entries, len(ingresses), result)
	sources, services := make(map[string]bool), make(map[ingress.Service]bool)
	table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (ingress.Service, error) {
		sources[e.Source.String()] = true
		services[e.Backends[0].Service] = true
		return e.Backends[0].Service, nil
	})
	assert.Empty(t, problems)
	assert.Len(t, sources, len(ingresses))
	assert.Len(t, services, len(ingresses))
	for _, in := range ingresses {
		service, ok := table.Lookup("h", in.Rules[0].Paths[0].Path)
		assert.True(t, ok)
		assert.Equal(t, in.Namespace, service.Namespace)
		assert.Equal(t, in.Name, service.Name)
	}
}

// TestExtensions: an extensionRef is looked up in no namespace, that of the
// Service of its backend included. The backend with it gets no request.
func TestExtensions(t *testing.T) {
	route := new(gateway.HTTPRoute)
	require.NoError(t, json.Unmarshal([]byte(`{"metadata": {"namespace": "shop", "name": "web"}, "spec": {"hostnames": ["h"], "rules": [{"backendRefs": [
		{"name": "web", "namespace": "admin", "port": 80, "filters": [
			{"type": "ExtensionRef", "extensionRef": {"group": "traefik.io", "kind": "Middleware", "name": "identity"}}]}]}]}}`), route))
	granted := &ingress.Cluster{
		Object: func(ref ingress.ObjectRef) ([]byte, bool) { t.Errorf("asks for %v", ref); return nil, false },
		Grant:  func(_, to ingress.ObjectRef) bool { return to.Kind == "Service" },
	}
	result := gateway.Translate([]*gateway.HTTPRoute{route}, granted)
	require.Len(t, result.Entries, 1)
	require.Len(t, result.Entries[0].Backends, 1)
	assert.True(t, result.Entries[0].Backends[0].Invalid)
	require.Len(t, result.Problems, 1)
	assert.Contains(t, result.Problems[0].Detail, "ExtensionRef")
}
