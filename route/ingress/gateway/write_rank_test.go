package gateway_test

// Entries that a table tries in one order and the API in another.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

// passed returns the paths of the entries that are warned of.
func passed(problems []ingress.Problem, entries []ingress.Entry) (paths []string) {
	for _, p := range problems {
		if len(p.Related) > 0 {
			for i := range entries {
				if entries[i].Source == p.Source {
					paths = append(paths, entries[i].Pattern.Path)
				}
			}
		}
	}
	return paths
}

func TestWriteRanks(t *testing.T) {
	type path struct {
		text string
		kind route.PathType
	}
	for name, c := range map[string]struct {
		paths []path
		want  []string
	}{
		"below a prefix":        {[]path{{"/", route.Prefix}, {"/app(/|$)(.*)", route.Regex}}, []string{"/app(/|$)(.*)"}},
		"the longer":            {[]path{{"/app(/|$)", route.Regex}, {"/app/v2(/|$)", route.Regex}}, []string{"/app/v2(/|$)"}},
		"the longer first":      {[]path{{"/app/v2(/|$)", route.Regex}, {"/app(/|$)", route.Regex}}, nil},
		"above a prefix":        {[]path{{"/app(/|$)", route.RegexFirst}, {"/app/v2/v3", route.Prefix}}, []string{"/app/v2/v3"}},
		"tried first":           {[]path{{"/", route.Prefix}, {"/app(/|$)", route.RegexFirst}}, nil},
		"an expression for all": {[]path{{"/", route.RegexFirst}, {"/app", route.Prefix}}, []string{"/app"}},
		"the same":              {[]path{{"/app", route.Prefix}, {"/app(/|$)", route.Regex}}, nil},
		"the same, before":      {[]path{{"/app(/|$)", route.Regex}, {"/app", route.Prefix}}, []string{"/app(/|$)"}},
		"beside":                {[]path{{"/ap", route.Prefix}, {"/app(/|$)", route.Regex}, {"/app-2", route.Prefix}}, nil},
		"between":               {[]path{{"/a", route.Prefix}, {"/a-b", route.Prefix}, {"/a/b(/|$)", route.Regex}}, []string{"/a/b(/|$)"}},
		"exact":                 {[]path{{"/app(/|$)", route.RegexFirst}, {"/app/v2", route.Exact}}, nil},
		"prefixes":              {[]path{{"/", route.Prefix}, {"/app", route.Prefix}, {"/app", route.Exact}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var entries []ingress.Entry
			for i, p := range c.paths {
				e := entry(route.Pattern{Host: "h", Path: p.text, Type: p.kind})
				e.Source.Path = i
				entries = append(entries, e)
			}
			_, problems := gateway.Write(entries, nil)
			assert.Equal(t, c.want, passed(problems, entries), "%v", problems)
			for _, p := range problems {
				assert.Equal(t, gateway.CodeApproximate, p.Code)
			}
		})
	}
}

// Ranks are compared in each listener.
func TestWriteRanksByScheme(t *testing.T) {
	all, api := entry(route.Pattern{Host: "h", Path: "/"}), entry(route.Pattern{Host: "h", Path: "/api(/|$)", Type: route.Regex})
	all.When.Scheme, api.Source.Path = "http", 1
	opts := &gateway.WriteOptions{Sections: map[string]string{"http": "web", "https": "secure"}}
	entries := []ingress.Entry{all, api}
	_, problems := gateway.Write(entries, opts)
	assert.Equal(t, []string{"/api(/|$)"}, passed(problems, entries))
	entries[1].When.Scheme = "https"
	_, problems = gateway.Write(entries, opts)
	assert.Empty(t, passed(problems, entries))
}

// Of two equal matches the API takes that of the first namespace, and a table
// that of the first entry; and a request can leave a host for a wider one,
// whatever their namespaces.
func TestWriteNamespaces(t *testing.T) {
	in := func(namespace string, e ingress.Entry) ingress.Entry {
		e.Source.Namespace, e.Backends[0].Service.Namespace = namespace, namespace
		return e
	}
	a := route.Pattern{Host: "h.example", Path: "/a"}
	for _, kind := range []route.PathType{route.Prefix, route.Exact} {
		a.Type = kind
		_, problems := gateway.Write([]ingress.Entry{in("zeta", entry(a)), in("alpha", entry(a))}, nil)
		require.Equal(t, []ingress.Code{gateway.CodeApproximate}, codes(problems))
		assert.Equal(t, "alpha", problems[0].Source.Namespace)
		assert.Equal(t, "zeta", problems[0].Related[0].Namespace)
		_, problems = gateway.Write([]ingress.Entry{in("alpha", entry(a)), in("zeta", entry(a))}, nil)
		assert.Empty(t, problems)
		_, problems = gateway.Write([]ingress.Entry{in("alpha", entry(a)), in("alpha-eu", entry(a))}, nil)
		require.Equal(t, []ingress.Code{gateway.CodeApproximate}, codes(problems), "alpha-eu/web is before alpha/web")
		assert.Equal(t, "alpha-eu", problems[0].Source.Namespace)
	}
	_, problems := gateway.Write([]ingress.Entry{in("zeta", entry(a)), in("alpha", entry(route.Pattern{Path: "/"}))}, nil)
	require.Equal(t, []ingress.Code{gateway.CodeApproximate}, codes(problems))
	assert.Contains(t, problems[0].Detail, "write a route for / of h.example")
	_, problems = gateway.Write([]ingress.Entry{
		in("zeta", entry(a)), in("mid", entry(route.Pattern{Host: "h.example", Path: "/"})), in("alpha", entry(route.Pattern{Path: "/"})),
	}, nil)
	assert.Empty(t, problems, "another namespace takes the rest of the host")
}

// No two routes have one name.
func TestWritePartNames(t *testing.T) {
	var entries []ingress.Entry
	for i := range 17 {
		entries = append(entries, entry(route.Pattern{Host: "h", Path: fmt.Sprintf("/%02d", i)}))
	}
	entries = append(entries, entry(route.Pattern{Host: "h-part-0002", Path: "/"}))
	for range 2 {
		routes, _ := gateway.Write(entries, nil)
		seen := make(map[string]bool)
		for _, r := range routes {
			assert.False(t, seen[r.Name], r.Name)
			seen[r.Name] = true
		}
		require.Len(t, routes, 3)
		entries[0], entries[17] = entries[17], entries[0]
	}
}

// A table takes /a and /a/ for one prefix, and %61 for a.
func TestWriteSchemesOfOnePrefix(t *testing.T) {
	for _, path := range []string{"/a/", "/%61"} {
		redirect, plain := entry(route.Pattern{Host: "h", Path: "/a"}), entry(route.Pattern{Host: "H", Path: path})
		redirect.When.Scheme = "http"
		redirect.Redirect = &ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetScheme("https")}, {Action: rewrite.SetPort("")}}}
		routes, _ := gateway.Write([]ingress.Entry{redirect, plain}, &gateway.WriteOptions{Sections: map[string]string{"http": "web", "https": "secure"}})
		require.Len(t, routes, 2)
		assert.Len(t, routes[0].Rules, 1, "the redirect alone")
		assert.Len(t, routes[1].Rules, 1)
	}
}
