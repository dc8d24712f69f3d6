// What haproxytech's annotations say on a Service, and values that no backend
// can have.

package haproxy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

// Nothing that is written on a Service is passed over in silence, and it is said
// once, however many paths the Service has.
func TestServiceProblems(t *testing.T) {
	for _, c := range []struct {
		name, value string // without the prefix
		code        ingress.Code
		severity    ingress.Severity
		closed      bool
	}{
		{"server-ssl", "maybe", haproxy.CodeValue, ingress.Warning, false},
		{"server-sni", "a b", haproxy.CodeValue, ingress.Error, false},
		{"server-ca", "a b", haproxy.CodeValue, ingress.Error, false},
		{"path-rewrite", "/x", haproxy.CodeDead, ingress.Warning, false},
		{"server-proto", "h2", haproxy.CodeNotTranslated, ingress.Error, false},
		{"backend-config-snippet", "x", haproxy.CodeSnippet, ingress.Error, false},
		{"check", "true", haproxy.CodeIgnored, ingress.Note, false},
		{"servr-ssl", "true", haproxy.CodeUnknown, ingress.Warning, false},
		{"allow-list", "10.0.0.0/8", haproxy.CodeAccess, ingress.Error, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := "haproxy.org/" + c.name
			cluster := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
				return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: map[string]string{key: c.value}}, true
			}}
			in := &ingress.Ingress{Name: "web", ClassName: "haproxy", Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
				{Path: "/a", Type: "Prefix", Backend: backend("a")}, {Path: "/b", Type: "Prefix", Backend: backend("a")},
			}}}}
			d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
			require.NoError(t, err)
			got := d.Dispatch([]*ingress.Ingress{in}, cluster)
			require.Len(t, got.Entries, 2, got.Problems)
			for _, e := range got.Entries {
				assert.Equal(t, c.closed, e.Backends[0].Invalid)
				assert.Empty(t, e.Rules)
			}
			require.Len(t, got.Problems, 1)
			p := got.Problems[0]
			assert.Equal(t, c.code, p.Code)
			assert.Equal(t, c.severity, p.Severity)
			assert.Equal(t, rewrite.Origin{Key: key}, p.Origin)
			assert.Contains(t, p.Detail, "on Service a: ")

			handled := haproxy.New(&haproxy.Options{Handled: []string{c.name}}).Rewrite([]*ingress.Ingress{in}, cluster)
			assert.Empty(t, handled.Problems)
		})
	}
}

// What a backend cannot have is left out and named, and the path is served.
func TestServerValues(t *testing.T) {
	for _, c := range []struct {
		class, name, value string // the name with its prefix
		offset             int    // -1: it is taken
		ca, sni            string
	}{
		{"haproxy", "haproxy.org/server-ca", " a b", 1, "", ""},
		{"haproxy", "haproxy.org/server-ca", "default/a/b", 0, "", ""},
		{"haproxy", "haproxy.org/server-ca", "default/ca ", -1, "ca", ""},
		{"haproxy", "haproxy.org/server-sni", "str(a)", 0, "", ""},
		{"haproxy", "haproxy.org/server-sni", "B\u00fccher.example", -1, "", "xn--bcher-kva.example"},
		{"haproxy-ingress", communityPrefix + "secure-verify-ca-secret", "a:b", 0, "", ""},
		{"haproxy-ingress", communityPrefix + "secure-sni", "a..b", 0, "", ""},
		{"haproxy-ingress", communityPrefix + "secure-sni", "a.example", -1, "", "a.example"},
	} {
		t.Run(c.name+" "+c.value, func(t *testing.T) {
			in := &ingress.Ingress{Name: "web", ClassName: c.class, Annotations: map[string]string{
				c.name: c.value, "haproxy.org/server-ssl": "true", communityPrefix + "secure-backends": "true",
			}, Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend("a")}}}}}
			d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
			require.NoError(t, err)
			got := d.Dispatch([]*ingress.Ingress{in}, nil)
			require.Len(t, got.Entries, 1, got.Problems)
			assert.Equal(t, c.ca, got.Entries[0].Backends[0].CASecret)
			assert.Equal(t, c.sni, got.Entries[0].Backends[0].SNI)
			offset := -1
			for _, p := range got.Problems {
				if p.Origin.Key == c.name {
					assert.Equal(t, haproxy.CodeValue, p.Code)
					offset = p.Origin.Offset
				}
			}
			assert.Equal(t, c.offset, offset)
		})
	}
}

// A path or a host that a table does not take is named by its field.
func TestUnroutableFields(t *testing.T) {
	for _, c := range []struct{ class, host, path, kind, key string }{
		{"haproxy", "h", "/a//b", "Prefix", "path"},
		{"haproxy", "*.*.h", "/a", "Prefix", "host"},
		{"haproxy", "0x7f", "/a", "Prefix", "host"},
		{"haproxy", "a.1", "/a", "Prefix", "host"},
		{"haproxy", "a-", "/a", "Prefix", "host"},
		{"haproxy", "a.", "/a//b", "Prefix", "path"},
		{"haproxy-ingress", "h", "/a?b", "Prefix", "path"},
		{"haproxy-ingress", "a..b", "/a", "Prefix", "host"},
		{"haproxy-ingress", "h", "/(a{500})", "ImplementationSpecific", "path"},
	} {
		in := &ingress.Ingress{
			Name: "web", ClassName: c.class, Annotations: map[string]string{communityPrefix + "path-type": "regex"},
			Rules: []ingress.Rule{{Host: c.host, Paths: []ingress.Path{{Path: c.path, Type: c.kind, Backend: backend("a")}}}},
		}
		got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
		assert.Empty(t, got.Entries)
		last := got.Problems[len(got.Problems)-1]
		assert.Equal(t, ingress.Error, last.Severity)
		assert.Equal(t, rewrite.Origin{Key: c.key}, last.Origin, last.Detail)
	}
}
