package split

// Picks by hash: weighted rendezvous.

import "math/bits"

// A target is a backend of positive weight as PickHash sees it.
type target struct {
	id     uint64 // hash of the identity
	weight uint64
	index  int
}

func newTargets(members []member) []target {
	var targets []target
	for i, m := range members {
		if m.weight > 0 {
			targets = append(targets, target{m.hash(), uint64(m.weight), i})
		}
	}
	return targets
}

// PickHash returns the backend that belongs to a hash, usually [Hash] of
// something that stays with a user. The same hash gets the same backend from
// every picker with the same backends, weights and salt, in whatever order
// they are listed. Over many hashes the backends get their shares.
//
// It is weighted rendezvous hashing over the backends' names: when weights
// change, hashes move only to backends whose share grows, and only from those
// whose share shrinks where there are two; when a backend goes, only its hashes
// move. The hash 0 means that there is no key: PickHash is then [Picker.Pick].
//
// Errors are those of Pick. The cost grows with the number of backends.
func (p *Picker) PickHash(h uint64) (int, error) {
	if h == 0 || p == nil || p.kind <= kindOne {
		return p.Pick()
	}
	return p.judge(p.claim(h, nil))
}

// claim returns the backend, of those not skipped, that belongs to a hash, or -1.
func (p *Picker) claim(h uint64, skip func(i int) bool) int {
	h = mix(h ^ mix(p.opts.Salt*golden)) // multiplied, so that salts that differ little are apart
	best := -1
	var weight, youngest uint64
	for _, c := range p.targets {
		if skip != nil && skip(c.index) {
			continue
		}
		if age := negLog2(mix(h ^ c.id)); best < 0 || age*weight < youngest*c.weight {
			best, weight, youngest = c.index, c.weight, age
		}
	}
	return best
}

// PickExcept picks among the backends for which skip, given an index, returns
// false: the next attempt of a request that others have failed. nil skips none.
// skip must answer the same for one index throughout the call, and may be
// asked about it twice.
//
// With a hash it is the next backend in the hash's order, as if the skipped
// ones did not exist. With the hash 0 the others get picks in proportion to
// their weights, less smoothly than by Pick: the deviation grows with the
// logarithm of the number of picks. In 100,000 picks that skip the same it was
// found to be below 4 requests, and below 8 where up to five different skips
// take turns, each counted by itself. These picks are counted apart, so the
// order of Pick is not disturbed. An invalid backend that is not skipped keeps
// its share and gives [ErrInvalidBackend].
//
// The index is -1 with [ErrNoBackend], and with [ErrExhausted] if skip leaves
// no backend of positive weight.
func (p *Picker) PickExcept(h uint64, skip func(i int) bool) (int, error) {
	if p == nil || p.kind == kindNone {
		return -1, ErrNoBackend
	}
	var i int
	if h == 0 {
		i = p.share(skip)
	} else {
		i = p.claim(h, skip)
	}
	if i < 0 {
		return -1, ErrExhausted
	}
	return p.judge(i)
}

// share returns the backend, of those not skipped, on whose stretch of the sum
// of their weights the next multiple of the golden ratio falls, or -1. Every
// arithmetic progression of such multiples is evenly spread, so callers that
// take turns with different skips each get theirs.
func (p *Picker) share(skip func(i int) bool) int {
	var total uint64
	for _, c := range p.targets {
		if skip == nil || !skip(c.index) {
			total += c.weight
		}
	}
	if total == 0 {
		return -1
	}
	at, _ := bits.Mul64(p.retries.Add(1)*golden, total)
	last := -1
	for _, c := range p.targets {
		if skip != nil && skip(c.index) {
			continue
		}
		last = c.index
		if at < c.weight {
			break
		}
		at -= c.weight
	}
	return last
}

const (
	logBits  = 36 // fraction of what negLog2 returns; below 64·2^36, times MaxWeight fits
	logIndex = 8  // bits of the mantissa that choose an entry of log2
)

// log2 holds the binary logarithm of 1 + i/256 with logBits fractional bits,
// computed in integers, so that hashes go to the same backends everywhere.
var log2 = func() (log [1<<logIndex + 1]int64) {
	for i := range 1 << logIndex {
		x := uint64(1)<<63 + uint64(i)<<(63-logIndex) // in [1, 2), the leading bit being 1
		for bit := int64(1) << (logBits - 1); bit > 0; bit >>= 1 {
			// Squaring doubles the logarithm, whose integral part is a bit of it.
			hi, lo := bits.Mul64(x, x)
			if hi>>63 == 1 {
				log[i] += bit
				x = hi
			} else {
				x = hi<<1 | lo>>63
			}
		}
	}
	log[1<<logIndex] = 1 << logBits
	return log
}()

// negLog2 returns -log2(u/2^64), with logBits fractional bits, at least 1: the
// age at which a backend of weight 1 claims the hash, exponentially distributed
// if u is uniform. Divided by a weight it is that of a backend of that weight,
// and the youngest of all wins in proportion to the weights.
func negLog2(u uint64) uint64 {
	zeros := bits.LeadingZeros64(u | 1)
	m := u << zeros << 1 // behind the leading bit
	i := m >> (64 - logIndex)
	f := int64(m << logIndex >> 32) // between entries, of 2^32
	step := log2[i+1] - log2[i]
	// The curve bulges above the chord by half the second difference, which
	// near 1 + x is about 2^logBits/(ln 2 · 256² · (1+x)²).
	bulge := step * step >> (logBits + 1) * ln2 >> logBits
	log := log2[i] + step*f>>32 + (bulge*f>>32)*(1<<32-f)>>32
	return uint64(max(int64(zeros+1)<<logBits-log, 1))
}

const ln2 = 47632711549 // the natural logarithm of 2, of 2^logBits
