package diff

// Diff: two configurations, many requests, and the ways in which they differ.

import (
	"cmp"
	"slices"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/route/ingress"
)

// A Diff compares two configurations. It keeps one request of each way in which
// they differ, and so needs little memory however many it is asked about.
type Diff struct {
	A, B      *engine.Config
	Requests  int // that were compared
	Different int
	groups    map[groupKey]*Group
}

// A Group is one way in which the two differ.
type Group struct {
	What    string         // the first thing that differs, such as "path"
	Count   int            // of requests
	Request engine.Request // the first of them, shortened
	first   int
}

// A groupKey tells ways to differ apart: by what differs and by the routes.
type groupKey struct {
	what string
	a, b ingress.Source
}

// maxGroups is how many ways are kept.
const maxGroups = 1000

// New returns a Diff of a and b.
func New(a, b *engine.Config) *Diff {
	return &Diff{A: a, B: b, groups: make(map[groupKey]*Group)}
}

// Compare compares what becomes of one request. The error says that its URL is
// none.
func (d *Diff) Compare(r *engine.Request) error {
	key, err := d.key(r)
	if err != nil {
		return err
	}
	d.Requests++
	if key.what == "" {
		return nil
	}
	d.Different++
	g := d.groups[key]
	if g == nil {
		if len(d.groups) == maxGroups {
			return nil
		}
		g = &Group{What: key.what, Request: *r, first: d.Requests}
		d.groups[key] = g
	}
	g.Count++
	return nil
}

// key returns how a and b differ for a request.
func (d *Diff) key(r *engine.Request) (groupKey, error) {
	a, err := d.A.Run(r)
	if err != nil {
		return groupKey{}, err
	}
	b, err := d.B.Run(r)
	if err != nil {
		return groupKey{}, err
	}
	oa, ob := outcomeOf(&a), outcomeOf(&b)
	return groupKey{oa.difference(&ob), source(&a), source(&b)}, nil
}

func source(a *engine.Answer) ingress.Source {
	if a.Site == nil {
		return ingress.Source{}
	}
	return a.Site.Entry.Source
}

// Groups returns the ways in which the two differ, in the order in which they
// were met, with shortened requests.
func (d *Diff) Groups() []*Group {
	var list []*Group
	for key, g := range d.groups {
		g.Request = d.shorten(g.Request, key)
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *Group) int { return cmp.Compare(a.first, b.first) })
	return list
}
