package report

// Markdown: an explanation for a pull request or an issue.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/lint"
	"github.com/readdress/readdress/cmd/readdress/internal/term"
)

// Markdown writes an explanation, and what was found about its objects, as
// GitHub's Markdown.
func Markdown(w io.Writer, x *engine.Explanation, found []lint.Diagnostic) error {
	var b strings.Builder
	summary(&b, x)
	claims(&b, x)
	routes(&b, x)
	actions(&b, x)
	backends(&b, x)
	headers(&b, x)
	wayBack(&b, x)
	visible(&b, x)
	diagnostics(&b, found)
	_, err := io.WriteString(w, b.String())
	return err
}

// summary writes which request it is and what becomes of it.
func summary(b *strings.Builder, x *engine.Explanation) {
	fmt.Fprintf(b, "### %s %s\n\n", x.Method, code(x.URL))
	b.WriteString(outcome(x) + "\n")
	if x.Hint != "" {
		b.WriteString("\n" + plain(x.Hint) + "\n")
	}
	if x.NetHTTP != "" {
		fmt.Fprintf(b, "\nnet/http would refuse the request: %s\n", code(x.NetHTTP))
	}
	if x.Cleaned != "" {
		fmt.Fprintf(b, "\nCleaned: %s\n", code(x.Cleaned))
	}
}

// claims writes which objects were read, and by which rewriter.
func claims(b *strings.Builder, x *engine.Explanation) {
	var rows [][]string
	for _, c := range x.Claims {
		reader := c.Rewriter
		if reader == "" {
			reader = "no rewriter"
		}
		rows = append(rows, []string{code(c.Object), plain(c.Class), reader, place(c.At)})
	}
	table(b, "Manifest", []string{"object", "class", "read by", "at"}, rows)
}

// routes writes which routes had a chance, and what became of it.
func routes(b *strings.Builder, x *engine.Explanation) {
	var rows [][]string
	for _, l := range x.Lookups {
		for _, c := range l.Candidates {
			rows = append(rows, []string{code(c.Pattern), plain(c.Source), plain(strings.TrimSuffix(c.Code+": "+c.Detail, ": ")), place(c.At)})
		}
	}
	table(b, "Routes", []string{"pattern", "of", "outcome", "at"}, rows)
}

// actions writes what was done to the URL: for all, for the redirect, and for
// each backend.
func actions(b *strings.Builder, x *engine.Explanation) {
	lists := [][]engine.Step{x.Steps}
	if x.Redirect != nil {
		lists = append(lists, x.Redirect.Steps)
	}
	for i := range x.Backends {
		lists = append(lists, x.Backends[i].Steps)
	}
	var rows [][]string
	for _, s := range slices.Concat(lists...) {
		after := code(s.After)
		if s.Before == s.After {
			after = ""
		}
		rows = append(rows, []string{s.Hook, code(s.Action), s.Code, after, code(s.Origin), place(s.At)})
	}
	table(b, "Actions", []string{"hook", "action", "outcome", "URL", "from", "at"}, rows)
}

// backends writes where the request can go, and how often.
func backends(b *strings.Builder, x *engine.Explanation) {
	var rows [][]string
	for i := range x.Backends {
		to := &x.Backends[i]
		sent := code(to.Forwarded)
		if to.Status != 0 {
			sent = fmt.Sprint(to.Status)
		}
		rows = append(rows, []string{share(to, x), code(to.Name), code(to.Upstream), sent})
	}
	table(b, "Backends", []string{"share", "backend", "address", "URL sent"}, rows)
}

// headers writes what is done to header fields: for all, and for each backend.
func headers(b *strings.Builder, x *engine.Explanation) {
	rows := headerRows("request", "all", x.RequestHeaders)
	rows = append(rows, headerRows("response", "all", x.ResponseHeaders)...)
	for i := range x.Backends {
		to := &x.Backends[i]
		rows = append(rows, headerRows("request", code(to.Name), to.RequestHeaders)...)
		rows = append(rows, headerRows("response", code(to.Name), to.ResponseHeaders)...)
	}
	table(b, "Headers", []string{"of the", "backend", "is done"}, rows)
}

func headerRows(of, backend string, list []engine.HeaderOp) [][]string {
	var rows [][]string
	for _, h := range list {
		rows = append(rows, []string{of, backend, code(h.String())})
	}
	return rows
}

// wayBack writes what becomes of the response's header fields.
func wayBack(b *strings.Builder, x *engine.Explanation) {
	var rows [][]string
	for _, f := range x.Back {
		rows = append(rows, []string{code(f.Name + ": " + f.Value), code(f.Becomes), plain(strings.Join(f.Steps, "; "))})
	}
	table(b, "The way back", []string{"header", "becomes", "because"}, rows)
}

// visible writes which hosts the client sees, and what decides that.
func visible(b *strings.Builder, x *engine.Explanation) {
	var rows [][]string
	for _, v := range x.Visibility {
		rows = append(rows, []string{code(v.Host), code(v.Client), fmt.Sprint(v.Visible), plain(v.Reason), code(v.Entry), plain(v.Policy)})
	}
	table(b, "Visibility", []string{"host", "client", "visible", "reason", "entry", "decided by"}, rows)
}

// diagnostics writes what was found about the objects.
func diagnostics(b *strings.Builder, found []lint.Diagnostic) {
	var rows [][]string
	for i := range found {
		d := &found[i]
		rows = append(rows, []string{d.Level.String(), d.Code, plain(d.Message()), code(d.At.String())})
	}
	table(b, "Found", []string{"level", "code", "what", "at"}, rows)
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
