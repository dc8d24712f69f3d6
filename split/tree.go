package split

// Schedules whose cycle is too long for a table: computed from the count.

import (
	"cmp"
	"math/bits"
	"slices"
)

// A node splits the picks that reach it between two sides. Of its first t
// picks, floor((t·left + offset)/total) go left, never less than 0 nor more
// than t. Without an initial lag offset is total/2, so that the side that is
// nearer to its share always goes.
type node struct {
	total, left uint64 // weights of the node and its left side
	offset      int64
	kids        [2]int32 // left and right: a node, or ^leaf
}

// newTree returns the nodes of a Huffman tree over at least two weights, the
// root last.
//
// A leaf's deviation from its share of all picks is the sum over its ancestors
// of an error of at most 1/2 each, times the leaf's part of the weight below
// it. In a Huffman tree the weights on the way up grow at least as the
// Fibonacci numbers do, so the sum is below 1/2·(1/1 + 1/1 + 1/2 + 1/3 + 1/5 +
// …) = 1.68, for however many leaves. Heavy leaves are also near the root.
func newTree(weights []int64) []node {
	n := len(weights)
	type part struct {
		weight uint64
		kid    int32
	}
	leaves := make([]part, n)
	for i, w := range weights {
		leaves[i] = part{uint64(w), ^int32(i)}
	}
	slices.SortStableFunc(leaves, func(a, b part) int { return cmp.Compare(a.weight, b.weight) })

	// Inner nodes come to be in the order of their weights.
	inner := make([]part, 0, n-1)
	least := func() (p part) {
		if len(inner) == 0 || len(leaves) > 0 && leaves[0].weight <= inner[0].weight {
			p, leaves = leaves[0], leaves[1:]
		} else {
			p, inner = inner[0], inner[1:]
		}
		return p
	}
	nodes := make([]node, 0, n-1)
	for range n - 1 {
		r, l := least(), least()
		sum := part{l.weight + r.weight, int32(len(nodes))}
		nodes = append(nodes, node{
			total:  sum.weight,
			left:   l.weight,
			offset: int64(sum.weight / 2),
			kids:   [2]int32{l.kid, r.kid},
		})
		inner = append(inner, sum)
	}
	return nodes
}

// calm turns the lags with which the settling ends into those with which a cycle
// begins, whose sum is nearly 0. Backends too light to have been settled may be
// ahead, many of them at once, and the heavy ones are behind by as much together.
// A cycle that began so would let the heavy ones beside them wait until all are
// even. So no leaf and no node begins more than 1/2 ahead, as far as a node puts
// one of its sides by itself. Leaves keep the rest of what they have had too
// much, so that it never grows, and the others the rest of what they are owed,
// in equal parts.
func calm(nodes []node, lags []int64) {
	const rounds = 16 // lowering the others may put a node ahead again, by less
	raised := make([]bool, len(lags))
	for range rounds {
		var sum, others int64
		for j, lag := range lags {
			sum += lag
			if !raised[j] {
				others++
			}
		}
		if others == 0 {
			return
		}
		for j := range lags {
			if !raised[j] {
				lags[j] -= sum / others
			}
		}
		if !raise(nodes, lags, raised) {
			return
		}
	}
}

// raise brings leaves that are ahead nearer to 0, in proportion, until no leaf
// and no node is more than 1/2 ahead. It marks them, and reports whether there
// are any.
func raise(nodes []node, lags []int64, raised []bool) bool {
	type side struct{ behind, ahead, keep int64 } // keep is the part of ahead that stays, of one
	limit := func(s side) side {
		s.keep = one
		if most := s.behind + one/2; s.ahead > most {
			s.keep = mulDiv(one, most, uint64(s.ahead))
			s.ahead = most
		}
		return s
	}
	sides := make([][2]side, len(nodes))
	for at := range nodes {
		for i, kid := range nodes[at].kids {
			if kid < 0 {
				sides[at][i] = limit(side{behind: max(lags[^kid], 0), ahead: max(-lags[^kid], 0)})
				continue
			}
			l, r := sides[kid][0], sides[kid][1]
			sides[at][i] = limit(side{behind: l.behind + r.behind, ahead: l.ahead + r.ahead})
		}
	}
	some := false
	keep := make([]int64, len(nodes))
	keep[len(nodes)-1] = one
	for at := len(nodes) - 1; at >= 0; at-- {
		for i, kid := range nodes[at].kids {
			part := mulDiv(uint64(keep[at]), sides[at][i].keep, one)
			if kid >= 0 {
				keep[kid] = part
			} else if j := ^kid; lags[j] < 0 && part < one {
				lags[j] = -mulDiv(uint64(part), -lags[j], one)
				raised[j], some = true, true
			}
		}
	}
	return some
}

// lean makes the leaves begin with lags, which sum to 0.
func lean(nodes []node, lags []int64) {
	below := make([]int64, len(nodes))
	for at := range nodes {
		v := &nodes[at]
		var side [2]int64
		for s, kid := range v.kids {
			if kid < 0 {
				side[s] = lags[^kid]
			} else {
				side[s] = below[kid]
			}
		}
		below[at] = side[0] + side[1]
		v.offset += mulDiv(v.total, side[0]-mulDiv(v.left, below[at], v.total), one)
	}
}

// lefts returns how many of the first t picks go left.
func (v *node) lefts(t uint64) uint64 {
	hi, lo := bits.Mul64(t, v.left)
	if v.offset < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(lo, uint64(-v.offset), 0)
		if hi < borrow {
			return 0
		}
		hi -= borrow
	} else {
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(v.offset), 0)
		hi += carry
	}
	q, _ := bits.Div64(hi, lo, v.total)
	return min(q, t)
}

// descend returns the leaf of pick t.
func descend(nodes []node, t uint64) int32 {
	at := int32(len(nodes) - 1)
	for at >= 0 {
		v := &nodes[at]
		var left uint64
		var goes bool
		if uint64(v.offset) < v.total { // and so at least 0: the count is within bounds by itself
			hi, lo := bits.Mul64(t, v.left)
			lo, carry := bits.Add64(lo, uint64(v.offset), 0)
			q, r := bits.Div64(hi+carry, lo, v.total)
			left, goes = q, r+v.left >= v.total
		} else {
			left = v.lefts(t)
			goes = v.lefts(t+1) > left
		}
		if goes {
			at, t = v.kids[0], left
		} else {
			at, t = v.kids[1], t-left
		}
	}
	return ^at
}

// count adds to counts how many of the first t picks below node at go to each
// leaf.
func count(nodes []node, at int, t uint64, counts []uint64) {
	v := &nodes[at]
	left := v.lefts(t)
	for side, t := range [2]uint64{left, t - left} {
		if kid := v.kids[side]; kid < 0 {
			counts[^kid] += t
		} else {
			count(nodes, int(kid), t, counts)
		}
	}
}
