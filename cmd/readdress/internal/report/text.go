// Package report writes explanations for people.
package report

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/term"
)

// Text writes an explanation as lines, each with a label at its beginning.
func Text(w io.Writer, x *engine.Explanation) error { return write(term.NewPrinter(w), x) }

func write(p *term.Printer, x *engine.Explanation) error {
	t := text{p: p}
	t.line("", term.Span{Text: x.Method + " " + x.URL, Style: term.Bold})
	if x.NetHTTP != "" {
		t.line("net/http", term.Span{Text: "would refuse it: " + x.NetHTTP, Style: term.Yellow})
	}
	if x.Cleaned != "" {
		t.line("clean", term.Span{Text: x.Cleaned})
	}
	for _, c := range x.Claims {
		t.claim(c)
	}
	t.route(x)
	if r := x.Redirect; r != nil {
		said := r.How
		if r.Status == 0 {
			said += ": not this request"
		}
		t.line("redirect", term.Span{Text: said})
		t.steps(r.Steps)
	}
	for i := range x.Backends {
		t.backend(&x.Backends[i], x)
	}
	t.headers("request", x.RequestHeaders)
	t.headers("response", x.ResponseHeaders)
	t.answer(x)
	for i := range x.Back {
		t.back(&x.Back[i])
	}
	for _, v := range x.Visibility {
		t.visibility(v)
	}
	return t.err
}

// maxElsewhere is how many routes are shown whose path does not match.
const maxElsewhere = 8

const indent = 10 // columns of the labels

type text struct {
	p   *term.Printer
	err error
}

// line writes a line behind its label. A label that does not fit is followed by
// one space.
func (t *text) line(label string, spans ...term.Span) {
	if t.err != nil {
		return
	}
	all := spans
	if label != "" {
		all = append([]term.Span{{Text: fmt.Sprintf("%-*s", indent-1, label) + " ", Style: term.Dim}}, spans...)
	}
	t.err = t.p.Line(0, indent, all...)
}

// below writes a line under another.
func (t *text) below(spans ...term.Span) {
	if t.err == nil {
		t.err = t.p.Line(indent+2, indent+4, spans...)
	}
}

// at is the end of a line that says where something is written.
func at(p *engine.Position) term.Span {
	if p == nil {
		return term.Span{}
	}
	return term.Span{Text: "  " + p.String(), Style: term.Dim}
}

func (t *text) claim(c engine.Claim) {
	said := c.Object
	if c.Class != "" {
		said += ", class " + c.Class
	}
	if c.Rewriter == "" {
		t.line("manifest", term.Span{Text: said + ": no rewriter claims it", Style: term.Yellow}, at(c.At))
		return
	}
	t.line("manifest", term.Span{Text: said + ", read by " + c.Rewriter}, at(c.At))
}

// route writes the lookups and the steps in the order in which they happen: the
// rules of BeforeLocation stand before the lookups of what they have made. Tables
// without a route for the host are left out, unless there is no other.
func (t *text) route(x *engine.Explanation) {
	some := slices.DeleteFunc(slices.Clone(x.Lookups), func(l engine.Lookup) bool { return len(l.Candidates) == 0 })
	steps := x.Steps
	for i := range some {
		if some[i].URL != some[0].URL {
			n := slices.IndexFunc(steps, func(s engine.Step) bool { return s.Hook != "BeforeLocation" })
			if n < 0 {
				n = len(steps)
			}
			t.steps(steps[:n])
			steps = steps[n:]
		}
		t.lookup(&some[i], len(some) > 1)
	}
	if len(some) == 0 && x.Status == http.StatusNotFound {
		none := "none: no route is for this host"
		if len(x.Lookups) == 0 {
			none = "none: there are no routes in the manifests"
		}
		t.line("route", term.Span{Text: none, Style: term.Yellow})
	}
	t.steps(steps)
}

func (t *text) lookup(l *engine.Lookup, several bool) {
	if several {
		t.line("lookup", term.Span{Text: l.URL + " among the routes of kind " + l.Table})
	}
	chosen, elsewhere := false, 0
	for _, c := range l.Candidates {
		if c.Code == "path" {
			if elsewhere++; elsewhere > maxElsewhere {
				continue
			}
		}
		style, label, said := term.Plain, "  lost", ": "+c.Code
		if c.Code == "chosen" {
			style, label, said, chosen = term.Green, "route", "", true
		}
		if c.Detail != "" {
			said += ": " + c.Detail
		}
		t.line(label, term.Span{Text: c.Pattern, Style: style}, term.Span{Text: "  " + c.Source + said}, at(c.At))
	}
	if more := elsewhere - maxElsewhere; more > 0 {
		t.line("  lost", term.Span{Text: fmt.Sprintf("%d more routes of the host: path", more)})
	}
	if !chosen {
		t.line("route", term.Span{Text: "none", Style: term.Yellow})
	}
}

func (t *text) steps(steps []engine.Step) {
	for _, s := range steps {
		label := "rewrite"
		what := s.Action
		if what == "" {
			what = "check of the result"
		}
		style := term.Plain
		switch s.Code {
		case "changed", "guard":
			style = term.Green
		case "refused":
			style = term.Red
		}
		origin := ""
		if s.Origin != "" {
			origin = "  " + s.Origin
		}
		t.line(label, term.Span{Text: s.Hook + " "}, term.Span{Text: what, Style: term.Bold}, term.Span{Text: " "},
			term.Span{Text: s.Code, Style: style}, term.Span{Text: origin, Style: term.Dim}, at(s.At))
		if s.Before != s.After {
			t.below(term.Span{Text: "- " + s.Before, Style: term.Dim})
			t.below(term.Span{Text: "+ " + s.After})
		}
		if s.Error != "" {
			t.below(term.Span{Text: s.Error, Style: term.Red})
		}
	}
}

func (t *text) backend(b *engine.Backend, x *engine.Explanation) {
	share := share(b, x) + " "
	to := term.Span{Text: " to " + b.Upstream}
	switch {
	case b.Error != "":
		to = term.Span{Text: fmt.Sprintf(" answered with %d: %s", b.Status, b.Error), Style: term.Red}
	case b.Status != 0:
		to = term.Span{Text: fmt.Sprintf(" answered with %d: it cannot be forwarded to", b.Status), Style: term.Red}
	}
	mark := term.Span{}
	if x.Picked == b.Name && len(x.Backends) > 1 {
		mark = term.Span{Text: "  picked", Style: term.Green}
	}
	t.line("backend", term.Span{Text: share}, term.Span{Text: b.Name, Style: term.Bold}, to, mark)
	t.steps(b.Steps)
	if len(x.Backends) > 1 && b.Forwarded != "" && x.Picked == "" {
		t.below(term.Span{Text: b.Forwarded})
	}
	t.headers("  request", b.RequestHeaders)
	t.headers("  response", b.ResponseHeaders)
}

// share returns a percentage, and the weights where that is rounded.
func share(b *engine.Backend, x *engine.Explanation) string {
	total := uint64(0)
	for i := range x.Backends {
		total += uint64(x.Backends[i].Weight)
	}
	said := strconv.FormatFloat(b.Percent, 'f', 2, 64) + " %"
	if total > 0 && uint64(b.Weight)*10_000%total != 0 {
		said += fmt.Sprintf(" (%d of %d)", b.Weight, total)
	}
	return said
}

func (t *text) headers(label string, list []engine.HeaderOp) {
	for _, h := range list {
		t.line(label, term.Span{Text: h.String()})
	}
}

func (t *text) answer(x *engine.Explanation) {
	reason := ""
	if x.Error != "" {
		reason = ": " + x.Error
	}
	switch {
	case x.Location != "":
		t.line("answer", term.Span{Text: fmt.Sprintf("%d %s", x.Status, x.Location), Style: term.Bold})
	case x.Status != 0:
		t.line("answer", term.Span{Text: strconv.Itoa(x.Status), Style: term.Red}, term.Span{Text: reason})
	case x.Picked != "":
		t.line("answer", term.Span{Text: "forwarded as "}, term.Span{Text: x.Forwarded, Style: term.Bold}, term.Span{Text: " to " + x.Upstream})
	default:
		t.line("answer", term.Span{Text: "forwarded to one of the backends by their shares"})
	}
	if x.Hint != "" {
		t.below(term.Span{Text: x.Hint})
	}
}

func (t *text) back(b *engine.Back) {
	from := "  from " + b.Backend
	if b.Backend == "" {
		from = ""
	}
	t.line("back", term.Span{Text: b.Name + ": " + b.Value}, term.Span{Text: from, Style: term.Dim})
	for _, s := range b.Steps {
		t.below(term.Span{Text: s})
	}
	switch {
	case !b.Changed:
		t.below(term.Span{Text: "= " + b.Value})
	case b.Becomes == "":
		t.below(term.Span{Text: "the field is removed", Style: term.Red})
	default:
		t.below(term.Span{Text: "+ " + b.Becomes, Style: term.Bold})
	}
}

func (t *text) visibility(v engine.Visibility) {
	client := v.Client
	if client == "" {
		client = "an unknown namespace"
	}
	word, style := "hidden from ", term.Red
	if v.Visible {
		word, style = "visible to ", term.Green
	}
	if v.Reason == "absent" {
		word, style = "unknown to ", term.Yellow
	}
	said := ": " + v.Reason
	if v.Entry != "" {
		said += ", " + v.Entry
	}
	if v.Level != "" {
		said += " is " + v.Level + " by " + v.Policy
	}
	t.line("mesh", term.Span{Text: v.Host + " is "}, term.Span{Text: word + client, Style: style}, term.Span{Text: said})
}
