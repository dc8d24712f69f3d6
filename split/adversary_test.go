// A picker under updates, and those who choose them.

package split_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/readdress/readdress/split"
)

// A run is a picker under updates, with what it owes each backend, exactly
// enough for tests.
type run struct {
	t     testing.TB
	p     *split.Picker
	list  []split.Backend
	lags  map[string]float64
	worst float64
}

func newRun(t testing.TB, opts *split.Options, list []split.Backend) *run {
	t.Helper()
	p, err := split.New(list, opts)
	if err != nil {
		t.Fatal(err)
	}
	return &run{t: t, p: p, list: slices.Clone(list), lags: make(map[string]float64)}
}

func (r *run) update(list []split.Backend) {
	r.t.Helper()
	p, err := r.p.With(list)
	if err != nil {
		r.t.Fatal(err)
	}
	r.p, r.list = p, slices.Clone(list)
}

func (r *run) pick() string {
	r.t.Helper()
	var total float64
	for _, b := range r.list {
		total += float64(b.Weight)
	}
	b := r.list[pick(r.t, r.p)]
	if b.Weight == 0 {
		r.t.Fatalf("%v: picked %s", r.list, b.Name)
	}
	r.lags[b.Name]--
	for _, b := range r.list {
		lag := r.lags[b.Name] + float64(b.Weight)/total
		r.lags[b.Name] = lag
		r.worst = max(r.worst, lag, -lag)
	}
	return b.Name
}

func (r *run) reweigh(weights ...uint32) {
	r.t.Helper()
	list := slices.Clone(r.list)
	for i, w := range weights {
		list[i].Weight = w
	}
	r.update(list)
}

// stay takes weights for some picks, or for none if they are all 0.
func (r *run) stay(weights []uint32, picks int) {
	r.t.Helper()
	r.reweigh(weights...)
	if total, _ := sum(weights); total > 0 {
		for range picks {
			r.pick()
		}
	}
}

// An adversary chooses the next weights and for how many picks they stay.
type adversary func(rng *rand.Rand, r *run) (weights []uint32, picks int)

var adversaries = map[string]adversary{
	"random weights, any time": func(rng *rand.Rand, r *run) ([]uint32, int) {
		return someWeights(rng, len(r.list), 1_000), 1 + rng.IntN(1+rng.IntN(300))
	},
	"random skewed weights": func(rng *rand.Rand, r *run) ([]uint32, int) {
		weights := make([]uint32, len(r.list))
		for i := range weights {
			weights[i] = 1 << rng.IntN(13)
		}
		return weights, 1 + rng.IntN(1+rng.IntN(300))
	},
	"random weights up to the largest": func(rng *rand.Rand, r *run) ([]uint32, int) {
		return someWeights(rng, len(r.list), split.MaxWeight), 1 + rng.IntN(1+rng.IntN(300))
	},
	"another weight every pick": func(rng *rand.Rand, r *run) ([]uint32, int) {
		return someWeights(rng, len(r.list), 50), 1
	},
	// What is worst for the greedy rule: everything to those who have been
	// left out most, of whom one is served each time.
	"pile on those behind": func(rng *rand.Rand, r *run) ([]uint32, int) {
		return pile(rng, r), 1
	},
	// Where weights differ by orders of magnitude, the light ones are not settled
	// when the cycle begins. It is worst if those are most ahead.
	"pile, then orders of magnitude": func(rng *rand.Rand, r *run) ([]uint32, int) {
		if rng.IntN(50) > 0 {
			return pile(rng, r), 1
		}
		weights := make([]uint32, len(r.list))
		for i := range weights {
			weights[i] = uint32(math.Pow(10, 6*rng.Float64()))
		}
		if rng.IntN(3) > 0 {
			weights = lightAhead(weights, r)
		}
		return weights, 1 << (6 + rng.IntN(9))
	},
	"wait, then pile": func(rng *rand.Rand, r *run) ([]uint32, int) {
		if rng.IntN(8) == 0 {
			return someWeights(rng, len(r.list), 60), 65 + rng.IntN(200)
		}
		return pile(rng, r), 1
	},
}

func someWeights(rng *rand.Rand, n int, most int) []uint32 {
	weights := make([]uint32, n)
	for i := range weights {
		weights[i] = 1 + uint32(rng.IntN(most))
	}
	return weights
}

// lightAhead sorts weights so that the lightest is most ahead.
func lightAhead(weights []uint32, r *run) []uint32 {
	weights = slices.Sorted(slices.Values(weights))
	sorted := make([]uint32, len(weights))
	for k, i := range byLag(r) {
		sorted[i] = weights[len(weights)-1-k]
	}
	return sorted
}

// pile gives nearly all weight to the few with the largest lags.
func pile(rng *rand.Rand, r *run) []uint32 {
	byLag := slices.Clone(r.list)
	slices.SortStableFunc(byLag, func(a, b split.Backend) int {
		switch x, y := r.lags[a.Name], r.lags[b.Name]; {
		case x > y+1e-9:
			return -1
		case x < y-1e-9:
			return 1
		}
		return 0
	})
	some := 2
	// As many as are about as far behind, or, with rng, a few at random.
	for some < len(byLag) && r.lags[byLag[some].Name] > r.lags[byLag[0].Name]-.01 {
		some++
	}
	if rng != nil && rng.IntN(6) == 0 {
		some = 1 + rng.IntN(len(byLag))
	}
	heavy := make(map[string]bool)
	for _, b := range byLag[:some] {
		heavy[b.Name] = true
	}
	weights := make([]uint32, len(r.list))
	for i, b := range r.list {
		weights[i] = 1
		if heavy[b.Name] {
			weights[i] = 1_000
		}
	}
	return weights
}
