package visibility

// How values are found in the tables of an Index by their keys.

import (
	"hash/maphash"
	"math/bits"
	"net/netip"
	"slices"
)

func (x *Index) hashName(s string) uint64 { return maphash.String(x.seed, s) }

func (x *Index) hashRef(ref Ref) uint64 {
	return bits.RotateLeft64(x.hashName(ref.Namespace), 1) + x.hashName(ref.Name) + uint64(ref.Kind)
}

// record returns an entry, nil if it is not known.
func (x *Index) record(ref Ref) *record {
	if x == nil || x.entries == nil {
		return nil
	}
	hash := x.hashRef(ref)
	r, at := x.entries.first(hash)
	for r != nil && r.Ref != ref {
		r, at = x.entries.next(hash, at)
	}
	return r
}

// namespace returns a namespace, nil if it is not known.
func (x *Index) namespace(name string) *namespace {
	hash := x.hashName(name)
	ns, at := x.namespaces.first(hash)
	for ns != nil && ns.name != name {
		ns, at = x.namespaces.next(hash, at)
	}
	return ns
}

// host returns the slot of a name, nil if there is none. Its hash is that of
// the name.
func (x *Index) host(name string) *hostSlot {
	hash := x.hashName(name)
	s, at := x.hosts.first(hash)
	for s != nil && s.name != name {
		s, at = x.hosts.next(hash, at)
	}
	return s
}

// hostBytes is host, for a name of which no string is made.
func (x *Index) hostBytes(name []byte) *hostSlot {
	hash := maphash.Bytes(x.seed, name)
	s, at := x.hosts.first(hash)
	for s != nil && s.name != string(name) {
		s, at = x.hosts.next(hash, at)
	}
	return s
}

// hashPrefix hashes bytes, because maphash.Comparable allocates for a value that
// has a pointer in it.
func (x *Index) hashPrefix(p netip.Prefix) uint64 {
	var key [17]byte
	addr := p.Addr().As16()
	copy(key[:], addr[:])
	key[16] = byte(p.Bits())
	return maphash.Bytes(x.seed, key[:])
}

// address returns the slot of a canonical prefix, nil if there is none.
func (x *Index) address(p netip.Prefix) *addressSlot {
	hash := x.hashPrefix(p)
	s, at := x.addresses.first(hash)
	for s != nil && s.prefix != p {
		s, at = x.addresses.next(hash, at)
	}
	return s
}

// lengths counts the keys of each length, so that a search for a shorter and
// shorter key asks only where there is one.
type lengths struct {
	count []int
	desc  []int // the lengths that are there, longest first
}

func newLengths(most int) lengths { return lengths{count: make([]int, most+1)} }

func (l *lengths) edit() lengths { return lengths{slices.Clone(l.count), nil} }

// done makes desc after an edit.
func (l *lengths) done() {
	for n, count := range slices.Backward(l.count) {
		if count > 0 {
			l.desc = append(l.desc, n)
		}
	}
}

// replace counts a key of length n that was there before, is there after, or
// both.
func (l *lengths) replace(n int, before, after bool) {
	switch {
	case after && !before:
		l.count[n]++
	case before && !after:
		l.count[n]--
	}
}

func (l *lengths) has(n int) bool { return n < len(l.count) && l.count[n] > 0 }
