// Package soaktest runs the packages together for long: reloads under load, and
// memory that must not grow.
//
// READDRESS_SOAK=1 asks for the full numbers; without it the tests take moments.
package soaktest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/split"
)

// times returns full if the full numbers are asked for, and moments otherwise.
func times(moments, full int) int {
	if os.Getenv("READDRESS_SOAK") == "1" {
		return full
	}
	return moments
}

// A snapshot is all that a proxy reloads, of one version. Every part of it
// leaves the version in what it makes.
type snapshot struct {
	version string
	table   *route.Table[*site]
}

type site struct {
	version string
	program *rewrite.Program // at BeforeLocation and AfterLocation
	picker  *split.Picker
	forward []*rewrite.Program
}

// newSnapshot makes version n. Its pickers carry on from those of old, which
// may be nil.
func newSnapshot(n int, old *snapshot) (*snapshot, error) {
	version := strconv.Itoa(n)
	var routes []route.Route[*site]
	for i := range 3 {
		s := &site{version: version}
		var err error
		s.program, err = rewrite.Compile([]rewrite.Rule{
			{Hook: rewrite.BeforeLocation, Action: rewrite.AddQuery("before", version)},
			{Hook: rewrite.AfterLocation, Action: rewrite.ReplacePathPrefix(fmt.Sprintf("/app%d", i), "/v"+version)},
			{Hook: rewrite.AfterLocation, Action: rewrite.AddQuery("after", version)},
		}, nil)
		if err != nil {
			return nil, err
		}
		var backends []split.Backend
		for b := range 1 + n%3 {
			backends = append(backends, split.Backend{Name: strconv.Itoa(b), Weight: uint32(1 + (n+b)%5)})
			p, err := rewrite.Compile([]rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost(fmt.Sprintf("b%d.v%d", b, n))}}, nil)
			if err != nil {
				return nil, err
			}
			s.forward = append(s.forward, p)
		}
		if old == nil {
			s.picker, err = split.New(backends, nil)
		} else {
			before, _ := old.table.Lookup("h", fmt.Sprintf("/app%d", i))
			s.picker, err = before.picker.With(backends)
		}
		if err != nil {
			return nil, err
		}
		routes = append(routes, route.Route[*site]{Pattern: route.Pattern{Path: fmt.Sprintf("/app%d", i)}, Value: s})
	}
	table, err := route.NewTable(routes, nil)
	return &snapshot{version, table}, err
}

// handle is what a proxy does with one request. It reports where a version
// other than that of the snapshot was seen.
func (snap *snapshot) handle(app int, s *rewrite.Scratch) error {
	u := rewrite.URL{Scheme: "http", Host: "h", Path: fmt.Sprintf("/app%d/a%%2Fb", app)}
	if err := new(rewrite.Input).Clean(&u, s); err != nil {
		return err
	}
	found, _, err := snap.table.Route(&u, nil, func(s *site) *rewrite.Program { return s.program }, s)
	if err != nil {
		return err
	}
	if _, err := found.program.Apply(rewrite.AfterLocation, &u, s); err != nil {
		return err
	}
	b, err := found.picker.Pick()
	if err != nil {
		return err
	}
	attempt := u
	if _, err := found.forward[b].Apply(rewrite.Forward, &attempt, s); err != nil {
		return err
	}
	want := rewrite.URL{
		Scheme: "http", Host: fmt.Sprintf("b%d.v%s", b, snap.version), Path: "/v" + snap.version + "/a%2Fb",
		RawQuery: "before=" + snap.version + "&after=" + snap.version,
	}
	if attempt != want || found.version != snap.version {
		return fmt.Errorf("in version %s the site is of %s and the URL %v", snap.version, found.version, attempt)
	}
	return nil
}

// TestHotSwap reloads whole snapshots under the load of four workers, with a
// request between any two swaps: a request sees one version at every hook. Every
// hundredth snapshot is new; the others go back to an older one.
func TestHotSwap(t *testing.T) {
	const workers = 4
	swaps := times(20_000, 1_000_000)
	first, err := newSnapshot(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	var current atomic.Pointer[snapshot]
	current.Store(first)
	var done atomic.Bool
	var served atomic.Int64
	var requests, seen [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(41, uint64(w)))
			var s rewrite.Scratch
			last := ""
			for !done.Load() {
				if w%2 == 0 {
					s.Reuse() // the strings of the last request are gone
				}
				snap := current.Load()
				if err := snap.handle(rng.IntN(3), &s); err != nil {
					t.Error(err)
					return
				}
				served.Add(1)
				if requests[w]++; snap.version != last {
					last = snap.version
					seen[w]++
				}
				runtime.Gosched() // there may be fewer processors than workers
			}
		})
	}
	older := []*snapshot{first}
	before := heap()
	for n := 1; n <= swaps && !t.Failed(); n++ {
		next := older[n%len(older)]
		if n%100 == 0 {
			if next, err = newSnapshot(n, current.Load()); err != nil {
				t.Error(err)
				break
			}
			older = append(older[max(len(older)-15, 0):], next)
		}
		last := served.Load()
		current.Store(next)
		for served.Load() == last && !t.Failed() {
			runtime.Gosched()
		}
	}
	done.Store(true)
	wg.Wait()
	if after := heap(); after > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	runtime.KeepAlive(older)
	t.Logf("%d swaps; requests of each worker: %d; versions that each saw: %d", swaps, requests, seen)
}
