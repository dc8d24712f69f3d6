package rewritehttp_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

func TestSetForwarded(t *testing.T) {
	spoofed := http.Header{
		"X-Forwarded-Prefix": {"//evil.example", "/x"}, "X-Forwarded-Host": {"evil.example"},
		"X_forwarded_prefix": {"//evil.example"}, "X-Forwarded_host": {"evil.example"}, "x.forwarded.prefix": {"/y"},
		"X_forwarded_for": {"192.0.2.1"}, "X-Forwarded_proto": {"https"}, "x-forwarded-for": {"192.0.2.1"},
		"X-Forwarded-Prefixes": {"kept"}, "X-Forwarded-For": {"kept"}, "X-Forwarded-Proto": {"kept"}, "Xxforwardedxprefix": {"kept"},
	}
	kept := []string{"X-Forwarded-For", "X-Forwarded-Prefixes", "X-Forwarded-Proto", "Xxforwardedxprefix"}
	for _, c := range []struct {
		name         string
		p            *rewrite.Program
		target       string
		prefix, host string
	}{
		{"trimmed", rules(rewrite.TrimPathPrefix("/api"), rewrite.SetHost("up.internal")), "GET /api/x", "/api", "shop.example"},
		{"trimmed of all", rules(rewrite.TrimPathPrefix("/api")), "GET /api", "/api", "shop.example"},
		{"replaced", rules(rewrite.ReplacePathPrefix("/api", "/v2")), "GET /api/x", "/api", "shop.example"},
		{"escaped", rules(rewrite.TrimPathPrefix("/a b")), "GET /a%20b/x", "/a%20b", "shop.example"},
		{"never decoded", rules(rewrite.StripPathSegments(1)), "GET /api%252e%2F/x", "/api%252e%2F", "shop.example"},
		{"nothing taken away", rules(rewrite.AddPathPrefix("/v2")), "GET /x", "", "shop.example"},
		{"leads away", rules(rewrite.StripPathSegments(2)), "GET //evil.example/x", "", "shop.example"},
		{"no inverse", rules(rewrite.SetPath("/fixed")), "GET /api/x", "", "shop.example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			called := false
			handler := reversible(c.p, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				called = true
				pr := &httputil.ProxyRequest{In: r, Out: r.Clone(r.Context())}
				pr.Out.Header = spoofed.Clone()
				target := &url.URL{Scheme: "http", Host: "10.0.0.5", Path: "/base"}
				for range 2 { // before SetUpstream, and behind it
					rewritehttp.SetForwarded(pr)
					checkForwarded(t, pr.Out.Header, c.prefix, c.host, kept)
					rewritehttp.SetUpstream(pr, target)
				}
				if _, ok := pr.In.Header["X-Forwarded-Prefix"]; ok {
					t.Error("In was modified")
				}
			}))
			handler.ServeHTTP(httptest.NewRecorder(), read(t, c.target))
			if !called {
				t.Error("the request was refused")
			}
		})
	}
	t.Run("not from WithInverse", func(t *testing.T) {
		r := read(t, "GET /api/x")
		pr := &httputil.ProxyRequest{In: r, Out: r.Clone(t.Context())}
		pr.Out.Header = spoofed.Clone()
		rewritehttp.SetForwarded(pr)
		checkForwarded(t, pr.Out.Header, "", "", kept)
	})
}

func checkForwarded(t *testing.T, h http.Header, prefix, host string, kept []string) {
	t.Helper()
	want := slices.Clone(kept)
	for name, value := range map[string]string{"X-Forwarded-Prefix": prefix, "X-Forwarded-Host": host} {
		if value == "" {
			continue
		}
		want = append(want, name)
		if len(h[name]) != 1 || h[name][0] != value {
			t.Errorf("%s is %q, want %q", name, h[name], value)
		}
	}
	var got []string
	for name := range h {
		got = append(got, name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the headers are %q, want %q", got, want)
	}
}

// Over a socket, where the client writes what it likes.
func TestSetForwardedOnTheWire(t *testing.T) {
	var got http.Header
	backend := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
	defer backend.Close()
	target, err := url.Parse(backend.URL)
	if err != nil {
		t.Fatal(err)
	}
	addr := serve(t, reversible(rules(rewrite.TrimPathPrefix("/api"), rewrite.SetHost("up.internal")), &httputil.ReverseProxy{
		Rewrite: func(pr *httputil.ProxyRequest) {
			rewritehttp.SetUpstream(pr, target)
			pr.SetXForwarded()
			rewritehttp.SetForwarded(pr)
		},
	}))
	status, _ := sendHead(t, addr, "GET /api/x HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-Prefix: //evil.example\r\n"+
		"X_Forwarded_Prefix: //evil.example\r\nx-forwarded_HOST: evil.example\r\nX_Forwarded_For: 192.0.2.1\r\nConnection: close, X-Forwarded-Prefix\r\n\r\n")
	if status != 200 || got.Get("X-Forwarded-Prefix") != "/api" || got.Get("X-Forwarded-Host") != "shop.example" || got.Get("X-Forwarded-For") == "" {
		t.Errorf("status %d, upstream got %q", status, got)
	}
	for name := range got {
		if strings.Contains(name, "_") {
			t.Errorf("upstream got %s: %q", name, got[name])
		}
	}
}
