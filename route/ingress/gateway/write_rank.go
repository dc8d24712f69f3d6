package gateway

// Ranks: entries of one host that a table tries in one order and the API in
// another.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A ranked item is one whose path is written as Exact or PathPrefix, by which
// the API ranks it.
type ranked struct {
	*item
	namespace string
	exact     bool
	text      string // canonical; of a prefix without a final slash
	class     int
	length    int // of a prefix, as a table has it
	isText    bool
	first     int // of a regular expression, the index of the first entry that has it
}

// The classes of paths, in the order in which a table tries them.
const (
	classExact = iota
	classRegexFirst
	classPrefix
	classRegex
)

// ranks warns of the entries of one host of which a table tries one first and the
// API another: paths that are no prefixes to a table, and entries of several
// namespaces. It takes n log n time.
func (w *writer) ranks(groups []*group) {
	schemes := []string{""}
	if slices.ContainsFunc(groups, func(g *group) bool { return g.written[""] == nil }) {
		schemes = []string{"http", "https"}
	}
	for _, scheme := range schemes {
		var list []ranked
		for _, g := range groups {
			items := g.written[scheme]
			if items == nil {
				items = g.written[""]
			}
			for i := range items {
				if r, ok := w.ranked(&items[i], g); ok {
					list = append(list, r)
				}
			}
		}
		if len(list) > 1 {
			w.rank(list)
		}
	}
}

// expression notes which entry of a host is the first with its regular
// expression, whose place in the table all others share, those included that are
// left out or are for another scheme.
func (w *writer) expression(host string, e *ingress.Entry, i int) {
	if e.Pattern.Type != route.Regex && e.Pattern.Type != route.RegexFirst {
		return
	}
	if _, ok := w.expressions[ofHost(host, e)]; !ok {
		w.expressions[ofHost(host, e)] = i
	}
}

// ofHost returns the pattern of an entry with the host as it is written.
func ofHost(host string, e *ingress.Entry) route.Pattern {
	return route.Pattern{Host: host, Path: e.Pattern.Path, Type: e.Pattern.Type}
}

func (w *writer) ranked(i *item, g *group) (r ranked, ok bool) {
	r = ranked{item: i, namespace: g.namespace, first: w.expressions[ofHost(g.host, i.entry)]}
	if matches := i.rules[0].Matches; len(matches) > 0 {
		switch p := matches[0].Path; p.Type {
		case matchExact:
			r.exact, r.text = true, canonical(p.Value)
		case matchPrefix:
			r.text = prefixText(p.Value)
		default:
			return r, false
		}
	}
	switch i.entry.Pattern.Type {
	case route.Exact:
		r.class = classExact
	case route.RegexFirst:
		r.class = classRegexFirst
	case route.Regex:
		r.class = classRegex
	case route.TextPrefix:
		r.class, r.isText, r.length = classPrefix, true, len(canonical(cmp.Or(i.entry.Pattern.Path, "/")))
	default:
		r.class, r.length = classPrefix, max(len(r.text), len("/"))
	}
	return r, true
}

func (w *writer) rank(list []ranked) {
	slices.SortFunc(list, func(a, b ranked) int {
		if c := compareSegments(a.text, b.text); c != 0 {
			return c
		}
		if a.exact != b.exact {
			if a.exact {
				return -1
			}
			return 1
		}
		return a.inAPI(&b)
	})
	var around []level
	for i := range list {
		r := &list[i]
		if i > 0 && list[i-1].exact == r.exact && list[i-1].text == r.text && list[i-1].inTable(r) > 0 {
			w.passes(&list[i-1], r)
		}
		if r.exact {
			continue
		}
		for len(around) > 0 && !within(r.text, around[len(around)-1].text) {
			around = around[:len(around)-1]
		}
		outer := len(around) - 1
		if outer >= 0 && around[outer].text == r.text {
			outer--
		}
		if outer >= 0 && around[outer].best.inTable(r) < 0 {
			w.passes(r, around[outer].best)
		}
		around = push(around, r)
	}
}

// A level is a prefix around the item at hand, and what a table tries first there
// or further out.
type level struct {
	text string
	best *ranked
}

// push puts r on the levels that are around it.
func push(around []level, r *ranked) []level {
	n := len(around)
	if n > 0 && around[n-1].text == r.text {
		if r.inTable(around[n-1].best) < 0 {
			around[n-1].best = r
		}
		return around
	}
	best := r
	if n > 0 && around[n-1].best.inTable(r) < 0 {
		best = around[n-1].best
	}
	return append(around, level{r.text, best})
}

// passes warns that the API tries first before second, and a table after it.
func (w *writer) passes(first, second *ranked) {
	if w.passed[first.index] {
		return
	}
	w.passed[first.index] = true
	w.at = first.entry.Source
	why := "a prefix is ranked by its length, and a regular expression is not"
	switch {
	case first.text != second.text:
	case first.namespace != second.namespace && first.conditions(second) == 0:
		why = "the names of namespaces decide between equal matches"
	default:
		why = "equal paths are ranked by their conditions and their order alone"
	}
	w.approximate("path %.64q is tried before %.64q, and a table tries it after: %s", first.entry.Pattern.Path, second.entry.Pattern.Path, why)
	w.problems[len(w.problems)-1].Related = []ingress.Source{second.entry.Source}
}

// inTable compares the places in a table of two items that can meet one request.
func (r *ranked) inTable(o *ranked) int {
	text := 0
	if r.isText != o.isText {
		text = 1
		if o.isText {
			text = -1
		}
	}
	scheme := cmp.Compare(min(len(o.entry.When.Scheme), 1), min(len(r.entry.When.Scheme), 1))
	return cmp.Or(cmp.Compare(r.class, o.class), cmp.Compare(o.length, r.length), text, cmp.Compare(r.first, o.first), scheme, r.conditions(o), cmp.Compare(r.index, o.index))
}

// inAPI compares the places in the API of two items with the same match of a
// path: routes of one age are in order of their namespaces.
func (r *ranked) inAPI(o *ranked) int {
	return cmp.Or(r.conditions(o), compareNamespaces(r.namespace, o.namespace), cmp.Compare(r.index, o.index))
}

// conditions compares how many conditions there are, the most first.
func (r *ranked) conditions(o *ranked) int {
	a, b := &r.entry.When, &o.entry.When
	return cmp.Or(cmp.Compare(min(len(b.Methods), 1), min(len(a.Methods), 1)),
		cmp.Compare(len(b.Headers), len(a.Headers)), cmp.Compare(len(b.Query), len(a.Query)))
}

// compareSegments compares paths such that what is below a prefix follows it.
func compareSegments(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if a[i] == '/' {
			return -1
		}
		if b[i] == '/' {
			return 1
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

// within reports whether a path is the prefix, or below it.
func within(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}
