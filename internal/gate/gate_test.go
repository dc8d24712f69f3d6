package gate

import (
	"testing"
	"time"
)

// One interruption does not make a round so short that it measures little.
func TestIterations(t *testing.T) {
	spin := func(d time.Duration) {
		for start := time.Now(); time.Since(start) < d; {
		}
	}
	interrupted := false
	n := iterations(func(n int) {
		for range n {
			spin(5 * time.Microsecond)
		}
		if !interrupted {
			interrupted = true
			spin(time.Millisecond)
		}
	})
	if n < 4 {
		t.Errorf("%d iterations of 5 µs make a round of 100 µs", n)
	}
}
