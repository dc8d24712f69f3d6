//go:build race && !purego

package rewrite

// Under the race detector, Reuse overwrites the memory that it takes back.

// poisons says that poison has work to do each time.
const poisons = true

// poison overwrites memory that may still be visible through a string that
// outlived a call of Reuse.
func poison(b []byte) {
	for i := range b {
		b[i] = '!'
	}
}
