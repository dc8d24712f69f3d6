package visibility

// Who may see what.

import (
	"iter"
	"slices"
	"strings"
)

// All goes through what the data plane is told of: hosts as entries write them,
// sorted, and for each the entries that somebody may see, in the order in which
// they compete. On [Ambient] one that another of its namespace takes the place of
// is not among them. On [Envoy] and [Gateway], which are told of it, it is, even
// if nobody gets it.
func (x *Index) All() iter.Seq2[string, Ref] {
	return func(yield func(string, Ref) bool) {
		if x == nil || x.entries == nil {
			return
		}
		slots := make([]*hostSlot, 0, x.hosts.len)
		for s := range x.hosts.all {
			slots = append(slots, s)
		}
		slices.SortFunc(slots, func(a, b *hostSlot) int { return strings.Compare(a.name, b.name) })
		for _, s := range slots {
			for _, r := range x.published(s.candidates) {
				if !yield(hostOf(s.name), r.Ref) {
					return
				}
			}
		}
	}
}

// Audience returns the clients that may see an entry on the data plane of x;
// false if it is not known. A client in it can still get another entry of the
// same host: [Index.Explain] says which.
func (x *Index) Audience(ref Ref) (Scope, bool) {
	r := x.record(ref)
	if r == nil {
		return Scope{}, false
	}
	return r.scope, true
}

// VisibleFrom returns the entries that clients in a namespace may see, in the
// order of [Ref.Compare]: those whose Audience allows it. For the unknown
// client, "", it obeys [IndexOptions].Unknown. The cost is linear in entries.
func (x *Index) VisibleFrom(namespace string) []Ref {
	if x == nil || x.entries == nil {
		return nil
	}
	var refs []Ref
	for r := range x.entries.all {
		if x.shows(r, namespace) {
			refs = append(refs, r.Ref)
		}
	}
	slices.SortFunc(refs, Ref.Compare)
	return refs
}
