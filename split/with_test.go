package split_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/readdress/readdress/split"
)

// Whatever the updates among the same names, none of weight 0, the joined run
// stays within 2 of the shares for n ≤ 8.
func TestWithDeviation(t *testing.T) {
	t.Parallel()
	bounds := map[int]float64{2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 2, 16: 2.1, 64: 2.4}
	// This one reaches more with 16, where Σ 1/k, from 2 to 16, is what nobody can better.
	const mostOfOrders = 2.38
	updates := 1500
	if quick() {
		updates = 150
	}
	for name, adversary := range adversaries {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{2, 3, 4, 5, 6, 8, 16, 64} {
				worst := 0.0
				for seed := range uint64(4) {
					rng := rand.New(rand.NewPCG(seed, uint64(n)))
					r := newRun(t, nil, backends(someWeights(rng, n, 10)...))
					for range updates / max(1, n/4) {
						r.stay(adversary(rng, r))
					}
					worst = max(worst, r.worst)
				}
				bound := bounds[n]
				if n == 16 && name == "pile, then orders of magnitude" {
					bound = mostOfOrders
				}
				t.Logf("n = %2d: %.3f", n, worst)
				if worst >= bound {
					t.Errorf("n = %d: deviation %.3f, must be below %g", n, worst, bound)
				}
			}
		})
	}
}

// Light backends that have had too much, all at once, do not make the heavy ones
// wait: what those are owed is spread over all of them.
func TestWithLightAhead(t *testing.T) {
	for _, weights := range [][]uint32{
		{1, 1, 2, 3, 5, 22, 363, 7_547},
		{1, 1, 1, 2, 4, 30, 52, 2_710},
		{1, 1, 2, 3, 12, 5_255, 230_130, 15_983},
		{2, 3, 3, 61, 80, 114, 62_668, 67_905},
	} {
		r := newRun(t, nil, backends(slices.Repeat([]uint32{1}, len(weights))...))
		for range 31 {
			r.stay(pile(nil, r), 1)
		}
		r.stay(lightAhead(weights, r), 20_000)
		t.Logf("%v: %.3f", weights, r.worst)
		if r.worst >= 2 {
			t.Errorf("%v: deviation %.3f, must be below 2", weights, r.worst)
		}
	}
}

// An update that changes no share continues the sequence, whatever changes in
// order, scale, validity and company.
func TestWithSame(t *testing.T) {
	tests := map[string][]split.Backend{
		"the same":       {{Name: "a", Weight: 5}, {Name: "b", Weight: 1}, {Name: "c", Weight: 2}},
		"scaled":         {{Name: "a", Weight: 500}, {Name: "b", Weight: 100}, {Name: "c", Weight: 200}},
		"in other order": {{Name: "c", Weight: 5 * 2}, {Name: "b", Weight: 5}, {Name: "a", Weight: 25}},
		"and without":    {{Name: "z"}, {Name: "c", Weight: 2}, {Name: "a", Weight: 5}, {Name: "b", Weight: 1}},
		"scaled to tree": {{Name: "a", Weight: 500_000}, {Name: "b", Weight: 100_000}, {Name: "c", Weight: 200_000}},
	}
	start := tests["the same"]
	for name, list := range tests {
		t.Run(name, func(t *testing.T) {
			for phase := range uint64(8) {
				whole := newRun(t, &split.Options{Phase: phase}, start)
				r := newRun(t, &split.Options{Phase: phase}, start)
				for k := range 50 {
					if k%3 == 1 {
						r.update(list)
					}
					if k%3 == 2 {
						r.update(start)
					}
					if got, want := r.pick(), whole.pick(); got != want {
						t.Fatalf("phase %d, pick %d: %s, want %s", phase, k, got, want)
					}
				}
			}
		})
	}
}

// The same over a tree, over equal weights, and after a change that mattered.
func TestWithSameOther(t *testing.T) {
	for _, weights := range [][]uint32{{1_000_000, 999_999, 7}, {2, 2, 2}, {3, 0, 0}, {99, 1, 0}} {
		list := backends(weights...)
		whole, r := newRun(t, nil, list), newRun(t, nil, list)
		changed := slices.Clone(list)
		changed[0].Weight--
		for k := range 400 {
			switch {
			case k == 100:
				whole.update(changed)
				r.update(changed)
			case k%7 == 0:
				turned := slices.Clone(r.list)
				slices.Reverse(turned)
				r.update(turned)
			}
			if got, want := r.pick(), whole.pick(); got != want {
				t.Fatalf("%v, pick %d: %s, want %s", weights, k, got, want)
			}
		}
	}
}

// Updates every few picks starve nobody: the light backend gets its share.
func TestWithStarvation(t *testing.T) {
	for _, weights := range [][]uint32{{99, 1}, {90, 10}, {100, 1, 1}, {1_000_000, 10_101}} {
		for every := 1; every <= 50; every += 4 {
			r := newRun(t, nil, backends(weights...))
			count := make(map[string]float64)
			want := make(map[string]float64)
			const picks = 20_000
			for k := range picks {
				if k%every == 0 {
					next := slices.Clone(weights)
					next[0] -= uint32(k / every % 2)
					r.reweigh(next...)
				}
				total := 0.0
				for _, b := range r.list {
					total += float64(b.Weight)
				}
				for _, b := range r.list {
					want[b.Name] += float64(b.Weight) / total
				}
				count[r.pick()]++
			}
			for name := range want {
				if d := count[name] - want[name]; d > 2 || d < -2 {
					t.Errorf("%v updated every %d: %s got %v of %.2f", weights, every, name, count[name], want[name])
				}
			}
		}
	}
}

// A backend that comes and goes gets what it earned while it was there.
func TestWithToggled(t *testing.T) {
	r := newRun(t, nil, backends(99, 1))
	count := 0
	const rounds = 2_000
	for range rounds {
		r.reweigh(99, 1)
		for range 5 {
			if r.pick() == r.list[1].Name {
				count++
			}
		}
		r.reweigh(99, 0)
		for range 3 {
			r.pick()
		}
	}
	if want := rounds * 5 / 100; count < want-2 || count > want+2 {
		t.Errorf("%d picks, want %d", count, want)
	}
}

// A light backend that was served just before has to wait until it has earned
// the next pick, in a table and in a tree: its deviation stays at 1/2.
func TestWithServedBefore(t *testing.T) {
	for _, heavy := range []uint32{9_999, 65_535, 65_536} {
		r := newRun(t, nil, backends(1, 1))
		light := r.pick()
		r.reweigh(1, heavy)
		for k := 1; k <= int(heavy)*19/20; k++ {
			if r.pick() == light {
				t.Errorf("1 to %d: %s has pick %d again", heavy, light, k)
				break
			}
		}
		for range heavy {
			r.pick()
		}
		if r.worst > .51 {
			t.Errorf("1 to %d: deviation %.3f", heavy, r.worst)
		}
	}
}

// When the heavy one goes, the two that are left take turns at once.
func TestWithHeavyLeaves(t *testing.T) {
	for _, weights := range [][]uint32{{5, 1, 1}, {80, 10, 10}, {100, 1, 1}, {1_000, 1, 1}, {999_999, 7, 7}} {
		for after := 0; after < 2_100; after += 1 + after/64 {
			for _, gone := range []bool{false, true} {
				r := newRun(t, nil, backends(weights...))
				for range after {
					r.pick()
				}
				left := slices.Clone(r.list)
				if left[0].Weight = 0; gone {
					left = left[1:]
				}
				r.update(left)
				holdRuns(t, r, fmt.Sprintf("%v after %d picks", weights, after), 2)
			}
		}
	}
}

// holdRuns fails if one backend gets more than most picks in a row.
func holdRuns(t *testing.T, r *run, name string, most int) {
	t.Helper()
	last, length := "", 0
	for k := range 80 {
		if got := r.pick(); got == last {
			length++
		} else {
			last, length = got, 1
		}
		if length > most {
			t.Fatalf("%s: %d times %s in a row at pick %d", name, length, last, k)
		}
	}
}

// Replicas that were spread stay so over an update.
func TestWithKeepsPhases(t *testing.T) {
	first := make(map[string]int)
	for phase := range uint64(100) {
		r := newRun(t, &split.Options{Phase: phase}, backends(99, 1))
		r.reweigh(98, 2)
		first[r.pick()]++
	}
	if light := first[backends(1, 1)[1].Name]; light < 1 || light > 3 {
		t.Errorf("after an update to 98:2 the light backend is first on %d of 100 replicas, want 2 ± 1", light)
	}

	// Nothing to carry: from one backend, and to others altogether.
	for _, start := range [][]split.Backend{
		{{Name: "x", Weight: 1}},
		{{Name: "x", Weight: 99}, {Name: "y", Weight: 1}},
		{{Name: "a", Weight: 100}, {Name: "b"}},
	} {
		first := make(map[string]int)
		for phase := range uint64(100) {
			r := newRun(t, &split.Options{Phase: phase}, start)
			r.update([]split.Backend{{Name: "a", Weight: 90}, {Name: "b", Weight: 10}})
			first[r.pick()]++
		}
		if first["b"] != 10 {
			t.Errorf("from %v to 90:10: b is first on %d of 100 replicas", start, first["b"])
		}
	}
}

// The picker that With was called on is as it was.
func TestWithLeavesOld(t *testing.T) {
	p, q := newPicker(t, nil, 3, 2), newPicker(t, nil, 3, 2)
	for range 20 {
		if _, err := p.With(backends(1, 5, 2)); err != nil {
			t.Fatal(err)
		}
		if got, want := pick(t, p), pick(t, q); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	}
}

// SmoothWRR stays the schedule, and its cycles stay exact.
func TestWithSmoothWRR(t *testing.T) {
	r := newRun(t, &split.Options{Schedule: split.SmoothWRR}, backends(5, 1, 1))
	for range 3 {
		r.pick()
	}
	r.reweigh(4, 2, 1)
	for range 64 {
		r.pick()
	}
	counts := make([]uint32, 3)
	for range 7 {
		counts[pick(t, r.p)]++
	}
	if !slices.Equal(counts, []uint32{4, 2, 1}) {
		t.Errorf("a cycle of %v", counts)
	}
}

// A table is not continued where its indexes would not fit.
func TestWithManyOfWeightZero(t *testing.T) {
	list := backends(2, 1)
	r := newRun(t, nil, list)
	r.pick()
	r.update(append(make([]split.Backend, 70_000), list...))
	counts := make(map[string]int)
	for range 300 {
		counts[r.pick()]++
	}
	if n := counts[list[0].Name]; n < 198 || n > 202 {
		t.Errorf("%d of 300, want 200 ± 2", n)
	}
}

// Backends of one name are told apart by their order, and those without one by
// their index.
func TestWithEqualNames(t *testing.T) {
	list := []split.Backend{{Name: "a", Weight: 3}, {Name: "a", Weight: 1}, {Weight: 2}}
	p, err := split.New(list, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := split.New(list, nil)
	if err != nil {
		t.Fatal(err)
	}
	// One of another name between the two moves the second, and the one without
	// a name stays at its index.
	between := []split.Backend{{Name: "a", Weight: 3}, {Name: "z"}, {Weight: 2}, {Name: "a", Weight: 1}}
	to := []int{0, 3, 2}
	for k := range 30 {
		next, err := p.With(between)
		if err != nil {
			t.Fatal(err)
		}
		want := to[pick(t, q)]
		if got := pick(t, next); got != want {
			t.Fatalf("pick %d: %d, want %d", k, got, want)
		}
		pick(t, p)
	}
}

// What is owed beyond one request is forgotten when others leave: one that was
// passed over by design gets two requests in a row, not three.
func TestWithClamp(t *testing.T) {
	const n = 8
	r := newRun(t, nil, backends(slices.Repeat([]uint32{1_000}, n)...))
	served := make(map[string]bool)
	for range n - 1 {
		weights := make([]uint32, n)
		for i, b := range r.list {
			weights[i] = 1
			if !served[b.Name] {
				weights[i] = split.MaxWeight
			}
		}
		r.reweigh(weights...)
		served[r.pick()] = true
	}
	var owed, first string
	for _, b := range r.list {
		if lag := r.lags[b.Name]; lag > 1.7 {
			owed = b.Name
		} else if lag < -.8 {
			first = b.Name
		}
	}
	if owed == "" || first == "" {
		t.Fatalf("the lags are %v", r.lags)
	}
	r.update([]split.Backend{{Name: owed, Weight: 1}, {Name: first, Weight: 1}})
	holdRuns(t, r, "the two that are left", 2)
}

// A stranger that comes and goes, and each time takes more than it has earned,
// does not change the proportion of the others.
func TestWithStranger(t *testing.T) {
	others := []split.Backend{{Name: "a", Weight: 3}, {Name: "b", Weight: 1}}
	r := newRun(t, nil, others)
	counts := make(map[string]int)
	for k := range 4_000 {
		r.update(append([]split.Backend{{Name: fmt.Sprint(k), Weight: 5}}, others...))
		counts[r.pick()]++
		r.update(others)
		counts[r.pick()]++
	}
	total := counts["a"] + counts["b"]
	if share := float64(counts["b"]) / float64(total); share < .24 || share > .26 {
		t.Errorf("b has %.3f of what a and b have, want 0.25", share)
	}
}
