package nginx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestLongPrefixes: a prefix that is too long for a regular expression stays
// beside those of its host, in order, and closed if it is.
func TestLongPrefixes(t *testing.T) {
	type values = map[string]string
	long := strings.Repeat("/abcdefghi", 25)
	regex := values{"use-regex": "true"}
	longer := strings.Repeat("/[a-i]+", 60) // instructions enough for a table, and more bytes than long
	opts := &nginx.Options{}
	for name, c := range map[string]struct {
		list []*ingress.Ingress
		want values // by path
	}{
		"open": {
			[]*ingress.Ingress{named("php", "h", regex, "ImplementationSpecific /(.*)[.]php"), named("root", "h", nil, "Prefix /"), named("long", "h", nil, "Prefix "+long)},
			values{long: "long", long + "/x.php": "long", long + "x": "root", "/x.php": "php", "/x": "root"},
		},
		"closed": {
			[]*ingress.Ingress{named("php", "h", regex, "ImplementationSpecific /(.*)[.]php"), named("root", "h", nil, "Prefix /"), named("long", "h", values{"auth-url": "x"}, "Prefix "+long)},
			values{long: "500", long + "/x.php": "500", "/x.php": "php", "/x": "root"},
		},
		"behind a longer one": {
			[]*ingress.Ingress{named("longer", "h", regex, "ImplementationSpecific "+longer[:len(longer)/7*7]), named("root", "h", nil, "Prefix /"), named("long", "h", nil, "Prefix "+long)},
			values{long + strings.Repeat("/abc", 35): "longer", long + "/x": "long", "/x": "root"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			limited := &ingress.Cluster{Table: &route.Options{}}
			if name == "behind a longer one" {
				limited.Table.Regexp.Instructions = 245 // long itself has 256
			}
			d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(opts)})
			require.NoError(t, err)
			result := d.Dispatch(c.list, limited)
			for _, p := range result.Problems {
				assert.NotEqual(t, ingress.CodeBadEntry, p.Code, p.Error())
			}
			table, problems := ingress.Build(result.Entries, limited, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) {
				if e.Backends[0].Invalid {
					return "500", nil
				}
				return e.Source.Name, nil
			})
			assert.Empty(t, problems)
			for path, want := range c.want {
				got, _ := table.Lookup("h", path)
				assert.Equal(t, want, got, path)
			}
		})
	}
}

// TestClosedEscapes: what a closed expression matches decoded is closed, though
// nothing matches it as it is written.
func TestClosedEscapes(t *testing.T) {
	list := []*ingress.Ingress{
		named("guarded", "h", map[string]string{"use-regex": "true", "auth-url": "x"}, "ImplementationSpecific /\u00e9/(.*)"),
		named("root", "h", nil, "Prefix /"),
	}
	for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
		opts := &nginx.Options{Mode: mode, SkipValidation: true}
		assert.Equal(t, "500", ask(t, opts, list, "http://h/%C3%A9/x"))
		assert.Equal(t, "root http://h/x", ask(t, opts, list, "http://h/x"))
	}
}

// TestRootBranches: a redirect of some requests of "/" leaves the prefixes of
// other Ingresses as they are.
func TestRootBranches(t *testing.T) {
	list := []*ingress.Ingress{
		named("root", "h", map[string]string{"configuration-snippet": "rewrite old/(.*) /new/$1 redirect;"}, "Prefix /"),
		named("other", "h", nil, "Prefix /a/old"), named("again", "h", nil, "Prefix /"),
	}
	got := nginx.New(nil).Rewrite(list, nil)
	types := make(map[string][]route.PathType)
	for _, e := range got.Entries {
		types[e.Source.Name] = append(types[e.Source.Name], e.Pattern.Type)
	}
	assert.Equal(t, map[string][]route.PathType{"root": {route.Regex, route.Regex}, "other": {route.Prefix}, "again": {route.Regex}}, types)
	for path, want := range map[string]string{"/a/old/x": "other http://h/a/old/x", "/b/old/x": "302 http://h/new/x", "/b": "root http://h/b"} {
		assert.Equal(t, want, ask(t, nil, list, "http://h"+path))
	}
}

// TestServerNames: a server name is sent in the form that TLS has.
func TestServerNames(t *testing.T) {
	got := nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{
		"backend-protocol": "HTTPS", "proxy-ssl-server-name": "on", "proxy-ssl-name": "B\u00fccher.example",
	})}, nil)
	require.Len(t, got.Entries, 1)
	assert.Equal(t, "xn--bcher-kva.example", got.Entries[0].Backends[0].SNI)
}

// TestSlashRedirectPort: nginx redirects to a path with a final slash as to any
// other path, without the port.
func TestSlashRedirectPort(t *testing.T) {
	opts := &nginx.Options{Mode: nginx.Compat}
	assert.Equal(t, "301 http://h/p/?q", ask(t, opts, []*ingress.Ingress{made(nil, "/p/")}, "http://h:8080/p?q"))
}
