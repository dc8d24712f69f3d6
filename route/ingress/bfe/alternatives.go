package bfe

// A condition as alternatives, each of which an entry can say: the disjunctive
// normal form, with "!" pushed down to the primitives.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// An alternative is what one entry matches. The zero alternative matches every
// request.
type alternative struct {
	pattern route.Pattern
	deep    bool // the wildcard of the host stands for any number of labels
	when    route.Conditions
}

// A brancher makes alternatives of a condition.
type brancher struct {
	deep   bool // the table's wildcards stand for names of any depth
	budget int  // of what may still be combined, by which time stays linear
	warn   func(at int, code ingress.Code, detail string)
}

// branch returns the alternatives of x, or of !x.
func (b *brancher) branch(x *expr, not bool) ([]alternative, *condError) {
	switch {
	case x.op == 'p':
		return b.call(&x.primitive, not)
	case x.op == '!':
		return b.branch(x.args[0], !not)
	}
	var all []alternative
	for i, arg := range x.args {
		list, err := b.branch(arg, not)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			all = list
		case (x.op == '&') != not:
			if all, err = b.and(all, list, arg); err != nil {
				return nil, err
			}
		default:
			all = append(all, list...)
		}
	}
	return all, nil
}

// budgetOf returns what the combinations of a condition may cost.
func budgetOf(text string) int { return 512 + 2*len(text) }

// spend takes a cost from the budget, or says that it is used up.
func (b *brancher) spend(cost, at int) *condError {
	if b.budget -= cost; b.budget < 0 {
		return &condError{at, "the condition has too many combinations: write a rule for each"}
	}
	return nil
}

// and returns each of list combined with each of others. Combinations that no
// request meets are left out.
func (b *brancher) and(list, others []alternative, x *expr) ([]alternative, *condError) {
	var out []alternative
	for i := range list {
		for j := range others {
			both, ok, detail := list[i].and(&others[j])
			if detail != "" {
				return nil, &condError{x.first(), detail}
			}
			cost := 1 + len(both.when.Headers) + len(both.when.Cookies) + (len(list[i].pattern.Path)+len(others[j].pattern.Path))/16
			if err := b.spend(cost, x.first()); err != nil {
				return nil, err
			}
			if ok {
				out = append(out, both)
			}
		}
	}
	return out, nil
}

// first returns the offset of the first primitive in x.
func (x *expr) first() int {
	for x.op != 'p' {
		x = x.args[0]
	}
	return x.at
}

// and returns what matches both; ok is false if nothing does. detail says why
// that cannot be said.
func (a *alternative) and(o *alternative) (both alternative, ok bool, detail string) {
	both.when.Headers = append(slices.Clip(a.when.Headers), o.when.Headers...)
	both.when.Cookies = append(slices.Clip(a.when.Cookies), o.when.Cookies...)
	host := a
	switch {
	case a.coversHost(o):
		host = o
	case !o.coversHost(a):
		return both, false, ""
	}
	both.pattern.Host, both.deep = host.pattern.Host, host.deep

	p, q := a.pattern, o.pattern
	if q.Path != "" && covers(p, q) {
		p, q = q, p
	}
	both.pattern.Path, both.pattern.Type = p.Path, p.Type
	switch {
	case covers(q, p):
		return both, true, ""
	case p.Type == route.Regex || q.Type == route.Regex:
		return both, false, "two conditions on the path, of which one does not mind letter case, cannot be said by one entry: write one"
	}
	return both, false, ""
}

// coversHost reports whether a matches every host that o matches.
func (a *alternative) coversHost(o *alternative) bool {
	host, other := a.pattern.Host, o.pattern.Host
	switch {
	case host == "":
		return true
	case host == other:
		return a.deep || !o.deep
	case !strings.HasPrefix(host, "*."):
		return false
	}
	rest, ok := strings.CutSuffix(other, host[1:])
	return ok && rest != "" && (a.deep || !strings.Contains(rest, "."))
}

// covers reports whether the path of p matches every path that q's matches. An
// empty one matches all. Regular expressions cover only themselves.
func covers(p, q route.Pattern) bool {
	if p.Path == "" {
		return true
	}
	a := canonical(p.Path)
	if p.Type == route.Prefix || a == "/" && p.Type == route.TextPrefix {
		a = strings.TrimSuffix(a, "/")
	}
	switch {
	case a == "":
		return true
	case q.Path == "":
		return false
	case p.Type == route.Regex || q.Type == route.Regex:
		return p.Type == q.Type && p.Path == q.Path
	}
	b := canonical(q.Path)
	if q.Type == route.Prefix {
		b = strings.TrimSuffix(b, "/")
	}
	rest, ok := strings.CutPrefix(b, a)
	switch p.Type {
	case route.Exact:
		return q.Type == route.Exact && ok && rest == ""
	case route.TextPrefix:
		return ok
	}
	if rest == "" {
		return ok && q.Type != route.TextPrefix
	}
	return ok && rest[0] == '/'
}
