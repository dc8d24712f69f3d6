package nginx

// Exact: redirects of one path, which are routes of their own.

import (
	"cmp"
	"slices"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// exactRedirects returns the entries of redirects of one path in snippets, where
// l is the location that gets the path.
func (t *translation) exactRedirects(l *location) []ingress.Entry {
	var list []ingress.Entry
	var done map[string]bool
	for _, s := range t.snippets(l) {
		for _, exact := range s.exact {
			if done[exact.path] || t.getter(l, exact.path) != l || s == l.o.config && t.addsSlash(l, exact.path) {
				continue
			}
			if done == nil {
				done = make(map[string]bool)
			}
			done[exact.path] = true
			e := ingress.Entry{Source: l.p.Source, Redirect: exact.to}
			e.Source.Part = join(join(e.Source.Part, l.part), s.name+"="+exact.path)
			e.Pattern = route.Pattern{Host: l.p.Host, Path: exact.path, Type: route.Exact}
			if s == l.o.config {
				e.Rules = t.serverRules(l)
			}
			list = append(list, e)
		}
	}
	return list
}

// addsSlash reports whether nginx redirects path to that of l, to which it then
// gives no requests for path.
func (t *translation) addsSlash(l *location, path string) bool {
	return t.compat && !t.server(l.p).regex && path+"/" == l.text
}

// getter returns the location of l's host that gets a path, nil if none.
func (t *translation) getter(l *location, path string) *location {
	s := t.server(l.p)
	if s.table == nil {
		places := slices.Clone(s.places)
		slices.SortFunc(places, func(a, b *location) int { return cmp.Compare(a.slot, b.slot) })
		var routes, defaults []route.Route[*location]
		for _, place := range places {
			if place.hidden {
				continue
			}
			r := route.Route[*location]{Pattern: place.pattern, Value: place}
			r.Pattern.Host = "" // that of all of them
			if place.p.Default {
				r.Pattern.Type = route.Regex
				defaults = append(defaults, r)
			} else {
				routes = append(routes, r)
			}
		}
		// What has a fault gets nothing, and a Dispatcher says so.
		s.table, _ = route.NewTable(append(routes, defaults...), t.table())
		s.gets = make(map[string]*location)
	}
	got, known := s.gets[path]
	if !known {
		got, _ = s.table.Lookup("", path)
		s.gets[path] = got
	}
	return got
}
