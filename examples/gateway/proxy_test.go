package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// newGateway serves a manifest whose service "svc" is upstream.
func newGateway(t *testing.T, manifest string, upstream http.Handler) *httptest.Server {
	t.Helper()
	service := httptest.NewServer(upstream)
	t.Cleanup(service.Close)
	l := newLoader()
	transport := newTransport()
	t.Cleanup(transport.CloseIdleConnections)
	l.transport, l.log = transport, log.New(io.Discard, "", 0)
	l.upstreams["svc"] = address(service)
	l.options.AllowedHosts = []string{"*.tenants.example"}
	g := &gateway{log: l.log}
	g.config.Store(mustLoad(t, &l, manifest))
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	return server
}

// exchange writes a raw request and returns the status and the body.
func exchange(t *testing.T, server *httptest.Server, request string) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", address(server))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, request)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, strings.TrimSuffix(string(body), "\n")
}

func TestRequests(t *testing.T) {
	manifest := oneRoute(
		`path-prefix-trim: '[{"params": "/api"}]'`,
		`query-delete: '[{"params": ["secret"]}]'`,
		`host-from-path-prefix: '[{"params": true, "when": "Forward"}]'`)
	server := newGateway(t, manifest, echo("svc"))
	const refusedHost = "rewrite: host is malformed or not allowed"
	for _, tt := range []struct {
		name, line, host string
		status           int
		want             string
	}{
		{"nothing to do", "GET /x", "shop.example", 200, "svc\tshop.example\t/x"},
		{"port and case of the host", "GET /x", "SHOP.example:8080", 200, "svc\tSHOP.example:8080\t/x"},
		{"absolute form", "GET http://shop.example/api/x?a", "other.example", 200, "svc\tshop.example\t/x?a"},
		{"query bytes", "GET /x?a=1;b=2&c=%zz&d&secret=1&&e=%2f", "shop.example", 200, "svc\tshop.example\t/x?a=1;b=2&c=%zz&d&&e=%2f"},
		{"final question mark", "GET /x?", "shop.example", 200, "svc\tshop.example\t/x?"},
		{"hidden name", "GET /x?%73ecret=1", "shop.example", 200, "svc\tshop.example\t/x"},
		{"escaped slash", "GET /api%2Fx", "shop.example", 200, "svc\tshop.example\t/api%2Fx"},
		{"normal form", "GET /%61pi/%7ex%2f", "shop.example", 200, "svc\tshop.example\t/~x%2F"},
		{"double slash", "GET /api//x", "shop.example", 200, "svc\tshop.example\t/x"},
		{"host from the path at Forward", "GET /api/ann.tenants.example/x", "shop.example", 200, "svc\tann.tenants.example\t/x"},
		{"host not allowed at Forward", "GET /api/evil.example/x", "shop.example", 400, refusedHost},
		{"dot-segments", "GET /api/../x", "shop.example", 400, "rewrite: path has a dot-segment"},
		{"escaped dot-segments", "GET /api/.%2E", "shop.example", 400, "rewrite: path has a dot-segment"},
		{"authority form", "CONNECT shop.example:443", "shop.example:443", 400, "rewrite: request target is not a path or an absolute http URL"},
		{"unknown host", "GET /x", "other.example", 404, "no route for this host and path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, body := exchange(t, server, fmt.Sprintf("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", tt.line, tt.host))
			if status != tt.status || body != tt.want {
				t.Errorf("got %d %q, want %d %q", status, body, tt.status, tt.want)
			}
		})
	}
}

func TestForwardedHeaders(t *testing.T) {
	manifest := oneRoute(`host: '[{"params": "svc.internal"}]'`)
	server := newGateway(t, manifest, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s", r.Host, []any{r.Header["X-Forwarded-Host"], r.Header["X-Forwarded-For"], r.Header["X-Forwarded-Proto"], r.Header["X_forwarded_for"]})
	}))
	_, got := exchange(t, server, "GET / HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-Host: forged\r\nX-Forwarded-For: 192.0.2.1\r\nX_Forwarded_For: 192.0.2.1\r\nConnection: close\r\n\r\n")
	if want := "svc.internal [[shop.example] [127.0.0.1] [http] []]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUpstreamFails(t *testing.T) {
	server := newGateway(t, oneRoute(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	status, body := exchange(t, server, "GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n")
	if status != http.StatusBadGateway || body != "the upstream did not answer" {
		t.Errorf("got %d %q", status, body)
	}
}

// A client that goes away is no news of the upstream.
func TestClientGoes(t *testing.T) {
	var logged strings.Builder
	ctx, goAway := context.WithCancel(t.Context())
	l := newLoader()
	l.log = log.New(&logged, "", 0)
	l.transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		goAway()
		return nil, r.Context().Err()
	})
	g := &gateway{log: l.log}
	g.config.Store(mustLoad(t, &l, oneRoute()))
	g.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "http://shop.example/", nil))
	if logged.Len() > 0 {
		t.Errorf("logged %q", &logged)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Nobody who says nothing is waited for without a limit.
func TestTimeLimits(t *testing.T) {
	server, transport := newServer(new(gateway)), newTransport()
	for name, limit := range map[string]time.Duration{
		"head of a request":         server.ReadHeaderTimeout,
		"next request":              server.IdleTimeout,
		"handshake of a service":    transport.TLSHandshakeTimeout,
		"head of a response":        transport.ResponseHeaderTimeout,
		"use of an idle connection": transport.IdleConnTimeout,
	} {
		if limit <= 0 {
			t.Errorf("%s: no limit", name)
		}
	}
}

func TestRedirect(t *testing.T) {
	manifest := strings.Replace(oneRoute(), "  annotations:\n", "  annotations:\n    bfe.ingress.kubernetes.io/redirect.url-prefix-add: 'https://new.example/base'\n", 1)
	server := newGateway(t, manifest, echo("svc"))
	req, err := http.NewRequest(http.MethodGet, server.URL+"/%61%2Fb?c=;", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "shop.example"
	res, err := new(http.Transport).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if location := res.Header.Get("Location"); res.StatusCode != http.StatusFound || location != "https://new.example/base/a%2Fb?c=;" {
		t.Errorf("got %d %s", res.StatusCode, location)
	}
}
