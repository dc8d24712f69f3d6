package nginx

// Closed: paths that answer 500, because what keeps clients out of them cannot
// be obeyed. They are not left out, or a shorter path, an alias or a wildcard
// would get their requests.

import (
	"errors"
	"regexp"

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
// then all paths are that begin with text, as its own do.
func (t *translation) cannotPlace(l *location, text string) {
	if !t.closed(l) {
		l.dropped = true
		return
	}
	l.weight, l.rank = l.p.Path, route.Regex
	t.closeBelow(l, escaped(text))
}

// maxBeginning is the most bytes of a path whose beginning is closed.
const maxBeginning = 64

// closeBelow lets l be all paths that begin with text, as far as that is not too
// long.
func (t *translation) closeBelow(l *location, text string) {
	l.literal = text[:min(len(text), maxBeginning)]
	path := regexp.QuoteMeta(l.literal)
	if t.compat {
		path = folded(path)
	}
	l.pattern = route.Pattern{Host: l.p.Host, Path: path, Type: route.Regex}
}

// pathFault returns why a table does not take the path of p, nil if it does.
func (t *translation) pathFault(p route.Pattern) error {
	p.Host = ""
	return t.routeFault(route.Route[struct{}]{Pattern: p})
}

func (t *translation) routeFault(r route.Route[struct{}]) error {
	_, err := route.NewTable([]route.Route[struct{}]{r}, t.table())
	if fault, bad := errors.AsType[*route.RouteError](err); bad {
		return fault.Err
	}
	return err
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
