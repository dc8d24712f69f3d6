package route

// The hash tables of large hosts, and the chains of what matches beside each of
// their records.

import (
	"math/bits"
	"strings"
)

// hashPaths makes the cells of the large hosts.
func (x *index) hashPaths() {
	total := 0
	for h := range x.hostCount() {
		if n := x.hashable(h); n > 0 {
			total += groups(n) + 1
		}
	}
	if total == 0 {
		return
	}
	x.tags = make([]uint64, total)
	x.cells = make([]cell, total*8)
	x.parents = make([]uint32, total*8)
	first := 0
	for h := range x.hostCount() {
		if n := x.hashable(h); n > 0 {
			last := first + groups(n)
			x.large = append(x.large, x.hashPathsOf(&x.hosts[h], uint32(first), uint32(last)))
			x.hosts[h].large = uint32(len(x.large))
			first = last + 1
		}
	}
}

// hashable returns how many records of a host are to be found by hash; 0: the
// host is scanned.
func (x *index) hashable(h int32) int {
	n := int(x.hosts[h].regex - x.hosts[h].first)
	if n <= fewRecords {
		return 0
	}
	return n
}

// groups returns how many groups of eight cells n records have: so few are full
// that a search mostly ends where it begins, and at least one cell is empty.
// With its tag and parent a cell takes 17 bytes.
func groups(n int) int { return n/6 + 1 }

// hashPathsOf makes the cells of a host in groups that are empty.
func (x *index) hashPathsOf(host *host, first, last uint32) large {
	l := large{first: first, last: last}
	for at := host.regex; at > host.first; at-- { // from the last on: parents first
		x.addCell(&l, at-1, host.longest())
	}
	return l
}

// addCell adds a record to its host, which has all that are worse.
func (x *index) addCell(l *large, record, longest uint32) {
	r := &x.records[record]
	t := r.pathType()
	if t == RegexFirst {
		l.early, l.late = record, max(l.late, record+1)
		return
	}
	path := x.pathOf(r)
	c := cell{path: r.path, size: r.size, to: r.to}
	if t != Exact && len(path) <= 1 { // "/"
		at := max(l.root, l.last*8)
		x.cells[at], x.parents[at] = c, l.root
		l.root = at + 1
		return
	}
	parent := x.best(l, longest, path)
	hash := pathHash{sum: x.seed}
	for i := range len(path) {
		hash.add(path[i], uint32(i))
	}
	switch t {
	case Exact:
		l.exact = true
	case Prefix:
		l.depth |= 1 << min(strings.Count(path, "/"), 63)
	default:
		l.text |= 1 << (len(path) & 63)
	}
	sum := hash.of(uint32(len(path)), t)
	group := l.start(sum)
	for bytesOf(x.tags[group], 0) == 0 {
		group = l.next(group)
	}
	n := uint32(bits.TrailingZeros64(bytesOf(x.tags[group], 0)) / 8)
	x.tags[group] |= uint64(tagOf(sum)) << (n * 8)
	x.cells[group*8+n], x.parents[group*8+n] = c, parent
}
