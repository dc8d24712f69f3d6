package rewrite

// What there is in a path or a query for Clean to do, found eight bytes at a time.

import (
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/escape"
)

// What scanPath finds in a path that needs a second look.
const (
	pathPercent uint8 = 1 << iota // an escape
	pathDot                       // a dot where a dot-segment may begin
	pathEscape                    // a byte to be escaped
	pathBad                       // a byte that no path may have, or no leading slash
)

var pathBits = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c == '%':
			t[c] = pathPercent
		case c == '.':
			t[c] = pathDot
		case c == '?' || c == '#' || c < ' ' || c == 0x7F:
			t[c] = pathBad
		case escape.Class[c]&escape.Path == 0:
			t[c] = pathEscape
		}
	}
	return t
}()

// scanPath returns what is remarkable about path; 0 for a clean path without
// escapes and dot-segments. It looks at eight bytes a step.
func scanPath(path string) uint8 {
	if path == "" || path[0] != '/' {
		return pathBad
	}
	var bits uint8
	i := 0
	for ; i+8 <= len(path); i += 8 {
		bits |= pathBits8(path[i : i+8])
	}
	if i > 0 {
		bits |= pathBits8(path[len(path)-8:])
	} else {
		for i := range len(path) {
			bits |= pathBits[path[i]]
		}
	}
	if bits == pathDot && !strings.Contains(path, "/.") {
		return 0
	}
	return bits
}

func pathBits8(p string) uint8 {
	return pathBits[p[0]] | pathBits[p[1]] | pathBits[p[2]] | pathBits[p[3]] |
		pathBits[p[4]] | pathBits[p[5]] | pathBits[p[6]] | pathBits[p[7]]
}

// mayHaveDots reports whether a segment of path may be a dot-segment.
func mayHaveDots(path string) bool {
	return strings.Contains(path, "/.") || strings.Contains(path, "/%2")
}

// load64 reads eight bytes of s at i. The compiler makes it one load.
func load64(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	lows  = 0x7F * ones
)

// queryIsClean reports whether every byte of q may stand in a query: from "!"
// to "~", but no "#".
func queryIsClean(q string) bool {
	if len(q) < 8 {
		for i := range len(q) {
			if c := q[i]; c <= ' ' || c >= 0x7F || c == '#' {
				return false
			}
		}
		return true
	}
	bad := uint64(0)
	for i := 0; i+8 <= len(q); i += 8 {
		bad |= badQueryBytes(load64(q, i))
	}
	return bad|badQueryBytes(load64(q, len(q)-8)) == 0
}

// badQueryBytes returns a word whose bytes have their high bit set if one of
// the eight bytes may not stand in a query. As long as none is ≥ 0x80 there
// are no carries between bytes; if one is, the word is not zero anyway.
func badQueryBytes(w uint64) uint64 {
	graphic := w + (0x80-'!')*ones // high bit set: c ≥ '!'
	del := w + ones                // high bit set: c = DEL
	hash := (w ^ '#'*ones) + lows  // high bit clear: c = '#'
	return (w | del | ^graphic | ^hash) & highs
}

// checkStrict applies Input.Strict to a path.
func checkStrict(path string) error {
	for i := 0; i < len(path); {
		if path[i] == '\\' {
			return ErrPath
		}
		var octets [utf8.UTFMax]byte
		c, width := octetAt(path, i)
		if c != path[i] && (c == '/' || c == '\\' || c < ' ' || c == 0x7F) {
			return ErrPath
		}
		if c < utf8.RuneSelf {
			i += width
			continue
		}
		n := 0
		for n < len(octets) && i < len(path) {
			if c, width = octetAt(path, i); c < utf8.RuneSelf || n > 0 && utf8.RuneStart(c) {
				break
			}
			octets[n] = c
			n++
			i += width
		}
		if r, size := utf8.DecodeRune(octets[:n]); r == utf8.RuneError && size <= 1 || size != n {
			return ErrPath
		}
	}
	for seg := range strings.SplitSeq(path, "/") {
		if head, _, found := strings.Cut(seg, ";"); found && escape.DotSegment(head) != escape.NoDot {
			return ErrDotSegment
		}
	}
	return nil
}

// octetAt returns the octet at path[i:], decoded if it is escaped, and the
// number of bytes that spell it.
func octetAt(path string, i int) (c byte, width int) {
	if c, ok := escape.Octet(path, i); ok {
		return c, 3
	}
	return path[i], 1
}
