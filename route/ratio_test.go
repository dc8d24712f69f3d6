package route_test

// The speed gates: what lookups and tables may cost as a multiple of code that
// runs beside them in the same process. Set READDRESS_GATES=1 to run them.

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// slack is what a gate that is no gate.Table leaves to noise beyond the bound.
const slack = 1.3

func TestRatioFloor(t *testing.T) {
	gate.Need(t)
	g := gate.Table{T: t}
	for _, c := range []struct {
		n          int
		goal, held float64
	}{{10, 1.3, 0}, {1_000, 1.3, 0}, {10_000, 1.2, 0}, {100_000, 0.7, 0.8}} {
		patterns := manyHosts(c.n)
		checkFloor(t, patterns)
		g.Row(fmt.Sprintf("floor, %d routes", c.n), runFloor(patterns), runTable(patterns), c.goal, c.held)
	}
	g.Log()
}

// checkFloor: what is compared does the same.
func checkFloor(t *testing.T, patterns []route.Pattern) {
	t.Helper()
	table, err := route.NewTable(routesOf(patterns), nil)
	if err != nil {
		t.Fatal(err)
	}
	f, hits := newFloor(patterns), 0
	list := newLookups(patterns)
	for i := range asked {
		l := list.at(i)
		got, ok := table.Lookup(l.host, l.path)
		want, found := f.lookup(l.host, l.path)
		if got != want || ok != found {
			t.Fatalf("%v: the table finds %d, %v, the floor %d, %v", l, got, ok, want, found)
		}
		if ok {
			hits++
		}
	}
	if hits < 1<<13 {
		t.Fatalf("only %d hits", hits)
	}
}

func TestFloor(t *testing.T) {
	for _, s := range shapes {
		checkFloor(t, s.patterns(200))
	}
}

// The cost of one host does not grow with its routes.
func TestRatioOneHost(t *testing.T) {
	gate.Need(t)
	g := gate.Table{T: t, Placements: 100}
	g.Row("one host, 1000 to 100000 routes", runTable(oneHost(1_000)), runTable(oneHost(100_000)), 3, 0)
	g.Log()
}

// The goal is a sixth of ServeMux, which is less than the floor takes here.
func TestRatioServeMux(t *testing.T) {
	gate.Need(t)
	patterns := manyHosts(1_000)
	g := gate.Table{T: t}
	g.Row("ServeMux, 1000 routes", runMux(patterns), runTable(patterns), 1.0/6, 0.2)
	g.Log()
}

// Twice as much to look at takes at most 2.3 times as long, whatever holds and
// however the path is spelled. What no route has is not looked at.
func TestRatioLinear(t *testing.T) {
	gate.Need(t)
	g := gate.Table{T: t}
	never := route.Conditions{Methods: []string{"NEVER"}}
	for _, segment := range []string{"/a", "/%61", "/%2f"} {
		nested := func(n int) gate.Setup { // each is a candidate, and none is chosen
			return runMatch(nestedRoutes(segment, n, never), nil, "a", strings.Repeat(segment, n))
		}
		g.Row(fmt.Sprintf("%d prefixes of %s hold not", 2000, segment), nested(1000), nested(2000), 2.3, 0)
		first := func(n int) gate.Setup {
			return runMatch(nestedRoutes(segment, n, route.Conditions{}), nil, "a", strings.Repeat(segment, n))
		}
		g.Row(fmt.Sprintf("%d prefixes of %s hold", 2000, segment), first(1000), first(2000), 2.3, 0)
		for _, routes := range []int{10, 100} {
			beyond := func(n int) gate.Setup {
				return runMatch(nestedRoutes(segment, routes, never), nil, "a", strings.Repeat(segment, n))
			}
			g.Row(fmt.Sprintf("a path beyond %d of %s", routes, segment), beyond(1_000), beyond(10_000), 1.5, 0)
		}
	}
	deep := &route.Options{AnyDepthWildcard: true, TryNextHost: true}
	wildcards := []route.Route[uint32]{{Pattern: route.Pattern{Host: "*.example"}}, {}}
	host := func(n int) gate.Setup {
		return runMatch(wildcards, deep, strings.Repeat("a.", n), "/")
	}
	g.Row("labels of a host", host(60), host(120), 2.3, 0)
	g.Row("labels beyond those of a host", host(60), host(10_000), 2.3, 0)
	g.Log()
}

// nestedRoutes are n routes of a host, each below the one before.
func nestedRoutes(segment string, n int, when route.Conditions) (list []route.Route[uint32]) {
	for i := range n {
		list = append(list, route.Route[uint32]{Pattern: route.Pattern{Host: "a", Path: strings.Repeat(segment, i+1)}, When: when})
	}
	return list
}

func runMatch(routes []route.Route[uint32], opts *route.Options, host, path string) gate.Setup {
	return func() func(int) {
		table, err := route.NewTable(routes, opts)
		if err != nil {
			panic(err)
		}
		u := &rewrite.URL{Host: host, Path: path}
		var r route.Request = &fakeRequest{method: "GET"}
		return func(n int) {
			for range n {
				v, _ := table.Match(u, r)
				sink += v
			}
		}
	}
}

// heap returns the bytes of live objects.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What a table holds beside its text and its values, in bytes a route.
func TestRatioMemory(t *testing.T) {
	gate.Need(t)
	const n, most = 100_000, 64
	shapes := append(slices.Clone(shapes), shape{"a host for each", hostEach})
	for _, s := range shapes {
		routes := routesOf(s.patterns(n))
		unique := map[string]bool{}
		text := 0
		for _, r := range routes {
			for _, s := range []string{r.Pattern.Host, r.Pattern.Path} {
				if !unique[s] {
					unique[s] = true
					text += len(s)
				}
			}
		}
		unique = nil
		before := heap()
		table, err := route.NewTable(routes, nil)
		if err != nil {
			t.Fatal(err)
		}
		const value = 4
		per := (float64(heap()) - float64(before) - float64(text)) / n
		t.Logf("%s: %.1f bytes a route, of them %d the value", s.name, per, value)
		if per-value > most {
			t.Errorf("%s: %.1f bytes a route, may be %d", s.name, per-value, most)
		}
		runtime.KeepAlive(routes)
		runtime.KeepAlive(table)
	}
}

func hostEach(n int) (list []route.Pattern) {
	for h := range n {
		list = append(list, route.Pattern{Host: fmt.Sprintf("svc%06d.example.com", h), Path: "/"})
	}
	return list
}

// Building costs at most a microsecond a route, and ten times the routes at
// most fourteen times the time.
func TestRatioBuild(t *testing.T) {
	gate.Need(t)
	for _, s := range append(slices.Clone(shapes), shape{"a host for each", hostEach}) {
		small, large := buildTime(t, s, 10_000), buildTime(t, s, 100_000)
		t.Logf("%s: %v for 10,000 routes, %v for 100,000: %.0f ns a route", s.name, small, large, float64(large)/100_000)
		if limit := time.Duration(slack * float64(100*time.Millisecond)); large > limit {
			t.Errorf("%s: %v for 100,000 routes, may be %v", s.name, large, limit)
		}
		if float64(large) > 14*slack*float64(small) {
			t.Errorf("%s: %.1f times the time for ten times the routes", s.name, float64(large)/float64(small))
		}
	}
}

func buildTime(t *testing.T, s shape, n int) time.Duration {
	routes := routesOf(s.patterns(n))
	best := time.Hour
	for range 7 {
		runtime.GC()
		start := time.Now()
		if _, err := route.NewTable(routes, nil); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	return best
}

// A collection with a large table alive costs little more than one without.
func TestRatioCollection(t *testing.T) {
	gate.Need(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	cycle := func() time.Duration {
		best := time.Hour
		for range 20 {
			start := time.Now()
			runtime.GC()
			best = min(best, time.Since(start))
		}
		return best
	}
	table, err := route.NewTable(routesOf(manyHosts(100_000)), nil)
	if err != nil {
		t.Fatal(err)
	}
	with := cycle()
	runtime.KeepAlive(table)
	table = nil
	idle := cycle()
	t.Logf("a collection: %v idle, %v with 100,000 routes", idle, with)
	if limit := idle + time.Duration(slack*float64(2*time.Millisecond)); with > limit {
		t.Errorf("%v with 100,000 routes, may be %v", with, limit)
	}
}
