package visibility

// How a large set is changed without a copy of all of it, and without anybody
// who holds the old one seeing it.

import (
	"math/bits"
	"slices"
)

// A table is a hash table of pointers to values that know their own keys. It
// consists of many small ones, the shards, of which an edit copies those that
// it changes. A table is immutable except to the edit that made it.
//
// A lookup reads a shard, a cell and the value, and no map could do with less
// of the memory that is not in a cache.
type table[V any] struct {
	shards []shard[V] // a power of two, chosen by the upper bits of a hash
	owned  []bool     // those that this edit has copied
	len    int
}

type shard[V any] struct {
	cells []cell[V] // a power of two, chosen by the lower bits; then the next ones in turn
	used  int
}

// A cell is empty if its value is nil.
type cell[V any] struct {
	hash  uint64
	value *V
}

const (
	perShard = 64 // values on average at most, which is what an edit of one copies
	minCells = 8
)

func newTable[V any]() *table[V] {
	return &table[V]{shards: make([]shard[V], 1), owned: make([]bool, 1)}
}

// edit returns a copy that may be changed.
func (t *table[V]) edit() *table[V] {
	return &table[V]{slices.Clone(t.shards), make([]bool, len(t.shards)), t.len}
}

// first returns a value with this hash, nil if there is none. Whether it has
// the right key is for the caller to see, and to ask for the next.
func (t *table[V]) first(hash uint64) (v *V, at int) {
	return t.shard(hash).from(hash, int(hash))
}

// next returns the value with this hash behind the one at at.
func (t *table[V]) next(hash uint64, at int) (v *V, next int) {
	return t.shard(hash).from(hash, at+1)
}

func (t *table[V]) index(hash uint64) int {
	return int(hash >> 1 >> (63 - bits.TrailingZeros(uint(len(t.shards)))))
}

func (t *table[V]) shard(hash uint64) *shard[V] { return &t.shards[t.index(hash)] }

func (s *shard[V]) from(hash uint64, at int) (*V, int) {
	if len(s.cells) == 0 { // the one shard of a table to which nothing was added
		return nil, 0
	}
	for mask := len(s.cells) - 1; ; at++ {
		c := &s.cells[at&mask]
		if c.value == nil || c.hash == hash {
			return c.value, at
		}
	}
}

// replace puts after in the place of before, both of the same key and hash.
// Without before it is added, and without after removed; one of them is there.
func (t *table[V]) replace(hash uint64, before, after *V) {
	i := t.index(hash)
	s := &t.shards[i]
	if !t.owned[i] {
		s.cells = slices.Clone(s.cells)
		t.owned[i] = true
	}
	if before == nil {
		if 4*(s.used+1) > 3*len(s.cells) {
			s.resize(max(minCells, 2*len(s.cells)))
		}
		s.add(hash, after)
		t.len++
		if t.len > perShard*len(t.shards) {
			t.split()
		}
		return
	}
	mask := len(s.cells) - 1
	at := int(hash)
	for s.cells[at&mask].value != before {
		at++
	}
	s.cells[at&mask].value = after
	if after == nil {
		s.resize(len(s.cells)) // which closes the gap
		t.len--
	}
}

func (s *shard[V]) add(hash uint64, v *V) {
	mask := len(s.cells) - 1
	at := int(hash)
	for s.cells[at&mask].value != nil {
		at++
	}
	s.cells[at&mask] = cell[V]{hash, v}
	s.used++
}

// resize gives the shard n cells.
func (s *shard[V]) resize(n int) {
	old := s.cells
	s.cells, s.used = make([]cell[V], n), 0
	for _, c := range old {
		if c.value != nil {
			s.add(c.hash, c.value)
		}
	}
}

// split doubles the number of shards.
func (t *table[V]) split() {
	old := t.shards
	t.shards = make([]shard[V], 2*len(old))
	t.owned = make([]bool, len(t.shards))
	for i := range t.shards {
		t.shards[i].cells = make([]cell[V], 2*perShard)
		t.owned[i] = true
	}
	for i := range old {
		for _, c := range old[i].cells {
			if c.value == nil {
				continue
			}
			s := t.shard(c.hash)
			if 4*(s.used+1) > 3*len(s.cells) {
				s.resize(2 * len(s.cells))
			}
			s.add(c.hash, c.value)
		}
	}
}

// all goes through the values in no order.
func (t *table[V]) all(yield func(*V) bool) {
	for i := range t.shards {
		for _, c := range t.shards[i].cells {
			if c.value != nil && !yield(c.value) {
				return
			}
		}
	}
}
