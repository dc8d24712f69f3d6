package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// TestTargets: what becomes of a URL, whose path is /p/x and whose query is q,
// where rewrite keeps the query and return does not.
func TestTargets(t *testing.T) {
	const regex = "^/(p)/(.*)"
	for _, c := range []struct{ text, rewrite, returns string }{
		{"/", "http://h/?q", "http://h/"},
		{"", "http://h/?q", "http://h/"},
		{"/a", "http://h/a?q", "http://h/a"},
		{"a", "http://h/a?q", "http://h/a"},
		{"/a?", "http://h/a", "http://h/a"},
		{"/a?b", "http://h/a?b&q", "http://h/a?b"},
		{"/a?b?", "http://h/a?b", "http://h/a?b"},
		{"/$2", "http://h/x?q", "http://h/x"},
		{"$2$1", "http://h/xp?q", "http://h/xp"},
		{"/$2?b=$1", "http://h/x?b=p&q", "http://h/x?b=p"},
		{"https://e", "https://e/?q", "https://e"},
		{"https://e/a", "https://e/a?q", "https://e/a"},
		{"https://e:8443/$2", "https://e:8443/x?q", "https://e:8443/x"},
		{"$scheme://e/a", "http://e/a?q", "http://e/a"},
		{"https://$host/a", "https://h/a?q", "https://h/a"},
		{"https://$http_host$request_uri", "https://h/p/x?q", "https://h/p/x?q"},
		{"https://e$request_uri", "https://e/p/x?q", "https://e/p/x?q"},
		{"https://e/a$request_uri", "https://e/a/p/x?q", "https://e/a/p/x?q"},
		{"https://e$uri$is_args$args", "https://e/p/x?q", "https://e/p/x?q"},
		{"https://e$request_uri?", "https://e/p/x?q", "https://e/p/x?q"},
	} {
		t.Run(c.text, func(t *testing.T) {
			to, f := parseTarget(c.text)
			require.Nil(t, f)
			for keep, want := range map[bool]string{true: c.rewrite, false: c.returns} {
				redirect, err := ingress.CompileRedirect(to.redirect(301, regex, keep, "x"), nil)
				require.NoError(t, err)
				_, location, err := redirect.Answer(ingress.RedirectRequest{
					URL: rewrite.URL{Scheme: "http", Host: "h", Path: "/p/x", RawQuery: "q"},
				})
				require.NoError(t, err)
				assert.Equal(t, want, location)
			}
		})
	}
}

func TestTargetFaults(t *testing.T) {
	for _, c := range []struct {
		text   string
		code   ingress.Code
		offset int
	}{
		{"/$uri", CodeVariable, 1},
		{"/a$", CodeVariable, 2},
		{"/$0", CodeVariable, 1},
		{"/${name}", CodeVariable, 1},
		{"/a?b=$args", CodeVariable, 5},
		{"https://", CodeValue, 8},
		{"https:///x", CodeValue, 8},
		{"https://$1/x", CodeVariable, 8},
		{"https://$host:8080/x", CodeVariable, 13},
		{"https://$hostname/x", CodeVariable, 8},
		{"https://www.$host/x", CodeVariable, 12},
		{"https://e/$1$request_uri", CodeVariable, 12},
		{"https://e$request_uri?a", CodeVariable, 9},
		{"$scheme:/x", CodeVariable, 0},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, f := parseTarget(c.text)
			require.NotNil(t, f)
			assert.Equal(t, c.code, f.code)
			assert.Equal(t, c.offset, f.offset, f.text)
		})
	}
}
