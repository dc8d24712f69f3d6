// Package picking compares picks of a backend by weight: package split, the
// least that a schedule in a table can cost (the floor), other ways written by
// hand and, in packages below this one, other projects.
package picking

import (
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/readdress/readdress/bench/internal/measure"
	"github.com/readdress/readdress/split"
)

// A Peer is another way to pick.
type Peer struct {
	Name string
	// New returns what picks an index of weights, in proportion to them.
	New func(tb testing.TB, weights []uint32) func() int
}

// Weights are the lists that are picked from: of 2, 3, 16 and 64 backends.
func Weights() [][]uint32 {
	return [][]uint32{{80, 20}, {50, 30, 20}, spread(16), spread(64)}
}

// spread are n weights from 1 to 101.
func spread(n int) []uint32 {
	random := rand.New(rand.NewPCG(15, uint64(n)))
	weights := make([]uint32, n)
	for i := range weights {
		weights[i] = 1 + uint32(random.IntN(100))
	}
	weights[0] = 101
	return weights
}

// Hand returns package split and the ways that are written by hand. All of
// them are safe for concurrent use, as the peers are.
func Hand() []Peer {
	return []Peer{
		{"floor", newTable},
		{"readdress", newSplit},
		{"mutex-swrr", newSWRR},
		{"random", newRandom},
	}
}

func newSplit(tb testing.TB, weights []uint32) func() int {
	p := picker(tb, weights)
	return func() int { i, _ := p.Pick(); return i }
}

func picker(tb testing.TB, weights []uint32) *split.Picker {
	backends := make([]split.Backend, len(weights))
	for i, w := range weights {
		backends[i] = split.Backend{Name: strconv.Itoa(i), Weight: w}
	}
	p, err := split.New(backends, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// newTable is one atomic addition, one modulo and one load.
func newTable(tb testing.TB, weights []uint32) func() int {
	p := picker(tb, weights)
	table := make([]uint16, p.Cycle())
	for i := range table {
		n, _ := p.Pick()
		table[i] = uint16(n)
	}
	var count atomic.Uint64
	return func() int { return int(table[(count.Add(1)-1)%uint64(len(table))]) }
}

// newSWRR is nginx's smooth weighted round robin on slices, under a lock.
func newSWRR(_ testing.TB, weights []uint32) func() int {
	var mu sync.Mutex
	weight, current, total := make([]int64, len(weights)), make([]int64, len(weights)), int64(0)
	for i, w := range weights {
		weight[i] = int64(w)
		total += int64(w)
	}
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		best := 0
		for i, w := range weight {
			current[i] += w
			if current[i] > current[best] {
				best = i
			}
		}
		current[best] -= total
		return best
	}
}

// newRandom draws a number and looks for it in the sums of the weights: no
// smoother for being simple.
func newRandom(_ testing.TB, weights []uint32) func() int {
	ends, total := make([]uint64, len(weights)), uint64(0)
	for i, w := range weights {
		total += uint64(w)
		ends[i] = total
	}
	return func() int {
		r := rand.Uint64N(total)
		low, high := 0, len(ends)
		for low < high {
			if middle := (low + high) / 2; r < ends[middle] {
				high = middle
			} else {
				low = middle + 1
			}
		}
		return low
	}
}

// Bench measures a peer.
func Bench(b *testing.B, p Peer) {
	for _, weights := range Weights() {
		measure.Run(b, measure.Name("backends", strconv.Itoa(len(weights)), "by", p.Name), func(tb testing.TB) measure.Loop {
			pick := p.New(tb, weights)
			return func(n int) {
				for range n {
					measure.Sink += pick()
				}
			}
		})
	}
}

// Check is a test that a peer picks in proportion to the weights.
func Check(t *testing.T, p Peer) {
	for _, weights := range Weights() {
		t.Run(strconv.Itoa(len(weights)), func(t *testing.T) {
			pick, total := p.New(t, weights), 0.
			for _, w := range weights {
				total += float64(w)
			}
			const picks = 100_000
			counts := make([]float64, len(weights))
			for range picks {
				counts[pick()]++
			}
			for i, got := range counts {
				if want := float64(weights[i]) / total; got/picks < want-.01 || got/picks > want+.01 {
					t.Errorf("share of %d is %.3f, want %.3f", i, got/picks, want)
				}
			}
		})
	}
}
