//go:build !purego

package rewrite

import "unsafe"

// An arena is a chunk of bytes of which strings are made. Bytes that belong to
// a string are never written again, except after rewind.
type arena struct {
	buf   []byte // len is what strings have taken
	used  int    // bytes asked for since the last rewind
	limit int    // as many used bytes rewind needs no more than to forget
	keep  bool   // rewind has been called: chunks may be larger than chunkSize
}

// grow starts a new chunk with room for n bytes. The old one stays with the
// strings in it.
func (a *arena) grow(n int) {
	size := chunkSize
	if a.keep {
		for size < a.used && size < maxKept {
			size *= 2
		}
	}
	a.buf = make([]byte, 0, max(size, n))
	a.limit = 0
}

// rewind makes all of the chunk free again.
func (a *arena) rewind() {
	if a.used > a.limit {
		a.settle()
	}
	a.buf, a.used = a.buf[:0], 0
}

// settle makes the chunk as large as what was used calls for.
//
//go:noinline
func (a *arena) settle() {
	poison(a.buf[:cap(a.buf)])
	a.keep = true
	if cap(a.buf) > maxKept || cap(a.buf) < min(a.used, maxKept) {
		a.grow(0)
	}
	if !poisons {
		a.limit = cap(a.buf)
	}
}

// room returns the next n bytes for a string, of a chunk or of the heap.
func (s *Scratch) room(n int) []byte {
	if s == nil {
		return make([]byte, n)
	}
	a := &s.arena
	a.used += n
	if cap(a.buf)-len(a.buf) < n {
		a.grow(n)
	}
	at := len(a.buf)
	a.buf = a.buf[:at+n]
	return a.buf[at:]
}

// join returns a + b as a new string.
func (s *Scratch) join(a, b string) string {
	buf := s.room(len(a) + len(b))
	copy(buf, a)
	copy(buf[len(a):], b)
	return unsafe.String(unsafe.SliceData(buf), len(buf))
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
