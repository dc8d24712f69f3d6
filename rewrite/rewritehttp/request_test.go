package rewritehttp_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

// read returns what a server makes of a request line.
func read(t testing.TB, line string) *http.Request {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(line + " HTTP/1.1\r\nHost: shop.example\r\n\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestURLOfServerRequest(t *testing.T) {
	for _, c := range []struct{ target, want string }{
		{"/", "http://shop.example/"},
		{"/a?x=1", "http://shop.example/a?x=1"},
		{"/a?", "http://shop.example/a?"},
		{"/a??", "http://shop.example/a??"},
		{"/a%2Fb/%61/%c3%a9?a=1;b=2&%zz", "http://shop.example/a%2Fb/%61/%c3%a9?a=1;b=2&%zz"},
		{"//other.example/x", "http://shop.example//other.example/x"},
		// net/url escapes these again, and then forgets %2F.
		{`/a%2Fb|"<>\^{}` + "`", `http://shop.example/a%2Fb|"<>\^{}` + "`"},
		{"/a%2Fb\xff", "http://shop.example/a%2Fb\xff"},
		// A request line has no fragment; Clean refuses the byte.
		{"/a#b", "http://shop.example/a#b"},
		{"http://other.example", "http://other.example/"},
		{"http://other.example?x", "http://other.example/?x"},
		{"http://other.example:81/a%2Fb?x", "http://other.example:81/a%2Fb?x"},
		// The connection is not TLS, whatever the client writes.
		{"https://other.example/", "http://other.example/"},
	} {
		t.Run(c.target, func(t *testing.T) {
			u, err := rewritehttp.URL(read(t, "GET "+c.target))
			if err != nil || u.String() != c.want {
				t.Errorf("got %s, %v, want %s", u, err, c.want)
			}
		})
	}
}

func TestURLScheme(t *testing.T) {
	server := read(t, "GET /")
	overTLS := read(t, "GET http://shop.example/")
	overTLS.TLS = new(tls.ConnectionState)
	client, err := http.NewRequest("GET", "https://shop.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	// What a proxy sends has the upstream's scheme, its client had another.
	proxied := overTLS.Clone(t.Context())
	proxied.URL.Scheme = "http"
	for name, c := range map[string]struct {
		r    *http.Request
		want string
	}{
		"server": {server, "http"}, "server TLS": {overTLS, "https"},
		"client": {client, "https"}, "proxied": {proxied, "https"},
	} {
		u, err := rewritehttp.URL(c.r)
		if err != nil || u.Scheme != c.want {
			t.Errorf("%s: scheme %q, %v, want %q", name, u.Scheme, err, c.want)
		}
	}
}

func TestURLHost(t *testing.T) {
	r := &http.Request{Host: "client.example", URL: &url.URL{Scheme: "http", Host: "10.0.0.1:80", Path: "/"}}
	if u, err := rewritehttp.URL(r); err != nil || u.Host != "client.example" {
		t.Errorf("host %q, %v, want that of the header", u.Host, err)
	}
	r.Host = ""
	if u, err := rewritehttp.URL(r); err != nil || u.Host != "10.0.0.1:80" {
		t.Errorf("host %q, %v, want that of the URL", u.Host, err)
	}
}

// What a handler changed in r.URL counts, not the request line.
func TestURLAfterHandlers(t *testing.T) {
	strip := func(prefix string) func(*http.Request) *http.Request {
		return func(r *http.Request) (out *http.Request) {
			http.StripPrefix(prefix, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				out = r
			})).ServeHTTP(httptest.NewRecorder(), r)
			return out
		}
	}
	edit := func(f func(*url.URL)) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request {
			f(r.URL)
			return r
		}
	}
	for _, c := range []struct {
		name, target string
		by           func(*http.Request) *http.Request
		want         string
	}{
		{"strip", "/v1/a?x=1;y", strip("/v1"), "/a?x=1;y"},
		{"strip before %2F", "/v1/a%2Fb", strip("/v1"), "/a%2Fb"},
		{"strip before %2F and a raw byte", "/v1/a%2Fb|", strip("/v1"), "/a%2Fb|"},
		{"strip before UTF-8", "/v1/caf%C3%A9", strip("/v1"), "/caf%C3%A9"},
		{"strip all", "/v1", strip("/v1"), "/"},
		{"path", "/a%2Fb", edit(func(u *url.URL) { u.Path = "/c d" }), "/c%20d"},
		{"path and raw path", "/a", edit(func(u *url.URL) { u.Path, u.RawPath = "/c/d", "/c%2Fd" }), "/c%2Fd"},
		{"raw path that is not of the path", "/a%2Fb", edit(func(u *url.URL) { u.RawPath = "/x%2Fb" }), "/a/b"},
		{"raw path that is only the start", "/a%2Fb", edit(func(u *url.URL) { u.Path = "/a/bc" }), "/a/bc"},
		{"raw path removed", "/a%2Fb", edit(func(u *url.URL) { u.RawPath = "" }), "/a/b"},
		{"default escapes, raw path removed", "/%61%20", edit(func(u *url.URL) { u.RawPath = "" }), "/a%20"},
		{"query", "/a?x=1", edit(func(u *url.URL) { u.RawQuery = "y" }), "/a?y"},
		{"nothing left", "/a", edit(func(u *url.URL) { u.Path = "" }), "/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := rewritehttp.URL(c.by(read(t, "GET "+c.target)))
			if got := string(u.AppendTarget(nil)); err != nil || got != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestRefusedTargets(t *testing.T) {
	p := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.SetPath("/x")}}, nil)
	for name, r := range map[string]*http.Request{
		"asterisk":          read(t, "OPTIONS *"),
		"asterisk, no line": {Method: "OPTIONS", URL: &url.URL{Path: "*"}},
		"authority":         read(t, "CONNECT shop.example:443"),
		"CONNECT of a path": read(t, "CONNECT /rpc"),
		"opaque":            read(t, "GET http:foo"),
		"opaque, no line":   {Method: "GET", URL: &url.URL{Scheme: "http", Opaque: "//a/b"}},
		"no authority":      read(t, "GET http:/foo"),
		"other scheme":      read(t, "GET ftp://shop.example/x"),
		"no URL":            {Method: "GET"},
	} {
		t.Run(name, func(t *testing.T) {
			if u, err := rewritehttp.URL(r); err != rewrite.ErrTarget || u != (rewrite.URL{}) {
				t.Errorf("URL: %s, %v, want ErrTarget", u, err)
			}
			var before url.URL
			if r.URL != nil {
				before = *r.URL
			}
			if res, err := rewritehttp.Apply(p, rewrite.AfterLocation, r); err != rewrite.ErrTarget || res != (rewrite.Result{}) {
				t.Errorf("Apply: %v, %v, want ErrTarget", res, err)
			}
			if r.URL != nil && *r.URL != before {
				t.Errorf("Apply left %s", r.URL)
			}
			if res, err := rewritehttp.Apply(p, rewrite.Forward, r); err != nil || res != (rewrite.Result{}) {
				t.Errorf("Apply for a hook without rules: %v, %v, want nothing", res, err)
			}
		})
	}
}

func TestWith(t *testing.T) {
	r := read(t, "GET /api/a%2Fb?x=1")
	r.Header.Set("A", "b")
	if err := r.ParseForm(); err != nil {
		t.Fatal(err)
	}
	before := *r.URL
	u := rewrite.URL{Scheme: "https", Host: "other.example", Path: "/c%2fd/%20", RawQuery: "y=%zz"}
	w := rewritehttp.With(r, u)

	if *r.URL != before || r.Host != "shop.example" || r.FormValue("x") != "1" {
		t.Errorf("With changed its argument: %s, %s, %v", r.Host, r.URL, r.Form)
	}
	want := url.URL{Path: "/c/d/ ", RawPath: "/c%2fd/%20", RawQuery: "y=%zz"}
	if w.Host != "other.example" || *w.URL != want {
		t.Errorf("With: %s, %#v", w.Host, w.URL)
	}
	if w.RequestURI != r.RequestURI || w.Method != "GET" || w.Header.Get("A") != "b" {
		t.Errorf("With did not keep the rest: %v", w)
	}
	if got := w.FormValue("x"); got != "" {
		t.Errorf("the form is still that of the old query: x=%s", got)
	}
	// The line in the log stays the client's, and does not come back as the URL.
	if got, err := rewritehttp.URL(w); err != nil || got.Host != u.Host || got.Path != u.Path || got.RawQuery != u.RawQuery {
		t.Errorf("URL of With: %s, %v", got, err)
	}
}

// Where a request is sent is not rewritten.
func TestWithKeepsConnection(t *testing.T) {
	r, err := http.NewRequest("GET", "https://user@10.0.0.1/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	w := rewritehttp.With(r, rewrite.URL{Scheme: "http", Host: "shop.example", Path: "/b"})
	if got := w.URL.String(); got != "https://user@10.0.0.1/b" || w.Host != "shop.example" {
		t.Errorf("URL %s, Host %s", got, w.Host)
	}
	r.Host = ""
	u, err := rewritehttp.URL(r)
	if err != nil {
		t.Fatal(err)
	}
	if w := rewritehttp.With(r, u); w.Host != "" {
		t.Errorf("Host became %q though nothing changed", w.Host)
	}
}

func TestApply(t *testing.T) {
	p := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api")},
		{Action: rewrite.SetHost("backend.example")},
		{Action: rewrite.DeleteQuery("token")},
		{Action: rewrite.AddPathPrefix("/v2"), Hook: rewrite.Forward},
	}, nil)
	r := read(t, "GET /api/a%2Fb?token=1&x=;&%zz")
	res, err := rewritehttp.Apply(p, rewrite.AfterLocation, r)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Host+" "+r.URL.RequestURI(), "backend.example /a%2Fb?x=;&%zz"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := rewrite.HostChanged | rewrite.PathChanged | rewrite.QueryChanged; res.Changed() != want {
		t.Errorf("changed %v, want %v", res.Changed(), want)
	}
	if cut, put, ok := res.Splice(); cut != 4 || put != 0 || !ok {
		t.Errorf("splice %d, %d, %v", cut, put, ok)
	}
}

func TestApplyRefusal(t *testing.T) {
	p := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.SetHost("backend.example")},
		{Action: rewrite.TrimPathText("/foo")},
	}, nil)
	r := read(t, "GET /foo../bar")
	before := *r.URL
	_, err := rewritehttp.Apply(p, rewrite.AfterLocation, r)
	if !errors.Is(err, rewrite.ErrDotSegment) {
		t.Fatalf("error %v", err)
	}
	if r.Host != "shop.example" || *r.URL != before {
		t.Errorf("left %s, %s", r.Host, r.URL)
	}
}

// A zero and a nil program check nothing, not even the target.
func TestApplyNothing(t *testing.T) {
	for _, p := range []*rewrite.Program{nil, new(rewrite.Program)} {
		r := read(t, "OPTIONS *")
		if res, err := rewritehttp.Apply(p, rewrite.AfterLocation, r); err != nil || res != (rewrite.Result{}) {
			t.Errorf("%v, %v", res, err)
		}
	}
}

// A byte that may not stand in a path is escaped, and costs no other escape:
// rules may run on a request that nobody has cleaned.
func TestApplyKeepsEscapesBesideIllegalBytes(t *testing.T) {
	p := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.TrimPathPrefix("/api")}}, nil)
	for target, want := range map[string]string{
		"/api/é/a%2Fb":  "/%C3%A9/a%2Fb",
		"/api/x|y/%2e.": "/x%7Cy/%2e.",
		"/api/a^b%20c":  "/a%5Eb%20c",
	} {
		r := read(t, "GET "+target)
		if _, err := rewritehttp.Apply(p, rewrite.AfterLocation, r); err != nil || r.URL.EscapedPath() != want {
			t.Errorf("%s became %s, %v; want %s", target, r.URL.EscapedPath(), err, want)
		}
	}
}
