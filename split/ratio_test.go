package split_test

// The speed gates: what a pick may cost as a multiple of code that runs beside
// it in the same process. Set READDRESS_GATES=1 to run them.

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// slack is what a gate leaves to noise beyond the bound.
const slack = 1.3

func needGates(t *testing.T) {
	t.Helper()
	if os.Getenv("READDRESS_GATES") != "1" {
		t.Skip("timing needs a quiet machine: set READDRESS_GATES=1")
	}
	if raced() {
		t.Skip("the race detector's own cost would be measured")
	}
}

// A ratio is test as a multiple of base. goal is what it should be; 0: it is
// only reported. held is what it may be where the goal has not been reached, so
// that it does not get worse.
type ratio struct {
	name       string
	base, test func() (loop func(n int))
	goal, held float64
}

func gate(t *testing.T, ratios []ratio) {
	t.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-32s %10s %10s %7s %7s\n", "", "base ns", "ns", "ratio", "goal")
	for _, r := range ratios {
		base, test := fastest(r.base, r.test)
		x := test / base
		fmt.Fprintf(&table, "%-32s %10.1f %10.1f %7.2f", r.name, base, test, x)
		if r.goal > 0 {
			fmt.Fprintf(&table, " %7.2f", r.goal)
			may := max(r.goal, r.held)
			if x > r.goal {
				fmt.Fprintf(&table, " not reached, held at %.2f", may)
			}
			if x > may*slack {
				t.Errorf("%s: %.2f times its base, may be %.2f times %.1f", r.name, x, may, slack)
			}
		}
		table.WriteByte('\n')
	}
	t.Log(table.String())
}

// fastest returns the time of one iteration of a and of b, in nanoseconds: the
// fastest of many short rounds in turn, so that noise falls on both alike and
// mostly on neither. What else runs, and where the allocator puts things, can
// multiply the time of an atomic operation for a while, so the loops are made
// anew several times.
func fastest(a, b func() func(int)) (nsA, nsB float64) {
	const placements, rounds = 12, 60
	nsA, nsB = math.Inf(1), math.Inf(1)
	for range placements {
		a, b := a(), b()
		na, nb := iterations(a), iterations(b)
		for range rounds {
			nsA = min(nsA, timed(a, na))
			nsB = min(nsB, timed(b, nb))
		}
	}
	return nsA, nsB
}

// iterations returns how many make a round of loop.
func iterations(loop func(int)) int {
	const round = 100 * time.Microsecond
	n := 1
	for timed(loop, n)*float64(n) < float64(round) {
		n *= 2
	}
	return n
}

func timed(loop func(int), n int) float64 {
	start := time.Now()
	loop(n)
	return float64(time.Since(start)) / float64(n)
}

// loop picks in the way of that name.
func loop(t *testing.T, weights []uint32, name string) func() func(int) {
	return func() func(int) {
		pick := pickers(t, weights)[name]
		return func(n int) {
			total := 0
			for range n {
				total += pick()
			}
			sink.Store(int64(total))
		}
	}
}

// A table costs hardly more than the one atomic addition, the modulo and the
// load that it cannot do without, whatever the weights.
func TestRatioFloor(t *testing.T) {
	needGates(t)
	var ratios []ratio
	for _, w := range benchWeights {
		goal := 1.15
		if w.name == "n=16,W=16000000" {
			goal = 0 // a tree
		}
		ratios = append(ratios, ratio{w.name, loop(t, w.weights, "floor"), loop(t, w.weights, "Pick"), goal, 0})
	}
	gate(t, ratios)
}

// Against the better of the two that are smooth and keep state, Pick is to be
// 1.5 times as fast at n = 3, and 5 times at n = 64.
func TestRatioStateful(t *testing.T) {
	needGates(t)
	var ratios []ratio
	for _, w := range benchWeights {
		goal := map[string]float64{"n=3": 1 / 1.5, "n=64": 1. / 5}[w.name]
		for _, base := range []string{"mutex-swrr", "mutex-edf"} {
			ratios = append(ratios, ratio{w.name + " to " + base, loop(t, w.weights, base), loop(t, w.weights, "Pick"), goal, 0})
		}
	}
	gate(t, ratios)
}

// Random picks are no smoother for being cheap, but they have no state.
func TestRatioRandom(t *testing.T) {
	needGates(t)
	var ratios []ratio
	for _, w := range benchWeights {
		for _, base := range []string{"rand-alias", "rand-prefix"} {
			ratios = append(ratios, ratio{w.name + " to " + base, loop(t, w.weights, base), loop(t, w.weights, "Pick"), 0, 0})
		}
	}
	gate(t, ratios)
}

// Every baseline spreads picks by the weights, so that like is compared.
func TestBaselines(t *testing.T) {
	for _, w := range benchWeights {
		total, _ := sum(w.weights)
		for name, pick := range pickers(t, w.weights) {
			const picks = 200_000
			counts := make([]float64, len(w.weights))
			for range picks {
				counts[pick()]++
			}
			for i, got := range counts {
				if want := float64(w.weights[i]) / float64(total); math.Abs(got/picks-want) > .01 {
					t.Errorf("%s, %s: share of %d is %.3f, want %.3f", w.name, name, i, got/picks, want)
				}
			}
		}
	}
}
