package escape

// CutPrefix reports whether path begins with prefix, comparing octets: an
// escaped unreserved octet equals its letter, and the case of hexadecimal
// digits does not matter. n is the number of bytes of path that it took.
// prefix must be canonical: AppendNormal with upper set. With fold, ASCII
// letters are compared without case, and prefix is in lower case outside of
// escapes.
//
// This is the one comparison of path prefixes: rewriting and routing share it.
func CutPrefix(path, prefix string, fold bool) (n int, ok bool) {
	if len(path) >= len(prefix) && path[:len(prefix)] == prefix {
		return len(prefix), true
	}
	return cutPrefixSlow(path, prefix, fold)
}

func cutPrefixSlow(path, prefix string, fold bool) (n int, ok bool) {
	for j := 0; j < len(prefix); j++ {
		if n == len(path) {
			return 0, false
		}
		c := path[n]
		width := 1
		if c == '%' {
			o, ok := Octet(path, n)
			if !ok {
				return 0, false
			}
			width = 3
			if IsUnreserved(o) {
				c = o
			} else {
				if p, ok := Octet(prefix, j); !ok || p != o {
					return 0, false
				}
				j += 2
				n += 3
				continue
			}
		}
		if c != prefix[j] && !(fold && lower(c) == prefix[j]) {
			return 0, false
		}
		n += width
	}
	return n, true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// CutSegments is CutPrefix on a segment boundary: what follows the prefix is
// nothing or a slash. prefix does not end in a slash.
func CutSegments(path, prefix string, fold bool) (n int, ok bool) {
	n, ok = CutPrefix(path, prefix, fold)
	return n, ok && (n == len(path) || path[n] == '/')
}

// A Dot is the kind of a dot-segment.
type Dot uint8

const (
	NoDot  Dot = iota
	OneDot     // "." or "%2e"
	TwoDot     // ".." with each dot in either spelling
)

// DotSegment returns the kind of a whole segment.
func DotSegment(seg string) Dot {
	dots := Dot(0)
	for i := 0; i < len(seg); dots++ {
		switch {
		case dots == TwoDot:
			return NoDot
		case seg[i] == '.':
			i++
		case seg[i] == '%' && i+2 < len(seg) && seg[i+1] == '2' && seg[i+2]|0x20 == 'e':
			i += 3
		default:
			return NoDot
		}
	}
	return dots
}

// CountDots returns how many segments of path are "." and "..".
func CountDots(path string) (one, two int) {
	for start := 0; start <= len(path); {
		end := start
		for end < len(path) && path[end] != '/' {
			end++
		}
		switch DotSegment(path[start:end]) {
		case OneDot:
			one++
		case TwoDot:
			two++
		}
		start = end + 1
	}
	return one, two
}
