package rewritehttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

// reversible is what a gateway does, and Middleware: clean, look up, apply, and
// remember.
func reversible(p *rewrite.Program, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, err := rewritehttp.URL(r)
		if err == nil {
			err = new(rewrite.Input).Clean(&client, nil)
		}
		u := client
		var result rewrite.Result
		if err == nil {
			result, err = p.Apply(rewrite.AfterLocation, &u, nil)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, rewritehttp.WithInverse(r, client, u, result))
	})
}

// application is a backend that lives at the root of its own host: it wants a
// login, sets a cookie for itself and redirects in every way there is.
func application(t *testing.T, base string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := strings.CutPrefix(r.URL.Path, base)
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, err := r.Cookie("session")
		switch {
		case page == "/login":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: path.Join("/", base), Domain: strings.Split(r.Host, ":")[0]})
			w.Header().Set("Location", "http://"+r.Host+base+"/home?from=login")
			w.WriteHeader(http.StatusSeeOther)
		case err != nil:
			w.Header().Set("Location", base+"/login")
			w.WriteHeader(http.StatusFound)
		case page == "/own":
			w.Header().Set("Location", "http://"+r.Context().Value(http.LocalAddrContextKey).(fmt.Stringer).String()+base+"/home")
			w.WriteHeader(http.StatusFound)
		default:
			w.Header().Set("Content-Location", base+page)
			fmt.Fprint(w, "welcome to "+page)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// A backend that redirects and sets cookies stays reachable under the prefix
// that the client knows, by whatever name it is called.
func TestModifyResponseOverHTTP(t *testing.T) {
	for _, c := range []struct {
		name, base string
		rules      []rewrite.Action
		forward    []rewrite.Action
	}{
		{"trimmed", "", []rewrite.Action{rewrite.TrimPathPrefix("/app")}, nil},
		{"host of its own", "", []rewrite.Action{rewrite.TrimPathPrefix("/app"), rewrite.SetHost("app.internal")}, nil},
		{"host with a port", "", []rewrite.Action{rewrite.TrimPathPrefix("/app"), rewrite.SetHost("app.internal:8080")}, nil},
		{"replaced", "/v2", []rewrite.Action{rewrite.ReplacePathPrefix("/app", "/v2")}, nil},
		{"stripped", "", []rewrite.Action{rewrite.StripPathSegments(1)}, nil},
		{"base path of the upstream", "/base", []rewrite.Action{rewrite.TrimPathPrefix("/app")}, nil},
		{"prefix of the instance", "/blue", []rewrite.Action{rewrite.TrimPathPrefix("/app")}, []rewrite.Action{rewrite.AddPathPrefix("/blue"), rewrite.SetHost("blue.internal")}},
		{"segments that the instance strips", "", []rewrite.Action{rewrite.SetHost("x.internal")}, []rewrite.Action{rewrite.StripPathSegments(1)}},
		{"prefix that the instance replaces", "/blue", []rewrite.Action{rewrite.ReplacePathPrefix("/app", "/v2")}, []rewrite.Action{rewrite.ReplacePathPrefix("/v2", "/blue")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			backend := application(t, c.base)
			target, err := url.Parse(backend.URL)
			if err != nil {
				t.Fatal(err)
			}
			if c.name == "base path of the upstream" {
				target.Path = c.base
			}
			gateway := httptest.NewServer(rewritehttp.Middleware(rules(c.rules...), rewrite.AfterLocation, nil, &httputil.ReverseProxy{
				Rewrite:        func(pr *httputil.ProxyRequest) { rewritehttp.SetUpstream(pr, target) },
				ModifyResponse: rewritehttp.ModifyResponse(nil),
				Transport:      rewritehttp.Transport(forward(c.forward...), nil),
			}))
			defer gateway.Close()
			jar, err := cookiejar.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Jar: jar}
			for _, visit := range []struct{ path, end, body string }{
				{"/app/deep/page", "/app/home?from=login", "welcome to /home"},
				{"/app/other", "/app/other", "welcome to /other"},
				{"/app/own", "/app/home", "welcome to /home"},
			} {
				res, err := client.Get(gateway.URL + visit.path)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(res.Body)
				res.Body.Close()
				if got := res.Request.URL.String(); err != nil || got != gateway.URL+visit.end || string(body) != visit.body {
					t.Errorf("%s led to %s: %s, %v", visit.path, got, body, err)
				}
				if got, _, _ := strings.Cut(visit.end, "?"); res.Header.Get("Content-Location") != got {
					t.Errorf("%s: Content-Location is %s, want %s", visit.path, res.Header.Get("Content-Location"), got)
				}
			}
			for path, want := range map[string]int{"/app": 1, "/app/x": 1, "/apple": 0, "/": 0} {
				at, err := url.Parse(gateway.URL + path)
				if err != nil {
					t.Fatal(err)
				}
				if got := len(jar.Cookies(at)); got != want {
					t.Errorf("%d cookies for %s, want %d", got, path, want)
				}
			}
		})
	}
}

// response returns what ModifyResponse makes of the headers of a response to a
// request that a gateway has sent to up.internal.
func response(t *testing.T, p *rewrite.Program, header http.Header, modify func(*http.Response) error) http.Header {
	t.Helper()
	var sent *http.Request
	gateway := reversible(p, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		out := r.Clone(r.Context())
		out.URL.Scheme, out.URL.Host = "http", "up.internal:8080"
		sent = out
	}))
	gateway.ServeHTTP(httptest.NewRecorder(), read(t, "GET /app/x"))
	res := &http.Response{Header: header, Request: sent}
	if err := modify(res); err != nil {
		t.Error(err)
	}
	return res.Header
}

func TestModifyResponseHeaders(t *testing.T) {
	trim := rules(rewrite.TrimPathPrefix("/app"))
	for _, c := range []struct {
		name     string
		more     []string
		in, want http.Header
	}{
		{"every header", nil, http.Header{
			"Location": {"/a"}, "Content-Location": {"http://up.internal:8080/b"}, "Refresh": {"5; url=/c"},
			"Set-Cookie": {"a=1; Path=/", "b=2", "c=3; Path=/c; Domain=shop.example"}, "Link": {"</d>"}, "Hx-Redirect": {"/e"}, "Destination": {"/f"},
		}, http.Header{
			"Location": {"/app/a"}, "Content-Location": {"http://shop.example/app/b"}, "Refresh": {"5; url=/app/c"},
			"Set-Cookie": {"a=1; Path=/app", "b=2", "c=3; Path=/app/c; Domain=shop.example"}, "Link": {"</d>"}, "Hx-Redirect": {"/e"}, "Destination": {"/f"},
		}},
		{"more headers", []string{"link", "HX-Redirect", "Location"}, http.Header{
			"Location": {"/a"}, "Link": {"</d>", "</e>, </f>"}, "Hx-Redirect": {"/e"},
		}, http.Header{
			"Location": {"/app/a"}, "Link": {"</app/d>", "</app/e>, </app/f>"}, "Hx-Redirect": {"/app/e"},
		}},
		{"refused", nil, http.Header{
			"Location": {"/a\r\nX: y"}, "Set-Cookie": {"a=\x00", "b=2; Path=/", "c=\x7f"}, "Refresh": {"0;url=\n/"},
		}, http.Header{
			"Set-Cookie": {"b=2; Path=/app"},
		}},
		{"none", nil, http.Header{"Server": {"x"}}, http.Header{"Server": {"x"}}},
		{"empty", nil, http.Header{"Location": {""}, "Set-Cookie": {}}, http.Header{"Location": {""}, "Set-Cookie": {}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := response(t, trim, c.in, rewritehttp.ModifyResponse(nil, c.more...))
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// An own inverse is asked when there is something to take back.
func TestModifyResponseInverse(t *testing.T) {
	m, err := rewrite.CompileMappings([]rewrite.Mapping{{From: "/old", To: "/new"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	modify := rewritehttp.ModifyResponse(func(res *http.Response) rewrite.Inverse {
		asked++
		return rewritehttp.Inverse(res.Request, "alias.example").With(m)
	})
	p := rules(rewrite.TrimPathPrefix("/app"))
	for in, want := range map[string]string{
		"/old/x":                 "/new/x",
		"/x":                     "/app/x",
		"http://alias.example/x": "http://shop.example/app/x",
		"http://other.example/x": "http://other.example/x",
	} {
		if got := response(t, p, http.Header{"Location": {in}}, modify).Get("Location"); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
	if asked != 4 {
		t.Errorf("asked %d times, want 4", asked)
	}
	response(t, p, http.Header{"Server": {"x"}}, modify)
	if asked != 4 {
		t.Error("asked for a response that has nothing to take back")
	}
}

// Of a request that WithInverse did not make nothing is known.
func TestModifyResponseWithoutInverse(t *testing.T) {
	modify := rewritehttp.ModifyResponse(nil)
	for name, r := range map[string]*http.Request{"another request": read(t, "GET /app/x"), "none": nil} {
		res := &http.Response{Request: r, Header: http.Header{"Location": {"/x"}, "Set-Cookie": {"a=1; Path=/"}}}
		if err := modify(res); err != nil || res.Header.Get("Location") != "/x" || res.Header.Get("Set-Cookie") != "a=1; Path=/" {
			t.Errorf("%s: %v, %q", name, err, res.Header)
		}
	}
}

func TestWithInverseTwice(t *testing.T) {
	outer, inner := rules(rewrite.TrimPathPrefix("/a")), rules(rewrite.TrimPathPrefix("/b"))
	for _, c := range []struct {
		name    string
		between func(http.Handler) http.Handler
		target  string
		in      string
		want    string
	}{
		{"one behind the other", func(next http.Handler) http.Handler { return next }, "GET /a/b/x", "/y", "/a/b/y"},
		{"with the path stripped between them", func(next http.Handler) http.Handler { return http.StripPrefix("/s", next) }, "GET /a/s/b/x", "/y", "/y"},
		{"with nothing left for the second", func(next http.Handler) http.Handler { return next }, "GET /a/c/x", "/y", "/a/y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := "not called"
			handler := reversible(outer, c.between(reversible(inner, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got, _ = rewritehttp.Inverse(r).Location(c.in)
			}))))
			handler.ServeHTTP(httptest.NewRecorder(), read(t, c.target))
			if got != c.want {
				t.Errorf("%s became %s, want %s", c.in, got, c.want)
			}
		})
	}
}

// A base path that came between is no part of what was cut.
func TestWithInverseBehindABasePath(t *testing.T) {
	steps := func(r *http.Request, p *rewrite.Program) *http.Request {
		client, err := rewritehttp.URL(r)
		if err != nil {
			t.Fatal(err)
		}
		u := client
		result, err := p.Apply(rewrite.AfterLocation, &u, nil)
		if err != nil {
			t.Fatal(err)
		}
		return rewritehttp.WithInverse(r, client, u, result)
	}
	in := steps(read(t, "GET /app/v1/x"), rules(rewrite.TrimPathPrefix("/app")))
	pr := &httputil.ProxyRequest{In: in, Out: in.Clone(in.Context())}
	rewritehttp.SetUpstream(pr, &url.URL{Scheme: "http", Host: "10.0.0.5", Path: "/v1"})
	sent := steps(pr.Out, rules(rewrite.TrimPathPrefix("/v1")))
	if got, _ := rewritehttp.Inverse(sent).Location("/y"); sent.URL.Path != "/v1/x" || got != "/app/y" {
		t.Errorf("sent %s, /y became %s, want /app/y", sent.URL, got)
	}
}

// A path that a rule of the instance decided has no inverse, though its end is
// that of the client's and a base path could stand before it.
func TestModifyResponseOfAPathWithoutASplice(t *testing.T) {
	for _, base := range []string{"", "/base"} {
		for _, instance := range []rewrite.Action{rewrite.SetPath("/static/x"), rewrite.ReplacePathRegex("^.*/", "/static/")} {
			backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "/static/y")
				w.Header().Set("Set-Cookie", "a=1; Path=/static")
				fmt.Fprint(w, r.URL)
			}))
			defer backend.Close()
			target, err := url.Parse(backend.URL + base)
			if err != nil {
				t.Fatal(err)
			}
			gateway := httptest.NewServer(rewritehttp.Middleware(rules(rewrite.TrimPathPrefix("/app")), rewrite.AfterLocation, nil, &httputil.ReverseProxy{
				Rewrite:        func(pr *httputil.ProxyRequest) { rewritehttp.SetUpstream(pr, target) },
				ModifyResponse: rewritehttp.ModifyResponse(nil),
				Transport:      rewritehttp.Transport(forward(instance), nil),
			}))
			defer gateway.Close()
			res, err := http.Get(gateway.URL + "/app/x")
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			got := fmt.Sprint(string(body), res.Header["Location"], res.Header["Set-Cookie"])
			if want := "/static/x[/static/y] [a=1; Path=/static]"; err != nil || got != want {
				t.Errorf("base %q, %v: got %s, %v, want %s", base, instance, got, err, want)
			}
		}
	}
}

// WithInverse is With as far as anybody else can tell.
func TestWithInverseIsWith(t *testing.T) {
	r := read(t, "GET /app/a%2Fb?q=1;2")
	before := *r.URL
	u := rewrite.URL{Scheme: "https", Host: "b.internal", Path: "/a%2Fb", RawQuery: "q=1;2"}
	client, err := rewritehttp.URL(r)
	if err != nil {
		t.Fatal(err)
	}
	want := rewritehttp.With(r, u)
	got := rewritehttp.WithInverse(r, client, u, rewrite.Result{})
	if *got.URL != *want.URL || got.Host != want.Host || got.RequestURI != want.RequestURI || *r.URL != before {
		t.Errorf("got %s %s, want %s %s", got.Host, got.URL, want.Host, want.URL)
	}
	allocs := func(f func()) float64 { return testing.AllocsPerRun(100, f) }
	with := allocs(func() { rewritehttp.With(r, u) })
	if n := allocs(func() { rewritehttp.WithInverse(r, client, u, rewrite.Result{}) }); n != with {
		t.Errorf("%v allocations, With makes %v", n, with)
	}
}
