package split

// What nginx's split_clients makes of a key.

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// A Row is a line in a split_clients block of nginx.
type Row struct {
	Percent string // such as "33.33%", or "*"
	Value   string
}

// Buckets are the rows of a split_clients block as nginx computes them. They
// are immutable and safe for concurrent use. The zero Buckets and nil have no
// rows.
type Buckets struct {
	bounds []uint32 // row i has the hashes below it that no earlier row has; 0: all
}

// BucketOptions of [NewBuckets]. The zero value and nil are nginx 1.31.2 and
// later.
type BucketOptions struct {
	// Gap is nginx before 1.31.2: rows of numbers that sum to 100 % leave the
	// largest hashes, up to as many as there are rows, without a row.
	Gap bool
}

var (
	// ErrPercent is nginx's "invalid percent value": not a number of at most
	// two decimals and a percent sign, or zero.
	ErrPercent = errors.New("split: invalid percent value")
	// ErrPercentTotal is nginx's "percent total is greater than 100%".
	ErrPercentTotal = errors.New("split: percent total is greater than 100%")
)

// NewBuckets reads rows as nginx does, with all that it accepts: ".5%", "1.%",
// several "*", of which the first counts, and what overflows, as its numbers have
// 32 bits: 42949672.96% is "*", and 42949672.95% takes back 0.01%. The error is
// ErrPercent or ErrPercentTotal with the row's index; as in nginx, all rows are
// read before any total is judged.
func NewBuckets(rows []Row, opts *BucketOptions) (*Buckets, error) {
	gap := opts != nil && opts.Gap
	b := &Buckets{bounds: make([]uint32, len(rows))}
	for i, row := range rows {
		if row.Percent == "*" {
			continue
		}
		percent, ok := parsePercent(row.Percent)
		if !ok {
			return nil, fmt.Errorf("row %d: %w %q", i, ErrPercent, row.Percent)
		}
		b.bounds[i] = percent
	}
	var sum, last uint32 // as nginx has them: they overflow
	for i, percent := range b.bounds {
		if percent == 0 {
			sum = hundred
		} else {
			sum += percent
		}
		if sum > hundred {
			return nil, fmt.Errorf("row %d: %w", i, ErrPercentTotal)
		}
		last += uint32(uint64(percent) * math.MaxUint32 / hundred)
		switch {
		case percent == 0:
		case sum == hundred && !gap:
			b.bounds[i] = 0
		default:
			b.bounds[i] = last
		}
	}
	return b, nil
}

// Row returns the index of the row that nginx gives key, or -1 if it is none's:
// the variable is then empty.
func (b *Buckets) Row(key string) int {
	if b == nil {
		return -1
	}
	h := murmur2(key)
	for i, bound := range b.bounds {
		if h < bound || bound == 0 {
			return i
		}
	}
	return -1
}

// parsePercent returns hundredths of a percent modulo 2^32, as nginx stores
// them. Zero is refused, but what overflows to it is not.
func parsePercent(s string) (uint32, bool) {
	s, ok := strings.CutSuffix(s, "%")
	if !ok || s == "" {
		return 0, false
	}
	const limit = math.MaxInt64
	value, decimals := int64(0), -1
	for _, c := range []byte(s) {
		switch {
		case c == '.' && decimals < 0:
			decimals = 0
			continue
		case c < '0' || c > '9' || decimals == 2:
			return 0, false
		}
		if value > (limit-int64(c-'0'))/10 {
			return 0, false
		}
		value = value*10 + int64(c-'0')
		if decimals >= 0 {
			decimals++
		}
	}
	for ; decimals < 2; decimals++ {
		if decimals < 0 {
			decimals = 0
		}
		if value > limit/10 {
			return 0, false
		}
		value *= 10
	}
	return uint32(value), value != 0
}

// murmur2 is MurmurHash2 of 32 bits with the seed 0.
func murmur2(key string) uint32 {
	const m = 0x5bd1e995
	h := uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		k := uint32(key[0]) | uint32(key[1])<<8 | uint32(key[2])<<16 | uint32(key[3])<<24
		k *= m
		k ^= k >> 24
		h = h*m ^ k*m
	}
	switch len(key) {
	case 3:
		h ^= uint32(key[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(key[1]) << 8
		fallthrough
	case 1:
		h ^= uint32(key[0])
		h *= m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}
