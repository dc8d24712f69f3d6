// What level promises of the lags that it makes: scripts/mutate has found that
// no other test notices when the last backend is left out.

package split

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for range 20_000 {
		n := 1 + rng.IntN(6)
		before, ahead := make([]int64, n), make([]int64, n)
		for j := range n {
			before[j], ahead[j] = rng.Int64N(400)-200, rng.Int64N(100)
		}
		lags := slices.Clone(before)
		level(lags, ahead)
		var sum int64
		for _, lag := range lags {
			sum += lag
		}
		if sum <= -int64(n) || sum >= int64(n) { // one for each that was rounded
			t.Fatalf("%d ahead at most by %d: %d, whose sum is %d", before, ahead, lags, sum)
		}
		// Those that did not stop at -ahead were lowered by the same, the others
		// by no more.
		by := int64(-1 << 62)
		for j := range lags {
			if lags[j] > -ahead[j] {
				by = max(by, before[j]-lags[j])
			}
		}
		for j := range lags {
			switch moved := before[j] - lags[j]; {
			case lags[j] < -ahead[j]:
				t.Fatalf("%d ahead at most by %d: %d", before, ahead, lags)
			case lags[j] > -ahead[j] && moved != by, by > -1<<62 && moved > by:
				t.Fatalf("%d ahead at most by %d: %d, not all lowered by %d", before, ahead, lags, by)
			}
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
