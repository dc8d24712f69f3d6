package ingress_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
)

func codes(problems []ingress.Problem) []string {
	list := make([]string, len(problems))
	for i, p := range problems {
		list[i] = p.Severity.String() + " " + string(p.Code)
	}
	return list
}

func service(name string, port int) *ingress.BackendRef {
	return &ingress.BackendRef{Service: name, Port: port}
}

func TestPaths(t *testing.T) {
	in := &ingress.Ingress{Namespace: "shop", Name: "web", Rules: []ingress.Rule{
		{Host: "a.b", Paths: []ingress.Path{
			{Path: "/x", Type: "Exact", Backend: service("x", 8080)},
			{},
			{Backend: service("y", 80)},
			{Path: "/z", Type: "Suffix", Backend: service("z", 80)},
			{Path: "/none"},
		}},
		{Paths: []ingress.Path{{Path: "/any", Backend: service("any", 0)}}},
		{Host: "empty.b"},
	}}
	rules, problems := (&ingress.Cluster{Domain: "corp"}).Paths(in)
	require.Len(t, rules, 5)
	assert.Equal(t, ingress.PathRule{
		Source: ingress.Source{Kind: "Ingress", Namespace: "shop", Name: "web"},
		Host:   "a.b", Path: "/x", Type: "Exact",
		Backend: ingress.Backend{
			Service:  ingress.Service{Namespace: "shop", Name: "x", Port: 8080},
			Upstream: "x.shop.svc.corp:8080", Scheme: "http", Weight: 1,
		},
	}, rules[0])
	assert.Equal(t, "/", rules[1].Path)
	assert.Equal(t, 2, rules[1].Source.Path, "the index of the manifest, nulls counted")
	assert.Equal(t, "Prefix", rules[2].Type)
	assert.True(t, rules[3].Backend.Invalid)
	assert.Equal(t, "", rules[4].Host)
	assert.Equal(t, "any.shop.svc.corp:80", rules[4].Backend.Upstream)
	assert.Equal(t, []string{
		"warning no-backend", "warning no-path", "warning path-type", "error no-backend",
		"warning no-host", "warning default-port", "warning no-rule",
	}, codes(problems))
	for _, p := range problems {
		assert.Equal(t, "web", p.Source.Name)
		assert.NotEmpty(t, p.Detail)
	}
}

func TestDefaultBackend(t *testing.T) {
	in := &ingress.Ingress{Name: "web", Default: service("fallback", 80), Rules: []ingress.Rule{
		{Host: "own.b", Paths: []ingress.Path{{Path: "/", Backend: service("x", 80)}}},
		{Host: "exact.b", Paths: []ingress.Path{{Path: "/", Type: "Exact", Backend: service("x", 80)}}},
		{Host: "other.b", Paths: []ingress.Path{{Path: "/x", Backend: service("x", 80)}}},
		{Host: "OTHER.b", Paths: []ingress.Path{{Path: "/y", Backend: service("x", 80)}}},
		{Host: "bare.b"},
	}}
	rules, problems := (*ingress.Cluster)(nil).Paths(in)
	var hosts []string
	for _, r := range rules {
		if r.Default {
			hosts = append(hosts, r.Host)
			assert.Equal(t, "/", r.Path)
			assert.Equal(t, -1, r.Source.Path)
			assert.Equal(t, "fallback.default.svc.cluster.local:80", r.Backend.Upstream)
		}
	}
	assert.Equal(t, []string{"exact.b", "other.b", "bare.b", ""}, hosts)
	assert.Equal(t, []string{"warning default-backend"}, codes(problems))
	assert.True(t, rules[len(rules)-1].Default)
}

func TestDefaultBackendAlone(t *testing.T) {
	rules, problems := (*ingress.Cluster)(nil).Paths(&ingress.Ingress{Name: "web", Default: service("fallback", 80)})
	require.Len(t, rules, 1)
	assert.Equal(t, []string{"warning default-backend"}, codes(problems))
	rules, problems = (*ingress.Cluster)(nil).Paths(&ingress.Ingress{Name: "web"})
	assert.Empty(t, rules)
	assert.Equal(t, []string{"warning no-rule"}, codes(problems))
}

func TestResolve(t *testing.T) {
	known := &ingress.Cluster{Service: func(namespace, name string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Name: "web", Number: 8080}, {Name: "admin", Number: 9000}}}, name == "app" && namespace == "shop"
	}}
	for _, test := range []struct {
		name     string
		cluster  *ingress.Cluster
		ref      ingress.BackendRef
		upstream string // "": invalid
		code     string
	}{
		{"number", nil, ingress.BackendRef{Service: "app", Port: 81}, "app.shop.svc.cluster.local:81", ""},
		{"no port", nil, ingress.BackendRef{Service: "app"}, "app.shop.svc.cluster.local:80", "warning default-port"},
		{"http", nil, ingress.BackendRef{Service: "app", PortName: "http"}, "app.shop.svc.cluster.local:80", ""},
		{"https", nil, ingress.BackendRef{Service: "app", PortName: "https"}, "app.shop.svc.cluster.local:443", ""},
		{"a name that nobody knows", nil, ingress.BackendRef{Service: "app", PortName: "web"}, "", "error unresolved-port"},
		{"a name that the Service knows", known, ingress.BackendRef{Service: "app", PortName: "web"}, "app.shop.svc.cluster.local:8080", ""},
		{"a name that the Service does not have", known, ingress.BackendRef{Service: "app", PortName: "http"}, "", "error unresolved-port"},
		{"a number that the Service has", known, ingress.BackendRef{Service: "app", Port: 9000}, "app.shop.svc.cluster.local:9000", ""},
		{"a number that it does not have", known, ingress.BackendRef{Service: "app", Port: 9001}, "", "error unknown-port"},
		{"no such Service", known, ingress.BackendRef{Service: "app2", Port: 80}, "", "error unknown-service"},
		{"resource", nil, ingress.BackendRef{IsResource: true, Resource: ingress.ObjectRef{Kind: "Bucket", Name: "b"}}, "", "error resource-backend"},
		{"port out of range", nil, ingress.BackendRef{Service: "app", Port: 65536}, "", "error unknown-port"},
		{"negative port", nil, ingress.BackendRef{Service: "app", Port: -1}, "", "error unknown-port"},
		{"a name that would be another host", nil, ingress.BackendRef{Service: "evil.example.com/", Port: 80}, "", "error bad-name"},
		{"no name", nil, ingress.BackendRef{Port: 80}, "", "error bad-name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, problems := test.cluster.Resolve("shop", test.ref)
			assert.Equal(t, test.upstream, b.Upstream)
			assert.Equal(t, test.upstream == "", b.Invalid)
			assert.EqualValues(t, 1, b.Weight, "an invalid backend keeps its share")
			var want []string
			if test.code != "" {
				want = []string{test.code}
			}
			assert.ElementsMatch(t, want, codes(problems))
		})
	}
	b, problems := (*ingress.Cluster)(nil).Resolve("Bad_Namespace", ingress.BackendRef{Service: "app", Port: 80})
	assert.True(t, b.Invalid)
	assert.Equal(t, []string{"error bad-name"}, codes(problems))
}
