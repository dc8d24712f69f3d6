package nginx_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// made returns an Ingress of one Prefix path, "/" unless another is given.
func made(annotations map[string]string, paths ...string) *ingress.Ingress {
	in := &ingress.Ingress{Namespace: "shop", Name: "web", ClassName: "nginx", Annotations: make(map[string]string)}
	for name, value := range annotations {
		in.Annotations[prefix+name] = value
	}
	rule := ingress.Rule{Host: "h"}
	if paths == nil {
		paths = []string{"/"}
	}
	for _, p := range paths {
		kind := "Prefix"
		if strings.ContainsAny(p, "(*$[") {
			kind = "ImplementationSpecific"
		}
		rule.Paths = append(rule.Paths, ingress.Path{Path: p, Type: kind, Backend: &ingress.BackendRef{Service: "web", Port: 80}})
	}
	in.Rules = []ingress.Rule{rule}
	return in
}

// TestProblems: what is not obeyed as it stands is said with a code, the
// annotation and the byte, and keeps back what it governs and no more.
func TestProblems(t *testing.T) {
	type values = map[string]string
	for _, c := range []struct {
		name        string
		annotations values
		paths       []string
		opts        nginx.Options
		code        ingress.Code
		severity    ingress.Severity
		key         string // without the prefix; "path" is the field
		offset      int
		served      bool
		closed      bool // served with 500
	}{
		{name: "a variable in the target", annotations: values{"rewrite-target": " /x/$uri"}, code: nginx.CodeVariable, key: "rewrite-target", offset: 4},
		{name: "a capture for a host", annotations: values{"rewrite-target": "https://$1/x"}, code: nginx.CodeVariable, key: "rewrite-target", offset: 8},
		{name: "no host", annotations: values{"permanent-redirect": "https:///x"}, code: nginx.CodeValue, key: "permanent-redirect", offset: 8},
		{name: "a refused character", annotations: values{"rewrite-target": "/x?y"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "rewrite-target", offset: 2, served: true},
		{name: "a line end", annotations: values{"rewrite-target": "/x\ny"}, code: nginx.CodeValue, key: "rewrite-target", offset: 2, served: true},
		{name: "a refused space", annotations: values{"rewrite-target": " /x"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "rewrite-target", served: true},
		{name: "a refused line end", annotations: values{"x-forwarded-prefix": " /x\n", "rewrite-target": "/x"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "x-forwarded-prefix", offset: 3},
		{name: "a refused character of a host", annotations: values{"upstream-vhost": " a%b"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "upstream-vhost", offset: 2},
		{name: "a refused character of an alias", annotations: values{"server-alias": "a, b@c"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "server-alias", offset: 3},
		{name: "a refused expression for the way back", annotations: values{"proxy-redirect-from": "~^/a", "proxy-redirect-to": "/b"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "proxy-redirect-from", offset: 1, served: true},
		{name: "a refused cookie", annotations: values{"proxy-cookie-domain": "a ~b$"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "proxy-cookie-domain", offset: 4, served: true},
		{name: "no group", annotations: values{"rewrite-target": "/x/$2"}, paths: []string{"/p(/|$).*"}, code: nginx.CodeNoGroup, severity: ingress.Warning, key: "rewrite-target", offset: 3, served: true},
		{name: "no capture", annotations: values{"rewrite-target": "/x"}, paths: []string{"/p/(.*)"}, code: nginx.CodeNoCapture, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "a dropped tail", annotations: values{"rewrite-target": "/$1"}, paths: []string{"/p/([0-9]+)"}, code: nginx.CodeDropsTail, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "a shifted group", annotations: values{"rewrite-target": "/$2"}, paths: []string{"/(a|b)(/|$)(.*)"}, code: nginx.CodeShiftedGroup, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "an optional slash", annotations: values{"rewrite-target": "/$1"}, paths: []string{"/p/?(.*)"}, code: nginx.CodeOptionalSlash, severity: ingress.Warning, key: "path", served: true},
		{name: "an optional rest", annotations: values{"rewrite-target": "$1"}, paths: []string{"/p(/.*)?"}, code: nginx.CodeOptionalSlash, severity: ingress.Warning, key: "path", served: true},
		{name: "a dot-segment", annotations: values{"rewrite-target": "/$1"}, paths: []string{"/p(.*)"}, code: nginx.CodeDotSegment, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "a dot-segment behind another group", annotations: values{"rewrite-target": "/$2"}, paths: []string{"/p(/|$)q(.*)"}, code: nginx.CodeDotSegment, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "a double slash", annotations: values{"rewrite-target": "/$1"}, paths: []string{"/p(/.*)?$"}, code: nginx.CodeDoubleSlash, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "ingress-nginx#3122, #5689: several paths share one target", annotations: values{"rewrite-target": "/$1"}, paths: []string{"/p/(.*)", "/q(/|$)(.*)"}, code: nginx.CodeOneTarget, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "a space", annotations: values{"use-regex": "true"}, paths: []string{"/a b/(.*)"}, code: nginx.CodeEscapes, severity: ingress.Warning, key: "path", offset: 2, served: true},
		{name: "an alternation", annotations: values{"use-regex": "true"}, paths: []string{"/a(b)|/c"}, code: nginx.CodeAlternation, severity: ingress.Warning, key: "path", served: true},
		{name: "a path that looks like an expression", paths: []string{"/p(.*)"}, code: nginx.CodePathType, severity: ingress.Warning, key: "path", served: true},
		{name: "a redirect that the controller refuses", annotations: values{"permanent-redirect": "http://x/$1"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "permanent-redirect", offset: 9},
		{name: "a redirect that the controller ignores", annotations: values{"temporal-redirect": "/x"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeValue, key: "temporal-redirect", served: true},
		{name: "not a switch", annotations: values{"use-regex": "yes"}, code: nginx.CodeValue, key: "use-regex", served: true},
		{name: "a status", annotations: values{"permanent-redirect": "http://x", "permanent-redirect-code": "200"}, code: nginx.CodeStatus, severity: ingress.Warning, key: "permanent-redirect-code", served: true},
		{name: "a status that is no number", annotations: values{"permanent-redirect": "http://x", "permanent-redirect-code": "x"}, code: nginx.CodeValue, key: "permanent-redirect-code", served: true},
		{name: "two redirects", annotations: values{"permanent-redirect": "http://x", "temporal-redirect": "http://y"}, code: nginx.CodeRedirectWins, severity: ingress.Warning, key: "permanent-redirect", served: true},
		{name: "a redirect and a rewrite", annotations: values{"permanent-redirect": "http://x", "rewrite-target": "/$1"}, paths: []string{"/(a.*)"}, code: nginx.CodeRedirectWins, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "app-root is a path", annotations: values{"app-root": "x"}, code: nginx.CodeValue, key: "app-root", served: true},
		{name: "a host", annotations: values{"upstream-vhost": "a..b"}, code: nginx.CodeValue, key: "upstream-vhost"},
		{name: "a variable for a host", annotations: values{"upstream-vhost": "a.$server_name"}, code: nginx.CodeVariable, key: "upstream-vhost", offset: 2},
		{name: "a prefix without a rewrite", annotations: values{"x-forwarded-prefix": "/x"}, code: nginx.CodeNoEffect, severity: ingress.Warning, key: "x-forwarded-prefix", served: true},
		{name: "a prefix of the request", annotations: values{"rewrite-target": "/$2", "x-forwarded-prefix": "/$1"}, paths: []string{"/([a-z]+)/(.*)"}, code: nginx.CodeHeaderCapture, key: "x-forwarded-prefix", offset: 1, served: true},
		{name: "a prefix of the request behind one that is text", annotations: values{"rewrite-target": "/$3", "x-forwarded-prefix": " /$1/$2"}, paths: []string{"/(a)/([a-z]+)/(.*)"}, code: nginx.CodeHeaderCapture, key: "x-forwarded-prefix", offset: 5, served: true},
		{name: "a prefix that is too long", annotations: values{"rewrite-target": "/$2", "x-forwarded-prefix": strings.Repeat("$1", 2000)}, paths: []string{"/(abc)/(.*)"}, code: nginx.CodeValue, key: "x-forwarded-prefix", served: true},
		{name: "a prefix that is itself too long", annotations: values{"rewrite-target": "/$2", "x-forwarded-prefix": strings.Repeat("/", 5000)}, paths: []string{"/(abc)/(.*)"}, code: nginx.CodeValue, key: "x-forwarded-prefix", served: true},
		{name: "a target that is too long", annotations: values{"rewrite-target": "/" + strings.Repeat("$1", 20_000)}, paths: []string{"/(" + strings.Repeat("a", 400) + ")/(.*)"}, code: nginx.CodeValue, key: "rewrite-target", offset: 4096},
		{name: "a second variable for a host", annotations: values{"upstream-vhost": "$namespace.$foo"}, code: nginx.CodeVariable, key: "upstream-vhost", offset: 11},
		{name: "a variable for a host that begins as another", annotations: values{"upstream-vhost": "$namespace_x"}, code: nginx.CodeVariable, key: "upstream-vhost"},
		{name: "a variable in braces for a host", annotations: values{"upstream-vhost": "${namespace}.${foo}"}, code: nginx.CodeVariable, key: "upstream-vhost", offset: 13},
		{name: "a brace that is not closed", annotations: values{"upstream-vhost": "a.${namespace"}, code: nginx.CodeVariable, key: "upstream-vhost", offset: 2},
		{name: "a host that is too long", annotations: values{"upstream-vhost": strings.Repeat("$service_name", 400)}, code: nginx.CodeValue, key: "upstream-vhost"},
		{name: "a Secret that is none", annotations: values{"proxy-ssl-secret": "shop/../../x"}, code: nginx.CodeValue, key: "proxy-ssl-secret", served: true},
		{name: "a server name that is none", annotations: values{"proxy-ssl-name": "a..b", "proxy-ssl-server-name": "on"}, code: nginx.CodeValue, key: "proxy-ssl-name", served: true},
		{name: "a server's header that no location inherits", annotations: values{"server-snippet": "proxy_set_header X y;"}, code: nginx.CodeNoEffect, severity: ingress.Warning, key: "server-snippet", served: true},
		{name: "an alias that is an expression", annotations: values{"server-alias": "a.b, ~^x"}, code: nginx.CodeValue, key: "server-alias", offset: 5, served: true},
		{name: "an alias that is no host", annotations: values{"server-alias": "a..b"}, code: nginx.CodeValue, key: "server-alias", served: true},
		{name: "a second alias that is no host", annotations: values{"server-alias": " xa,  a..b"}, code: nginx.CodeValue, key: "server-alias", offset: 6, served: true},
		{name: "an alias that ends in one that is no host", annotations: values{"server-alias": "xa.b,a..b"}, code: nginx.CodeValue, key: "server-alias", offset: 5, served: true},
		{name: "an alias that is a host", annotations: values{"server-alias": "h"}, code: nginx.CodeHostTaken, severity: ingress.Warning, key: "server-alias", served: true},
		{name: "a wildcard alias", annotations: values{"server-alias": "*.x"}, code: nginx.CodeAliasDepth, severity: ingress.Warning, key: "server-alias", served: true},
		{name: "gRPC", annotations: values{"backend-protocol": "grpc"}, code: nginx.CodeProtocol, severity: ingress.Warning, key: "backend-protocol", served: true},
		{name: "FastCGI", annotations: values{"backend-protocol": "FCGI"}, code: nginx.CodeProtocol, key: "backend-protocol"},
		{name: "a Secret of another namespace", annotations: values{"proxy-ssl-secret": "other/ca"}, code: nginx.CodeValue, key: "proxy-ssl-secret", served: true},
		{name: "a size", annotations: values{"proxy-body-size": "8x"}, code: nginx.CodeValue, key: "proxy-body-size", served: true},
		{name: "several origins", annotations: values{"enable-cors": "true", "cors-allow-origin": "https://a, https://b"}, code: nginx.CodeCorsOrigin, key: "cors-allow-origin", served: true},
		{name: "preflight", annotations: values{"enable-cors": "true"}, code: nginx.CodeCorsPreflight, severity: ingress.Warning, key: "enable-cors", served: true},
		{name: "half a mapping", annotations: values{"proxy-redirect-from": "/x"}, code: nginx.CodeValue, key: "proxy-redirect-from", served: true},
		{name: "a mapping with a variable", annotations: values{"proxy-redirect-from": "/x", "proxy-redirect-to": "/$host"}, code: nginx.CodeVariable, key: "proxy-redirect-to", offset: 1, served: true},
		{name: "a mapping with lookahead", annotations: values{"proxy-cookie-path": "~^/(?=x) /"}, code: nginx.CodeRegex, key: "proxy-cookie-path", offset: 3, served: true},
		{name: "a mapping without its expression", annotations: values{"proxy-redirect-from": "/a/", "proxy-redirect-to": "/b/$1"}, code: nginx.CodeVariable, key: "proxy-redirect-to", offset: 3, served: true},
		{name: "a mapping to no host", annotations: values{"proxy-cookie-domain": "a.b  c..d"}, code: nginx.CodeValue, key: "proxy-cookie-domain", offset: 7, served: true},
		{name: "a mapping of one word", annotations: values{"proxy-cookie-domain": "x"}, code: nginx.CodeValue, key: "proxy-cookie-domain", served: true},
		{name: "access", annotations: values{"auth-url": "http://auth"}, code: nginx.CodeAccess, key: "auth-url", closed: true},
		{name: "access, handled", annotations: values{"auth-url": "http://auth", "use-regexp": "1"}, opts: nginx.Options{Handled: []string{"auth-url"}}, code: nginx.CodeUnknown, severity: ingress.Warning, key: "use-regexp", served: true},
		{name: "refused", annotations: values{"custom-http-errors": "404"}, code: nginx.CodeRefused, key: "custom-http-errors", served: true},
		{name: "ignored", annotations: values{"proxy-read-timeout": "60"}, code: nginx.CodeIgnored, severity: ingress.Note, key: "proxy-read-timeout", served: true},
		{name: "a line of a snippet", annotations: values{"configuration-snippet": "gzip on;\n deny all;"}, code: nginx.CodeSnippet, key: "configuration-snippet", offset: 10, closed: true},
		{name: "an unfinished snippet", annotations: values{"server-snippet": "gzip on;\n return 301"}, code: nginx.CodeSnippet, key: "server-snippet", offset: 10, closed: true},
		{name: "a chain", annotations: values{"configuration-snippet": "gzip on;\nrewrite ^/a /ab break;\nrewrite ^/ab /c break;"}, code: nginx.CodeSnippetChain, severity: ingress.Warning, key: "configuration-snippet", offset: 9, served: true},
		{name: "a chain of a server", annotations: values{"server-snippet": "rewrite ^/a /ab last;\nrewrite ^/ab /c last;"}, code: nginx.CodeSnippetChain, severity: ingress.Warning, key: "server-snippet", served: true},
		{name: "a redirect behind a rewrite", annotations: values{"configuration-snippet": "rewrite ^/a /b;\nrewrite ^/b /c permanent;"}, code: nginx.CodeSnippetChain, key: "configuration-snippet", offset: 16, closed: true},
		{name: "a break before a rewrite", annotations: values{"configuration-snippet": "rewrite ^/p/a /b break;", "rewrite-target": "/$1"}, paths: []string{"/p/(.*)"}, code: nginx.CodeSnippetChain, severity: ingress.Warning, key: "rewrite-target", served: true},
		{name: "a last before a redirect", annotations: values{"configuration-snippet": "rewrite ^/a /b last;", "permanent-redirect": "http://x"}, code: nginx.CodeSnippetChain, key: "configuration-snippet", closed: true},
		{name: "a rewrite before a redirect", annotations: values{"configuration-snippet": "rewrite ^/a /b;", "permanent-redirect": "http://x"}, code: nginx.CodeRedirectWins, severity: ingress.Warning, key: "configuration-snippet", served: true},
		{name: "a break before a redirect", annotations: values{"configuration-snippet": "rewrite ^/a /b break;", "permanent-redirect": "http://x"}, code: nginx.CodeSnippetChain, key: "configuration-snippet", closed: true},
		{name: "a path that can be none", paths: []string{"/a//b"}, code: ingress.CodeBadEntry, key: "path"},
		{name: "a path that can be none, closed", annotations: values{"auth-url": "x"}, paths: []string{"/a//b"}, code: ingress.CodeBadEntry, key: "path", closed: true},
		{name: "a regular expression as text", paths: []string{"/a/?(.*)"}, code: nginx.CodePathType, key: "path"},
		{name: "a regular expression that is too much", annotations: values{"use-regex": "true"}, paths: []string{"/(a{500})"}, code: nginx.CodeRegex, key: "path"},
		{name: "a line end in a path", annotations: values{"use-regex": "true"}, paths: []string{"/a(\nb)?"}, code: nginx.CodeEscapes, severity: ingress.Warning, key: "path", offset: 3, served: true},
		{name: "a query in a path", annotations: values{"use-regex": "true"}, paths: []string{`/a\?b(.*)`}, code: nginx.CodeEscapes, severity: ingress.Warning, key: "path", offset: 3, served: true},
		{name: "a space of a class", annotations: values{"use-regex": "true"}, paths: []string{`/a\s(.*)`}, code: nginx.CodeEscapes, severity: ingress.Warning, key: "path", served: true},
		{name: "a class of nothing", annotations: values{"use-regex": "true"}, paths: []string{`/a[^\x00-\x{10FFFF}]`}, code: nginx.CodeRegexPrefix, severity: ingress.Note, key: "path", served: true},
		{name: "a letter of several", annotations: values{"use-regex": "true"}, paths: []string{"/(b|\u00e9)"}, code: nginx.CodeEscapes, severity: ingress.Warning, key: "path", offset: 4, served: true},
		{name: "a space in a redirect", annotations: values{"permanent-redirect": " https://e.org/a b"}, code: nginx.CodeValue, key: "permanent-redirect"},
		{name: "a redirect to no host", annotations: values{"temporal-redirect": "https://-a-$request_uri"}, code: nginx.CodeValue, key: "temporal-redirect"},
		{name: "an app-root that is no path", annotations: values{"app-root": "/a//b"}, code: nginx.CodeValue, key: "app-root", served: true},
		{name: "a control byte in a header", annotations: values{"rewrite-target": "/b", "x-forwarded-prefix": "/a\x01"}, code: nginx.CodeValue, key: "x-forwarded-prefix", offset: 2, served: true},
		{name: "no name of a header", annotations: values{"configuration-snippet": " more_set_headers 'X Y: z' 'X: y';"}, code: nginx.CodeValue, key: "configuration-snippet", offset: 1, served: true},
		{name: "no value of a header", annotations: values{"configuration-snippet": "add_header X 'a\x01';"}, code: nginx.CodeValue, key: "configuration-snippet", served: true},
		{name: "a canary by no header", annotations: values{"canary": "true", "canary-by-header": "a b"}, code: nginx.CodeValue, key: "canary-by-header"},
		{name: "a canary by no cookie", annotations: values{"canary": "true", "canary-by-cookie": "a;b"}, code: nginx.CodeValue, key: "canary-by-cookie"},
		{name: "a canary by too much", annotations: values{"canary": "true", "canary-by-header": "x", "canary-by-header-pattern": "a{500}"}, code: nginx.CodeRegex, key: "canary-by-header-pattern"},
		{name: "a redirect that is only a branch", annotations: values{"configuration-snippet": " rewrite ^/p/a /b?c permanent;\nrewrite x /y break;", "permanent-redirect": "http://x"}, paths: []string{"/p/a/b"}, code: nginx.CodeSnippet, key: "configuration-snippet", offset: 1, closed: true},
		{name: "a redirect of some before one of all", annotations: values{"configuration-snippet": "rewrite a /b permanent;", "permanent-redirect": "http://x"}, paths: []string{"/p"}, code: nginx.CodeSnippet, key: "configuration-snippet", closed: true},
		{name: "two snippets that redirect", annotations: values{"configuration-snippet": "rewrite a /b permanent;", "server-snippet": "rewrite c /d permanent;"}, paths: []string{"/p"}, code: nginx.CodeSnippet, key: "configuration-snippet", closed: true},
		{name: "a redirect before https", annotations: values{"configuration-snippet": "rewrite ^/a /b permanent;", "force-ssl-redirect": "true"}, code: nginx.CodeRedirectOrder, severity: ingress.Warning, key: "path", served: true},
		{name: "a header of the request", annotations: values{"configuration-snippet": "proxy_set_header X $remote_addr;"}, code: nginx.CodeVariable, key: "configuration-snippet", served: true},
		{name: "a canary by a value of no header", annotations: values{"canary": "true", "canary-by-header-value": "x"}, code: nginx.CodeNoEffect, severity: ingress.Warning, key: "canary-by-header"},
		{name: "a canary by a pattern and a value", annotations: values{"canary": "true", "canary-by-header": "x", "canary-by-header-value": "x", "canary-by-header-pattern": "y"}, code: nginx.CodeNoEffect, severity: ingress.Warning, key: "canary-by-header-pattern"},
		{name: "a canary by lookahead", annotations: values{"canary": "true", "canary-by-header": "x", "canary-by-header-pattern": "a(?=b)"}, code: nginx.CodeRegex, key: "canary-by-header-pattern", offset: 1},
		{name: "a canary of nobody", annotations: values{"canary": "true"}, code: nginx.CodeCanaryAlone, key: "canary"},
		{name: "a canary that is off", annotations: values{"canary-weight": "10"}, code: nginx.CodeCanaryOff, key: "canary-weight"},
		{name: "a canary that is off, compat", annotations: values{"canary-weight": "10"}, opts: nginx.Options{Mode: nginx.Compat}, code: nginx.CodeCanaryOff, key: "canary-weight", served: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := nginx.New(&c.opts).Rewrite([]*ingress.Ingress{made(c.annotations, c.paths...)}, nil)
			p := find(t, got.Problems, c.code)
			key := prefix + c.key
			if c.key == "path" {
				key = "path"
				assert.Equal(t, 0, p.Source.Path)
			}
			assert.Equal(t, rewrite.Origin{Key: key, Offset: c.offset}, p.Origin, p.Detail)
			assert.Equal(t, c.severity, p.Severity)
			for _, p := range got.Problems {
				assert.NotContains(t, p.Error(), "\n")
			}
			assert.Equal(t, "Ingress shop/web", p.Source.Object().String())
			served, closed := len(got.Entries) > 0, false
			for _, e := range got.Entries {
				closed = closed || len(e.Backends) == 1 && e.Backends[0].Invalid
			}
			assert.Equal(t, c.served || c.closed, served, "%v", got.Problems)
			assert.Equal(t, c.closed, closed)
		})
	}
}

// TestEveryAnnotationIsAccountedFor: every annotation of the controller, as its
// annotations-risk.md lists them, is known, and others are warned of, with the
// nearest name.
func TestEveryAnnotationIsAccountedFor(t *testing.T) {
	silent := nginx.New(nil).Rewrite([]*ingress.Ingress{made(nil)}, nil)
	require.Empty(t, silent.Problems)
	find(t, nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"auth-type": "", "zzz": ""})}, nil).Problems, nginx.CodeUnknown)
	data, err := os.ReadFile("testdata/annotations.txt")
	require.NoError(t, err)
	names := strings.Fields(string(data))
	require.Greater(t, len(names), 100)
	for _, name := range names {
		for _, p := range nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{name: "true"})}, nil).Problems {
			assert.NotEqual(t, nginx.CodeUnknown, p.Code, name)
		}
	}
	for name, near := range map[string]string{
		"rewrite-taget": "rewrite-target", "canary-by-headers": "canary-by-header", "ssl_redirect": "ssl-redirect", "zzzzzzzzzz": "",
	} {
		p := find(t, nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{name: "x"})}, nil).Problems, nginx.CodeUnknown)
		if near == "" {
			assert.NotContains(t, p.Detail, "write")
		} else {
			assert.Contains(t, p.Detail, "write "+prefix+near)
		}
	}
}

// TestOneTarget: paths with different groups matter to a target with captures
// alone.
func TestOneTarget(t *testing.T) {
	for _, p := range nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"rewrite-target": "/x"}, "/p/(.*)", "/q(/|$)(.*)")}, nil).Problems {
		assert.NotEqual(t, nginx.CodeOneTarget, p.Code)
	}
}

// TestSurprises: each of the five surprising behaviours has a code, a warning in
// Compat and at least a note in Strict.
func TestSurprises(t *testing.T) {
	list := []*ingress.Ingress{made(map[string]string{"rewrite-target": "/$1"}, "/p/(.*)"), made(nil, "/q"), made(nil, "/r/")}
	list[1].Name, list[2].Name = "other", "slash"
	list[1].Rules = []ingress.Rule{{Host: "free", Paths: list[1].Rules[0].Paths}, list[1].Rules[0]}
	list[2].Rules[0].Host = "other"
	severity := func(mode nginx.Mode) map[ingress.Code]ingress.Severity {
		found := make(map[ingress.Code]ingress.Severity)
		for _, p := range nginx.New(&nginx.Options{Mode: mode}).Rewrite(list, nil).Problems {
			found[p.Code] = p.Severity
		}
		return found
	}
	strict, compat := severity(nginx.Strict), severity(nginx.Compat)
	assert.Equal(t, map[ingress.Code]ingress.Severity{
		nginx.CodeRegexPrefix: ingress.Note, nginx.CodeHostWide: ingress.Warning,
		nginx.CodeImpliedRegex: ingress.Note, nginx.CodeSlashRedirect: ingress.Note,
	}, strict)
	assert.Equal(t, map[ingress.Code]ingress.Severity{
		nginx.CodeRegexPrefix: ingress.Warning, nginx.CodeHostWide: ingress.Warning, nginx.CodeImpliedRegex: ingress.Warning,
		nginx.CodeSlashRedirect: ingress.Warning, nginx.CodeNormalises: ingress.Note, nginx.CodeDecodes: ingress.Warning,
	}, compat)
	assert.Len(t, slices.Collect(maps.Keys(compat)), 6)
}

// TestOneTenantSpoilsNoOther: what one Ingress gets wrong leaves those of other
// hosts as they are.
func TestOneTenantSpoilsNoOther(t *testing.T) {
	good := made(nil, "/x")
	good.Name, good.Rules[0].Host = "good", "good"
	for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
		rw := nginx.New(&nginx.Options{Mode: mode})
		want := rw.Rewrite([]*ingress.Ingress{good}, nil).Entries
		for name, value := range map[string]string{
			"rewrite-target": "/$x", "server-snippet": "deny all;", "server-alias": "good", "auth-url": "x", "permanent-redirect": "https://",
		} {
			got := rw.Rewrite([]*ingress.Ingress{made(map[string]string{name: value}), good}, nil).Entries
			got = slices.DeleteFunc(got, func(e ingress.Entry) bool { return e.Source.Name != "good" })
			assert.Equal(t, want, got, "%v %s", mode, name)
		}
	}
}

// TestBounds: what one Ingress can multiply has a bound, and beyond it is said
// what is not served.
func TestBounds(t *testing.T) {
	aliases := make([]string, 150)
	for i := range aliases {
		aliases[i] = fmt.Sprintf("a%d.example.com", i)
	}
	got := nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"server-alias": strings.Join(aliases, ",")})}, nil)
	assert.Len(t, got.Entries, 1+100)
	find(t, got.Problems, nginx.CodeValue)

	got = nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"configuration-snippet": strings.Repeat("add_header a b;\n", 101)})}, nil)
	require.Len(t, got.Entries, 1)
	assert.True(t, got.Entries[0].Backends[0].Invalid)
	assert.Equal(t, 1600, find(t, got.Problems, nginx.CodeSnippet).Origin.Offset)

	own := "add_header A " + strings.Repeat("$service_name", 300) + ";\n"
	got = nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"configuration-snippet": own + own + "add_header B b;"})}, nil)
	require.Len(t, got.Entries, 1)
	assert.Len(t, got.Entries[0].ResponseHeaders, 2, "what each path has for itself is bounded for all lines together")
	assert.Equal(t, len(own), find(t, got.Problems, nginx.CodeValue).Origin.Offset)

	got = nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"server-alias": strings.Repeat("a..b,", 10_000)})}, nil)
	assert.Len(t, got.Problems, 101)
	assert.Equal(t, 500, got.Problems[100].Origin.Offset)

	got = nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"rewrite-target": "/" + strings.Repeat("$1", 2000) + "$2"}, "/("+strings.Repeat("a", 400)+")/(.*)")}, nil)
	require.Len(t, got.Entries, 1)
	assert.Less(t, len(got.Entries[0].Rules[0].Action.String()), 10_000, "800,000 bytes of text are not written out")

	unknown := make(map[string]string)
	for i := range 50 {
		unknown[fmt.Sprint("rewrite-targett", i)] = ""
	}
	got = nginx.New(nil).Rewrite([]*ingress.Ingress{made(unknown)}, nil)
	assert.Len(t, got.Problems, 50)
	near := 0
	for _, p := range got.Problems {
		if strings.Contains(p.Detail, "write") {
			near++
		}
	}
	assert.Equal(t, 10, near)
}
