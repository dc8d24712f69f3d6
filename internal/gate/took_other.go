//go:build !linux

package gate

import "time"

var began = time.Now()

// threadTime returns the time that has gone by: there is none of a thread alone.
func threadTime() time.Duration { return time.Since(began) }
