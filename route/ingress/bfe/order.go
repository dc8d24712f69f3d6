package bfe

// Where BFE's order, the first rule that matches, is not that of a table.

import (
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// order reports rules, from entry first on, behind one that matches some of the
// same requests and that a table prefers less. Conditions on header fields and
// cookies are not looked at.
func (r *reader) order(first int) {
	before := newOverlaps(r.opts.Table, r.expressions)
	reported := -1
	for i := first; i < len(r.entries); i++ {
		e := &r.entries[i]
		worst, ok := before.worst(e, func(s seen) bool { return r.entries[s.entry].Source.Rule < e.Source.Rule })
		if ok && worst.rank.compare(r.expressions.rank(e, 0)) > 0 && reported != e.Source.Rule {
			reported = e.Source.Rule
			r.at = e.Source
			rule := r.entries[worst.entry].Source.Rule
			r.report(ingress.Warning, CodeOrder, r.offsets[i],
				"rule %d comes first in BFE, where both match, and a table prefers this one, which is more specific: put it before rule %d", rule, rule)
		}
		before.add(e, i)
	}
}

// maxLevels is how many segments of a path, and labels of a host, are looked at.
// Paths that begin with the same ones are taken to overlap.
const maxLevels = 32

// A place is a host and the beginning of a path.
type place struct{ host, path string }

// A seen is the entry that a table prefers least of those at a place; of equal
// ones the first to be added.
type seen struct {
	rank  rank
	entry int // its index
}

// overlaps finds, of the entries added, those for some of the same requests as
// another that a table prefers less.
type overlaps struct {
	expressions  expressions
	anyDepth     bool           // "*." stands for any number of labels
	exact, below map[place]seen // entries for just this path; for this one and those below it
	beneath      map[place]seen // entries at this place and at places below it
}

func newOverlaps(opts *route.Options, x expressions) *overlaps {
	return &overlaps{x, opts != nil && opts.AnyDepthWildcard, make(map[place]seen), make(map[place]seen), make(map[place]seen)}
}

// add adds entry i, which is e.
func (o *overlaps) add(e *ingress.Entry, i int) {
	host := canonicalHost(e.Pattern.Host)
	levels, exact := levelsOf(e.Pattern)
	now := seen{o.expressions.rank(e, 0), i}
	put := func(m map[place]seen, path string) {
		p := place{host, path}
		if old, ok := m[p]; !ok || old.rank.compare(now.rank) < 0 {
			m[p] = now
		}
	}
	if deepest := levels[len(levels)-1]; exact {
		put(o.exact, deepest)
	} else {
		put(o.below, deepest)
	}
	for _, path := range levels {
		put(o.beneath, path)
	}
}

// worst returns the entry that a table prefers least of those that take, that
// overlap with e, and whose host is not more specific.
func (o *overlaps) worst(e *ingress.Entry, take func(seen) bool) (worst seen, ok bool) {
	levels, exact := levelsOf(e.Pattern)
	deepest := levels[len(levels)-1]
	look := func(m map[place]seen, host, path string) {
		if s, found := m[place{host, path}]; found && take(s) && (!ok || worst.rank.compare(s.rank) < 0) {
			worst, ok = s, true
		}
	}
	for _, host := range widerHosts(canonicalHost(e.Pattern.Host), o.anyDepth) {
		for _, path := range levels {
			look(o.below, host, path)
		}
		if exact {
			look(o.exact, host, deepest)
		} else {
			look(o.beneath, host, deepest)
		}
	}
	return worst, ok
}

// levelsOf returns the beginnings of the paths that p matches, "" first, that
// end before a slash or where it ends, and whether the last is the only path.
func levelsOf(p route.Pattern) (levels []string, exact bool) {
	k := knownOf(p)
	levels = []string{""}
	for i := 1; i <= len(k.path) && len(levels) < maxLevels; i++ {
		if i == len(k.path) || k.path[i] == '/' {
			levels = append(levels, k.path[:i])
		}
	}
	return levels, k.exact && levels[len(levels)-1] == k.path
}

// widerHosts returns the host patterns that match what host matches.
func widerHosts(host string, anyDepth bool) []string {
	out := []string{host}
	labels, isWildcard := strings.CutPrefix(host, "*.")
	for len(out) < maxLevels && (anyDepth || !isWildcard) {
		_, rest, ok := strings.Cut(labels, ".")
		if !ok {
			break
		}
		out = append(out, "*."+rest)
		labels, isWildcard = rest, true
	}
	if host != "" {
		out = append(out, "")
	}
	return out
}
