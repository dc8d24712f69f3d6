package rewrite_test

// The speed gates: what Apply and Clean may cost as a multiple of code that
// runs beside them in the same process. Set READDRESS_GATES=1 to run them.

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/rewrite"
)

func needGates(t *testing.T) {
	t.Helper()
	gate.Need(t)
	if tagged(t, "purego") {
		t.Skip("the bounds are those of the build with unsafe")
	}
}

// A ratio is a row of a gate.Table.
type ratio struct {
	name       string
	base, test setup
	goal, held float64
}

// measure holds ratios to their goals, slack being what they may exceed them
// by; 0: as usual.
func measure(t *testing.T, slack float64, ratios []ratio) {
	t.Helper()
	table := gate.Table{T: t, Slack: slack}
	for _, r := range ratios {
		table.Row(r.name, gate.Setup(r.base), gate.Setup(r.test), r.goal, r.held)
	}
	table.Log()
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
	measure(t, 0, ratios)
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
	measure(t, 0, []ratio{
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
	measure(t, 0, []ratio{
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
	measure(t, 0, ratios)
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
	measure(t, 1, ratios)
}
