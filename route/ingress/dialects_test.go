package ingress_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/gateway"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/kong"
	"github.com/readdress/readdress/route/ingress/nginx"
	"github.com/readdress/readdress/route/ingress/traefik"
)

// rewriters are those of all dialects of Ingresses, with their defaults.
func rewriters() []ingress.Rewriter {
	return []ingress.Rewriter{
		bfe.New(nil), contour.New(nil), haproxy.New(nil), kong.New(nil), nginx.New(nil), traefik.New(nil),
	}
}

// TestNilObjects: a nil object in a list is none, to whoever is asked.
func TestNilObjects(t *testing.T) {
	nothing := ingress.Translation{}
	for _, rw := range rewriters() {
		in := simple("web", rw.Name())
		for _, c := range []*ingress.Cluster{nil, {}} {
			assert.False(t, rw.Match(nil, c), rw.Name())
			got := rw.Rewrite([]*ingress.Ingress{nil, nil}, c)
			assert.Empty(t, got.Entries, rw.Name())
			assert.Empty(t, got.Problems, rw.Name())
			want := rw.Rewrite([]*ingress.Ingress{in}, c)
			assert.Equal(t, want, rw.Rewrite([]*ingress.Ingress{nil, in, nil}, c), rw.Name())
		}
	}
	assert.Equal(t, nothing, gateway.Translate([]*gateway.HTTPRoute{nil}, nil))
	assert.Equal(t, nothing, contour.Translate([]*contour.HTTPProxy{nil}, nil))
}

// TestPlaceOfPattern: of a host or path that can be none every dialect says
// which of the two it is, by the name of the field.
func TestPlaceOfPattern(t *testing.T) {
	for _, rw := range rewriters() {
		d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: rw})
		require.NoError(t, err)
		for key, rule := range map[string]ingress.Rule{
			"host": {Host: "a..b", Paths: []ingress.Path{{Path: "/x"}}},
			"path": {Host: "h", Paths: []ingress.Path{{Path: "/a//b"}}},
		} {
			rule.Paths[0].Type, rule.Paths[0].Backend = "Prefix", &ingress.BackendRef{Service: "app", Port: 80}
			in := &ingress.Ingress{Name: "web", ClassName: rw.Name(), Rules: []ingress.Rule{rule}}
			problems := d.Dispatch([]*ingress.Ingress{in}, nil).Problems
			require.Len(t, problems, 1, "%s: %s", rw.Name(), key)
			assert.Equal(t, ingress.CodeBadEntry, problems[0].Code, rw.Name())
			assert.Equal(t, key, problems[0].Origin.Key, rw.Name())
		}
	}
}
