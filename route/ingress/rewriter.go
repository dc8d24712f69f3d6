package ingress

// Rewriter: who knows a dialect.

import (
	"cmp"

	"github.com/readdress/readdress/route"
)

// A Rewriter translates the Ingresses of one dialect into entries. Its methods
// keep nothing, change nothing that they are given, and are safe for concurrent
// use; the same input gives the same output. In dekube: IngressRewriter.
//
// A Rewriter may also have a method Priority() int, which a Registration
// without a priority of its own takes.
type Rewriter interface {
	// Name of the dialect, in lower case. It is what a registration overrides
	// or disables, and a class that is known.
	Name() string
	// Match reports whether the rewriter claims an Ingress. Cluster.Claims is
	// the usual way to decide.
	Match(in *Ingress, c *Cluster) bool
	// Rewrite translates all Ingresses that it won, in order of precedence: by
	// creation time, namespace and name. Some dialects let one Ingress change
	// what another of its host means.
	Rewrite(in []*Ingress, c *Cluster) Translation
}

// A Translation is what a rewriter makes: entries in order of precedence, those
// of default backends last, and problems. What it does not serve is in the
// problems.
type Translation struct {
	Entries  []Entry
	Problems []Problem
}

// Add appends what other has.
func (t *Translation) Add(other Translation) {
	t.Entries = append(t.Entries, other.Entries...)
	t.Problems = append(t.Problems, other.Problems...)
}

// Each returns a Rewriter for a dialect in which every Ingress stands for
// itself: rewrite is called for each, in order of precedence, and never for nil.
// Entries of default backends are moved to the end.
func Each(name string, match func(in *Ingress, c *Cluster) bool, rewrite func(in *Ingress, c *Cluster) Translation) Rewriter {
	return each{name, match, rewrite}
}

type each struct {
	name    string
	match   func(*Ingress, *Cluster) bool
	rewrite func(*Ingress, *Cluster) Translation
}

func (e each) Name() string                       { return e.name }
func (e each) Match(in *Ingress, c *Cluster) bool { return e.match(in, c) }

func (e each) Rewrite(list []*Ingress, c *Cluster) Translation {
	var all Translation
	for _, in := range list {
		if in != nil {
			all.Add(e.rewrite(in, c))
		}
	}
	all.Entries = DefaultsLast(all.Entries)
	return all
}

// DefaultsLast makes of the entries of default backends, whose Source.Path is
// -1, the last ones in every sense: it moves them behind the others, in place,
// each in the order that they had, and turns their pattern "/", or "", into the
// regular expression "/", which a table tries when nothing else of the host
// matches. It returns entries.
func DefaultsLast(entries []Entry) []Entry {
	var last []Entry
	n := 0
	for _, e := range entries {
		if e.Source.isDefault() {
			if (e.Pattern.Path == "/" || e.Pattern.Path == "") && e.Pattern.Type != route.Exact {
				e.Pattern.Path, e.Pattern.Type = "/", route.Regex
			}
			last = append(last, e)
			continue
		}
		entries[n] = e
		n++
	}
	return append(entries[:n], last...)
}

// isDefault reports whether what came from s serves a default backend.
func (s Source) isDefault() bool { return s.Path < 0 }

// Priorities of a Registration. Lower ones are asked first.
const (
	DefaultPriority  = 1000
	FallbackPriority = 1100 // of a rewriter that takes what nobody else claims
)

// A Registration is a rewriter and its place among others.
type Registration struct {
	Rewriter Rewriter
	// Priority: lower is asked first, negative before all. 0 is that of the
	// rewriter, if it has a method Priority() int that does not return 0, else
	// DefaultPriority. Of equal ones the external is first, then the one that is
	// declared first.
	Priority int
	// External rewriters replace the built-in one of the same name.
	External bool
	// Disabled drops every rewriter of this name. Its class stays known.
	Disabled bool
}

func (r Registration) priority() int {
	own := 0
	if p, ok := r.Rewriter.(interface{ Priority() int }); ok {
		own = p.Priority()
	}
	return cmp.Or(r.Priority, own, DefaultPriority)
}
