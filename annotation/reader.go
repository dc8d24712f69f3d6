package annotation

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep lists and objects may nest, the list of items included.
const maxDepth = 8

// A reader reads JSON (RFC 8259) one token after the other and knows where
// each byte of it is in the annotation's value. Its methods return false after
// a fault of syntax, which they report and after which the text cannot be read
// any further.
type reader struct {
	text  string
	pos   int
	depth int
	at    []int32 // of text out of a JSON string: where its bytes and its end are in the value
	shut  int     // closing quote of the string read last

	p *parser // to whom faults are reported
}

// offset returns where in the value the byte of the text at pos is.
func (r *reader) offset(pos int) int {
	if r.at == nil {
		return pos
	}
	return int(r.at[pos])
}

// peek skips white space and returns the byte behind it, 0 at the end.
func (r *reader) peek() byte {
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; c {
		case ' ', '\n', '\t', '\r':
			r.pos++
		default:
			return c
		}
	}
	return 0
}

// followed reports whether a value that was just read ends as it must. If not,
// the fault of syntax that comes next explains what is odd about the value.
func (r *reader) followed() bool {
	c := r.peek()
	return c == ',' || c == ']' || c == '}'
}

// list reads a list; each reads the element that begins at pos.
func (r *reader) list(each func(i int) bool) bool {
	if !r.enter() {
		return false
	}
	for i := 0; ; i++ {
		if r.peek() == ']' && i == 0 {
			break
		}
		if r.p.full() || !each(i) {
			return false
		}
		if c := r.peek(); c == ']' {
			break
		} else if c != ',' {
			return r.unseparated("]")
		}
		r.pos++
	}
	r.pos++
	r.depth--
	return true
}

// object reads an object; each reads the value of a name, which begins at pos.
func (r *reader) object(each func(name str) bool) bool {
	if !r.enter() {
		return false
	}
	for first := true; ; first = false {
		c := r.peek()
		if c == '}' && first {
			break
		}
		if c != '"' {
			if c == '}' {
				return r.unexpected("a name in double quotes, or remove the comma before it")
			}
			return r.unexpected("a name in double quotes")
		}
		name, ok := r.string()
		if !ok {
			return false
		}
		if r.peek() != ':' {
			return r.unexpected(`":" behind the name`)
		}
		r.pos++
		r.peek()
		if r.p.full() || !each(name) {
			return false
		}
		if c := r.peek(); c == '}' {
			break
		} else if c != ',' {
			return r.unseparated("}")
		}
		r.pos++
	}
	r.pos++
	r.depth--
	return true
}

// enter reads an opening bracket.
func (r *reader) enter() bool {
	if r.depth++; r.depth > maxDepth {
		r.p.fail(r.offset(r.pos), CodeLimit, "nested more than "+strconv.Itoa(maxDepth)+" deep")
		return false
	}
	r.pos++
	return true
}

// skip reads a value of any kind.
func (r *reader) skip() bool {
	switch c := r.peek(); {
	case c == '"':
		_, ok := r.string()
		return ok
	case c == '{':
		return r.object(func(str) bool { return r.skip() })
	case c == '[':
		return r.list(func(int) bool { return r.skip() })
	case c == '-' || isDigit(c):
		_, ok := r.number()
		return ok
	}
	for _, word := range []string{"true", "false", "null"} {
		if r.word() == word {
			r.pos += len(word)
			return true
		}
	}
	return r.noValue()
}

// number reads a number and returns its text.
func (r *reader) number() (string, bool) {
	start := r.pos
	if r.text[r.pos] == '-' {
		r.pos++
	}
	if r.pos < len(r.text) && r.text[r.pos] == '0' {
		r.pos++
	} else if !r.digits() {
		return "", false
	}
	if r.pos < len(r.text) && r.text[r.pos] == '.' {
		r.pos++
		if !r.digits() {
			return "", false
		}
	}
	if r.pos < len(r.text) && r.text[r.pos]|0x20 == 'e' {
		r.pos++
		if r.pos < len(r.text) && (r.text[r.pos] == '+' || r.text[r.pos] == '-') {
			r.pos++
		}
		if !r.digits() {
			return "", false
		}
	}
	return r.text[start:r.pos], true
}

// digits reads one digit or more.
func (r *reader) digits() bool {
	start := r.pos
	for r.pos < len(r.text) && isDigit(r.text[r.pos]) {
		r.pos++
	}
	return r.pos > start || r.unexpected("a digit")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// end reports text behind the value.
func (r *reader) end() {
	switch c := r.peek(); {
	case r.pos == len(r.text):
	case c == '}' || c == ']':
		r.syntax("one " + r.char() + " too many: remove it")
	default:
		r.syntax("unexpected " + r.char() + " behind the end of the value: remove it")
	}
}

// syntax reports a fault at pos and returns false.
func (r *reader) syntax(detail string) bool {
	r.p.fail(r.offset(r.pos), CodeSyntax, detail)
	return false
}

// unexpected reports that there is something else at pos than what to write.
func (r *reader) unexpected(write string) bool {
	if r.pos >= len(r.text) {
		return r.syntax("ends too soon: write " + write)
	}
	return r.syntax("unexpected " + r.char() + ": write " + write)
}

// unseparated reports what is neither a comma nor the closing bracket.
func (r *reader) unseparated(closing string) bool {
	if shut := r.shut; shut > 0 && strings.TrimLeft(r.text[shut+1:r.pos], " \n\t\r") == "" && r.pos < len(r.text) {
		// The token before is a string. If it looks as if someone wanted a
		// bracket in it, the quote behind the bracket was not meant to end it.
		inside := strings.TrimRight(r.text[:shut], " ")
		if strings.HasSuffix(inside, "{") || strings.HasSuffix(inside, "[") {
			return r.syntax("the string ended at " + strconv.Itoa(r.offset(shut)) +
				": write the object or list without quotes around it, or each quote in it as \\\"")
		}
	}
	switch c := r.peek(); {
	case c == '"' || c == '{' || c == '[':
		return r.syntax("no comma before this: write one")
	case c == '}' && r.depth == 1:
		return r.syntax(`one "}" too many: remove it`)
	case c == '}' || c == ']':
		return r.syntax(`no "` + closing + `" before this: write one`)
	}
	return r.unexpected(`"," or "` + closing + `"`)
}

// noValue reports that there is no value at pos.
func (r *reader) noValue() bool {
	switch word := r.word(); {
	case word != "":
		return r.syntax("not JSON: write it in double quotes, " + quote(word))
	case r.peek() == '\'':
		return r.syntax("single quote: write double quotes around strings")
	case r.peek() == ']' || r.peek() == '}':
		return r.unexpected("a value, or remove the comma before it")
	}
	return r.unexpected("a value")
}

// word returns the letters, digits and signs at pos that people write without
// quotes.
func (r *reader) word() string {
	end := r.pos
	for end < len(r.text) && (isDigit(r.text[end]) || r.text[end]|0x20-'a' < 26 || strings.IndexByte("./*_-", r.text[end]) >= 0) {
		end++
	}
	return r.text[r.pos:end]
}

// char quotes the character at pos.
func (r *reader) char() string {
	_, size := utf8.DecodeRuneInString(r.text[r.pos:])
	return strconv.Quote(r.text[r.pos : r.pos+size])
}
