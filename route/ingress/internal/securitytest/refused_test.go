package securitytest

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestRefused dispatches each input that docs/security-cases.md says is refused:
// there is an Error that names the place.
func TestRefused(t *testing.T) {
	raw, err := os.ReadFile("../../../../rewrite/testdata/security-cases.json")
	require.NoError(t, err)
	var cases []struct {
		ID      string
		Refused []struct {
			Annotations map[string]string
			Path, At    string
		}
	}
	require.NoError(t, json.Unmarshal(raw, &cases))
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(nil)})
	require.NoError(t, err)
	ran := 0
	for _, c := range cases {
		for _, input := range c.Refused {
			ran++
			t.Run(c.ID+" "+input.At, func(t *testing.T) {
				path := ingress.Path{Path: "/", Type: "Prefix", Backend: &ingress.BackendRef{Service: "web", Port: 80}}
				if input.Path != "" {
					path.Path, path.Type = input.Path, "ImplementationSpecific"
				}
				result := d.Dispatch([]*ingress.Ingress{{
					Namespace: "shop", Name: "web", ClassName: "nginx", Annotations: input.Annotations,
					Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{path}}},
				}}, nil)
				named := func(p ingress.Problem) bool {
					return p.Severity == ingress.Error && (p.Origin.Key == input.At || strings.Contains(p.Detail, input.At))
				}
				assert.True(t, slices.ContainsFunc(result.Problems, named), result)
				for _, e := range result.Entries {
					assert.Nil(t, e.Redirect)
					assert.Empty(t, e.Rules)
				}
			})
		}
	}
	assert.NotZero(t, ran)
}
