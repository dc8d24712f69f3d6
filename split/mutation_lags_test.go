// What calm, byLag, tijdeman and lefts promise of lags, where picks alone seldom
// tell whether they keep it.

package split

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// What calm makes of lags has a sum of 0, nothing in the tree is more than 1/2
// ahead, and all who remain behind were lowered by the same.
func TestCalm(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for range 20_000 {
		weights := make([]int64, 2+rng.IntN(8))
		before := make([]int64, len(weights))
		for j := range weights {
			weights[j] = 1 + rng.Int64N(1<<rng.IntN(20))
			before[j] = rng.Int64N(6*one) - 3*one
		}
		nodes, lags := newTree(weights), slices.Clone(before)
		calm(nodes, lags)

		const little = one / 100
		below := make([]int64, len(nodes))
		for at := range nodes {
			for _, kid := range nodes[at].kids {
				var ahead int64
				if kid < 0 {
					ahead = -lags[^kid]
				} else {
					ahead = -below[kid]
				}
				below[at] -= ahead
				if ahead > one/2+little {
					t.Fatalf("%d with lags %d: %d, where %+v is ahead", weights, before, lags, nodes[at])
				}
			}
		}
		if sum := below[len(nodes)-1]; sum < -little || sum > little {
			t.Fatalf("%d with lags %d: %d, whose sum is %d", weights, before, lags, sum)
		}
		var by []int64
		for j, lag := range lags {
			if lag > 0 {
				by = append(by, before[j]-lag)
			}
		}
		if len(by) > 0 && slices.Max(by) != slices.Min(by) {
			t.Fatalf("%d with lags %d: %d, lowered by %d", weights, before, lags, by)
		}
	}
}

// Equal weights take turns in the order of what they are owed.
func TestByLag(t *testing.T) {
	got := byLag([]int32{2, 3, 5, 7, 8}, []int64{0, one, -one, one, 0})
	if want := []int32{3, 7, 2, 8, 5}; !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
}

// Who is owed more goes first, also beyond what a deadline can tell.
func TestTijdemanOwed(t *testing.T) {
	for _, tt := range []struct {
		lags []int64
		want []int32
	}{
		{[]int64{one, 2 * one, -one, -2 * one}, []int32{1, 0, 1}},
		{[]int64{one, 3 * one, -2 * one, -2 * one}, []int32{1, 1, 0}},
		{[]int64{one, 100 * one, -50 * one, -51 * one}, []int32{1, 1, 1}},
		{[]int64{-250 * one, -250 * one, 500 * one, 0}, []int32{2, 2, 2}},
	} {
		if got := tijdeman([]int64{3, 3, 3, 3}, 12, tt.lags); !slices.Equal(got[:3], tt.want) {
			t.Errorf("%d: %d, want %d first", tt.lags, got, tt.want)
		}
	}
}

// lefts is (t·left + offset)/total, rounded down, from 0 to t.
func TestLefts(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	for range 20_000 {
		v := node{total: 2 + rng.Uint64N(1<<40)>>rng.IntN(38)}
		v.left = 1 + rng.Uint64N(v.total-1)
		v.offset = (rng.Int64() - 1<<62) >> (22 + rng.IntN(40))
		picks := rng.Uint64() >> (1 + rng.IntN(62))
		if rng.IntN(2) == 0 { // a product that ends in zeros, below which the offset leads
			v.total, v.left, picks = 1<<40+rng.Uint64N(1<<40), 1<<39, rng.Uint64N(1<<20)<<30
		}
		want := new(big.Int).Mul(new(big.Int).SetUint64(picks), new(big.Int).SetUint64(v.left))
		want.Add(want, big.NewInt(v.offset))
		if want.Sign() < 0 {
			want.SetUint64(0)
		}
		want.Div(want, new(big.Int).SetUint64(v.total))
		if most := new(big.Int).SetUint64(picks); want.Cmp(most) > 0 {
			want = most
		}
		if got := v.lefts(picks); got != want.Uint64() {
			t.Fatalf("%+v: %d of %d, want %d", v, got, picks, want)
		}
	}
}
