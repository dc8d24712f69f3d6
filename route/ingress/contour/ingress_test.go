package contour_test

// Ingresses: Contour's path semantics and annotations.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/ingresstest"
)

func TestConformance(t *testing.T) {
	for _, mode := range []contour.Mode{contour.Strict, contour.Compat} {
		ingresstest.Run(t, contour.New(&contour.Options{Mode: mode}), &ingresstest.Options{
			Class: "contour", Annotations: map[string]string{"projectcontour.io/response-timeout": "5s"},
		})
	}
}

func rewriteOne(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	return contour.New(nil).Rewrite([]*ingress.Ingress{in}, c)
}

func made(path, pathType string, annotations map[string]string) *ingress.Ingress {
	return &ingress.Ingress{Name: "web", ClassName: "contour", Annotations: annotations, Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
		{Path: path, Type: pathType, Backend: &ingress.BackendRef{Service: "web", Port: 443}},
	}}}}
}

func TestPaths(t *testing.T) {
	const is = "ImplementationSpecific"
	for _, c := range []struct {
		path, pathType, request string
		want                    bool
	}{
		{"/foo", "Prefix", "/foo/x", true},
		{"/foo", "Prefix", "/foox", false},
		{"/foo/", "Prefix", "/foo", true},
		{"/", "Prefix", "/x", true},
		{"/foo", "Exact", "/foo", true},
		{"/foo", "Exact", "/foo/", false},
		{"/foo", is, "/foox", true},
		{"/foo", "", "/foox", true},
		{"/", is, "/x", true},
		{"/foo.x", is, "/fooyx", false},
		{"/foo[0-9]+", is, "/foo12", true},
		{"/foo[0-9]+", is, "/foo12/x", false},
		{"/foo.*", is, "/foo12/x", true},
		{"/foo[0-9]+", "Prefix", "/foo12", false},
		{"/foo|/bar*", is, "/barr", true},
	} {
		t.Run(fmt.Sprint(c.path, c.pathType, c.request), func(t *testing.T) {
			got := rewriteOne(made(c.path, c.pathType, nil), nil)
			require.Empty(t, codes(got.Problems))
			assert.Equal(t, c.want, ask(t, got.Entries, "http://h"+c.request, nil) != "404")
		})
	}
	got := rewriteOne(made("/api/((?!v1|v2).*)", is, nil), nil)
	assert.Equal(t, []ingress.Code{contour.CodePath}, codes(got.Problems))
	assert.Equal(t, 6, got.Problems[0].Origin.Offset)
	assert.Contains(t, got.Problems[0].Detail, "/api/v1 and /api/v2")
	assert.Empty(t, got.Entries)
}

func TestAnnotations(t *testing.T) {
	for key, c := range map[string]struct {
		value       string
		code        ingress.Code
		http, https string
	}{
		"ingress.kubernetes.io/force-ssl-redirect":      {"true", "", "301 https://h/x", "https://h/x"},
		"kubernetes.io/ingress.allow-http":              {"false", "", "404", "https://h/x"},
		"projectcontour.io/ingress.class":               {"contour", "", "http://h/x", "https://h/x"},
		"projectcontour.io/max-connections":             {"5", contour.CodeKind, "http://h/x", "https://h/x"},
		"projectcontour.io/response-timeuot":            {"5s", contour.CodeUnknown, "http://h/x", "https://h/x"},
		"projectcontour.io/something-that-nobody-knows": {"5s", contour.CodeUnknown, "http://h/x", "https://h/x"},
	} {
		got := rewriteOne(made("/", "Prefix", map[string]string{key: c.value}), nil)
		if c.code == "" {
			assert.Empty(t, got.Problems)
		} else {
			require.Equal(t, []ingress.Code{c.code}, codes(got.Problems))
			assert.Equal(t, key, got.Problems[0].Origin.Key)
		}
		assert.Equal(t, c.http, ask(t, got.Entries, "http://h/x", nil), key)
		assert.Equal(t, c.https, ask(t, got.Entries, "https://h/x", nil), key)
	}
	got := rewriteOne(made("/", "Prefix", map[string]string{"ingress.kubernetes.io/force-ssl-redirect": "yes", "projectcontour.io/retry-on": "5xx"}), nil)
	assert.Equal(t, []ingress.Code{contour.CodeIgnored, contour.CodeValue}, []ingress.Code{got.Problems[0].Code, got.Problems[1].Code})
	got = rewriteOne(made("/", "Prefix", map[string]string{"projectcontour.io/response-timeuot": "5s"}), nil)
	assert.Contains(t, got.Problems[0].Detail, "projectcontour.io/response-timeout")
}

func TestServiceAnnotations(t *testing.T) {
	c := &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 443}}, Annotations: map[string]string{"projectcontour.io/upstream-protocol.tls": "443"}}, true
	}}
	got := rewriteOne(made("/", "Prefix", nil), c)
	assert.Equal(t, "https", got.Entries[0].Backends[0].Scheme)
}

func TestMode(t *testing.T) {
	assert.Equal(t, "strict compat Mode(7)", fmt.Sprint(contour.Strict, contour.Compat, contour.Mode(7)))
}
