package rewrite

// Input: which URLs are accepted, and Clean, which brings them into one form.

import (
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
)

// DotSegments says what Clean does with a path that has a segment "." or "..",
// in any spelling of the dots.
type DotSegments int8

const (
	RefuseDotSegments  DotSegments = iota // ErrDotSegment
	KeepDotSegments                       // leave them for the backend to resolve
	ResolveDotSegments                    // as RFC 3986 section 5.2.4, on escaped bytes
)

// An Input says which URLs a listener accepts and in which form the rest of
// the program sees them. A nil *Input and the zero Input are the safe
// defaults. Clean does not change an Input, so one serves all requests.
type Input struct {
	// DotSegments says what happens to dot-segments.
	DotSegments DotSegments
	// Normalize writes escaped unreserved octets as letters and hexadecimal
	// digits in upper case. Without it bytes stay as they are, and comparisons
	// treat both spellings as equal.
	Normalize bool
	// MergeSlashes writes runs of slashes in the path as one.
	MergeSlashes bool
	// Strict also refuses, in the path, an encoded slash, backslash, NUL or
	// control octet and octets that are not UTF-8 (ErrPath), and a dot-segment
	// with a path parameter, "..;" (ErrDotSegment).
	Strict bool
	// MaxLength is the number of bytes that path and query may each have, as
	// they come and when they are escaped. 0 or less: 2 MiB.
	MaxLength int
}

// Clean checks a URL as it came from a client and brings it into the form
// that lookup and Apply expect. Run it once per request, before any lookup.
//
//   - The path must begin with "/" or be "*", which is left alone. Bytes that
//     may not stand in a path are escaped one by one; "?", "#", control bytes,
//     DEL and a "%" without two hexadecimal digits are ErrPath.
//   - Then Normalize, MergeSlashes and DotSegments do what they say. A path
//     that resolving makes begin with "//" keeps one slash, unless it began so
//     before.
//   - In the query, space and bytes ≥ 0x80 are escaped; "#", control bytes and
//     DEL are ErrQuery. A "%" without digits is data.
//   - The host may be empty. Else it must be host[:port] in ASCII, or ErrHost;
//     it is not rewritten. Scheme and ForceQuery are not looked at.
//
// On error u is unchanged; every error matches ErrRefused. A nil u is
// ErrTarget. A clean URL is left as it is and costs one pass over its bytes and
// no allocation. New strings come from s, or from the heap if s is nil.
func (in *Input) Clean(u *URL, s *Scratch) error {
	if u == nil {
		return ErrTarget
	}
	var policy Input
	if in != nil {
		policy = *in
	}
	most := policy.MaxLength
	if most <= 0 {
		most = defaultMaxLength
	}
	path, query := u.Path, u.RawQuery
	if len(path) > most || len(query) > most {
		return ErrTooLong
	}
	// Every check comes before the first write: u is unchanged on error.
	bits := scanPath(path)
	if bits != 0 || policy.MergeSlashes {
		var err error
		if path, err = policy.cleanPath(path, bits, most, s); err != nil {
			return err
		}
	}
	if !queryIsClean(query) {
		var err error
		if query, err = cleanQuery(query, most, s); err != nil {
			return err
		}
	}
	if u.Host != "" && !hostname.Check(u.Host) {
		return ErrHost
	}
	u.Path, u.RawQuery = path, query
	return nil
}

// cleanPath returns the text that path becomes. bits is what scanPath found.
func (in *Input) cleanPath(path string, bits uint8, most int, s *Scratch) (string, error) {
	if path == "*" {
		return path, nil
	}
	if bits&pathBad != 0 {
		return "", ErrPath
	}
	escapes := 0
	if bits&(pathPercent|pathEscape) != 0 {
		for i := range len(path) {
			if path[i] == '%' {
				if _, ok := escape.Octet(path, i); !ok {
					return "", ErrPath
				}
			} else if escape.Class[path[i]]&escape.Path == 0 {
				escapes++
			}
		}
	}
	if len(path)+2*escapes > most {
		return "", ErrTooLong
	}
	if in.Strict {
		if err := checkStrict(path); err != nil {
			return "", err
		}
	}
	dots := false
	if in.DotSegments != KeepDotSegments && mayHaveDots(path) {
		one, two := escape.CountDots(path)
		if dots = one+two > 0; dots && in.DotSegments != ResolveDotSegments {
			return "", ErrDotSegment
		}
	}
	if escapes == 0 && !dots && !(in.Normalize && bits&pathPercent != 0) &&
		!(in.MergeSlashes && strings.Contains(path, "//")) {
		return path, nil
	}

	buf := escape.AppendPath(s.temp(len(path)+2*escapes), path)
	if in.Normalize {
		buf = normalize(buf)
	}
	if in.MergeSlashes {
		buf = mergeSlashes(buf)
	}
	if dots {
		buf = resolveDots(buf)
		for len(buf) > 1 && buf[1] == '/' && !strings.HasPrefix(path, "//") {
			buf = buf[1:]
		}
	}
	if string(buf) == path {
		return path, nil
	}
	return s.String(buf), nil
}

// normalize, mergeSlashes and resolveDots rewrite b in place: none of them
// writes more than it has read.

func normalize(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] != '%' {
			out = append(out, b[i])
			continue
		}
		if c := escape.Unhex(b[i+1])<<4 | escape.Unhex(b[i+2]); escape.IsUnreserved(c) {
			out = append(out, c)
		} else {
			out = escape.Append(out, c)
		}
		i += 2
	}
	return out
}

func mergeSlashes(b []byte) []byte {
	out := b[:0]
	for i, c := range b {
		if c != '/' || i == 0 || b[i-1] != '/' {
			out = append(out, c)
		}
	}
	return out
}

// resolveDots removes dot-segments as RFC 3986 section 5.2.4 does: ".." takes
// the segment before it along, and a final dot-segment leaves its slash.
func resolveDots(b []byte) []byte {
	out := b[:0]
	for start := 0; start < len(b); {
		end := start + 1 // b[start] is a slash
		for end < len(b) && b[end] != '/' {
			end++
		}
		dot := escape.DotSegment(string(b[start+1 : end]))
		if dot == escape.TwoDot {
			for n := len(out); n > 0; {
				n--
				if out[n] == '/' {
					out = out[:n]
					break
				}
			}
		}
		if dot == escape.NoDot {
			out = append(out, b[start:end]...)
		} else if end == len(b) {
			out = append(out, '/')
		}
		start = end
	}
	return out
}

// cleanQuery returns query with what may not stand in a query escaped.
func cleanQuery(query string, most int, s *Scratch) (string, error) {
	escapes := 0
	for i := range len(query) {
		switch c := query[i]; {
		case c == '#' || c < ' ' || c == 0x7F:
			return "", ErrQuery
		case c == ' ' || c >= 0x80:
			escapes++
		}
	}
	if len(query)+2*escapes > most {
		return "", ErrTooLong
	}
	if escapes == 0 {
		return query, nil
	}
	buf := s.temp(len(query) + 2*escapes)
	for i := range len(query) {
		if c := query[i]; c == ' ' || c >= 0x80 {
			buf = escape.Append(buf, c)
		} else {
			buf = append(buf, c)
		}
	}
	return s.String(buf), nil
}
