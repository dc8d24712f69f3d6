// The cases of testdata: in vectors.json what HAProxy's controllers have been
// seen to do, in cases.json what follows from that and from public reports.

package haproxy_test

import (
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/internal/vector"
)

func newRewriter(mode string) ingress.Rewriter {
	if mode == "compat" {
		return haproxy.New(&haproxy.Options{Mode: haproxy.Compat})
	}
	return haproxy.New(nil)
}

// stranger claims the Ingresses that another dialect would.
func stranger(name, prefix string) ingress.Rewriter {
	match := func(in *ingress.Ingress, c *ingress.Cluster) bool {
		return c.Claims(in, []string{name}, []string{prefix})
	}
	return ingress.Each(name, match, func(*ingress.Ingress, *ingress.Cluster) ingress.Translation {
		return ingress.Translation{}
	})
}

func TestVectors(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/vectors.json") {
		modes := []string{"strict", "compat"}
		if c.Mode != "" {
			modes = []string{c.Mode}
		}
		for _, mode := range modes {
			t.Run(c.Name+" "+mode, func(t *testing.T) {
				c.Run(t, nil, newRewriter(mode),
					stranger("nginx", "nginx.ingress.kubernetes.io/"), stranger("traefik", "traefik.ingress.kubernetes.io/"))
			})
		}
	}
}

func TestCases(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/cases.json") {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, nil, newRewriter(c.Mode)) })
	}
}
