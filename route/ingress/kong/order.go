package kong

// Order: in Kong regular expressions are tried before other paths, those of a
// greater regex-priority first.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// order puts the regular expressions of all Ingresses in order of priority. In
// Compat it also makes expressions of the other paths of their hosts, behind
// them: a table tries those last.
func (t *translation) order() {
	hosts := make(map[string]bool)
	for i := range t.made {
		if t.made[i].entry.Pattern.Type == route.Regex {
			hosts[strings.ToLower(t.made[i].entry.Pattern.Host)] = true
		}
	}
	if len(hosts) == 0 {
		return
	}
	if t.compat {
		t.splitPrefixes(hosts)
	}
	var places []int // of what is put in order
	for i := range t.made {
		p := t.made[i].entry.Pattern
		if p.Type == route.Regex || t.compat && hosts[strings.ToLower(p.Host)] {
			places = append(places, i)
		}
	}
	list := make([]made, len(places))
	for i, place := range places {
		list[i] = t.made[place]
	}
	rank := func(m *made) int { // Kong makes an expression of an Exact path
		if m.entry.Pattern.Type == route.Regex || m.entry.Pattern.Type == route.Exact {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b made) int {
		if c := cmp.Compare(rank(&a), rank(&b)); c != 0 {
			return c
		}
		if rank(&a) == 0 {
			return cmp.Compare(b.priority, a.priority)
		}
		return cmp.Compare(length(b.entry.Pattern), length(a.entry.Pattern))
	})
	for i, place := range places {
		m := list[i]
		if t.compat {
			t.asRegex(&m)
		}
		t.made[place] = m
	}
}

// length returns how long a path is in Kong that is no expression: one of type
// Prefix has a final slash there.
func length(p route.Pattern) int {
	if p.Type == route.Prefix {
		return len(strings.TrimRight(p.Path, "/")) + len("/")
	}
	return len(p.Path)
}

// splitPrefixes puts before each prefix of some hosts an entry for the path that is
// the prefix itself: of that Kong makes an expression, as of an Exact path.
func (t *translation) splitPrefixes(hosts map[string]bool) {
	var list []made
	for _, m := range t.made {
		p := m.entry.Pattern
		if path := strings.Trim(p.Path, "/"); p.Type == route.Prefix && path != "" && hosts[strings.ToLower(p.Host)] {
			itself := m
			itself.half = true
			itself.entry.Pattern.Path, itself.entry.Pattern.Type = "/"+path, route.Exact
			itself.entry.Source.Part = part(m.entry.Source, "itself")
			list = append(list, itself)
		}
		list = append(list, m)
	}
	t.made = list
}

// asRegex makes a regular expression of the path of an entry that is none.
func (t *translation) asRegex(m *made) {
	p := &m.entry.Pattern
	if p.Type == route.Regex {
		return
	}
	if !m.half {
		t.at = m.entry.Source
		t.report(ingress.Warning, CodeRegexFirst, "", 0, "the host has regular expressions, which Kong tries before %.64q: Strict tries them after", p.Path)
	}
	switch path := strings.TrimRight(p.Path, "/"); p.Type {
	case route.Prefix:
		p.Path = regexp.QuoteMeta(path) + "(?:/|$)"
		if path == "" {
			p.Path = "/"
		}
	case route.Exact:
		p.Path = pcre.Whole(regexp.QuoteMeta(p.Path))
	default:
		p.Path = regexp.QuoteMeta(p.Path)
	}
	p.Type = route.Regex
}
