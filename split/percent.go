package split

// Shares as percentages, and shares without the unhealthy.

import (
	"cmp"
	"slices"
)

// hundred is 100 % in hundredths of a percent.
const hundred = 10_000

// Percentages returns each weight's share in hundredths of a percent. They sum
// to exactly 10,000 by the method of largest remainders: every share is rounded
// down, and what is missing goes, one each, to those that lost most by it, the
// lower index first. A weight of 0 gets 0; a positive one may. An empty list
// gives an empty one, and weights that are all 0 give zeros. Any uint32 is
// accepted.
func Percentages(weights []uint32) []int {
	shares := make([]int, len(weights))
	var total uint64
	for _, w := range weights {
		total += uint64(w)
	}
	if total == 0 {
		return shares
	}
	left := hundred
	order := make([]int, len(weights))
	for i, w := range weights {
		shares[i] = int(uint64(w) * hundred / total)
		left -= shares[i]
		order[i] = i
	}
	lost := func(i int) uint64 { return uint64(weights[i]) * hundred % total }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lost(b), lost(a)) })
	for _, i := range order[:left] {
		shares[i]++
	}
	return shares
}

// Renormalize returns a copy of backends in which those that are not healthy
// have weight 0, so that the others take over their shares. If that leaves no
// positive weight, the weights stay as they are: sending everything to backends
// that are said to be down is better than sending nothing anywhere. healthy nil
// means that all are.
//
// This is not what the Gateway API asks for, which keeps the share of a backend
// without endpoints and answers it with 503.
func Renormalize(backends []Backend, healthy func(i int) bool) []Backend {
	left := slices.Clone(backends)
	up := false
	for i := range left {
		if healthy == nil || healthy(i) {
			up = up || left[i].Weight > 0
		} else {
			left[i].Weight = 0
		}
	}
	if !up {
		copy(left, backends)
	}
	return left
}
