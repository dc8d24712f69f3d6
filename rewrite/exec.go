package rewrite

// The prefix instructions, run: how much of a path they take.

import (
	"github.com/readdress/readdress/internal/escape"
)

// concat returns text + path; the one that is not empty as it is.
func (s *Scratch) concat(text, path string) string {
	switch {
	case text == "":
		return path
	case path == "":
		return text
	}
	return s.join(text, path)
}

// walk runs the prefix instructions from in on, on path[from:], and returns the
// end that they lead to and the offset in path of what is left of it.
func (in *inst) walk(code []inst, path string, from int) (end *inst, off int) {
	off = from
	for in.op != codeEnd {
		n, outcome := in.take(path[off:])
		off += n
		in = &code[in.next[outcome]]
	}
	return in, off
}

// take runs a prefix instruction on what is left of the path and returns the
// number of bytes that it takes away, and its outcome.
func (in *inst) take(left string) (n, outcome int) {
	if in.op == codeStrip {
		return skipSegments(left, in.n, in.flag)
	}
	if n = len(in.text); len(left) < n || left[:n] != in.text {
		var ok bool
		if n, ok = escape.CutPrefix(left, in.text, in.fold); !ok {
			return 0, onNo
		}
	}
	switch {
	case n == len(left) && in.flag:
		return 0, onNo
	case n == len(left):
		return n, onEmpty
	case left[n] == '/':
		return n, onSlash
	case in.op == codeText:
		return n, onWord
	}
	return 0, onNo
}

// skipSegments takes the first n segments of path. With word, path begins
// within the first of them.
func skipSegments(path string, n int, word bool) (at, outcome int) {
	for ; n > 0; n-- {
		if !word {
			if len(path)-at < 2 { // nothing, or the final slash
				return 0, onNo
			}
			at++
		}
		word = false
		for at < len(path) && path[at] != '/' {
			at++
		}
	}
	if at == len(path) {
		return at, onEmpty
	}
	return at, onSlash
}
