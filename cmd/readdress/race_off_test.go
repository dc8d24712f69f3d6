//go:build !race

package main

// raceDetector: the test binary is large in memory, and so, for the operating
// system, is what it starts.
const raceDetector = false
