package gate

import (
	"syscall"
	"time"
)

// threadTime returns how long this thread has had a processor.
func threadTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		panic(err) // every Linux has it
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
