package split_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/readdress/readdress/split"
)

// compositions yields every list of n positive weights with a sum of at most
// total.
func compositions(n int, total uint32, yield func([]uint32)) {
	weights := make([]uint32, n)
	var fill func(i int, left uint32)
	fill = func(i int, left uint32) {
		if i == n {
			yield(weights)
			return
		}
		for w := uint32(1); w+uint32(n-i-1) <= left; w++ {
			weights[i] = w
			fill(i+1, left-w)
		}
	}
	fill(0, total)
}

// The deviation over a cycle is at most 1 - 1/(2n-2), for every list of
// weights with 2 ≤ n ≤ 6 and a sum of at most 40.
func TestDeviationExhaustive(t *testing.T) {
	t.Parallel()
	most := uint32(40)
	if quick() {
		most = 20
	}
	for n := 2; n <= 6; n++ {
		seen := 0
		compositions(n, most, func(weights []uint32) {
			seen++
			holdDeviation(t, weights)
		})
		t.Logf("n = %d: %d lists", n, seen)
	}
}

// holdDeviation fails unless the whole cycle keeps the bound and ends even.
func holdDeviation(t *testing.T, weights []uint32) {
	t.Helper()
	p := newPicker(t, nil, weights...)
	if r := split.Representation(p); r != "table" && r != "equal" {
		t.Fatalf("%v: %s, want a table", weights, r)
	}
	total, n := sum(weights)
	d := int64(2*n - 2)
	worst := deviation(t, weights, func() int { return pick(t, p) }, int64(p.Cycle()))
	if worst*d > total*(d-1) {
		t.Fatalf("%v: deviation %d/%d exceeds 1 - 1/%d", weights, worst, total, d)
	}
}

func TestDeviationRandom(t *testing.T) {
	t.Parallel()
	lists := 100_000
	if quick() {
		lists = 2_000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range lists {
		holdDeviation(t, randomWeights(rng))
	}
}

// randomWeights returns 2 to 64 weights, mostly short, skewed more or less,
// some 0, with a short cycle mostly and a sum of at most 65,536.
func randomWeights(rng *rand.Rand) []uint32 {
	n := 2 + rng.IntN(7)
	if rng.IntN(8) == 0 {
		n = 2 + rng.IntN(63)
	}
	limit := 1 + rng.IntN(12)
	switch rng.IntN(200) {
	case 0:
		limit = 65_536 / n
	case 1, 2, 3, 4, 5:
		limit = 1 + rng.IntN(200)
	}
	weights := make([]uint32, n)
	for i := range weights {
		weights[i] = 1 + uint32(rng.IntN(limit))
		switch rng.IntN(10) {
		case 0:
			weights[i] = 1
		case 1:
			if i > 1 {
				weights[i] = 0
			}
		}
	}
	return weights
}

// The fast construction gives the very sequence of the plain algorithm.
func TestTijdemanReference(t *testing.T) {
	compare := func(weights []uint32) {
		p := newPicker(t, nil, weights...)
		cycle := int(p.Cycle())
		if got, want := picks(t, p, cycle), tijdeman(weights, cycle); !slices.Equal(got, want) {
			t.Fatalf("%v:\n got %v\nwant %v", weights, got, want)
		}
	}
	for n := 2; n <= 4; n++ {
		compositions(n, 12, compare)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		weights := make([]uint32, 2+rng.IntN(9))
		for i := range weights {
			weights[i] = uint32(rng.IntN(30))
		}
		weights[rng.IntN(len(weights))] = 31
		compare(weights)
	}
}

func TestSmoothWRRReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		weights := make([]uint32, 1+rng.IntN(10))
		for i := range weights {
			weights[i] = uint32(rng.IntN(50))
		}
		weights[0] = 7
		p := newPicker(t, &split.Options{Schedule: split.SmoothWRR}, weights...)
		n := 2*int(p.Cycle()) + 3
		if got, want := picks(t, p, n), nginxOrder(weights, n); !slices.Equal(got, want) {
			t.Fatalf("%v:\n got %v\nwant %v", weights, got, want)
		}
	}
}

// Over all phases the first pick falls on each backend as often as its weight
// says, so replicas with spread phases do not start alike.
func TestPhaseSpread(t *testing.T) {
	for _, weights := range [][]uint32{{5, 1, 1}, {80, 20}, {100, 101, 100}, {4, 2, 0, 2}, {3, 3}, {99, 1}, {7}} {
		total, _ := sum(weights)
		first := make([]uint32, len(weights))
		for phase := range uint64(total) {
			first[pick(t, newPicker(t, &split.Options{Phase: phase}, weights...))]++
		}
		if !slices.Equal(first, weights) {
			t.Errorf("%v: first picks %v", weights, first)
		}
	}
}

// A phase starts in the middle of the cycle and goes on from there.
func TestPhaseIsASlot(t *testing.T) {
	for _, weights := range [][]uint32{{5, 1, 1}, {1, 1, 1}, {1_000_000, 999_999}, {65_535, 2, 3}} {
		plain := newPicker(t, nil, weights...)
		order := picks(t, plain, 40)
		for phase := range uint64(20) {
			p := newPicker(t, &split.Options{Phase: phase + 3*plain.Cycle()}, weights...)
			if got := picks(t, p, 20); !slices.Equal(got, order[phase:phase+20]) {
				t.Errorf("%v from phase %d: %v, want %v", weights, phase, got, order[phase:phase+20])
			}
		}
	}
}

func TestRepresentation(t *testing.T) {
	tests := []struct {
		weights []uint32
		want    string
		cycle   uint64
	}{
		{nil, "none", 0},
		{[]uint32{0, 0}, "none", 0},
		{[]uint32{0, 5}, "one", 1},
		{[]uint32{3, 0, 3, 3}, "equal", 3},
		{[]uint32{80, 20}, "table", 5},
		{[]uint32{1_000_000, 500_000}, "table", 3},
		{[]uint32{65_535, 1}, "table", 65_536},
		{[]uint32{65_536, 1}, "tree", 65_537},
		{[]uint32{1_000_000, 999_999, 1}, "tree", 2_000_000},
	}
	for _, tt := range tests {
		for _, s := range []split.Schedule{split.Tijdeman, split.SmoothWRR} {
			p := newPicker(t, &split.Options{Schedule: s}, tt.weights...)
			if got := split.Representation(p); got != tt.want || p.Cycle() != tt.cycle {
				t.Errorf("%v, schedule %d: %v, want %s and a cycle of %d", tt.weights, s, p, tt.want, tt.cycle)
			}
			if got, want := p.String(), fmt.Sprintf("%s, cycle %d", tt.want, tt.cycle); got != want {
				t.Errorf("%v: String is %q, want %q", tt.weights, got, want)
			}
		}
	}
}

func TestDivisor(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	check := func(n, x uint64) {
		if got := split.Mod(n, x); got != x%n {
			t.Fatalf("%d mod %d is %d, got %d", x, n, x%n, got)
		}
	}
	for n := uint64(2); n <= 65_536; n++ {
		top := uint64(1<<63-1) / n * n
		for _, x := range []uint64{0, 1, n - 1, n, n + 1, 1<<32 - 1, 1 << 32, top - 1, top, 1<<63 - 1} {
			check(n, x)
		}
		for range 8 {
			x := rng.Uint64() >> (1 + rng.IntN(63))
			check(n, x)
			check(n, x-x%n)
		}
	}
}
