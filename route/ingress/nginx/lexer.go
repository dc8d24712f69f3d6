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
	const most = 80
	s := d.name
	for _, a := range d.args {
		if len(s) > most {
			break
		}
		s += " " + a[:min(len(a), most)]
	}
	if len(s) > most {
		s = s[:most] + "..."
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
		return unescaped(text[i:end]), end
	}
	for end = i + 1; end < len(text); end++ {
		switch text[end] {
		case quote:
			return unescaped(text[i+1 : end]), end + 1
		case '\\':
			end++
		}
	}
	return "", -1
}

// unescaped returns a word without its escapes, which nginx has outside of
// quotes too: of a quote, a backslash and a few control bytes. Other backslashes
// are those of regular expressions.
func unescaped(word string) string {
	if strings.IndexByte(word, '\\') < 0 {
		return word
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c == '\\' && i+1 < len(word) {
			if n := strings.IndexByte("\"'\\trn", word[i+1]); n >= 0 {
				c = "\"'\\\t\r\n"[n]
				i++
			}
		}
		b.WriteByte(c)
	}
	return b.String()
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
