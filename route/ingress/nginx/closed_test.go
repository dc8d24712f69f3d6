package nginx_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// named returns an Ingress of one path, "Prefix /a", whose Service has its name.
func named(name, host string, annotations map[string]string, paths ...string) *ingress.Ingress {
	in := made(annotations)
	in.Name = name
	in.Rules = []ingress.Rule{{Host: host}}
	for _, p := range paths {
		kind, path, _ := strings.Cut(p, " ")
		in.Rules[0].Paths = append(in.Rules[0].Paths, ingress.Path{
			Path: path, Type: kind, Backend: &ingress.BackendRef{Service: name, Port: 80},
		})
	}
	return in
}

// ask dispatches Ingresses, oldest first, and returns what becomes of a request:
// the Service and the URL that it gets, or a status, with a Location if there is
// one.
func ask(t *testing.T, opts *nginx.Options, list []*ingress.Ingress, url string) string {
	t.Helper()
	table := tableOf(t, opts, list)
	u, err := rewrite.Parse(url)
	require.NoError(t, err)
	b, _, err := table.Route(&u, nil, func(b built) *rewrite.Program { return b.c.Program }, nil)
	switch {
	case err != nil:
		return "404"
	case b.e.Redirect == nil && b.e.Backends[0].Invalid:
		return "500"
	}
	status, location, err := b.c.Redirect.Answer(ingress.RedirectRequest{URL: u})
	if err != nil {
		return "400"
	}
	if status != 0 {
		return fmt.Sprint(status, " ", location)
	}
	_, err = b.c.Program.Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	return b.e.Backends[0].Service.Name + " " + u.String()
}

// TestClosed: paths whose guard cannot be obeyed are served by nobody else.
func TestClosed(t *testing.T) {
	type values = map[string]string
	guard := values{"auth-url": "http://auth"}
	both := []nginx.Mode{nginx.Strict, nginx.Compat}
	for _, c := range []struct {
		name  string
		modes []nginx.Mode
		list  []*ingress.Ingress
		want  map[string]string
	}{
		{"a shorter path", both, []*ingress.Ingress{named("open", "h", nil, "Prefix /"), named("guarded", "h", guard, "Prefix /admin")},
			map[string]string{"http://h/admin/x": "500", "http://h/x": "open http://h/x"}},
		{"a snippet", both, []*ingress.Ingress{named("open", "h", nil, "Prefix /"), named("guarded", "h", values{"configuration-snippet": "deny all;"}, "Prefix /admin")},
			map[string]string{"http://h/admin/x": "500", "http://h/x": "open http://h/x"}},
		{"an alias of another Ingress", both, []*ingress.Ingress{named("open", "a", values{"server-alias": "h"}, "Prefix /"), named("guarded", "h", guard, "Prefix /admin")},
			map[string]string{"http://h/admin": "500", "http://h/x": "404"}},
		{"its own alias", both, []*ingress.Ingress{named("open", "", nil, "Prefix /"), named("guarded", "h", values{"auth-url": "x", "server-alias": "a"}, "Prefix /")},
			map[string]string{"http://a/x": "500", "http://b/x": "open http://b/x"}},
		{"a wildcard", both, []*ingress.Ingress{named("open", "*.com", nil, "Prefix /"), named("guarded", "secure.com", guard, "Prefix /")},
			map[string]string{"http://secure.com/x": "500", "http://a.com/x": "open http://a.com/x"}},
		{"a redirect to www", both, []*ingress.Ingress{named("open", "foo.com", values{"from-to-www-redirect": "true"}, "Prefix /"), named("guarded", "www.foo.com", guard, "Prefix /")},
			map[string]string{"http://www.foo.com/x": "500"}},
		{"no redirects of its own", both, []*ingress.Ingress{named("guarded", "h", values{
			"auth-url": "x", "permanent-redirect": "http://x", "app-root": "/x", "force-ssl-redirect": "true", "from-to-www-redirect": "true",
		}, "Prefix /")}, map[string]string{"http://h/x": "500", "http://h/": "500", "http://www.h/": "404"}},
		{"nor an app-root that another Ingress makes", both, []*ingress.Ingress{
			named("open", "h", nil, "Prefix /"), named("guarded", "h", values{"auth-url": "x", "app-root": "/x"}, "Prefix /b"),
		}, map[string]string{"http://h/": "open http://h/", "http://h/b": "500"}},
		{"before a redirect of some paths", both, []*ingress.Ingress{
			named("open", "h", values{"configuration-snippet": "rewrite ^/a /b permanent;"}, "Prefix /"), named("guarded", "h", guard, "Prefix /admin"),
		}, map[string]string{"http://h/admin/x": "500", "http://h/a": "301 http://h/b"}},
		{"an expression that cannot be said", both, []*ingress.Ingress{
			named("open", "h", nil, "Prefix /"), named("guarded", "h", values{"auth-url": "x", "use-regex": "true"}, "ImplementationSpecific /api/(?!health).*"),
		}, map[string]string{"http://h/api/x": "500", "http://h/x": "open http://h/x"}},
		{"an expression without letter case", both[1:], []*ingress.Ingress{
			named("open", "h", nil, "Prefix /"), named("guarded", "h", values{"auth-url": "x", "use-regex": "true"}, "ImplementationSpecific /api?/(?!health)"),
		}, map[string]string{"http://h/AP/x": "500"}},
		{"an expression that is too long", both, []*ingress.Ingress{
			named("open", "h", nil, "Prefix /"), named("guarded", "h", values{"auth-url": "x", "use-regex": "true"}, "ImplementationSpecific /api/[a-z]{500}"),
		}, map[string]string{"http://h/api/x": "500"}},
		{"a pathType that an expression cannot have", both, []*ingress.Ingress{
			named("open", "h", nil, "Prefix /"), named("guarded", "h", values{"auth-url": "x", "use-regex": "true"}, "Prefix /api/[a-z]+"),
		}, map[string]string{"http://h/api/x": "500"}},
		{"values that are no switches", both, []*ingress.Ingress{
			named("a", "h", values{"auth-tls-secret": "F"}, "Prefix /a"), named("b", "b", values{"whitelist-source-range": "0"}, "Prefix /b"), named("c", "c", values{"auth-url": "off"}, "Prefix /c"),
			named("d", "d", values{"enable-modsecurity": "F", "ssl-passthrough": "off", "auth-tls-verify-client": "off"}, "Prefix /d"),
		}, map[string]string{"http://h/a": "500", "http://b/b": "500", "http://c/c": "500", "http://d/d": "d http://d/d"}},
		{"a server-snippet is the host's", both[1:], []*ingress.Ingress{
			named("a", "h", values{"server-snippet": "if ($x) { return 403; }"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"), named("c", "c", nil, "Prefix /"),
		}, map[string]string{"http://h/a": "500", "http://h/b": "500", "http://c/b": "c http://c/b"}},
		{"and the Ingress's own in Strict", both[:1], []*ingress.Ingress{
			named("a", "h", values{"server-snippet": "if ($x) { return 403; }"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, map[string]string{"http://h/a": "500", "http://h/b": "b http://h/b"}},
		{"client certificates are the host's", both[1:], []*ingress.Ingress{
			named("a", "h", values{"auth-tls-secret": "ca"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, map[string]string{"http://h/b": "500"}},
		{"a server-snippet of an Ingress that is not served", both[1:], []*ingress.Ingress{
			named("a", "h", values{"server-snippet": "return 302 https://login.example/;", "backend-protocol": "FCGI"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, map[string]string{"http://h/b": "302 https://login.example/", "http://h/a": "404"}},
		{"a certificate of an Ingress that is not served", both[1:], []*ingress.Ingress{func() *ingress.Ingress {
			in := named("a", "h", values{"backend-protocol": "FCGI"}, "Prefix /a")
			in.TLS = []ingress.TLS{{Hosts: []string{"h"}}}
			return in
		}(), named("b", "h", nil, "Prefix /b")}, map[string]string{"http://h/b": "308 https://h/b"}},
		{"an alias of a host that is not served", both, []*ingress.Ingress{
			named("a", "h", values{"backend-protocol": "FCGI"}, "Prefix /a"), named("b", "b", values{"server-alias": "h"}, "Prefix /"),
		}, map[string]string{"http://h/a": "404"}},
		{"a default backend", both, []*ingress.Ingress{func() *ingress.Ingress {
			in := named("a", "h", guard, "Prefix /a")
			in.Default = &ingress.BackendRef{Service: "default", Port: 80}
			return in
		}()}, map[string]string{"http://h/b": "500", "http://x/a": "500"}},
		{"a canary", both, []*ingress.Ingress{
			named("a", "h", nil, "Prefix /a"), named("b", "h", values{"canary": "true", "canary-weight": "100", "auth-url": "x"}, "Prefix /a"),
		}, map[string]string{"http://h/a": "a http://h/a"}},
		{"a redirect of one path from a shorter one", both, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/foo$ /bar permanent; rewrite ^/x$ /y permanent;"}, "Prefix /"), named("b", "h", nil, "Prefix /foo"),
		}, map[string]string{"http://h/foo": "b http://h/foo", "http://h/x": "301 http://h/y"}},
		{"a redirect of one path that is exact", both, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/foo$ /bar permanent;"}, "Prefix /", "Exact /foo"), named("b", "h", guard, "Prefix /foo"),
		}, map[string]string{"http://h/foo": "301 http://h/bar", "http://h/foo/x": "500"}},
	} {
		for _, mode := range c.modes {
			t.Run(c.name+" "+mode.String(), func(t *testing.T) {
				for url, want := range c.want {
					assert.Equal(t, want, ask(t, &nginx.Options{Mode: mode, SkipValidation: true}, c.list, url), url)
				}
			})
		}
	}
}

// TestClosedIsWhatWasGuarded: of random Ingresses, some with a guard, a request
// that reaches a guarded one where the caller obeys the guard is answered with
// 500 where it does not, and all others get what they got.
func TestClosedIsWhatWasGuarded(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	paths := []string{"Prefix /", "Prefix /a", "Exact /a", "Prefix /a/", "Prefix /a/b", "ImplementationSpecific /a(/|$)(.*)", "ImplementationSpecific /[ab]+", "ImplementationSpecific /a(.*)"}
	hosts := []string{"h", "*.h", "a.h", ""}
	inputs := texts("/ab", 4)
	for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
		guarded := nginx.Options{Mode: mode, SkipValidation: true}
		obeyed := guarded
		obeyed.Handled = []string{"auth-url"}
		closed := 0
		for range 80 {
			var list []*ingress.Ingress
			has := make(map[string]bool)
			for i := range 2 + r.IntN(4) {
				in := named(fmt.Sprint("i", i), hosts[r.IntN(len(hosts))], nil, paths[r.IntN(len(paths))], paths[r.IntN(len(paths))])
				for name, value := range map[string]string{"auth-url": "x", "use-regex": "true", "server-alias": "b.h", "rewrite-target": "/x/$2"} {
					if r.IntN(3) == 0 {
						in.Annotations[prefix+name] = value
					}
				}
				has[in.Name] = in.Annotations[prefix+"auth-url"] != ""
				list = append(list, in)
			}
			before, after := tableOf(t, &obeyed, list), tableOf(t, &guarded, list)
			for _, host := range []string{"h", "a.h", "b.h", "c.h"} {
				for _, path := range inputs {
					u := rewrite.URL{Scheme: "http", Host: host, Path: path}
					was, wasThere := before.Match(&u, nil)
					is, isThere := after.Match(&u, nil)
					if wasThere != isThere || wasThere && was.e.Source != is.e.Source && !has[was.e.Source.Name] {
						t.Fatalf("%s%s went to %v and goes to %v\n%s", host, path, was, is, show(list))
					}
					if wasThere && has[was.e.Source.Name] {
						closed++
						if len(is.e.Backends) != 1 || !is.e.Backends[0].Invalid || is.e.Redirect != nil {
							t.Fatalf("%s%s is not closed: %v\n%s", host, path, is.e, show(list))
						}
					}
				}
			}
		}
		assert.Greater(t, closed, 1000)
	}
}

func tableOf(t *testing.T, opts *nginx.Options, list []*ingress.Ingress) *route.Table[built] {
	table, problems := ingress.Build(nginx.New(opts).Rewrite(list, nil).Entries, nil, func(e *ingress.Entry, c *ingress.Compiled) (built, error) {
		return built{e, c}, nil
	})
	for _, p := range problems {
		require.Equal(t, ingress.CodeShadowed, p.Code, "%v", p)
	}
	return table
}
