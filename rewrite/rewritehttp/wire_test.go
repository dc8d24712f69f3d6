package rewritehttp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// An upstream is a server that takes requests off the wire without net/http,
// so that what it records is what was sent.
type upstream struct {
	url  *url.URL
	seen chan message
}

// A message is the head of a request, byte for byte.
type message struct {
	target string // the middle of the request line
	host   string // the value of the one Host line
}

func newUpstream(t *testing.T) *upstream {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	up := &upstream{&url.URL{Scheme: "http", Host: l.Addr().String()}, make(chan message, 1)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go up.serve(c)
		}
	}()
	return up
}

func (up *upstream) serve(c net.Conn) {
	defer c.Close()
	var m message
	hosts := 0
	head := bufio.NewReader(c)
	for first := true; ; first = false {
		line, err := head.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\r\n")
		if line == "" {
			break
		}
		if first {
			_, m.target, _ = strings.Cut(line, " ")
			m.target = strings.TrimSuffix(m.target, " HTTP/1.1")
		} else if h, ok := strings.CutPrefix(line, "Host: "); ok {
			hosts++
			m.host = h
		}
	}
	if hosts != 1 {
		m.host = fmt.Sprintf("%d Host lines", hosts)
	}
	up.seen <- m
	io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

// got returns the request that arrived, if any. The response to the client
// comes after it, so there is nothing to wait for.
func (up *upstream) got() (message, bool) {
	select {
	case m := <-up.seen:
		return m, true
	default:
		return message{}, false
	}
}

// serve starts a server with the handler and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// send writes a request by hand, because net/http's client would write what it
// makes of the target, and returns status and body of the response.
func send(t *testing.T, addr, target string) (int, string) {
	t.Helper()
	return sendHead(t, addr, "GET "+target+" HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n")
}

func sendHead(t *testing.T, addr, head string) (int, string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, head); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}
