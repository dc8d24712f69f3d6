package annotation

// What goes wrong between annotations: some exclude each other, and some must
// be put in order.

import (
	"strconv"

	"github.com/readdress/readdress/rewrite"
)

// conflicts reports annotations that exclude each other, good or not.
func (p *parser) conflicts() {
	for _, pair := range exclusive {
		a, b := p.found[keywordNamed(pair[0])], p.found[keywordNamed(pair[1])]
		if a.key == "" || b.key == "" {
			continue
		}
		p.fault(&Error{
			Key: b.key, Index: -1, Offset: -1, Code: CodeConflict,
			Detail:  "cannot stand beside " + a.key + ", at any hook: remove one of the two",
			Related: []rewrite.Origin{{Key: a.key, Index: -1, Offset: -1}},
		})
	}
}

// ties reports actions that run at one hook with the same order although the
// result depends on which is first; one pair for each two annotations of a
// hook. It returns them instead if Options.TableOrder puts them in order.
// drafts are sorted.
func (p *parser) ties() ErrorList {
	var ties ErrorList
	for start := 0; start < len(p.drafts); {
		end := start + 1
		for end < len(p.drafts) && sameOrder(&p.drafts[start].rule, &p.drafts[end].rule) {
			end++
		}
		ties = p.tiesOf(ties, p.drafts[start:end])
		start = end
	}
	if p.opts != nil && p.opts.TableOrder {
		ties.sort()
		return ties
	}
	for _, e := range ties {
		p.fault(e)
	}
	return nil
}

func sameOrder(a, b *rewrite.Rule) bool { return a.Hook == b.Hook && a.Order == b.Order }

// tiesOf appends the ties among drafts of one hook and order.
func (p *parser) tiesOf(ties ErrorList, drafts []draft) ErrorList {
	type pair struct{ a, b *keyword }
	var reported map[pair]bool
	for j := range drafts {
		b := &drafts[j]
		for i := range j {
			a := &drafts[i]
			words := pair{a.word, b.word}
			if a.word == b.word || a.loose || b.loose || reported[words] || excludes(a.word.name, b.word.name) || commute(a, b) {
				continue
			}
			if reported == nil {
				reported = make(map[pair]bool)
			}
			reported[words] = true
			ties = append(ties, p.tie(a, b))
		}
	}
	return ties
}

func (p *parser) tie(a, b *draft) *Error {
	detail := "runs at " + b.rule.Hook.String() + " with order " + strconv.Itoa(b.rule.Order) + ", as " + a.rule.Origin.Key +
		" does, and the result depends on which is first"
	if p.opts != nil && p.opts.TableOrder {
		detail += ": it runs second"
	} else {
		detail += ": give them different orders"
	}
	o := b.rule.Origin
	return &Error{
		Key: o.Key, Index: o.Index, Offset: o.Offset, Code: CodeOrderTie,
		Detail: detail, Related: []rewrite.Origin{a.rule.Origin},
	}
}

// countActions reports the first action that is one too many for its hook.
func (p *parser) countActions() {
	var counts [len(hookNames)]int
	for i := range p.drafts {
		d := &p.drafts[i]
		if d.loose {
			continue
		}
		n := &counts[hookPlace(d.rule.Hook)]
		if *n++; *n == maxActions+1 {
			o := d.rule.Origin
			p.fault(&Error{
				Key: o.Key, Index: o.Index, Offset: o.Offset, Code: CodeLimit,
				Detail: "more than " + strconv.Itoa(maxActions) + " actions at " + d.rule.Hook.String() + ": remove some",
			})
		}
	}
}
