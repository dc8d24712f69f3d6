package route

// Which record of a large host matches a path: one pass over the path collects
// its prefixes that may be a record's, and the longest that is one is the
// answer.

import (
	"math/bits"

	"github.com/readdress/readdress/internal/escape"
)

// A large host has so many records that they are found by hash.
//
// What matches a path beside one record, and is worse, depends on the path of
// that record alone. So each knows the next best, its parent, and a pass needs
// to find only the best, whatever its conditions say then.
type large struct {
	first uint32 // its groups of cells: a hash table
	last  uint32 // and behind it one group for what matches every path
	root  uint32 // the best cell of that, plus 1; 0: none
	early uint32 // of its records each RegexFirst, between the Exact ones and the rest; they have no cells
	late  uint32 // and what is behind them
	depth uint64 // bit d: it has a Prefix with d slashes, 63 or more
	text  uint64 // bit n: it has a TextPrefix of n bytes modulo 64
	exact bool   // it has an Exact
}

// A cell is a copy of a record without what only a scan asks for, or empty. In
// a large table a search waits for memory: it looks at the tags of eight cells
// at once, and fetches that of the record and its text.
type cell struct {
	path uint32 // as record.path
	size uint32 // as record.size
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
	hash := pathHash{sum: x.seed}
	i, size, depth := 0, uint32(0), uint(0) // size: bytes of the canonical form of path[:i]
	for l.text == 0 && i+8 <= min(len(path), int(longest)) {
		word := load64(path, i)
		if bytesOf(word, '%') != 0 {
			break
		}
		for found := bytesOf(word, '/'); found != 0; found &= found - 1 {
			if l.depth>>min(depth, 63)&1 != 0 {
				if list.full() {
					x.improve(&m, l, path, &list)
				}
				n := bits.TrailingZeros64(found) / 8
				part := pathHash{hash.sum, word & (1<<(8*n) - 1)}
				list.add(part, i+n, size+uint32(n), Prefix)
			}
			depth++
		}
		hash.addWord(word)
		i += 8
		size += 8
	}
	for {
		end := i == len(path)
		if list.full() {
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
					hash.add(c, size)
					size++
				}
				i += 3
				continue
			}
		}
		hash.add(c, size)
		size++
		i++
	}
}

// Candidates are parts of a path that may be records, worse first. They are
// looked up from the best on, so that mostly one record is fetched.
type candidates struct {
	of [8]candidate
	n  int
}

type candidate struct {
	hash uint64
	end  int    // bytes of the path of the request
	size uint32 // as record.size
}

// full reports whether there is no more room for what ends at one byte.
func (list *candidates) full() bool { return list.n > len(list.of)-3 }

func (list *candidates) add(hash pathHash, end int, size uint32, t PathType) {
	list.of[list.n] = candidate{hash.of(size, t), end, size<<typeBits | uint32(t)}
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
	for n := list.n - 1; n >= 0; n-- {
		c := &list.of[n]
		tag := tagOf(c.hash)
		for group := l.start(c.hash); ; group = l.next(group) {
			word := x.tags[group]
			for found := bytesOf(word, tag); found != 0; found &= found - 1 {
				at := group*8 + uint32(bits.TrailingZeros64(found)/8)
				cell := &x.cells[at]
				if cell.size != c.size || !x.isBelow(at+1, m.at) {
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
			if bytesOf(word, 0) != 0 {
				break
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

// start returns the group at which the search for a hash begins.
func (l *large) start(hash uint64) uint32 {
	return l.first + uint32(uint64(uint32(hash))*uint64(l.last-l.first)>>32)
}

// next returns the group at which it goes on.
func (l *large) next(group uint32) uint32 {
	if group++; group == l.last {
		return l.first
	}
	return group
}

// tagOf returns what is known of a hash without its cell; an empty cell has 0.
func tagOf(hash uint64) byte { return byte(max(hash>>56, 1)) }

// appendUnit appends the canonical form of an escaped octet.
func appendUnit(dst []byte, octet byte) []byte {
	if escape.IsUnreserved(octet) {
		return append(dst, octet)
	}
	return escape.Append(dst, octet)
}

// A pathHash is a hash of the words of eight bytes that a canonical path has.
type pathHash struct {
	sum  uint64
	part uint64 // the bytes that are no word yet
}

// add adds the byte behind the first size.
func (h *pathHash) add(c byte, size uint32) {
	h.part |= uint64(c) << (size % 8 * 8)
	if size%8 == 7 {
		h.addWord(h.part)
		h.part = 0
	}
}

func (h *pathHash) addWord(word uint64) { h.sum = mix(h.sum^word, multiply1) }

// of returns the hash of the path of a record of size bytes.
func (h *pathHash) of(size uint32, t PathType) uint64 {
	return mix(h.sum^h.part, multiply2^uint64(size<<typeBits|uint32(t)))
}

// bytesOf returns a word in which the high bit of each byte says whether the
// byte of word is c.
func bytesOf(word uint64, c byte) uint64 {
	const low = 0x7F7F7F7F7F7F7F7F
	word ^= uint64(c) * (low / 0x7F)
	return ^(word&low + low | word | low)
}
