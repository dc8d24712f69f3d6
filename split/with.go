package split

// New weights for a picker, without a new beginning.

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
// after the call of With is not known to the new picker. With of a nil Picker
// is [New] without options.
//
// Backends are recognised by their names, in any order, as [Backend] says. If
// those of positive weight and the proportions of the weights are the same, the
// order of picks continues. Otherwise each backend takes with it what it has
// earned and not got, or got and not earned, and picks go to the one that is
// owed most. While its weight is 0 a backend earns nothing and keeps what it
// has. So among the same names nothing is lost over any number of updates: the
// documentation of the package says how far apart earned and got can be.
//
// A name that is not listed is forgotten, and a new one is owed nothing. When
// names come or go, each of the others keeps at most one request of what it is
// owed or has had too much, so that nobody is flooded.
//
// Errors are those of New. The cost is too, and that of the 64 to 4,096 picks
// that follow a change, each of which looks at every backend.
func (p *Picker) With(backends []Backend) (*Picker, error) {
	if p == nil {
		p = new(Picker)
	}
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
	old := p.lags(p.members, t)
	from := make([]int, len(next.members)) // index in p, -1: new
	lags := make([]int64, len(next.members))
	renamed := len(next.members) != len(p.members)
	for i, m := range next.members {
		j, ok := was[m.identity()]
		if !ok {
			from[i], renamed = -1, true
			continue
		}
		from[i], lags[i] = j, old[j]
	}

	// Of the backends of positive weight: are they the same, is one of them
	// known, and is one of them owed anything?
	same, known, owed := len(next.targets) == len(p.targets), false, false
	for _, c := range next.targets {
		j := from[c.index]
		same = same && j >= 0 && p.members[j].weight > 0
		known = known || j >= 0
		owed = owed || lags[c.index] != 0
	}
	switch {
	case same && next.proportional(p, from):
		next.plan = p.renamed(from, lags, next.members)
		next.picks.Store(t)
	case !owed:
		next.plan = newPlan(next.opts.Schedule, next.members, nil)
		next.start = lags
		if !known || !p.chose {
			next.picks.Store(p.phase(t, next.cycle))
		}
	default:
		if renamed {
			for i := range lags {
				lags[i] = min(max(lags[i], -one), one)
			}
		}
		next.plan = newPlan(next.opts.Schedule, next.members, lags)
	}
	next.settle()
	next.chose = p.chose || next.kind > kindOne
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
