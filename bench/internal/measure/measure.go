// Package measure has what the benchmarks of all families share: how a name
// is made, and how a loop is timed.
package measure

import (
	"slices"
	"strings"
	"testing"
)

// A Loop does n times what is measured.
type Loop func(n int)

// Name makes the name of a benchmark of pairs of key and value, in the form
// by which benchstat tells them apart: shape=one-host/routes=10/by=floor.
func Name(pairs ...string) string {
	var b strings.Builder
	for i, s := range pairs {
		switch {
		case i%2 == 1:
			b.WriteByte('=')
		case i > 0:
			b.WriteByte('/')
		}
		b.WriteString(s)
	}
	return b.String()
}

// Sink takes results, so that nothing that makes them is left out.
var Sink int

// warm is how many iterations come before those that count.
const warm = 16

// Run is b.Run for a loop that setup makes. It is made once, however many
// iterations package testing tries, and not at all for a benchmark that is not
// asked for. What setup leaves to Cleanup is done when all of them are over.
func Run(b *testing.B, name string, setup func(tb testing.TB) Loop) {
	var loop Loop
	var cleanup []func()
	b.Run(name, func(b *testing.B) {
		if loop == nil {
			loop = setup(&keeper{b, &cleanup})
			loop(warm)
		}
		b.ReportAllocs()
		b.ResetTimer()
		loop(b.N)
	})
	for _, f := range slices.Backward(cleanup) {
		f()
	}
}

// A keeper postpones Cleanup.
type keeper struct {
	testing.TB
	cleanup *[]func()
}

func (k *keeper) Cleanup(f func()) { *k.cleanup = append(*k.cleanup, f) }
