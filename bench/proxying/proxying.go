// Package proxying measures what a rewrite adds to a request that passes a
// whole httputil.ReverseProxy, over loopback and without a network.
//
// The rewrite is the chain of five of package rewriting, which is a usual one:
// another host, another prefix, of the query one pair under another name.
package proxying

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/readdress/readdress/bench/internal/measure"
	"github.com/readdress/readdress/bench/rewriting"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
	"github.com/readdress/readdress/route"
)

const scenario = "S11-chain-of-five"

// Scenario returns the rewrite.
func Scenario() rewriting.Scenario {
	for _, s := range rewriting.Scenarios() {
		if s.Name == scenario {
			return s
		}
	}
	panic("no scenario " + scenario)
}

// A Peer makes a proxy to an upstream, through a transport, that rewrites.
type Peer struct {
	Name string
	New  func(tb testing.TB, upstream *url.URL, transport http.RoundTripper) http.Handler
}

// Proxy returns a ReverseProxy that keeps the Host of the request, as gateways
// do.
func Proxy(upstream *url.URL, transport http.RoundTripper) http.Handler {
	return reverse(transport, func(pr *httputil.ProxyRequest) { setURL(pr, upstream) })
}

func setURL(pr *httputil.ProxyRequest, upstream *url.URL) {
	host := pr.Out.Host
	pr.SetURL(upstream)
	pr.Out.Host = host
}

func reverse(transport http.RoundTripper, rewrite func(*httputil.ProxyRequest)) http.Handler {
	return &httputil.ReverseProxy{Transport: transport, Rewrite: rewrite, BufferPool: &pool{}}
}

// A pool spares each response the 32 KiB that would hide everything else.
type pool struct{ free sync.Pool }

func (p *pool) Get() []byte {
	if b, ok := p.free.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, 32<<10)
}

func (p *pool) Put(b []byte) { p.free.Put(&b) }

// None is the proxy that rewrites nothing.
var None = Peer{"none", func(_ testing.TB, upstream *url.URL, transport http.RoundTripper) http.Handler {
	return Proxy(upstream, transport)
}}

// Peers returns the ways that need no other project.
func Peers() []Peer {
	return []Peer{
		{"readdress-http", newMiddleware},
		{"readdress-gateway", newGateway},
		{"net-url", newByHand},
	}
}

func readdressProxy(upstream *url.URL, transport http.RoundTripper) http.Handler {
	return reverse(transport, func(pr *httputil.ProxyRequest) { rewritehttp.SetUpstream(pr, upstream) })
}

func program(tb testing.TB) *rewrite.Program {
	tb.Helper()
	s := Scenario()
	p, err := s.Program()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func newMiddleware(tb testing.TB, upstream *url.URL, transport http.RoundTripper) http.Handler {
	return rewritehttp.Middleware(program(tb), rewrite.AfterLocation, nil, readdressProxy(upstream, transport))
}

// newGateway finds the program in a table of a thousand routes.
func newGateway(tb testing.TB, upstream *url.URL, transport http.RoundTripper) http.Handler {
	routes := make([]route.Route[*rewrite.Program], 1_000)
	for i := range routes {
		routes[i].Pattern = route.Pattern{Host: "h" + strconv.Itoa(i) + ".example.com", Path: "/api"}
	}
	s := Scenario()
	routes[500] = route.Route[*rewrite.Program]{Pattern: route.Pattern{Host: s.In.Host, Path: "/api"}, Value: program(tb)}
	table, err := route.NewTable(routes, nil)
	if err != nil {
		tb.Fatal(err)
	}
	next := readdressProxy(upstream, transport)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, err := rewritehttp.URL(r)
		if err == nil {
			err = (*rewrite.Input)(nil).Clean(&u, nil)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p, ok := table.Match(&u, rewritehttp.Of(r))
		if !ok {
			http.NotFound(w, r)
			return
		}
		if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, rewritehttp.With(r, u))
	})
}

func newByHand(tb testing.TB, upstream *url.URL, transport http.RoundTripper) http.Handler {
	var do rewriting.Rewriter
	for _, p := range rewriting.Std() {
		if p.Name == "net-url" {
			do = p.Scenarios[scenario](tb)
		}
	}
	return reverse(transport, func(pr *httputil.ProxyRequest) {
		do(pr.Out)
		setURL(pr, upstream)
	})
}

// memory answers a request at once, with what it asks for.
type memory struct{}

func (memory) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{}, Body: io.NopCloser(strings.NewReader(asked(r))),
	}, nil
}

func asked(r *http.Request) string { return r.Host + r.URL.RequestURI() }

// inMemory returns what sends the scenario's request through a peer without a
// network, and returns what the upstream was asked for.
func inMemory(tb testing.TB, p Peer) func() (string, error) {
	handler := p.New(tb, &url.URL{Scheme: "http", Host: "10.0.0.1"}, memory{})
	s := Scenario()
	in := s.Request(tb)
	in.RemoteAddr = "127.0.0.1:12345"
	return func() (string, error) {
		r, u := *in, *in.URL
		r.URL = &u
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, &r)
		return w.Body.String(), nil
	}
}

// overLoopback does so with three programs' worth of HTTP: a client, the proxy
// and the upstream, each with its connections kept open.
func overLoopback(tb testing.TB, p Peer) func() (string, error) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, asked(r))
	}))
	tb.Cleanup(upstream.Close)
	to, err := url.Parse(upstream.URL)
	if err != nil {
		tb.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	tb.Cleanup(transport.CloseIdleConnections)
	proxy := httptest.NewServer(p.New(tb, to, transport))
	tb.Cleanup(proxy.Close)

	s := Scenario()
	r, err := http.NewRequest("GET", proxy.URL+string(s.In.AppendTarget(nil)), nil)
	if err != nil {
		tb.Fatal(err)
	}
	r.Host = s.In.Host
	client := proxy.Client()
	return func() (string, error) {
		res, err := client.Do(r)
		if err != nil {
			return "", err
		}
		body, err := io.ReadAll(res.Body)
		return string(body), errors.Join(err, res.Body.Close())
	}
}

var paths = []struct {
	name string
	new  func(testing.TB, Peer) func() (string, error)
}{{"memory", inMemory}, {"loopback", overLoopback}}

// Bench measures a peer.
func Bench(b *testing.B, p Peer) {
	for _, path := range paths {
		b.Run(measure.Name("path", path.name, "by", p.Name), func(b *testing.B) {
			send := path.new(b, p)
			if _, err := send(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := send(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchAdded measures what a peer takes longer than None: both are sent the
// request in turn, and the time of an operation is the median of the
// differences.
func BenchAdded(b *testing.B, p Peer) {
	for _, path := range paths {
		b.Run(measure.Name("path", path.name, "by", p.Name), func(b *testing.B) {
			less, more := path.new(b, None), path.new(b, p)
			timed := func(send func() (string, error)) time.Duration {
				start := time.Now()
				if _, err := send(); err != nil {
					b.Fatal(err)
				}
				return time.Since(start)
			}
			var added []time.Duration
			for b.Loop() {
				// Who comes second finds warmer caches.
				if len(added)%2 == 0 {
					added = append(added, -timed(less)+timed(more))
				} else {
					added = append(added, timed(more)-timed(less))
				}
			}
			slices.Sort(added)
			b.ReportMetric(float64(added[len(added)/2]), "ns/op")
		})
	}
}

// Check is a test that a peer asks the upstream for what is wanted.
func Check(t *testing.T, p Peer) {
	s := Scenario()
	want := s.Want
	if p.Name == None.Name {
		want = s.In
	}
	for _, path := range paths {
		t.Run(path.name, func(t *testing.T) {
			got, err := path.new(t, p)()
			if err != nil {
				t.Fatal(err)
			}
			if want := want.Host + string(want.AppendTarget(nil)); got != want {
				t.Errorf("the upstream is asked for %s, want %s", got, want)
			}
		})
	}
}
