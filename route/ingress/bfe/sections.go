package bfe

// Where BFE runs a rule of each of two sections, and a table finds one entry.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A requests is what an entry is for; entries of two sections with the same one
// are read as one.
type requests struct{ pattern, when string }

// lost reports entries that a table prefers to one of another section, whose
// rules it does not find for the requests of both. An entry for which the other
// section has a rule too is whole: in BFE no other rule of that section runs for
// its requests. keys are those of the entries; the zero key has one that no
// table takes.
func (r *reader) lost(keys []requests) {
	if len(slices.Compact(slices.Clone(r.hooks))) < 2 {
		return
	}
	hooks := rewrite.Hooks()
	var others [len(hooks)]*overlaps // the entries with rules of each hook
	has := make(map[requests][len(hooks)]bool)
	for h, hook := range hooks {
		others[h] = newOverlaps(r.opts.Table, r.expressions)
		for i := len(r.entries) - 1; i >= 0; i-- { // of equal ones the last loses
			if r.hooks[i] != hook || keys[i] == (requests{}) {
				continue
			}
			sections := has[keys[i]]
			sections[h] = true
			has[keys[i]] = sections
			if e := &r.entries[i]; len(e.Rules) > 0 {
				others[h].add(e, i)
			}
		}
	}
	reported := ingress.Source{Path: -1}
	for i := range r.entries {
		if keys[i] == (requests{}) {
			continue
		}
		e := &r.entries[i]
		at := e.Source
		at.Path = 0
		for h, hook := range hooks {
			switch {
			case hook == r.hooks[i] || has[keys[i]][h] || reported == at:
				continue
			case hook > r.hooks[i] && leaves(e): // what comes later is looked up anew
				continue
			}
			worst, ok := others[h].worst(e, func(seen) bool { return true })
			if c := worst.rank.compare(r.expressions.rank(e, 0)); !ok || c < 0 || c == 0 && worst.entry < i {
				continue
			}
			reported = at
			r.at = e.Source
			other := r.entries[worst.entry].Source
			r.report(ingress.Warning, CodeOrder, r.offsets[i],
				"where rule %d of section %s matches too, BFE runs both, and a table finds this one alone, which is more specific or earlier: write in both sections a rule for what both match, with the actions of each",
				other.Rule, quote(other.Name))
		}
	}
}

// leaves reports whether e matches nothing that its own rules make.
func leaves(e *ingress.Entry) bool {
	own := knownOf(e.Pattern)
	k, host := own, ""
	for _, rule := range e.Rules {
		switch rule.Action.Op() {
		case rewrite.OpSetHost:
			host = canonicalHost(rule.Action.Args()[0])
		case rewrite.OpHostFromPathPrefix:
			host = ""
		}
		k = k.after(rule.Action)
	}
	if pattern := canonicalHost(e.Pattern.Host); host != "" && pattern != "" && pattern != host && !strings.HasPrefix(pattern, "*.") {
		return true
	}
	return !k.contains(own) && !own.contains(k)
}

// contains reports whether the path of which o is known may be one of those of
// which k is known.
func (k known) contains(o known) bool {
	return k.path == o.path || !k.exact && strings.HasPrefix(o.path, k.path+"/")
}
