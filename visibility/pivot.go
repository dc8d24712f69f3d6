package visibility

// How Resolve finds the policy that decides without asking all of them.

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// A pivot is a label key that policies require to be there. Each policy hangs
// on one of its positive requirements, so that only those policies are asked
// that a label of the namespace speaks for. The lists are ascending.
type pivot struct {
	exists []int32
	values map[string][]int32
}

// few policies are asked one by one in less time than their labels are found.
const few = 4

// hang gives each policy its pivot: the positive requirement that it shares
// with the fewest other policies.
func (r *Resolver) hang() {
	type label struct{ key, value string }
	shared := make(map[label]int) // by how many requirements
	keys := make(map[string]int)
	for i := range r.policies {
		for _, req := range r.policies[i].requires {
			if req.operator == In {
				for _, value := range req.oneOf() {
					shared[label{req.key, value}]++
				}
			}
			keys[req.key]++
		}
	}
	r.remember(keys)
	r.pivots = make(map[string]*pivot)
	for i := range r.policies {
		p := &r.policies[i]
		if p.never {
			continue
		}
		best, least := -1, 0
		for j, req := range p.requires {
			cost := 0
			switch req.operator {
			case In:
				for _, value := range req.oneOf() {
					cost += shared[label{req.key, value}]
				}
			case Exists:
				cost = keys[req.key]
			default:
				continue
			}
			if best < 0 || cost < least {
				best, least = j, cost
			}
		}
		if best < 0 || len(r.policies) <= few {
			r.loose = append(r.loose, int32(i))
			continue
		}
		r.hangOn(&p.requires[best], int32(i))
	}
}

func (r *Resolver) hangOn(req *requirement, policy int32) {
	at := r.pivots[req.key]
	if at == nil {
		at = &pivot{values: make(map[string][]int32)}
		r.pivots[req.key] = at
	}
	if req.operator == Exists {
		at.exists = append(at.exists, policy)
		return
	}
	for _, value := range req.oneOf() {
		at.values[value] = append(at.values[value], policy)
	}
}

// oneOf returns the values of an In.
func (r *requirement) oneOf() []string {
	if r.values == nil {
		return []string{r.value}
	}
	return r.values
}

// along asks the policies that hang on a label.
func (r *Resolver) along(at *pivot, value string, best int32, m *memo) int32 {
	best = r.first(at.exists, best, m)
	return r.first(at.values[value], best, m)
}

// first returns the first of list that matches, if it is before best, or best.
func (r *Resolver) first(list []int32, best int32, m *memo) int32 {
	for _, i := range list {
		if i >= best {
			break
		}
		if m.matches(r.policies[i].requires) {
			return i
		}
	}
	return best
}

// A memo looks the keys up that many policies ask for, each once. The others
// are looked up each time.
type memo struct {
	labels map[string]string
	known  uint8 // bits of the keys that were looked up
	there  uint8 // and of those that have a value
	values [memoSize]string
}

const memoSize = 8

// remember gives the keys that are asked for most a place in a memo.
func (r *Resolver) remember(count map[string]int) {
	keys := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	place := make(map[string]uint8)
	for i, key := range keys[:min(len(keys), memoSize)] {
		place[key] = uint8(i + 1)
	}
	for i := range r.policies {
		for j := range r.policies[i].requires {
			req := &r.policies[i].requires[j]
			req.memo = place[req.key]
		}
	}
}

func (m *memo) matches(requires []requirement) bool {
	for i := range requires {
		if value, ok := m.value(&requires[i]); !requires[i].matches(value, ok) {
			return false
		}
	}
	return true
}

func (m *memo) value(r *requirement) (string, bool) {
	if r.memo == 0 {
		value, ok := m.labels[r.key]
		return value, ok
	}
	i := r.memo - 1
	bit := uint8(1) << i
	if m.known&bit == 0 {
		m.known |= bit
		if value, ok := m.labels[r.key]; ok {
			m.there |= bit
			m.values[i] = value
		}
	}
	return m.values[i&(memoSize-1)], m.there&bit != 0
}
