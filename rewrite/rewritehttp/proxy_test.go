package rewritehttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

// proxyTo is the usual proxy: rules in front, everything sent to target.
func proxyTo(target *url.URL, p *rewrite.Program) http.Handler {
	return rewritehttp.Middleware(p, rewrite.AfterLocation, nil, &httputil.ReverseProxy{
		Rewrite: func(pr *httputil.ProxyRequest) { rewritehttp.SetUpstream(pr, target) },
	})
}

// Byte for byte, from a client's socket to an upstream's.
func TestProxyOnTheWire(t *testing.T) {
	up := newUpstream(t)
	addr := serve(t, proxyTo(up.url, rules(rewrite.TrimPathPrefix("/api"))))
	for _, c := range []struct{ target, want string }{ // want empty: 400, and nothing sent
		{"/", "/"},
		{"/api", "/"},
		{"/api?", "/?"},
		{"/api?x=1", "/?x=1"},
		{"/api/a%2Fb", "/a%2Fb"},
		{"/api/a%2fb", "/a%2fb"},
		{"/%61pi/a%2Fb", "/a%2Fb"},
		{"/api/%252e%252e/b", "/%252e%252e/b"},
		{"/api/b%00.php", "/b%00.php"},
		{"/api/x%0d%0aSet-Cookie:y", "/x%0d%0aSet-Cookie:y"},
		{"/api/b%3Fc%23d", "/b%3Fc%23d"},
		{"/api/%c0%ae%c0%ae/b", "/%c0%ae%c0%ae/b"},
		{"/api/caf%C3%A9/é", "/caf%C3%A9/%C3%A9"},
		{`/api/a%2Fb\c|`, "/a%2Fb%5Cc%7C"},
		{"/api/!$&'()*+,;=:@[]-._~", "/!$&'()*+,;=:@[]-._~"},
		{"/api//other.example/x", "/other.example/x"},
		{"//other.example/x", "//other.example/x"},
		{"/apix/y", "/apix/y"},
		{"/api../admin", "/api../admin"},
		{"/api%2f..%2fadmin", "/api%2f..%2fadmin"},
		{"/api/../admin", ""},
		{"/api/%2E%2e/admin", ""},
		{"/api/a#b", ""},
		{"http://shop.example/api/a%2Fb?x", "/a%2Fb?x"},
		{"http:foo", ""},
		{"/api/x?a=1;b=2&c=%zz&d", "/x?a=1;b=2&c=%zz&d"},
		{"/api/x??&&%74=+;", "/x??&&%74=+;"},
	} {
		t.Run(c.target, func(t *testing.T) {
			status, _ := send(t, addr, c.target)
			m, ok := up.got()
			if c.want == "" {
				if ok || status != 400 {
					t.Errorf("status %d, upstream got %v", status, m)
				}
				return
			}
			if want := (message{c.want, "shop.example"}); status != 200 || m != want {
				t.Errorf("status %d, upstream got %v, want %v", status, m, want)
			}
		})
	}
}

func TestProxyHost(t *testing.T) {
	up := newUpstream(t)
	for name, c := range map[string]struct {
		p          *rewrite.Program
		head, want string
	}{
		"the client's": {nil, "GET / HTTP/1.1\r\nHost: Shop.example:81\r\n", "Shop.example:81"},
		"set":          {rules(rewrite.SetHost("b.example:8080")), "GET / HTTP/1.1\r\nHost: shop.example\r\n", "b.example:8080"},
		"absolute":     {nil, "GET http://a.example/ HTTP/1.1\r\nHost: shop.example\r\n", "a.example"},
		"absolute set": {rules(rewrite.SetHost("b.example")), "GET http://a.example/ HTTP/1.1\r\nHost: shop.example\r\n", "b.example"},
		"none":         {nil, "GET / HTTP/1.0\r\n", up.url.Host},
	} {
		t.Run(name, func(t *testing.T) {
			status, _ := sendHead(t, serve(t, proxyTo(up.url, c.p)), c.head+"Connection: close\r\n\r\n")
			if m, _ := up.got(); status != 200 || m != (message{"/", c.want}) {
				t.Errorf("status %d, upstream got %v, want host %s", status, m, c.want)
			}
		})
	}
}

// Over HTTP/2 and TLS, with a body, which the copies of the request share.
func TestProxyHTTP2(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Host, " ", r.RequestURI, " ")
		io.Copy(w, r.Body)
	}))
	defer up.Close()
	target, err := url.Parse(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	var seen rewrite.URL
	proxy := proxyTo(target, rules(rewrite.TrimPathPrefix("/api"), rewrite.SetHost("b.example")))
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("protocol %s", r.Proto)
		}
		seen, _ = rewritehttp.URL(r)
		proxy.ServeHTTP(w, r)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	res, err := s.Client().Post(s.URL+"/api/a%2Fb?x=1;y", "text/plain", strings.NewReader("the body"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got, err := io.ReadAll(res.Body); err != nil || string(got) != "b.example /a%2Fb?x=1;y the body" {
		t.Errorf("%s, %v", got, err)
	}
	if want := s.URL + "/api/a%2Fb?x=1;y"; seen.String() != want {
		t.Errorf("URL is %s, want %s", seen, want)
	}
}

func TestSetUpstreamJoins(t *testing.T) {
	for _, c := range []struct{ target, path, want string }{
		{"http://b.example", "/x", "/x"},
		{"http://b.example/", "/x", "/x"},
		{"http://b.example/v1", "/x", "/v1/x"},
		{"http://b.example/v1/", "/x", "/v1/x"},
		{"http://b.example/v1", "/", "/v1/"},
		{"http://b.example/v1//", "/x", "/v1//x"},
		{"http://b.example/v1", "//x", "/v1//x"},
		{"http://b.example/v%2F1", "/a%2fb", "/v%2F1/a%2fb"},
		{"http://b.example/caf%C3%A9!", "/%61", "/caf%C3%A9!/%61"},
		{"http://b.example/my app", "/a%2F..%2F..%2Fadmin", "/my%20app/a%2F..%2F..%2Fadmin"}, // url.Parse keeps the space
		{"http://b.example/b|c", "/a%2Fb", "/b%7Cc/a%2Fb"},
		{"http://b.example?k=1", "/x", "/x?k=1"},
		{"http://b.example?k=1", "/x?y=2", "/x?k=1&y=2"},
		{"http://b.example", "/x?y=2", "/x?y=2"},
		{"http://b.example", "/x?", "/x?"},
	} {
		t.Run(c.target+c.path, func(t *testing.T) {
			target, err := url.Parse(c.target)
			if err != nil {
				t.Fatal(err)
			}
			before := *target
			in := read(t, "GET "+c.path)
			pr := &httputil.ProxyRequest{In: in, Out: in.Clone(t.Context())}
			rewritehttp.SetUpstream(pr, target)
			if got := pr.Out.URL.RequestURI(); got != c.want || pr.Out.URL.Scheme != "http" || pr.Out.URL.Host != "b.example" || pr.Out.Host != "shop.example" {
				t.Errorf("got %s, Host %s, want %s", pr.Out.URL, pr.Out.Host, c.want)
			}
			std := &httputil.ProxyRequest{In: in, Out: in.Clone(t.Context())}
			std.SetURL(target)
			if got := std.Out.URL.RequestURI(); got != c.want {
				t.Errorf("SetURL has %s, want %s", got, c.want)
			}
			if *target != before || in.URL.RequestURI() != c.path {
				t.Error("target or In was modified")
			}
		})
	}
	// A target made by hand may lack the slash, which String would supply.
	in := read(t, "GET /x")
	in.URL.Path = "x"
	pr := &httputil.ProxyRequest{In: in, Out: in.Clone(t.Context())}
	rewritehttp.SetUpstream(pr, &url.URL{Scheme: "http", Host: "b.example", Path: "v1"})
	if got := pr.Out.URL.RequestURI(); got != "/v1/x" {
		t.Errorf("got %s", got)
	}
}

// Whose query is sent: that of the last rewriting, never one that a rule has
// already judged and cut.
func TestSetUpstreamQuery(t *testing.T) {
	const dirty = "a=1;b=2&c=%zz&d&e=5"
	keepE := rules(rewrite.KeepQuery("e"))
	none := rules(rewrite.SetHost("b.example"))
	apply := func(p *rewrite.Program) func(*httputil.ProxyRequest) {
		return func(pr *httputil.ProxyRequest) {
			if _, err := rewritehttp.Apply(p, rewrite.AfterLocation, pr.Out); err != nil {
				panic(err)
			}
		}
	}
	with := func(p *rewrite.Program) func(*httputil.ProxyRequest) {
		return func(pr *httputil.ProxyRequest) {
			u, err := rewritehttp.URL(pr.In)
			if err == nil {
				_, err = p.Apply(rewrite.AfterLocation, &u, nil)
			}
			if err != nil {
				panic(err)
			}
			pr.Out = rewritehttp.With(pr.Out, u)
		}
	}
	middleware := func(p *rewrite.Program) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return rewritehttp.Middleware(p, rewrite.AfterLocation, nil, next)
		}
	}
	plain := func(next http.Handler) http.Handler { return next }
	idle := func(*httputil.ProxyRequest) {}
	for _, c := range []struct {
		name   string
		query  string
		before func(http.Handler) http.Handler
		in     func(*httputil.ProxyRequest) // in Rewrite, before SetUpstream
		want   string
	}{
		{"Middleware", dirty, middleware(none), idle, dirty},
		{"Middleware cuts", dirty, middleware(keepE), idle, "e=5"},
		{"Middleware, then a copy", dirty, func(next http.Handler) http.Handler {
			return middleware(none)(http.StripPrefix("/x", next))
		}, idle, dirty},
		{"With in Rewrite", dirty, plain, with(none), dirty},
		{"With in Rewrite cuts", dirty, plain, with(keepE), "e=5"},
		{"Middleware and With", dirty, middleware(none), with(none), dirty},
		// What httputil leaves of the query is what the rules leave of it, so
		// that the strings do not tell whether the rules ran.
		{"With cuts what httputil cut", "a=1;b=2&e=5", plain, with(keepE), "e=5"},
		{"Middleware, With cuts what httputil cut", "a=1;b=2&e=5", middleware(none), with(keepE), "e=5"},
		{"Apply cuts what httputil cut", "a=1;b=2&e=5", plain, apply(keepE), "e=5"},
		{"Middleware, Apply cuts what httputil cut", "a=1;b=2&e=5", middleware(none), apply(keepE), "e=5"},
		{"Middleware, Apply without query rules", dirty, middleware(none), apply(none), dirty},
		// Nobody has judged the query: as with SetURL.
		{"neither", "a=1;b=2&e=5", plain, idle, "e=5"},
		{"Middleware, edited by hand", dirty, middleware(none), func(pr *httputil.ProxyRequest) {
			pr.Out.URL.RawQuery = "k=v"
		}, dirty},
		{"edited by hand", dirty, plain, func(pr *httputil.ProxyRequest) {
			pr.Out.URL.RawQuery = "k=v"
		}, "k=v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			up := newUpstream(t)
			addr := serve(t, c.before(&httputil.ReverseProxy{Rewrite: func(pr *httputil.ProxyRequest) {
				c.in(pr)
				rewritehttp.SetUpstream(pr, up.url)
			}}))
			status, _ := send(t, addr, "/x/y?"+c.query)
			m, _ := up.got()
			got, err := url.ParseRequestURI(m.target)
			if err != nil || status != 200 || got.RawQuery != c.want {
				t.Errorf("status %d, upstream got %s, want query %s", status, m.target, c.want)
			}
		})
	}
}
