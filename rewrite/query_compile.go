package rewrite

// Fusing a chain of query actions: with the names that the chain mentions,
// what it does is a fate for each of them (keep, drop, or a new name), one
// fate for all other keys, and a list of pairs to append. Every action maps
// such a state to another, so any chain is one pass over the pairs. A template
// with a query part is a barrier: a new pass begins behind it.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// A queryStage is one pass, or the query part of a regular expression's
// template that goes before the pass if the expression matched.
type queryStage struct {
	pass  queryPass
	regex int  // index of the step; -1: none
	own   bool // the request's own query follows the template's
}

// compileQuery returns the stages of a hook; nil if no rule is about the query.
func compileQuery(steps []step) []queryStage {
	var stages []queryStage
	var chain []*step
	regex, own := -1, true
	flush := func() {
		if len(chain) > 0 || regex >= 0 {
			stages = append(stages, queryStage{pass: fuseQuery(chain), regex: regex, own: own})
		}
		chain = nil
	}
	for i := range steps {
		s := &steps[i]
		if s.re != nil && s.re.template.hasQuery {
			flush()
			regex, own = i, !s.re.template.dropOwn
		} else if opInfo[s.op].aims&QueryChanged != 0 {
			chain = append(chain, s)
		}
	}
	flush()
	return stages
}

// A fate is what becomes of a pair: dropped, kept, or from 1 on renamed to
// queryPass.texts[fate-1].
type fate int32

const (
	keep fate = 0
	drop fate = -1
)

// fuseQuery folds a chain of query actions into one pass, in time linear in the
// names that it mentions.
func fuseQuery(chain []*step) queryPass {
	f := queryFuser{pass: queryPass{raw: map[string]bool{}}, groups: map[string]*nameGroup{}}
	index := map[string]bool{}
	for _, s := range chain {
		if s.op == OpAddQuery {
			continue
		}
		for _, name := range s.match {
			if !index[name] {
				index[name] = true
				f.group(name).asIs = append(f.group(name).asIs, member{name: len(f.pass.names)})
				f.pass.names = append(f.pass.names, name)
			}
		}
	}
	f.pass.fates = make([]fate, len(f.pass.names))
	for _, s := range chain {
		f.step(s)
	}
	f.settle()
	return f.pass
}

// A queryFuser runs a chain of query actions on groups of names: all that are
// called the same by now.
type queryFuser struct {
	pass   queryPass
	groups map[string]*nameGroup // by what they are called now
	added  []addedPair
}

// A nameGroup is what has one name by now: names of the chain, and added pairs.
type nameGroup struct {
	asIs   []member     // that never had another
	merged []*nameGroup // that were renamed to it
}

// A member is an index into names, or that of an added pair.
type member struct {
	name  int
	added bool
}

// An addedPair is appended to the list; later actions still see it.
type addedPair struct {
	name, value string // as written
	gone        bool
}

// group returns the group of a name.
func (f *queryFuser) group(name string) *nameGroup {
	g := f.groups[name]
	if g == nil {
		g = new(nameGroup)
		f.groups[name] = g
	}
	return g
}

// step runs one action.
func (f *queryFuser) step(s *step) {
	switch s.op {
	case OpDeleteQuery, OpSetQuery:
		for _, name := range s.match {
			f.drop(name)
			if !decodes(name) {
				f.pass.raw[name] = true
			}
		}
	case OpKeepQuery, OpDropQuery:
		kept := make(map[string]bool, len(s.match))
		for _, name := range s.match {
			kept[name] = true
		}
		for name := range f.groups {
			if !kept[name] {
				f.drop(name)
			}
		}
		f.pass.others = drop
	case OpRenameQuery:
		if from := f.groups[s.match[0]]; from != nil {
			delete(f.groups, s.match[0])
			to := f.group(s.match[1])
			to.merged = append(to.merged, from)
		}
	}
	if s.op == OpAddQuery || s.op == OpSetQuery {
		g := f.group(s.match[0])
		g.asIs = append(g.asIs, member{name: len(f.added), added: true})
		f.added = append(f.added, addedPair{name: s.args[0], value: s.args[1]})
	}
}

// drop gives what is called name by now the fate to be dropped.
func (f *queryFuser) drop(name string) {
	if g := f.groups[name]; g != nil {
		delete(f.groups, name)
		f.assign(g, drop, "", true)
	}
}

// assign gives a fate to the members of a group that were renamed, and of all
// groups that were merged into it; all: to the others of it too.
func (f *queryFuser) assign(g *nameGroup, fate fate, text string, all bool) {
	open := slices.Clone(g.merged)
	if all {
		open = append(open[:0], g)
	}
	for len(open) > 0 {
		g := open[len(open)-1]
		open = append(open[:len(open)-1], g.merged...)
		for _, m := range g.asIs {
			switch {
			case !m.added:
				f.pass.fates[m.name] = fate
			case fate == drop:
				f.added[m.name].gone = true
			default:
				f.added[m.name].name = text
			}
		}
	}
}

// settle makes the pass of the groups that are left.
func (f *queryFuser) settle() {
	p := &f.pass
	names := slices.Sorted(maps.Keys(f.groups))
	for _, name := range names {
		if g := f.groups[name]; len(g.merged) > 0 {
			text := queryText(name)
			p.texts = append(p.texts, "&"+text)
			f.assign(g, fate(len(p.texts)), text, false)
		}
	}
	var b strings.Builder
	for _, a := range f.added {
		if !a.gone {
			b.WriteString("&" + a.name + "=" + a.value)
		}
	}
	p.added = b.String()
	p.idle = p.others == keep && len(p.raw) == 0
	for _, f := range p.fates {
		p.idle = p.idle && f == keep
	}
	p.keys = newKeySet(p.names, p.raw)
	for i, name := range p.names {
		if len(p.names) <= fewNames && !strings.ContainsAny(name, "%+&=") {
			p.direct = append(p.direct, directName{name, p.fates[i]})
		}
	}
}

// decodes reports whether every "%" of s begins an escape.
func decodes(s string) bool {
	for i := range len(s) {
		if s[i] == '%' {
			if _, ok := escape.Octet(s, i); !ok {
				return false
			}
		}
	}
	return true
}

// String returns the pass in one line.
func (q *queryStage) String() string {
	var b strings.Builder
	if q.regex >= 0 {
		fmt.Fprintf(&b, "after step %d", q.regex)
		if !q.own {
			b.WriteString(" alone")
		}
		b.WriteString("; ")
	}
	p := &q.pass
	for i, name := range p.names {
		switch f := p.fates[i]; f {
		case keep:
			fmt.Fprintf(&b, "keep %q, ", name)
		case drop:
			fmt.Fprintf(&b, "drop %q, ", name)
		default:
			fmt.Fprintf(&b, "rename %q %q, ", name, p.texts[f-1][1:])
		}
	}
	if p.others == keep {
		b.WriteString("keep others")
	} else {
		b.WriteString("drop others")
	}
	if p.added != "" {
		fmt.Fprintf(&b, ", add %q", p.added[1:])
	}
	return b.String()
}
