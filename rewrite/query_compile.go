package rewrite

import (
	"fmt"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// Fusing a chain of query actions: with the names that the chain mentions,
// what it does is a fate for each of them (keep, drop, or a new name), one
// fate for all other keys, and a list of pairs to append. Every action maps
// such a state to another, so any chain is one pass over the pairs. A template
// with a query part is a barrier: a new pass begins behind it.

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

// An added pair is appended to the list; later actions still see it.
type addedPair struct {
	name string // plain
	text string // name and value as written, "name=value"
}

// fuseQuery folds a chain of query actions into one pass.
func fuseQuery(chain []*step) queryPass {
	var p queryPass
	// The state: names[i] is now called current[i], unless fates[i] is drop.
	index := map[string]int{}
	var current []string
	for _, s := range chain {
		if s.op == OpAddQuery {
			continue
		}
		for _, name := range s.match {
			if _, ok := index[name]; !ok {
				index[name] = len(p.names)
				p.names = append(p.names, name)
			}
		}
	}
	current = append(current, p.names...)
	p.fates = make([]fate, len(p.names))
	var added []addedPair
	texts := map[string]fate{}

	drops := func(gone func(name string) bool) {
		for i, name := range current {
			if gone(name) {
				p.fates[i] = drop
			}
		}
		kept := added[:0]
		for _, a := range added {
			if !gone(a.name) {
				kept = append(kept, a)
			}
		}
		added = kept
	}
	for _, s := range chain {
		set := make(map[string]bool, len(s.match))
		for _, name := range s.match {
			set[name] = true
		}
		switch s.op {
		case OpDeleteQuery, OpSetQuery:
			drops(func(name string) bool { return set[name] })
			for _, name := range s.match {
				if !decodes(name) {
					p.raw = append(p.raw, name)
				}
			}
		case OpKeepQuery:
			drops(func(name string) bool { return !set[name] })
			p.others = drop
		case OpDropQuery:
			drops(func(string) bool { return true })
			p.others = drop
		case OpRenameQuery:
			from, to, text := s.match[0], s.match[1], s.args[1]
			if texts[text] == 0 {
				p.texts = append(p.texts, "&"+text)
				texts[text] = fate(len(p.texts))
			}
			for i, name := range current {
				if name == from && p.fates[i] != drop {
					current[i], p.fates[i] = to, texts[text]
				}
			}
			for i, a := range added {
				if a.name == from {
					added[i] = addedPair{to, text + a.text[strings.IndexByte(a.text, '='):]}
				}
			}
		}
		if s.op == OpAddQuery || s.op == OpSetQuery {
			added = append(added, addedPair{s.match[0], s.args[0] + "=" + s.args[1]})
		}
	}
	var b strings.Builder
	for _, a := range added {
		b.WriteString("&" + a.text)
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
	return p
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
