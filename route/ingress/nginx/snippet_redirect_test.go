package nginx_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// TestSnippetRedirects: a redirect of some requests keeps what it takes from a
// path out of the host, sees escaped letters, and costs others nothing.
func TestSnippetRedirects(t *testing.T) {
	type values = map[string]string
	long := "?" + strings.Repeat("a", 20_000)
	for _, c := range []struct {
		line string
		path string // of the Ingress
		want values // by what follows the host
	}{
		{"rewrite ^/go(.*)$ $1 redirect;", "Prefix /", values{"/go.evil.com/x": "302 http://h/.evil.com/x", "/go/x": "302 http://h/x", "/x": "web http://h/x"}},
		{"rewrite ^/go(.*)$ $1 redirect;", "Prefix /go", values{"/go/.evil.com/x": "302 http://h/.evil.com/x", "/go": "302 http://h/"}},
		{"rewrite ^/go/(.*)$ $1 redirect;", "Exact /go/:8080/x", values{"/go/:8080/x": "302 http://h/:8080/x"}},
		{"rewrite go/([^/]+)$ $1 redirect;", "Prefix /", values{"/go/:8080": "302 http://h/:8080", "/go/a/b": "web http://h/go/a/b"}},
		{"rewrite go/(.*)$ x/$1 redirect;", "Prefix /", values{"/go/y": "302 http://h/x/y"}},
		{"rewrite go(.*)$ $1 redirect;", "Prefix /", values{"/go.evil.com/x": "302 http://h/.evil.com/x", "/go/x": "302 http://h/x"}},
		{"rewrite go(/.*)$ $1 redirect;", "Prefix /", values{"/go/x": "302 http://h/x", "/go.evil": "web http://h/go.evil"}},
		{"rewrite go(.*)$ https://new.example$1 permanent;", "Prefix /", values{"/go.evil.com/x": "301 https://new.example/.evil.com/x", "/go/x": "301 https://new.example/x"}},
		{"rewrite ^/go(.*)$ https://new.example$1 permanent;", "Prefix /", values{"/go.evil.com/x": "301 https://new.example/.evil.com/x"}},
		{"rewrite go(.*)$ $1/y redirect;", "Prefix /", values{"/go/x": "302 http://h/x/y", "/go.evil": "302 http://h/.evil/y"}},
		{"rewrite go(.*)$ $1/y redirect;", "Prefix /p", values{"/p/go/x": "500"}},
		{"rewrite go(/?[a-z]*)$ $1 redirect;", "Prefix /", values{"/go/x": "302 http://h/x", "/go": "302 http://h/", "/x/gox": "302 http://h/x"}},
		{"rewrite go(/?[a-z]*)$ $1 redirect;", "Prefix /p", values{"/p/go/x": "500"}},
		{"rewrite a(?:(b)|c) $1.evil redirect;", "Prefix /", values{"/ac": "302 http://h/.evil"}},
		{"rewrite a(?:(/b)|c) $1.evil redirect;", "Prefix /", values{"/ac": "302 http://h/.evil", "/xa/b": "302 http://h/b.evil"}},
		{"rewrite a(?:(/b)|c) $1.evil redirect;", "Prefix /p", values{"/p/ac": "500"}},
		{"rewrite ^/a/(.*)$ /b?x=$1 redirect;", "Prefix /", values{"/a/c?d": "302 http://h/b?x=c&d", "/x": "web http://h/x"}},
		{"rewrite ^/a/(.*)$ /b?x=$1? redirect;", "Prefix /a/", values{"/a/c?d": "302 http://h/b?x=c"}},
		{"rewrite ^/a(/|$) $scheme://x/ permanent;", "Prefix /", values{"/a": "301 http://x/", "/a/b?c": "301 http://x/?c", "/ab": "web http://h/ab"}},
		{"rewrite ^([^.?]*[^/])$ $1/ redirect;", "Prefix /", values{"/a?b": "302 http://h/a/?b", "/a/": "web http://h/a/", "/a.js" + long: "web http://h/a.js" + long}},
		{"rewrite ^/a|/b$ /c redirect;", "Prefix /", values{"/ax": "302 http://h/c", "/x/b": "302 http://h/c", "/x/a": "web http://h/x/a"}},
		{"rewrite ^/a/(.*)$ /b?x=$1 redirect;", "Prefix /c", values{"/c/a?d": "web http://h/c/a?d", "/c" + long: "web http://h/c" + long}},
		{"rewrite old/(.*) /new/$1 redirect;", "Prefix /", values{"/x/old/y?z": "302 http://h/new/y?z", "/a" + long: "web http://h/a" + long}},
		{"rewrite ^/admin(.*)$ https://login.example/ redirect;", "Prefix /", values{"/%61dmin/x": "302 https://login.example/", "/admin": "302 https://login.example/", "/a" + long: "web http://h/a" + long}},
		{"rewrite admin https://login.example/ redirect;", "Prefix /", values{"/%61dmin/x": "302 https://login.example/", "/x/%61dmin": "302 https://login.example/"}},
		{"rewrite ^/p/a https://login.example/ redirect;", "Prefix /p", values{"/p/%61": "302 https://login.example/", "/p/b" + long: "web http://h/p/b" + long}},
		{"rewrite ^/admin https://login.example/ redirect;", "ImplementationSpecific /[a-z]+", values{"/%61dmin": "302 https://login.example/"}},
		{"rewrite ^/admin https://login.example/ redirect; rewrite ^/x /y break;", "Prefix /", values{"/x": "web http://h/y", "/admin": "302 https://login.example/"}},
	} {
		for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
			t.Run(c.line+" "+c.path+" "+mode.String(), func(t *testing.T) {
				in := named("web", "h", values{"configuration-snippet": c.line}, c.path)
				if strings.HasPrefix(c.path, "Impl") {
					in.Annotations[prefix+"use-regex"] = "true"
				}
				for path, want := range c.want {
					assert.Equal(t, want, ask(t, &nginx.Options{Mode: mode, SkipValidation: true}, []*ingress.Ingress{in}, "http://h"+path), path)
				}
			})
		}
	}
}

// TestBranches: a redirect of some requests takes none from a longer path.
func TestBranches(t *testing.T) {
	type values = map[string]string
	list := []*ingress.Ingress{
		named("web", "h", values{"configuration-snippet": "rewrite ^/a/([a-z]+)/ /$1 permanent;", "server-alias": "alias"}, "Prefix /"),
		named("longer", "h", nil, "Prefix /a/b"), named("exact", "h", nil, "Exact /a/c/d"),
		named("secure", "s", values{"configuration-snippet": "rewrite ^/a /b permanent;", "force-ssl-redirect": "true"}, "Prefix /"),
		named("both", "b", values{"configuration-snippet": "rewrite ^/a /b permanent;", "permanent-redirect": "http://x"}, "Prefix /"),
		named("two", "t", values{"server-snippet": "rewrite ^/a /b permanent;", "configuration-snippet": "rewrite ^/(a|c) /d permanent;"}, "Prefix /"),
		named("all", "l", values{"server-snippet": "return 301 /b;", "configuration-snippet": "rewrite ^/c /d permanent;"}, "Prefix /"),
	}
	for url, want := range map[string]string{
		"http://h/a/b/c": "longer http://h/a/b/c", "http://h/a/c/d": "exact http://h/a/c/d", "http://h/a/x/y": "301 http://h/x", "http://alias/a/x/y": "301 http://alias/x",
		"http://h/a": "web http://h/a", "http://s/a": "308 https://s/a", "https://s/a": "301 https://s/b", "http://b/a": "301 http://b/b", "http://b/c": "301 http://x",
		"http://t/a": "301 http://t/b", "http://t/c": "301 http://t/d", "http://l/c": "301 http://l/b",
	} {
		for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
			assert.Equal(t, want, ask(t, &nginx.Options{Mode: mode}, list, url), "%s %v", url, mode)
		}
	}
}

// TestRedirectsOfSome: of random Ingresses, the lines of one redirect the
// requests that it would get, and no others.
func TestRedirectsOfSome(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	paths := []string{"Prefix /", "Prefix /a", "Exact /a", "Prefix /a/", "Prefix /a/b", "ImplementationSpecific /a(/|$)(.*)", "ImplementationSpecific /[ab]+", "ImplementationSpecific /a(.*)"}
	lines := []string{"^/a$", "^/a/b$", "^/a/a", "^/a/[ab]+$", "b$", "^/", "^/b"}
	inputs := texts("/ab", 4)
	for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
		opts := &nginx.Options{Mode: mode, SkipValidation: true}
		redirects := 0
		for range 100 {
			var list []*ingress.Ingress
			for i := range 1 + r.IntN(4) {
				in := named(fmt.Sprint("i", i), "h", nil, paths[r.IntN(len(paths))], paths[r.IntN(len(paths))])
				if r.IntN(3) == 0 {
					in.Annotations[prefix+"use-regex"] = "true"
				}
				if r.IntN(4) == 0 {
					in.Default = &ingress.BackendRef{Service: in.Name, Port: 80}
				}
				list = append(list, in)
			}
			before := tableOf(t, opts, list)
			with := list[r.IntN(len(list))]
			line := lines[r.IntN(len(lines))]
			with.Annotations[prefix+"configuration-snippet"] = "rewrite " + line + " https://e/ redirect;"
			after := tableOf(t, opts, list)
			for _, path := range inputs {
				u := rewrite.URL{Scheme: "http", Host: "h", Path: path}
				was, ok := before.Match(&u, nil)
				is, stays := after.Match(&u, nil)
				if line == "^/" && mode == nginx.Compat && (!ok || was.e.Source.Name != with.Name) {
					continue // the default location of the host
				}
				if mode == nginx.Compat && !ok && with == list[0] {
					continue // likewise
				}
				if ok != stays {
					t.Fatalf("%s: %t, and then %t\n%s", path, ok, stays, show(list))
				}
				if !ok {
					continue
				}
				want := was.answer(t, u)
				if compiled(line).MatchString(path) && was.e.Source.Name == with.Name && was.e.Source.Part != "slash-redirect" {
					want = "302 https://e/"
					redirects++
				}
				if got := is.answer(t, u); got != want {
					t.Fatalf("%s: %s; want %s\n%s", path, got, want, show(list))
				}
			}
		}
		assert.Greater(t, redirects, 200)
	}
}
