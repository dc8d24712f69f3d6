package bfe

// Where BFE's order, the first rule that matches, is not that of a table.

import (
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

// maxLevels is how many segments of a path are looked at. Paths that begin with
// the same ones are taken to overlap.
const maxLevels = 32

// A place is a host and the beginning of a path.
type place struct{ host, path string }

// A seen is the rule that a table prefers least of those at a place.
type seen struct {
	rank rank
	rule int
}

// order reports rules, from entry first on, behind one that matches some of the
// same requests and that a table prefers less. Conditions are not looked at.
func (r *reader) order(first int) {
	at := make(map[place]seen)    // rules for just this place
	above := make(map[place]seen) // rules for it and for places below it
	reported := -1
	for i := first; i < len(r.entries); i++ {
		e := &r.entries[i]
		own := rankOf(e, 0)
		host := canonicalHost(e.Pattern.Host)
		levels := levels(knownOf(e.Pattern).path)
		deepest := levels[len(levels)-1]

		worst := seen{own, -1}
		look := func(s seen, ok bool) {
			if ok && s.rule < e.Source.Rule && worst.rank.compare(s.rank) < 0 {
				worst = s
			}
		}
		for _, h := range widerHosts(host) {
			for _, path := range levels {
				s, ok := at[place{h, path}]
				look(s, ok)
			}
			s, ok := above[place{h, deepest}]
			look(s, ok)
		}
		if worst.rule >= 0 && reported != e.Source.Rule {
			reported = e.Source.Rule
			r.at = e.Source
			r.report(ingress.Warning, CodeOrder, r.offsets[i],
				"rule %d comes first in BFE, where both match, and a table prefers this one, which is more specific: put it before rule %d", worst.rule, worst.rule)
		}

		now := seen{own, e.Source.Rule}
		put := func(m map[place]seen, p place) {
			if old, ok := m[p]; !ok || old.rank.compare(own) < 0 {
				m[p] = now
			}
		}
		put(at, place{host, deepest})
		for _, path := range levels {
			put(above, place{host, path})
		}
	}
}

// levels returns the beginnings of a path, "" first, that end before a slash or
// where it ends.
func levels(path string) []string {
	out := []string{""}
	for i := 1; i <= len(path) && len(out) < maxLevels; i++ {
		if i == len(path) || path[i] == '/' {
			out = append(out, path[:i])
		}
	}
	return out
}

// widerHosts returns the host patterns that match what host matches.
func widerHosts(host string) []string {
	switch i := strings.IndexByte(host, '.'); {
	case host == "":
		return []string{""}
	case i < 0 || strings.HasPrefix(host, "*."):
		return []string{host, ""}
	default:
		return []string{host, "*" + host[i:], ""}
	}
}
