package split

// The two schedules, and the way from arbitrary lags into them.

import "math/bits"

// A turn is the next request of one backend in Tijdeman's schedule.
type turn struct {
	num  uint64 // its deadline is num/w
	w    uint64
	done int64 // requests before it
	next int32 // in the list of those released in the same slot
}

// before compares deadlines, then indexes.
func before(turns []turn, a, b int32) bool {
	x, y := &turns[a], &turns[b]
	xh, xl := bits.Mul64(x.num, y.w)
	yh, yl := bits.Mul64(y.num, x.w)
	if xh != yh {
		return xh < yh
	}
	if xl != yl {
		return xl < yl
	}
	return a < b
}

// most is the lag, in requests, beyond which more does not mean more urgent.
const most = 4

// tijdeman returns one cycle in which backend i, of lag[i] at its beginning,
// gets exactly weights[i] of total slots. There are n ≥ 2, total is at most
// maxTable.
//
// With d = 2n-2, request k of a backend, counted from 0, is released when the
// lag before it is at least 1/d and due when waiting would raise the lag above
// 1 - 1/d. Of those released the one due first goes. Without initial lags one is
// always released; with them it may be that none is, and then time skips to the
// next release.
func tijdeman(weights []int64, total int64, lag []int64) []int32 {
	n := len(weights)
	d := uint64(2*n - 2)
	turns := make([]turn, n)
	ready := make([]int32, 0, n)
	released := make([]int32, total+1) // by slot, the first of a list; -1: none
	for t := range released {
		released[t] = -1
	}
	arrive := func(i int32, t int64) {
		// Deadlines are in slots times d·one/total, moved by most·d·one, so
		// that an overdue one is not negative.
		x := &turns[i]
		w := uint64(weights[i])
		x.num = (uint64(x.done+1)*d-1)*one + w*d*most*one - uint64(min(lag[i], most*one)*int64(d))
		x.w = w
		slot := int64(0)
		if rest := int64((1+uint64(x.done)*d)*one) - lag[i]*int64(d); rest > 0 {
			hi, lo := bits.Mul64(uint64(total), uint64(rest))
			q, r := bits.Div64(hi, lo, w*d*one)
			if slot = int64(q); r != 0 {
				slot++
			}
			slot = min(slot, total)
		}
		if slot <= t {
			ready = push(turns, ready, i)
			return
		}
		x.next = released[slot]
		released[slot] = i
	}
	for i := range turns {
		arrive(int32(i), 0)
	}

	slots := make([]int32, total)
	clock := int64(0) // everything released until then has been put into ready
	for t := range slots {
		for clock <= int64(t) || len(ready) == 0 {
			clock++
			for i := released[clock]; i >= 0; {
				next := turns[i].next
				ready = push(turns, ready, i)
				i = next
			}
		}
		var i int32
		i, ready = pop(turns, ready)
		slots[t] = i
		if turns[i].done++; turns[i].done < weights[i] {
			arrive(i, min(clock, total))
		}
	}
	return slots
}

// push and pop keep ready a binary heap with the turn due first on top.
func push(turns []turn, ready []int32, i int32) []int32 {
	ready = append(ready, i)
	at := len(ready) - 1
	for at > 0 {
		up := (at - 1) / 2
		if !before(turns, i, ready[up]) {
			break
		}
		ready[at] = ready[up]
		at = up
	}
	ready[at] = i
	return ready
}

func pop(turns []turn, ready []int32) (int32, []int32) {
	top := ready[0]
	last := ready[len(ready)-1]
	ready = ready[:len(ready)-1]
	if len(ready) == 0 {
		return top, ready
	}
	at := 0
	for {
		down := 2*at + 1
		if down >= len(ready) {
			break
		}
		if down+1 < len(ready) && before(turns, ready[down+1], ready[down]) {
			down++
		}
		if !before(turns, ready[down], last) {
			break
		}
		ready[at] = ready[down]
		at = down
	}
	ready[at] = last
	return top, ready
}

// smooth returns one cycle of nginx's smooth weighted round robin: the largest
// lag goes, ties to the lower index. Backend i gets exactly weights[i] slots.
func smooth(weights []int64, total int64, lag []int64) []int32 {
	lags := make([]int64, len(weights))
	left := make([]int64, len(weights))
	for i, w := range weights {
		lags[i] = mulDiv(uint64(total), lag[i], one)
		left[i] = w
	}
	slots := make([]int32, total)
	for t := range slots {
		best := -1
		for i, w := range weights {
			lags[i] += w
			if left[i] > 0 && (best < 0 || lags[i] > lags[best]) {
				best = i
			}
		}
		lags[best] -= total
		left[best]--
		slots[t] = int32(best)
	}
	return slots
}

// The number of picks that follow a change of weights before the cycle begins.
// A tree is no smoother than they are, so it may as well begin later, when more
// of the light backends are settled.
const (
	settling     = 64
	settlingTree = 4096
	maxSettling  = 1 << 16 // times the number of backends, for a tree
)

// settle returns as many picks, which lead from arbitrary lags into a cycle, and
// leaves in lag what they have made of them. The largest lag goes: no rule that
// cannot see the next change of weights does better, and after a change one is
// more likely than otherwise.
//
// With n names, those of weight 0 included, the k largest lags sum to at most
// k(n-k)/2: if they do before a pick, then after it, whatever the weights. So no
// lag is beyond (n-1)/2. And weights can be chosen that bring two lags less than
// 1 apart to a distance of 1, whoever is picked, until all are as far apart as
// that.
func settle(weights []int64, total int64, lag []int64, picks int) []int32 {
	lead := make([]int32, picks)
	rates := make([]int64, len(weights))
	lags := make([]int64, len(weights))
	for i, w := range weights {
		rates[i] = mulDiv(one, w, uint64(total))
		lags[i] = lag[i]
	}
	for t := range lead {
		best := 0
		for i, rate := range rates {
			lags[i] += rate
			if lags[i] > lags[best] {
				best = i
			}
		}
		lags[best] -= one
		lag[best] -= one
		lead[t] = int32(best)
	}
	for i, w := range weights {
		lag[i] += mulDiv(uint64(w), int64(picks)*one, uint64(total))
	}
	return lead
}
