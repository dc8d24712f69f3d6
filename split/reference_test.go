// Slow, obvious implementations that the package is held against.

package split_test

import (
	"math/big"
	"runtime/debug"
	"testing"

	"github.com/readdress/readdress/split"
)

// tijdeman is the algorithm as published: of the backends whose lag is at
// least 1/(2n-2), the one whose lag would reach 1 - 1/(2n-2) first, in
// rational numbers. The lower index wins a tie.
func tijdeman(weights []uint32, picks int) []int {
	total, n := int64(0), int64(0)
	for _, w := range weights {
		total += int64(w)
		if w > 0 {
			n++
		}
	}
	least := big.NewRat(0, 1)
	if n > 1 {
		least = big.NewRat(1, 2*n-2)
	}
	counts := make([]int64, len(weights))
	slots := make([]int, 0, picks)
	for t := int64(1); t <= int64(picks); t++ {
		best := -1
		var first *big.Rat
		for i, w := range weights {
			if w == 0 {
				continue
			}
			share := big.NewRat(int64(w), total)
			lag := new(big.Rat).Mul(share, big.NewRat(t, 1))
			lag.Sub(lag, big.NewRat(counts[i], 1))
			if lag.Cmp(least) < 0 {
				continue
			}
			due := big.NewRat(counts[i]+1, 1)
			due.Sub(due, least)
			due.Quo(due, share)
			if best < 0 || due.Cmp(first) < 0 {
				best, first = i, due
			}
		}
		counts[best]++
		slots = append(slots, best)
	}
	return slots
}

// nginxOrder is smooth weighted round robin as nginx has it.
func nginxOrder(weights []uint32, picks int) []int {
	current := make([]int64, len(weights))
	slots := make([]int, 0, picks)
	for range picks {
		best, total := -1, int64(0)
		for i, w := range weights {
			if w == 0 {
				continue
			}
			current[i] += int64(w)
			total += int64(w)
			if best < 0 || current[i] > current[best] {
				best = i
			}
		}
		current[best] -= total
		slots = append(slots, best)
	}
	return slots
}

// backends are named bA, bB and so on.
func backends(weights ...uint32) []split.Backend {
	list := make([]split.Backend, len(weights))
	for i, w := range weights {
		list[i] = split.Backend{Name: "b" + string(rune('A'+i)), Weight: w}
	}
	return list
}

func newPicker(t testing.TB, opts *split.Options, weights ...uint32) *split.Picker {
	t.Helper()
	p, err := split.New(backends(weights...), opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func pick(t testing.TB, p interface{ Pick() (int, error) }) int {
	t.Helper()
	i, err := p.Pick()
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func picks(t testing.TB, p interface{ Pick() (int, error) }, n int) []int {
	t.Helper()
	got := make([]int, n)
	for k := range got {
		got[k] = pick(t, p)
	}
	return got
}

func sum(weights []uint32) (total int64, positive int) {
	for _, w := range weights {
		total += int64(w)
		if w > 0 {
			positive++
		}
	}
	return total, positive
}

// deviation returns, as a multiple of 1/total, the largest distance of any
// count from its share that the picks of one cycle reach.
func deviation(t testing.TB, weights []uint32, pick func() int, cycle int64) int64 {
	t.Helper()
	total, _ := sum(weights)
	lags := make([]int64, len(weights))
	worst := int64(0)
	for range cycle {
		i := pick()
		if weights[i] == 0 {
			t.Fatalf("%v: picked backend %d of weight 0", weights, i)
		}
		lags[i] -= total
		for j, w := range weights {
			lags[j] += int64(w)
			worst = max(worst, lags[j], -lags[j])
		}
	}
	for i, lag := range lags {
		if lag != 0 {
			t.Fatalf("%v: backend %d is off by %d/%d after a cycle", weights, i, -lag, total)
		}
	}
	return worst
}

// quick tells whether a test of arithmetic is to be content with fewer cases:
// on request, and under the race detector, which sees nothing in it.
func quick() bool { return testing.Short() || raced() }

func raced() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}
