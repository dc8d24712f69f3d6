package split

// The picker: what it is made of, and how it answers.

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// MaxWeight is the largest weight that a [Backend] may have.
const MaxWeight = 1_000_000

// A Backend is one member of a weighted list. Its share of the picks is its
// weight divided by the sum of all weights, whether it is valid or not.
type Backend struct {
	// Name identifies the backend for [Picker.With], [Picker.PickHash] and
	// [Picker.PickExcept], and is what [AppendNginx] prints. Backends of equal
	// names are told apart by their order among themselves, and a backend
	// without a name by its index.
	Name string
	// Weight is 0 to MaxWeight. 0: no picks.
	Weight uint32
	// Invalid marks a reference that leads nowhere. Its share is kept, and
	// picks that fall on it return ErrInvalidBackend: answer 500.
	Invalid bool
}

// A Schedule is the rule by which picks are put in order.
type Schedule int8

const (
	// Tijdeman keeps every backend as close to its share, at every moment, as
	// is possible for fixed weights.
	Tijdeman Schedule = iota
	// SmoothWRR is the order of nginx's smooth weighted round robin, where
	// backends may fall further behind.
	SmoothWRR
)

// Options of a [Picker]. The zero value and nil are Tijdeman's schedule from
// its beginning, without a salt.
type Options struct {
	// Phase is the slot of the cycle, modulo its length, at which picks begin.
	// To start R replicas apart, give replica r the phase r·C/R, C being
	// Picker.Cycle: then few begin with the same backend. What is said of
	// smoothness counts from slot 0.
	Phase uint64
	// Schedule orders picks without a hash.
	Schedule Schedule
	// Salt is mixed into the hashes given to PickHash and PickExcept, so that
	// the users who see one canary first are not the first to see all.
	Salt uint64
}

// What a pick can return. The first two mean that the request is answered 500,
// and the last that it is answered as its last attempt failed.
var (
	// ErrInvalidBackend comes with the index of a backend that is Invalid.
	ErrInvalidBackend = errors.New("split: the share of an invalid backend")
	// ErrNoBackend comes with the index -1: no backend has a positive weight.
	ErrNoBackend = errors.New("split: no backend has a positive weight")
	// ErrExhausted comes with the index -1: PickExcept was told to skip every
	// backend of positive weight.
	ErrExhausted = errors.New("split: every backend of positive weight is skipped")
)

// A WeightError is the fault of one backend given to [New] or [Picker.With].
type WeightError struct {
	Index  int
	Name   string
	Weight uint32
}

// Error returns one line that names the backend and the weight.
func (e *WeightError) Error() string {
	return fmt.Sprintf("split: backend %d (%q): weight %d is not in 0 to %d", e.Index, e.Name, e.Weight, MaxWeight)
}

// A Picker spreads picks over backends by their weights. It is made by [New]
// and [Picker.With]; the zero Picker and nil have no backends. It is safe for
// concurrent use and must not be copied. Picks take no lock and allocate
// nothing.
type Picker struct {
	plan
	targets []target
	opts    Options
	members []member
	invalid []bool // by index; nil: none is
	steady  uint64 // from this pick on the table alone decides; never, if it does not
	chose   bool   // there were several to choose from, here or before With

	// The counters are written by every pick, so they share no cache line with
	// what every pick reads.
	_       [64]byte
	picks   atomic.Uint64
	_       [64]byte
	retries atomic.Uint64
	_       [64]byte
}

// New returns a picker over backends, which it does not retain. Indexes
// returned by picks are those of backends.
//
// The error joins a [*WeightError] for every weight above [MaxWeight], or names
// a schedule that does not exist. An empty list and weights that are all 0 are
// no errors: every pick is then [ErrNoBackend].
//
// The cost is that of a table of W slots, W being the sum of the weights
// divided by their greatest common divisor, of at most 65,536 slots. Beyond
// that it is that of sorting the backends.
func New(backends []Backend, opts *Options) (*Picker, error) {
	p := new(Picker)
	if opts != nil {
		p.opts = *opts
	}
	if err := p.fill(backends); err != nil {
		return nil, err
	}
	p.plan = newPlan(p.opts.Schedule, p.members, nil)
	p.settle()
	p.chose = p.kind > kindOne
	if p.cycle > 0 {
		p.picks.Store(p.opts.Phase % p.cycle)
		p.retries.Store(p.opts.Phase % p.cycle)
	}
	return p, nil
}

// settle finds steady, once the plan is there.
func (p *Picker) settle() {
	p.steady = math.MaxUint64
	if p.table != nil && p.invalid == nil {
		p.steady = uint64(len(p.lead))
	}
}

// fill checks backends and takes from them everything but the plan.
func (p *Picker) fill(backends []Backend) error {
	if p.opts.Schedule != Tijdeman && p.opts.Schedule != SmoothWRR {
		return fmt.Errorf("split: there is no schedule %d", p.opts.Schedule)
	}
	var errs []error
	for i, b := range backends {
		if b.Weight > MaxWeight {
			errs = append(errs, &WeightError{i, b.Name, b.Weight})
		}
	}
	if len(backends) > math.MaxInt32 {
		errs = append(errs, fmt.Errorf("split: %d backends", len(backends)))
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	p.members = newMembers(backends)
	p.targets = newTargets(p.members)
	for i, b := range backends {
		if b.Invalid {
			if p.invalid == nil {
				p.invalid = make([]bool, len(backends))
			}
			p.invalid[i] = true
		}
	}
	return nil
}

// Pick returns the index of the backend whose turn it is.
//
// Over every cycle of W picks, W being the sum of the weights divided by their
// greatest common divisor, each backend gets exactly its share. Within a cycle
// its count stays within 1 - 1/(2n-2) of it, where n ≥ 2 backends have a
// positive weight, W is at most 65,536 and the schedule is Tijdeman's
// (Discrete Mathematics 32, 1980). Concurrent picks are counted in the order of
// one atomic addition.
//
// The error is [ErrInvalidBackend], with the index of a backend, or
// [ErrNoBackend], with -1.
func (p *Picker) Pick() (int, error) {
	if p == nil || p.kind <= kindOne {
		return p.pickFew()
	}
	t := p.picks.Add(1) - 1
	if t >= p.steady {
		return int(p.table[p.slots.mod(t-p.steady)]), nil
	}
	return p.judge(p.at(t))
}

// pickFew picks where there is nothing to choose.
func (p *Picker) pickFew() (int, error) {
	if p == nil || p.kind == kindNone {
		return -1, ErrNoBackend
	}
	return p.judge(int(p.order[0]))
}

// judge returns i as a pick.
func (p *Picker) judge(i int) (int, error) {
	if p.invalid != nil && p.invalid[i] {
		return i, ErrInvalidBackend
	}
	return i, nil
}

// Cycle returns the number of picks after which the order repeats: the sum of
// the weights divided by their greatest common divisor. It is 0 if no backend
// has a positive weight.
func (p *Picker) Cycle() uint64 {
	if p == nil {
		return 0
	}
	return p.cycle
}

// String says how the picker holds its schedule: none, one, equal, table or
// tree, and the length of the cycle.
func (p *Picker) String() string {
	if p == nil {
		p = new(Picker)
	}
	return fmt.Sprintf("%s, cycle %d", p.kind, p.cycle)
}
