package split_test

// The speed gates: what a pick may cost as a multiple of code that runs beside
// it in the same process. Set READDRESS_GATES=1 to run them.

import (
	"math"
	"testing"

	"github.com/readdress/readdress/internal/gate"
)

// A ratio is a row of a gate.Table.
type ratio struct {
	name       string
	base, test func() (loop func(n int))
	goal, held float64
}

// measure holds ratios to their goals.
func measure(t *testing.T, ratios []ratio) {
	t.Helper()
	table := gate.Table{T: t}
	for _, r := range ratios {
		table.Row(r.name, r.base, r.test, r.goal, r.held)
	}
	table.Log()
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
	gate.Need(t)
	var ratios []ratio
	for _, w := range benchWeights {
		goal := 1.15
		if w.name == "n=16,W=16000000" {
			goal = 0 // a tree
		}
		ratios = append(ratios, ratio{w.name, loop(t, w.weights, "floor"), loop(t, w.weights, "Pick"), goal, 0})
	}
	measure(t, ratios)
}

// Against the better of the two that are smooth and keep state, Pick is to be
// 1.5 times as fast at n = 3, and 5 times at n = 64.
func TestRatioStateful(t *testing.T) {
	gate.Need(t)
	var ratios []ratio
	for _, w := range benchWeights {
		goal := map[string]float64{"n=3": 1 / 1.5, "n=64": 1. / 5}[w.name]
		for _, base := range []string{"mutex-swrr", "mutex-edf"} {
			ratios = append(ratios, ratio{w.name + " to " + base, loop(t, w.weights, base), loop(t, w.weights, "Pick"), goal, 0})
		}
	}
	measure(t, ratios)
}

// Random picks are no smoother for being cheap, but they have no state.
func TestRatioRandom(t *testing.T) {
	gate.Need(t)
	var ratios []ratio
	for _, w := range benchWeights {
		for _, base := range []string{"rand-alias", "rand-prefix"} {
			ratios = append(ratios, ratio{w.name + " to " + base, loop(t, w.weights, base), loop(t, w.weights, "Pick"), 0, 0})
		}
	}
	measure(t, ratios)
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
