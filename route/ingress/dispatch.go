package ingress

// Dispatcher: which rewriter gets which Ingress.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// dialects are the class names of the controllers whose annotations packages
// below this one read.
var dialects = []string{"nginx", "haproxy", "haproxy-ingress", "traefik", "contour", "kong", "bfe"}

// A Dispatcher gives each Ingress to the first rewriter that claims it. It is
// immutable and safe for concurrent use. A nil Dispatcher and the zero one have
// no rewriters.
type Dispatcher struct {
	rewriters []Rewriter
	known     []string
	notes     []string
}

// NewDispatcher returns a dispatcher that asks in order of priority. Of a name
// that is disabled nothing remains, and of an external and a built-in rewriter
// of one name the external one. The error lists every registration without a
// rewriter or a name, and every second external or second built-in of a name.
func NewDispatcher(regs ...Registration) (*Dispatcher, error) {
	d := &Dispatcher{known: slices.Clone(dialects)}
	type slot struct {
		external bool
		name     string
	}
	var faults []error
	first, disabled := make(map[slot]int), make(map[string]bool)
	for i, r := range regs {
		if r.Rewriter == nil {
			faults = append(faults, fmt.Errorf("registration %d has no Rewriter", i))
			continue
		}
		name := r.Rewriter.Name()
		if name == "" || name != strings.ToLower(name) {
			faults = append(faults, fmt.Errorf("registration %d: %.64q is no name: write one in lower case", i, name))
			continue
		}
		if j, ok := first[slot{r.External, name}]; ok {
			kind := "built-in"
			if r.External {
				kind = "external"
			}
			faults = append(faults, fmt.Errorf("registration %d: %q is the second %s rewriter of this name, after registration %d: leave one out", i, name, kind, j))
			continue
		}
		first[slot{r.External, name}] = i
		if !slices.Contains(d.known, name) {
			d.known = append(d.known, name)
		}
		if r.Disabled && !disabled[name] {
			disabled[name] = true
			d.notes = append(d.notes, "Rewriter disabled: "+name)
		}
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("ingress: %w", errors.Join(faults...))
	}

	kept, overridden := make([]Registration, 0, len(regs)), []string(nil)
	for _, r := range regs {
		name := r.Rewriter.Name()
		_, both := first[slot{!r.External, name}]
		switch {
		case disabled[name]:
		case both && !r.External:
			overridden = append(overridden, "Rewriter overrides built-in: "+name)
		default:
			kept = append(kept, r)
		}
	}
	slices.Sort(overridden)
	d.notes = append(d.notes, overridden...)
	slices.SortStableFunc(kept, func(a, b Registration) int {
		if c := cmp.Compare(a.priority(), b.priority()); c != 0 || a.External == b.External {
			return c
		}
		if a.External {
			return -1
		}
		return 1
	})
	for _, r := range kept {
		d.rewriters = append(d.rewriters, r.Rewriter)
	}
	return d, nil
}

// Notes returns what the registrations do to each other, one line each, such as
// "Rewriter disabled: traefik" and "Rewriter overrides built-in: haproxy". The
// slice is the caller's.
func (d *Dispatcher) Notes() []string {
	if d == nil {
		return nil
	}
	return slices.Clone(d.notes)
}

// Dispatch gives each Ingress to the first rewriter that claims it and collects
// what they make. What is good is in Entries, and all that is not in Problems.
// It takes the Ingresses in order of creation time, namespace and name, so the
// order of the slice does not matter; neither it nor what it points to is
// changed. A nil Ingress is skipped, and c may be nil.
func (d *Dispatcher) Dispatch(in []*Ingress, c *Cluster) *Result {
	if d == nil || d.known == nil {
		d = &Dispatcher{known: dialects}
	}
	c = c.withKnown(d.known)
	result := &Result{}
	won := make([][]*Ingress, len(d.rewriters))
	rank := make(map[Source]int, len(in))
	for _, ing := range inPrecedence(in) {
		at := ing.Source()
		if _, ok := rank[at]; ok {
			result.Problems = append(result.Problems, Problem{
				Code: CodeDuplicateIngress, Source: at, Detail: "there is another Ingress of this namespace and name: this one is not served",
			})
			continue
		}
		rank[at] = len(rank)
		class, known := c.Class(ing)
		decision := Decision{Ingress: at, Class: class, Known: known}
		i := slices.IndexFunc(d.rewriters, func(r Rewriter) bool { return r.Match(ing, c) })
		if i >= 0 {
			won[i] = append(won[i], ing)
			decision.Rewriter = d.rewriters[i].Name()
		} else {
			result.Problems = append(result.Problems, unmatched(at, class, known))
		}
		result.Decisions = append(result.Decisions, decision)
	}

	lists := make([][]Entry, len(d.rewriters))
	for i, r := range d.rewriters {
		if len(won[i]) == 0 {
			continue
		}
		t := r.Rewrite(won[i], c)
		lists[i] = t.Entries
		result.Problems = append(result.Problems, t.Problems...)
	}
	entries, problems := check(merge(lists, rank), c)
	result.Entries = entries
	result.Problems = append(result.Problems, problems...)
	return result
}

func unmatched(at Source, class string, known bool) Problem {
	p := Problem{Severity: Warning, Code: CodeUnmatched, Source: at, Detail: "no rewriter claims it, so it is not served"}
	switch {
	case known:
		p.Code = CodeUnregistered
		p.Detail = fmt.Sprintf("class %q belongs to a rewriter that is not there, so it is not served", class)
	case class != "":
		p.Detail += fmt.Sprintf(": class %.64q is unknown; map it to the name of a rewriter", class)
	}
	return p
}

// inPrecedence returns the Ingresses by creation time, namespace and name.
func inPrecedence(in []*Ingress) []*Ingress {
	list := make([]*Ingress, 0, len(in))
	for _, ing := range in {
		if ing != nil {
			list = append(list, ing)
		}
	}
	slices.SortStableFunc(list, func(a, b *Ingress) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.namespace(), b.namespace()), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// merge joins lists of entries, each of which keeps its order: at every step the
// list goes on whose next entry's object is first in rank. Default backends are
// joined after all others.
func merge(lists [][]Entry, rank map[Source]int) []Entry {
	total, longest := 0, 0
	for i := range lists {
		total += len(lists[i])
		if len(lists[i]) > len(lists[longest]) {
			longest = i
		}
	}
	if len(lists) > 0 && len(lists[longest]) == total {
		return DefaultsLast(slices.Clone(lists[longest]))
	}
	out := make([]Entry, 0, total)
	for len(out) < total {
		best, least := -1, 0
		for i, list := range lists {
			if len(list) == 0 {
				continue
			}
			r, ok := rank[list[0].Source.Object()]
			if !ok {
				r = len(rank)
			}
			if list[0].Source.isDefault() {
				r += len(rank) + 1
			}
			if best < 0 || r < least {
				best, least = i, r
			}
		}
		out = append(out, lists[best][0])
		lists[best] = lists[best][1:]
	}
	return DefaultsLast(out)
}

// withKnown returns a copy of c that knows these classes too.
func (c *Cluster) withKnown(known []string) *Cluster {
	var out Cluster
	if c != nil {
		out = *c
	}
	out.Known = append(slices.Clone(known), out.Known...)
	return &out
}

// A Decision says who got an Ingress.
type Decision struct {
	Ingress  Source
	Class    string // after Cluster.Classes; "" if it has none
	Known    bool   // whether Class is one that is known
	Rewriter string // the name of the rewriter; "" if none claimed it
}

// A Result is what a Dispatcher makes of all Ingresses.
type Result struct {
	Entries   []Entry    // each compiles, in order of precedence
	Problems  []Problem  // of the objects and of the entries
	Decisions []Decision // one for each Ingress, in order of precedence
}

// String returns a line for each Ingress that nobody claimed, such as
// "Ingress 'default/web': no matching rewriter, skipped". An absent name is "?".
// They are dekube's.
func (r *Result) String() string {
	var b strings.Builder
	for _, d := range r.Decisions {
		if d.Rewriter == "" {
			fmt.Fprintf(&b, "Ingress '%s/%s': no matching rewriter, skipped\n", oneLine(d.Ingress.Namespace), cmp.Or(oneLine(d.Ingress.Name), "?"))
		}
	}
	return b.String()
}
