package annotation

// JSON, token by token: each fault has its byte, and says what to write there.

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

// ended reports whether the string that was just read seems to end where it was
// meant to. If not, the fault of syntax that comes next explains what is odd
// about it.
func (r *reader) ended() bool {
	if r.pos < len(r.text) && strings.IndexByte(" \n\t\r,]}:\"", r.text[r.pos]) < 0 {
		return false
	}
	c := r.peek()
	return c == ',' || c == ']' || c == '}' || !r.opensBracket()
}

// opensBracket reports whether the string read last ends in an opening
// bracket, so that the quote behind it was likely not meant to end it.
func (r *reader) opensBracket() bool {
	inside := strings.TrimRight(r.text[:r.shut], " ")
	return strings.HasSuffix(inside, "{") || strings.HasSuffix(inside, "[")
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
			return r.noName()
		}
		name, ok := r.string()
		if !ok {
			return false
		}
		if r.peek() != ':' {
			if unquoted, ok := strings.CutSuffix(strings.TrimRight(name.text, " "), ":"); ok {
				return r.syntax("no quote before the colon: write " + r.quote(unquoted) + ": and the value")
			}
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
		r.p.fail(r.offset(r.pos), CodeLimit, "nested more than "+strconv.Itoa(maxDepth)+" deep: remove brackets")
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
		return r.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if r.word() == word {
			r.pos += len(word)
			return true
		}
	}
	return r.noValue("a value", true)
}

// number reads a number, of which the first byte has been seen.
func (r *reader) number() bool {
	r.pos += numberLen(r.text[r.pos:])
	return isDigit(r.text[r.pos-1]) || r.unexpected("a digit")
}

// isNumber reports whether word is a JSON number.
func isNumber(word string) bool {
	return word != "" && numberLen(word) == len(word) && isDigit(word[len(word)-1])
}

// numberLen returns the length of the number that s begins with. It is one
// exactly if that ends in a digit.
func numberLen(s string) int {
	digits := func(i int) int {
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		return i
	}
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	whole := i
	if i < len(s) && s[i] == '0' {
		i++
	} else if i = digits(i); i == whole {
		return i
	}
	if i < len(s) && s[i] == '.' {
		point := i + 1
		if i = digits(point); i == point {
			return i
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		i = digits(i)
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// end reports text behind the value.
func (r *reader) end() {
	switch c := r.peek(); {
	case r.pos == len(r.text):
	case r.comment():
		r.unexpected("")
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
	if r.comment() {
		return r.syntax("a comment, which JSON does not have: remove it")
	}
	if r.pos >= len(r.text) {
		return r.syntax("ends too soon: write " + write)
	}
	return r.syntax("unexpected " + r.char() + ": write " + write)
}

// unseparated reports what is neither a comma nor the closing bracket.
func (r *reader) unseparated(closing string) bool {
	if shut := r.shut; shut > 0 && strings.TrimLeft(r.text[shut+1:r.pos], " \n\t\r") == "" && r.pos < len(r.text) {
		if r.opensBracket() { // the token before is a string
			return r.syntax("the string ended at " + strconv.Itoa(r.offset(shut)) +
				": write the object or list without quotes around it, or each quote in it as \\\"")
		}
	}
	switch c := r.peek(); {
	case c == '"' || c == '{' || c == '[':
		return r.syntax("no comma before this: write one")
	case c == ':' && closing == "]":
		return r.syntax(`a name in a list: write "{" before the name, or "," instead of ":"`)
	case c == '}' && r.depth == 1:
		return r.syntax(`one "}" too many: remove it`)
	case c == '}' || c == ']':
		return r.syntax(`no "` + closing + `" before this: write one`)
	}
	return r.unexpected(`"," or "` + closing + `"`)
}

// noName reports that there is no name of an object at pos.
func (r *reader) noName() bool {
	const want = "a name in double quotes"
	switch c := r.peek(); {
	case r.comment():
	case c == '}':
		return r.unexpected(want + ", or remove the comma before it")
	case c == '\'':
		return r.syntax("single quote: write " + r.written(`"`) + " around names")
	default:
		if name, _, _ := strings.Cut(r.bare(), ":"); name != "" {
			return r.unexpected(want + ", " + r.quote(strings.TrimRight(name, " ")))
		}
	}
	return r.unexpected(want)
}

// noValue reports that there is no value at pos. What to write there may be
// text, so that a word lacks only its quotes.
func (r *reader) noValue(want string, text bool) bool {
	c := r.peek()
	switch bare := r.bare(); {
	case r.comment():
	case c == '\'' && text:
		return r.syntax("single quote: write " + r.written(`"`) + " around strings")
	case bare != "" && text:
		return r.syntax("not JSON: write it in double quotes, " + r.quote(bare))
	case bare != "":
		return r.syntax(quote(bare) + ": write " + want)
	case (c == ']' || c == '}') && strings.HasSuffix(strings.TrimRight(r.text[:r.pos], " \n\t\r"), ","):
		return r.unexpected(want + ", or remove the comma before it")
	}
	return r.unexpected(want)
}

// comment reports whether a comment begins at pos.
func (r *reader) comment() bool {
	rest := r.text[r.pos:]
	return strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "#")
}

// word returns the letters, digits and signs at pos: what could be true, false,
// null or a number, or was meant to be.
func (r *reader) word() string {
	end := r.pos
	for end < len(r.text) && (isDigit(r.text[end]) || r.text[end]|0x20-'a' < 26 || strings.IndexByte("./*_-+", r.text[end]) >= 0) {
		end++
	}
	return r.text[r.pos:end]
}

// scalar reports whether true, false, null or a number is at pos, and not only
// the beginning of something else.
func (r *reader) scalar() bool {
	word := r.word()
	end := r.pos + len(word)
	if end < len(r.text) && strings.IndexByte(" \n\t\r,]}\"", r.text[end]) < 0 {
		return false
	}
	return word == "true" || word == "false" || word == "null" || isNumber(word)
}

// bare returns what stands at pos without quotes: all up to a delimiter.
func (r *reader) bare() string {
	end := r.pos
	for end < len(r.text) && r.text[end] >= ' ' && strings.IndexByte(",\"[]{}\x7F", r.text[end]) < 0 {
		end++
	}
	return strings.TrimRight(r.text[r.pos:end], " ")
}

// quote quotes a string as it has to be written here.
func (r *reader) quote(s string) string { return r.written(quote(s)) }

// written returns JSON as it has to be written here: within a string, with
// escapes.
func (r *reader) written(json string) string {
	if r.at == nil {
		return json
	}
	return strings.ReplaceAll(json, `"`, `\"`)
}

// char quotes the character at pos.
func (r *reader) char() string {
	_, size := utf8.DecodeRuneInString(r.text[r.pos:])
	return strconv.Quote(r.text[r.pos : r.pos+size])
}
