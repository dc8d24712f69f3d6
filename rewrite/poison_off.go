//go:build !race && !purego

package rewrite

// Without the race detector, Reuse leaves the memory as it is.

const poisons = false

func poison([]byte) {}
