package route_test

// Lookups beside a floor, a map of hosts and a scan of the routes of one, and
// beside net/http.ServeMux. The two shapes of tables: many hosts with ten
// routes each, and one host with all.

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/route"
)

// A shape makes the patterns of a table with about n routes.
type shape struct {
	name     string
	patterns func(n int) []route.Pattern
}

var shapes = []shape{
	{"many-hosts", manyHosts},
	{"one-host", oneHost},
}

func manyHosts(n int) (list []route.Pattern) {
	for h := 0; len(list) < n; h++ {
		host := fmt.Sprintf("svc%05d.team%03d.example.com", h, h%1000)
		for i := range 5 {
			list = append(list, route.Pattern{Host: host, Path: fmt.Sprintf("/api/v%d/status%d", h%7, i), Type: route.Exact})
		}
		for _, path := range []string{"/", "/api", "/api/v1", "/api/v1/users", "/static"} {
			list = append(list, route.Pattern{Host: host, Path: path})
		}
	}
	return list
}

func oneHost(n int) (list []route.Pattern) {
	for i := range n / 2 {
		list = append(list,
			route.Pattern{Host: "api.example.com", Path: fmt.Sprintf("/group%d/item%05d/status", i%97, i), Type: route.Exact},
			route.Pattern{Host: "api.example.com", Path: fmt.Sprintf("/group%d/item%05d", i%97, i)},
		)
	}
	return list
}

// routesOf gives each pattern its index as the value.
func routesOf(patterns []route.Pattern) []route.Route[uint32] {
	list := make([]route.Route[uint32], len(patterns))
	for i, p := range patterns {
		list[i] = route.Route[uint32]{Pattern: p, Value: uint32(i)}
	}
	return list
}

// A lookup is the host and the path of a request.
type lookup struct{ host, path string }

// Lookups are pieces of one text in the order in which they are asked for, as in
// a buffer that was read: little else is in the caches than what is measured.
type lookups struct {
	text string
	ends [2*asked + 1]uint32 // 0, and those of each host and its path
}

const asked = 1 << 14

// at returns the lookup i modulo their number.
func (l *lookups) at(i int) lookup {
	n := uint(i) % asked * 2
	from, host, path := l.ends[n], l.ends[n+1], l.ends[n+2]
	return lookup{l.text[from:host], l.text[host:path]}
}

// newLookups returns requests for random patterns; one in fifty finds nothing.
func newLookups(patterns []route.Pattern) *lookups {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	list := &lookups{}
	for i := range asked {
		p := patterns[r.IntN(len(patterns))]
		path := p.Path
		if p.Type == route.Prefix {
			path = strings.TrimSuffix(path, "/") + fmt.Sprintf("/%d", i)
		}
		host := p.Host
		if i%50 == 0 {
			host = "none" + host
		}
		text.WriteString(host)
		list.ends[2*i+1] = uint32(text.Len())
		text.WriteString(path)
		list.ends[2*i+2] = uint32(text.Len())
	}
	list.text = text.String()
	return list
}

// A floor is what one would write by hand: it knows no port, no letter case, no
// escape, no wildcard.
type floor map[string][]floorRoute

type floorRoute struct {
	path  string
	exact bool
	value uint32
}

func newFloor(patterns []route.Pattern) floor {
	f := floor{}
	for _, exact := range []bool{true, false} {
		for i, p := range patterns {
			if (p.Type == route.Exact) == exact {
				f[p.Host] = append(f[p.Host], floorRoute{strings.TrimSuffix(p.Path, "/"), exact, uint32(i)})
			}
		}
	}
	return f
}

func (f floor) lookup(host, path string) (value uint32, ok bool) {
	best := -1
	for _, r := range f[host] {
		if r.exact {
			if r.path == path {
				return r.value, true
			}
		} else if n := len(r.path); n > best && strings.HasPrefix(path, r.path) && (n == len(path) || path[n] == '/') {
			best, value = n, r.value
		}
	}
	return value, best >= 0
}

// newMux returns a ServeMux for the patterns; each has its handler.
func newMux(patterns []route.Pattern) *http.ServeMux {
	mux := http.NewServeMux()
	handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, p := range patterns {
		path := p.Path
		if p.Type == route.Prefix {
			path = strings.TrimSuffix(path, "/")
			if path != "" {
				mux.Handle(p.Host+path, handler)
			}
			path += "/"
		}
		mux.Handle(p.Host+path, handler)
	}
	return mux
}

var sink uint32

// warm runs the loop for all lookups, so that what is measured is no memory that
// nobody has touched since it was built.
func warm(loop func(int)) func(int) {
	loop(asked)
	return loop
}

func runTable(patterns []route.Pattern) gate.Setup {
	return func() func(int) {
		table, err := route.NewTable(routesOf(patterns), nil)
		if err != nil {
			panic(err)
		}
		list, at := newLookups(patterns), 0
		return warm(func(n int) {
			for range n {
				l := list.at(at)
				at++
				v, _ := table.Lookup(l.host, l.path)
				sink += v
			}
		})
	}
}

func runFloor(patterns []route.Pattern) gate.Setup {
	return func() func(int) {
		f := newFloor(patterns)
		list, at := newLookups(patterns), 0
		return warm(func(n int) {
			for range n {
				l := list.at(at)
				at++
				v, _ := f.lookup(l.host, l.path)
				sink += v
			}
		})
	}
}

func runMux(patterns []route.Pattern) gate.Setup {
	return func() func(int) {
		mux, w := newMux(patterns), httptest.NewRecorder()
		list, at := newLookups(patterns), 0
		requests := make([]*http.Request, asked)
		for i := range requests {
			l := list.at(i)
			requests[i] = &http.Request{Method: "GET", Host: l.host, URL: &url.URL{Path: l.path}, RequestURI: l.path}
		}
		return func(n int) {
			for range n {
				mux.ServeHTTP(w, requests[at%len(requests)])
				at++
			}
		}
	}
}

func bench(b *testing.B, name string, f gate.Setup) {
	b.Run(name, func(b *testing.B) {
		loop := f()
		b.ReportAllocs()
		b.ResetTimer()
		loop(b.N)
	})
}

func BenchmarkLookup(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{10, 1_000, 10_000, 100_000} {
			patterns := s.patterns(n)
			bench(b, fmt.Sprintf("%s/%d/table", s.name, n), runTable(patterns))
			if s.name == "many-hosts" || n <= 1_000 {
				bench(b, fmt.Sprintf("%s/%d/floor", s.name, n), runFloor(patterns))
			}
			if n <= 1_000 {
				bench(b, fmt.Sprintf("%s/%d/ServeMux", s.name, n), runMux(patterns))
			}
		}
	}
}

func BenchmarkNewTable(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
			routes := routesOf(s.patterns(n))
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := route.NewTable(routes, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n), "ns/route")
			})
		}
	}
}
