package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestRefusedLines: a line that cannot be said is refused by name, at its byte,
// and what it governs answers 500.
func TestRefusedLines(t *testing.T) {
	const before = "gzip on;\n"
	for _, c := range []struct {
		line string
		code ingress.Code
		says string
	}{
		{"deny all;", nginx.CodeSnippet, "deny all"},
		{"set $x 1;", nginx.CodeSnippet, "set $x 1"},
		{"if ($a) { return 403; }", nginx.CodeSnippet, "if ($a) {...}"},
		{"location /x { deny all; }", nginx.CodeSnippet, "location /x {...}"},
		{"rewrite ^/a;", nginx.CodeSnippet, "rewrite has"},
		{"rewrite ^/a /b last break;", nginx.CodeSnippet, "rewrite has"},
		{"rewrite ^/a /b temporary;", nginx.CodeSnippet, `"temporary" is no flag`},
		{"rewrite ^/(?=a) /b;", nginx.CodeRegex, "lookahead"},
		{"rewrite ^/a /$uri;", nginx.CodeVariable, "$uri"},
		{"rewrite ^/a $request_uri;", nginx.CodeVariable, "only stand in a redirect"},
		{`rewrite "^/a{600}(/|$)" /b?c permanent;`, nginx.CodeSnippet, "query"},
		{`rewrite "^/a{600}(/|$)" $scheme://x/ permanent;`, nginx.CodeSnippet, "anchors"},
		{"rewrite ^/a /b permanent;\nrewrite ^/c /d permanent;", nginx.CodeSnippet, "one redirect"},
		{"rewrite ^/a /b permanent;\nreturn 302 /d;", nginx.CodeSnippet, "one redirect"},
		{"rewrite ^/a /b permanent;\nrewrite ^ /d permanent;", nginx.CodeSnippet, "one redirect"},
		{"return;", nginx.CodeSnippet, "return has"},
		{"return 1 2 3;", nginx.CodeSnippet, "return has"},
		{"return 403;", nginx.CodeSnippet, "only redirects"},
		{"return 200 ok;", nginx.CodeSnippet, "only redirects"},
		{"return 301;", nginx.CodeSnippet, "no URL"},
		{"return 302;", nginx.CodeSnippet, "no URL"},
		{"return /x;", nginx.CodeSnippet, "must be a URL"},
		{"rewrite ^/a /b last;\nreturn 301 /c;", nginx.CodeSnippetChain, "write it first"},
		{"return x /y;", nginx.CodeSnippet, "no status"},
		{"return 301 /$uri;", nginx.CodeVariable, "$uri"},
		{"return 301 /$1;", nginx.CodeVariable, "captures"},
		{"more_set_headers -s 404 'X: y';", nginx.CodeSnippet, "options"},
		{"add_header X;", nginx.CodeSnippet, "name and a value"},
		{"proxy_set_header X;", nginx.CodeSnippet, "name and a value"},
		{"proxy_set_header Host $remote_addr;", nginx.CodeSnippet, "no host"},
		{`rewrite "^/a{600}" /b;`, nginx.CodeSnippet, "instructions"},
		{`rewrite "^/a{600}" /b permanent;`, nginx.CodeSnippet, "instructions"},
		{"return 301 https://a..b$request_uri;", nginx.CodeSnippet, "a..b"},
		{"rewrite ^ https://a..b/x permanent;", nginx.CodeSnippet, "a..b"},
		{"rewrite ^/x$ https://a..b/x permanent;", nginx.CodeSnippet, "a..b"},
		{"rewrite ^/a /b", nginx.CodeSnippet, "malformed"},
	} {
		t.Run(c.line, func(t *testing.T) {
			for _, name := range []string{"configuration-snippet", "server-snippet"} {
				got := nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{name: before + c.line})}, nil)
				require.Len(t, got.Entries, 1)
				require.Len(t, got.Entries[0].Backends, 1)
				assert.True(t, got.Entries[0].Backends[0].Invalid)
				assert.Nil(t, got.Entries[0].Redirect)
				var p ingress.Problem
				for _, q := range got.Problems {
					if q.Severity == ingress.Error {
						p = q
					}
				}
				assert.Equal(t, c.code, p.Code)
				assert.Contains(t, p.Detail, c.says)
				assert.Equal(t, prefix+name, p.Origin.Key)
				assert.GreaterOrEqual(t, p.Origin.Offset, len(before))
			}
		})
	}
}

// TestLinesThatAreServed: what becomes of requests in lines that can be said,
// beside what warns of them.
func TestLinesThatAreServed(t *testing.T) {
	for _, c := range []struct {
		snippet string
		url     string
		want    string
		code    ingress.Code // of a warning; "" for none
	}{
		{"rewrite ^/a /$1;", "http://h/a", "web /", nginx.CodeNoGroup},
		{"rewrite ^/a /x/$1/y?u=/$1/z;", "http://h/a", "web /x/y?u=//z", nginx.CodeNoGroup},
		{"rewrite ^/a /x$1/y;", "http://h/a", "web /x/y", nginx.CodeNoGroup},
		{"rewrite ^/a /b?; rewrite ^/b /c;", "http://h/a?q", "web /c", ""},
		{"rewrite ^/users/([0-9]+)$ /user?id=$1 last;", "http://h/users/7?a=b", "web /user?id=7&a=b", ""},
		{"return 301 /x; rewrite ^/a /b;", "http://h/a", "301 /x", nginx.CodeRedirectWins},
		{"return 301 /x; return 302 /y;", "http://h/a", "301 /x", nginx.CodeRedirectWins},
		{"rewrite ^/a$ /b last;\nrewrite ^/b$ /c break;", "http://h/a", "web /c", ""},
		{"rewrite (?i)^/old$ /new permanent;", "http://h/OLD?q", "301 /new?q", ""},
		{"return 302 /x?y;", "http://h/a?q", "302 /x?y", ""},
		{"return https://e.org;", "http://h/a?q", "302 https://e.org", ""},
		{"return 307 $scheme://$host/x;", "http://h/a?q", "307 /x", ""},
		{"return 301 https://$host/x$request_uri;", "http://h/a?q", "301 https://h/x/a?q", ""},
		{"rewrite ^(.*)$ https://e.org/x$1 redirect;", "http://h/a?q", "302 https://e.org/x/a?q", ""},
		{"rewrite ^/old$ /new permanent;\nrewrite ^/older$ /newer permanent;", "http://h/older?q", "301 /newer?q", ""},
		{"rewrite ^/old /new permanent;\nrewrite ^/a/(.*)$ /b/$1 break;", "http://h/a/x", "web /b/x", ""},
		{"rewrite ^/old /new permanent;\nrewrite ^/a/(.*)$ /b/$1 break;", "http://h/x/old", "web /x/old", ""},
		{"proxy_set_header Host $host;", "http://h/a", "web /a", ""},
		{"rewrite ^/a/(.*)$ /b/$1 break;\nrewrite ^/b/(.*)$ /c/$1 break;", "http://h/a/x", "web /b/x", ""},
		{"rewrite ^/a/(.*)$ /b/$1 break;\nrewrite ^/b/(.*)$ /c/$1 break;", "http://h/b/x", "web /c/x", ""},
		{"rewrite ^/a/(.*)$ /b/$1 break;\nrewrite ^/c/(.*)$ /d/$1 break;", "http://h/c/x", "web /d/x", ""},
		{"rewrite ^/a(.*)$ /ab$1 break;\nrewrite ^/ab(.*)$ /c$1 break;", "http://h/a/x", "web /c/x", nginx.CodeSnippetChain},
		{"rewrite ^/a/(.*)$ /b/$1 break;\nrewrite ^/b/(.*)$ /c/$1 last;", "http://h/a/x", "web /b/x", nginx.CodeSnippetChain},
	} {
		t.Run(c.snippet, func(t *testing.T) {
			got := nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{"configuration-snippet": c.snippet})}, nil)
			if c.code != "" {
				assert.Equal(t, ingress.Warning, find(t, got.Problems, c.code).Severity)
			} else {
				assert.Empty(t, got.Problems)
			}
			table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, compiled *ingress.Compiled) (built, error) {
				return built{e, compiled}, nil
			})
			assert.Empty(t, problems)
			u, err := rewrite.Parse(c.url)
			assert.NoError(t, err)
			b, _, err := table.Route(&u, nil, func(b built) *rewrite.Program { return b.c.Program }, nil)
			assert.NoError(t, err)
			assert.Equal(t, c.want, b.answer(t, u))
		})
	}
}
