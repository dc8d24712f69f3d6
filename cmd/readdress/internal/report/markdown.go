package report

// Markdown: an explanation for a pull request or an issue.

import (
	"fmt"
	"io"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/lint"
	"github.com/readdress/readdress/cmd/readdress/internal/term"
)

// Markdown writes an explanation, and what was found about its objects, as
// GitHub's Markdown.
func Markdown(w io.Writer, x *engine.Explanation, found []lint.Diagnostic) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s %s\n\n", x.Method, code(x.URL))
	b.WriteString(outcome(x) + "\n")
	if x.Hint != "" {
		b.WriteString("\n" + plain(x.Hint) + "\n")
	}
	if x.NetHTTP != "" {
		fmt.Fprintf(&b, "\nnet/http would refuse the request: %s\n", code(x.NetHTTP))
	}
	if x.Cleaned != "" {
		fmt.Fprintf(&b, "\nCleaned: %s\n", code(x.Cleaned))
	}
	var rows [][]string
	for _, c := range x.Claims {
		reader := c.Rewriter
		if reader == "" {
			reader = "no rewriter"
		}
		rows = append(rows, []string{code(c.Object), plain(c.Class), reader, place(c.At)})
	}
	table(&b, "Manifest", []string{"object", "class", "read by", "at"}, rows)
	rows = nil
	for _, l := range x.Lookups {
		for _, c := range l.Candidates {
			rows = append(rows, []string{code(c.Pattern), plain(c.Source), plain(strings.TrimSuffix(c.Code+": "+c.Detail, ": ")), place(c.At)})
		}
	}
	table(&b, "Routes", []string{"pattern", "of", "outcome", "at"}, rows)
	steps := x.Steps
	if x.Redirect != nil {
		steps = append(steps[:len(steps):len(steps)], x.Redirect.Steps...)
	}
	for i := range x.Backends {
		steps = append(steps[:len(steps):len(steps)], x.Backends[i].Steps...)
	}
	rows = nil
	for _, s := range steps {
		after := code(s.After)
		if s.Before == s.After {
			after = ""
		}
		rows = append(rows, []string{s.Hook, code(s.Action), s.Code, after, code(s.Origin), place(s.At)})
	}
	table(&b, "Actions", []string{"hook", "action", "outcome", "URL", "from", "at"}, rows)
	rows = nil
	for _, to := range x.Backends {
		outcome := code(to.Forwarded)
		if to.Status != 0 {
			outcome = fmt.Sprint(to.Status)
		}
		rows = append(rows, []string{share(&to, x), code(to.Name), code(to.Upstream), outcome})
	}
	table(&b, "Backends", []string{"share", "backend", "address", "URL sent"}, rows)
	headers := headerRows("request", "all", x.RequestHeaders)
	headers = append(headers, headerRows("response", "all", x.ResponseHeaders)...)
	for i := range x.Backends {
		to := &x.Backends[i]
		headers = append(headers, headerRows("request", code(to.Name), to.RequestHeaders)...)
		headers = append(headers, headerRows("response", code(to.Name), to.ResponseHeaders)...)
	}
	table(&b, "Headers", []string{"of the", "backend", "is done"}, headers)
	rows = nil
	for _, f := range x.Back {
		rows = append(rows, []string{code(f.Name + ": " + f.Value), code(f.Becomes), plain(strings.Join(f.Steps, "; "))})
	}
	table(&b, "The way back", []string{"header", "becomes", "because"}, rows)
	rows = nil
	for _, v := range x.Visibility {
		rows = append(rows, []string{code(v.Host), code(v.Client), fmt.Sprint(v.Visible), plain(v.Reason), code(v.Entry), plain(v.Policy)})
	}
	table(&b, "Visibility", []string{"host", "client", "visible", "reason", "entry", "decided by"}, rows)
	rows = nil
	for i := range found {
		d := &found[i]
		rows = append(rows, []string{d.Level.String(), d.Code, plain(d.Message()), code(d.At.String())})
	}
	table(&b, "Found", []string{"level", "code", "what", "at"}, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

func headerRows(of, backend string, list []engine.HeaderOp) [][]string {
	var rows [][]string
	for _, h := range list {
		rows = append(rows, []string{of, backend, code(h.String())})
	}
	return rows
}

// outcome says in one sentence what the client gets.
func outcome(x *engine.Explanation) string {
	switch {
	case x.Location != "":
		return fmt.Sprintf("is redirected: %d %s.", x.Status, code(x.Location))
	case x.Status != 0 && x.Error != "":
		return fmt.Sprintf("is answered with %d: %s.", x.Status, plain(x.Error))
	case x.Status != 0:
		return fmt.Sprintf("is answered with %d.", x.Status)
	case x.Picked != "":
		return fmt.Sprintf("is forwarded as %s to %s.", code(x.Forwarded), code(x.Upstream))
	}
	return "is forwarded to one of the backends by their shares."
}

// table writes a heading and a table, or nothing without rows.
func table(b *strings.Builder, title string, head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n**%s**\n\n| %s |\n|%s\n", title, strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.ReplaceAll(cell, "|", `\|`) // also in code: a cell ends at any other
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// code returns s as code.
func code(s string) string {
	if s == "" {
		return ""
	}
	s = term.Printable(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}

// markdownEscapes are for everything that GitHub gives a meaning within a line: $
// begins a formula.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`, "$", `\$`, "~", `\~`)

// plain returns s as plain text on one line.
func plain(s string) string { return markdownEscapes.Replace(term.Printable(s)) }

func place(p *engine.Position) string { return code(p.String()) }
