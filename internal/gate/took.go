package gate

import (
	"runtime"
	"time"
)

// Took runs f and returns how long it kept its processor. Where the system tells
// the time of a thread, that is not longer on a machine that is busy with other
// things; elsewhere it is the time that went by. It is good to ten milliseconds,
// and what goroutines of f do is not in it.
func Took(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	f()
	return threadTime() - start
}
