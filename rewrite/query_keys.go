package rewrite

// Which pairs of a query have one of the names as their key.

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// A keySet finds the pairs of a query whose key may be one of a list of names.
// Most pairs are passed over by a look at their first two bytes.
type keySet struct {
	// A key may be a name only if first and second of its first two bytes have
	// a bit in common: names share seven bits, the eighth is in all of second.
	first, second [256]uint8
	names         []string
	hashes        []uint32
	table         []int32 // hash table of indices into names, plus 1
	sorted        []int32 // indices into names, by name, instead of a table that is crowded
}

// crowded is how many places of the table in a row may be taken. More are not by
// chance: whoever writes the names may have sought them for requests to be slow.
const crowded = 128

// anySecond is the bit of first bytes that any second may follow.
const anySecond = 0x80

// newKeySet returns the set of names and of raw keys, those without decoding.
func newKeySet(names []string, raw map[string]bool) keySet {
	size := 1
	for size < 2*len(names) {
		size *= 2
	}
	k := keySet{names: names, table: make([]int32, size)}
	for i, name := range names {
		k.mayBegin(name, 1<<(i%7))
		h := hashSeed
		for j := range len(name) {
			h = hashByte(h, name[j])
		}
		k.hashes = append(k.hashes, h)
		if k.sorted != nil {
			continue
		}
		slot, taken := h&uint32(size-1), 0
		for k.table[slot] != 0 {
			slot = (slot + 1) & uint32(size-1)
			taken++
		}
		k.table[slot] = int32(i + 1)
		if taken > crowded {
			k.sorted = sortedIndices(names)
		}
	}
	for i := range k.second {
		k.second[i] |= anySecond
	}
	k.second['%'], k.second['+'] = 0xFF, 0xFF
	for key := range raw {
		k.first[key[0]] |= anySecond
	}
	if len(names) > 0 {
		k.first['%'] |= anySecond
	}
	return k
}

// mayBegin lets keys through that begin as name does.
func (k *keySet) mayBegin(name string, bit uint8) {
	k.first[name[0]] |= bit
	if name[0] == ' ' {
		k.first['+'] |= bit
	}
	if len(name) > 1 {
		k.second[name[1]] |= bit
	} else {
		k.second['='] |= bit
		k.second['&'] |= bit
	}
}

// candidate reports whether the pair that begins at at may have a name as its
// key.
func (k *keySet) candidate(query string, at int) bool {
	if at+1 >= len(query) {
		return at < len(query) && k.first[query[at]] != 0
	}
	return k.first[query[at]]&k.second[query[at+1]] != 0
}

const hashSeed uint32 = 2166136261

func hashByte(h uint32, c byte) uint32 { return (h ^ uint32(c)) * 16777619 }

// next returns where the first pair of query begins, from at on, that may have
// one of the names as its key; len(query)+1 if there is none. at is where a
// pair begins.
func (k *keySet) next(query string, at int) int {
	if k.candidate(query, at) {
		return at
	}
	for ; at+8 <= len(query); at += 8 {
		x := load64(query, at) ^ '&'*ones
		for amps := ^(x&lows + lows | x) & highs; amps != 0; amps &= amps - 1 {
			if start := at + bits.TrailingZeros64(amps)/8 + 1; k.candidate(query, start) {
				return start
			}
		}
	}
	if at < len(query) {
		x := lastBytes(query, at) ^ '&'*ones
		for amps := ^(x&lows + lows | x) & highs; amps != 0; amps &= amps - 1 {
			if start := at + bits.TrailingZeros64(amps)/8 + 1; k.candidate(query, start) {
				return start
			}
		}
	}
	return len(query) + 1
}

// pairEnd returns the index of the first "&" of query from at on, or its
// length. Pairs are short: a few steps of eight bytes beat a call.
func pairEnd(query string, at int) int {
	for range 4 {
		if at+8 > len(query) {
			break
		}
		x := load64(query, at) ^ '&'*ones
		if amps := ^(x&lows + lows | x) & highs; amps != 0 {
			return at + bits.TrailingZeros64(amps)/8
		}
		at += 8
	}
	if i := strings.IndexByte(query[at:], '&'); i >= 0 {
		return at + i
	}
	return len(query)
}

// lastBytes is load64 where fewer than eight bytes follow; the others are 0.
func lastBytes(s string, at int) (w uint64) {
	if len(s) >= 8 {
		return load64(s, len(s)-8) >> (8 * uint(at+8-len(s)))
	}
	for i := len(s) - 1; i >= at; i-- {
		w = w<<8 | uint64(s[i])
	}
	return w
}

// What find returns beside an index.
const (
	noKey  = -1 // the key is none of the names
	badKey = -2 // the key does not decode
)

// find returns which of the names the key of pair is, decoded, and the length
// of that key in pair.
func (k *keySet) find(pair string) (index, key int) {
	// Its end, its hash and its validity in one pass.
	h := hashSeed
	plain, valid := true, true
	for key < len(pair) && pair[key] != '=' {
		c := pair[key]
		switch c {
		case '+':
			c, plain = ' ', false
		case '%':
			plain = false
			if o, ok := escape.Octet(pair, key); ok {
				c = o
				key += 2
			} else {
				valid = false
			}
		}
		h = hashByte(h, c)
		key++
	}
	if !valid {
		return badKey, key
	}
	if k.sorted != nil {
		return k.search(pair[:key]), key
	}
	mask := uint32(len(k.table) - 1)
	for slot := h & mask; k.table[slot] != 0; slot = (slot + 1) & mask {
		i := int(k.table[slot] - 1)
		if k.hashes[i] == h && (plain && k.names[i] == pair[:key] || !plain && keyIs(pair[:key], k.names[i])) {
			return i, key
		}
	}
	return noKey, key
}

// keyIs reports whether a valid key, decoded, is name.
func keyIs(key, name string) bool { return compareKey(key, name) == 0 }

// compareKey compares a valid key, decoded, with name.
func compareKey(key, name string) int {
	n := 0
	for i := 0; i < len(key); i++ {
		c := key[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			c, _ = escape.Octet(key, i)
			i += 2
		}
		switch {
		case n == len(name) || c > name[n]:
			return 1
		case c < name[n]:
			return -1
		}
		n++
	}
	return n - len(name)
}

// search is find for a valid key without the table.
func (k *keySet) search(key string) int {
	low, high := 0, len(k.sorted)
	for low < high {
		middle := int(uint(low+high) >> 1)
		i := int(k.sorted[middle])
		switch c := compareKey(key, k.names[i]); {
		case c == 0:
			return i
		case c < 0:
			high = middle
		default:
			low = middle + 1
		}
	}
	return noKey
}

func sortedIndices(names []string) []int32 {
	sorted := make([]int32, len(names))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortFunc(sorted, func(a, b int32) int { return strings.Compare(names[a], names[b]) })
	return sorted
}
