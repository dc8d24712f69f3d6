package split_test

import (
	"math/rand/v2"
	"testing"

	"github.com/readdress/readdress/split"
)

// treeBound is what no tree can exceed: half the sum of the reciprocals of the
// Fibonacci numbers.
const treeBound = 1.68

// treeWorst is the worst that was measured, in the documentation of the
// package as 1.43.
const treeWorst = 1.435

// Cycles too long for a table are exact too, and stay within the bound that
// follows from the shape of the tree. The worst measured is in the
// documentation of the package.
func TestTreeDeviation(t *testing.T) {
	t.Parallel()
	lists := 70
	if quick() {
		lists = 14
	}
	shapes := map[string]func(rng *rand.Rand, n int) []uint32{
		"random": func(rng *rand.Rand, n int) []uint32 { return someWeights(rng, n, 200_000/n) },
		"alike":  func(rng *rand.Rand, n int) []uint32 { return someWeights(rng, n, 5) },
		"steep": func(rng *rand.Rand, n int) []uint32 {
			weights := make([]uint32, n)
			for i, x := range weights {
				x = 1
				for range rng.IntN(17) {
					x *= 2
				}
				weights[i] = x + uint32(rng.IntN(3))
			}
			return weights
		},
		"Fibonacci": func(rng *rand.Rand, n int) []uint32 {
			weights := make([]uint32, n)
			for i := range weights {
				weights[i] = 1
				if k := i % 24; k > 1 {
					weights[i] = weights[i-1] + weights[i-2] + uint32(rng.IntN(2))
				}
			}
			return weights
		},
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(19, 20))
			worst := make(map[int]float64)
			for k := range lists {
				n := []int{2, 3, 4, 8, 16, 24, 64}[k%7]
				weights := shape(rng, n)
				// Whatever it is, make the cycle too long for a table.
				if total, _ := sum(weights); total <= 65_536 {
					for i := range weights {
						weights[i] *= uint32(65_536/total + 1)
					}
					weights[0]++
				}
				p := newPicker(t, nil, weights...)
				if split.Representation(p) != "tree" || p.Cycle() > 2_000_000 {
					continue
				}
				total, _ := sum(weights)
				dev := float64(deviation(t, weights, func() int { return pick(t, p) }, int64(p.Cycle()))) / float64(total)
				worst[n] = max(worst[n], dev)
			}
			for _, n := range []int{2, 3, 4, 8, 16, 24, 64} {
				t.Logf("n = %2d: %.3f", n, worst[n])
				if worst[n] >= treeWorst {
					t.Errorf("n = %d: deviation %.3f", n, worst[n])
				}
			}
		})
	}
}

// The longest cycle of sixteen backends is exact.
func TestTreeLongest(t *testing.T) {
	t.Parallel()
	if quick() {
		t.Skip("takes a second")
	}
	weights := huge()
	p := newPicker(t, nil, weights...)
	total, _ := sum(weights)
	if dev := float64(deviation(t, weights, func() int { return pick(t, p) }, int64(p.Cycle()))) / float64(total); dev >= treeBound {
		t.Errorf("deviation %.3f", dev)
	}
}

// More backends than a table has slots.
func TestManyBackends(t *testing.T) {
	for name, weight := range map[string]func(i int) uint32{
		"equal": func(int) uint32 { return 5 },
		"tree":  func(i int) uint32 { return uint32(i%3 + 1) },
	} {
		list := make([]split.Backend, 70_000)
		total := uint32(0)
		for i := range list {
			list[i].Weight = weight(i)
			total += list[i].Weight
		}
		p, err := split.New(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := split.Representation(p); got != name {
			t.Fatalf("%s, want %s", got, name)
		}
		counts := make([]uint32, len(list))
		for range p.Cycle() {
			counts[pick(t, p)]++
		}
		scale := total / uint32(p.Cycle())
		for i, b := range list {
			if counts[i]*scale != b.Weight {
				t.Fatalf("%s: backend %d gets %d", name, i, counts[i])
			}
		}
		list[0].Weight++
		if p, err = p.With(list); err != nil {
			t.Fatal(err)
		}
		picks(t, p, 100)
	}
}
