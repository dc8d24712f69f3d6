package rewrite

// What the end of a program checks of a path: that it does not begin as the
// name of another host does, and what the compiler could not rule out.

import (
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// doubleSlash reports whether path begins as a network-path reference does,
// for a browser: with a slash and another one of either kind.
func doubleSlash(path string) bool {
	return len(path) > 1 && path[0] == '/' && (path[1] == '/' || path[1] == '\\')
}

// dropSlashes makes one slash of the slashes that text + path begins with.
func dropSlashes(text, path string) (string, string) {
	if rest := strings.TrimLeft(text, "/"); rest != "" {
		return text[len(text)-len(rest)-1:], path
	}
	trimmed := strings.TrimLeft(path, `/\`)
	if n := len(path) - len(trimmed); n > 0 && path[n-1] == '/' {
		return "", path[n-1:]
	}
	return "/", trimmed
}

// doubleSlash2 is doubleSlash of text + path.
func doubleSlash2(text, path string) bool {
	switch {
	case len(text) > 1:
		return text[1] == '/'
	case len(text)+len(path) > 1:
		c := path[1-len(text)]
		return c == '/' || c == '\\'
	}
	return false
}

// verify checks the new path, text + path, and returns it with the extra
// slashes dropped that it may not begin with. It looks for what the compiler
// could not rule out: an escape cut in two, or more dot-segments than before.
func (in *inst) verify(text, path, before string) (string, string, error) {
	check := in.check
	if !doubleSlash(before) && doubleSlash2(text, path) {
		if text, path = dropSlashes(text, path); text == "/" {
			check = checkAll // what stood behind a backslash is a segment now
		}
	}
	switch check {
	case noCheck:
		return text, path, nil
	case checkJoint:
		if jointDot(text[max(len(text)-in.n, 0):], path) == escape.NoDot {
			return text, path, nil
		}
	}
	if !in.dotted && scanPath(path) == 0 {
		return text, path, nil
	}
	if in.opaque && !legal(path) {
		return "", "", ErrPath
	}
	i := strings.LastIndexByte(text, '/')
	one, two := escape.CountDots(text[:max(i, 0)])
	switch jointDot(text[i+1:], path) {
	case escape.OneDot:
		one++
	case escape.TwoDot:
		two++
	}
	if end := strings.IndexByte(path, '/'); end >= 0 {
		o, t := escape.CountDots(path[end:])
		one, two = one+o, two+t
	}
	if one+two > 0 {
		if o, t := escape.CountDots(before); one > o || two > t {
			return "", "", ErrDotSegment
		}
	}
	return text, path, nil
}

// jointDot returns the kind of the segment that part and the beginning of path
// make together.
func jointDot(part, path string) escape.Dot {
	if end := strings.IndexByte(path, '/'); end >= 0 {
		path = path[:end]
	}
	if len(part)+len(path) > len("%2e%2e") {
		return escape.NoDot
	}
	return escape.DotSegment(part + path)
}

// legal reports whether path, which a regular expression may have cut and
// pasted, still has only whole escapes.
func legal(path string) bool {
	for i := strings.IndexByte(path, '%'); i >= 0 && i < len(path); i++ {
		if path[i] == '%' {
			if _, ok := escape.Octet(path, i); !ok {
				return false
			}
		}
	}
	return true
}
