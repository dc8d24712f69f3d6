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

// What is on a Service is not silent, and is told once.
func TestServiceAnnotations(t *testing.T) {
	const prefix = "traefik.ingress.kubernetes.io/"
	for _, tc := range []struct {
		name, value string
		code        ingress.Code
		scheme      string
		keeps       bool
	}{
		{"service.serversscheme", "https", "", "https", true},
		{"service.serversscheme", "h2c", "", "http", true},
		{"service.serversscheme", "HTTPS", traefik.CodeValue, "http", true},
		{"protocol", "https", "", "https", true},
		{"protocol", "ftp", traefik.CodeValue, "http", true},
		{"service.passhostheader", "False", "", "http", false},
		{"service.passhostheader", "0", "", "http", false},
		{"service.passhostheader", "true", "", "http", true},
		{"service.passhostheader", "no", traefik.CodeValue, "http", true},
		{"service.passhostheader", "", "", "http", true},
		{"service.ServersScheme", "https", "", "https", true},
		{"passhostheaders", "false", traefik.CodeUnknown, "http", true},
		{"router.middleware", "x", traefik.CodeUnknown, "http", true},
		{"service.middlewares", "", "", "http", true},
		{"service.sticky.cookie", "true", traefik.CodeIgnored, "http", true},
		{"affinity", "true", traefik.CodeIgnored, "http", true},
		{"router.middlewares", "default-auth@kubernetescrd", traefik.CodeDead, "http", true},
		{"whitelist-source-range", "10.0.0.0/8", traefik.CodeDead, "http", true},
	} {
		t.Run(tc.name+" "+tc.value, func(t *testing.T) {
			c := &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
				return ingress.ServiceInfo{
					Ports:       []ingress.ServicePort{{Number: 80}},
					Annotations: map[string]string{prefix + tc.name: tc.value, "konghq.com/path": "/x"},
				}, true
			}}
			in := web("/", "Prefix", nil)
			in.Rules[0].Paths = append(in.Rules[0].Paths, in.Rules[0].Paths[0])
			got := translate(in, c)
			require.Len(t, got.Entries, 2)
			for _, e := range got.Entries {
				assert.Equal(t, tc.scheme, e.Backends[0].Scheme)
				assert.Equal(t, tc.keeps, len(e.Backends[0].Rules) == 0)
			}
			if tc.code == "" {
				assert.Empty(t, got.Problems)
				return
			}
			require.Len(t, got.Problems, 1)
			p := got.Problems[0]
			assert.Equal(t, tc.code, p.Code)
			assert.Equal(t, rewrite.Origin{Key: prefix + tc.name}, p.Origin)
			assert.Contains(t, p.Detail, "Service default/web: ")

			handled := traefik.New(&traefik.Options{Handled: []string{tc.name}})
			if tc.code != traefik.CodeUnknown {
				assert.Empty(t, handled.Rewrite([]*ingress.Ingress{in}, c).Problems)
			}
		})
	}
}

// A scheme that there is not is told where a TraefikService has it, too.
func TestWeightedScheme(t *testing.T) {
	w := world{"default/s": `{"weighted": {"services": [{"name": "a", "port": 443, "scheme": "ftp"}, {"name": "a", "port": 443, "scheme": "h2c"}]}}`}
	in := web("/", "Prefix", nil)
	in.Rules[0].Paths[0].Backend = &ingress.BackendRef{IsResource: true, Resource: ingress.ObjectRef{Kind: "TraefikService", Name: "s"}}
	got := translate(in, w.cluster())
	require.Len(t, got.Problems, 1)
	assert.Equal(t, traefik.CodeValue, got.Problems[0].Code)
	assert.Equal(t, []string{"http", "http"}, []string{got.Entries[0].Backends[0].Scheme, got.Entries[0].Backends[1].Scheme})
}

// Expressions for the beginning of a path that no path begins with, or that strip
// nothing and hide the next.
func TestExpressionsThatDoNothing(t *testing.T) {
	for spec, want := range map[string]ingress.Code{
		`{"stripPrefixRegex": {"regex": ["api/"]}}`:                              traefik.CodeNeverMatches,
		`{"stripPrefixRegex": {"regex": ["^api/[0-9]+"]}}`:                       traefik.CodeNeverMatches,
		`{"stripPrefixRegex": {"regex": ["/api/", "(?i)/v[0-9]"]}}`:              "",
		`{"stripPrefixRegex": {"regex": ["(/a)?", "/b"]}}`:                       traefik.CodeValue,
		`{"stripPrefixRegex": {"regex": ["/b", "(/a)?"]}}`:                       "",
		`{"replacePathRegex": {"regex": "^api/(.*)", "replacement": "/$1"}}`:     traefik.CodeNeverMatches,
		`{"replacePathRegex": {"regex": "api/(.*)", "replacement": "v1/$1"}}`:    "",
		`{"replacePathRegex": {"regex": "^/api/(.*)", "replacement": "/v1/$1"}}`: "",
	} {
		got := translate(web("/", "Prefix", map[string]string{middlewares: "default-m@kubernetescrd"}), world{"default/m": spec}.cluster())
		assert.Equal(t, want == traefik.CodeValue, len(got.Entries) == 0, spec)
		if want == "" {
			assert.Empty(t, got.Problems, spec)
			continue
		}
		require.Len(t, got.Problems, 1, spec)
		assert.Equal(t, want, got.Problems[0].Code, spec)
	}
	for path, want := range map[string]int{"^api": 1, "^/api": 0, "api": 0, "^(?i)api|/b": 0} {
		got := translate(web(path, "", map[string]string{pathmatcher: "PathRegexp"}), nil)
		assert.Len(t, got.Problems, want, path)
	}
}
