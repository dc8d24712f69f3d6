package nginx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestResults: what becomes of requests. Where both modes are named, nginx was
// seen to do it.
func TestResults(t *testing.T) {
	type values = map[string]string
	both := []nginx.Mode{nginx.Strict, nginx.Compat}
	compat := both[1:]
	for _, c := range []struct {
		name  string
		modes []nginx.Mode
		list  []*ingress.Ingress
		want  values
		code  ingress.Code // of a problem that there is; "" for any or none
	}{
		{"a rewrite without a flag looks for a location again", both, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/a/(.*)$ /b/$1;"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, values{"http://h/a/x": "b http://h/b/x", "http://h/a": "a http://h/a"}, ""},
		{"unless one with break follows", both, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/a/(.*)$ /b/$1; rewrite ^/b/(.*)$ /c/$1 break;"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, values{"http://h/a/x": "a http://h/c/x"}, ""},
		{"or rewrite-target", both, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/a/x/(.*)$ /a/$1;", "rewrite-target": "/$1"}, "ImplementationSpecific /a/(.*)"),
		}, values{"http://h/a/x/y": "a http://h/y"}, ""},
		{"a redirect sees what the client sent", both, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "rewrite ^/a/(.*)$ /b/$1 last;"}, "Prefix /a"),
			named("b", "h", values{"permanent-redirect": "https://e/$1", "use-regex": "true"}, "ImplementationSpecific /b/(.*)"),
		}, values{"http://h/b/x": "301 https://e/x"}, nginx.CodeSnippetChain},
		{"a target that is the path", both, []*ingress.Ingress{named("a", "h", values{"rewrite-target": "/"}, "Prefix /")},
			values{"http://h/static/app.js": "a http://h/static/app.js"}, nginx.CodeNoEffect},
		{"a target that is the path of an expression", both[:1], []*ingress.Ingress{named("a", "h", values{"rewrite-target": "/a", "use-regex": "true"}, "Prefix /a")},
			values{"http://h/a/b": "a http://h/a/b"}, nginx.CodeNoEffect},
		{"Exact and Prefix of one path beside an expression", compat, []*ingress.Ingress{
			named("p", "h", nil, "Prefix /a"), named("e", "h", nil, "Exact /a"), named("r", "h", values{"use-regex": "true"}, "ImplementationSpecific /x[0-9]"),
		}, values{"http://h/a": "e http://h/a", "http://h/ab": "e http://h/ab", "http://h/a/b": "p http://h/a/b"}, ""},

		{"a scheme in capitals", both, []*ingress.Ingress{named("a", "h", values{"permanent-redirect": "HTTPS://Example.com/"}, "Prefix /")},
			values{"http://h/x": "301 HTTPS://Example.com/"}, ""},
		{"a scheme in capitals before a capture", both, []*ingress.Ingress{named("a", "h", values{"permanent-redirect": "HTTPS://Example.com$request_uri"}, "Prefix /")},
			values{"http://h/x": "301 https://example.com/x"}, ""},
		{"another scheme", both, []*ingress.Ingress{named("a", "h", values{"permanent-redirect": "ftp://x/y"}, "Prefix /")},
			values{"http://h/x": "301 ftp://x/y"}, ""},
		{"a relative path", both, []*ingress.Ingress{named("a", "h", values{"permanent-redirect": "foo/bar"}, "Prefix /")},
			values{"http://h/x": "301 foo/bar"}, ""},
		{"two slashes", both, []*ingress.Ingress{named("a", "h", values{"permanent-redirect": "//x.com/y"}, "Prefix /")},
			values{"http://h/x": "404"}, nginx.CodeValue},
		{"two slashes as they are", both, []*ingress.Ingress{named("a", "h", values{"permanent-redirect": "//x.com/y", "relative-redirects": "true"}, "Prefix /")},
			values{"http://h/x": "301 //x.com/y"}, ""},
		{"a relative redirect with captures", both, []*ingress.Ingress{
			named("a", "h", values{"permanent-redirect": "/$1", "relative-redirects": "true", "use-regex": "true"}, "ImplementationSpecific /a/(.*)"),
		}, values{"http://h/a/x": "301 http://h/x"}, nginx.CodeNoEffect},

		{"the host without its port", both, []*ingress.Ingress{named("a", "h", values{"configuration-snippet": "return 301 https://$host$request_uri;"}, "Prefix /")},
			values{"http://h:8080/x?y": "301 https://h/x?y"}, ""},
		{"the host with its port", both, []*ingress.Ingress{named("a", "h", values{"configuration-snippet": "return 301 https://$http_host$request_uri;"}, "Prefix /")},
			values{"http://h:8080/x": "301 https://h:8080/x"}, ""},
		{"a path without the port", both, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "return 302 /foo;"}, "Prefix /a"), named("b", "h", values{"temporal-redirect": "/foo"}, "Prefix /b"),
			named("c", "h", values{"configuration-snippet": "rewrite c/(.*)$ /$1 permanent;"}, "Prefix /c"), named("d", "h", values{"app-root": "/d"}, "Prefix /d"),
		}, values{"http://h:8080/a": "302 http://h/foo", "http://h:8080/b": "302 http://h/foo", "http://h:8080/c/x": "301 http://h/x", "http://h:8080/": "302 http://h:8080/d"}, ""},
		{"an IPv6 address without the port", both, []*ingress.Ingress{named("a", "", values{"configuration-snippet": "rewrite c/(.*)$ /$1 permanent;"}, "Prefix /")},
			values{"http://[::1]:8080/c/x": "301 http://[::1]/x", "http://[::1]/c/x": "301 http://[::1]/x"}, ""},

		{"an app-root is the host's", compat, []*ingress.Ingress{named("a", "h", nil, "Exact /"), named("b", "h", values{"app-root": "/x"}, "Prefix /b")},
			values{"http://h/": "302 http://h/x"}, ""},
		{"the app-root of the longest path", compat, []*ingress.Ingress{
			named("a", "h", values{"app-root": "/x", "server-alias": "alias"}, "Prefix /"), named("b", "h", values{"app-root": "/y"}, "Prefix /b"),
		}, values{"http://h/": "302 http://h/y", "http://alias/": "302 http://alias/y"}, nginx.CodeNoEffect},
		{"an absolute target at the default location", compat, []*ingress.Ingress{
			named("a", "h", values{"rewrite-target": "https://e/$1", "server-alias": "alias"}, "ImplementationSpecific /a/(.*)"),
		}, values{"http://h/a/x": "302 https://e/x", "http://h/b": "302 https://e/", "http://alias/b": "302 https://e/"}, nginx.CodeDefaultLocation},
		{"a return at the default location", compat, []*ingress.Ingress{
			named("a", "h", values{"configuration-snippet": "return 301 https://e/;"}, "Prefix /a"), named("b", "h", nil, "Prefix /b"),
		}, values{"http://h/c": "301 https://e/", "http://h/b": "b http://h/b"}, nginx.CodeDefaultLocation},
		{"captures at the default location", compat, []*ingress.Ingress{
			named("a", "h", values{"permanent-redirect": "https://e/$1", "use-regex": "true"}, "ImplementationSpecific /a/(.*)"),
		}, values{"http://h/a/x": "301 https://e/x", "http://h/b": "301 https://e/"}, nginx.CodeDefaultLocation},
		{"a server-snippet before the slash", compat, []*ingress.Ingress{
			named("a", "h", values{"server-snippet": "return 302 https://login.example/;"}, "Prefix /a/"), named("b", "h", nil, "Prefix /b/"),
		}, values{"http://h/a": "302 https://login.example/", "http://h/b": "302 https://login.example/"}, ""},
		{"www and an alias", both, []*ingress.Ingress{
			named("a", "foo.com", values{"server-alias": "www.foo.com", "from-to-www-redirect": "true"}, "Prefix /a"),
		}, values{"http://www.foo.com/a": "", "http://foo.com/a": "a http://foo.com/a"}, nginx.CodeHostTaken},

		{"a canary on one host in two alphabets", both, []*ingress.Ingress{
			named("a", "bücher.example", nil, "Prefix /"), named("b", "xn--bcher-kva.example", values{"canary": "true", "canary-by-header": "x"}, "Prefix /"),
		}, values{"http://xn--bcher-kva.example/": "a http://xn--bcher-kva.example/"}, ""},
		{"a host in two alphabets", compat, []*ingress.Ingress{
			named("a", "bücher.example", values{"server-snippet": "return 302 https://login.example/;"}, "Prefix /a"), named("b", "xn--bcher-kva.example", nil, "Prefix /b"),
		}, values{"http://xn--bcher-kva.example/b": "302 https://login.example/"}, ""},
		{"an alias in another alphabet", both, []*ingress.Ingress{
			named("a", "BÜCHER.example", nil, "Prefix /a"), named("b", "b", values{"server-alias": "xn--bcher-kva.example"}, "Prefix /"),
		}, values{"http://xn--bcher-kva.example/b": "404"}, nginx.CodeHostTaken},
		{"a variable of another name", both, []*ingress.Ingress{named("a", "h", values{"upstream-vhost": "$namespace_x"}, "Prefix /")},
			values{"http://h/": "404"}, nginx.CodeVariable},
	} {
		for _, mode := range c.modes {
			t.Run(c.name+" "+mode.String(), func(t *testing.T) {
				opts := &nginx.Options{Mode: mode, SkipValidation: true}
				for url, want := range c.want {
					if got := ask(t, opts, c.list, url); want == "" {
						assert.True(t, strings.HasPrefix(got, "308 "), got)
					} else {
						assert.Equal(t, want, got, url)
					}
				}
				problems := nginx.New(opts).Rewrite(c.list, nil).Problems
				if c.code != "" {
					find(t, problems, c.code)
				}
				for _, p := range problems {
					assert.NotEqual(t, nginx.CodeCanaryAlone, p.Code)
					assert.NotEqual(t, nginx.CodeNoGroup, p.Code)
				}
			})
		}
	}
}

// TestInheritedHeaders: nginx takes add_header of a server only where a location
// has none, and never proxy_set_header, of which every location has some.
func TestInheritedHeaders(t *testing.T) {
	server := "add_header X-Server s; more_set_headers 'X-More: m'; proxy_set_header X-Set s; proxy_set_header Host internal;"
	e := entry(t, map[string]string{"server-snippet": server}, nil)
	more := ingress.HeaderOp{Name: "X-More", Value: "m"}
	assert.Equal(t, []ingress.HeaderOp{{Op: ingress.AddHeader, Name: "X-Server", Value: "s"}, more}, e.ResponseHeaders)
	assert.Empty(t, e.RequestHeaders)
	assert.Empty(t, e.Rules)
	e = entry(t, map[string]string{"server-snippet": server, "configuration-snippet": "add_header X-Location l;"}, nil)
	assert.Equal(t, []ingress.HeaderOp{more, {Op: ingress.AddHeader, Name: "X-Location", Value: "l"}}, e.ResponseHeaders)
}

// TestCORSValues: what cannot be a value is said and not sent.
func TestCORSValues(t *testing.T) {
	for _, c := range []struct {
		name, value string
		header      string // that is then
		want        string // "" for none
		code        ingress.Code
		offset      int
	}{
		{"cors-allow-methods", "GET, $request_method", "Access-Control-Allow-Methods", "GET, PUT, POST, DELETE, PATCH, OPTIONS", nginx.CodeValue, 5},
		{"cors-allow-headers", "X-A\r\nX-B", "Access-Control-Allow-Headers", "DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization", nginx.CodeValue, 3},
		{"cors-expose-headers", "*, \"; evil", "Access-Control-Expose-Headers", "", nginx.CodeValue, 3},
		{"cors-allow-origin", "$http_origin", "Access-Control-Allow-Origin", "", nginx.CodeCorsOrigin, 0},
		{"cors-max-age", "-5", "Access-Control-Max-Age", "", nginx.CodeValue, 0},
		{"cors-max-age", "x", "Access-Control-Max-Age", "1728000", nginx.CodeValue, 0},
		{"cors-max-age", "+60", "Access-Control-Max-Age", "60", "", 0},
	} {
		t.Run(c.name+" "+c.value, func(t *testing.T) {
			got := nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"enable-cors": "true", c.name: c.value})}, nil)
			require.Len(t, got.Entries, 1)
			value := ""
			for _, h := range got.Entries[0].ResponseHeaders {
				if h.Name == c.header {
					value = h.Value
				}
			}
			assert.Equal(t, c.want, value)
			if c.code != "" {
				p := find(t, got.Problems, c.code)
				assert.Equal(t, prefix+c.name, p.Origin.Key)
				assert.Equal(t, c.offset, p.Origin.Offset)
			}
		})
	}
}
