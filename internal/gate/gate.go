// Package gate holds code to a cost: a multiple of what other code takes that
// runs beside it in the same process. It is for tests.
package gate

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// Need skips a test of speed, except where READDRESS_GATES=1 says that the
// machine is quiet and the build is not the race detector's.
func Need(t testing.TB) {
	t.Helper()
	if os.Getenv("READDRESS_GATES") != "1" {
		t.Skip("timing needs a quiet machine: set READDRESS_GATES=1")
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-race" && s.Value == "true" {
				t.Skip("the race detector's own cost would be measured")
			}
		}
	}
}

// A Setup makes a loop of n iterations of what is measured.
type Setup func() (loop func(n int))

// A Table measures ratios and keeps them for a log.
type Table struct {
	T testing.TB
	// Slack is what a ratio may exceed its bound by, for noise; 0: 1.3 times.
	Slack float64
	// Placements is how many times the loops of a row are made; 0: 10. What
	// waits for memory that others share needs more, to meet a time when it is
	// not crowded.
	Placements int
	rows       strings.Builder
}

// Row measures test as a multiple of base. goal is what it should be; 0: it is
// only reported. held is what it may be where the goal has not been reached, so
// that it does not get worse. A ratio beyond its bound times Slack is an error.
func (g *Table) Row(name string, base, test Setup, goal, held float64) {
	g.T.Helper()
	slack := g.Slack
	if slack == 0 {
		slack = 1.3
	}
	nsBase, nsTest := fastest(cmp.Or(g.Placements, 10), base, test)
	x := nsTest / nsBase
	fmt.Fprintf(&g.rows, "\n%-32s %10.1f %10.1f %7.2f", name, nsBase, nsTest, x)
	if goal == 0 {
		return
	}
	fmt.Fprintf(&g.rows, " %7.2f", goal)
	may := max(goal, held)
	if x > goal {
		fmt.Fprintf(&g.rows, " not reached, held at %.2f", may)
	}
	if x > may*slack {
		g.T.Errorf("%s: %.2f times its base, may be %.2f times %.1f", name, x, may, slack)
	}
}

// Log prints the rows.
func (g *Table) Log() {
	g.T.Helper()
	g.T.Logf("\n%-32s %10s %10s %7s %7s%s", "", "base ns", "ns", "ratio", "goal", g.rows.String())
}

// fastest returns the time of one iteration of a and of b, in nanoseconds: the
// fastest of many short rounds in turn, so that noise falls on both alike and
// mostly on neither. What else runs, and where the allocator puts things, can
// double the time of a few nanoseconds, so the loops are made anew several
// times.
func fastest(placements int, a, b Setup) (nsA, nsB float64) {
	const rounds = 50
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

// iterations returns how many make a round of loop. Of each number the fastest
// of several tries counts: what was interrupted would make rounds so short that
// the fastest is the one with the cheapest work.
func iterations(loop func(int)) int {
	const round, tries = 100 * time.Microsecond, 3
	for n := 1; ; n *= 2 {
		fastest := math.Inf(1)
		for range tries {
			fastest = min(fastest, timed(loop, n))
		}
		if fastest*float64(n) >= float64(round) {
			return n
		}
	}
}

func timed(loop func(int), n int) float64 {
	start := time.Now()
	loop(n)
	return float64(time.Since(start)) / float64(n)
}
