// Package diff looks for requests of which two configurations make different
// things.
package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/route/ingress"
)

// An outcome is what has to be the same for two answers to be equal.
type outcome struct {
	status   int
	location string
	targets  []target // by name
}

type target struct {
	backend string
	share   fraction
	status  int // with which the share is answered, 0 if it is forwarded
	scheme  string
	host    string
	path    string
	query   string
	headers string // what is done to the response
}

func outcomeOf(a *engine.Answer) outcome {
	if len(a.Targets) == 0 {
		return outcome{status: a.Status, location: a.Location}
	}
	weights, total := make(map[target]uint64), uint64(0)
	for i := range a.Targets {
		from, b := &a.Targets[i], &a.Site.Entry.Backends[i]
		if from.Weight == 0 {
			continue
		}
		t := target{backend: from.Service, status: from.Status()}
		t.headers = headers(slices.Concat(a.Site.Entry.ResponseHeaders, b.ResponseHeaders))
		if t.status == 0 {
			t.scheme, t.host, t.path, t.query = from.Scheme, from.Host, from.Path, from.Query
		}
		weights[t] += uint64(from.Weight)
		total += uint64(from.Weight)
	}
	var o outcome
	for t, weight := range weights {
		t.share = reduced(weight, total)
		o.targets = append(o.targets, t)
	}
	slices.SortFunc(o.targets, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.backend, b.backend), cmp.Compare(a.status, b.status), cmp.Compare(a.scheme, b.scheme),
			cmp.Compare(a.host, b.host), cmp.Compare(a.path, b.path), cmp.Compare(a.query, b.query), cmp.Compare(a.headers, b.headers))
	})
	if len(o.targets) > 0 && !slices.ContainsFunc(o.targets, func(t target) bool { return t.status != o.targets[0].status }) {
		if o.status = o.targets[0].status; o.status != 0 {
			o.targets = nil // the client gets the same, whoever would have had the request
		}
	}
	return o
}

// A fraction is a share, exactly: percentages are rounded, and the remainder goes
// by the order of the backends.
type fraction struct{ of, total uint64 }

func reduced(of, total uint64) fraction {
	a, b := of, total
	for b != 0 {
		a, b = b, a%b
	}
	return fraction{of / a, total / a}
}

// headers returns operations by name, in lower case, and for each name in the
// order in which they are done.
func headers(list []ingress.HeaderOp) string {
	if len(list) == 0 {
		return ""
	}
	sorted := slices.Clone(list)
	for i := range sorted {
		sorted[i].Name = strings.ToLower(sorted[i].Name)
	}
	slices.SortStableFunc(sorted, func(a, b ingress.HeaderOp) int { return cmp.Compare(a.Name, b.Name) })
	var b strings.Builder
	for _, h := range sorted {
		fmt.Fprintf(&b, "%v %q: %q\n", h.Op, h.Name, h.Value)
	}
	return b.String()
}

// difference names the first thing that is not the same; "" if all is.
func (o *outcome) difference(p *outcome) string {
	switch {
	case o.status != p.status:
		return "status"
	case o.location != p.location:
		return "location"
	case len(o.targets) != len(p.targets):
		return "backends"
	}
	for _, part := range []struct {
		name string
		of   func(t *target) string
	}{
		{"backends", func(t *target) string { return t.backend }},
		{"shares", func(t *target) string { return fmt.Sprint(t.share, t.status) }},
		{"scheme", func(t *target) string { return t.scheme }},
		{"host", func(t *target) string { return t.host }},
		{"path", func(t *target) string { return t.path }},
		{"query", func(t *target) string { return t.query }},
		{"response headers", func(t *target) string { return t.headers }},
	} {
		for i := range o.targets {
			if part.of(&o.targets[i]) != part.of(&p.targets[i]) {
				return part.name
			}
		}
	}
	return ""
}
