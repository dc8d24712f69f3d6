package route

// The index: every array of a table but the values. It has offsets instead of
// pointers, so that the garbage collector has nothing to follow in it.

import "sync"

type index struct {
	text    string   // names of hosts and canonical paths; an equal path is there once
	hosts   []host   // in order of declaration, and one more that ends the last
	names   hashed   // of hosts
	anyHost int32    // the host ""; -1: none
	records []record // host by host, in order of precedence
	large   []large  // hosts whose records are found by hash
	tags    []uint64 // eight for each group of cells: a byte of each hash
	cells   []cell   // large host by large host
	parents []uint32 // of cells: what else matches the path of each, plus 1; 0: nothing
	groups  []uint32 // group g is members[groups[g]:groups[g+1]]
	members []member
	when    []conditions // 0 are those that always hold
	exprs   []expression
	clashes []clash // by loser

	seed      uint64
	wildcards lengths // of hosts that are wildcards, so that no other is looked up
	anyDepth  bool    // Options.AnyDepthWildcard
	tryNext   bool    // Options.TryNextHost
	buffers   sync.Pool
}

// A host is a host of the table, with its run of records.
type host struct {
	name  uint32 // offset in text
	sizes uint32 // bytes of the longest path << nameBits | bytes of the name
	first uint32 // record; the next host's first ends the run
	regex uint32 // the first record of the run that is a Regex
	large uint32 // index in index.large, plus 1; 0: the run is scanned
}

// nameBits are enough for the bytes of a name.
const nameBits = 8

// size returns the bytes of the name.
func (h *host) size() uint32 { return h.sizes & (1<<nameBits - 1) }

// longest returns the bytes of the longest path that is no regular expression.
func (h *host) longest() uint32 { return h.sizes >> nameBits }

// A record is one pattern of a host.
type record struct {
	path uint32 // offset in text; of a regular expression, index in exprs
	size uint32 // bytes of the path << typeBits | type
	tail uint32 // the last four bytes of the path, if it has as many
	to   uint32 // the route, or grouped | the group of routes
}

const (
	typeBits = 3
	typeMask = 1<<typeBits - 1
	grouped  = 1 << 31
	maxIndex = grouped - 1
)

// A member is a route of a pattern that has conditions or has several routes.
// The members of a group are in order of precedence.
type member struct {
	route uint32
	when  uint32 // index in index.when
}

// A clash is two routes with the same pattern and conditions.
type clash struct{ winner, loser, record, when uint32 }

func (r *record) pathType() PathType { return PathType(r.size & typeMask) }

// pathOf returns the canonical path of a record that is no regular
// expression.
func (x *index) pathOf(r *record) string {
	return x.text[r.path : r.path+r.size>>typeBits]
}

func (x *index) nameOf(h int32) string {
	host := &x.hosts[h]
	return x.text[host.name : host.name+host.size()]
}

// run returns the records of a host.
func (x *index) run(h int32) []record {
	return x.records[x.hosts[h].first:x.hosts[h+1].first]
}

// routes returns the routes of a record, best first.
func (x *index) routes(r *record) []member {
	if r.to&grouped == 0 {
		return []member{{route: r.to}}
	}
	return x.group(r.to)
}

// group returns the routes of a group, which is record.to, best first.
func (x *index) group(to uint32) []member {
	g := to &^ grouped
	return x.members[x.groups[g]:x.groups[g+1]]
}

// pattern returns the pattern of a record as requests are compared with it.
func (x *index) pattern(h int32, r *record) Pattern {
	p := Pattern{Host: x.nameOf(h), Type: r.pathType()}
	if p.Host != "" && p.Host[0] == '.' {
		p.Host = "*" + p.Host
	}
	switch {
	case p.Type.isRegex():
		p.Path = x.exprs[r.path].text
	case r.size>>typeBits == 0:
		p.Path = "/"
	default:
		p.Path = x.pathOf(r)
	}
	return p
}

// hashed is a hash table of indexes, with linear probing.
type hashed struct {
	slots []slot // a power of two
}

type slot struct {
	tag uint32
	ref uint32 // index, plus 1; 0: empty
}

// mostSpare is up to how many slots a table has four for each index, so that
// mostly the first is the one. Beyond, they are too many for a cache.
const mostSpare = 1 << 13

// newHashed returns an empty table with room for n.
func newHashed(n int) hashed {
	size := 1
	for size*3 < n*4 || size < min(n*4, mostSpare) {
		size *= 2
	}
	return hashed{make([]slot, size)}
}

// insert adds an index that is not in the table. There is room for it.
func (t *hashed) insert(hash uint64, i uint32) {
	mask := uint32(len(t.slots) - 1)
	at := uint32(hash) & mask
	for t.slots[at].ref != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = slot{uint32(hash >> 32), i + 1}
}
