package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// versioned is a manifest in which every part of the answer says the version:
// the route that exists, the rules of the three hooks, and the service.
const versioned = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: entry
  annotations:
    bfe.ingress.kubernetes.io/rewrite-url.path-prefix-add: '[{"params": "/VERSION", "when": "BeforeLocation"}]'
spec:
  rules:
    - host: shop.example
      http:
        paths:
          - path: /app
            backend: {service: {name: none, port: {number: 80}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: main
  annotations:
    bfe.ingress.kubernetes.io/rewrite-url.host: '[{"params": "VERSION.internal"}]'
    bfe.ingress.kubernetes.io/rewrite-url.query-add: '[{"params": {"version": "VERSION"}, "when": "Forward"}]'
spec:
  rules:
    - host: shop.example
      http:
        paths:
          - path: /VERSION
            backend: {service: {name: VERSION, port: {number: 80}}}
`

// 1,000 requests in flight at once, 50 reloads while they arrive: each request
// is answered by one version alone.
func TestReloadUnderLoad(t *testing.T) {
	const requests, reloads, group = 1000, 50, 10
	file := filepath.Join(t.TempDir(), "m.yaml")
	write(t, file, strings.ReplaceAll(versioned, "VERSION", "a"))
	reload := make(chan os.Signal)
	stderr := make(lineWriter, reloads)

	// The requests start in groups: one when a reload begins, the next when it
	// has ended. A service holds its answers until every request has arrived.
	var gates [requests / group]chan struct{}
	for i := range gates {
		gates[i] = make(chan struct{})
	}
	hold := make(chan struct{})
	failed, fail := context.WithCancel(t.Context())
	var reloaded atomic.Int64
	swap := func() {
		n := reloaded.Add(1)
		version := []string{"a", "b"}[n%2]
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(versioned, "VERSION", version)), 0o666); err != nil {
			t.Error(err)
		}
		close(gates[2*n-1])
		reload <- syscall.SIGHUP
		if got := <-stderr; got != "reloaded\n" {
			t.Errorf("reload: %q", got)
		}
		if n < reloads {
			close(gates[2*n])
		}
	}
	var arrived atomic.Int64
	s := &settings{listen: "127.0.0.1:0", manifest: file, loader: newLoader()}
	s.loader.upstreams["none"] = "127.0.0.1:1" // BeforeLocation leads away from it
	for _, name := range []string{"a", "b"} {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch n := arrived.Add(1); {
			case n%(2*group) == group:
				swap()
			case n == requests:
				close(hold)
			}
			wait(failed, hold)
			echo(name)(w, r)
		}))
		t.Cleanup(service.Close)
		s.loader.upstreams[name] = address(service)
	}
	checkGoroutines(t) // while the services are still there

	ctx, stop := context.WithCancel(t.Context())
	stdout := make(lineWriter, 1)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, s, reload, stdout, stderr) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	base := strings.TrimSpace(strings.TrimPrefix(<-stdout, "listening on "))

	client := new(http.Transport)
	defer client.CloseIdleConnections()
	var versions [2]atomic.Int64
	var wg sync.WaitGroup
	for i := range requests {
		wg.Go(func() {
			wait(failed, gates[i/group])
			target := fmt.Sprintf("/app/%d?n=%[1]d", i)
			answer, err := ask(client, base, "shop.example", target)
			for v, name := range []string{"a", "b"} {
				if answer == fmt.Sprintf("%s\t%[1]s.internal\t/%[1]s/app/%d?n=%[2]d&version=%[1]s\n", name, i) {
					versions[v].Add(1)
					return
				}
			}
			t.Errorf("%s: failed or mixed up: %q, %v", target, answer, err)
			fail()
		})
	}
	close(gates[0])
	wg.Wait()
	fail()

	if n := reloaded.Load(); n != reloads {
		t.Errorf("%d reloads, want %d", n, reloads)
	}
	if a, b := versions[0].Load(), versions[1].Load(); a == 0 || b == 0 {
		t.Errorf("%d requests saw version a, %d version b: want some of each", a, b)
	}
}

// wait waits for gate, or for a failure after which no gate may open.
func wait(failed context.Context, gate <-chan struct{}) {
	select {
	case <-gate:
	case <-failed.Done():
	}
}

// A request that began with one version stays with it, whenever the reload
// comes: here, as soon as the proxy looks at the request's context.
func TestReloadDuringRequest(t *testing.T) {
	l := newLoader()
	transport := newTransport()
	defer transport.CloseIdleConnections()
	l.transport, l.log = transport, log.New(io.Discard, "", 0)
	l.upstreams["none"] = "127.0.0.1:1"
	configs := make(map[string]*config)
	for _, name := range []string{"a", "b"} {
		service := httptest.NewServer(echo(name))
		t.Cleanup(service.Close)
		l.upstreams[name] = address(service)
		configs[name] = mustLoad(t, &l, strings.ReplaceAll(versioned, "VERSION", name))
	}
	g := &gateway{log: l.log}
	g.config.Store(configs["a"])

	r := httptest.NewRequest(http.MethodGet, "http://shop.example/app/x", nil)
	r = r.WithContext(watchedContext{r.Context(), func() { g.config.Store(configs["b"]) }})
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	if got, want := w.Body.String(), "a\ta.internal\t/a/app/x?version=a\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if g.config.Load() != configs["b"] {
		t.Error("nothing was reloaded")
	}
}

// A watchedContext tells when somebody looks at it.
type watchedContext struct {
	context.Context
	looked func()
}

func (c watchedContext) Done() <-chan struct{} {
	c.looked()
	return c.Context.Done()
}

func (c watchedContext) Value(key any) any {
	c.looked()
	return c.Context.Value(key)
}

// ask sends one request and returns the body of the answer.
func ask(client *http.Transport, base, host, target string) (string, error) {
	req, err := http.NewRequest(http.MethodGet, base+target, nil)
	if err != nil {
		return "", err
	}
	req.Host = host
	res, err := client.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", res.Status, body)
	}
	return string(body), err
}

// A lineWriter hands over what each Write wrote; it never blocks, so a failing
// test can end.
type lineWriter chan string

func (w lineWriter) Write(p []byte) (int, error) {
	select {
	case w <- string(p):
	default:
	}
	return len(p), nil
}
