//go:build !race && !purego

package rewrite

const poisons = false

func poison([]byte) {}
