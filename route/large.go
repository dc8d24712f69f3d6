package route

// Which record of a large host matches a path: one pass over the path collects
// its prefixes that may be a record's, and the longest that is one is the
// answer.

import "github.com/readdress/readdress/internal/escape"

// A large host has so many records that they are found by hash.
//
// What matches a path beside one record, and is worse, depends on the path of
// that record alone. So each knows the next best, its parent, and a pass needs
// to find only the best, whatever its conditions say then.
type large struct {
	first uint32 // its cells: a hash table
	roots uint32 // and behind it those of what matches every path
	root  uint32 // the best of these, plus 1; 0: none
	early uint32 // of its records each RegexFirst, between the Exact ones and the rest; they have no cells
	late  uint32 // and what is behind them
	depth uint64 // bit d: it has a Prefix with d slashes, 63 or more
	text  uint64 // bit n: it has a TextPrefix of n bytes modulo 64
	exact bool   // it has an Exact
}

// A cell is an empty place of a hash table, or a copy of a record without what
// only a scan asks for: nothing but its text has to be fetched to know that it
// is the one.
type cell struct {
	tag  uint32 // of the hash
	path uint32 // as record.path
	size uint32 // as record.size; 0: empty
	to   uint32 // as record.to
}

// inLarge is inHost for the records of a large host that are no Regex, of which
// longest is the bytes of the longest.
func (x *index) inLarge(l *large, longest uint32, path string, req *request) (int32, error) {
	at := x.best(l, longest, path)
	if l.early < l.late {
		if at != 0 && PathType(x.cells[at-1].size&typeMask) == Exact {
			if route, err := x.choose(x.cells[at-1].to, req); route >= 0 || err != nil {
				return route, err
			}
			at = x.parents[at-1]
		}
		if route, err := x.scanSlow(x.records[l.early:l.late], path, req); route >= 0 || err != nil {
			return route, err
		}
	}
	for ; at != 0; at = x.parents[at-1] {
		if route, err := x.choose(x.cells[at-1].to, req); route >= 0 || err != nil {
			return route, err
		}
	}
	return -1, nil
}

// best returns the cell of the best record that matches path, conditions aside,
// plus 1; 0 if there is none.
func (x *index) best(l *large, longest uint32, path string) uint32 {
	var m match
	var list candidates
	hash := x.seed
	size := uint32(0) // bytes of the canonical form of path[:i]
	depth := uint(0)
	for i := 0; ; {
		end := i == len(path)
		if list.n > len(list.of)-3 {
			x.improve(&m, l, path, &list)
		}
		if l.text>>(size&63)&1 != 0 {
			list.add(hash, i, size, TextPrefix)
		}
		if (end || path[i] == '/') && l.depth>>min(depth, 63)&1 != 0 {
			list.add(hash, i, size, Prefix)
		}
		if end && l.exact {
			list.add(hash, i, size, Exact)
		}
		if end || size >= longest {
			x.improve(&m, l, path, &list)
			if m.at == 0 {
				return l.root
			}
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

// Candidates are parts of a path that may be records, worse first. They are
// looked up from the best on, so that mostly one record is fetched for a path:
// memory is what a lookup in a large table waits for.
type candidates struct {
	of [8]candidate
	n  int
}

type candidate struct {
	hash uint64
	end  int    // bytes of the path of the request
	size uint32 // as record.size
}

func (list *candidates) add(hash uint64, end int, size uint32, t PathType) {
	list.of[list.n] = candidate{hashEnd(hash, t), end, size<<typeBits | uint32(t)}
	list.n++
}

// A match is the best record so far that matches a path.
type match struct {
	at   uint32 // its cell, plus 1; 0: none
	size uint32 // bytes of its path
	end  int    // what it took of the path of the request
}

// improve makes m the best of the candidates that is a record, if one is, and
// empties the list. m is the best of those that were looked up before. Only
// what m did not take is compared, so that a pass compares each byte once.
func (x *index) improve(m *match, l *large, path string, list *candidates) {
	cells := x.cells
	for n := list.n - 1; n >= 0; n-- {
		c := &list.of[n]
		tag := uint32(c.hash >> 32)
		for at := l.start(c.hash); ; at = l.next(at) {
			cell := &cells[at]
			if cell.size == 0 {
				break
			}
			if cell.tag != tag || cell.size != c.size || !x.isBelow(at+1, m.at) {
				continue
			}
			size := c.size >> typeBits
			rest := path[m.end:c.end]
			if n, ok := escape.CutPrefix(rest, x.text[cell.path+m.size:cell.path+size], false); ok && n == len(rest) {
				*m = match{at + 1, size, c.end}
				list.n = 0
				return
			}
		}
	}
	list.n = 0
}

// isBelow reports whether what matches the path of a cell is also in the cell
// above, if that is one. Both are plus 1.
func (x *index) isBelow(at, above uint32) bool {
	for above != 0 && at != above {
		if at == 0 {
			return false
		}
		at = x.parents[at-1]
	}
	return true
}

// start returns the cell at which the search for a hash begins.
func (l *large) start(hash uint64) uint32 {
	return l.first + uint32(uint64(uint32(hash))*uint64(l.roots-l.first)>>32)
}

// next returns the cell at which it goes on.
func (l *large) next(at uint32) uint32 {
	if at++; at == l.roots {
		return l.first
	}
	return at
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
