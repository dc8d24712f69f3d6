package route

// Conflicts: routes that can never be chosen, and a URL that shows it.

import (
	"fmt"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
)

// A Conflict is two routes with the same pattern and the same conditions: the
// spelling of hosts and paths and the order of conditions do not matter. The
// earlier route wins, and the later can never be chosen.
type Conflict struct {
	Winner, Loser int // indexes in the slice given to NewTable
	// Witness is a URL that both match. It says nothing about methods, headers
	// and cookies, which the two ask for alike. It is the zero URL if no URL was
	// found, as for a regular expression that no path matches.
	Witness rewrite.URL
}

// String returns the conflict in one line.
func (c Conflict) String() string {
	s := fmt.Sprintf("route %d is never chosen: route %d has the same pattern and conditions", c.Loser, c.Winner)
	if c.Witness != (rewrite.URL{}) {
		s += "; both match " + c.Witness.String()
	}
	return s
}

// Conflicts returns every route that has an earlier one of equal pattern and
// equal conditions, and so can never be chosen, ordered by loser. A route that
// can never be chosen for other reasons, such as a condition that contradicts
// another, is not found. The witnesses are made by each call.
func (t *Table[T]) Conflicts() []Conflict {
	if t == nil {
		return nil
	}
	return t.index.conflicts()
}

func (x *index) conflicts() []Conflict {
	var list []Conflict
	for _, c := range x.clashes {
		list = append(list, Conflict{int(c.winner), int(c.loser), x.witness(x.hostOf(c.record), &x.records[c.record], &x.when[c.when])})
	}
	return list
}

// hostOf returns the host of a record.
func (x *index) hostOf(record uint32) int32 {
	low, high := int32(0), x.hostCount() // its host is in [low, high)
	for high-low > 1 {
		if mid := (low + high) / 2; x.hosts[mid].first <= record {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// witness returns a URL that a record of a host and conditions match; the zero
// URL if none was found.
func (x *index) witness(h int32, r *record, c *conditions) rewrite.URL {
	u := rewrite.URL{Scheme: c.scheme, Host: x.nameOf(h)}
	if u.Scheme == "" {
		u.Scheme = "http"
	}
	switch {
	case u.Host == "":
		u.Scheme = c.scheme // no name is every table's "any"
	case u.Host[0] == '.':
		u.Host = "x" + u.Host
	}
	query, ok := x.witnessQuery(c.query)
	if !ok {
		return rewrite.URL{}
	}
	u.RawQuery = query
	for _, path := range x.witnessPaths(r) {
		if ok, err := x.matches(r, path); ok && err == nil {
			u.Path = path
			return u
		}
	}
	return rewrite.URL{}
}

// witnessPaths returns paths of which one should match.
func (x *index) witnessPaths(r *record) []string {
	if !r.pathType().isRegex() {
		return []string{x.pattern(0, r).Path}
	}
	var paths []string
	for _, text := range samples(x.exprs[r.path].text) {
		if text == "" {
			text = "/"
		}
		u := rewrite.URL{Path: text}
		if err := (&rewrite.Input{DotSegments: rewrite.KeepDotSegments}).Clean(&u, nil); err == nil && u.Path == text {
			paths = append(paths, text)
		}
	}
	return paths
}

// witnessQuery returns a query for which all conditions hold; false if none was
// found.
func (x *index) witnessQuery(list []condition) (string, bool) {
	var b []byte
	for i := range list {
		c := &list[i]
		if c.Test == Absent {
			continue
		}
		value := c.Value
		if c.Test == Matches {
			for _, s := range samples(c.Value) {
				if c.expr.re.MatchString(s) {
					value = s
					break
				}
			}
		}
		if len(b) > 0 {
			b = append(b, '&')
		}
		b = escape.AppendQuery(b, c.Name)
		if c.Test != Present {
			b = append(b, '=')
			b = escape.AppendQuery(b, value)
		}
	}
	lost, _, err := x.holds(&conditions{query: list}, &request{query: string(b)})
	return string(b), lost == "" && err == nil
}
