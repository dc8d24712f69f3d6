package split_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/readdress/readdress/split"
)

func TestHash(t *testing.T) {
	for key, want := range map[string]uint64{
		"": 0,
		// From the test suite of the authors of FNV.
		"a":      0xaf63dc4c8601ec8c,
		"b":      0xaf63df4c8601f1a5,
		"foobar": 0x85944171f73967e8,
	} {
		if got := split.Hash(key); got != want {
			t.Errorf("Hash(%q) = %#x, want %#x", key, got, want)
		}
		if got := split.HashBytes([]byte(key)); got != want {
			t.Errorf("HashBytes(%q) = %#x, want %#x", key, got, want)
		}
	}
	// A key whose FNV-1a hash is 0 is a key all the same.
	zero := []byte{0xd5, 0x6b, 0xb9, 0x53, 0x42, 0x87, 0x08, 0x36}
	reference := fnv.New64a()
	reference.Write(zero)
	if got := reference.Sum64(); got != 0 {
		t.Fatalf("the hash of the test's key is %#x", got)
	}
	if split.HashBytes(zero) == 0 || split.Hash(string(zero)) == 0 {
		t.Error("a key with the hash of no key")
	}
}

func pickHash(t testing.TB, p *split.Picker, h uint64) int {
	t.Helper()
	i, err := p.PickHash(h)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// hashes are those of n users.
func hashes(n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = split.Hash(fmt.Sprintf("user-%d", i))
	}
	return list
}

func TestPickHashShares(t *testing.T) {
	t.Parallel()
	keys := 1_000_000
	if quick() {
		keys = 100_000
	}
	users := hashes(keys)
	for _, weights := range [][]uint32{{90, 10}, {50, 30, 20}, {0, 1, 1, 1}, {1_000_000, 999_999, 1}, {1, 2, 3, 4, 5, 6, 7, 8}, {999, 1}} {
		p := newPicker(t, nil, weights...)
		total, _ := sum(weights)
		counts := make([]int, len(weights))
		for _, h := range users {
			counts[pickHash(t, p, h)]++
		}
		for i, w := range weights {
			share := float64(w) / float64(total)
			got := float64(counts[i]) / float64(keys)
			if math.Abs(got-share) > .01 || w == 0 && counts[i] > 0 {
				t.Errorf("%v: share of %d is %.4f, want %.4f", weights, i, got, share)
			}
			// Five standard deviations, which tells a bias of the logarithm.
			if sigma := math.Sqrt(share * (1 - share) / float64(keys)); math.Abs(got-share) > 5*sigma {
				t.Errorf("%v: share of %d is %.5f, want %.5f ± %.5f", weights, i, got, share, 5*sigma)
			}
		}
	}
}

// The integer logarithm is that of package math, as far as that is exact.
func TestNegLog2(t *testing.T) {
	check := func(u uint64) {
		want := -math.Log2(float64(u) / (1 << 64))
		got := float64(split.NegLog2(u)) / (1 << 36)
		if math.Abs(got-want) > 1e-7*want+1e-10 {
			t.Errorf("-log2(%#x/2^64) = %.12f, want %.12f", u, got, want)
		}
	}
	for shift := range 64 {
		check(1 << shift)
		for k := range uint64(1_000) {
			check((1<<63 + k*0x20c49ba5e353f7) >> shift)
		}
	}
	for u := uint64(1) << 40; u > 0; u /= 3 {
		if split.NegLog2(-u) == 0 {
			t.Errorf("no age at 2^64 - %d", u)
		}
	}
}

// moved counts the users who go from one backend to another, by name.
func moved(t testing.TB, before, after []split.Backend, opts *split.Options, users []uint64) map[[2]string]int {
	t.Helper()
	p, err := split.New(before, opts)
	if err != nil {
		t.Fatal(err)
	}
	q, err := split.New(after, opts)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[[2]string]int)
	for _, h := range users {
		a, b := before[pickHash(t, p, h)].Name, after[pickHash(t, q, h)].Name
		if a != b {
			count[[2]string{a, b}]++
		}
	}
	return count
}

func TestPickHashMoves(t *testing.T) {
	users := hashes(100_000)
	pair := func(stable, canary uint32) []split.Backend {
		return []split.Backend{{Name: "stable", Weight: stable}, {Name: "canary", Weight: canary}}
	}
	three := backends(50, 30, 20)
	reversed := slices.Clone(three)
	slices.Reverse(reversed)
	tests := []struct {
		name          string
		before, after []split.Backend
		from, to      string  // the only ones to lose and gain; empty: any
		share         float64 // of users that move
	}{
		{"90/10 to 80/20", pair(90, 10), pair(80, 20), "stable", "canary", .1},
		{"90/10 to 8/2", pair(90, 10), pair(8, 2), "stable", "canary", .1},
		{"90/10 to 9/1", pair(90, 10), pair(9, 1), "", "", 0},
		{"1/99 to 5/95", pair(99, 1), pair(95, 5), "stable", "canary", .04},
		{"listed in another order", three, reversed, "", "", 0},
		{"one goes", three, []split.Backend{three[0], three[2]}, three[1].Name, "", .3},
		{"one has weight 0", three, []split.Backend{three[0], {Name: three[1].Name}, three[2]}, three[1].Name, "", .3},
		{"one comes", backends(1, 1, 1), backends(1, 1, 1, 1), "", backends(1, 1, 1, 1)[3].Name, .25},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			for way, users := range moved(t, tt.before, tt.after, nil, users) {
				n += users
				if tt.from != "" && way[0] != tt.from || tt.to != "" && way[1] != tt.to {
					t.Errorf("%d users go from %s to %s", users, way[0], way[1])
				}
			}
			if share := float64(n) / float64(len(users)); math.Abs(share-tt.share) > .005 || tt.share == 0 && n > 0 {
				t.Errorf("%.4f of the users move, want %.2f ± 0.005", share, tt.share)
			}
		})
	}
}

// A salt makes other users the first ones: those of two salts overlap as far
// as chance has it. It is kept by With.
func TestPickHashSalt(t *testing.T) {
	users := hashes(100_000)
	canary := func(p *split.Picker) (set []bool) {
		for _, h := range users {
			set = append(set, pickHash(t, p, h) == 1)
		}
		return set
	}
	plain := canary(newPicker(t, nil, 90, 10))
	salted := newPicker(t, &split.Options{Salt: 1}, 90, 10)
	other := canary(salted)
	both := 0
	for i := range plain {
		if plain[i] && other[i] {
			both++
		}
	}
	if both < 850 || both > 1150 {
		t.Errorf("%d users are canaries with both salts, want about 1000", both)
	}
	next, err := salted.With(backends(9, 1))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(canary(next), other) {
		t.Error("With has lost the salt")
	}
}

// Which backend a hash gets is part of what a release promises: replicas of
// two releases serve the same users.
func TestPickHashStable(t *testing.T) {
	p, err := split.New([]split.Backend{{Name: "a", Weight: 5}, {Name: "b", Weight: 3}, {Name: "a", Weight: 1}, {Weight: 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, h := range hashes(60) {
		got += fmt.Sprint(pickHash(t, p, h))
	}
	if want := stableHashes; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

const stableHashes = "010320011031103130010001113012310031000010102100300331103003"

// Without a key PickHash is Pick, with the schedule's turn.
func TestPickHashNoKey(t *testing.T) {
	p, q := newPicker(t, nil, 5, 1, 1), newPicker(t, nil, 5, 1, 1)
	for range 20 {
		pickHash(t, p, 7) // takes no turn
		if got, want := pickHash(t, p, 0), pick(t, q); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	}
}

func TestPickExcept(t *testing.T) {
	p := newPicker(t, nil, 50, 30, 20, 0)
	users := hashes(1_000)
	for _, h := range users {
		// The next in order is what the hash gets when the first does not exist.
		first := pickHash(t, p, h)
		next, err := p.PickExcept(h, func(i int) bool { return i == first })
		weights := []uint32{50, 30, 20, 0}
		weights[first] = 0
		if want := pickHash(t, newPicker(t, nil, weights...), h); next != want || err != nil {
			t.Fatalf("after %d: %d, %v, want %d", first, next, err, want)
		}
		if got, err := p.PickExcept(h, nil); got != first || err != nil {
			t.Fatalf("with nothing to skip: %d, %v, want %d", got, err, first)
		}
	}

	// Without a hash, in proportion, and without disturbing Pick.
	q := newPicker(t, nil, 50, 30, 20, 0)
	counts := make([][]int, 4)
	for i := range counts {
		counts[i] = make([]int, 4)
	}
	const rounds = 10_000
	for range rounds {
		for skipped := range 4 {
			i, err := p.PickExcept(0, func(i int) bool { return i == skipped })
			if err != nil {
				t.Fatal(err)
			}
			counts[skipped][i]++
		}
		if got, want := pick(t, p), pick(t, q); got != want {
			t.Fatalf("Pick gives %d, want %d", got, want)
		}
	}
	weights := []float64{50, 30, 20, 0}
	for skipped, row := range counts {
		for i, got := range row {
			want := rounds * weights[i] / (100 - weights[skipped])
			if i == skipped {
				want = 0
			}
			if math.Abs(float64(got)-want) > 10 {
				t.Errorf("without %d: %d gets %d of %d, want %.0f ± 10", skipped, i, got, rounds, want)
			}
		}
	}
}

// What PickExcept without a hash keeps to, by whoever is skipped throughout, and
// with several skips in turn.
func TestPickExceptDeviation(t *testing.T) {
	t.Parallel()
	lists, picks := 60, 100_000
	if quick() {
		lists = 6
	}
	for turns, bound := range map[int]float64{1: 4, 2: 8, 3: 8, 5: 8} {
		rng := rand.New(rand.NewPCG(31, uint64(turns)))
		worst := 0.0
		for k := range lists {
			weights := someWeights(rng, 2+rng.IntN(15), []int{2, 100, split.MaxWeight}[k%3])
			p := newPicker(t, nil, weights...)
			sum, _ := sum(weights)
			counts := make([][]float64, turns)
			for turn := range counts {
				counts[turn] = make([]float64, len(weights))
			}
			for t := range picks {
				turn := t % turns
				skipped := turn % len(weights)
				i, _ := p.PickExcept(0, func(i int) bool { return i == skipped })
				counts[turn][i]++
				if t > 2_000 && t/turns%97 != 0 {
					continue
				}
				share := float64(t/turns+1) / float64(sum-int64(weights[skipped]))
				for i, w := range weights {
					if i != skipped {
						worst = max(worst, math.Abs(counts[turn][i]-share*float64(w)))
					}
				}
			}
		}
		t.Logf("%d in turn: %.2f", turns, worst)
		if worst >= bound {
			t.Errorf("%d in turn: deviation %.2f, must be below %v", turns, worst, bound)
		}
	}
}

func TestPickExceptExhausted(t *testing.T) {
	all := func(int) bool { return true }
	p := newPicker(t, nil, 1, 2, 0)
	one := newPicker(t, nil, 0, 2)
	none := newPicker(t, nil, 0, 0)
	for _, h := range []uint64{0, 1} {
		for _, tt := range []struct {
			p    *split.Picker
			skip func(int) bool
			want error
		}{
			{p, all, split.ErrExhausted},
			{p, func(i int) bool { return i < 2 }, split.ErrExhausted},
			{one, func(i int) bool { return i == 1 }, split.ErrExhausted},
			{none, all, split.ErrNoBackend},
			{none, nil, split.ErrNoBackend},
		} {
			if i, err := tt.p.PickExcept(h, tt.skip); i != -1 || !errors.Is(err, tt.want) {
				t.Errorf("%v, hash %d: %d, %v, want -1, %v", tt.p, h, i, err, tt.want)
			}
		}
		if i, err := one.PickExcept(h, func(i int) bool { return i == 0 }); i != 1 || err != nil {
			t.Errorf("%d, %v", i, err)
		}
	}
}
