package contour_test

// The cases of testdata/vectors.json, which have a route as flattened fields.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/internal/vector"
)

func TestVectors(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/vectors.json") {
		for _, mode := range []contour.Mode{contour.Strict, contour.Compat} {
			if c.Mode != "" && c.Mode != mode.String() {
				continue
			}
			t.Run(c.Name+" "+mode.String(), func(t *testing.T) {
				got := (&contour.Options{Mode: mode}).Translate([]*contour.HTTPProxy{flattened(t, &c)}, nil)
				c.Check(t, &ingress.Result{Entries: got.Entries, Problems: got.Problems}, nil)
			})
		}
	}
}

func flattened(t *testing.T, c *vector.Case) *contour.HTTPProxy {
	condition := contour.Condition{Prefix: c.Path}
	if c.PathType == "Exact" {
		condition = contour.Condition{Exact: c.Path}
	}
	var replace contour.ReplacePrefix
	for key, value := range c.Annotations {
		field, ok := strings.CutPrefix(key, "httpproxy.pathRewritePolicy.replacePrefix[0].")
		require.True(t, ok, key)
		switch field {
		case "prefix":
			replace.Prefix = value
		case "replacement":
			replace.Replacement = value
		}
	}
	return &contour.HTTPProxy{
		Name: "web", VirtualHost: &contour.VirtualHost{FQDN: c.Host},
		Routes: []contour.Route{{
			Conditions:        []contour.Condition{condition},
			Services:          []contour.Service{{Name: "web", Port: 80}},
			PathRewritePolicy: &contour.PathRewritePolicy{ReplacePrefix: []contour.ReplacePrefix{replace}},
		}},
	}
}
