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

// byPath is the order in which the controller writes locations: it compares the
// paths of the Ingresses.
func byPath(a, b string) int {
	return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b, a))
}

// order puts the regular expressions of each host in order, the longest first:
// in Compat byPath, and in Strict by what a table orders prefixes by, so that no
// regular expression of the host changes which of two prefixes wins.
func (t *translation) order() {
	for _, s := range t.servers {
		t.orderHost(s)
	}
}

// orderHost does it for one host. A table tries regular expressions after all
// prefixes, so a prefix that would take requests from one becomes one too, or if
// it is too long for that, what is tried before it becomes RegexFirst.
func (t *translation) orderHost(s *server) {
	var begin []string // of the regular expressions, sorted
	roots := false     // those of "/" have branches, which only they would take requests from
	for _, l := range s.places {
		if l.fallback || l.hidden {
			continue
		}
		if l.pattern.Type == route.Regex {
			begin = append(begin, l.literal)
		}
		if l.isRoot() {
			roots = roots || len(l.branches) > 0
			continue
		}
		for _, s := range l.branches {
			begin = append(begin, s.branch.literal)
		}
	}
	if begin == nil && !roots {
		return
	}
	slices.Sort(begin)
	var tried []*location // one after the other
	last := 0             // index in tried of the last that is no regular expression
	for _, l := range s.places {
		if l.pattern.Type == route.Exact || l.fallback || l.hidden {
			continue
		}
		if l.pattern.Type == route.Regex || overlaps(begin, l.literal) || roots && l.isRoot() {
			t.toRegex(l)
			tried = append(tried, l)
		}
	}
	slots := make([]int, len(tried))
	for i, l := range tried {
		slots[i] = l.slot
	}
	slices.SortStableFunc(tried, func(a, b *location) int {
		return cmp.Or(cmp.Compare(len(b.weight), len(a.weight)), cmp.Compare(a.rank, b.rank), byPath(a.weight, b.weight))
	})
	if s.regex && t.compat {
		hideBehind(tried)
	}
	for i, l := range tried {
		l.slot = slots[i]
		if l.pattern.Type != route.Regex {
			last = i
		}
	}
	for _, l := range tried[:last] {
		if l.pattern.Type == route.Regex {
			l.pattern.Type = route.RegexFirst
		}
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
	l.literal = escaped(p.Path)
	if trimmed := strings.TrimRight(l.literal, "/"); p.Type == route.Prefix && trimmed != "" {
		l.literal = trimmed
	}
	l.weight, l.rank = l.literal, p.Type
}

// escaped returns a path in the form in which paths are compared.
func escaped(path string) string {
	return string(escape.AppendNormal(nil, string(escape.AppendPath(nil, path)), true))
}

// toRegex says the prefix of l as a regular expression. One that is too long for
// that stays a prefix, unless it is closed: then as much of it is as can be said.
func (t *translation) toRegex(l *location) {
	if l.pattern.Type == route.Regex {
		return
	}
	path := regexp.QuoteMeta(l.literal)
	if l.pattern.Type == route.Prefix && path != "/" {
		path += "(?:/|$)"
	}
	p := l.pattern
	p.Path, p.Type = path, route.Regex
	switch {
	case t.pathFault(p) == nil:
		l.pattern = p
	case t.closed(l):
		t.closeBelow(l, l.literal)
	}
}
