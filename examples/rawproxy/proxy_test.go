package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// start serves the demonstration with real services behind it and returns its
// address.
func start(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	upstreams := make(map[string]string)
	for _, name := range []string{"catalog", "coffee-v1", "coffee-v2"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Service", name)
			handler(w, r)
		}))
		t.Cleanup(server.Close)
		upstreams[name+".default.svc.cluster.local:80"] = server.Listener.Addr().String()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go (&proxy{routes: demoRoutes(t, upstreams), dial: net.Dial}).serve(l)
	return l.Addr().String()
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Host, r.RequestURI, body)
}

// dial returns a connection to the proxy that does not wait for ever.
func dial(t *testing.T, address string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute))
	return conn, bufio.NewReader(conn)
}

func ask(t *testing.T, conn net.Conn, r *bufio.Reader, request string) (status int, service, body string) {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	res, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("X-Service"), string(data)
}

// A flaky listener fails at first.
type flaky struct {
	net.Listener
	failures int
}

func (l *flaky) Accept() (net.Conn, error) {
	if l.failures > 0 {
		l.failures--
		return nil, syscall.EMFILE
	}
	return l.Listener.Accept()
}

// TestAccept: what clients can bring about does not end the proxy, and a closed
// listener does.
func TestAccept(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p, served := &proxy{routes: demoRoutes(t, nil)}, make(chan error, 1)
	go func() { served <- p.serve(&flaky{l, 2}) }()
	conn, r := dial(t, l.Addr().String())
	if status, _, _ := ask(t, conn, r, "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n"); status != 404 {
		t.Errorf("got %d, want 404", status)
	}
	l.Close()
	if err := <-served; !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v, want %v", err, net.ErrClosed)
	}
}

// TestIdle: who asks nothing gets no answer.
func TestIdle(t *testing.T) {
	conn, r := dial(t, start(t, echo))
	conn.(*net.TCPConn).CloseWrite()
	if data, err := io.ReadAll(r); err != nil || len(data) > 0 {
		t.Errorf("got %q, %v", data, err)
	}
}

// TestProxy sends several requests over one connection: bodies of either
// framing end where they end.
func TestProxy(t *testing.T) {
	conn, r := dial(t, start(t, echo))
	for _, test := range []struct{ request, want string }{
		{"GET /api/a%2Fb?debug=1&x=%zz;y HTTP/1.1\r\nHost: shop.example\r\n\r\n", "GET shop.example /a%2Fb?x=%zz;y "},
		{"POST /api HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 5\r\n\r\nhello", "POST shop.example / hello"},
		{"POST /api HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n", "POST shop.example / hello"},
		{"POST /api HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n \n\r\n", "POST shop.example / "},
		{"HEAD /api HTTP/1.1\r\nHost: shop.example\r\n\r\n", ""},
		{"GET /api HTTP/1.1\r\nHost: shop.example\r\n\r\n", "GET shop.example / "},
	} {
		status, service, body := ask(t, conn, r, test.request)
		if status != 200 || service != "catalog" || body != test.want {
			t.Errorf("%q: got %d %s %q, want %q", test.request, status, service, body, test.want)
		}
	}
}

func TestSplit(t *testing.T) {
	conn, r := dial(t, start(t, echo))
	count := make(map[string]int)
	for range 50 {
		_, service, _ := ask(t, conn, r, "GET /coffee HTTP/1.1\r\nHost: shop.example\r\n\r\n")
		count[service]++
	}
	if count["coffee-v1"] != 40 || count["coffee-v2"] != 10 {
		t.Errorf("got %v, want 40 and 10", count)
	}
}

func TestRedirectAndRefuse(t *testing.T) {
	address := start(t, echo)
	for _, test := range []struct {
		request string
		status  int
	}{
		{"GET /account HTTP/1.1\r\nHost: shop.example\r\n\r\n", 308},
		{"GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n", 404},
		{"GET /api/%2e%2e/x HTTP/1.1\r\nHost: shop.example\r\n\r\n", 400},
		{"CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example\r\n\r\n", 400},
	} {
		conn, r := dial(t, address)
		status, _, _ := ask(t, conn, r, test.request)
		if status != test.status {
			t.Errorf("%q: got %d, want %d", test.request, status, test.status)
		}
		if _, err := r.ReadByte(); err != io.EOF {
			t.Errorf("%q: the connection stays open", test.request)
		}
	}
}

func TestHopByHop(t *testing.T) {
	conn, r := dial(t, start(t, func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"X-Secret", "Keep-Alive", "Te", "Trailer", "Upgrade"} {
			if r.Header.Get(name) != "" {
				t.Errorf("%s reaches the service", name)
			}
		}
		if r.Header.Get("X-Kept") != "a, b" || r.Host != "shop.example" {
			t.Errorf("lost: %v", r.Header)
		}
	}))
	ask(t, conn, r, "GET /api HTTP/1.1\r\nHost: shop.example\r\nConnection: X-Secret, Host\r\nX-Secret: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nTrailer: X\r\nUpgrade: x\r\nX-Kept: a, b\r\n\r\n")
}

func TestUpstreamIsGone(t *testing.T) {
	table := demoRoutes(t, map[string]string{"catalog.default.svc.cluster.local:80": "127.0.0.1:1"})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go (&proxy{routes: table, dial: net.Dial}).serve(l)
	conn, r := dial(t, l.Addr().String())
	if status, _, _ := ask(t, conn, r, "GET /api HTTP/1.1\r\nHost: shop.example\r\n\r\n"); status != 502 {
		t.Errorf("got %d, want 502", status)
	}
}

// A service does not wait for the rest of a body that will not come.
func TestBodyEndsEarly(t *testing.T) {
	read := make(chan error, 1)
	address := start(t, func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Minute))
		_, err := io.Copy(io.Discard, r.Body)
		read <- err
	})
	for _, request := range []string{
		"POST /api HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 5\r\n\r\nhel",
		"POST /api HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n",
		"POST /api HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nhel\r\n0\r\n\r\n",
	} {
		conn, _ := dial(t, address)
		io.WriteString(conn, request)
		if !strings.Contains(request, ";x") { // a malformed chunk is the end by itself
			conn.Close()
		}
		if err := <-read; !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: the service read it with %v", request, err)
		}
	}
}

func TestManifestFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(file, []byte(`{"kind": "List"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run("127.0.0.1:0", file, nil); err == nil || !strings.HasPrefix(err.Error(), file+": ") {
		t.Errorf("got %v", err)
	}
}

func TestUntilEOF(t *testing.T) {
	conn, r := dial(t, start(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(conn, "HTTP/1.0 200 OK\r\n\r\nto the end")
		conn.Close()
	}))
	status, _, body := ask(t, conn, r, "GET /api HTTP/1.1\r\nHost: shop.example\r\n\r\n")
	if status != 200 || body != "to the end" {
		t.Errorf("got %d %q", status, body)
	}
}

func TestParse(t *testing.T) {
	const good = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	var h head
	if err := h.parse(good, true); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no host":                 "GET / HTTP/1.1\r\n\r\n",
		"two hosts":               "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"HTTP/1.0":                "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
		"HTTP/2":                  "GET / HTTP/2\r\nHost: a\r\n\r\n",
		"two lengths":             "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
		"length and chunked":      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
		"chunked and length":      "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
		"another coding":          "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
		"chunked by another name": "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
		"space before the colon":  "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n",
		"folded":                  "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
		"bare line feed":          "GET / HTTP/1.1\r\nHost: a\r\nX: a\nContent-Length: 5\r\n\r\n",
		"bare carriage return":    "GET / HTTP/1.1\r\nHost: a\r\nX: a\rContent-Length: 5\r\n\r\n",
		"signed length":           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
		"list of lengths":         "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
		"NUL":                     "GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
		"no colon":                "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
		"method that is no token": "G@T / HTTP/1.1\r\nHost: a\r\n\r\n",
	} {
		if h.parse(text, true) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for name, text := range map[string]string{
		"letters in the status": "HTTP/1.1 2x0 OK\r\n\r\n",
		"another protocol":      "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"a field in the reason": "HTTP/1.1 200 OK\nSet-Cookie: a=b\r\n\r\n",
	} {
		if h.parse(text, false) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for text, want := range map[string]int64{"0\r\n": 0, "fF\r\n": 255, "10\r\n": 16} {
		if n, ok := parseChunk([]byte(text)); !ok || n != want {
			t.Errorf("%q: got %d %v", text, n, ok)
		}
	}
	for _, text := range []string{"\r\n", "1\n", "1;x\r\n", " 1\r\n", "-1\r\n", "0x1\r\n", "1111111111111111\r\n"} {
		if _, ok := parseChunk([]byte(text)); ok {
			t.Errorf("chunk %q: accepted", text)
		}
	}
}
