// Package lint lists what is wrong with manifests, each with its position.
package lint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/cmd/readdress/internal/term"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/gateway"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/kong"
	"github.com/readdress/readdress/route/ingress/nginx"
	"github.com/readdress/readdress/route/ingress/traefik"
	"github.com/readdress/readdress/visibility"
)

// A Diagnostic is one thing that the author of a manifest is to know.
type Diagnostic struct {
	At      manifest.Position
	Level   ingress.Severity
	Code    string // has a page in docs/codes
	Cause   string // a second code, of the fault behind it; or empty
	Object  string
	Key     string // of the annotation or field
	Detail  string
	Related []string
}

// The prefixes of codes that packages have without one.
const (
	annotationPrefix = "annotation-"
	visibilityPrefix = "visibility-"
)

// Run returns the diagnostics of a configuration in the order of the files.
func Run(c *engine.Config) []Diagnostic {
	var list []Diagnostic
	for _, p := range c.Set.Problems {
		list = append(list, Diagnostic{At: p.Position, Level: p.Severity, Code: string(p.Code), Object: p.Object, Detail: p.Detail})
	}
	for i := range c.Problems {
		list = append(list, FromProblem(c.Set, &c.Problems[i]))
	}
	return Sorted(list)
}

// FromProblem returns the diagnostic of a problem.
func FromProblem(set *manifest.Set, p *ingress.Problem) Diagnostic {
	locate := set.Locate
	if aboutKey(p) {
		locate = set.LocateKey
	}
	d := Diagnostic{
		At: locate(p.Source, p.Origin), Level: p.Severity, Code: string(p.Code),
		Object: p.Source.String(), Key: p.Origin.Key, Detail: p.Detail,
	}
	if fault, ok := errors.AsType[*annotation.Error](p.Err); ok {
		d.Cause = annotationPrefix + string(fault.Code)
		if strings.HasPrefix(d.Detail, fault.Detail) {
			d.Detail = fault.Detail // behind it are offsets, which the positions of the other places say better
		}
		for _, o := range fault.Related {
			d.Related = append(d.Related, o.Key+" "+set.Locate(p.Source, o).String())
		}
	}
	for _, r := range p.Related {
		d.Related = append(d.Related, strings.TrimSpace(r.String()+" "+set.Locate(r, rewrite.Origin{}).String()))
	}
	return d
}

// aboutKey reports whether a problem is with the name of an annotation or field,
// and not with its value.
func aboutKey(p *ingress.Problem) bool {
	if fault, ok := errors.AsType[*annotation.Error](p.Err); ok {
		return fault.Code == annotation.CodeUnknownKey
	}
	switch p.Code {
	case bfe.CodeUnknown, gateway.CodeUnknownField, haproxy.CodeUnknown, kong.CodeUnknown, nginx.CodeUnknown:
		return true
	case contour.CodeUnknown:
		return !strings.HasSuffix(p.Origin.Key, ".protocol") // that is a value
	case traefik.CodeUnknown: // also of what a middleware has, which is in another object
		return strings.Contains(p.Origin.Key, "/") && !strings.HasSuffix(p.Origin.Key, ".middlewares")
	}
	return false
}

// Visibility returns the warnings of a visibility configuration. fields are where
// in the document it can be.
func Visibility(d *manifest.Document, list []visibility.Warning, fields []string) []Diagnostic {
	var out []Diagnostic
	for _, w := range list {
		out = append(out, Diagnostic{
			At: d.Locate(w.Path, fields...), Level: ingress.Warning, Code: visibilityPrefix + string(w.Code),
			Key: w.Path, Detail: w.Detail,
		})
	}
	return out
}

// Sorted returns list in order of position, code and text, without what is
// there twice.
func Sorted(list []Diagnostic) []Diagnostic {
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message(), b.Message()))
	})
	return slices.CompactFunc(list, func(a, b Diagnostic) bool {
		return a.At == b.At && a.Code == b.Code && a.Message() == b.Message()
	})
}

// Faults returns how many diagnostics are errors or warnings.
func Faults(list []Diagnostic) int {
	n := 0
	for _, d := range list {
		if d.Level != ingress.Note {
			n++
		}
	}
	return n
}

// Message returns what stands behind the code.
func (d *Diagnostic) Message() string {
	var b strings.Builder
	if d.Object != "" {
		b.WriteString(d.Object + ": ")
	}
	if d.Key != "" {
		b.WriteString(d.Key + ": ")
	}
	b.WriteString(d.Detail)
	if len(d.Related) > 0 {
		b.WriteString("; see " + strings.Join(d.Related, ", "))
	}
	if d.Cause != "" {
		b.WriteString(" [" + d.Cause + "]")
	}
	return b.String()
}

// WriteText writes a line for each: file:line:col: code: message.
func WriteText(w io.Writer, list []Diagnostic) error {
	p := term.NewPrinter(w)
	for i := range list {
		d := &list[i]
		style := map[ingress.Severity]term.Style{ingress.Error: term.Red, ingress.Warning: term.Yellow, ingress.Note: term.Cyan}[d.Level]
		err := p.Line(0, 4, term.Span{Text: d.At.String() + ": ", Style: term.Bold}, term.Span{Text: d.Code, Style: style},
			term.Span{Text: ": " + d.Level.String() + ": " + d.Message()})
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteGitHub writes workflow commands, which GitHub shows beside the lines.
func WriteGitHub(w io.Writer, list []Diagnostic) error {
	for i := range list {
		d := &list[i]
		command := map[ingress.Severity]string{ingress.Error: "error", ingress.Warning: "warning", ingress.Note: "notice"}[d.Level]
		place := "file=" + property(d.At.File)
		if d.At.Line > 0 {
			place += fmt.Sprintf(",line=%d,col=%d", d.At.Line, d.At.Col)
		}
		if _, err := fmt.Fprintf(w, "::%s %s,title=%s::%s\n", command, place, property(d.Code), data(d.Message())); err != nil {
			return err
		}
	}
	return nil
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25")
	propertyEscapes = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

// data keeps line breaks. What else is not printable is escaped: logs are read on
// terminals.
func data(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = dataEscapes.Replace(term.Printable(line))
	}
	return strings.Join(lines, "%0A")
}

func property(s string) string { return propertyEscapes.Replace(term.Printable(s)) }

type diagnosticJSON struct {
	Level   string   `json:"level"`
	Code    string   `json:"code"`
	Cause   string   `json:"cause,omitempty"`
	File    string   `json:"file"`
	Line    int      `json:"line,omitempty"`
	Column  int      `json:"column,omitempty"`
	Plus    int      `json:"plus,omitempty"`
	Object  string   `json:"object,omitempty"`
	Key     string   `json:"key,omitempty"`
	Detail  string   `json:"detail"`
	Related []string `json:"related,omitempty"`
}

// MarshalJSON writes the fields that are not empty.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	return json.Marshal(diagnosticJSON{
		Level: d.Level.String(), Code: d.Code, Cause: d.Cause, File: d.At.File, Line: d.At.Line, Column: d.At.Col, Plus: d.At.Plus,
		Object: d.Object, Key: d.Key, Detail: d.Detail, Related: d.Related,
	})
}
