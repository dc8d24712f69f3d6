package rewrite_test

// The speed gates: what Apply and Clean may cost as a multiple of code that
// runs beside them in the same process. Set READDRESS_GATES=1 to run them.

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/rewrite"
)

// What a gate leaves to noise beyond the bound.
const (
	slack   = 1.3
	noSlack = 1
)

func needGates(t *testing.T) {
	t.Helper()
	if os.Getenv("READDRESS_GATES") != "1" {
		t.Skip("timing needs a quiet machine: set READDRESS_GATES=1")
	}
	if buildSetting(t, "-race") == "true" {
		t.Skip("the race detector's own cost would be measured")
	}
	if tagged(t, "purego") {
		t.Skip("the bounds are those of the build with unsafe")
	}
}

// A ratio is test as a multiple of base. goal is what it should be; 0: it is
// only reported. held is what it may be where the goal has not been reached, so
// that it does not get worse.
type ratio struct {
	name       string
	base, test setup
	goal, held float64
}

// gate measures the ratios, prints a table and fails for each that exceeds its
// goal, or what is held instead, times slack.
func gate(t *testing.T, slack float64, ratios []ratio) {
	t.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-28s %10s %10s %7s %7s\n", "", "base ns", "ns", "ratio", "goal")
	for _, r := range ratios {
		base, test := fastest(r.base, r.test)
		x := test / base
		fmt.Fprintf(&table, "%-28s %10.1f %10.1f %7.2f", r.name, base, test, x)
		if r.goal > 0 {
			fmt.Fprintf(&table, " %7.2f", r.goal)
			may := max(r.goal, r.held)
			if x > r.goal {
				fmt.Fprintf(&table, " not reached, held at %.2f", may)
			}
			if x > may*slack {
				t.Errorf("%s: %.2f times its base, may be %.2f times %.1f", r.name, x, may, slack)
			}
		}
		table.WriteByte('\n')
	}
	t.Log(table.String())
}

// fastest returns the time of one iteration of a and of b, in nanoseconds: the
// fastest of many short rounds in turn, so that noise falls on both alike and
// mostly on neither. Where the allocator puts things can double a time of a
// few nanoseconds, so the loops are made anew several times.
func fastest(a, b setup) (nsA, nsB float64) {
	const placements, rounds = 8, 50
	nsA, nsB = math.Inf(1), math.Inf(1)
	for range placements {
		a, b := a(), b()
		na, nb := iterations(a), iterations(b)
		for range rounds {
			nsA = min(nsA, timed(a, na))
			nsB = min(nsB, timed(b, nb))
		}
	}
	return nsA, nsB
}

// iterations returns how many make a round of loop.
func iterations(loop func(int)) int {
	const round = 100 * time.Microsecond
	n := 1
	for timed(loop, n)*float64(n) < float64(round) {
		n *= 2
	}
	return n
}

func timed(loop func(int), n int) float64 {
	start := time.Now()
	loop(n)
	return float64(time.Since(start)) / float64(n)
}

// goals are those of the scenarios, gross of the reset, and what is held where
// they have not been reached.
var goals = map[string][2]float64{
	"S1-trim-prefix":    {4},
	"S2-add-prefix":     {2.5, 3.3},
	"S3-set-path":       {4},
	"S4-set-host":       {3.5},
	"S5-host-from-path": {4},
	"S6-add-pair":       {2.2, 3},
	"S7-delete-key":     {2.1, 2.4},
	"S8-rename-key":     {2.6},
	"S9-keep-key":       {2.1, 3.2},
	"S10-regex-idiom":   {4},
	"S11-chain-of-five": {1.6, 2.3},
	"S12-twenty-pairs":  {0.95},
	"S13-absent-key":    {2},
	"S14-trim-escaped":  {4},
}

func TestRatioFloors(t *testing.T) {
	needGates(t)
	var ratios []ratio
	for _, c := range scenarios {
		checkFloor(t, c, c.in)
		goal := goals[c.name]
		ratios = append(ratios, ratio{c.name, runFloor(c.floor, c.in), runReuse(c.actions, c.in), goal[0], goal[1]})
	}
	gate(t, slack, ratios)
}

// Clean reads eighty bytes of which the floor of the chain skips most, by vector
// instructions. The goals were set where those are slower.
func TestRatioClean(t *testing.T) {
	needGates(t)
	in := usual
	if err := (*rewrite.Input)(nil).Clean(&in, nil); err != nil || in != usual {
		t.Fatalf("Clean makes %v of a clean URL, error %v", in, err)
	}
	base := runFloor(floorChain, usual)
	gate(t, slack, []ratio{
		{"clean", base, runClean(nil, usual), 0.39, 1.4},
		{"clean+S11", base, runClean(fiveActions, usual), 2, 3.6},
	})
}

func TestRatioRegexp(t *testing.T) {
	needGates(t)
	list := actions(rewrite.RewritePath(unrecognised, unrecognisedTemplate))
	if got, want := applied(t, program(list...), usual).Path, "/u/12345/orders"; got != want {
		t.Fatalf("path %s, want %s", got, want)
	}
	gate(t, slack, []ratio{
		{"unrecognised regex", runFind(unrecognised, usual.Path), runReuse(list, usual), 1.15, 1.4},
	})
}

// The number of actions costs next to nothing where the outcome is the same.
func TestRatioChains(t *testing.T) {
	needGates(t)
	var ratios []ratio
	for _, c := range chains {
		first := c.sizes[0]
		base := runReuse(c.build(first), usual)
		for _, n := range c.sizes[1:] {
			ratios = append(ratios, ratio{
				fmt.Sprintf("%s %d to %d", c.name, first, n), base, runReuse(c.build(n), usual), 1.3, 0,
			})
		}
	}
	ratios = append(ratios, ratio{
		"absent names 1 to 1000", runReuse(actions(absentNames(1)), usual), runReuse(actions(absentNames(1000)), usual), 1.5, 0,
	})
	gate(t, slack, ratios)
}

// Hostile queries cost linear time: twice the input takes at most 2.3 times as
// long, which leaves room for noise already.
func TestRatioHostile(t *testing.T) {
	needGates(t)
	var ratios []ratio
	double := func(name string, a rewrite.Action, in func(n int) rewrite.URL, n int) {
		list := actions(a)
		for i := range 2 {
			n := n << i
			ratios = append(ratios, ratio{fmt.Sprintf("%s %d to %d pairs", name, n, 2*n), runReuse(list, in(n)), runReuse(list, in(2*n)), 2.3, 0})
		}
	}
	double("H1", rewrite.KeepQuery("user"), hostileKeep, 1024)
	double("H2", rewrite.DeleteQuery("a"), hostileDelete, 2048)
	gate(t, noSlack, ratios)
}
