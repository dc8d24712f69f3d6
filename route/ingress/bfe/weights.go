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
}

type group struct {
	name   string
	at     int // offset of the name
	shares []share
	bad    bool
	used   bool
}

type share struct {
	service string
	weight  uint32
}

// maxWeight is the greatest weight of a backend.
const maxWeight = 1_000_000

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
		g := &group{name: f.name, at: f.at}
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
	if n.kind != '{' {
		return n.at, n.is() + `: write an object of Services and weights, such as {"service": 80, "other": 20}`
	}
	sum := 0
	for i := range n.fields {
		f := &n.fields[i]
		v := &f.value
		weight, err := strconv.Atoi(v.raw)
		switch {
		case v.kind != '0':
			return v.at, "the weight of " + quote(f.name) + " is " + v.is() + ": write an integer without quotes"
		case err != nil || weight < 0 || weight > maxWeight:
			return v.at, "the weight of " + quote(f.name) + " is " + v.raw[:min(len(v.raw), 64)] + ": write an integer from 0 to " + strconv.Itoa(maxWeight)
		}
		sum += weight
		g.shares = append(g.shares, share{f.name, uint32(weight)})
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

// first returns ref with the first Service of its group in place of the name.
func (w *weights) first(ref *ingress.BackendRef) *ingress.BackendRef {
	g := w.of(ref)
	if g == nil {
		return ref
	}
	g.used = true
	if len(g.shares) == 0 {
		return ref
	}
	member := *ref
	member.Service = g.shares[0].service
	return &member
}

// firsts returns in with a Service that may exist for every name of a group.
func (w *weights) firsts(in *ingress.Ingress) *ingress.Ingress {
	if w == nil {
		return in
	}
	out := *in
	out.Default = w.first(in.Default)
	out.Rules = make([]ingress.Rule, len(in.Rules))
	for i, r := range in.Rules {
		out.Rules[i] = ingress.Rule{Host: r.Host, Paths: make([]ingress.Path, len(r.Paths))}
		for j, p := range r.Paths {
			p.Backend = w.first(p.Backend)
			out.Rules[i].Paths[j] = p
		}
	}
	return &out
}

// backends returns the backends of a path; false if its group is faulty.
func (t *translator) backends(r *ingress.PathRule, w *weights) ([]ingress.Backend, bool) {
	ref := t.in.Default
	if !r.Default {
		ref = t.in.Rules[r.Source.Rule].Paths[r.Source.Path].Backend
	}
	g := w.of(ref)
	if g == nil {
		return []ingress.Backend{r.Backend}, true
	}
	if g.bad {
		return nil, false
	}
	list := make([]ingress.Backend, len(g.shares))
	for i, s := range g.shares {
		if i == 0 {
			list[0] = r.Backend
		} else {
			member := *ref
			member.Service = s.service
			var problems []ingress.Problem
			list[i], problems = t.c.Resolve(t.in.Namespace, member)
			t.members(r, problems)
		}
		list[i].Weight = s.weight
	}
	return list, true
}

// members reports what is wrong with the Services of a path; those of a default
// backend, which is there for several hosts, once.
func (t *translator) members(r *ingress.PathRule, problems []ingress.Problem) {
	at := r.Source
	if r.Default {
		if t.defaultDone {
			return
		}
		at = t.in.Source()
	}
	for _, p := range problems {
		p.Source = at
		p.Origin = rewrite.Origin{Key: keyWeight}
		t.out.Problems = append(t.out.Problems, p)
	}
}

// unused reports groups that no path names.
func (t *translator) unused(w *weights) {
	if w == nil {
		return
	}
	for i, g := range w.order {
		if !g.used {
			t.report(ingress.Warning, CodeWeight, t.in.Source(), rewrite.Origin{Key: keyWeight, Index: i, Offset: g.at},
				"no path has Service %s as its backend: write the name of the group there", quote(g.name))
		}
	}
}
