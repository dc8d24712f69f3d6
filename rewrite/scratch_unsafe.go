//go:build !purego

package rewrite

// The memory of a Scratch: strings that are made in chunks of bytes.

import "unsafe"

// An arena is a chunk of bytes of which strings are made. Bytes that belong to
// a string are never written again, except after rewind.
type arena struct {
	buf   []byte   // the chunk; len is what strings have taken
	spent int      // bytes that strings have taken of earlier chunks since rewind
	grown bool     // the chunk is new since rewind
	keep  bool     // rewind has been called: chunks may be larger than chunkSize
	old   [][]byte // earlier chunks since rewind, where poisons is set
}

// grow starts a new chunk with room for n bytes. The old one stays with the
// strings in it.
//
//go:noinline
func (a *arena) grow(n int) {
	a.spent += len(a.buf)
	if poisons {
		a.old = append(a.old, a.buf)
	}
	a.grown = true
	size := max(chunkSize, n)
	if a.keep {
		size = max(size, keptSize(a.spent+n))
	}
	a.buf = make([]byte, 0, size)
}

// keptSize returns the size of a chunk for n bytes, as far as one is kept.
func keptSize(n int) int {
	size := chunkSize
	for size < n && size < maxKept {
		size *= 2
	}
	return size
}

// rewind makes all of the chunk free again.
func (a *arena) rewind() {
	if a.grown || poisons {
		a.settle()
	}
	a.buf = a.buf[:0]
}

// settle makes the chunk as large as what was used calls for.
//
//go:noinline
func (a *arena) settle() {
	poison(a.buf[:cap(a.buf)])
	for _, chunk := range a.old {
		poison(chunk)
	}
	a.old = nil
	size := keptSize(a.spent + len(a.buf))
	if cap(a.buf) > maxKept || cap(a.buf) < size {
		a.buf = make([]byte, 0, size)
	}
	a.spent, a.grown, a.keep = 0, false, true
}

// room returns the next n bytes for a string, of a chunk or of the heap.
func (s *Scratch) room(n int) []byte {
	if s == nil {
		return make([]byte, n)
	}
	return s.arena.room(n)
}

func (a *arena) room(n int) []byte {
	at := len(a.buf)
	if cap(a.buf)-at < n {
		a.grow(n)
		at = 0
	}
	a.buf = a.buf[:at+n]
	return a.buf[at:]
}

// A writer makes one string from pieces, without copying it once more.
type writer struct {
	b  []byte
	at int
}

// begin starts a string of exactly n bytes, in the memory of s.
func (w *writer) begin(s *Scratch, n int) { w.b = s.room(n) }

func (w *writer) write(s string)      { w.at += copy(w.b[w.at:], s) }
func (w *writer) writeBytes(b []byte) { w.at += copy(w.b[w.at:], b) }

// end returns the string.
func (w *writer) end() string { return unsafe.String(unsafe.SliceData(w.b), len(w.b)) }
