package term

// Progress: how far long work is, on a terminal.

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
)

// A Progress shows one line and writes it again. One made for something other
// than a terminal, and a nil one, show nothing.
type Progress struct {
	out   *os.File
	total int64 // of what done counts; 0: not known
	last  time.Time
	shown int
}

// every is how often the line is written.
const every = 100 * time.Millisecond

// NewProgress returns a Progress on out.
func NewProgress(out *os.File, total int64) *Progress {
	if !term.IsTerminal(int(out.Fd())) {
		return nil
	}
	return &Progress{out: out, total: total, last: time.Now()}
}

// Show says that so many items are finished, and how much of the total is done.
func (p *Progress) Show(items int, what string, done int64) {
	if p == nil || items&1023 != 0 || time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf("%d %s", items, what)
	if p.total > 0 {
		line += fmt.Sprintf(", %d %%", min(100, done*100/p.total))
	}
	fmt.Fprintf(p.out, "\r%-*s", p.shown, line)
	p.shown = len(line)
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p != nil && p.shown > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.shown, "")
		p.shown = 0
	}
}
