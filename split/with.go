// New weights for a picker, without a new beginning.

package split

import "slices"

// A member is what tells a backend from others, and its weight.
type member struct {
	name   string
	nth    int // among equal names, from 0; of the empty name, the index
	weight uint32
}

func newMembers(backends []Backend) []member {
	members := make([]member, len(backends))
	seen := make(map[string]int, len(backends))
	for i, b := range backends {
		nth := i
		if b.Name != "" {
			nth = seen[b.Name]
			seen[b.Name]++
		}
		members[i] = member{b.Name, nth, b.Weight}
	}
	return members
}

func (m member) identity() member {
	m.weight = 0
	return m
}

func (m member) hash() uint64 { return mix(Hash(m.name) + uint64(m.nth)*golden) }

// With returns a picker over new backends that goes on where p is, with the
// same options. p is not changed and can be used on; what is picked from it
// after the call of With is not known to the new picker.
//
// Backends are recognised by their names, in any order, as [Backend] says. If
// those of positive weight and the proportions of the weights are the same, the
// order of picks continues. Otherwise each backend takes with it what it has
// earned and not got, or got and not earned, so that frequent updates starve
// nobody whose weight stays positive; if the backends of positive weight are
// others than before, of that not more than one request, and it is balanced out
// over those that are there, so that nobody is flooded. A backend of weight 0
// keeps what it has; one that is not listed is forgotten. Lists that lose and
// regain a backend every few picks can therefore cost light backends their
// share.
//
// Errors are those of [New].
func (p *Picker) With(backends []Backend) (*Picker, error) {
	next := &Picker{opts: p.opts}
	if err := next.fill(backends); err != nil {
		return nil, err
	}
	t := p.picks.Load()
	next.retries.Store(p.retries.Load())

	was := make(map[member]int, len(p.members))
	for i, m := range p.members {
		was[m.identity()] = i
	}
	from := make([]int, len(next.members)) // index in p, -1: new
	for i, m := range next.members {
		from[i] = -1
		if j, ok := was[m.identity()]; ok {
			from[i] = j
		}
	}

	old := p.lags(p.members, t)
	lags := make([]int64, len(next.members))
	same, known, owed := len(next.targets) == len(p.targets), false, false
	for i, j := range from {
		if j >= 0 {
			lags[i] = old[j]
		}
		if next.members[i].weight > 0 {
			was := j >= 0 && p.members[j].weight > 0
			same, known = same && was, known || was
			owed = owed || lags[i] != 0
		}
	}
	switch {
	case same && next.proportional(p, from):
		next.plan = p.renamed(from, lags, next.members)
		next.picks.Store(t)
	case !owed:
		next.plan = newPlan(next.opts.Schedule, next.members, nil)
		next.start = lags
		if !known || p.kind <= kindOne {
			next.picks.Store(p.phase(t, next.cycle))
		}
	default:
		if !same {
			for i := range lags {
				lags[i] = min(max(lags[i], -one), one)
			}
		}
		balance(next.members, lags)
		next.plan = newPlan(next.opts.Schedule, next.members, lags)
	}
	return next, nil
}

// proportional tells whether p gives the backends of positive weight, which
// are those of old, the same shares, in a plan that can be renamed.
func (p *Picker) proportional(old *Picker, from []int) bool {
	if len(p.members) > maxTable && old.table != nil {
		return false
	}
	var was, is uint64
	for i, c := range p.targets {
		was += old.targets[i].weight
		is += c.weight
	}
	for _, c := range p.targets {
		if c.weight*was != uint64(old.members[from[c.index]].weight)*is {
			return false
		}
	}
	return true
}

// renamed returns p's plan for members, of which number i is number from[i] of
// p, or new if that is negative. Those of weight 0 have lags.
func (p *Picker) renamed(from []int, lags []int64, members []member) plan {
	q := p.plan
	q.start = lags
	to := make([]int32, len(p.members))
	moved := false
	for i, j := range from {
		if j < 0 {
			continue
		}
		if members[i].weight > 0 {
			q.start[i] = p.started(j)
		}
		to[j] = int32(i)
		moved = moved || i != j
	}
	if !moved {
		return q
	}
	q.table = slices.Clone(q.table)
	for t, i := range q.table {
		q.table[t] = uint16(to[i])
	}
	q.order = slices.Clone(q.order)
	for t, i := range q.order {
		q.order[t] = to[i]
	}
	q.lead = slices.Clone(q.lead)
	for t, i := range q.lead {
		q.lead[t] = to[i]
	}
	return q
}

// started returns the lag with which backend i began.
func (p *plan) started(i int) int64 {
	if p.start == nil {
		return 0
	}
	return p.start[i]
}

// phase returns the slot of a cycle that is as far through it as pick t is
// through p's, or the one that the options ask for if p has had no choice yet.
func (p *Picker) phase(t, cycle uint64) uint64 {
	switch {
	case cycle == 0:
		return 0
	case p.kind <= kindOne:
		return p.opts.Phase % cycle
	}
	t -= min(t, uint64(len(p.lead)))
	return uint64(mulDiv(cycle, int64(t%p.cycle), p.cycle))
}

// balance makes the lags of the members of positive weight sum to 0, as if as
// many picks more or fewer had been shared among them.
func balance(members []member, lags []int64) {
	var sum, total int64
	for i, m := range members {
		if m.weight > 0 {
			sum += lags[i]
			total += int64(m.weight)
		}
	}
	heaviest, left := 0, sum
	for i, m := range members {
		if m.weight == 0 {
			continue
		}
		part := mulDiv(uint64(m.weight), sum, uint64(total))
		lags[i] -= part
		left -= part
		if m.weight > members[heaviest].weight {
			heaviest = i
		}
	}
	lags[heaviest] -= left
}
