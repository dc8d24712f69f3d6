package nginx

// Order: which of the paths of a host is tried before which.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/route"
)

// order puts the regular expressions of each host in order, the longest first:
// in Compat the controller's, by the text of the paths, and in Strict by what a
// table orders prefixes by, so that no regular expression of the host changes
// which of two prefixes wins.
func (t *translation) order() {
	for _, s := range t.servers {
		s.order()
	}
}

// order does it for one host. A table tries regular expressions after all
// prefixes, so a prefix that would take requests from one becomes one too.
func (s *server) order() {
	var begin []string // of the regular expressions, sorted
	for _, l := range s.places {
		if l.pattern.Type == route.Regex {
			begin = append(begin, l.literal)
		}
		for _, s := range l.branches {
			begin = append(begin, s.branch.literal)
		}
	}
	if begin == nil {
		return
	}
	slices.Sort(begin)
	var regexes []*location
	for _, l := range s.places {
		if l.pattern.Type != route.Regex && l.pattern.Type != route.Exact && overlaps(begin, l.literal) {
			l.toRegex()
		}
		if l.pattern.Type == route.Regex {
			regexes = append(regexes, l)
		}
	}
	slots := make([]int, len(regexes))
	for i, l := range regexes {
		slots[i] = l.slot
	}
	slices.SortStableFunc(regexes, func(a, b *location) int {
		return cmp.Or(cmp.Compare(len(b.weight), len(a.weight)), cmp.Compare(a.rank, b.rank), cmp.Compare(b.weight, a.weight))
	})
	for i, l := range regexes {
		l.slot = slots[i]
	}
}

// overlaps reports whether one of the sorted texts begins with p, or p with it.
func overlaps(sorted []string, p string) bool {
	i, _ := slices.BinarySearch(sorted, p)
	if i < len(sorted) && strings.HasPrefix(sorted[i], p) {
		return true
	}
	for n := range len(p) + 1 {
		if _, ok := slices.BinarySearch(sorted, p[:n]); ok {
			return true
		}
	}
	return false
}

// setPrefix lets l be one of the prefixes of a table, or an Exact path.
func (l *location) setPrefix(p route.Pattern) {
	l.pattern = p
	l.literal = string(escape.AppendNormal(nil, string(escape.AppendPath(nil, p.Path)), true))
	if trimmed := strings.TrimRight(l.literal, "/"); p.Type == route.Prefix && trimmed != "" {
		l.literal = trimmed
	}
	l.weight, l.rank = l.literal, p.Type
}

// toRegex says the prefix of l as a regular expression.
func (l *location) toRegex() {
	path := regexp.QuoteMeta(l.literal)
	if l.pattern.Type == route.Prefix && path != "/" {
		path += "(?:/|$)"
	}
	l.pattern.Path, l.pattern.Type = path, route.Regex
}
