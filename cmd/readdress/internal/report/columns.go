package report

// Columns: two explanations side by side.

import (
	"bytes"
	"io"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/term"
)

// Widths in columns.
const (
	plainWidth  = 150 // where the output is no terminal
	narrowWidth = 80  // below it, explanations stand one after the other
)

// SideBySide writes two explanations of one request under their titles.
func SideBySide(w io.Writer, titleA string, a *engine.Explanation, titleB string, b *engine.Explanation) error {
	width := term.NewPrinter(w).Width()
	if width == 0 {
		width = plainWidth
	}
	if width < narrowWidth {
		for _, side := range []struct {
			title string
			x     *engine.Explanation
		}{{titleA, a}, {titleB, b}} {
			if _, err := io.WriteString(w, term.Printable(side.title)+"\n"); err != nil {
				return err
			}
			if err := Text(w, side.x); err != nil {
				return err
			}
		}
		return nil
	}
	const gap = " | "
	column := (width - len(gap)) / 2
	left, err := lines(titleA, a, column)
	if err != nil {
		return err
	}
	right, err := lines(titleB, b, column)
	if err != nil {
		return err
	}
	var out strings.Builder
	for i := range max(len(left), len(right)) {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		pad := strings.Repeat(" ", max(0, column-term.Width(l)))
		out.WriteString(strings.TrimRight(l+pad+gap+r, " ") + "\n")
	}
	_, err = io.WriteString(w, out.String())
	return err
}

// lines returns an explanation in lines of at most width columns, without
// the first, which both have.
func lines(title string, x *engine.Explanation, width int) ([]string, error) {
	var b bytes.Buffer
	if err := write(term.NewPlainPrinter(&b, width), x); err != nil {
		return nil, err
	}
	out := []string{term.Printable(title)}
	_, rest, _ := strings.Cut(b.String(), "\nmanifest")
	if rest != "" {
		rest = "manifest" + rest
	} else {
		_, rest, _ = strings.Cut(b.String(), "\n")
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(rest, "\n"), "\n") {
		for term.Width(line) > width { // a word that is longer than the column
			before := len(line) - len(strings.TrimLeft(line, " "))
			head, tail := term.Cut(line, width)
			out = append(out, head)
			line = strings.Repeat(" ", min(before, width/2)) + tail
		}
		out = append(out, line)
	}
	return out, nil
}
