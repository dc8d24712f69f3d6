package main

// Order ties: two rules of one hook with the same order run in no order that
// their author chose, so they must commute.

import (
	"slices"

	"github.com/readdress/readdress/rewrite"
)

func (r *ruleReader) checkTies() {
	type pair struct {
		hook rewrite.Hook
		a, b string
	}
	reported := make(map[pair]bool)
	for i, b := range r.rules {
		for _, a := range r.rules[:i] {
			p := pair{a.Hook, a.Origin.Key, b.Origin.Key}
			if a.Hook != b.Hook || a.Order != b.Order || p.a == p.b || commute(a.Action, b.Action) || reported[p] {
				continue
			}
			reported[p] = true
			r.failf(p.b, "runs at %v with the same order as %s, and the result depends on which is first: give them different orders", p.hook, p.a)
		}
	}
}

// commute reports whether the actions of two annotations have the same effect
// in either order.
func commute(a, b rewrite.Action) bool {
	if movesPath(a) && movesPath(b) {
		return false
	}
	for range 2 {
		args := b.Args()
		switch {
		case a.Op() == rewrite.OpAddQuery:
			name := a.Args()[0]
			switch b.Op() {
			case rewrite.OpDeleteQuery:
				return !slices.Contains(args, name)
			case rewrite.OpKeepQuery:
				return slices.Contains(args, name)
			case rewrite.OpRenameQuery:
				return name != args[0] || args[0] == args[1]
			}
		case a.Op() == rewrite.OpRenameQuery && (b.Op() == rewrite.OpDeleteQuery || b.Op() == rewrite.OpKeepQuery):
			renamed := a.Args()
			return slices.Contains(args, renamed[0]) == slices.Contains(args, renamed[1])
		}
		a, b = b, a
	}
	return true
}

// movesPath reports whether a can change the path.
func movesPath(a rewrite.Action) bool {
	switch a.Op() {
	case rewrite.OpSetPath, rewrite.OpStripPathSegments, rewrite.OpHostFromPathPrefix:
		return true
	case rewrite.OpAddPathPrefix, rewrite.OpTrimPathPrefix:
		return a.Args()[0] != "/" // the identity
	}
	return false
}
