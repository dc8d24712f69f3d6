// What Services and TraefikServices say about the backends of a path.

package traefik_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/traefik"
)

func TestServices(t *testing.T) {
	const prefix = "traefik.ingress.kubernetes.io/"
	services := map[string]ingress.ServiceInfo{
		"web":     {Ports: []ingress.ServicePort{{Number: 80}, {Number: 443}, {Name: "https-api", Number: 8443}, {Name: "https", Number: 9443}}},
		"secure":  {Ports: []ingress.ServicePort{{Number: 80}}, Annotations: map[string]string{prefix + "service.serversscheme": "https"}},
		"plain":   {Ports: []ingress.ServicePort{{Number: 443}}, Annotations: map[string]string{prefix + "service.serversscheme": "http"}},
		"virtual": {Ports: []ingress.ServicePort{{Number: 80}}, Annotations: map[string]string{prefix + "service.passhostheader": "false"}},
	}
	c := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		info, ok := services[name]
		return info, ok
	}}
	for _, tc := range []struct {
		ref    ingress.BackendRef
		scheme string
		host   string // what Forward sets
	}{
		{ingress.BackendRef{Service: "web", Port: 80}, "http", ""},
		{ingress.BackendRef{Service: "web", Port: 443}, "https", ""},
		{ingress.BackendRef{Service: "web", PortName: "https-api"}, "https", ""},
		{ingress.BackendRef{Service: "web", Port: 9443}, "https", ""},
		{ingress.BackendRef{Service: "secure", Port: 80}, "https", ""},
		{ingress.BackendRef{Service: "plain", Port: 443}, "http", ""},
		{ingress.BackendRef{Service: "virtual", Port: 80}, "http", `SetHost("virtual.default.svc.cluster.local:80")`},
	} {
		t.Run(fmt.Sprint(tc.ref), func(t *testing.T) {
			in := web("/", "Prefix", nil)
			in.Rules[0].Paths[0].Backend = &tc.ref
			got := translate(in, c)
			require.Len(t, got.Entries, 1)
			b := got.Entries[0].Backends[0]
			assert.Equal(t, tc.scheme, b.Scheme)
			host := ""
			for _, r := range b.Rules {
				assert.Equal(t, rewrite.Forward, r.Hook)
				host += r.Action.String()
			}
			assert.Equal(t, tc.host, host)
		})
	}
}

func TestWeightedServices(t *testing.T) {
	resource := func(name string) *ingress.BackendRef {
		return &ingress.BackendRef{IsResource: true, Resource: ingress.ObjectRef{Group: "traefik.io", Kind: "TraefikService", Name: name}}
	}
	w := world{
		"default/wrr": `{"weighted": {"services": [
			{"name": "a", "port": 80, "weight": 3}, {"name": "b", "port": "8080"}, {"name": "c", "port": "http", "weight": 0},
			{"name": "d", "namespace": "other", "port": 80}, {"name": "e", "namespace": "granted", "port": 443},
			{"name": "f", "kind": "TraefikService"}, {"name": "g", "port": 80, "weight": -1}, {"name": "h", "port": 80, "passHostHeader": false, "scheme": "https"}
		]}}`,
		"default/mirror": `{"mirroring": {"name": "a", "port": 80}}`,
	}
	c := w.cluster()
	c.Grant = func(from, to ingress.ObjectRef) bool {
		return from.Kind == "TraefikService" && from.Namespace == "default" && to.Kind == "Service" && to.Namespace == "granted"
	}
	in := web("/", "Prefix", nil)
	in.Rules[0].Paths[0].Backend = resource("wrr")
	got := translate(in, c)
	require.Len(t, got.Entries, 1)
	var list []string
	for _, b := range got.Entries[0].Backends {
		list = append(list, fmt.Sprint(b.Upstream, " ", b.Scheme, " ", b.Weight, " ", b.Invalid, " ", len(b.Rules)))
	}
	assert.Equal(t, []string{
		"a.default.svc.cluster.local:80 http 3 false 0", "b.default.svc.cluster.local:8080 http 1 false 0",
		"c.default.svc.cluster.local:80 http 0 false 0", "  1 true 0", "e.granted.svc.cluster.local:443 https 1 false 0",
		"  1 true 0", "g.default.svc.cluster.local:80 http 0 false 0", "h.default.svc.cluster.local:80 https 1 false 1",
	}, list)
	assert.Len(t, got.Problems, 3)
	for _, p := range got.Problems {
		assert.Equal(t, traefik.CodeService, p.Code)
		assert.Equal(t, in.At(0, 0, ""), p.Source)
	}

	in.Default = resource("wrr")
	assert.Len(t, translate(in, c).Entries[1].Backends, 8, "the default backend can be one too")

	for _, name := range []string{"mirror", "none"} {
		in := web("/", "Prefix", nil)
		in.Rules[0].Paths[0].Backend = resource(name)
		got := translate(in, c)
		require.Len(t, got.Entries, 1)
		assert.True(t, got.Entries[0].Backends[0].Invalid)
		assert.True(t, slices.ContainsFunc(got.Problems, func(p ingress.Problem) bool { return p.Code == traefik.CodeService }), name)
	}
}

// What of a TraefikService is not done is said, each field.
func TestWeightedFields(t *testing.T) {
	w := world{"default/wrr": `{
		"mirroring": {"name": "a"},
		"weighted": {"sticky": {"cookie": {}}, "srvices": [], "services": [null, {"name": "a", "port": 80, "sticky": {}, "wieght": 3}]}
	}`}
	in := web("/", "Prefix", nil)
	in.Rules[0].Paths[0].Backend = &ingress.BackendRef{IsResource: true, Resource: ingress.ObjectRef{Kind: "TraefikService", Name: "wrr"}}
	got := translate(in, w.cluster())
	require.Len(t, got.Entries, 1)
	require.Len(t, got.Entries[0].Backends, 2)
	assert.True(t, got.Entries[0].Backends[0].Invalid)
	var list []string
	for _, p := range got.Problems {
		assert.Equal(t, in.At(0, 0, ""), p.Source)
		list = append(list, fmt.Sprint(p.Severity, " ", p.Code, " ", p.Detail))
	}
	const at = "TraefikService default/wrr: "
	assert.Equal(t, []string{
		"warning traefik-service " + at + "spec.mirroring is not done: spec.weighted is",
		`warning traefik-unknown ` + at + `spec.weighted: there is no field "srvices"`,
		"note traefik-ignored " + at + "spec.weighted.sticky: it has no meaning for URL routing",
		"error traefik-service " + at + "spec.weighted.services[0]: null stands for an item of a list: leave it out",
		"note traefik-ignored " + at + "spec.weighted.services[1].sticky: it has no meaning for URL routing",
		`warning traefik-unknown ` + at + `spec.weighted.services[1]: there is no field "wieght"`,
	}, list)
}
