// What net/http writes on the wire for a rewritten URL.

package rewrite_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// Every vector that comes to a URL is sent through a real net/http Transport
// to a listener that reads the raw bytes: they must be those of the URL.
func TestWire(t *testing.T) {
	for _, file := range []string{"bfe", "security"} {
		t.Run(file, func(t *testing.T) {
			w := newWire(t)
			sent := 0
			for _, v := range readVectors(t, file).Vectors {
				if v.Want == "" || v.In == "*" { // refused, or has no path to send
					continue
				}
				sent++
				t.Run(v.Name, func(t *testing.T) {
					u, end := v.run(t)
					if end != "" {
						t.Fatalf("ends with %q", end)
					}
					line, host := w.send(t, u)
					if want := "GET " + string(u.AppendTarget(nil)) + " HTTP/1.1"; line != want {
						t.Errorf("request line\ngot  %.200q\nwant %.200q", line, want)
					}
					if want := "Host: " + u.Host; host != want {
						t.Errorf("got %q, want %q", host, want)
					}
					if _, target, found := strings.Cut(v.fill(v.Want), "://"); !found || u.Host+string(u.AppendTarget(nil)) != target {
						t.Errorf("%.200q was sent, want %.200q", u, v.fill(v.Want))
					}
				})
			}
			if sent < 50 {
				t.Errorf("only %d vectors were sent", sent)
			}
		})
	}
}

// The asterisk form needs its method, and goes out as it is.
func TestWireAsterisk(t *testing.T) {
	p := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.SetHost("y.org")}, {Action: rewrite.SetPath("/x")}}, nil)
	u := rewrite.URL{Scheme: "http", Host: "x.com", Path: "*"}
	if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil {
		t.Fatal(err)
	}
	w := newWire(t)
	request := w.request(t, u)
	request.Method = http.MethodOptions
	if line, host := w.roundTrip(t, request); line != "OPTIONS * HTTP/1.1" || host != "Host: y.org" {
		t.Errorf("got %q, %q", line, host)
	}
}

// wire is a Transport and the listener at its other end.
type wire struct {
	addr      string
	transport *http.Transport
	heads     chan [2]string // request line and Host line of each request
}

func newWire(t *testing.T) *wire {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{addr: l.Addr().String(), heads: make(chan [2]string, 1), transport: &http.Transport{DisableKeepAlives: true}}
	t.Cleanup(func() {
		l.Close()
		w.transport.CloseIdleConnections()
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			w.heads <- answer(conn)
		}
	}()
	return w
}

// answer reads the head of one request, byte for byte, and answers it.
func answer(conn net.Conn) (head [2]string) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	head[0] = readLine(r)
	for line := readLine(r); line != ""; line = readLine(r) {
		if strings.HasPrefix(strings.ToLower(line), "host:") {
			head[1] += line
		}
	}
	io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
	return head
}

func readLine(r *bufio.Reader) string {
	line, _ := r.ReadString('\n')
	return strings.TrimSuffix(line, "\r\n")
}

func (w *wire) send(t *testing.T, u rewrite.URL) (line, host string) {
	t.Helper()
	return w.roundTrip(t, w.request(t, u))
}

// request makes the request that a proxy sends upstream for u.
func (w *wire) request(t *testing.T, u rewrite.URL) *http.Request {
	t.Helper()
	path, err := url.PathUnescape(u.Path)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Request{
		Method: http.MethodGet,
		Host:   u.Host,
		Header: http.Header{},
		URL: &url.URL{
			Scheme: "http", Host: w.addr,
			Path: path, RawPath: u.Path,
			RawQuery: u.RawQuery, ForceQuery: u.ForceQuery,
		},
	}
}

func (w *wire) roundTrip(t *testing.T, request *http.Request) (line, host string) {
	t.Helper()
	response, err := w.transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	head := <-w.heads
	return head[0], head[1]
}
