package nginx

// Closed: paths that answer 500, because what keeps clients out of them cannot
// be obeyed. They are not left out, or a shorter path, an alias or a wildcard
// would get their requests.

import (
	"regexp"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// closed reports whether l answers 500.
func (t *translation) closed(l *location) bool {
	return l.o.guarded || t.server(l.p).guard != nil
}

// closedEntry returns the entry of a closed location.
func (l *location) closedEntry() ingress.Entry {
	e := ingress.Entry{
		Source: l.p.Source, Pattern: l.pattern,
		Backends: []ingress.Backend{{Service: l.p.Backend.Service, Weight: 1, Invalid: true}},
	}
	if l.part != "" {
		e.Source.Part = join(e.Source.Part, l.part)
	}
	return e
}

// cannotPlace drops a location whose path cannot be said, unless it is closed:
// then all paths are that begin as it does.
func (t *translation) cannotPlace(l *location) {
	if !t.closed(l) {
		l.dropped = true
		return
	}
	l.literal, l.weight, l.rank = beginning(l.text), l.text, route.Regex
	path := regexp.QuoteMeta(l.literal)
	if t.compat {
		path = folded(path)
	}
	l.pattern = route.Pattern{Host: l.p.Host, Path: path, Type: route.Regex}
}

// maxBeginning is the most bytes of a path whose beginning is closed.
const maxBeginning = 64

// beginning returns text that each path begins with that expr, which need not
// be a regular expression of RE2, could match.
func beginning(expr string) string {
	if !strings.HasPrefix(expr, "/") || isAlternation(expr) {
		return "/"
	}
	n := strings.IndexAny(expr, regexBytes+".")
	if n < 0 {
		n = len(expr)
	} else if strings.IndexByte("*+?{", expr[n]) >= 0 {
		n-- // what is repeated may not be there
	}
	return expr[:max(1, min(n, maxBeginning))]
}

// routable reports whether a table takes p.
func (t *translation) routable(p route.Pattern) bool {
	_, err := route.NewTable([]route.Route[struct{}]{{Pattern: p}}, t.table())
	return err == nil
}

// hostGuards tells the other Ingresses of a host that all of its paths are
// closed.
func (t *translation) hostGuards() {
	told := make(map[*server]*object)
	for _, o := range t.objects {
		for _, l := range o.places {
			if s := t.server(l.p); s.guard != nil && !o.guarded && told[s] != o {
				told[s] = o
				t.report(l.p.Source, ingress.Error, CodeAccess, pathField, 0, "another Ingress of this host keeps clients out of all of its paths, and that cannot be obeyed: this Ingress's paths of the host answer 500")
				t.relate(s.guard.in.Source())
			}
		}
	}
}
