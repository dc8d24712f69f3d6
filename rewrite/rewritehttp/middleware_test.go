package rewritehttp_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

func TestMiddleware(t *testing.T) {
	p := rules(rewrite.TrimPathPrefix("/api"), rewrite.TrimPathText("/v"))
	for _, c := range []struct {
		target string
		want   string // what next sees; empty: refused
	}{
		{"/api/a%2Fb?x=;", "/a%2Fb?x=;"},
		{"/apix", "/apix"},
		{"/api/|", "/%7C"},
		{"/api/../admin", ""},
		{"/api/v../admin", ""}, // refused by Apply, clean before
		{"/a#b", ""},
		{"http:foo", ""},
	} {
		t.Run(c.target, func(t *testing.T) {
			var got string
			addr := serve(t, rewritehttp.Middleware(p, rewrite.AfterLocation, nil, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = r.URL.RequestURI()
			})))
			status, _ := send(t, addr, c.target)
			if wantStatus := map[bool]int{false: 200, true: 400}[c.want == ""]; got != c.want || status != wantStatus {
				t.Errorf("next got %q, client %d", got, status)
			}
		})
	}
}

func TestMiddlewareRefusal(t *testing.T) {
	h := rewritehttp.Middleware(nil, rewrite.AfterLocation, nil, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("next was called")
	}))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, read(t, "GET /a/../b"))
	if w.Code != 400 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") || strings.TrimSpace(w.Body.String()) != rewrite.ErrDotSegment.Error() {
		t.Errorf("%d %v %q", w.Code, w.Header(), w.Body)
	}
}

// What a listener accepts applies without any rule, and as the Input says.
func TestMiddlewareCleans(t *testing.T) {
	for _, c := range []struct {
		in           *rewrite.Input
		target, want string
	}{
		{nil, "/a//%7e|", "/a//%7e%7C"},
		{&rewrite.Input{Normalize: true, MergeSlashes: true}, "/a//%7e|", "/a/~%7C"},
		{&rewrite.Input{DotSegments: rewrite.ResolveDotSegments}, "/a/../b", "/b"},
		{&rewrite.Input{DotSegments: rewrite.KeepDotSegments}, "/a/../b", "/a/../b"},
	} {
		var got string
		rewritehttp.Middleware(nil, rewrite.AfterLocation, c.in, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = r.URL.EscapedPath()
		})).ServeHTTP(httptest.NewRecorder(), read(t, "GET "+c.target))
		if got != c.want {
			t.Errorf("%+v, %s: %s, want %s", c.in, c.target, got, c.want)
		}
	}
}

func TestMiddlewareKeepsRequest(t *testing.T) {
	p := rules(rewrite.TrimPathPrefix("/api"), rewrite.SetHost("b.example"), rewrite.DropQuery())
	r := read(t, "GET /api/|?x=1")
	want := read(t, "GET /api/|?x=1")
	called := false
	rewritehttp.Middleware(p, rewrite.AfterLocation, nil, http.HandlerFunc(func(_ http.ResponseWriter, next *http.Request) {
		called = next != r && next.Host == "b.example" && next.URL.RequestURI() == "/%7C"
	})).ServeHTTP(httptest.NewRecorder(), r)
	if !called {
		t.Error("next did not get the rewritten request")
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("the request is now %+v, URL %+v", r, r.URL)
	}
}

func TestRequest(t *testing.T) {
	q := rewritehttp.Of(&http.Request{
		Method: "PUT",
		Host:   "shop.example",
		Header: http.Header{
			"One":    {"1"},
			"Empty":  {""},
			"None":   {},
			"Many":   {"a", "b, c"},
			"Cookie": {"a=1", "b=2"},
		},
	})
	if got := q.Method(); got != "PUT" {
		t.Errorf("method %q", got)
	}
	for _, c := range []struct {
		name, want string
		ok         bool
	}{
		{"One", "1", true}, {"oNE", "1", true}, {"Empty", "", true}, {"None", "", false}, {"Absent", "", false},
		{"many", "a, b, c", true}, {"cookie", "a=1; b=2", true}, {"host", "shop.example", true},
	} {
		if got, ok := q.Header(c.name); got != c.want || ok != c.ok {
			t.Errorf("%s: %q, %v", c.name, got, ok)
		}
	}
	empty := rewritehttp.Of(new(http.Request))
	if v, ok := empty.Header("Host"); v != "" || ok || empty.Method() != "GET" {
		t.Errorf("of the zero request: %q, %v, %q", v, ok, empty.Method())
	}
}
