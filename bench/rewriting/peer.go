package rewriting

// How a peer that works on requests of net/http is checked and measured.

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"testing"

	"github.com/readdress/readdress/bench/internal/measure"
	"github.com/readdress/readdress/rewrite"
)

// A Peer is another way to do the scenarios.
type Peer struct {
	Name string
	// Scenarios has, by the name of a scenario, what makes the Rewriter for it.
	// Those for which the peer has no means are left out.
	Scenarios map[string]func(tb testing.TB) Rewriter
}

// A Rewriter rewrites a request, in place or by returning another.
type Rewriter func(r *http.Request) *http.Request

// Through returns a Rewriter that sends requests through the handler that wrap
// puts before another.
func Through(wrap func(next http.Handler) http.Handler) Rewriter {
	var got *http.Request
	handler := wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }))
	w := httptest.NewRecorder()
	return func(r *http.Request) *http.Request {
		got = nil
		handler.ServeHTTP(w, r)
		return got
	}
}

// Request returns the scenario's request, as a server of net/http makes it.
func (s *Scenario) Request(tb testing.TB) *http.Request {
	tb.Helper()
	u, err := url.ParseRequestURI(string(s.In.AppendTarget(nil)))
	if err != nil {
		tb.Fatal(err)
	}
	return &http.Request{
		Method: "GET", Host: s.In.Host, URL: u, RequestURI: u.RequestURI(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"User-Agent": {"bench"}},
	}
}

// Bench measures a peer. Every iteration restores the request first.
func Bench(b *testing.B, p Peer) {
	for _, s := range Scenarios() {
		setup := p.Scenarios[s.Name]
		if setup == nil {
			continue
		}
		measure.Run(b, measure.Name("case", s.Name, "by", p.Name), func(tb testing.TB) measure.Loop {
			do, r := setup(tb), s.Request(tb)
			in, u := *r, *r.URL
			return func(n int) {
				for range n {
					*in.URL = u
					r.URL, r.Host, r.RequestURI = in.URL, in.Host, in.RequestURI
					do(r)
				}
			}
		})
	}
}

// Check is a test that a peer makes of every scenario's request what is wanted.
// Hosts and paths are compared byte by byte. Queries are compared decoded and
// without the order of names, because net/url sorts them.
func Check(t *testing.T, p Peer) {
	done := 0
	for _, s := range Scenarios() {
		setup := p.Scenarios[s.Name]
		if setup == nil {
			continue
		}
		done++
		t.Run(s.Name, func(t *testing.T) {
			r := setup(t)(s.Request(t))
			if r == nil {
				t.Fatal("the request did not come through")
			}
			got := rewrite.URL{Scheme: "http", Host: r.Host, Path: r.URL.EscapedPath(), RawQuery: r.URL.RawQuery}
			if got.Host == "" {
				got.Host = r.URL.Host
			}
			a, errA := url.ParseQuery(got.RawQuery)
			b, errB := url.ParseQuery(s.Want.RawQuery)
			if errA != nil || errB != nil || got.Host != s.Want.Host || got.Path != s.Want.Path || !reflect.DeepEqual(a, b) {
				t.Errorf("got %v, want %v", got, s.Want)
			}
		})
	}
	if done == 0 || done != len(p.Scenarios) {
		t.Errorf("%d of the peer's %d scenarios are known", done, len(p.Scenarios))
	}
}
