// Package term writes for people: colours and line breaks on a terminal, plain
// text elsewhere.
package term

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// A Style is how a span looks on a terminal.
type Style string

// The styles, as parameters of SGR (ECMA-48).
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// A Span is a piece of a line in one style.
type Span struct {
	Text  string
	Style Style
}

// A Printer writes lines. Its errors are those of the writer behind it.
type Printer struct {
	w     io.Writer
	color bool
	width int // columns; 0: lines are not broken
}

// NewPrinter returns a Printer that writes to w: with colours and line breaks if
// w is a terminal, without colours if the environment has NO_COLOR
// (https://no-color.org) or TERM=dumb.
func NewPrinter(w io.Writer) *Printer {
	p := &Printer{w: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			p.width = max(width, minWidth)
		}
	}
	return p
}

// minWidth is the narrowest terminal for which lines are broken as it wants.
const minWidth = 30

// NewPlainPrinter returns a Printer without colours that breaks lines at width.
func NewPlainPrinter(w io.Writer, width int) *Printer { return &Printer{w: w, width: width} }

// Width returns the number of columns, 0 if lines are not broken.
func (p *Printer) Width() int { return p.width }

// Line writes one line, indented. On a terminal it is broken between words where
// it is too long, and goes on indented by hang columns.
func (p *Printer) Line(indent, hang int, spans ...Span) error {
	out := strings.Repeat(" ", indent)
	column, fresh := indent, true // fresh: there is no word on the line
	for _, s := range spans {
		start, end := "", ""
		if p.color && s.Style != Plain {
			start, end = "\x1b["+string(s.Style)+"m", "\x1b[0m"
		}
		var piece string // of s, on one line
		for rest := Printable(s.Text); rest != ""; {
			word := nextWord(rest)
			rest = rest[len(word):]
			n := Width(word)
			if p.width > 0 && !fresh && column+n > p.width {
				out += styled(start, strings.TrimRight(piece, " "), end)
				out = strings.TrimRight(out, " ") + "\n" + strings.Repeat(" ", hang)
				word = strings.TrimLeft(word, " ")
				piece, column, n = "", hang, Width(word)
			}
			piece += word
			column += n
			fresh = false
		}
		out += styled(start, piece, end)
	}
	_, err := io.WriteString(p.w, out+"\n")
	return err
}

// nextWord returns the spaces at the beginning of s and the word behind them.
func nextWord(s string) string {
	spaces := len(s) - len(strings.TrimLeft(s, " "))
	if i := strings.IndexByte(s[spaces:], ' '); i >= 0 {
		return s[:spaces+i]
	}
	return s
}

func styled(start, text, end string) string {
	if text == "" {
		return ""
	}
	return start + text + end
}

// Escaper returns a writer that escapes as Printable does, except line breaks and
// tabs. Each text that is written to it has whole characters.
func Escaper(w io.Writer) io.Writer { return escaper{w} }

type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	lines := strings.Split(string(p), "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j := range cells {
			cells[j] = Printable(cells[j])
		}
		lines[i] = strings.Join(cells, "\t")
	}
	if _, err := io.WriteString(e.w, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Width returns how many columns a text has on a terminal: two for each wide
// character of Chinese, Japanese and Korean, none for a combining mark.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut returns as much of the beginning of s as fits into so many columns, and the
// rest. It cuts no character, and takes at least one.
func Cut(s string, columns int) (head, tail string) {
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > columns && i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// Printable returns s with everything escaped, as in Go, that does not show or
// that a terminal would obey: manifests and URLs may be hostile.
func Printable(s string) string {
	plain := true
	for _, r := range s {
		plain = plain && r != utf8.RuneError && unicode.IsPrint(r)
	}
	if plain {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		s = s[size:]
	}
	return b.String()
}
