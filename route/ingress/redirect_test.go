package ingress_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

func rules(actions ...rewrite.Action) []rewrite.Rule {
	list := make([]rewrite.Rule, len(actions))
	for i, a := range actions {
		list[i].Action = a
	}
	return list
}

func TestRedirect(t *testing.T) {
	gatewayHTTPS := &ingress.Redirect{Rules: rules(rewrite.SetScheme("https"), rewrite.SetPort("443")), ListenerPort: true}
	for _, test := range []struct {
		name     string
		redirect *ingress.Redirect
		url      string
		port     int
		want     string // "": not redirected; "400"
	}{
		{"location as it stands", &ingress.Redirect{Location: "/new?a#b"}, "http://h/x?q", 0, "/new?a#b"},
		{"scheme", &ingress.Redirect{Rules: rules(rewrite.SetScheme("https"))}, "http://h/x%2Fy?q=%20", 0, "https://h/x%2Fy?q=%20"},
		{"scheme keeps an explicit port", &ingress.Redirect{Rules: rules(rewrite.SetScheme("https"))}, "http://h:8080/", 0, "https://h:8080/"},
		{"another site", &ingress.Redirect{Rules: rules(rewrite.SetHost("new.org"), rewrite.AddPathPrefix("/api"))}, "https://h/bar?a=1", 0, "https://new.org/api/bar?a=1"},

		{"listener's port", &ingress.Redirect{Rules: rules(rewrite.SetHostname("example.org")), ListenerPort: true}, "http://h/x", 8080, "http://example.org:8080/x"},
		{"listener's port is the scheme's", &ingress.Redirect{Rules: rules(rewrite.SetHostname("example.org")), ListenerPort: true}, "http://h:8080/x", 80, "http://example.org/x"},
		{"https on its port", &ingress.Redirect{Rules: rules(rewrite.SetHostname("example.org")), ListenerPort: true}, "https://h/x", 443, "https://example.org/x"},
		{"https on another port", &ingress.Redirect{Rules: rules(rewrite.SetHostname("example.org")), ListenerPort: true}, "https://h/x", 8443, "https://example.org:8443/x"},
		{"http on 443", &ingress.Redirect{Rules: rules(rewrite.SetHostname("example.org")), ListenerPort: true}, "http://h/x", 443, "http://example.org:443/x"},
		{"a rule's port wins", gatewayHTTPS, "http://h/x", 8080, "https://h/x"},
		{"unknown listener", &ingress.Redirect{ListenerPort: true}, "http://h:81/x", 0, "http://h:81/x"},
		{"IPv6", &ingress.Redirect{ListenerPort: true}, "http://[::1]/x", 8080, "http://[::1]:8080/x"},

		{"from the query", &ingress.Redirect{FromQuery: "to", Hosts: []string{"a.example.com"}}, "http://h/?to=https%3A%2F%2Fa.example.com%2Fx%3Fy", 0, "https://a.example.com/x?y"},
		{"a path from the query", &ingress.Redirect{FromQuery: "to"}, "http://h/?a=b&to=/x", 0, "/x"},
		{"a name below", &ingress.Redirect{FromQuery: "to", Hosts: []string{"*.example.com"}}, "http://h/?to=http://b.a.example.com:81/", 0, "http://b.a.example.com:81/"},
		{"another host", &ingress.Redirect{FromQuery: "to", Hosts: []string{"a.example.com"}}, "http://h/?to=https://evil.example.com/", 0, "400"},
		{"a host behind userinfo", &ingress.Redirect{FromQuery: "to", Hosts: []string{"a.example.com"}}, "http://h/?to=https://a.example.com@evil/", 0, "400"},
		{"a host behind a backslash", &ingress.Redirect{FromQuery: "to", Hosts: []string{"a.example.com"}}, "http://h/?to=https://evil%5C.a.example.com/", 0, "400"},
		{"two slashes", &ingress.Redirect{FromQuery: "to", Hosts: []string{"a.example.com"}}, "http://h/?to=//a.example.com/", 0, "400"},
		{"slash and backslash", &ingress.Redirect{FromQuery: "to", Hosts: []string{"a.example.com"}}, "http://h/?to=/%5Cevil", 0, "400"},
		{"slash, tab, slash", &ingress.Redirect{FromQuery: "to"}, "http://h/?to=/%09/evil", 0, "400"},
		{"line end", &ingress.Redirect{FromQuery: "to"}, "http://h/?to=/x%0D%0ASet-Cookie:a", 0, "400"},
		{"javascript", &ingress.Redirect{FromQuery: "to", Hosts: []string{"a.example.com"}}, "http://h/?to=javascript:alert(1)", 0, "400"},
		{"relative", &ingress.Redirect{FromQuery: "to"}, "http://h/?to=x", 0, "400"},
		{"missing", &ingress.Redirect{FromQuery: "to"}, "http://h/?t=/x", 0, "400"},
		{"empty", &ingress.Redirect{FromQuery: "to"}, "http://h/?to", 0, "400"},

		{"pattern", &ingress.Redirect{Pattern: `^https?://([^/]+)/(.*)`, Template: "https://www.$1/$2"}, "http://h:81/x?q=1", 0, "https://www.h:81/x?q=1"},
		{"every match", &ingress.Redirect{Pattern: `/`, Template: "/"}, "http://h/a/b", 0, ""},
		{"no match", &ingress.Redirect{Pattern: `^https://`, Template: "http://"}, "http://h/a", 0, ""},
		{"the same", &ingress.Redirect{Pattern: `^(.*)$`, Template: "$1"}, "http://h/a", 0, ""},
		{"an escaped letter", &ingress.Redirect{Pattern: `^(http://h)/admin(.*)$`, Template: "$1/login$2"}, "http://h/%61dm%69n/%78%2f?q=%61", 0, "http://h/login/%78%2f?q=%61"},
		{"an escape in either case", &ingress.Redirect{Pattern: `/a%2Fb`, Template: "/c"}, "http://h/%61%2fb/%7e", 0, "http://h/c/%7e"},
		{"escapes between matches", &ingress.Redirect{Pattern: `x`, Template: "y"}, "http://h/%61/x/%62/%78/%63?x=%78", 0, "http://h/%61/y/%62/y/%63?y=%78"},
		{"an escape of the query", &ingress.Redirect{Pattern: `\?a$`, Template: "?b"}, "http://h/%61?%61", 0, ""},
		{"an escape and no match", &ingress.Redirect{Pattern: `^https://`, Template: "http://"}, "http://h/%61", 0, ""},
		{"a path of two slashes", &ingress.Redirect{Pattern: `^http://h/(.*)$`, Template: "/$1"}, "http://h//evil.example.com/", 0, "400"},
		{"userinfo from the path", &ingress.Redirect{Pattern: `^http://h/(.*)$`, Template: "https://site.example.com$1"}, "http://h/@evil.example.com/", 0, "400"},
		{"no URL", &ingress.Redirect{Pattern: `^.*$`, Template: "ftp://x/"}, "http://h/", 0, "400"},
		{"longer than a Location may be", &ingress.Redirect{Pattern: `[^:/]`, Template: strings.Repeat("x", 1000)}, "http://h/abcdefghijklmnopqrstuvwxyz", 0, "400"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := ingress.CompileRedirect(test.redirect, nil)
			require.NoError(t, err)
			u, err := rewrite.Parse(test.url)
			require.NoError(t, err)
			before := u
			status, location, err := r.Answer(ingress.RedirectRequest{URL: u, Method: "GET", ListenerPort: test.port})
			switch test.want {
			case "400":
				assert.ErrorIs(t, err, rewrite.ErrRefused)
				assert.Zero(t, status)
				assert.Empty(t, location)
			case "":
				require.NoError(t, err)
				assert.Zero(t, status)
				assert.Empty(t, location)
			default:
				require.NoError(t, err)
				assert.Equal(t, 302, status)
				assert.Equal(t, test.want, location)
			}
			assert.Equal(t, before, u)
		})
	}
}

func TestRedirectStatus(t *testing.T) {
	answer := func(r ingress.Redirect, method string) int {
		r.Location = "/"
		compiled, err := ingress.CompileRedirect(&r, nil)
		require.NoError(t, err)
		status, _, err := compiled.Answer(ingress.RedirectRequest{Method: method})
		require.NoError(t, err)
		return status
	}
	assert.Equal(t, 302, answer(ingress.Redirect{}, "POST"))
	assert.Equal(t, 301, answer(ingress.Redirect{Status: 301}, "POST"))
	assert.Equal(t, 308, answer(ingress.Redirect{Status: 301, StatusOther: 308}, "POST"))
	assert.Equal(t, 301, answer(ingress.Redirect{Status: 301, StatusOther: 308}, "GET"))
	assert.Equal(t, 301, answer(ingress.Redirect{Status: 301, StatusOther: 308}, "HEAD"))
	assert.Equal(t, 426, answer(ingress.Redirect{Status: 426}, "GET"))
	status, location, err := (*ingress.Redirector)(nil).Answer(ingress.RedirectRequest{})
	assert.Zero(t, status)
	assert.Empty(t, location)
	assert.NoError(t, err)
}

func TestRedirectWithoutHost(t *testing.T) {
	r, err := ingress.CompileRedirect(&ingress.Redirect{Rules: rules(rewrite.AddPathPrefix("/a"))}, nil)
	require.NoError(t, err)
	_, location, err := r.Answer(ingress.RedirectRequest{URL: rewrite.URL{Scheme: "http", Path: "/x"}})
	require.NoError(t, err)
	assert.Equal(t, "/a/x", location)

	r, err = ingress.CompileRedirect(&ingress.Redirect{ListenerPort: true}, nil)
	require.NoError(t, err)
	for _, path := range []string{"//evil.example.com", `/\evil.example.com`} {
		_, location, err = r.Answer(ingress.RedirectRequest{URL: rewrite.URL{Scheme: "http", Path: path}})
		assert.ErrorIs(t, err, ingress.ErrLocation, path)
		assert.Empty(t, location)
	}

	// Nor does a URL without a scheme become "//host".
	r, err = ingress.CompileRedirect(&ingress.Redirect{Rules: rules(rewrite.SetPath("/x"))}, nil)
	require.NoError(t, err)
	_, location, err = r.Answer(ingress.RedirectRequest{URL: rewrite.URL{Host: "h", Path: "/a"}})
	require.NoError(t, err)
	assert.Equal(t, "/x", location)
	r, err = ingress.CompileRedirect(&ingress.Redirect{Rules: rules(rewrite.SetHost("e.org"))}, nil)
	require.NoError(t, err)
	_, _, err = r.Answer(ingress.RedirectRequest{URL: rewrite.URL{Host: "h", Path: "/a"}})
	assert.ErrorIs(t, err, ingress.ErrLocation)
}

func TestRedirectFaults(t *testing.T) {
	for _, test := range []struct {
		name     string
		redirect *ingress.Redirect
		want     []string
	}{
		{"nil", nil, []string{"no Redirect"}},
		{"status", &ingress.Redirect{Status: 200, StatusOther: 404}, []string{"status 200", "status 404"}},
		{"nowhere", &ingress.Redirect{}, []string{"where the request came from"}},
		{"template alone", &ingress.Redirect{Template: "https://x"}, []string{"no Pattern"}},
		{"hosts alone", &ingress.Redirect{Hosts: []string{"x"}}, []string{"no FromQuery"}},
		{"two ways", &ingress.Redirect{Location: "/", Pattern: "x"}, []string{"exclude each other"}},
		{"rules and another way", &ingress.Redirect{Location: "/", Rules: rules(rewrite.SetPath("/"))}, []string{"exclude each other"}},
		{"location", &ingress.Redirect{Location: "/a b"}, []string{"offset 2", "%20"}},
		{"location with a line end", &ingress.Redirect{Location: "/a\nb"}, []string{"%0A"}},
		{"hosts", &ingress.Redirect{FromQuery: "a", Hosts: []string{"ok", "not ok"}}, []string{"Hosts[1]"}},
		{"pattern", &ingress.Redirect{Pattern: "(?!x)"}, []string{"Pattern", "(?!"}},
		{"long pattern", &ingress.Redirect{Pattern: strings.Repeat("x", 513)}, []string{"513 bytes"}},
		{"large pattern", &ingress.Redirect{Pattern: "(a{30}){30}"}, []string{"instructions"}},
		{"listener's port of another way", &ingress.Redirect{Location: "/", ListenerPort: true}, []string{"ListenerPort is where Rules start"}},
		{"long template", &ingress.Redirect{Pattern: "x", Template: strings.Repeat("x", 1025)}, []string{"1025 bytes"}},
		{"rule", &ingress.Redirect{Rules: rules(rewrite.SetPath("x"))}, []string{"Rules"}},
		{"hook", &ingress.Redirect{Rules: []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetPath("/")}}}, []string{"Rules[0]", "Forward"}},
	} {
		_, err := ingress.CompileRedirect(test.redirect, nil)
		require.Error(t, err, test.name)
		for _, want := range test.want {
			assert.ErrorContains(t, err, want, test.name)
		}
	}
}

func FuzzRedirect(f *testing.F) {
	f.Add("http://h/x?to=//evil", "to", "^http://h/(.*)$", "/$1")
	f.Add("http://h//evil", "", "^.*h/", "/")
	f.Add("http://h/?to=%2F%5Cevil", "to", "", "")
	f.Fuzz(func(t *testing.T, target, name, pattern, template string) {
		u, err := rewrite.Parse(target)
		if err != nil || (*rewrite.Input)(nil).Clean(&u, nil) != nil {
			return
		}
		redirects := []*ingress.Redirect{{Rules: rules(rewrite.TrimPathPrefix("/x"))}}
		if name != "" {
			redirects = append(redirects, &ingress.Redirect{FromQuery: name, Hosts: []string{"*.example.com"}})
		}
		if pattern != "" {
			redirects = append(redirects, &ingress.Redirect{Pattern: pattern, Template: template})
		}
		for _, redirect := range redirects {
			r, err := ingress.CompileRedirect(redirect, nil)
			if err != nil {
				continue
			}
			status, location, err := r.Answer(ingress.RedirectRequest{URL: u})
			if err != nil || status == 0 {
				if location != "" {
					t.Errorf("%v: location %q without a status", redirect, location)
				}
				continue
			}
			if strings.HasPrefix(location, "//") || strings.HasPrefix(location, `/\`) || strings.ContainsFunc(location, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
				t.Errorf("%v of %v: location %q", redirect, u, location)
			}
		}
	})
}

// TestRedirectSearches: each match costs one search of the whole URL at most, and
// all searches together keep within the budget.
func TestRedirectSearches(t *testing.T) {
	const host = "http://h/"
	// Behind each x it looks for a y to the end of the URL: a search each.
	redirect := &ingress.Redirect{Pattern: "x[^y]*y|x", Template: "z"}
	for _, budget := range []int{0, 2000} { // 0: the default
		r, err := ingress.CompileRedirect(redirect, &rewrite.Options{Regexp: rewrite.RegexpLimits{Budget: budget}})
		require.NoError(t, err)
		most := 0
		for n := range 300 {
			u := rewrite.URL{Scheme: "http", Host: "h", Path: "/" + strings.Repeat("x", n+1)}
			_, location, err := r.Answer(ingress.RedirectRequest{URL: u})
			if err == nil {
				assert.Equal(t, host+strings.Repeat("z", n+1), location)
				assert.Equal(t, n, most, "a longer one is refused")
				most = n + 1
				continue
			}
			assert.Equal(t, rewrite.ErrBudget, err)
			assert.Empty(t, location)
		}
		if budget == 0 {
			budget = 1 << 18
		}
		// The expression has some eight instructions.
		assert.Less(t, most*(most+len(host))*4, budget)
		assert.Greater(t, (most+1)*(most+1+len(host))*16, budget)
	}
}

// TestRedirectPatternEscapes: whichever octets of a path are escaped, the same
// ones match, and groups and what is between matches stay as the client wrote it.
func TestRedirectPatternEscapes(t *testing.T) {
	r, err := ingress.CompileRedirect(&ingress.Redirect{Pattern: `(a)b|(%2F)`, Template: "x${1}${2}y"}, nil)
	require.NoError(t, err)
	tokens := []string{"a", "%61", "b", "%62", "/", "%2f", "%2F", "%41", "A"}
	normal := map[string]string{"%61": "a", "%62": "b", "%2f": "%2F", "%41": "A"}
	n := len(tokens)
	for i := range n * n * n * n {
		list := []string{"/", tokens[i%n], tokens[i/n%n], tokens[i/n/n%n], tokens[i/n/n/n]}
		is := func(k int, text string) bool {
			return k < len(list) && (list[k] == text || normal[list[k]] == text)
		}
		from, want := "http://h", "http://h"
		for k := 0; k < len(list); k++ {
			from += list[k]
			switch {
			case is(k, "a") && is(k+1, "b"):
				want += "x" + list[k] + "y"
				k++
				from += list[k]
			case is(k, "%2F"):
				want += "x" + list[k] + "y"
			default:
				want += list[k]
			}
		}
		u, err := rewrite.Parse(from)
		require.NoError(t, err)
		_, got, err := r.Answer(ingress.RedirectRequest{URL: u})
		require.NoError(t, err)
		if want == from {
			want = ""
		}
		if got != want {
			t.Fatalf("%s goes to %q; want %q", from, got, want)
		}
	}
}
