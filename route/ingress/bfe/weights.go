package bfe

// balance.weight: the requests of one name shared out to several Services.

import (
	"strconv"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// weights are the groups of balance.weight, by the name that stands for them
// where a path names a Service. There need not be such a Service.
type weights struct {
	groups map[string]*group
	order  []*group
	made   int // backends, for all entries so far
}

type group struct {
	name   string
	origin rewrite.Origin // of the name
	shares []share
	bad    bool
	used   bool
}

type share struct {
	service string
	weight  uint32
	origin  rewrite.Origin // of the Service's name
}

// Limits, because every path that names a group has all backends of it: without
// them the memory for a small manifest grows with the square of its size.
const (
	maxShares   = 64      // Services of a group
	maxBackends = 1 << 14 // backends that the groups of an Ingress make, over its entries
)

// weights reads the annotation. It returns nil if there is none.
func (t *translator) weights() *weights {
	text, ok := t.in.Annotations[keyWeight]
	if !ok {
		return nil
	}
	const want = `write {"name": {"service": 80, "other": 20}}`
	root, fault := parseJSON([]byte(text))
	if fault == nil && root.kind != '{' {
		fault = &jsonError{root.at, root.is() + ": " + want}
	}
	if fault == nil && len(root.fields) == 0 {
		fault = &jsonError{root.at, "there is no group: " + want + " or remove the annotation"}
	}
	if fault != nil {
		t.refuse(CodeWeight, rewrite.Origin{Key: keyWeight, Offset: fault.offset}, "%s", fault.detail)
		return nil
	}
	w := &weights{groups: make(map[string]*group, len(root.fields))}
	for i := range root.fields {
		f := &root.fields[i]
		g := &group{name: f.name, origin: rewrite.Origin{Key: keyWeight, Index: i, Offset: f.at}}
		w.groups[f.name] = g
		w.order = append(w.order, g)
		if at, detail := g.read(&f.value); detail != "" {
			g.bad = true
			t.report(ingress.Error, CodeWeight, t.in.Source(), rewrite.Origin{Key: keyWeight, Index: i, Offset: at},
				"group %s: %s; paths of this name are not served", quote(f.name), detail)
		}
	}
	return w
}

// read reads the Services of a group, or returns what is wrong and where.
func (g *group) read(n *node) (at int, detail string) {
	switch {
	case n.kind != '{':
		return n.at, n.is() + `: write an object of Services and weights, such as {"service": 80, "other": 20}`
	case len(n.fields) > maxShares:
		return n.fields[maxShares].at, "it has " + strconv.Itoa(len(n.fields)) + " Services: write at most " + strconv.Itoa(maxShares)
	}
	sum := 0
	for i := range n.fields {
		f := &n.fields[i]
		v := &f.value
		weight, err := strconv.Atoi(v.raw)
		switch {
		case v.kind != '0':
			return v.at, "the weight of " + quote(f.name) + " is " + v.is() + ": write an integer without quotes"
		case err != nil || weight < 0 || weight > ingress.MaxWeight:
			return v.at, "the weight of " + quote(f.name) + " is " + v.raw[:min(len(v.raw), 64)] + ": write an integer from 0 to " + strconv.Itoa(ingress.MaxWeight)
		}
		sum += weight
		origin := g.origin
		origin.Offset = f.at
		g.shares = append(g.shares, share{f.name, uint32(weight), origin})
	}
	if sum == 0 {
		return n.at, "the weights have the sum 0: write at least one that is not 0"
	}
	return 0, ""
}

// of returns the group that ref names; nil if it names none.
func (w *weights) of(ref *ingress.BackendRef) *group {
	if w == nil || ref == nil || ref.IsResource {
		return nil
	}
	return w.groups[ref.Service]
}

// standIn returns ref, or what stands for a group until its Services are
// resolved: a backend that Paths takes for a resource.
func (w *weights) standIn(ref *ingress.BackendRef) *ingress.BackendRef {
	g := w.of(ref)
	if g == nil {
		return ref
	}
	g.used = true
	return &ingress.BackendRef{IsResource: true}
}

// standIns returns in with a stand-in for every name of a group, because there
// need not be a Service of the name.
func (w *weights) standIns(in *ingress.Ingress) *ingress.Ingress {
	if w == nil {
		return in
	}
	out := *in
	out.Default = w.standIn(in.Default)
	out.Rules = make([]ingress.Rule, len(in.Rules))
	for i, r := range in.Rules {
		out.Rules[i] = ingress.Rule{Host: r.Host, Paths: make([]ingress.Path, len(r.Paths))}
		for j, p := range r.Paths {
			p.Backend = w.standIn(p.Backend)
			out.Rules[i].Paths[j] = p
		}
	}
	return &out
}

// ref returns the backend that the Ingress has at a place, be it a path or the
// default backend.
func (t *translator) ref(at ingress.Source) *ingress.BackendRef {
	if at.Path < 0 {
		return t.in.Default
	}
	return t.in.Rules[at.Rule].Paths[at.Path].Backend
}

// backends returns the backends of a path, for so many entries; false if its
// group is faulty.
func (t *translator) backends(r *ingress.PathRule, w *weights, entries int) ([]ingress.Backend, bool) {
	ref := t.ref(r.Source)
	g := w.of(ref)
	switch {
	case g == nil:
		return []ingress.Backend{r.Backend}, true
	case g.bad:
		return nil, false
	case w.made+entries*len(g.shares) > maxBackends:
		t.report(ingress.Error, CodeWeight, r.Source, g.origin,
			"the paths that name groups have more than %d backends: this one is not served; write fewer Services in group %s, or move paths to another Ingress", maxBackends, quote(g.name))
		return nil, false
	}
	w.made += entries * len(g.shares)
	list := make([]ingress.Backend, len(g.shares))
	for i, s := range g.shares {
		member := *ref
		member.Service = s.service
		var problems []ingress.Problem
		list[i], problems = t.c.Resolve(t.in.Namespace, member)
		list[i].Weight = s.weight
		t.members(r, s.origin, problems)
	}
	return list, true
}

// members reports what is wrong with a Service of a path; of a default backend,
// which is there for several hosts, once.
func (t *translator) members(r *ingress.PathRule, o rewrite.Origin, problems []ingress.Problem) {
	at := r.Source
	if r.Default {
		if t.defaultDone {
			return
		}
		at = t.in.Source()
	}
	for _, p := range problems {
		p.Source, p.Origin = at, o
		t.out.Problems = append(t.out.Problems, p)
	}
}

// unused reports groups that no path names.
func (t *translator) unused(w *weights) {
	if w == nil {
		return
	}
	for _, g := range w.order {
		if !g.used {
			t.report(ingress.Warning, CodeWeight, t.in.Source(), g.origin,
				"no path has Service %s as its backend: write the name of the group there", quote(g.name))
		}
	}
}
