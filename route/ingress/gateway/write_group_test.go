package gateway_test

// How entries are shared out over HTTPRoutes.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

func TestWriteGroups(t *testing.T) {
	other := entry(route.Pattern{Host: "a.example.com", Path: "/b"})
	other.Source.Namespace = "other"
	other.Backends[0].Service.Namespace = "other"
	parents := []gateway.ParentRef{{Name: "public"}}
	routes, problems := gateway.Write([]ingress.Entry{
		entry(route.Pattern{Host: "a.example.com", Path: "/"}), entry(route.Pattern{Host: "A.example.com:8080", Path: "/x"}),
		entry(route.Pattern{Path: "/"}), entry(route.Pattern{Host: "*.example.com", Path: "/"}), other,
	}, &gateway.WriteOptions{Parents: parents})
	assert.Equal(t, []ingress.Code{gateway.CodeApproximate}, codes(problems), "the wildcard")
	var names []string
	for _, r := range routes {
		names = append(names, r.Namespace+"/"+r.Name)
		assert.Equal(t, parents, r.Parents)
	}
	assert.Equal(t, []string{"shop/web-a-example-com", "shop/web-all-hosts", "shop/web-any-example-com", "other/web-a-example-com"}, names)
	assert.Len(t, routes[0].Rules, 2)
	assert.Empty(t, routes[1].Hostnames)
	assert.Equal(t, []string{"*.example.com"}, routes[2].Hostnames)
}

// More rules than one route may have go on in a second, which sorts behind it.
func TestWriteParts(t *testing.T) {
	var entries []ingress.Entry
	for i := range 40 {
		entries = append(entries, entry(route.Pattern{Host: "h", Path: fmt.Sprintf("/%02d", i)}))
	}
	routes, problems := gateway.Write(entries, nil)
	assert.Empty(t, problems)
	require.Len(t, routes, 3)
	assert.True(t, slices.IsSortedFunc(routes, func(a, b *gateway.HTTPRoute) int { return cmpString(a.Name, b.Name) }))
	back := gateway.Translate(routes, nil)
	assert.Empty(t, back.Problems)
	require.Len(t, back.Entries, 40)
	for i, e := range back.Entries {
		assert.Equal(t, entries[i].Pattern, e.Pattern)
	}
}

func cmpString(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

// An entry for one scheme belongs to the listener of that scheme, and hides what
// a table would hide.
func TestWriteSchemes(t *testing.T) {
	plain, canary, https := entry(route.Pattern{Host: "h", Path: "/"}), entry(route.Pattern{Host: "h", Path: "/"}), entry(route.Pattern{Host: "h", Path: "/"})
	canary.When.Headers = []route.Condition{{Name: "X-Canary", Value: "always"}}
	https.When.Scheme = "http"
	https.Redirect = &ingress.Redirect{Status: 308, Rules: []rewrite.Rule{{Action: rewrite.SetScheme("https")}, {Action: rewrite.SetPort("")}}}
	routes, problems := gateway.Write([]ingress.Entry{https, canary, plain}, &gateway.WriteOptions{
		Parents: []gateway.ParentRef{{Name: "public"}}, Sections: map[string]string{"http": "web", "https": "websecure"},
	})
	assert.Empty(t, problems)
	require.Len(t, routes, 2)
	assert.Equal(t, "web", routes[0].Parents[0].SectionName)
	require.Len(t, routes[0].Rules, 1)
	assert.Equal(t, "RequestRedirect", routes[0].Rules[0].Filters[0].Type)
	assert.Equal(t, "websecure", routes[1].Parents[0].SectionName)
	assert.Len(t, routes[1].Rules, 2)
	assert.NotEqual(t, routes[0].Name, routes[1].Name)
}

// A table tries no second host, and the Gateway API does.
func TestWriteFallThrough(t *testing.T) {
	for _, wide := range []string{"", "*.example.com", "*.com"} {
		_, problems := gateway.Write([]ingress.Entry{
			entry(route.Pattern{Host: "a.example.com", Path: "/x"}), entry(route.Pattern{Host: wide, Path: "/"}),
		}, nil)
		require.NotEmpty(t, problems)
		assert.Contains(t, problems[0].Detail, "write a route for / of a.example.com")
	}
	_, problems := gateway.Write([]ingress.Entry{
		entry(route.Pattern{Host: "a.example.com", Path: "/"}), entry(route.Pattern{Path: "/"}),
	}, nil)
	assert.Empty(t, problems)
}

func TestWriteMethods(t *testing.T) {
	e := entry(route.Pattern{Host: "h", Path: "/a"}, rewrite.TrimPathPrefix("/a"))
	e.When.Methods = []string{"GET", "POST"}
	routes, problems := gateway.Write([]ingress.Entry{e}, nil)
	assert.Empty(t, problems)
	require.Len(t, routes[0].Rules, 2, "a rule each, because ReplacePrefixMatch allows one match")
	assert.Equal(t, "POST", routes[0].Rules[1].Matches[0].Method)
	assert.Empty(t, gateway.Translate(routes, nil).Problems)
}
