// Paths that answer 500, because what keeps clients out cannot be obeyed.

package haproxy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

const communityPrefix = "haproxy-ingress.github.io/"

// A default backend is guarded by its Ingress too, and so is every alias.
func TestEverythingIsClosed(t *testing.T) {
	for _, c := range []struct {
		class       string
		annotations map[string]string
		entries     int
	}{
		{"haproxy", map[string]string{"haproxy.org/allow-list": "10.0.0.0/8", "haproxy.org/ssl-redirect": "true"}, 3},
		{"haproxy", map[string]string{"haproxy.org/ssl-passthrough": "true"}, 3},
		{"haproxy", map[string]string{"haproxy.org/path-rewrite": "a b c", "haproxy.org/allow-list": "10.0.0.0/8"}, 3},
		{"haproxy-ingress", map[string]string{communityPrefix + "auth-url": "http://auth", communityPrefix + "app-root": "/x", communityPrefix + "redirect-from": "from"}, 3},
		{"haproxy-ingress", map[string]string{communityPrefix + "auth-url": "http://auth", communityPrefix + "server-alias": "alias"}, 5},
	} {
		in := &ingress.Ingress{
			Name: "web", ClassName: c.class, Annotations: c.annotations, Default: backend("default"),
			Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{{Path: "/a", Type: "Prefix", Backend: backend("a")}}}},
		}
		got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
		assert.Len(t, got.Entries, c.entries, c.annotations)
		for _, e := range got.Entries {
			assert.Nil(t, e.Redirect)
			require.Len(t, e.Backends, 1)
			assert.True(t, e.Backends[0].Invalid, e.Source)
			assert.Empty(t, e.Backends[0].Upstream)
		}
		var related []ingress.Source
		for _, p := range got.Problems {
			if p.Code == haproxy.CodeAccess {
				related = p.Related
				assert.Contains(t, p.Detail, "answer 500")
			}
		}
		assert.Equal(t, []ingress.Source{in.At(0, 0, ""), in.At(0, -1, "default-backend"), in.At(-1, -1, "default-backend")}, related)
	}
}

// A closed path that no table takes is not left out either: what begins as it
// does is closed, and no shorter path gets its requests.
func TestClosedUnroutable(t *testing.T) {
	for _, c := range []struct{ class, key, path, kind, closed, open string }{
		{"haproxy", "haproxy.org/allow-list", "/a//b", "Prefix", "/a//b/c", "/a/b"},
		{"haproxy", "haproxy.org/allow-list", "/a?b", "Exact", "/a%3Fb", "/a"},
		{"haproxy-ingress", communityPrefix + "auth-url", "/admin/((?!x).*)", "ImplementationSpecific", "/admin/y", "/x"},
		{"haproxy-ingress", communityPrefix + "auth-url", "/a(b", "ImplementationSpecific", "/a/y", "/x"},
	} {
		closed := &ingress.Ingress{
			Name: "closed", ClassName: c.class, Annotations: map[string]string{c.key: "x", communityPrefix + "path-type": "regex"},
			Rules: []ingress.Rule{{Host: "a.h", Paths: []ingress.Path{{Path: c.path, Type: c.kind, Backend: backend("closed")}}}},
		}
		host := "a.h"
		if c.kind == "ImplementationSpecific" {
			host = "*.h" // on one host a prefix comes before regular expressions
		}
		open := &ingress.Ingress{Name: "open", ClassName: c.class, Rules: []ingress.Rule{
			{Host: host, Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend("open")}}},
		}}
		d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
		require.NoError(t, err)
		result := d.Dispatch([]*ingress.Ingress{closed, open}, nil)
		table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (bool, error) {
			return e.Backends[0].Invalid, nil
		})
		assert.Empty(t, problems)
		got, found := table.Lookup("a.h", c.closed)
		assert.True(t, found && got, "%s beside %s", c.closed, c.path)
		got, _ = table.Lookup("a.h", c.open)
		assert.False(t, got, "%s beside %s", c.open, c.path)
	}
}

// A wildcard does not serve the requests of a closed host.
func TestClosedBesideWildcard(t *testing.T) {
	ingresses := []*ingress.Ingress{
		{
			Name: "guarded", ClassName: "haproxy", Annotations: map[string]string{"haproxy.org/auth-type": "basic-auth"},
			Rules: []ingress.Rule{{Host: "a.h.com", Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend("guarded")}}}},
		},
		{
			Name: "open", ClassName: "haproxy",
			Rules: []ingress.Rule{{Host: "*.h.com", Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend("open")}}}},
		},
	}
	got := haproxy.New(nil).Rewrite(ingresses, nil)
	table, problems := ingress.Build(got.Entries, &ingress.Cluster{Table: &route.Options{TryNextHost: true}}, func(e *ingress.Entry, _ *ingress.Compiled) (*ingress.Entry, error) { return e, nil })
	require.Empty(t, problems)
	e, ok := table.Lookup("a.h.com", "/x")
	require.True(t, ok)
	assert.True(t, e.Backends[0].Invalid)
	e, ok = table.Lookup("b.h.com", "/x")
	require.True(t, ok)
	assert.Equal(t, "open", e.Backends[0].Service.Name)
}
