package nginx

// Lexer: the text of a snippet as directives.

import "strings"

// A directive is a name and its arguments, up to a semicolon or a block.
type directive struct {
	name   string
	args   []string
	offset int  // of the name
	block  bool // there is a block in braces, which is skipped
}

// String returns the directive as a person would name it.
func (d *directive) String() string {
	s := d.name
	for _, a := range d.args {
		s += " " + a
	}
	if len(s) > 80 {
		s = s[:80] + "..."
	}
	if d.block {
		s += " {...}"
	}
	return s
}

// directives returns the directives of a snippet, and where it is malformed, -1
// if nowhere.
func directives(text string) (list []directive, bad int) {
	var d *directive
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i++
		case c == '#':
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
		case c == ';':
			if d == nil {
				return list, i
			}
			list, d = append(list, *d), nil
			i++
		case c == '{':
			end := blockEnd(text, i)
			if d == nil || end < 0 {
				return list, i
			}
			d.block = true
			list, d = append(list, *d), nil
			i = end
		case c == '}':
			return list, i
		default:
			word, end := readWord(text, i)
			if end < 0 {
				return list, i
			}
			if d == nil {
				d = &directive{name: word, offset: i}
			} else {
				d.args = append(d.args, word)
			}
			i = end
		}
	}
	if d != nil {
		return list, d.offset
	}
	return list, -1
}

// readWord reads a word at i, in quotes or not, and returns where it ends; -1
// if the quotes do not end.
func readWord(text string, i int) (word string, end int) {
	quote := text[i]
	if quote != '"' && quote != '\'' {
		for end = i; end < len(text); end++ {
			c := text[end]
			if c == '\\' && end+1 < len(text) {
				end++
				continue
			}
			if strings.IndexByte(" \t\r\n;", c) >= 0 || c == '{' && (end == i || text[end-1] != '$') {
				break
			}
		}
		return text[i:min(end, len(text))], min(end, len(text))
	}
	var b strings.Builder
	for end = i + 1; end < len(text); end++ {
		switch c := text[end]; {
		case c == quote:
			return b.String(), end + 1
		case c == '\\' && end+1 < len(text):
			if next := text[end+1]; next != quote && next != '\\' {
				b.WriteByte(c)
			}
			end++
			b.WriteByte(text[end])
		default:
			b.WriteByte(c)
		}
	}
	return "", -1
}

// blockEnd returns the offset behind the block that begins at i, -1 if it does
// not end.
func blockEnd(text string, i int) int {
	depth := 0
	for i < len(text) {
		switch c := text[i]; c {
		case '{':
			depth++
			i++
		case '}':
			i++
			if depth--; depth == 0 {
				return i
			}
		case '#':
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				return -1
			}
			i += n
		case ' ', '\t', '\r', '\n', ';':
			i++
		default:
			if _, i = readWord(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}
