// Edges that other tests step over: what scripts/mutate has found to be changed
// without a failing test.

package split_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/readdress/readdress/split"
)

// A percentage with more digits than fit into 64 bits is none.
func TestBucketsOfManyDigits(t *testing.T) {
	for _, percent := range []string{strings.Repeat("9", 20) + "%", "1" + strings.Repeat("0", 19) + "%", "9223372036854775808%"} {
		_, err := split.NewBuckets([]split.Row{{Percent: "10%", Value: "a"}, {Percent: percent, Value: "b"}}, nil)
		if !errors.Is(err, split.ErrPercent) {
			t.Errorf("%s: %v", percent, err)
		}
	}
}

// What is left may have the weight 1 in all.
func TestPickExceptLeavesOne(t *testing.T) {
	p, err := split.New([]split.Backend{{Name: "a", Weight: 5}, {Name: "b", Weight: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if i, err := p.PickExcept(0, func(i int) bool { return i == 0 }); i != 1 || err != nil {
			t.Fatalf("%d, %v", i, err)
		}
	}
}

// The last row that has a share is "*", however small the share is.
func TestAppendNginxSmallestShare(t *testing.T) {
	rules := []split.NginxRule{{Namespace: "n", Route: "r", Backends: []split.Backend{{Name: "a", Weight: 9_999}, {Name: "b", Weight: 1}}}}
	got, _, err := split.AppendNginx(nil, rules, nil)
	if err != nil || !strings.Contains(string(got), "    99.99% a;\n    * b; # 0.01%\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

// A phase counts modulo the cycle, up to the largest.
func TestCursorAtTheLargestPhase(t *testing.T) {
	for _, weights := range [][]uint32{{3, 2, 1}, {1, 1, 1}, {1_000_000, 999_999, 1}} {
		p := newPicker(t, nil, weights...)
		const phase = math.MaxUint64
		far, near := p.Cursor(phase), p.Cursor(phase%p.Cycle())
		for range 20 {
			a, errA := far.Pick()
			b, errB := near.Pick()
			if a != b || errA != nil || errB != nil {
				t.Fatalf("%v: %d, %v and %d, %v", weights, a, errA, b, errB)
			}
		}
	}
}

// SmoothWRR takes a step for each backend and slot, which a table of Tijdeman
// does not.
func TestRepresentationOfMany(t *testing.T) {
	weights := make([]uint32, 300)
	for i := range weights {
		weights[i] = 200
	}
	weights[0] = 199
	for schedule, want := range map[split.Schedule]string{split.Tijdeman: "table", split.SmoothWRR: "tree"} {
		if got := split.Representation(newPicker(t, &split.Options{Schedule: schedule}, weights...)); got != want {
			t.Errorf("schedule %d: %s, want %s", schedule, got, want)
		}
	}
}
