package kong_test

// The cases of testdata: in vectors.json what Kong's controller has been seen or
// is documented to do, in cases.json what follows from its sources.

import (
	"maps"
	"strings"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/vector"
	"github.com/readdress/readdress/route/ingress/kong"
)

const prefix = "konghq.com/"

func newRewriter(mode string) ingress.Rewriter {
	if mode == "compat" {
		return kong.New(&kong.Options{Mode: kong.Compat})
	}
	return kong.New(nil)
}

// onService moves what a case says of its Service to the Service.
func onService(c *vector.Case) *ingress.Cluster {
	annotations, own := make(map[string]string), maps.Clone(c.Annotations)
	for _, name := range []string{"path", "host-header", "protocol"} {
		if value, ok := own[prefix+name]; ok {
			annotations[prefix+name] = value
			delete(own, prefix+name)
		}
	}
	c.Annotations = own
	c.Class = "kong"
	return &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: annotations}, true
	}}
}

func testCases(t *testing.T, file string) {
	for _, c := range vector.Load(t, file) {
		modes := []string{"strict", "compat"}
		if c.Mode != "" {
			modes = []string{c.Mode}
		}
		for _, mode := range modes {
			t.Run(strings.TrimSpace(c.Name+" "+mode), func(t *testing.T) {
				c := c
				cluster := onService(&c)
				c.Run(t, cluster, newRewriter(mode))
			})
		}
	}
}

func TestVectors(t *testing.T) { testCases(t, "testdata/vectors.json") }

func TestCases(t *testing.T) { testCases(t, "testdata/cases.json") }

// The same where nobody knows the Service: what the Ingress says holds.
func TestVectorsWithoutService(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/vectors.json") {
		t.Run(c.Name, func(t *testing.T) {
			c.Class = "kong"
			c.Run(t, nil, newRewriter(c.Mode))
		})
	}
}
