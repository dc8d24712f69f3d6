package annotation

// Errors for terminals.

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxColumns is how much of a line a caret is drawn under.
const maxColumns = 72

// Caret returns two lines, for a terminal with a fixed-width font: the line of
// value in which the fault is, and a caret under the spot; "" without a value.
// value is that of the annotation e.Key. If Offset is -1, the carets are under
// the whole line, the first of value.
//
// A long line is cut to 72 columns around the spot, the ... where something is
// missing included. A tab is shown as a space, a carriage return at the end of
// the line not at all; what would not show or would move what follows, control
// and format characters and bytes that are not UTF-8, is escaped as in Go. Of the
// characters that are two columns wide or none, the usual are counted so.
func (e *Error) Caret(value string) string {
	if value == "" {
		return ""
	}
	at := min(max(e.Offset, 0), len(value))
	start := strings.LastIndexByte(value[:at], '\n') + 1
	end := len(value)
	if i := strings.IndexByte(value[at:], '\n'); i >= 0 {
		end = at + i
	}
	if end > start && value[end-1] == '\r' {
		end--
		at = min(at, end)
	}
	for at > start && at < end && !utf8.RuneStart(value[at]) {
		at--
	}

	// Half of the columns may be before the spot, or more if the rest is short.
	left, right, before, after := value[start:at], value[at:end], "", ""
	if line, _ := fit(value[start:end], maxColumns, true); len(line) < end-start {
		_, rightCells := fit(right, maxColumns/2, true)
		left, before = cut(left, maxColumns-max(rightCells, 1), false)
		right, after = cut(right, maxColumns-len(before)-columns(left), true)
	}
	shownLeft, shownRight := before+show(left), show(right)
	carets := 1
	if e.Offset < 0 {
		carets = max(columns(right), 1)
	}
	return shownLeft + shownRight + after + "\n" +
		strings.Repeat(" ", len(before)+columns(left)) + strings.Repeat("^", carets) + "\n"
}

// cut returns what fit does, or less and the dots that are to stand for the
// rest, and with them take up no more columns.
func cut(s string, most int, beginning bool) (part, dots string) {
	part, _ = fit(s, most, beginning)
	if len(part) == len(s) {
		return s, ""
	}
	dots = "..."
	part, _ = fit(s, most-len(dots), beginning)
	return part, dots
}

// fit returns the longest beginning of s, or its longest end, that takes up at
// most so many columns, and how many it takes up. Characters without width are
// not shown without end: there are at most four bytes a column.
func fit(s string, most int, beginning bool) (part string, cells int) {
	i := 0
	for i < len(s) {
		c, size := utf8.DecodeRuneInString(s[i:])
		at := i
		if !beginning {
			c, size = utf8.DecodeLastRuneInString(s[:len(s)-i])
			at = len(s) - i - size
		}
		n := len(escaped(c, s[at:at+size]))
		if n == 0 {
			n = width(c)
		}
		if cells+n > most || i+size > 4*most {
			break
		}
		cells += n
		i += size
	}
	if beginning {
		return s[:i], cells
	}
	return s[len(s)-i:], cells
}

// columns returns how many columns s takes up as show shows it.
func columns(s string) int {
	_, n := fit(s, len(s)*10, true)
	return n
}

// show returns s as it may be written to a terminal.
func show(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		if text := escaped(c, s[i:i+size]); text != "" {
			b.WriteString(text)
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// escaped returns what is shown instead of s, the character c; "" if it can be
// shown.
func escaped(c rune, s string) string {
	switch {
	case c == '\t':
		return " "
	case c == utf8.RuneError && len(s) == 1:
		return strings.Trim(strconv.Quote(s), `"`)
	case unicode.IsPrint(c):
		return ""
	}
	return strings.Trim(strconv.QuoteRune(c), "'")
}

// width returns the columns of a printable character: 0 for marks that join
// the one before, 2 for what East Asian fonts and emoji make wide, else 1.
func width(c rune) int {
	switch {
	case unicode.In(c, unicode.Mn, unicode.Me):
		return 0
	case c < 0x1100:
		return 1
	case c <= 0x115F, // Hangul initial consonants
		0x2E80 <= c && c <= 0x303E,   // CJK radicals and punctuation
		0x3041 <= c && c <= 0xA4CF,   // kana, CJK ideographs, Yi
		0xA960 <= c && c <= 0xA97C,   // more Hangul initial consonants
		0xAC00 <= c && c <= 0xD7A3,   // Hangul syllables
		0xF900 <= c && c <= 0xFAFF,   // CJK compatibility ideographs
		0xFE30 <= c && c <= 0xFE6B,   // CJK compatibility forms
		0xFF01 <= c && c <= 0xFF60,   // fullwidth forms
		0xFFE0 <= c && c <= 0xFFE6,   // fullwidth signs
		0x1F300 <= c && c <= 0x1F64F, // pictographs
		0x1F680 <= c && c <= 0x1F6FF, // transport
		0x1F900 <= c && c <= 0x1F9FF, // more pictographs
		0x20000 <= c && c <= 0x3FFFD: // more ideographs
		return 2
	}
	return 1
}
