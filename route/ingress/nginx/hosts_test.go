package nginx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestHosts: what Ingresses of several hosts take from each other.
func TestHosts(t *testing.T) {
	with := func(name, host string, annotations map[string]string, paths ...string) *ingress.Ingress {
		in := made(annotations, paths...)
		in.Name, in.Rules[0].Host = name, host
		return in
	}
	tls := with("tls", "h", nil, "/tls")
	tls.TLS = []ingress.TLS{{Hosts: []string{"H"}}}
	anyTLS := with("tls", "h", nil, "/tls")
	anyTLS.TLS = []ingress.TLS{{}}
	wildTLS := with("tls", "a.h", nil, "/tls")
	wildTLS.TLS = []ingress.TLS{{Hosts: []string{"*.h"}}}
	two := with("two", "a", map[string]string{"server-alias": "x"}, "/")
	two.Rules = append(two.Rules, ingress.Rule{Host: "b", Paths: two.Rules[0].Paths})
	for _, c := range []struct {
		name           string
		list           []*ingress.Ingress
		strict, compat []string // the entries' hosts, paths and parts
		code           ingress.Code
	}{
		{"a certificate is the host's in Compat", []*ingress.Ingress{tls, with("web", "h", nil, "/web")},
			[]string{"h/tls https", "h/tls ", "h/web "}, []string{"h/tls https", "h/tls ", "h/web https", "h/web ", "h/ default-location,https"}, ""},
		{"a certificate without hosts", []*ingress.Ingress{anyTLS}, []string{"h/tls https", "h/tls "}, []string{"h/tls https", "h/tls ", "h/ default-location,https"}, ""},
		{"a wildcard certificate", []*ingress.Ingress{wildTLS}, []string{"a.h/tls https", "a.h/tls "}, []string{"a.h/tls https", "a.h/tls ", "a.h/ default-location,https"}, ""},
		{"ssl-redirect off", []*ingress.Ingress{func() *ingress.Ingress {
			in := with("web", "h", map[string]string{"ssl-redirect": "false"}, "/")
			in.TLS = tls.TLS
			return in
		}()}, []string{"h/ "}, nil, ""},
		{"an alias of one host", []*ingress.Ingress{with("a", "a", map[string]string{"server-alias": "~^z,x,x,,a..b, y"}, "/")},
			[]string{"a/ ", "x/ alias=x", "y/ alias=y"}, nil, ""},
		{"an alias of two hosts is that of the first", []*ingress.Ingress{two},
			[]string{"a/ ", "x/ alias=x", "b/ "}, nil, nginx.CodeHostTaken},
		{"an alias that is taken", []*ingress.Ingress{
			with("a", "a", map[string]string{"server-alias": "x"}, "/"), with("b", "b", map[string]string{"server-alias": "x"}, "/"),
		}, []string{"a/ ", "x/ alias=x", "b/ "}, nil, nginx.CodeHostTaken},
		{"an alias of the host in Compat", []*ingress.Ingress{
			with("a", "a", map[string]string{"server-alias": "x"}, "/"), with("b", "a", nil, "/b"),
		}, []string{"a/ ", "x/ alias=x", "a/b "}, []string{"a/ ", "x/ alias=x", "a/b ", "x/b alias=x"}, ""},
		{"aliases of one host alone in Compat", []*ingress.Ingress{
			with("a", "a", map[string]string{"server-alias": "x"}, "/"), with("b", "a", map[string]string{"server-alias": "y"}, "/b"),
		}, []string{"a/ ", "x/ alias=x", "a/b ", "y/b alias=y"}, []string{"a/ ", "x/ alias=x", "a/b ", "x/b alias=x"}, ""},
		{"an alias of no host", []*ingress.Ingress{
			with("a", "", map[string]string{"server-alias": "x"}, "/"), with("b", "b", map[string]string{"server-alias": "y"}, "/"),
		}, []string{"/ ", "b/ ", "y/ alias=y"}, nil, nginx.CodeHostTaken},
		{"a redirect of / is no default location", []*ingress.Ingress{with("a", "a", map[string]string{"permanent-redirect": "http://x"}, "/")},
			[]string{"a/ "}, nil, ""},
		{"an Ingress that is not served changes no other", []*ingress.Ingress{
			with("a", "a", map[string]string{"permanent-redirect": "https://", "use-regex": "true", "server-alias": "x"}, "/a"), with("b", "a", nil, "/"),
		}, []string{"a/ "}, nil, ""},
		{"a www host that is there", []*ingress.Ingress{
			with("a", "a", map[string]string{"from-to-www-redirect": "true"}, "/"), with("b", "www.a", nil, "/"),
		}, []string{"a/ ", "www.a/ "}, nil, nginx.CodeHostTaken},
		{"a www host of a wildcard", []*ingress.Ingress{with("a", "*.a", map[string]string{"from-to-www-redirect": "true"}, "/")},
			[]string{"*.a/ "}, nil, nginx.CodeNoEffect},
		{"a second app-root", []*ingress.Ingress{
			with("a", "a", map[string]string{"app-root": "/x"}, "/"), with("b", "a", map[string]string{"app-root": "/y"}, "/b"),
		}, []string{"a/ app-root", "a/ ", "a/b "}, nil, nginx.CodeNoEffect},
		{"a path twice", []*ingress.Ingress{with("a", "a", nil, "/x"), with("b", "a", nil, "/x")},
			[]string{"a/x ", "a/x "}, []string{"a/x "}, ""},
		{"a redirect of one path is where the path is", []*ingress.Ingress{
			with("a", "a", map[string]string{"configuration-snippet": "rewrite ^/x/old$ /new permanent; rewrite ^/y$ /new permanent; rewrite ^/x/[0-9]$ /new;"}, "/w", "/xy", "/x"),
		}, []string{"a/w ", "a/xy ", "a/x/old configuration-snippet=/x/old", "a/x "},
			[]string{"a/w ", "a/xy ", "a/x/old configuration-snippet=/x/old", "a/x ", "a/y default-location,configuration-snippet=/y"}, ""},
		{"a redirect of one path beside expressions", []*ingress.Ingress{
			with("a", "a", map[string]string{"configuration-snippet": "rewrite ^/x/old$ /new permanent;", "use-regex": "true"}, "/x/[a-n]+", "/x/[a-z]+"),
		}, []string{"a/x/old configuration-snippet=/x/old", "a/x/[a-z]+ ", "a/x/[a-n]+ "},
			[]string{"a/x/old configuration-snippet=/x/old", "a/(?i)x/[a-z]+ ", "a/(?i)x/[a-n]+ "}, ""},
		{"a server-snippet is the host's in Compat", []*ingress.Ingress{
			with("a", "a", map[string]string{"server-snippet": "rewrite ^/old$ /new permanent;"}, "/x"), with("b", "a", nil, "/"),
		}, []string{"a/x ", "a/ "}, []string{"a/x ", "a/old server-snippet=/old", "a/ "}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
				want := c.strict
				if mode == nginx.Compat && c.compat != nil {
					want = c.compat
				}
				got := nginx.New(&nginx.Options{Mode: mode}).Rewrite(c.list, nil)
				var entries []string
				for _, e := range got.Entries {
					part := e.Source.Part
					if part == "www-http" || part == "www-https" {
						part = "www"
					}
					entries = append(entries, fmt.Sprint(e.Pattern.Host, e.Pattern.Path, " ", part))
				}
				assert.Equal(t, want, entries, mode)
				if c.code != "" {
					assert.Equal(t, ingress.Warning, find(t, got.Problems, c.code).Severity)
				}
			}
		})
	}
}

// TestCanaryOfDefaultBackend: a canary's default backend has its share of the
// requests that a default backend gets.
func TestCanaryOfDefaultBackend(t *testing.T) {
	stable, canary := named("stable", "h", nil, "Prefix /a"), named("canary", "", map[string]string{"canary": "true", "canary-weight": "20"})
	stable.Default, canary.Default = &ingress.BackendRef{Service: "stable", Port: 80}, &ingress.BackendRef{Service: "canary", Port: 80}
	canary.Rules = nil
	for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
		list := []*ingress.Ingress{stable, canary}
		table := tableOf(t, &nginx.Options{Mode: mode}, list)
		for url, want := range map[string]string{"http://other/x": "stable 80 canary 20 ", "http://h/b": "stable 1 ", "http://h/a": "stable 1 "} {
			u, err := rewrite.Parse(url)
			require.NoError(t, err)
			b, ok := table.Match(&u, nil)
			require.True(t, ok, url)
			got := ""
			for _, backend := range b.e.Backends {
				got += fmt.Sprint(backend.Service.Name, " ", backend.Weight, " ")
			}
			assert.Equal(t, want, got, "%s %v", url, mode)
		}
		find(t, nginx.New(&nginx.Options{Mode: mode}).Rewrite(list[1:], nil).Problems, nginx.CodeCanaryAlone)
	}
}

// TestDefaultBackends come last, whatever redirects and expressions there are.
func TestDefaultBackends(t *testing.T) {
	in := made(map[string]string{"rewrite-target": "/$1", "permanent-redirect": ""}, "/p/(.*)", "/[a-z]+$")
	in.Default = &ingress.BackendRef{Service: "fallback", Port: 80}
	for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
		got := nginx.New(&nginx.Options{Mode: mode}).Rewrite([]*ingress.Ingress{in}, nil)
		n := len(got.Entries)
		assert.Equal(t, 4, n)
		for i, e := range got.Entries {
			assert.Equal(t, i >= n-2, e.Source.Path < 0, e.Source)
		}
		assert.Empty(t, got.Entries[n-1].Rules, "rewrite-target is for the paths")
	}
}
