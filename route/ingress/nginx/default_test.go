package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestServerOfTheController: what a host of the controller has beside the paths
// of its Ingresses, and in which order its locations stand.
func TestServerOfTheController(t *testing.T) {
	type values = map[string]string
	tls := func(in *ingress.Ingress) *ingress.Ingress {
		in.TLS = []ingress.TLS{{Hosts: []string{"h"}}}
		return in
	}
	for _, c := range []struct {
		name string
		list []*ingress.Ingress
		want values
		code ingress.Code
	}{
		{"the default location goes to https", []*ingress.Ingress{tls(named("a", "h", nil, "Prefix /a"))},
			values{"http://h/b?q": "308 https://h/b?q", "https://h/b": "404", "https://h/a": "a https://h/a"}, nginx.CodeDefaultLocation},
		{"as its first Ingress says", []*ingress.Ingress{
			named("a", "h", values{"ssl-redirect": "false"}, "Prefix /a"), tls(named("b", "h", nil, "Prefix /b")),
		}, values{"http://h/c": "404", "http://h/b": "308 https://h/b"}, ""},
		{"without a certificate", []*ingress.Ingress{
			named("a", "h", values{"force-ssl-redirect": "true", "server-alias": "x"}, "Exact /"), named("b", "h", nil, "Prefix /b"),
		}, values{"http://h/c": "308 https://h/c", "http://x/c": "308 https://x/c", "http://h/b": "b http://h/b"}, nginx.CodeDefaultLocation},
		{"a line redirects some of it", []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/c/(.*)$ /d/$1 permanent;"}, "Prefix /a"), named("b", "h", nil, "Prefix /c/x"),
		}, values{"http://h/c/y": "301 http://h/d/y", "http://h/c/x/y": "b http://h/c/x/y", "http://h/e": "404"}, nginx.CodeDefaultLocation},
		{"and an annotation the rest", []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/c/(.*)$ /d/$1 permanent;", "permanent-redirect": "https://e/"}, "Prefix /a"),
		}, values{"http://h/c/y": "301 http://h/d/y", "http://h/e": "301 https://e/", "http://h/a": "301 https://e/"}, nginx.CodeDefaultLocation},
		{"and a server-snippet", []*ingress.Ingress{
			named("a", "h", nil, "Prefix /a"), named("b", "h", values{"server-snippet": "rewrite ^/c/(.*)$ /d/$1 permanent;"}, "Prefix /b"),
		}, values{"http://h/c/y": "301 http://h/d/y", "http://h/e": "404"}, nginx.CodeDefaultLocation},
		{"no host has no such location", []*ingress.Ingress{named("a", "", values{"permanent-redirect": "https://e/"}, "Prefix /a")},
			values{"http://h/a": "301 https://e/", "http://h/b": "404"}, ""},
		{"its target makes expressions", []*ingress.Ingress{named("a", "h", values{"rewrite-target": "/a"}, "Exact /a"), named("b", "h", nil, "Exact /b")},
			values{"http://h/a/x": "a http://h/a/x", "http://h/B/x": "b http://h/B/x"}, nginx.CodeHostWide},
		{"unless it is replaced", []*ingress.Ingress{named("a", "h", values{"rewrite-target": "/a"}, "Exact /a"), named("b", "h", nil, "Prefix /")},
			values{"http://h/a/x": "b http://h/a/x", "http://h/a": "a http://h/a"}, ""},
		{"it stands before an Exact /", []*ingress.Ingress{
			named("a", "h", values{"app-root": "/a"}, "Exact /"), named("b", "h", values{"use-regex": "true"}, "ImplementationSpecific /b+"),
		}, values{"http://h/": "302 http://h/a", "http://h/c": "404", "http://h/b": "b http://h/b"}, ingress.CodeShadowed},
		{"and so does the Prefix", []*ingress.Ingress{
			named("a", "h", nil, "Exact /"), named("b", "h", values{"use-regex": "true"}, "ImplementationSpecific /b+"), named("c", "h", nil, "Prefix /"),
		}, values{"http://h/": "c http://h/"}, ingress.CodeShadowed},

		{"expressions are ordered by the paths of the Ingresses", []*ingress.Ingress{
			named("a", "h", nil, "Prefix /abc"), named("b", "h", values{"use-regex": "true"}, "ImplementationSpecific /ab.?"),
		}, values{"http://h/abc/x": "b http://h/abc/x"}, ""},
		{"an Exact before the Prefix of its path", []*ingress.Ingress{
			named("a", "h", nil, "Exact /a"), named("b", "h", nil, "Prefix /a"), named("c", "h", values{"use-regex": "true"}, "ImplementationSpecific /x+"),
		}, values{"http://h/a/x": "a http://h/a/x"}, ""},
		{"and behind it", []*ingress.Ingress{
			named("b", "h", nil, "Prefix /a"), named("a", "h", nil, "Exact /a"), named("c", "h", values{"use-regex": "true"}, "ImplementationSpecific /x+"),
		}, values{"http://h/a/x": "b http://h/a/x", "http://h/a": "a http://h/a"}, ""},
		{"one expression of two paths is that of the first", []*ingress.Ingress{
			named("a", "h", nil, "Exact /a.b"), named("b", "h", values{"rewrite-target": "/x", "force-ssl-redirect": "true"}, "Prefix /a.b"),
		}, values{"http://h/a.b": "a http://h/a.b"}, ingress.CodeShadowed},

		{"a host has one server-snippet", []*ingress.Ingress{
			named("a", "h", nil, "Prefix /a"), named("b", "h", values{"server-snippet": "rewrite ^/old$ /new permanent;"}, "Prefix /"),
			named("c", "h", values{"server-snippet": "return 301 https://e/;"}, "Prefix /c"),
		}, values{"http://h/a": "a http://h/a", "http://h/old": "301 http://h/new", "http://h/c": "c http://h/c"}, nginx.CodeNoEffect},
		{"and what is not read keeps nobody else out", []*ingress.Ingress{
			named("a", "h", values{"server-snippet": "return 301 https://e/;"}, "Prefix /a"), named("b", "h", values{"server-snippet": "deny all;"}, "Prefix /b"),
		}, values{"http://h/a": "301 https://e/", "http://h/b": "500"}, nginx.CodeNoEffect},
		{"which comes before an app-root", []*ingress.Ingress{
			named("a", "h", values{"app-root": "/a"}, "Prefix /"), named("b", "h", values{"server-snippet": "return 301 https://e/;"}, "Prefix /b"),
		}, values{"http://h/": "301 https://e/"}, nginx.CodeNoEffect},
		{"and one of / does", []*ingress.Ingress{
			named("a", "h", values{"app-root": "/a"}, "Prefix /"), named("b", "h", values{"server-snippet": "rewrite ^/$ /c redirect;"}, "Prefix /b"),
		}, values{"http://h/": "302 http://h/c"}, nginx.CodeNoEffect},
		{"or one of some paths", []*ingress.Ingress{
			named("a", "h", values{"app-root": "/a"}, "Prefix /"), named("b", "h", values{"server-snippet": "rewrite ^/(c|$) /d/$1 redirect;"}, "Prefix /b"),
		}, values{"http://h/": "302 http://h/d/", "http://h/c": "302 http://h/d/c", "http://h/a": "a http://h/a"}, nginx.CodeNoEffect},
		{"and one that leads away from /", []*ingress.Ingress{named("a", "h", values{"app-root": "/a", "server-snippet": "rewrite ^/$ /c;"}, "Prefix /")},
			values{"http://h/": "a http://h/c"}, ""},
		{"the app-root comes before the conditions of an Exact /", []*ingress.Ingress{
			named("a", "h", values{"app-root": "/a", "server-alias": "x"}, "Prefix /a"), named("b", "h", values{"force-ssl-redirect": "true"}, "Exact /"),
		}, values{"http://h/": "302 http://h/a", "https://h/": "302 https://h/a", "http://x/": "302 http://x/a"}, ingress.CodeShadowed},
		{"a line of the server comes before the slash", []*ingress.Ingress{
			named("a", "h", nil, "Prefix /a/"), named("b", "h", values{"server-snippet": "rewrite ^/a(.*)$ https://e/x$1 redirect;"}, "Prefix /b"),
		}, values{"http://h/a?q": "302 https://e/x?q", "http://h/a/y": "302 https://e/x/y", "http://h/b": "b http://h/b"}, ""},
		{"but not one of other paths", []*ingress.Ingress{
			named("a", "h", nil, "Prefix /a/"), named("b", "h", values{"server-snippet": "rewrite ^/a/(.*)$ https://e/x$1 redirect;"}, "Prefix /b"),
		}, values{"http://h/a?q": "301 http://h/a/?q", "http://h/a/y": "302 https://e/xy"}, nginx.CodeSlashRedirect},
		{"and one that leads away from it", []*ingress.Ingress{
			named("a", "h", nil, "Prefix /a/"), named("b", "h", values{"server-snippet": "rewrite ^/a$ /b;"}, "Prefix /b"),
		}, values{"http://h/a": "b http://h/b", "http://h/a/y": "a http://h/a/y"}, ""},
		{"and from redirects of a path", []*ingress.Ingress{named("a", "h", values{
			"server-snippet": "rewrite ^/a/(.*)$ /c/$1;", "configuration-snippet": "rewrite ^/a/q$ /x redirect; rewrite ^/a https://e/ redirect;", "force-ssl-redirect": "true",
		}, "Prefix /"), named("c", "h", nil, "Prefix /c")},
			values{"http://h/a/q": "c http://h/c/q", "http://h/a/y": "c http://h/c/y", "https://h/a": "302 https://e/", "http://h/b": "308 https://h/b"}, ""},
		{"the slash comes before a line of the path", []*ingress.Ingress{named("a", "h", values{"configuration-snippet": "rewrite ^/a$ /b redirect; rewrite ^/a/b$ /c redirect;"}, "Prefix /a/")},
			values{"http://h/a": "301 http://h/a/", "http://h/a/b": "302 http://h/c"}, nginx.CodeSlashRedirect},
		{"its lines come before a redirect", []*ingress.Ingress{
			named("a", "h", values{"server-snippet": "rewrite ^/a/(.*)$ /b/$1;", "permanent-redirect": "https://e/"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, values{"http://h/a/x": "b http://h/b/x", "http://h/a": "301 https://e/"}, ""},
		{"and before https", []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/a/(.*)$ /b/$1 last;", "force-ssl-redirect": "true"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, values{"http://h/a/x": "b http://h/b/x", "http://h/a": "308 https://h/a"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := &nginx.Options{Mode: nginx.Compat, SkipValidation: true}
			for url, want := range c.want {
				assert.Equal(t, want, ask(t, opts, c.list, url), url)
			}
			if c.code != "" {
				find(t, nginx.New(opts).Rewrite(c.list, nil).Problems, c.code)
			}
		})
	}
}

// TestAppRootBeforeCanary: a canary of an Exact "/" gets no requests beside an
// app-root, which comes before the headers of one.
func TestAppRootBeforeCanary(t *testing.T) {
	list := []*ingress.Ingress{
		named("a", "h", map[string]string{"app-root": "/a"}, "Prefix /a"), named("b", "h", nil, "Exact /"),
		named("c", "h", map[string]string{"canary": "true", "canary-by-header": "X-Canary"}, "Exact /"),
	}
	roots := func(mode nginx.Mode) (sources []string) {
		for _, e := range nginx.New(&nginx.Options{Mode: mode}).Rewrite(list, nil).Entries {
			if e.Pattern.Path == "/" && e.Pattern.Type == route.Exact {
				sources = append(sources, e.Source.Name+" "+e.Source.Part)
			}
		}
		return sources
	}
	assert.Equal(t, []string{"a app-root"}, roots(nginx.Compat))
	assert.Equal(t, []string{"a app-root", "b canary-header-always", "b canary-header-never", "b "}, roots(nginx.Strict))
}
