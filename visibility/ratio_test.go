// What lookups may cost, as multiples of one another.

package visibility_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/visibility"
)

type lookup func(host, client string) (visibility.Ref, bool)

// asking asks all queries in turn.
func asking(queries []query, f lookup) gate.Setup {
	return func() func(int) {
		i := 0
		return func(n int) {
			for range n {
				q := &queries[i]
				f(q.host, q.client)
				if i++; i == len(queries) {
					i = 0
				}
			}
		}
	}
}

// The size of the mesh: what is in a cache of a small one is not in one of a
// large one, and nothing else may differ. The number of different queries is
// the same.
func TestRatioOfSizes(t *testing.T) {
	gate.Need(t)
	g := &gate.Table{T: t}
	var small gate.Setup
	for _, size := range worlds {
		w := newWorld(size.namespaces, size.entries, size.hot)
		x := w.index(t)
		setup := asking(w.queries, x.LookupHost)
		if small == nil {
			small = setup
			continue
		}
		g.Row(size.name+" to S", small, setup, 3, 0)
	}
	g.Log()
}

// The obvious way, at M.
func TestRatioOfScan(t *testing.T) {
	gate.Need(t)
	g := &gate.Table{T: t}
	size := worlds[1]
	w := newWorld(size.namespaces, size.entries, size.hot)
	g.Row("index to scan", asking(w.queries, newScan(w).lookup), asking(w.queries, w.index(t).LookupHost), 1./3, 0)
	g.Log()
}

// The owners of one host: from one to a thousand, of which the client is one,
// and from one to a thousand that are hidden from it.
func TestRatioOfOwners(t *testing.T) {
	gate.Need(t)
	g := &gate.Table{T: t}
	one := newWorld(1, 1, 1)
	many := newWorld(1_000, 1_000, 1_000)
	g.Row("1,000 owners, own", asking(one.queries, one.index(t).LookupHost), asking(ownQueries(1_000), many.index(t).LookupHost), 1.5, 0)
	stranger := []query{{host: hotHost, client: "elsewhere"}}
	g.Row("1,000 owners, stranger", asking(stranger, one.index(t).LookupHost), asking(stranger, many.index(t).LookupHost), 1.5, 0)
	g.Log()
}

func ownQueries(namespaces int) []query {
	list := make([]query, namespaces)
	for i := range list {
		list[i] = query{host: hotHost, client: nsName(i)}
	}
	return list
}

// A relabelled namespace, one of a shared host among its own, beside an index
// that is made anew.
func TestRatioOfRelabel(t *testing.T) {
	gate.Need(t)
	size := worlds[1]
	w := newWorld(size.namespaces, size.entries, size.hot)
	x := w.index(t)
	build := fastest(3, func(int) { w.index(t) })
	relabel := fastest(200, func(i int) {
		level := []string{"PUBLIC", "NAMESPACE"}[i%2]
		var err error
		if x, err = x.With(visibility.Changes{Namespaces: map[string]map[string]string{nsName(1): {"level": level}}}); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("build %v, relabel %v", build, relabel)
	if relabel > build/50 {
		t.Errorf("a relabel takes %v and a build %v, want a fiftieth of it at most", relabel, build)
	}
}

// An entry more in a namespace that has all of the entries, beside one in a
// namespace that has few of them.
func TestRatioOfAdd(t *testing.T) {
	gate.Need(t)
	const entries = 50_000
	adding := func(namespaces int) gate.Setup {
		all := make([]visibility.Entry, entries)
		for i := range all {
			all[i] = serviceEntry(nsName(i%namespaces), fmt.Sprint("x", i), int64(i), fmt.Sprintf("h%d.example.com", i))
		}
		x := mustIndex(t, byLabel(t), nil, nil, all...)
		one := visibility.Changes{Set: []visibility.Entry{serviceEntry(nsName(0), "more", 1, "more.example.com")}}
		return func() func(int) {
			return func(n int) {
				for range n {
					if _, err := x.With(one); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	g := &gate.Table{T: t}
	g.Row("50,000 entries beside 50", adding(1_000), adding(1), 2, 0)
	g.Log()
}

func fastest(rounds int, f func(i int)) time.Duration {
	least := time.Duration(math.MaxInt64)
	for i := range rounds {
		start := time.Now()
		f(i)
		least = min(least, time.Since(start))
	}
	return least
}
