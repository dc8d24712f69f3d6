package route

// Which record of a host matches a path: a scan of the run where it is short,
// else one pass over the path that looks up its prefixes by hash.

import (
	"math"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// fewRecords is how many records of a host are scanned.
const fewRecords = 64

// A large host has so many records that they are found by hash.
type large struct {
	first uint32 // its records that are no Regex
	last  uint32 // and what is behind them
	seed  uint64
	exact bool   // it has an Exact
	depth uint64 // bit d: it has a Prefix with d slashes, 63 or more
	text  uint64 // bit n: it has a TextPrefix of n bytes modulo 64
}

// inHost returns the route of a host for path; -1 if it has none. A nil req is
// a lookup without conditions.
func (x *index) inHost(h int32, path string, req *request) (int32, error) {
	records := x.run(h)
	if l := x.hosts[h].large; l != 0 {
		route, err := x.inLarge(&x.large[l-1], path, req)
		if route >= 0 || err != nil {
			return route, err
		}
		records = x.records[x.hosts[h].regex:x.hosts[h+1].first]
	}
	if hasEscape(path) {
		return x.scanSlow(records, path, req)
	}
	for i := range records {
		r := &records[i]
		n := int(r.size >> typeBits)
		switch r.size & typeMask {
		case uint32(Exact):
			if n != len(path) {
				continue
			}
		case uint32(Prefix):
			if n > len(path) || n < len(path) && path[n] != '/' {
				continue
			}
		case uint32(TextPrefix):
			if n > len(path) {
				continue
			}
		default:
			return x.scanSlow(records[i:], path, req)
		}
		if n >= 4 && load32(path, n-4) != r.tail || path[:n] != x.pathOf(r) {
			continue
		}
		if r.to&grouped == 0 {
			return int32(r.to), nil
		}
		if route, err := x.choose(r, req); route >= 0 || err != nil {
			return route, err
		}
	}
	return -1, nil
}

// scanSlow is the scan of inHost for any record and any path.
func (x *index) scanSlow(records []record, path string, req *request) (int32, error) {
	for i := range records {
		ok, err := x.matches(&records[i], path)
		if err != nil {
			return -1, err
		}
		if !ok {
			continue
		}
		if route, err := x.choose(&records[i], req); route >= 0 || err != nil {
			return route, err
		}
	}
	return -1, nil
}

// hasEscape reports whether path has a "%". Paths are short: eight bytes at a
// time cost less than a call.
func hasEscape(path string) bool {
	if len(path) < 8 || len(path) > 64 {
		return strings.IndexByte(path, '%') >= 0
	}
	const ones, highs, percents = 0x0101010101010101, 0x8080808080808080, '%' * 0x0101010101010101
	var found uint64
	for i := 0; i+8 < len(path); i += 8 {
		w := load64(path, i) ^ percents
		found |= (w - ones) &^ w
	}
	w := load64(path, len(path)-8) ^ percents
	return (found|(w-ones)&^w)&highs != 0
}

// matches reports whether the path of one record matches.
func (x *index) matches(r *record, path string) (bool, error) {
	switch r.pathType() {
	case Prefix:
		_, ok := escape.CutSegments(path, x.pathOf(r), false)
		return ok, nil
	case Exact:
		n, ok := escape.CutPrefix(path, x.pathOf(r), false)
		return ok && n == len(path), nil
	case TextPrefix:
		_, ok := escape.CutPrefix(path, x.pathOf(r), false)
		return ok, nil
	}
	e := &x.exprs[r.path]
	if !e.affords(path) {
		return false, errBudget
	}
	if !hasEscapedLetter(path) {
		return e.re.MatchString(path), nil
	}
	buf := x.buffer()
	*buf = escape.AppendNormal((*buf)[:0], path, false)
	ok := e.re.Match(*buf)
	x.buffers.Put(buf)
	return ok, nil
}

// hasEscapedLetter reports whether the normal form of path is another text.
func hasEscapedLetter(path string) bool {
	for i := strings.IndexByte(path, '%'); i >= 0 && i < len(path); i++ {
		if c, ok := escape.Octet(path, i); ok && escape.IsUnreserved(c) {
			return true
		}
	}
	return false
}

// inLarge is inHost for the records of a large host that are no Regex.
func (x *index) inLarge(l *large, path string, req *request) (int32, error) {
	for below := uint32(math.MaxUint32); ; {
		r, rank := x.longest(l, path, below)
		if r == nil {
			return -1, nil
		}
		if route, err := x.choose(r, req); route >= 0 || err != nil {
			return route, err
		}
		below = rank // its conditions do not hold: the next best
	}
}

// The ranks of the records of a host that match one path: twice the length,
// one more for a Prefix, and the exact one before all.
const exactRank = math.MaxUint32 - 1

// longest returns the record of the highest rank below a rank, and its rank;
// nil if there is none.
func (x *index) longest(l *large, path string, below uint32) (best *record, rank uint32) {
	h := l.seed
	n := uint32(0) // bytes of the canonical form of path[:i]
	depth := uint(0)
	for i := 0; ; {
		end := i == len(path)
		if end && l.exact && below > exactRank {
			if r := x.findPath(l, h, n, Exact, path[:i]); r != nil {
				return r, exactRank
			}
		}
		if l.text>>(n&63)&1 != 0 && 2*n < below {
			if r := x.findPath(l, h, n, TextPrefix, path[:i]); r != nil && 2*n > rank {
				best, rank = r, 2*n
			}
		}
		if (end || path[i] == '/') && l.depth>>min(depth, 63)&1 != 0 && prefixRank(n) < below {
			if r := x.findPath(l, h, n, Prefix, path[:i]); r != nil && prefixRank(n) > rank {
				best, rank = r, prefixRank(n)
			}
		}
		if end {
			return best, rank
		}
		c := path[i]
		if c == '/' {
			depth++
		}
		if c == '%' {
			if o, ok := escape.Octet(path, i); ok {
				var unit [3]byte
				for _, c := range appendUnit(unit[:0], o) {
					h = hashByte(h, c)
					n++
				}
				i += 3
				continue
			}
		}
		h = hashByte(h, c)
		n++
		i++
	}
}

// prefixRank is the rank of a Prefix of n bytes; "/" has one, which is the
// slash that ends every Prefix.
func prefixRank(n uint32) uint32 { return 2*max(n, 1) + 1 }

// appendUnit appends the canonical form of an escaped octet.
func appendUnit(dst []byte, octet byte) []byte {
	if escape.IsUnreserved(octet) {
		return append(dst, octet)
	}
	return escape.Append(dst, octet)
}

// findPath returns the record of type t whose path is text; hash and n are
// those of its canonical form.
func (x *index) findPath(l *large, hash uint64, n uint32, t PathType, text string) *record {
	hash = hashEnd(hash, t)
	slots := x.paths.slots
	mask := uint32(len(slots) - 1)
	for at := uint32(hash) & mask; ; at = (at + 1) & mask {
		s := slots[at]
		if s.ref == 0 {
			return nil
		}
		if s.tag != uint32(hash>>32) || s.ref-1 < l.first || s.ref-1 >= l.last {
			continue
		}
		r := &x.records[s.ref-1]
		if r.size != n<<typeBits|uint32(t) {
			continue
		}
		if k, ok := escape.CutPrefix(text, x.pathOf(r), false); ok && k == len(text) {
			return r
		}
	}
}

func hashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * multiply1 }

func hashEnd(h uint64, t PathType) uint64 { return mix(h^uint64(t)<<56, multiply2) }
