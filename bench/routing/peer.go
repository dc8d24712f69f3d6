package routing

// How a router is checked and measured.

import (
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/readdress/readdress/bench/internal/measure"
	"github.com/readdress/readdress/route"
)

// A Peer is a router.
type Peer struct {
	Name string
	// New makes a table of patterns and a function that looks up one of the
	// requests that are going to be asked.
	New func(tb testing.TB, patterns []route.Pattern, asked []Lookup) Find
	// Most is the largest table of a shape that takes a bearable time; 0: the
	// router cannot hold that shape.
	Most func(shape string) int
}

// A Find returns the index of the pattern that request i is for, -1 for none.
type Find func(i int) int

// Any is a Most for routers that are measured with n routes of every shape.
func Any(n int) func(string) int { return func(string) int { return n } }

// Request returns a request of which Ask makes one after the other.
func Request() *http.Request {
	return &http.Request{
		Method: "GET", URL: &url.URL{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
	}
}

// Ask makes r a request for l, as a server of net/http reads it.
func Ask(r *http.Request, l *Lookup) {
	r.Host, r.URL.Path, r.RequestURI = l.Host, l.Path, l.Path
}

// Discard is a ResponseWriter that drops everything.
type Discard struct{ header http.Header }

// NewDiscard returns a Discard.
func NewDiscard() *Discard { return &Discard{http.Header{}} }

func (d *Discard) Header() http.Header         { return d.header }
func (d *Discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *Discard) WriteHeader(int)             {}

// Hosts is a handler for each host, for routers that route by path alone.
type Hosts map[string]http.Handler

func (h Hosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if next := h[r.Host]; next != nil {
		next.ServeHTTP(w, r)
	}
}

// ServeHTTP returns a Find for a router that is a handler. Each route gets the
// handler that handle returns for its index.
func ServeHTTP(asked []Lookup, router func(handle func(index int) http.HandlerFunc) http.Handler) Find {
	found := -1
	h := router(func(index int) http.HandlerFunc {
		return func(http.ResponseWriter, *http.Request) { found = index }
	})
	r, w := Request(), NewDiscard()
	return func(i int) int {
		found = -1
		Ask(r, &asked[i])
		h.ServeHTTP(w, r)
		return found
	}
}

// Check is a test that a router finds what is wanted, in every shape.
func Check(t *testing.T, p Peer) {
	for _, shape := range Shapes() {
		if p.Most(shape.Name) == 0 {
			continue
		}
		t.Run(shape.Name, func(t *testing.T) {
			patterns := shape.Patterns(200)
			asked := Lookups(patterns)
			find, hits := p.New(t, patterns, asked), 0
			asked = asked[:1<<12]
			for i, l := range asked {
				got := find(i)
				if got != l.Want {
					t.Fatalf("%s%s: found route %d, want %d", l.Host, l.Path, got, l.Want)
				}
				if got >= 0 {
					hits++
				}
			}
			if hits < len(asked)/2 {
				t.Errorf("only %d of %d lookups find a route", hits, len(asked))
			}
		})
	}
}

func (p *Peer) each(f func(s Shape, n int, name string)) {
	for _, s := range Shapes() {
		for _, n := range Sizes() {
			if n <= p.Most(s.Name) {
				f(s, n, measure.Name("shape", s.Name, "routes", strconv.Itoa(n), "by", p.Name))
			}
		}
	}
}

// Bench measures lookups of random routes.
func Bench(b *testing.B, p Peer) {
	p.each(func(s Shape, n int, name string) {
		measure.Run(b, name, func(tb testing.TB) measure.Loop {
			patterns := s.Patterns(n)
			asked := Lookups(patterns)
			find, at := p.New(tb, patterns, asked), 0
			// A large table is in no cache before it has been asked for everything.
			for start := time.Now(); at < len(asked) && time.Since(start) < time.Second/4; at++ {
				find(at)
			}
			return func(n int) {
				for range n {
					measure.Sink += find(at % len(asked))
					at++
				}
			}
		})
	})
}

// BenchBuild measures the making of tables, the memory that one holds and what
// it adds to a collection of garbage.
func BenchBuild(b *testing.B, p Peer) {
	p.each(func(s Shape, n int, name string) {
		if n < 1_000 {
			return
		}
		var patterns []route.Pattern
		b.Run(name, func(b *testing.B) {
			if patterns == nil {
				patterns = s.Patterns(n)
			}
			none := make([]Lookup, 1)
			idle, before := collect()
			var last Find
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				last = p.New(b, patterns, none)
			}
			b.StopTimer()
			full, after := collect()
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n), "ns/route")
			b.ReportMetric(max(0, float64(after)-float64(before))/float64(n), "heap-B/route")
			if n >= 100_000 { // less drowns in noise
				b.ReportMetric(max(0, float64(full-idle)), "gc-ns")
			}
			runtime.KeepAlive(last)
			runtime.KeepAlive(patterns)
		})
	})
}

// collect returns the time of a collection, the median of several, and the
// bytes that are alive after it.
func collect() (time.Duration, uint64) {
	runtime.GC()
	times := make([]time.Duration, 5)
	for i := range times {
		start := time.Now()
		runtime.GC()
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return times[len(times)/2], m.HeapAlloc
}
