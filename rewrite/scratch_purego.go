//go:build purego

package rewrite

// The memory of a Scratch without package unsafe.

import "strings"

// An arena is a strings.Builder of which strings are cut: the same chunks as
// in the build with unsafe, except that rewind can only drop them.
type arena struct{ b strings.Builder }

func (a *arena) rewind() { a.b = strings.Builder{} }

// A writer makes one string from pieces.
type writer struct {
	heap  strings.Builder  // without a Scratch
	chunk *strings.Builder // with one
	start int
}

// begin starts a string of exactly n bytes, in the memory of s.
func (w *writer) begin(s *Scratch, n int) {
	if s == nil {
		w.heap.Grow(n)
		return
	}
	w.chunk = &s.arena.b
	if w.chunk.Cap()-w.chunk.Len() < n {
		*w.chunk = strings.Builder{}
		w.chunk.Grow(max(n, chunkSize))
	}
	w.start = w.chunk.Len()
}

func (w *writer) write(s string) {
	if w.chunk != nil {
		w.chunk.WriteString(s)
	} else {
		w.heap.WriteString(s)
	}
}

func (w *writer) writeBytes(b []byte) {
	if w.chunk != nil {
		w.chunk.Write(b)
	} else {
		w.heap.Write(b)
	}
}

// end returns the string.
func (w *writer) end() string {
	if w.chunk != nil {
		return w.chunk.String()[w.start:]
	}
	return w.heap.String()
}
