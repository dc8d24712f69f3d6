package annotation

// JSON strings: what they hold, and where each byte of that is.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A str is a JSON string.
type str struct {
	open, shut int    // positions of the quotes
	text       string // decoded
	bad        int    // position of a character that is not allowed; -1: there is none
	why        string // it is not
}

// string reads the string that begins at pos.
func (r *reader) string() (str, bool) {
	s := str{open: r.pos, bad: -1}
	for i := r.pos + 1; i < len(r.text); i++ {
		if c := r.text[i]; c == '"' {
			s.text = r.text[s.open+1 : i]
			r.close(&s, i)
			return s, true
		} else if c == '\\' || c < ' ' || c >= 0x7F {
			r.pos = i
			break
		}
	}
	ok := r.rest(&s)
	return s, ok
}

// close ends s at its closing quote.
func (r *reader) close(s *str, shut int) {
	s.shut, r.shut, r.pos = shut, shut, shut+1
}

// rest reads the rest of s, from a character on that may be anything.
func (r *reader) rest(s *str) bool {
	if r.pos == s.open { // only plain characters, and no quote
		r.pos = len(r.text)
	}
	var decoded strings.Builder
	done := s.open + 1 // what is before it is in decoded
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; {
		case c == '"':
			if s.text = r.text[done:r.pos]; decoded.Len() > 0 {
				decoded.WriteString(s.text)
				s.text = decoded.String()
			}
			r.close(s, r.pos)
			return true
		case c == '\\':
			e, n := escapeAt(r.text, r.pos)
			if e == badEscape {
				r.pos += n
				if r.pos == len(r.text) {
					return r.syntax("ends within an escape: complete it, and close the string with " + r.written(`"`))
				}
				return r.syntax("unexpected " + r.char() + ` in an escape: write \\ for a backslash`)
			}
			if why := notText(e); why != "" {
				s.note(r.pos, why)
			}
			decoded.WriteString(r.text[done:r.pos])
			decoded.WriteRune(e)
			r.pos += n
			done = r.pos
		case c < ' ':
			return r.syntax("control byte " + r.char() + " in a string: remove it, or close the string before it")
		case c < 0x7F:
			r.pos++
		default:
			e, n := utf8.DecodeRuneInString(r.text[r.pos:])
			if e == utf8.RuneError && n == 1 {
				s.note(r.pos, "byte "+r.char()+" is not UTF-8: write the text in UTF-8")
			} else if why := notText(e); why != "" {
				s.note(r.pos, why)
			}
			r.pos += n
		}
	}
	return r.syntax("ends within the string that begins at " + strconv.Itoa(r.offset(s.open)) + ": close it with " + r.written(`"`))
}

// note remembers the first character that is not allowed.
func (s *str) note(pos int, why string) {
	if s.bad < 0 {
		s.bad, s.why = pos, why
	}
}

// notText says why a character may not be in a string; "" if it may. U+2028
// and U+2029 end a line where U+0085 does, and a reader of lines must not see
// more of them than we do.
func notText(c rune) string {
	switch {
	case 0xD800 <= c && c <= 0xDFFF:
		return "half of a surrogate pair: write both, or the character itself"
	case c < ' ' || c == 0x7F || c == 0x85 || c == 0x2028 || c == 0x2029:
		return "control character " + strconv.QuoteRune(c) + ": remove it"
	}
	return ""
}

const badEscape rune = -1

// escapeAt returns the character of the escape at pos and its length in bytes.
// Half of a surrogate pair is a character here. If it is no escape, the result
// is badEscape and the number of bytes that are as they should be.
func escapeAt(text string, pos int) (rune, int) {
	if pos+1 >= len(text) {
		return badEscape, 1
	}
	switch c := text[pos+1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		hi, n := unit(text, pos)
		if 0xD800 <= hi && hi < 0xDC00 && strings.HasPrefix(text[pos+n:], `\u`) {
			if lo, m := unit(text, pos+n); 0xDC00 <= lo && lo < 0xE000 {
				return 0x10000 + (hi-0xD800)<<10 + lo - 0xDC00, n + m
			}
		}
		return hi, n
	}
	return badEscape, 1
}

// unit returns the UTF-16 unit of the \u escape at pos.
func unit(text string, pos int) (rune, int) {
	u := rune(0)
	for n := 2; n < 6; n++ {
		if pos+n >= len(text) {
			return badEscape, n
		}
		digit := strings.IndexByte("0123456789abcdefABCDEF", text[pos+n])
		if digit > 15 {
			digit -= 6
		}
		if digit < 0 {
			return badEscape, n
		}
		u = u<<4 | rune(digit)
	}
	return u, 6
}

// offsets returns where in the value each byte of s.text is, and behind them
// where its closing quote is.
func (r *reader) offsets(s str) []int32 {
	at := make([]int32, 0, len(s.text)+1)
	for i := s.open + 1; i < s.shut; {
		size, length := 1, 1
		if r.text[i] == '\\' {
			var e rune
			e, size = escapeAt(r.text, i)
			length = len(string(e))
		}
		for range length {
			at = append(at, int32(r.offset(i)))
		}
		i += size
	}
	return append(at, int32(r.offset(s.shut)))
}

// locate returns where in the value byte i of s.text is; i may be len(s.text).
func (r *reader) locate(s str, i int) int {
	if len(s.text) == s.shut-s.open-1 {
		return r.offset(s.open + 1 + i) // no escapes
	}
	return int(r.offsets(s)[i])
}
