// Paths that answer 500, because what keeps clients out cannot be obeyed.

package traefik_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/traefik"
)

// A default backend is guarded by its Ingress too.
func TestEverythingIsClosed(t *testing.T) {
	w := world{
		"default/auth": `{"basicAuth": {"secret": "x"}}`, "default/https": `{"redirectScheme": {"scheme": "https"}}`, "default/bad": `{"replacePath": {"path": "x"}}`,
		"default/chain": `{"chain": {"middlewares": [{"name": "none"}, {"name": "auth"}]}}`,
	}
	for _, annotations := range []map[string]string{
		{middlewares: "default-auth@kubernetescrd"},
		{middlewares: "default-https@kubernetescrd,default-auth@kubernetescrd", "traefik.ingress.kubernetes.io/app-root": "/x"},
		{middlewares: "default-bad@kubernetescrd,default-auth@kubernetescrd"},
		{middlewares: "default-chain@kubernetescrd"},
		{"traefik.ingress.kubernetes.io/whitelist-source-range": "10.0.0.0/8"},
		{"traefik.frontend.whitelistSourceRange": "10.0.0.0/8"},
	} {
		in := web("/admin", "Prefix", annotations)
		in.Default = service("default")
		got := translate(in, w.cluster())
		assert.Len(t, got.Entries, 3, annotations)
		assert.True(t, closed(got), annotations)
		for _, e := range got.Entries {
			assert.Empty(t, e.Backends[0].Upstream)
		}
		require.NotEmpty(t, got.Problems)
		i := len(got.Problems) - 1
		for i > 0 && got.Problems[i].Severity != ingress.Error {
			i--
		}
		assert.Equal(t, []ingress.Source{in.At(0, 0, ""), in.At(0, -1, "default-backend"), in.At(-1, -1, "default-backend")}, got.Problems[i].Related)
	}
}

// A path whose annotations are at fault is closed all the same.
func TestFaultyAndClosed(t *testing.T) {
	const prefix = "traefik.ingress.kubernetes.io/"
	for name, value := range map[string]string{"rewrite-target": "/x", "rule-type": "PathPrefixStrip", "redirect-entry-point": "edge", "app-root": "a b"} {
		got := translate(web("^/a", "", map[string]string{pathmatcher: "PathRegexp", prefix + name: value, prefix + "whitelist-source-range": "10.0.0.0/8"}), nil)
		assert.True(t, closed(got), name)
	}
}

// What is behind a missing middleware of a chain is read all the same.
func TestChainGoesOn(t *testing.T) {
	w := world{
		"default/auth":  `{"basicAuth": {"secret": "x"}}`,
		"default/chain": `{"chain": {"middlewares": [{"name": "none"}, {"name": "default-auth@kubernetescrd"}, {"name": "auth"}], "extra": 1}}`,
	}
	got := translate(web("/", "Prefix", map[string]string{middlewares: "default-chain@kubernetescrd"}), w.cluster())
	var codes []ingress.Code
	for _, p := range got.Problems {
		codes = append(codes, p.Code)
	}
	require.Equal(t, []ingress.Code{traefik.CodeUnknown, traefik.CodeMiddleware, traefik.CodeMiddleware, traefik.CodeAccess}, codes)
	assert.Contains(t, got.Problems[2].Detail, "leave out @")
}

// Middlewares are for the default backend too.
func TestMiddlewaresOfTheDefault(t *testing.T) {
	in := web("/", "Prefix", map[string]string{middlewares: "default-a@kubernetescrd,default-s@kubernetescrd", "traefik.ingress.kubernetes.io/app-root": "/x"})
	in.Rules, in.Default = nil, service("default")
	got := translate(in, world{"default/a": `{"addPrefix": {"prefix": "/a"}}`, "default/s": `{"redirectScheme": {"scheme": "https"}}`}.cluster())
	require.Len(t, got.Entries, 2)
	assert.Equal(t, in.At(-1, -1, "default-backend redirect-scheme"), got.Entries[0].Source)
	assert.Equal(t, "http", got.Entries[0].When.Scheme)
	assert.Equal(t, `AddPathPrefix("/a")`, got.Entries[1].Rules[0].Action.String())
	last := got.Problems[len(got.Problems)-1]
	assert.Equal(t, traefik.CodeDead, last.Code)
	assert.Equal(t, "traefik.ingress.kubernetes.io/app-root", last.Origin.Key)
}

// allowedHosts keeps clients out, which no other field of headers does; and a
// field that is not set asks for nothing.
func TestHeadersThatKeepClientsOut(t *testing.T) {
	for headers, want := range map[string]struct {
		codes  []ingress.Code
		closed bool
	}{
		`{"allowedHosts": ["h"], "customRequestHeaders": {"A": "1"}}`: {[]ingress.Code{traefik.CodeAccess}, true},
		`{"frameDeny": true}`: {[]ingress.Code{traefik.CodeNotTranslated}, false},
		`{"allowedHosts": [], "frameDeny": false, "stsSeconds": 0}`:                    {nil, false},
		`{"allowedHosts": null, "customFrameOptionsValue": "", "sslProxyHeaders": {}}`: {nil, false},
		`{"customRequestHeaders": null}`:                                               {nil, false},
	} {
		w := world{"default/m": `{"headers": ` + headers + `}`}
		got := translate(web("/", "Prefix", map[string]string{middlewares: "default-m@kubernetescrd"}), w.cluster())
		var codes []ingress.Code
		for _, p := range got.Problems {
			codes = append(codes, p.Code)
		}
		assert.Equal(t, want.codes, codes, headers)
		require.Len(t, got.Entries, 1, headers)
		assert.Equal(t, want.closed, closed(got), headers)
	}
}

// What may keep clients out of a Service, or be that misspelt, closes the paths to
// this Service, and no other.
func TestServicesThatAreClosed(t *testing.T) {
	const prefix = "traefik.ingress.kubernetes.io/"
	for name, code := range map[string]ingress.Code{
		"service.middlewares": traefik.CodeRefused, "Service.Middlewares": traefik.CodeRefused, "service.middleware": traefik.CodeUnknown, "service.x": traefik.CodeUnknown,
	} {
		c := &ingress.Cluster{Service: func(_, service string) (ingress.ServiceInfo, bool) {
			info := ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}}
			if service == "web" {
				info.Annotations = map[string]string{prefix + name: "default-auth@kubernetescrd"}
			}
			return info, true
		}}
		in := web("/", "Prefix", nil)
		in.Rules[0].Paths = append(in.Rules[0].Paths, in.Rules[0].Paths[0], ingress.Path{Path: "/open", Type: "Prefix", Backend: service("open")})
		in.Default = service("web")
		got := translate(in, c)
		var invalid []bool
		for _, e := range got.Entries {
			require.Len(t, e.Backends, 1)
			assert.Equal(t, uint32(1), e.Backends[0].Weight)
			invalid = append(invalid, e.Backends[0].Invalid)
		}
		assert.Equal(t, []bool{true, true, false, true}, invalid, name)
		require.Len(t, got.Problems, 2, name)
		assert.Equal(t, ingress.CodeDefaultBackend, got.Problems[0].Code)
		assert.Equal(t, code, got.Problems[1].Code)
		assert.Equal(t, ingress.Error, got.Problems[1].Severity)

		handled := traefik.New(&traefik.Options{Handled: []string{name}}).Rewrite([]*ingress.Ingress{in}, c)
		assert.Len(t, handled.Problems, 1, name)
		assert.False(t, handled.Entries[0].Backends[0].Invalid, name)
	}
}

// One of weighted Services keeps its share where it has middlewares.
func TestWeightedServiceWithMiddlewares(t *testing.T) {
	w := world{"default/s": `{"weighted": {"services": [
		{"name": "a", "port": 80, "weight": 3, "middlewares": [{"name": "auth"}]}, {"name": "b", "port": 80, "middlewares": []}
	]}}`}
	in := web("/", "Prefix", nil)
	in.Rules[0].Paths[0].Backend = &ingress.BackendRef{IsResource: true, Resource: ingress.ObjectRef{Kind: "TraefikService", Name: "s"}}
	got := translate(in, w.cluster())
	require.Len(t, got.Entries[0].Backends, 2)
	assert.Equal(t, ingress.Backend{Weight: 3, Invalid: true}, got.Entries[0].Backends[0])
	assert.False(t, got.Entries[0].Backends[1].Invalid)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, traefik.CodeService, got.Problems[0].Code)

	handled := traefik.New(&traefik.Options{Handled: []string{"service.middlewares"}}).Rewrite([]*ingress.Ingress{in}, w.cluster())
	assert.Empty(t, handled.Problems)
	assert.False(t, handled.Entries[0].Backends[0].Invalid)
}

// Lists with nothing to strip strip nothing.
func TestNothingToStrip(t *testing.T) {
	for _, spec := range []string{`{"stripPrefix": {"prefixes": []}}`, `{"stripPrefix": {}}`, `{"stripPrefixRegex": {"regex": []}}`, `{"stripPrefixRegex": {}}`} {
		got := translate(web("/", "Prefix", map[string]string{middlewares: "default-m@kubernetescrd"}), world{"default/m": spec}.cluster())
		require.Len(t, got.Entries, 1, spec)
		assert.Empty(t, got.Entries[0].Rules, spec)
		assert.Empty(t, got.Problems, spec)
	}
}
