package annotation

// Which actions may run in either order.

import "github.com/readdress/readdress/rewrite"

// commute reports whether the actions of two annotations have the same effect
// in either order, on every URL. The annotations do not exclude each other,
// and that of a is the first of them in keywords.
//
//   - host commutes with all that can stand beside it; host-from-path-prefix
//     with query actions, but not with path actions.
//   - Two path actions never do, unless one of them is the prefix "/", which
//     changes nothing.
//   - query-add of k commutes with query-delete of D if k is not in D, with
//     query-delete-all-except of K if k is in K, and with query-rename from f
//     to t if k is not f, or f is t.
//   - query-delete and query-delete-all-except of names S commute with
//     query-rename from f to t if both or none of f and t are in S, and with
//     each other always.
func commute(a, b *draft) bool {
	if a.onPath() && b.onPath() {
		return false
	}
	switch [2]rewrite.Op{a.word.op, b.word.op} {
	case [2]rewrite.Op{rewrite.OpAddQuery, rewrite.OpDeleteQuery}:
		return !b.has(a.names[0])
	case [2]rewrite.Op{rewrite.OpAddQuery, rewrite.OpKeepQuery}:
		return b.has(a.names[0])
	case [2]rewrite.Op{rewrite.OpAddQuery, rewrite.OpRenameQuery}:
		from, to := b.names[0], b.names[1]
		return a.names[0] != from || from == to
	case [2]rewrite.Op{rewrite.OpDeleteQuery, rewrite.OpRenameQuery}:
		return a.has(b.names[0]) == a.has(b.names[1])
	case [2]rewrite.Op{rewrite.OpRenameQuery, rewrite.OpKeepQuery}:
		return b.has(a.names[0]) == b.has(a.names[1])
	}
	return true
}

// onPath reports whether the action can change the path.
func (d *draft) onPath() bool {
	switch d.word.op {
	case rewrite.OpSetPath, rewrite.OpStripPathSegments, rewrite.OpHostFromPathPrefix:
		return true
	case rewrite.OpAddPathPrefix, rewrite.OpTrimPathPrefix:
		return d.names[0] != "/"
	}
	return false
}

// has reports whether name is among the names of the action.
func (d *draft) has(name string) bool {
	if d.set == nil {
		d.set = new(nameSet)
		for _, n := range d.names {
			d.set.add(n)
		}
	}
	return d.set.has(name)
}
