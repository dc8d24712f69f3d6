package gateway_test

// The cases of testdata/vectors.json, which have a rule as flattened fields.

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
	"github.com/readdress/readdress/route/ingress/internal/vector"
)

// cluster is one whose tables rank hosts as the Gateway API does.
var cluster = &ingress.Cluster{Table: &route.Options{AnyDepthWildcard: true, TryNextHost: true}}

func result(routes ...*gateway.HTTPRoute) *ingress.Result {
	t := gateway.Translate(routes, cluster)
	return &ingress.Result{Entries: t.Entries, Problems: t.Problems}
}

func TestVectors(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/vectors.json") {
		t.Run(c.Name, func(t *testing.T) {
			c.Check(t, result(flattened(t, &c)), cluster)
		})
	}
}

// flattened returns the route that a case describes.
func flattened(t *testing.T, c *vector.Case) *gateway.HTTPRoute {
	rule := gateway.Rule{Matches: []gateway.Match{{Path: gateway.PathMatch{Type: c.PathType, Value: c.Path}}}}
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		return n
	}
	var rewrite gateway.URLRewrite
	var redirect gateway.RequestRedirect
	for key, value := range c.Annotations {
		group, field, _ := strings.Cut(key, ".")
		switch {
		case group == "backendRefs":
			name, _, _ := strings.Cut(field, ".")
			weight := int64(number(value))
			rule.BackendRefs = append(rule.BackendRefs, gateway.BackendRef{Name: name, Port: 80, Weight: &weight})
			continue
		case group == "requestRedirect":
			switch field {
			case "scheme":
				redirect.Scheme = value
			case "hostname":
				redirect.Hostname = value
			case "port":
				redirect.Port = number(value)
			case "statusCode":
				redirect.StatusCode = number(value)
			case "path.type":
				redirect.Path.Type = value
			default:
				redirect.Path.Value = value
			}
		default:
			require.Equal(t, "urlRewrite", group)
			switch field {
			case "hostname":
				rewrite.Hostname = value
			case "path.type":
				rewrite.Path.Type = value
			default:
				rewrite.Path.Value = value
			}
		}
	}
	slices.SortFunc(rule.BackendRefs, func(a, b gateway.BackendRef) int { return strings.Compare(a.Name, b.Name) })
	switch {
	case redirect != gateway.RequestRedirect{}:
		rule.Filters = append(rule.Filters, gateway.Filter{Type: "RequestRedirect", RequestRedirect: &redirect})
	case rewrite != gateway.URLRewrite{}:
		rule.Filters = append(rule.Filters, gateway.Filter{Type: "URLRewrite", URLRewrite: &rewrite})
		fallthrough
	default:
		if len(rule.BackendRefs) == 0 {
			rule.BackendRefs = []gateway.BackendRef{{Name: "web", Port: 80}}
		}
	}
	return &gateway.HTTPRoute{Name: "web", Hostnames: []string{c.Host}, Rules: []gateway.Rule{rule}}
}
