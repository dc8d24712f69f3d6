package ingress_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/kong"
	"github.com/readdress/readdress/route/ingress/nginx"
	"github.com/readdress/readdress/route/ingress/traefik"
)

// everyDialect returns a Dispatcher of all rewriters of this module.
func everyDialect(t *testing.T) *ingress.Dispatcher {
	t.Helper()
	d, err := ingress.NewDispatcher(
		ingress.Registration{Rewriter: haproxy.New(nil)},
		ingress.Registration{Rewriter: nginx.New(nil)},
		ingress.Registration{Rewriter: traefik.New(nil)},
		ingress.Registration{Rewriter: contour.New(nil)},
		ingress.Registration{Rewriter: kong.New(nil)},
		ingress.Registration{Rewriter: bfe.New(nil)},
	)
	require.NoError(t, err)
	return d
}

// TestDekube has the demands of the test manifests of dekube, by their names.
func TestDekube(t *testing.T) {
	const path = `"rules": [{"host": "h.example", "http": {"paths": [{"path": "/api", "pathType": "Prefix", "backend": {"service": {"name": "web", "port": {"number": 80}}}}]}}]`
	for _, test := range []struct {
		name, manifest string
		rewriter       string
		entries        int
		codes          []ingress.Code // among the problems
	}{
		{"bug-ingress-class-authority: a known class beats stray annotations",
			`{"metadata": {"name": "a", "annotations": {"haproxy.org/path-rewrite": "/", "nginx.ingress.kubernetes.io/rewrite-target": "/"}}, "spec": {"ingressClassName": "traefik", ` + path + `}}`,
			"traefik", 1, nil},
		{"bug-ingress-class-authority: an unknown class falls back to annotations",
			`{"metadata": {"name": "a", "annotations": {"nginx.ingress.kubernetes.io/proxy-body-size": "1m"}}, "spec": {"ingressClassName": "internal", ` + path + `}}`,
			"nginx", 1, nil},
		{"an unknown class without annotations is skipped",
			`{"metadata": {"name": "a"}, "spec": {"ingressClassName": "internal", ` + path + `}}`,
			"", 0, []ingress.Code{ingress.CodeUnmatched}},
		{"bug-haproxy-classless: nginx's annotations",
			`{"metadata": {"name": "a", "annotations": {"nginx.ingress.kubernetes.io/proxy-body-size": "42m"}}, "spec": {` + path + `}}`,
			"nginx", 1, nil},
		{"bug-haproxy-classless: traefik's annotations",
			`{"metadata": {"name": "a", "annotations": {"traefik.ingress.kubernetes.io/router.entrypoints": "web"}}, "spec": {` + path + `}}`,
			"traefik", 1, nil},
		{"classless without annotations",
			`{"metadata": {"name": "a"}, "spec": {` + path + `}}`, "haproxy", 1, nil},
		{"bug-null-ingress-class",
			`{"metadata": {"name": "a", "annotations": {"kubernetes.io/ingress.class": null}}, "spec": {"ingressClassName": null, ` + path + `}}`,
			"haproxy", 1, nil},
		{"bug-null-path",
			`{"metadata": {"name": "a"}, "spec": {` + strings.Replace(path, `"/api"`, `null`, 1) + `}}`,
			"haproxy", 1, []ingress.Code{ingress.CodeNoPath}},
		{"bug-haproxy-defaultbackend",
			`{"metadata": {"name": "a"}, "spec": {"defaultBackend": {"service": {"name": "rest", "port": {"number": 80}}}, ` + path + `}}`,
			"haproxy", 3, []ingress.Code{ingress.CodeDefaultBackend}},
		{"bug-nginx-hostless",
			`{"metadata": {"name": "a"}, "spec": {"ingressClassName": "nginx", ` + strings.Replace(path, `"h.example"`, `null`, 1) + `}}`,
			"nginx", 1, []ingress.Code{ingress.CodeNoHost}},
		{"bug-traefik-hostless",
			`{"metadata": {"name": "a"}, "spec": {"ingressClassName": "traefik", ` + strings.Replace(path, `"host": "h.example", `, ``, 1) + `}}`,
			"traefik", 1, []ingress.Code{ingress.CodeNoHost}},
		{"bug-null-nginx-snippet",
			`{"metadata": {"name": "a", "annotations": {"nginx.ingress.kubernetes.io/configuration-snippet": null}}, "spec": {"ingressClassName": "nginx", ` + path + `}}`,
			"nginx", 1, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := everyDialect(t).Dispatch([]*ingress.Ingress{decode(t, test.manifest)}, nil)
			assert.Equal(t, test.rewriter, result.Decisions[0].Rewriter)
			assert.Len(t, result.Entries, test.entries)
			for _, code := range test.codes {
				assert.Contains(t, codes(result.Problems), "warning "+string(code))
			}
			for _, p := range result.Problems {
				assert.NotEqual(t, ingress.Error, p.Severity, p.Error())
			}
		})
	}
}

// TestDekubeScope: of ingress.yaml, path-rewrite strips /api and not /webhooks.
func TestDekubeScope(t *testing.T) {
	result := everyDialect(t).Dispatch([]*ingress.Ingress{decode(t, `{"metadata": {"name": "a", "annotations": {"haproxy.org/path-rewrite": "/api/(.*) /\\1"}}, "spec": {
		"rules": [{"host": "h.example", "http": {"paths": [
			{"path": "/api", "pathType": "Prefix", "backend": {"service": {"name": "api", "port": {"number": 80}}}},
			{"path": "/webhooks", "pathType": "Prefix", "backend": {"service": {"name": "hooks", "port": {"number": 80}}}}
		]}}]}}`)}, nil)
	require.Len(t, result.Entries, 2)
	strip, ok := result.Entries[0].StripPrefix()
	assert.True(t, ok)
	assert.Equal(t, "/api", strip)
	_, ok = result.Entries[1].StripPrefix()
	assert.False(t, ok)
}
