package route_test

// The speed gates: what lookups and tables may cost as a multiple of code that
// runs beside them in the same process. Set READDRESS_GATES=1 to run them.

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/route"
)

// slack is what a gate leaves to noise beyond the bound.
const slack = 1.3

// A ratio is test as a multiple of base. goal is what it should be. held is
// what it may be where the goal has not been reached, so that it does not get
// worse.
type ratio struct {
	name       string
	base, test setup
	goal, held float64
}

// measure times the ratios, prints a table and fails for each that exceeds its
// goal, or what is held instead, times slack.
func measure(t *testing.T, ratios []ratio) {
	t.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-28s %10s %10s %7s %7s\n", "", "base ns", "ns", "ratio", "goal")
	for _, r := range ratios {
		base, test := fastest(r.base, r.test)
		x := test / base
		fmt.Fprintf(&table, "%-28s %10.1f %10.1f %7.2f %7.2f", r.name, base, test, x, r.goal)
		may := max(r.goal, r.held)
		if x > r.goal {
			fmt.Fprintf(&table, " not reached, held at %.2f", may)
		}
		table.WriteByte('\n')
		if x > may*slack {
			t.Errorf("%s: %.2f times its base, may be %.2f times %.1f", r.name, x, may, slack)
		}
	}
	t.Log(table.String())
}

// fastest returns the time of one iteration of a and of b, in nanoseconds: the
// fastest of rounds in turn, so that noise falls on both alike and mostly on
// neither. A round asks for everything once, so that no part of a table is left
// out because it is not in a cache.
func fastest(a, b setup) (nsA, nsB float64) {
	const placements, rounds = 3, 15
	nsA, nsB = math.Inf(1), math.Inf(1)
	for range placements {
		a, b := a(), b()
		for range rounds {
			nsA = min(nsA, timed(a))
			nsB = min(nsB, timed(b))
		}
	}
	return nsA, nsB
}

func timed(loop func(int)) float64 {
	const n = 1 << 14
	start := time.Now()
	loop(n)
	return float64(time.Since(start)) / n
}

func TestRatioFloor(t *testing.T) {
	gate.Need(t)
	var ratios []ratio
	for _, c := range []struct {
		n          int
		goal, held float64
	}{{10, 1.3, 0}, {1_000, 1.3, 0}, {10_000, 1.2, 0}, {100_000, 0.7, 0.8}} {
		patterns := manyHosts(c.n)
		checkFloor(t, patterns)
		ratios = append(ratios, ratio{fmt.Sprintf("floor, %d routes", c.n), runFloor(patterns), runTable(patterns), c.goal, c.held})
	}
	measure(t, ratios)
}

// checkFloor: what is compared does the same.
func checkFloor(t *testing.T, patterns []route.Pattern) {
	t.Helper()
	table, err := route.NewTable(routesOf(patterns), nil)
	if err != nil {
		t.Fatal(err)
	}
	f, hits := newFloor(patterns), 0
	for _, l := range lookups(patterns) {
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
	measure(t, []ratio{{"one host, 1000 to 100000", runTable(oneHost(1_000)), runTable(oneHost(100_000)), 3, 0}})
}

// The goal is a sixth of ServeMux, which is less than the floor takes here.
func TestRatioServeMux(t *testing.T) {
	gate.Need(t)
	patterns := manyHosts(1_000)
	measure(t, []ratio{{"ServeMux, 1000 routes", runMux(patterns), runTable(patterns), 1.0 / 6, 0.2}})
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
