// Package escape knows percent-encoding: which bytes a request target may
// have as they stand, how configured text is escaped, and when two spellings
// of a path are the same.
package escape

// Classes of a byte, for tables that are OR-ed over many bytes at a time.
const (
	// Unreserved bytes mean the same escaped or not (RFC 3986 section 2.3).
	Unreserved = 1 << iota
	// Path bytes may stand in a path as they are: pchar, "/", "[" and "]".
	Path
	// Hex bytes are hexadecimal digits.
	Hex
)

// Class holds the classes of every byte.
var Class = func() (t [256]uint8) {
	for c := range 256 {
		b := byte(c)
		switch {
		case 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9':
			t[c] = Unreserved | Path
		}
		if '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F' {
			t[c] |= Hex
		}
	}
	for _, b := range []byte("-._~") {
		t[b] = Unreserved | Path
	}
	for _, b := range []byte("!$&'()*+,;=:@/[]") {
		t[b] = Path
	}
	return t
}()

// IsUnreserved reports whether c means the same escaped or not.
func IsUnreserved(c byte) bool { return Class[c]&Unreserved != 0 }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool { return Class[c]&Hex != 0 }

// Unhex returns the value of a hexadecimal digit.
func Unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	default:
		return c - 'a' + 10
	}
}

const upperHex = "0123456789ABCDEF"

// Append appends %HH for c.
func Append(dst []byte, c byte) []byte {
	return append(dst, '%', upperHex[c>>4], upperHex[c&15])
}

// Octet decodes the escape at s[i:]. ok is false if there is none.
func Octet(s string, i int) (c byte, ok bool) {
	if i+2 < len(s) && s[i] == '%' && IsHex(s[i+1]) && IsHex(s[i+2]) {
		return Unhex(s[i+1])<<4 | Unhex(s[i+2]), true
	}
	return 0, false
}

// AppendPath appends s, URL text, with each byte escaped that may not stand
// in a path as it is. The valid escapes that s has stay.
func AppendPath(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; Class[c]&Path != 0 || c == '%' {
			dst = append(dst, c)
		} else {
			dst = Append(dst, c)
		}
	}
	return dst
}

// AppendQuery appends s, plain text, with everything but unreserved bytes
// escaped.
func AppendQuery(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; IsUnreserved(c) {
			dst = append(dst, c)
		} else {
			dst = Append(dst, c)
		}
	}
	return dst
}

// AppendNormal appends the normal form of an escaped path: escaped unreserved
// octets become their letters. With upper set, the other escapes get
// upper-case digits too.
func AppendNormal(dst []byte, path string, upper bool) []byte {
	for i := 0; i < len(path); i++ {
		c, ok := Octet(path, i)
		switch {
		case !ok:
			dst = append(dst, path[i])
			continue
		case IsUnreserved(c):
			dst = append(dst, c)
		case upper:
			dst = Append(dst, c)
		default:
			dst = append(dst, path[i:i+3]...)
		}
		i += 2
	}
	return dst
}

// Source returns the index in path of what stands at index n of its normal
// form, given one pair (path index, normal index) at or before it.
func Source(path string, at, normalAt, n int) int {
	for normalAt < n {
		if c, ok := Octet(path, at); ok && IsUnreserved(c) {
			at += 3
		} else {
			at++
		}
		normalAt++
	}
	return at
}
