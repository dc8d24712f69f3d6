package rewrite

// Scratch: memory for the strings of a request.

// A Scratch is memory for the strings that Clean and Apply make. Keep one per
// worker and use it for every request: joining two pieces into a new path then
// costs no allocation of its own.
//
// The zero Scratch is ready to use and needs no care: its strings are pieces
// of 1 KiB chunks that belong to the garbage collector, so they live as long
// as anyone holds them. A kept string keeps its whole chunk alive.
//
// A nil *Scratch is fine everywhere: a path or a query that is joined then is a
// heap string of its own, made by exactly one allocation. So is what each of
// SetHostname, SetPort and ReplaceHostSuffix joins, and the result of a regular
// expression. SetHostname and then a SetPort of neither 80 nor 443 join nothing.
//
// A Scratch must not be copied after first use, nor used by two goroutines at
// the same time.
type Scratch struct {
	_     noCopy
	arena arena
	work  []byte // memory that never leaves a call
}

const (
	chunkSize = 1 << 10  // bytes that the zero Scratch asks for at a time
	maxKept   = 64 << 10 // bytes that Reuse keeps
)

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// Reuse declares that no string made with s is in use any more, and lets s
// write their memory again: from then on Clean and Apply do not allocate at
// all while the strings made between two calls stay within 64 KiB together.
//
// It is the only thing in this package that puts a lifetime on a string. Call
// it when the request is over, not between the attempts of one request; keep
// what must live longer with URL.Clone. Under the race detector Reuse
// overwrites the memory, so that a string that is still in use is caught by
// your own tests. With the build tag purego it drops the memory instead.
func (s *Scratch) Reuse() {
	if s != nil {
		s.arena.rewind()
	}
}

// String returns a string with the bytes of b, which it copies: for programs
// that hold a request as bytes. The string lives as every other of s.
func (s *Scratch) String(b []byte) string {
	var w writer
	w.begin(s, len(b))
	w.writeBytes(b)
	return w.end()
}

// temp returns an empty slice with room for n bytes, valid until the next
// call of temp.
func (s *Scratch) temp(n int) []byte {
	if s == nil || n > maxKept {
		return make([]byte, 0, n)
	}
	if cap(s.work) < n {
		s.work = make([]byte, 0, max(n, chunkSize))
	}
	return s.work[:0]
}

// join returns a + b as a new string.
func (s *Scratch) join(a, b string) string {
	var w writer
	w.begin(s, len(a)+len(b))
	w.write(a)
	w.write(b)
	return w.end()
}
