package split_test

import (
	"math"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/readdress/readdress/split"
)

// judgePercentages tells what is wrong with the shares of weights, if anything.
func judgePercentages(weights []uint32) string {
	shares := split.Percentages(weights)
	if len(shares) != len(weights) {
		return "another length"
	}
	total, whole := 0.0, 0
	for i, w := range weights {
		total += float64(w)
		whole += shares[i]
	}
	switch {
	case total == 0 && whole != 0:
		return "shares of nothing"
	case total > 0 && whole != 10_000:
		return "do not sum to 100 %"
	}
	for i, w := range weights {
		switch exact := float64(w) / total * 10_000; {
		case shares[i] < 0:
			return "negative"
		case w == 0 && shares[i] != 0:
			return "a share for weight 0"
		case total > 0 && math.Abs(float64(shares[i])-exact) >= 1.000001:
			return "off by a hundredth or more"
		}
	}
	return ""
}

func TestPercentagesProperties(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(21))
	for name, weight := range map[string]gopter.Gen{
		"small":        gen.UInt32Range(0, 3),
		"up to 1,000":  gen.UInt32Range(0, 1_000),
		"up to 10^6":   gen.UInt32Range(0, split.MaxWeight),
		"every uint32": gen.UInt32(),
	} {
		properties.Property("shares of weights, "+name, prop.ForAll(judgePercentages, gen.SliceOf(weight)))
	}
	properties.TestingRun(t)
}

// Every three weights that sum to 1,000: a quarter of those that end in 0 made
// the float arithmetic print -0.00.
func TestPercentagesTriples(t *testing.T) {
	for a := range uint32(1_001) {
		for b := range 1_001 - a {
			weights := []uint32{a, b, 1_000 - a - b}
			got := split.Percentages(weights)
			if want := []int{int(a) * 10, int(b) * 10, int(weights[2]) * 10}; !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", weights, got, want)
			}
		}
	}
}

func TestRenormalize(t *testing.T) {
	list := []split.Backend{{Name: "a", Weight: 5}, {Name: "b", Weight: 3, Invalid: true}, {Name: "c"}}
	tests := []struct {
		name    string
		healthy []bool
		want    []uint32
	}{
		{"all", []bool{true, true, true}, []uint32{5, 3, 0}},
		{"one is down", []bool{false, true, true}, []uint32{0, 3, 0}},
		{"all are down", []bool{false, false, false}, []uint32{5, 3, 0}},
		{"only weight 0 is up", []bool{false, false, true}, []uint32{5, 3, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(list)
			got := split.Renormalize(list, func(i int) bool { return tt.healthy[i] })
			for i := range got {
				if got[i].Weight != tt.want[i] || got[i].Name != list[i].Name || got[i].Invalid != list[i].Invalid {
					t.Errorf("backend %d is %+v, want weight %d", i, got[i], tt.want[i])
				}
			}
			if !slices.Equal(list, before) {
				t.Error("the argument has changed")
			}
			if got[0].Name = "x"; list[0].Name == "x" {
				t.Error("the result is not a copy")
			}
		})
	}
	if got := split.Renormalize(list, nil); !slices.Equal(got, list) {
		t.Errorf("without healthy: %v", got)
	}
	if got := split.Renormalize(nil, func(int) bool { return false }); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
