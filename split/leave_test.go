// Backends whose weight goes to 0 and back, over and over.

package split_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/readdress/readdress/split"
)

// stays are weights and for how many picks they stay.
type stays struct {
	weights []uint32
	picks   int
}

// A backend that leaves every few picks, or whose company does, gets what it
// has earned while it was there, to within 2, however often that happens.
func TestWithFlaps(t *testing.T) {
	base := backends(90, 10)
	down := split.Renormalize(base, func(i int) bool { return i != 0 })
	tests := []struct {
		name   string
		rounds []stays
	}{
		{"stable down and up every 3 picks", []stays{{[]uint32{90, 10}, 3}, {[]uint32{down[0].Weight, down[1].Weight}, 0}}},
		{"and the canary alone in between", []stays{{[]uint32{90, 10}, 3}, {[]uint32{0, 10}, 1}}},
		{"the heavy one of three, for no pick", []stays{{[]uint32{98, 1, 1}, 5}, {[]uint32{0, 1, 1}, 0}}},
		{"and for one", []stays{{[]uint32{98, 1, 1}, 5}, {[]uint32{0, 1, 1}, 1}}},
		{"the second of two, for a pick", []stays{{[]uint32{60, 40}, 3}, {[]uint32{60, 0}, 1}}},
		{"all, for no pick", []stays{{[]uint32{99, 1}, 5}, {[]uint32{0, 0}, 0}}},
		{"two pairs in turn", []stays{{[]uint32{7, 3, 0, 0}, 1}, {[]uint32{0, 0, 7, 3}, 1}}},
		{"equal ones, one after the other", []stays{{[]uint32{0, 1, 1}, 1}, {[]uint32{1, 0, 1}, 1}, {[]uint32{1, 1, 0}, 1}}},
		{"a tree", []stays{{[]uint32{1_000_000, 10_101}, 3}, {[]uint32{0, 10_101}, 0}}},
		{"past the lead", []stays{{[]uint32{90, 9, 1}, 77}, {[]uint32{0, 9, 1}, 66}}},
		{"until all is even", []stays{{[]uint32{1, 1}, 1}, {[]uint32{1, 0}, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for phase := range uint64(4) {
				r := newRun(t, &split.Options{Phase: phase}, backends(tt.rounds[0].weights...))
				for range 1_000 {
					for _, s := range tt.rounds {
						r.stay(s.weights, s.picks)
					}
				}
				// A phase is a beginning in the middle: counted from slot 0, the
				// first picks have been made.
				if bound := 2 + float64(min(phase, 1)); r.worst >= bound {
					t.Errorf("phase %d: deviation %.3f, must be below %v", phase, r.worst, bound)
				}
			}
		})
	}
}

// leavers are adversaries who also let backends leave.
var leavers = map[string]adversary{
	"random, any time": func(rng *rand.Rand, r *run) ([]uint32, int) {
		return leave(rng, someWeights(rng, len(r.list), 1_000)), rng.IntN(1 + rng.IntN(200))
	},
	"random, skewed": func(rng *rand.Rand, r *run) ([]uint32, int) {
		weights := make([]uint32, len(r.list))
		for i := range weights {
			weights[i] = 1 << rng.IntN(13)
		}
		return leave(rng, weights), rng.IntN(4)
	},
	"random, every pick": func(rng *rand.Rand, r *run) ([]uint32, int) {
		return leave(rng, someWeights(rng, len(r.list), 50)), 1
	},
	"one up, one down": func(rng *rand.Rand, r *run) ([]uint32, int) {
		weights := make([]uint32, len(r.list))
		for i, b := range r.list {
			weights[i] = b.Weight
		}
		i := rng.IntN(len(weights))
		weights[i] = uint32(1+i) * 7
		weights[(i+1+rng.IntN(len(weights)-1))%len(weights)] = 0
		return weights, rng.IntN(9)
	},
	"health of fixed weights": func(rng *rand.Rand, r *run) ([]uint32, int) {
		weights := make([]uint32, len(r.list))
		for i := range weights {
			weights[i] = uint32(1 + i*i*i)
		}
		return leave(rng, weights), rng.IntN(6)
	},
}

// leave sets some weights to 0, but not all.
func leave(rng *rand.Rand, weights []uint32) []uint32 {
	stay := rng.IntN(len(weights))
	odds := 1 + rng.IntN(4)
	for i := range weights {
		if i != stay && rng.IntN(odds) > 0 {
			weights[i] = 0
		}
	}
	return weights
}

// Whoever leaves and returns at random, the joined run of up to eight names
// stays within 2.
func TestWithLeavers(t *testing.T) {
	t.Parallel()
	updates := 500
	if quick() {
		updates = 100
	}
	for name, adversary := range leavers {
		t.Run(name, func(t *testing.T) {
			for n := 2; n <= 8; n++ {
				worst := 0.0
				for seed := range uint64(3) {
					rng := rand.New(rand.NewPCG(seed, uint64(n)))
					r := newRun(t, nil, backends(someWeights(rng, n, 10)...))
					for range updates {
						r.stay(adversary(rng, r))
					}
					worst = max(worst, r.worst)
				}
				t.Logf("n = %d: %.3f", n, worst)
				if worst >= 2 {
					t.Errorf("n = %d: deviation %.3f, must be below 2", n, worst)
				}
			}
		})
	}
}

// Every sequence of three updates of three names, by these weights.
func TestWithLeaversExhaustive(t *testing.T) {
	t.Parallel()
	var lists [][]uint32
	for k := 1; k < 27; k++ {
		lists = append(lists, []uint32{uint32(k % 3), uint32(k / 3 % 3), uint32(k / 9)})
	}
	depth := 3
	if quick() {
		depth = 2
	}
	worst := 0.0
	var visit func(r *run, depth int)
	visit = func(r *run, depth int) {
		worst = max(worst, r.worst)
		if depth == 0 {
			return
		}
		for _, weights := range lists {
			for picks := 1; picks <= 2; picks++ {
				next := &run{t: t, p: r.p, list: r.list, lags: maps.Clone(r.lags)}
				next.stay(weights, picks)
				visit(next, depth-1)
			}
		}
	}
	visit(newRun(t, nil, backends(1, 1, 1)), depth)
	t.Logf("%.3f", worst)
	if worst > 1+1e-6 {
		t.Errorf("deviation %.3f, must be at most 1", worst)
	}
}

// Against one who sees all lags and chooses who leaves, (n-1)/2 is the best
// that any rule can do, and With does it. Waiting until a cycle has begun makes
// a little more.
func TestWithLeaversWorst(t *testing.T) {
	t.Parallel()
	updates, step := 800, 1
	if quick() {
		updates, step = 600, 3
	}
	pairs := func(rng *rand.Rand, r *run) ([]uint32, int) { return apart(rng, r), 1 }
	waiting := func(play adversary, most, settling int) adversary {
		return func(rng *rand.Rand, r *run) ([]uint32, int) {
			if rng.IntN(60) > 0 {
				return play(rng, r)
			}
			weights := leave(rng, someWeights(rng, len(r.list), most>>rng.IntN(5)))
			for range len(weights) / 3 { // too light to be settled
				if i := rng.IntN(len(weights)); weights[i] > 0 {
					weights[i] = 1
				}
			}
			return weights, settling + rng.IntN(100)
		}
	}
	tests := []struct {
		name      string
		adversary adversary
		more      float64 // than (n-1)/2
	}{
		{"pairs", pairs, 1e-3},
		{"pairs and more", mixed, 1e-3},
		{"pairs, waiting for a table", waiting(pairs, 8_000, split.Settling), .25},
		{"pairs and more, waiting for a table", waiting(mixed, 8_000, split.Settling), .25},
		{"pairs, waiting for a tree", waiting(pairs, split.MaxWeight, split.SettlingTree), .25},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for n := 2; n <= 8; n += step {
				floor := float64(n-1) / 2
				rng := rand.New(rand.NewPCG(7, uint64(n)))
				r := newRun(t, nil, backends(slices.Repeat([]uint32{1}, n)...))
				for range updates {
					r.stay(tt.adversary(rng, r))
				}
				t.Logf("n = %d: %.4f", n, r.worst)
				if r.worst > floor+tt.more {
					t.Errorf("n = %d: deviation %.4f, must be at most %.4f", n, r.worst, floor+tt.more)
				}
				if tt.name == "pairs" && r.worst < .98*floor {
					t.Errorf("n = %d: deviation %.4f, this adversary should reach %.4f", n, r.worst, floor)
				}
			}
		})
	}
}

// mixed is apart and level.
func mixed(rng *rand.Rand, r *run) ([]uint32, int) {
	if rng.IntN(4) == 0 {
		return level(rng, r), 1
	}
	return apart(rng, r), 1
}

// apart returns the weights that put two neighbours, by lag, a whole request
// apart, whichever of them gets the next pick: no rule can do anything against
// it. It is all 0 if everybody is as far apart as that.
func apart(rng *rand.Rand, r *run) []uint32 {
	weights := make([]uint32, len(r.list))
	order := byLag(r)
	for _, k := range rng.Perm(len(order) - 1) {
		behind, ahead := order[k], order[k+1]
		d := r.lags[r.list[behind].Name] - r.lags[r.list[ahead].Name]
		if d > 1-1e-4 {
			continue
		}
		weights[behind] = uint32((1 - d) / 2 * split.MaxWeight)
		weights[ahead] = split.MaxWeight - weights[behind]
		break
	}
	return weights
}

// level returns the weights by which several neighbours, by lag, are owed the
// same before the next pick.
func level(rng *rand.Rand, r *run) []uint32 {
	order := byLag(r)
	some := 2 + rng.IntN(len(order)-1)
	first := rng.IntN(len(order) - some + 1)
	order = order[first : first+some]
	mean := 1.0
	for _, i := range order {
		mean += r.lags[r.list[i].Name]
	}
	mean /= float64(some)
	weights := make([]uint32, len(r.list))
	for _, i := range order {
		weights[i] = uint32(max(0, mean-r.lags[r.list[i].Name]) / 16 * split.MaxWeight)
	}
	return weights
}

// byLag returns the indexes of the backends, the one that is owed most first.
func byLag(r *run) []int {
	order := make([]int, len(r.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(r.lags[r.list[b].Name], r.lags[r.list[a].Name])
	})
	return order
}

// One that returns, after however long, is not flooded, and neither is one of
// those that stayed.
func TestWithReturns(t *testing.T) {
	for _, weights := range [][]uint32{{1, 1}, {1, 1, 1}, {5, 5, 1}, {90, 10}, {1_000, 1, 1}, {1_000_000, 999_999, 7}} {
		for before := range 20 {
			for _, away := range []int{0, 1, 7, 50, 1_000} {
				r := newRun(t, nil, backends(weights...))
				for range before {
					r.pick()
				}
				gone := slices.Clone(weights)
				gone[0] = 0
				r.stay(gone, away)
				r.reweigh(weights...)
				counts := make(map[string]float64)
				total, _ := sum(weights)
				for k := range 200 {
					counts[r.pick()]++
					for i, b := range r.list {
						if d := counts[b.Name] - float64(k+1)*float64(weights[i])/float64(total); d >= 2 {
							t.Fatalf("%v, %d picks before, %d without the first: %s is %.2f ahead after %d more", weights, before, away, b.Name, d, k+1)
						}
					}
				}
			}
		}
	}
}

// What those who are not listed any more took, or did not take, is not shared
// out among those who are: a list that loses the heavy backend and gains it
// again starves nobody either.
func TestWithRemoved(t *testing.T) {
	for _, others := range []int{0, 1} {
		list := backends(90, 10)
		r := newRun(t, nil, list)
		counts := make(map[string]int)
		const rounds = 1_000
		for range rounds {
			r.update(list)
			for range 3 {
				counts[r.pick()]++
			}
			r.update(list[1:])
			for range others {
				r.pick()
			}
		}
		if light := counts[list[1].Name]; light < 3*rounds/10-15 || light > 3*rounds/10+15 {
			t.Errorf("with %d picks in between: the light one gets %d of %d, want 300 ± 15", others, light, 3*rounds)
		}
	}
}
