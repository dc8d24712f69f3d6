package manifest

// Scalars: which byte of the file became which byte of a value.

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Value returns the position of a byte of the value of a scalar. A negative
// offset is the scalar with its quotes, and the length of the value is behind
// its end. Where the text of the file cannot be told to be the value, the
// position is that of the scalar, and Plus the offset.
func (f *File) Value(n *yaml.Node, offset int) Position {
	n = resolve(n)
	at := f.offset(n)
	if n.Kind != yaml.ScalarNode || offset < 0 {
		return f.At(at)
	}
	s := scan(f.Data, at, n)
	if s == nil || n.ShortTag() == "!!binary" || offset >= len(s.from) {
		p := f.At(at)
		p.Plus = offset
		return p
	}
	return f.At(s.from[offset])
}

// A scanned is a value, and for each byte of it where in the file it is from;
// from has one more element than value, for the end.
type scanned struct {
	data  []byte
	value []byte
	from  []int
}

func (s *scanned) add(b byte, at int) {
	s.value = append(s.value, b)
	s.from = append(s.from, at)
}

// scan reads a scalar again and returns nil if that does not give its value.
func scan(data []byte, at int, n *yaml.Node) *scanned {
	at = skipProperties(data, at)
	s := &scanned{data: data}
	end := at
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		end = s.quoted(at+1, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		end = s.quoted(at+1, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		end = s.block(at, n.Style&yaml.FoldedStyle != 0, len(n.Value))
	default:
		end = s.plain(at, len(n.Value))
	}
	if string(s.value) != n.Value {
		return nil
	}
	s.from = append(s.from, end)
	return s
}

// skipProperties skips a tag and an anchor before a scalar, and comments between
// them and it.
func skipProperties(data []byte, at int) int {
	for at < len(data) && (data[at] == '&' || data[at] == '!') {
		for at < len(data) && !isBlank(data[at]) {
			at++
		}
		at = skipBlank(data, at)
	}
	return at
}

// skipBlank skips white space and the comments behind it.
func skipBlank(data []byte, at int) int {
	for at < len(data) && (isBlank(data[at]) || data[at] == '#') {
		if data[at] == '#' {
			for at < len(data) && lineBreak(data[at:]) == 0 {
				at++
			}
			continue
		}
		at++
	}
	return at
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// plain reads until the value is complete, and so need not know where YAML ends
// a plain scalar.
func (s *scanned) plain(at, length int) int {
	for len(s.value) < length && at < len(s.data) {
		if next, ok := s.fold(at); ok {
			at = next
			continue
		}
		s.add(s.data[at], at)
		at++
	}
	return at
}

// quoted reads up to the closing quote.
func (s *scanned) quoted(at int, quote byte) int {
	for at < len(s.data) {
		c := s.data[at]
		switch {
		case c == quote && quote == '\'' && at+1 < len(s.data) && s.data[at+1] == quote:
			s.add(quote, at)
			at += 2
		case c == quote:
			return at
		case c == '\\' && quote == '"':
			next, ok := s.escape(at)
			if !ok {
				return at
			}
			at = next
		default:
			if next, ok := s.fold(at); ok {
				at = next
				continue
			}
			s.add(c, at)
			at++
		}
	}
	return at
}

// fold reads white space with a line break in it, which is a space, or for
// further line breaks so many newlines.
func (s *scanned) fold(at int) (next int, ok bool) {
	next, first, breaks := at, -1, 0
	for next < len(s.data) {
		if n := lineBreak(s.data[next:]); n > 0 {
			if first < 0 {
				first = next
			} else {
				s.add('\n', next)
			}
			breaks++
			next += n
			continue
		}
		if c := s.data[next]; c != ' ' && c != '\t' {
			break
		}
		next++
	}
	if breaks == 1 {
		s.add(' ', first)
	}
	return next, breaks > 0
}

var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '\'': "'", '/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// escape reads an escape in double quotes. All bytes of what it stands for are
// from its first.
func (s *scanned) escape(at int) (next int, ok bool) {
	if at+1 >= len(s.data) {
		return at, false
	}
	c := s.data[at+1]
	if n := lineBreak(s.data[at+1:]); n > 0 { // the line goes on without a space
		for next = at + 1 + n; next < len(s.data); {
			if n := lineBreak(s.data[next:]); n > 0 { // behind an empty line
				s.add('\n', next)
				next += n
			} else if s.data[next] == ' ' || s.data[next] == '\t' {
				next++
			} else {
				break
			}
		}
		return next, true
	}
	if text, ok := escapes[c]; ok {
		for i := range len(text) {
			s.add(text[i], at)
		}
		return at + 2, true
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 || at+2+digits > len(s.data) {
		return at, false
	}
	r, err := strconv.ParseUint(string(s.data[at+2:at+2+digits]), 16, 32)
	if err != nil {
		return at, false
	}
	for _, b := range utf8.AppendRune(nil, rune(r)) {
		s.add(b, at)
	}
	return at + 2 + digits, true
}

// block reads a literal or folded scalar up to the length of its value, which
// says what chomping has left.
func (s *scanned) block(at int, folded bool, length int) int {
	indent, start := s.blockHeader(at)
	lines := s.blockLines(start, indent)
	broken, deeper := 0, false // line breaks and, before them, a line that is indented more
	var breaks []int
	for i, l := range lines {
		more := l.from < l.to && (s.data[l.from] == ' ' || s.data[l.from] == '\t')
		if l.from < l.to {
			join := folded && broken > 0 && i > 0 && !deeper && !more && hasText(lines[:i])
			switch {
			case join && broken == 1:
				s.add(' ', breaks[0])
			case join:
				for _, b := range breaks[1:] {
					s.add('\n', b)
				}
			default:
				for _, b := range breaks {
					s.add('\n', b)
				}
			}
			breaks, broken, deeper = breaks[:0], 0, more
		}
		for j := l.from; j < l.to; j++ {
			s.add(s.data[j], j)
		}
		if l.broken {
			breaks = append(breaks, l.to)
			broken++
		}
	}
	for _, b := range breaks {
		if len(s.value) >= length {
			break
		}
		s.add('\n', b)
	}
	if n := len(s.from); n > 0 {
		return min(s.from[n-1]+1, len(s.data))
	}
	return start
}

func hasText(lines []blockLine) bool {
	for _, l := range lines {
		if l.from < l.to {
			return true
		}
	}
	return false
}

// A blockLine is the text of a line behind its indentation.
type blockLine struct {
	from, to int
	broken   bool // it ends in a line break
}

// blockHeader returns the indentation that the header says, less that of the
// parent, 0 if it says none, and where the lines begin.
func (s *scanned) blockHeader(at int) (indent, start int) {
	for at < len(s.data) && lineBreak(s.data[at:]) == 0 && s.data[at] != '#' {
		if c := s.data[at]; '1' <= c && c <= '9' {
			indent = int(c - '0')
		}
		at++
	}
	for at < len(s.data) && lineBreak(s.data[at:]) == 0 {
		at++
	}
	return indent, at + lineBreak(s.data[min(at, len(s.data)):])
}

// blockLines returns the lines of a block that is indented as far as its header
// says or, if that says nothing, as its first line with text is.
func (s *scanned) blockLines(at, header int) []blockLine {
	indent := -1
	if header > 0 {
		indent = s.parentIndent(at) + header
	}
	var lines []blockLine
	for at < len(s.data) {
		end := at
		for end < len(s.data) && lineBreak(s.data[end:]) == 0 {
			end++
		}
		spaces := len(s.data[at:end]) - len(bytes.TrimLeft(s.data[at:end], " "))
		blank := at+spaces == end
		if indent < 0 && !blank {
			indent = spaces
		}
		if !blank && spaces < indent || indent == 0 && bytes.HasPrefix(s.data[at:end], []byte("---")) {
			break
		}
		l := blockLine{from: min(at+max(indent, 0), end), to: end, broken: end < len(s.data)}
		if indent < 0 {
			l.from = end
		}
		lines = append(lines, l)
		at = end + lineBreak(s.data[end:])
		if !l.broken {
			break
		}
	}
	return lines
}

// parentIndent returns the indentation of the line of the header, which ends
// before at: that of the mapping of which the block is a value, or of the
// sequence of which it is an item.
func (s *scanned) parentIndent(at int) int {
	end := at - 1
	start := bytes.LastIndexByte(s.data[:max(end, 0)], '\n') + 1
	i, dash := start, start
	for i < end && (s.data[i] == ' ' || s.data[i] == '-' && s.data[i+1] == ' ') {
		if s.data[i] == '-' {
			dash = i
		}
		i++
	}
	if i < end && (s.data[i] == '|' || s.data[i] == '>') {
		i = dash
	}
	return i - start
}
