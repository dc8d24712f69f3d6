package main

// RESULTS.md.

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// head and quoted are the parts of the report that no run changes.
var (
	//go:embed head.md
	head string
	//go:embed quoted.md
	quoted string
)

// A section is what the report says of a benchmark function.
type section struct{ name, title, text string }

var sections = []section{
	{"Rewriting", "Rewriting", "One rewrite of one URL. `restore-only` is what every row has in it for putting the input back. H1 and H2 are queries of 8 KiB as an attacker would send them."},
	{"Lookup", "Finding a route", "Random requests to tables of random order; one in fifty finds nothing. Shape `many-hosts` has ten routes a host, five of them nested prefixes; `one-host` has all on one host; `exact` has ten exact paths a host. Rows that are missing are tables that a router cannot hold, or that take it too long: its package says which."},
	{"Build", "Making a table of routes", "`heap-B/route` is the memory that a table holds; what shares the strings of its caller is not charged for them. `gc-ns` is what one of 100,000 routes adds to a collection of garbage."},
	{"Pick", "Picking a backend", "A pick by weight, one goroutine. `random` keeps no state and is not smooth; `grpc-wrr` allocates the closure that takes reports of load."},
	{"LookupHost", "What a client sees", "Meshes of 1,000, 20,000 and 100,000 entries."},
	{"NewIndex", "Making an index of a mesh", ""},
	{"Resolve", "The visibility of a namespace", "No policy matches, so that all are asked that have to be."},
	{"Selector", "Label selectors", ""},
	{"Annotations", "Reading annotations", "`encoding-json` decodes the values and judges nothing: less than what the library does."},
	{"Dialects", "Translating objects of the dialects", "For one object, of a thousand that say the same. `encoding-json` decodes that object, which comes before in any controller: another job, for scale."},
	{"Proxy", "A whole proxy", "A request through `httputil.ReverseProxy` that is rewritten as in S11: over loopback from a client to an upstream, and with a transport in memory. `none` does not rewrite."},
	{"Added", "What a rewrite adds to a request", "The same requests, in turn with `none`: the median of the differences."},
}

func (r *results) report(w io.Writer) {
	fmt.Fprint(w, head)
	r.machine(w)
	for _, s := range sections {
		for _, f := range r.funcs {
			if f.name == s.name {
				f.section(w, s)
			}
		}
	}
	fmt.Fprint(w, "\n", quoted)
}

func (r *results) machine(w io.Writer) {
	fmt.Fprint(w, "\n| | |\n|---|---|\n")
	for _, row := range [][2]string{
		{"CPU", strings.TrimSpace(r.about["cpu"]) + ", " + r.about["cores"] + " cores"},
		{"Platform", r.about["goos"] + "/" + r.about["goarch"]},
		{"Go", r.about["go"]},
		{"Rounds", r.about["rounds"] + " of " + r.about["benchtime"] + " each"},
		{"Date", r.about["measured"]},
		{"Peers", r.about["peers"]},
	} {
		fmt.Fprintf(w, "| %s | %s |\n", row[0], row[1])
	}
}

func (f *function) section(w io.Writer, s section) {
	fmt.Fprintf(w, "\n## %s\n\n", s.title)
	if s.text != "" {
		fmt.Fprintf(w, "%s\n\n", s.text)
	}
	for _, ch := range f.charts() {
		fmt.Fprintf(w, "![%s](plots/%s)\n", ch.title, ch.file)
	}
	f.overview(w)
	fmt.Fprint(w, "\n<details><summary>All figures</summary>\n\n")
	f.details(w)
	fmt.Fprint(w, "\n</details>\n")
}

// overview is the median times, and how many times those of the library.
func (f *function) overview(w io.Writer) {
	names := f.names()
	fmt.Fprintf(w, "\n| | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("---:|", len(names)))
	base := "readdress"
	if !slices.Contains(names, base) {
		base = "readdress-http"
	}
	for _, c := range f.cases {
		fmt.Fprintf(w, "| %s |", c.title())
		for _, by := range names {
			fmt.Fprintf(w, " %s |", c.cell(by, base))
		}
		fmt.Fprintln(w)
	}
}

func (c *scenario) cell(by, base string) string {
	s := c.series(by)
	if s == nil {
		return ""
	}
	text := duration(median(s.values[perOp]))
	if x, ok := ratio(s, c.series(base)); ok && by != base {
		text += " (" + times(x) + ")"
	}
	return text
}

// details is everything, and what varies from round to round.
func (f *function) details(w io.Writer) {
	var extra []string
	has := map[string]bool{}
	for _, c := range f.cases {
		for _, s := range c.by {
			has[s.by] = true
			for unit := range s.values {
				if !slices.Contains([]string{perOp, "B/op", "allocs/op"}, unit) && !slices.Contains(extra, unit) {
					extra = append(extra, unit)
				}
			}
		}
	}
	slices.Sort(extra)
	columns := append([]string{"ns/op", "±", "B/op", "allocs/op"}, extra...)
	var bases []string
	for _, by := range []string{"floor", "readdress", "readdress-request", "readdress-http"} {
		if has[by] {
			bases = append(bases, by)
			columns = append(columns, "× "+by)
		}
	}
	fmt.Fprintf(w, "| | by | %s |\n|---|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---:|", len(columns)))
	for _, c := range f.cases {
		for _, by := range f.names() {
			s := c.series(by)
			if s == nil {
				continue
			}
			cells := []string{c.title(), by, number(median(s.values[perOp])), spread(s.values[perOp])}
			for _, unit := range append([]string{"B/op", "allocs/op"}, extra...) {
				text := ""
				if values := s.values[unit]; len(values) > 0 {
					text = number(median(values))
				}
				cells = append(cells, text)
			}
			for _, base := range bases {
				text := ""
				if x, ok := ratio(s, c.series(base)); ok {
					text = strconv.FormatFloat(x, 'g', 3, 64)
				}
				cells = append(cells, text)
			}
			fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		}
	}
}

// title is what tells a scenario from the others of its function.
func (c *scenario) title() string {
	values := make([]string, len(c.keys))
	for i, k := range c.keys {
		_, values[i], _ = strings.Cut(k, "=")
	}
	return strings.Join(values, ", ")
}

func duration(ns float64) string {
	for _, unit := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= unit.ns {
			return strconv.FormatFloat(ns/unit.ns, 'f', digits(ns/unit.ns), 64) + " " + unit.name
		}
	}
	return strconv.FormatFloat(ns, 'f', digits(ns), 64) + " ns"
}

func digits(x float64) int {
	switch {
	case x < 10:
		return 1
	default:
		return 0
	}
}

func times(x float64) string {
	if x < 10 {
		return strconv.FormatFloat(x, 'f', 1, 64) + "×"
	}
	return strconv.FormatFloat(x, 'f', 0, 64) + "×"
}

func number(x float64) string {
	if x > -100 && x < 100 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// spread is half of what lies between the extremes, in percent of the median.
func spread(values []float64) string {
	m := median(values)
	if len(values) < 2 || m == 0 {
		return ""
	}
	return strconv.FormatFloat((slices.Max(values)-slices.Min(values))/2/m*100, 'f', 0, 64) + "%"
}
