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
	percent int
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
	var o outcome
	for i := range a.Targets {
		from, b := &a.Targets[i], &a.Site.Entry.Backends[i]
		if from.Percent == 0 {
			continue
		}
		t := target{backend: from.Backend, percent: from.Percent, status: from.Status()}
		t.headers = headers(slices.Concat(a.Site.Entry.ResponseHeaders, b.ResponseHeaders))
		if t.status == 0 {
			t.scheme, t.host, t.path, t.query = from.Scheme, from.Host, from.Path, from.Query
		}
		o.targets = append(o.targets, t)
	}
	slices.SortFunc(o.targets, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.backend, b.backend), cmp.Compare(a.percent, b.percent))
	})
	if len(o.targets) > 0 && !slices.ContainsFunc(o.targets, func(t target) bool { return t.status != o.targets[0].status }) {
		if o.status = o.targets[0].status; o.status != 0 {
			o.targets = nil // the client gets the same, whoever would have had the request
		}
	}
	return o
}

// headers returns operations in the order in which they are done. The case of
// names does not matter.
func headers(list []ingress.HeaderOp) string {
	var b strings.Builder
	for _, h := range list {
		fmt.Fprintf(&b, "%v %s: %s\n", h.Op, strings.ToLower(h.Name), h.Value)
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
		{"shares", func(t *target) string { return fmt.Sprint(t.percent, t.status) }},
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
