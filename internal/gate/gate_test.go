package gate

import (
	"runtime"
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

// Work takes its time, and on Linux waiting takes none.
func TestTook(t *testing.T) {
	count := 0
	work := Took(func() {
		for i := range 200_000_000 {
			count += i & 1
		}
	})
	runtime.KeepAlive(count)
	const wait = 200 * time.Millisecond
	waiting := Took(func() { time.Sleep(wait) })
	if runtime.GOOS == "linux" && waiting > wait/2 {
		t.Errorf("%v of waiting took %v", wait, waiting)
	}
	if work < 10*time.Millisecond || work > time.Minute {
		t.Errorf("200,000,000 additions took %v", work)
	}
}
