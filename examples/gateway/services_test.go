package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const weightKey = "bfe.ingress.kubernetes.io/balance.weight"

// weighted is oneRoute with weights, at line 6, for the service "svc".
func weighted(weights string, annotations ...string) string {
	return strings.Replace(oneRoute(annotations...), "  annotations:\n", fmt.Sprintf("  annotations:\n    %s: '%s'\n", weightKey, weights), 1)
}

// A running is a gateway that serves a file.
type running struct {
	file   string
	base   string
	client *http.Transport
	reload chan os.Signal
	stderr lineWriter
}

// start runs a gateway with an echo service for each name.
func start(t *testing.T, manifest string, services ...string) *running {
	t.Helper()
	g := &running{
		file:   filepath.Join(t.TempDir(), "m.yaml"),
		client: new(http.Transport),
		reload: make(chan os.Signal),
		stderr: make(lineWriter, 100),
	}
	write(t, g.file, manifest)
	s := &settings{listen: "127.0.0.1:0", manifest: g.file, loader: newLoader()}
	for _, name := range services {
		service := httptest.NewServer(echo(name))
		t.Cleanup(service.Close)
		s.loader.upstreams[name] = address(service)
	}
	ctx, stop := context.WithCancel(t.Context())
	stdout := make(lineWriter, 1)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, s, g.reload, stdout, g.stderr) }()
	select {
	case line := <-stdout:
		g.base = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	case err := <-ended:
		stop()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.client.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return g
}

// load writes another manifest and has it read.
func (g *running) load(t *testing.T, manifest string) {
	t.Helper()
	write(t, g.file, manifest)
	g.reload <- syscall.SIGHUP
	g.expectLog(t, "reloaded")
}

func (g *running) expectLog(t *testing.T, want string) {
	t.Helper()
	select {
	case line := <-g.stderr:
		if got := strings.ReplaceAll(line, g.file, "m.yaml"); got != want+"\n" {
			t.Errorf("stderr: got %q, want %q", got, want)
		}
	case <-time.After(time.Minute):
		t.Fatalf("stderr: nothing, want %q", want)
	}
}

// service returns the name of the service that answers a request.
func (g *running) service(target string) (string, error) {
	answer, err := ask(g.client, g.base, "shop.example", target)
	name, received, _ := strings.Cut(answer, "\t")
	if want := "shop.example\t" + target + "\n"; err == nil && received != want {
		err = fmt.Errorf("%s received %q, want %q", name, received, want)
	}
	return name, err
}

func TestWeights(t *testing.T) {
	const workers, requests = 5, 500
	g := start(t, weighted(`{"svc": {"v1": 70, "v2": 30, "v3": 0}}`), "v1", "v2", "v3")
	var mu sync.Mutex
	counts := make(map[string]int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range requests / workers {
				name, err := g.service("/x")
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				counts[name]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for name, want := range map[string]int{"v1": 350, "v2": 150, "v3": 0} {
		if got := counts[name]; got < want-1 || got > want+1 {
			t.Errorf("%s: %d requests, want %d", name, got, want)
		}
	}
}

// Reloads that leave a route as it is do not disturb its turns, even if others
// come before it and its services are listed the other way round: for two
// services, none is ever more than half a request off its share.
func TestReloadKeepsTurns(t *testing.T) {
	manifests := []string{
		weighted(`{"svc": {"v1": 70, "v2": 30}}`),
		strings.Replace(routes("a.example /"), "spec:", "metadata: {name: another}\nspec:", 1) + "---\n" +
			weighted(`{"svc": {"v2": 3, "v1": 7}}`) + "          - {path: /other, backend: {service: {name: v1, port: {number: 80}}}}\n",
	}
	g := start(t, manifests[0], "v1", "v2")
	const requests, between = 210, 7
	first := 0
	for n := 1; n <= requests; n++ {
		name, err := g.service("/x")
		if err != nil {
			t.Fatal(err)
		}
		if name == "v1" {
			first++
		}
		if off := 10*first - 7*n; off < -5 || off > 5 {
			t.Fatalf("after %d requests v1 has got %d", n, first)
		}
		if n%between == 0 {
			g.load(t, manifests[n/between%2])
		}
	}
}

// A change of weights goes on from where the old ones were: the light service
// has its turn though it never gets one within a configuration's time.
func TestReloadKeepsLag(t *testing.T) {
	g := start(t, weighted(`{"svc": {"v1": 90, "v2": 10}}`), "v1", "v2")
	light := 0
	for n := range 100 {
		name, err := g.service("/x")
		if err != nil {
			t.Fatal(err)
		}
		if name == "v2" {
			light++
		}
		if n%3 == 2 {
			g.load(t, weighted(fmt.Sprintf(`{"svc": {"v1": %d, "v2": 10}}`, 90+n%2)))
		}
	}
	if light < 8 || light > 12 {
		t.Errorf("v2 has got %d of 100 requests, want 10", light)
	}
}

// Routes take turns by themselves, though the same services are behind them.
func TestRoutesTakeOwnTurns(t *testing.T) {
	manifest := strings.Replace(weighted(`{"svc": {"v1": 1, "v2": 1}}`), "        paths:\n",
		"        paths:\n          - {path: /other, backend: {service: {name: svc, port: {number: 80}}}}\n", 1)
	g := start(t, manifest, "v1", "v2")
	for i := range 6 {
		for _, target := range []string{"/x", "/other"} {
			if got, err := g.service(target); err != nil || got != []string{"v1", "v2"}[i%2] {
				t.Errorf("%s, request %d: got %q, %v", target, i, got, err)
			}
		}
	}
}

// The rules are the same on the way to every service, those of Forward too.
func TestWeightsAndRules(t *testing.T) {
	g := start(t, weighted(`{"svc": {"v1": 1, "v2": 1}}`,
		`path-prefix-add: '[{"params": "/new"}]'`,
		`query-add: '[{"params": {"via": "gateway"}, "when": "Forward"}]'`), "v1", "v2")
	for _, name := range []string{"v1", "v2", "v1"} {
		want := name + "\tshop.example\t/new/x?a&via=gateway\n"
		if got, err := ask(g.client, g.base, "shop.example", "/x?a"); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

const noService = "500 Internal Server Error: this route has no service for the request\n"

// A service that cannot be resolved keeps its share. The others get no more
// than theirs, and go on in the same order when it is resolved.
func TestUnresolvedShare(t *testing.T) {
	manifest := strings.Replace(weighted(`{"svc": {"v1": 70, "v2": 30}}`), "number: 80", "name: web", 1)
	g := start(t, manifest, "v1") // only a number would do for v2
	g.expectLog(t, `m.yaml:6: error: Ingress default/test rules[0].paths[0]: `+weightKey+` at offset 9: unresolved-port: port "web" of Service v1 is not known: write its number: requests are answered with 500`)
	g.expectLog(t, `m.yaml:6: error: Ingress default/test rules[0].paths[0]: `+weightKey+` at offset 19: unresolved-port: port "web" of Service v2 is not known: write its number: requests are answered with 500`)
	var order []string
	failures := 0
	for range 10 {
		name, err := g.service("/x?a")
		if err != nil {
			if err.Error() != noService {
				t.Fatalf("got %v, want %s", err, noService)
			}
			name = "v2"
			failures++
			g.expectLog(t, `shop.example /x?a: service default/v2: split: the share of an invalid backend`)
		}
		order = append(order, name)
	}
	if failures != 3 {
		t.Errorf("%d of 10 requests have failed, want 3", failures)
	}

	// The services need not be there for this: what counts is who is asked.
	resolved := &loader{upstreams: map[string]string{"v1": "v1:1", "v2": "v2:1"}}
	c, err := resolved.load("m.yaml", []byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	old, err := (&loader{upstreams: map[string]string{"v1": "v1:1"}}).load("m.yaml", []byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range order {
		if i == 4 {
			if err := c.carryOver(old); err != nil {
				t.Fatal(err)
			}
			old = c
		}
		got := "v2"
		if d, err := old.decide(httptest.NewRequest("GET", "http://shop.example/x", nil)); err == nil {
			got = d.site.upstreams[d.backend].Hostname()
		}
		if got != want {
			t.Errorf("pick %d: got %s, want %s of %v", i, got, want, order)
		}
	}
}

// A path without a backend has no service to name: the log names the path.
func TestNoService(t *testing.T) {
	g := start(t, strings.Replace(oneRoute(), "backend: {service: {name: svc, port: {number: 80}}}", "pathType: Prefix", 1))
	g.expectLog(t, "m.yaml:11: error: Ingress default/test rules[0].paths[0]: no-backend: there is no backend: requests are answered with 500; write backend.service")
	if got, err := g.service("/x"); err == nil || err.Error() != noService {
		t.Errorf("got %s, %v, want %s", got, err, noService)
	}
	g.expectLog(t, "shop.example /x: Ingress default/test rules[0].paths[0]: split: the share of an invalid backend")
}
