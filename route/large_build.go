package route

// The hash tables of large hosts, and the chains of what matches beside each of
// their records.

// hashPaths makes the cells of the large hosts.
func (x *index) hashPaths() {
	total := 0
	for h := range x.hostCount() {
		if n := x.hashable(h); n > 0 {
			total += cells(n) + mostRoots
		}
	}
	if total == 0 {
		return
	}
	x.cells = make([]cell, 0, total)
	x.parents = make([]uint32, 0, total)
	for h := range x.hostCount() {
		if n := x.hashable(h); n > 0 {
			x.large = append(x.large, x.hashHost(&x.hosts[h], n))
			x.hosts[h].large = uint32(len(x.large))
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

// cells returns how many cells n records have: so many are empty that a search
// mostly ends where it begins. With its parent a cell takes 20 bytes.
func cells(n int) int { return 2 * n }

// mostRoots is how many paths match every path: "/" as a Prefix and as a
// TextPrefix.
const mostRoots = 2

// hashHost makes the cells of a host with n records.
func (x *index) hashHost(host *host, n int) large {
	first := uint32(len(x.cells))
	x.cells = x.cells[:len(x.cells)+cells(n)]
	x.parents = x.parents[:len(x.cells)]
	l := large{first: first, roots: uint32(len(x.cells))}
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
		x.cells = append(x.cells, c)
		x.parents = append(x.parents, l.root)
		l.root = uint32(len(x.cells))
		return
	}
	parent := x.best(l, longest, path)
	hash, depth := x.seed, 0
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
	hash = hashEnd(hash, t)
	c.tag = uint32(hash >> 32)
	at := l.start(hash)
	for x.cells[at].size != 0 {
		at = l.next(at)
	}
	x.cells[at], x.parents[at] = c, parent
}
