// What a pick costs, beside what others do for one, each written as well as
// its idea allows: a mutex around smooth weighted round robin, a mutex around
// a heap of deadlines, an alias table and a prefix sum with math/rand/v2.

package split_test

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/readdress/readdress/split"
)

// floorPick is the least that a schedule in a table can cost: one atomic
// addition, one modulo, one load.
type floorPick struct {
	count atomic.Uint64
	_     [64]byte
	table []uint16
}

func (f *floorPick) pick() int {
	return int(f.table[(f.count.Add(1)-1)%uint64(len(f.table))])
}

type swrr struct {
	mu      sync.Mutex
	weights []int64
	current []int64
	total   int64
}

func newSWRR(weights []uint32) *swrr {
	s := &swrr{current: make([]int64, len(weights))}
	for _, w := range weights {
		s.weights = append(s.weights, int64(w))
		s.total += int64(w)
	}
	return s
}

func (s *swrr) pick() int {
	s.mu.Lock()
	best := 0
	current := s.current[:len(s.weights)]
	most := int64(-1 << 62)
	for i, w := range s.weights {
		c := current[i] + w
		current[i] = c
		if c > most {
			best, most = i, c
		}
	}
	current[best] -= s.total
	s.mu.Unlock()
	return best
}

// edf is earliest deadline first, on a heap of values without interfaces.
type edf struct {
	mu   sync.Mutex
	heap []deadline
}

type deadline struct {
	at, step float64
	index    int
}

func newEDF(weights []uint32) *edf {
	e := new(edf)
	for i, w := range weights {
		e.heap = append(e.heap, deadline{1 / float64(w), 1 / float64(w), i})
	}
	sort.SliceStable(e.heap, func(i, j int) bool { return e.heap[i].at < e.heap[j].at })
	return e
}

func (e *edf) pick() int {
	e.mu.Lock()
	h := e.heap
	top := h[0]
	best := top.index
	top.at += top.step
	at := 0
	for {
		down := 2*at + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1].at < h[down].at {
			down++
		}
		if top.at <= h[down].at {
			break
		}
		h[at] = h[down]
		at = down
	}
	h[at] = top
	e.mu.Unlock()
	return best
}

// alias is Vose's method, with one random number for the column and the coin.
type alias struct {
	keep  []uint32 // of 2^32
	other []int32
}

func newAlias(weights []uint32) *alias {
	total, _ := sum(weights)
	n := len(weights)
	a := &alias{make([]uint32, n), make([]int32, n)}
	share := make([]float64, n)
	var small, large []int
	for i, w := range weights {
		share[i] = float64(w) * float64(n) / float64(total)
		if share[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.keep[s], a.other[s] = uint32(share[s]*(1<<32-1)), int32(l)
		if share[l] -= 1 - share[s]; share[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		a.keep[i], a.other[i] = 1<<32-1, int32(i)
	}
	return a
}

func (a *alias) pick() int {
	r := rand.Uint64()
	column := int(uint64(uint32(r)) * uint64(len(a.keep)) >> 32)
	if uint32(r>>32) <= a.keep[column] {
		return column
	}
	return int(a.other[column])
}

type prefix struct{ ends []uint64 }

func newPrefix(weights []uint32) *prefix {
	p := new(prefix)
	end := uint64(0)
	for _, w := range weights {
		end += uint64(w)
		p.ends = append(p.ends, end)
	}
	return p
}

func (p *prefix) pick() int {
	r := rand.Uint64N(p.ends[len(p.ends)-1])
	if len(p.ends) <= 16 {
		for i, end := range p.ends {
			if r < end {
				return i
			}
		}
	}
	low, high := 0, len(p.ends)
	for low < high {
		if middle := (low + high) / 2; r < p.ends[middle] {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// spread are n weights from 1 to 101.
func spread(n int) []uint32 {
	rng := rand.New(rand.NewPCG(15, uint64(n)))
	weights := make([]uint32, n)
	for i := range weights {
		weights[i] = 1 + uint32(rng.IntN(100))
	}
	weights[0] = 101
	return weights
}

func skewed(n int) []uint32 {
	weights := make([]uint32, n)
	for i := range weights {
		weights[i] = 1
	}
	weights[0] = 1_000
	return weights
}

// huge are 16 weights that sum to nearly 16,000,000.
func huge() []uint32 {
	weights := make([]uint32, 16)
	for i := range weights {
		weights[i] = split.MaxWeight - uint32(i)
	}
	return weights
}

var benchWeights = []struct {
	name    string
	weights []uint32
}{
	{"n=2", []uint32{80, 20}},
	{"n=3", []uint32{50, 30, 20}},
	{"n=8", spread(8)},
	{"n=16", spread(16)},
	{"n=64", spread(64)},
	{"n=16,skewed", skewed(16)},
	{"n=16,W=16000000", huge()},
	{"n=8,equal", []uint32{3, 3, 3, 3, 3, 3, 3, 3}},
}

// pickers are what is compared, by name, made anew for weights.
func pickers(tb testing.TB, weights []uint32) map[string]func() int {
	p := newPicker(tb, nil, weights...)
	c := p.Cursor(0)
	floor := &floorPick{table: make([]uint16, min(p.Cycle(), 1<<16))}
	for i := range floor.table {
		floor.table[i] = uint16(pick(tb, &c))
	}
	return map[string]func() int{
		"Pick":        func() int { i, _ := p.Pick(); return i },
		"Cursor":      func() int { i, _ := c.Pick(); return i },
		"floor":       floor.pick,
		"mutex-swrr":  newSWRR(weights).pick,
		"mutex-edf":   newEDF(weights).pick,
		"rand-alias":  newAlias(weights).pick,
		"rand-prefix": newPrefix(weights).pick,
	}
}

var pickerNames = []string{"Pick", "Cursor", "floor", "mutex-swrr", "mutex-edf", "rand-alias", "rand-prefix"}

var sink atomic.Int64

func BenchmarkPick(b *testing.B) {
	for _, w := range benchWeights {
		for _, name := range pickerNames {
			b.Run(w.name+"/"+name, func(b *testing.B) {
				pick := pickers(b, w.weights)[name]
				b.ReportAllocs()
				total := 0
				for b.Loop() {
					total += pick()
				}
				sink.Store(int64(total))
			})
		}
	}
}

// In parallel everything that shares a counter or a lock waits for the cache
// line; a Cursor a worker does not, and random numbers do not.
func BenchmarkPickParallel(b *testing.B) {
	for _, n := range []int{3, 64} {
		weights := spread(n)
		for _, name := range pickerNames {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				p := newPicker(b, nil, weights...)
				shared := pickers(b, weights)[name]
				b.RunParallel(func(pb *testing.PB) {
					pick := shared
					if name == "Cursor" {
						c := p.Cursor(rand.Uint64())
						pick = func() int { i, _ := c.Pick(); return i }
					}
					total := 0
					for pb.Next() {
						total += pick()
					}
					sink.Add(int64(total))
				})
			})
		}
	}
}

func BenchmarkPickHash(b *testing.B) {
	for _, w := range benchWeights {
		b.Run(w.name, func(b *testing.B) {
			p := newPicker(b, nil, w.weights...)
			b.ReportAllocs()
			h, total := uint64(1), 0
			for b.Loop() {
				i, _ := p.PickHash(h)
				h += 2
				total += i
			}
			sink.Store(int64(total))
		})
	}
}

func BenchmarkHash(b *testing.B) {
	b.ReportAllocs()
	h := uint64(0)
	for b.Loop() {
		h += split.Hash("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
	}
	sink.Store(int64(h))
}

func BenchmarkNew(b *testing.B) {
	for _, w := range append(benchWeights, struct {
		name    string
		weights []uint32
	}{"n=16,W=65536", []uint32{65_521, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
		list := backends(w.weights...)
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := split.New(list, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
