package route

// Which record of a large host matches a path: one pass over the path looks its
// prefixes up by hash, and ends where the longest path of the host does.

import "github.com/readdress/readdress/internal/escape"

// A large host has so many records that they are found by hash.
//
// What matches a path beside one record, and is worse, depends on the path of
// that record alone. So each knows the next best, its parent, and a pass needs
// to find only the best, whatever its conditions say then.
type large struct {
	first   uint32 // its records that are no Regex
	last    uint32 // and what is behind them
	early   uint32 // of these each RegexFirst, between the Exact ones and the rest; they are not hashed
	late    uint32 // and what is behind them
	parents uint32 // index in index.parents of the parent of the first
	root    uint32 // the best of those that match every path, plus 1; 0: none. They are not hashed.
	seed    uint64
	depth   uint64 // bit d: it has a Prefix with d slashes, 63 or more
	text    uint64 // bit n: it has a TextPrefix of n bytes modulo 64
	exact   bool   // it has an Exact
}

// inLarge is inHost for the records of a large host that are no Regex, of which
// longest is the bytes of the longest.
func (x *index) inLarge(l *large, longest uint32, path string, req *request) (int32, error) {
	at := x.best(l, longest, path)
	if l.early < l.late {
		if 0 < at && at <= l.early { // an Exact
			if route, err := x.choose(&x.records[at-1], req); route >= 0 || err != nil {
				return route, err
			}
			at = *x.parent(l, at)
		}
		if route, err := x.scanSlow(x.records[l.early:l.late], path, req); route >= 0 || err != nil {
			return route, err
		}
	}
	for ; at != 0; at = *x.parent(l, at) {
		if route, err := x.choose(&x.records[at-1], req); route >= 0 || err != nil {
			return route, err
		}
	}
	return -1, nil
}

// parent returns the parent of a record, plus 1; 0: none. at is the record,
// plus 1.
func (x *index) parent(l *large, at uint32) *uint32 {
	return &x.parents[l.parents+at-1-l.first]
}

// best returns the best record that matches path, conditions aside, plus 1; 0
// if there is none.
func (x *index) best(l *large, longest uint32, path string) uint32 {
	m := match{at: l.root}
	if m.at != 0 {
		m.size = x.records[m.at-1].size >> typeBits
		m.end = int(m.size)
	}
	hash := l.seed
	size := uint32(0) // bytes of the canonical form of path[:i]
	depth := uint(0)
	for i := 0; ; {
		if l.text>>(size&63)&1 != 0 {
			x.improve(&m, l, path[:i], hash, size, TextPrefix)
		}
		if (i == len(path) || path[i] == '/') && l.depth>>min(depth, 63)&1 != 0 {
			x.improve(&m, l, path[:i], hash, size, Prefix)
		}
		if i == len(path) && l.exact {
			x.improve(&m, l, path, hash, size, Exact)
		}
		if i == len(path) || size >= longest {
			return m.at
		}
		c := path[i]
		if c == '/' {
			depth++
		}
		if c == '%' {
			if octet, ok := escape.Octet(path, i); ok {
				var unit [3]byte
				for _, c := range appendUnit(unit[:0], octet) {
					hash = hashByte(hash, c)
					size++
				}
				i += 3
				continue
			}
		}
		hash = hashByte(hash, c)
		size++
		i++
	}
}

// A match is the best record so far that matches a path.
type match struct {
	at   uint32 // the record, plus 1; 0: none
	size uint32 // bytes of its path
	end  int    // what it took of the path of the request
}

// improve makes m the record of type t that takes all of path, if there is one.
// m is the best of those that take less. hash and size are those of the
// canonical form of path. Only what m did not take is compared, so that a pass
// compares each byte once.
func (x *index) improve(m *match, l *large, path string, hash uint64, size uint32, t PathType) {
	hash = hashEnd(hash, t)
	slots := x.paths.slots
	mask := uint32(len(slots) - 1)
	for at := uint32(hash) & mask; ; at = (at + 1) & mask {
		s := slots[at]
		if s.ref == 0 {
			return
		}
		if s.tag != uint32(hash>>32) || s.ref <= l.first || s.ref > l.last {
			continue
		}
		r := &x.records[s.ref-1]
		if r.size != size<<typeBits|uint32(t) || *x.parent(l, s.ref) != m.at {
			continue // the parent of what takes all of path is m
		}
		rest := path[m.end:]
		if n, ok := escape.CutPrefix(rest, x.pathOf(r)[m.size:], false); ok && n == len(rest) {
			*m = match{s.ref, size, len(path)}
			return
		}
	}
}

// appendUnit appends the canonical form of an escaped octet.
func appendUnit(dst []byte, octet byte) []byte {
	if escape.IsUnreserved(octet) {
		return append(dst, octet)
	}
	return escape.Append(dst, octet)
}

func hashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * multiply1 }

func hashEnd(h uint64, t PathType) uint64 { return mix(h^uint64(t)<<56, multiply2) }

// hashPaths makes the hash table of the records of large hosts, and their
// chains.
func (x *index) hashPaths() {
	total := 0
	for h := range x.hostCount() {
		if n := int(x.hosts[h].regex - x.hosts[h].first); n > fewRecords {
			total += n
		}
	}
	x.paths = newHashed(total + 1) // a slot is always free
	if total > 0 {
		x.parents = make([]uint32, 0, total)
	}
	for h := range x.hostCount() {
		host := &x.hosts[h]
		n := host.regex - host.first
		if n <= fewRecords {
			continue
		}
		l := large{first: host.first, last: host.regex, parents: uint32(len(x.parents)), seed: mix(x.seed^uint64(h), multiply2)}
		x.parents = x.parents[:len(x.parents)+int(n)]
		for at := l.last; at > l.first; at-- { // from the last on: parents first
			x.hashPath(&l, at, host.longest())
		}
		x.large = append(x.large, l)
		host.large = uint32(len(x.large))
	}
}

// hashPath adds a record of a large host, at, plus 1. All that are worse have
// been added.
func (x *index) hashPath(l *large, at, longest uint32) {
	r := &x.records[at-1]
	t := r.pathType()
	if t == RegexFirst {
		l.early, l.late = at-1, max(l.late, at)
		return
	}
	path := x.pathOf(r)
	if t != Exact && len(path) <= 1 { // "/"
		*x.parent(l, at), l.root = l.root, at
		return
	}
	*x.parent(l, at) = x.best(l, longest, path)
	hash, depth := l.seed, 0
	for i := range len(path) {
		if path[i] == '/' {
			depth++
		}
		hash = hashByte(hash, path[i])
	}
	switch t {
	case Exact:
		l.exact = true
	case Prefix:
		l.depth |= 1 << min(depth, 63)
	default:
		l.text |= 1 << (len(path) & 63)
	}
	x.paths.insert(hashEnd(hash, t), at-1)
}
