package rewritehttp

import (
	"net/url"
	"strings"
)

// escapedPath returns the path of u in its wire form. wire is the path of the
// request line: where u still says the same, it saves the allocation of a new
// escaped form.
//
// URL.EscapedPath alone would not do: one byte that it thinks should have been
// escaped, such as "|", makes it discard RawPath, and every %2F with it.
func escapedPath(u *url.URL, wire string) string {
	switch {
	case u.RawPath != "" && decodesTo(u.RawPath, u.Path):
		return u.RawPath
	case u.RawPath == "" && len(wire) > len(u.Path) && isDefault(wire) && decodesTo(wire, u.Path):
		return wire
	case u.Path == "":
		return "/"
	}
	return u.EscapedPath()
}

// setPath makes u.EscapedPath return escaped. Bytes that may not stand in a
// path are escaped first: for one of them net/url would escape the whole anew
// from its decoded form, and lose every %2F. "%" is data where it escapes
// nothing. RawPath is set only where the default escaping of Path is something
// else.
func setPath(u *url.URL, escaped string) {
	raw := ""
	if !isDefault(escaped) {
		escaped = legal(escaped)
		raw = escaped
	}
	decoded := escaped
	if n := strings.Count(escaped, "%"); n > 0 {
		// Cutting a prefix is the usual case: the old Path then ends in the
		// new one, which needs no memory of its own.
		if size := len(escaped) - 2*n; 0 <= size && size <= len(u.Path) && decodesTo(escaped, u.Path[len(u.Path)-size:]) {
			decoded = u.Path[len(u.Path)-size:]
		} else if d, err := url.PathUnescape(escaped); err == nil {
			decoded = d
		} else {
			raw = ""
		}
	}
	u.Path, u.RawPath = decoded, raw
}

// legal returns escaped with the bytes escaped that may not stand in a path.
func legal(escaped string) string {
	bad := 0
	for i := range len(escaped) {
		if class[escaped[i]]&path == 0 {
			bad++
		}
	}
	if bad == 0 {
		return escaped
	}
	out := make([]byte, 0, len(escaped)+2*bad)
	for i := range len(escaped) {
		if c := escaped[i]; class[c]&path != 0 {
			out = append(out, c)
		} else {
			out = append(out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
	}
	return string(out)
}

// decodesTo reports whether escaped is well-formed and stands for path.
func decodesTo(escaped, path string) bool {
	n := 0
	for i := 0; i < len(escaped); i++ {
		c := escaped[i]
		if c == '%' {
			if i+2 >= len(escaped) || class[escaped[i+1]]&hex == 0 || class[escaped[i+2]]&hex == 0 {
				return false
			}
			c = unhex(escaped[i+1])<<4 | unhex(escaped[i+2])
			i += 2
		}
		if n == len(path) || path[n] != c {
			return false
		}
		n++
	}
	return n == len(path)
}

// isDefault reports whether escaped is what URL.EscapedPath makes of the path
// that it stands for when there is no RawPath: only what must be escaped is,
// and in upper case.
func isDefault(escaped string) bool {
	for i := 0; i < len(escaped); i++ {
		c := escaped[i]
		if c != '%' {
			if class[c]&plain == 0 {
				return false
			}
			continue
		}
		if i+2 >= len(escaped) || class[escaped[i+1]]&upperHex == 0 || class[escaped[i+2]]&upperHex == 0 {
			return false
		}
		if class[unhex(escaped[i+1])<<4|unhex(escaped[i+2])]&plain != 0 {
			return false
		}
		i += 2
	}
	return true
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&0xF + 9
}

const (
	plain    = 1 << iota // net/url does not escape the byte in a path
	upperHex             // 0-9 A-F
	hex                  // 0-9 A-F a-f
	path                 // the byte may stand in RawPath, by itself or in an escape
)

var class = func() (t [256]uint8) {
	add := func(bits uint8, bytes string) {
		for _, c := range []byte(bytes) {
			t[c] |= bits
		}
	}
	const (
		digits = "0123456789"
		lower  = "abcdefghijklmnopqrstuvwxyz"
		upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	)
	add(plain, digits+lower+upper+"-_.~$&+,/:;=@")
	add(path, digits+lower+upper+"-_.~$&+,/:;=@!'()*[]%")
	add(upperHex|hex, digits+"ABCDEF")
	add(hex, "abcdef")
	return t
}()
