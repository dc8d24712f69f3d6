// Package livetest compares the library with real servers on loopback, where
// they are installed: nginx, HAProxy, Apache, and node as a judge of URLs.
package livetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// requests is how many requests a server is sent.
func requests(t *testing.T) int {
	t.Helper()
	text := os.Getenv("READDRESS_LIVE_REQUESTS")
	if text == "" {
		return 200
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("READDRESS_LIVE_REQUESTS=%q: write a number such as 2000", text)
	}
	return n
}

// find returns the path of a program, of a Debian package.
func find(t *testing.T, program, debian string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: it starts " + program)
	}
	for _, name := range []string{program, "/usr/sbin/" + program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	hint := fmt.Sprintf("there is no %s to compare with: install it (Debian: apt-get install %s)", program, debian)
	if os.Getenv("READDRESS_LIVE") == "1" {
		t.Fatal(hint)
	}
	t.Skip(hint)
	return ""
}

// freeAddr returns an address of loopback that nobody listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// attributes are those of a server's process, where there is anything to say.
var attributes *syscall.SysProcAttr

// patience is how long a server may take to listen, and to answer: a minute is
// long on the busiest machine, and one that has ended is not waited for.
const patience = time.Minute

// A server is a running program that listens on addr.
type server struct {
	t    *testing.T
	addr string
}

// start writes config to a file of dir, runs the program on it until the test
// ends, and waits until it listens on addr. %s in args is the file.
func start(t *testing.T, addr, dir, config, path string, args ...string) *server {
	t.Helper()
	file := filepath.Join(dir, "server.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "%s", file)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = attributes
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait() // its status says only that it was interrupted
		close(ended)
	}()
	stop := func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
			return &server{t, addr}
		}
		select {
		case <-ended:
		default:
			if time.Now().Before(deadline) {
				continue
			}
		}
		stop()
		t.Fatalf("%s does not listen: %v\n%s\n%s", path, err, output.String(), config)
	}
}

// get sends a request, byte for byte, and returns the answer and its body.
func (s *server) get(host, target string, header fields) (*http.Response, string) {
	s.t.Helper()
	resp, body, err := s.tryGet(host, target, header)
	if err != nil {
		s.t.Fatalf("GET %q: %v", target, err)
	}
	return resp, body
}

func (s *server) tryGet(host, target string, header fields) (*http.Response, string, error) {
	conn, err := net.DialTimeout("tcp", s.addr, patience)
	if err != nil {
		return nil, "", err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	request := "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
	for name, value := range header {
		request += name + ": " + value + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return nil, "", err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}

// answer is what a server makes of a request: the URL that its upstream, an
// echo, saw, or the status of an answer of its own.
func (s *server) answer(host, target string) string {
	s.t.Helper()
	resp, body := s.get(host, target, nil)
	if seen, ok := strings.CutPrefix(body, "echo "); ok && resp.StatusCode == http.StatusOK {
		return seen
	}
	return strconv.Itoa(resp.StatusCode)
}

// echo starts an upstream that answers each request with "echo ", its Host and
// its target, byte for byte.
func echo(t *testing.T) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				go answerEcho(conn)
			}
		}
	}()
	return l.Addr().String()
}

func answerEcho(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	line := func() string {
		text, _ := r.ReadString('\n')
		return strings.TrimSuffix(text, "\r\n")
	}
	request, host := line(), ""
	for field := line(); field != ""; field = line() {
		if name, value, ok := strings.Cut(field, ":"); ok && strings.EqualFold(name, "Host") {
			host = strings.TrimSpace(value)
		}
	}
	target := strings.TrimSuffix(request, " HTTP/1.1")
	target = strings.TrimSuffix(target, " HTTP/1.0")
	_, target, _ = strings.Cut(target, " ")
	body := "echo http://" + host + target
	fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
}
