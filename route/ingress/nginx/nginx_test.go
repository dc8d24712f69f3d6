package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/ingresstest"
	"github.com/readdress/readdress/route/ingress/nginx"
)

const prefix = "nginx.ingress.kubernetes.io/"

func TestConformance(t *testing.T) {
	for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
		t.Run(mode.String(), func(t *testing.T) {
			ingresstest.Run(t, nginx.New(&nginx.Options{Mode: mode}), &ingresstest.Options{
				Annotations: map[string]string{prefix + "proxy-read-timeout": "60"},
			})
		})
	}
}

// TestMatch: an explicit class that is known beats stray annotations, and one
// that is not is no class.
func TestMatch(t *testing.T) {
	rw := nginx.New(nil)
	stray := map[string]string{prefix + "proxy-body-size": "24m"}
	cluster := &ingress.Cluster{Known: []string{"nginx", "haproxy"}, Classes: map[string]string{"edge": "nginx"}}
	for _, c := range []struct {
		name        string
		class       string
		annotations map[string]string
		want        bool
	}{
		{"its class", "nginx", nil, true},
		{"a class that is mapped", "edge", nil, true},
		{"another known class", "haproxy", nil, false},
		{"another known class with its annotations", "haproxy", stray, false},
		{"an unknown class with its annotations", "nginx-internal", stray, true},
		{"an unknown class", "nginx-internal", nil, false},
		{"no class with its annotations", "", stray, true},
		{"nothing", "", nil, false},
		{"the annotations of the other nginx", "", map[string]string{"nginx.org/rewrites": "x"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := &ingress.Ingress{ClassName: c.class, Annotations: c.annotations}
			assert.Equal(t, c.want, rw.Match(in, cluster))
		})
	}
	assert.False(t, rw.Match(nil, nil))
}

func TestMode(t *testing.T) {
	assert.Equal(t, "strict compat Mode(7)", nginx.Strict.String()+" "+nginx.Compat.String()+" "+nginx.Mode(7).String())
}
