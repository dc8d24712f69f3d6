package split

// The plan: a schedule in the form that suits its weights.

import (
	"cmp"
	"math/bits"
	"slices"
)

// maxTable is the longest cycle that is held as a table. Indexes in a table
// are 16 bits.
const maxTable = 1 << 16

// maxSmooth bounds the steps to build a table of SmoothWRR, each of which looks
// at every backend. It is milliseconds.
const maxSmooth = 1 << 24

type kind int8

const (
	kindNone  kind = iota // no backend of positive weight
	kindOne               // one
	kindEqual             // all have the same weight: the count modulo their number
	kindTable             // a cycle of slots
	kindTree              // computed from the count
)

func (k kind) String() string {
	return [...]string{"none", "one", "equal", "table", "tree"}[k]
}

// A plan says which backend pick t, counted from 0, falls on. It is immutable.
// The lead comes first, then the cycle over and over.
type plan struct {
	kind  kind
	table []uint16 // kindTable, kindEqual unless there are too many: indexes of backends
	slots divisor  // the length of table
	order []int32  // kindOne, kindEqual without a table: indexes; kindTree: of the leaves
	nodes []node   // kindTree: the root is the last
	lead  []int32
	cycle uint64
	start []int64 // lag of every backend before pick 0, in units of one
}

// one is a request in the fixed point of lags. A lag is what a backend has
// earned and not got; negative: got and not earned.
const one = 1 << 30

// newPlan makes the plan for members. lag is nil, or holds the lag with which
// each begins. Those of positive weight need not sum to 0: what others have got
// and not earned, these are owed together, and share equally.
func newPlan(s Schedule, members []member, lag []int64) plan {
	active := positive(members)
	p := plan{order: slices.Clone(active), start: lag}
	if len(active) == 0 {
		return p
	}
	weights, total := reduced(members, active)
	p.cycle = uint64(total)
	if len(active) == 1 {
		p.kind = kindOne
		return p
	}

	fits := total <= maxTable && len(members) <= maxTable
	n := int64(len(active))
	tree := total > n && (!fits || s == SmoothWRR && n*total > maxSmooth)
	lags := make([]int64, n)
	if lag != nil {
		for j, i := range active {
			lags[j] = lag[i]
		}
		picks := settling
		if tree {
			picks = max(picks, min(settlingTree, maxSettling/len(active)))
		}
		p.lead = settle(weights, total, lags, picks)
	}
	switch {
	case total == n:
		p.kind = kindEqual
		p.order = byLag(active, lags)
		if fits {
			p.tabulate(p.order)
		}
	case tree:
		p.kind = kindTree
		p.nodes = newTree(weights)
		if lag != nil {
			calm(p.nodes, lags)
			lean(p.nodes, lags)
		}
	default:
		p.kind = kindTable
		if lag != nil {
			calm(newTree(weights), lags)
		}
		var slots []int32
		if s == SmoothWRR {
			slots = smooth(weights, total, lags)
		} else {
			slots = tijdeman(weights, total, lags)
		}
		for t, j := range slots {
			slots[t] = active[j]
		}
		p.tabulate(slots)
	}
	for t, j := range p.lead {
		p.lead[t] = active[j]
	}
	return p
}

// tabulate makes the table of indexes, in place of the order.
func (p *plan) tabulate(slots []int32) {
	p.table = make([]uint16, len(slots))
	for t, i := range slots {
		p.table[t] = uint16(i)
	}
	p.slots = newDivisor(uint64(len(slots)))
	p.order = nil
}

// A divisor divides by multiplying, which takes a third of the time.
type divisor struct {
	n, magic uint64
	shift    uint8
}

// newDivisor returns the divisor n ≥ 2. With magic = 2^(64+shift)/n, rounded
// up by less than one, the quotient of t < 2^63 is t·magic/2^(64+shift): the
// excess is below t/2^(64+shift) ≤ 1/2^(shift+1) < 1/n.
func newDivisor(n uint64) divisor {
	shift := bits.Len64(n-1) - 1
	magic, rest := bits.Div64(1<<shift, 0, n)
	if rest > 0 {
		magic++
	}
	return divisor{n, magic, uint8(shift)}
}

// mod returns t modulo n, for t below 2^63.
func (d *divisor) mod(t uint64) uint64 {
	q, _ := bits.Mul64(t, d.magic)
	return t - q>>(d.shift&63)*d.n
}

// positive returns the indexes of the members of positive weight.
func positive(members []member) []int32 {
	var active []int32
	for i, m := range members {
		if m.weight > 0 {
			active = append(active, int32(i))
		}
	}
	return active
}

// byLag returns the indexes of backends in order of their lags, the largest
// first.
func byLag(active []int32, lags []int64) []int32 {
	turns := make([]int, len(active))
	for j := range turns {
		turns[j] = j
	}
	slices.SortStableFunc(turns, func(a, b int) int { return cmp.Compare(lags[b], lags[a]) })
	order := make([]int32, len(active))
	for t, j := range turns {
		order[t] = active[j]
	}
	return order
}

// reduced returns the weights of the active members divided by their greatest
// common divisor, and their sum.
func reduced(members []member, active []int32) (weights []int64, total int64) {
	var gcd int64
	for _, i := range active {
		for a := int64(members[i].weight); a != 0; {
			gcd, a = a, gcd%a
		}
	}
	weights = make([]int64, len(active))
	for j, i := range active {
		weights[j] = int64(members[i].weight) / gcd
		total += weights[j]
	}
	return weights, total
}

// at returns the backend of pick t. There must be one.
func (p *plan) at(t uint64) int {
	if t < uint64(len(p.lead)) {
		return int(p.lead[t])
	}
	t -= uint64(len(p.lead))
	switch {
	case p.table != nil:
		return int(p.table[p.slots.mod(t)])
	case p.kind == kindTree:
		return int(p.order[descend(p.nodes, t)])
	}
	return int(p.order[t%uint64(len(p.order))])
}

// lags returns the lag of every member after t picks, by which a plan for
// other weights can continue.
func (p *plan) lags(members []member, t uint64) []int64 {
	lags := make([]int64, len(members))
	copy(lags, p.start)
	if p.kind <= kindOne {
		return lags
	}
	lead := p.lead[:min(t, uint64(len(p.lead)))]
	for _, i := range lead {
		lags[i] -= one
	}
	t -= uint64(len(lead))
	if p.kind != kindTree {
		t %= p.cycle
		for s := range t {
			lags[p.at(uint64(len(p.lead))+s)] -= one
		}
	}
	active := positive(members)
	var counts []uint64
	if p.kind == kindTree {
		active = p.order
		counts = make([]uint64, len(active))
		count(p.nodes, len(p.nodes)-1, t, counts)
	}
	weights, _ := reduced(members, active)
	for j, i := range active {
		w := uint64(weights[j])
		lags[i] += mulDiv(w, int64(len(lead))*one, p.cycle)
		hi, lo := bits.Mul64(t, w)
		whole, rest := bits.Div64(hi, lo, p.cycle)
		if counts != nil {
			whole -= counts[j]
		}
		lags[i] += int64(whole)*one + mulDiv(one, int64(rest), p.cycle)
	}
	return lags
}

// mulDiv returns a·b/c, rounded down. The result must fit.
func mulDiv(a uint64, b int64, c uint64) int64 {
	if b < 0 {
		hi, lo := bits.Mul64(a, uint64(-b))
		q, r := bits.Div64(hi, lo, c)
		if r != 0 {
			q++
		}
		return -int64(q)
	}
	hi, lo := bits.Mul64(a, uint64(b))
	q, _ := bits.Div64(hi, lo, c)
	return int64(q)
}
