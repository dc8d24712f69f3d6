package split_test

import (
	"errors"
	"testing"

	"github.com/readdress/readdress/split"
)

// weightsOf reads weights from bytes: two each, scaled by the first byte, so
// that small, large and equal ones are all near.
func weightsOf(data []byte) []uint32 {
	if len(data) == 0 {
		return nil
	}
	scale := []uint32{1, 1, 3, 15}[data[0]%4]
	var weights []uint32
	for data = data[1:]; len(data) >= 2 && len(weights) < 24; data = data[2:] {
		weights = append(weights, (uint32(data[0])<<8|uint32(data[1]))*scale)
	}
	return weights
}

// FuzzPick: a cycle is exact and keeps its bound, by whatever representation.
func FuzzPick(f *testing.F) {
	f.Add([]byte{0, 0, 80, 0, 20})                          // a table
	f.Add([]byte{1, 0, 2, 0, 2, 0, 0})                      // equal, with a weight of 0
	f.Add([]byte{3, 255, 255, 0, 1})                        // as skewed as a table can be
	f.Add([]byte{0, 255, 255, 255, 254, 0, 1})              // a tree
	f.Add([]byte{0, 0, 9, 0, 9, 0, 1, 0, 1, 0, 1})          // where smooth weighted round robin lags by 1
	f.Add([]byte{0, 0, 133, 0, 133, 0, 13, 0, 1})           // and by more
	f.Add([]byte{0})                                        // no backends
	f.Add([]byte{2, 0, 0, 0, 0})                            // total 0
	f.Add([]byte{0, 0, 1, 0, 1, 0, 2, 0, 3, 0, 5, 0, 8, 0}) // Fibonacci
	f.Fuzz(func(t *testing.T, data []byte) {
		weights := weightsOf(data)
		p := newPicker(t, nil, weights...)
		total, n := sum(weights)
		if n == 0 {
			if i, err := p.Pick(); i != -1 || !errors.Is(err, split.ErrNoBackend) {
				t.Fatalf("%v: %d, %v", weights, i, err)
			}
			return
		}
		if p.Cycle() > 70_000 {
			return
		}
		worst := deviation(t, weights, func() int { return pick(t, p) }, int64(p.Cycle()))
		switch d := int64(2*n - 2); {
		case n == 1 && worst != 0, n > 1 && split.Representation(p) != "tree" && worst*d > total*(d-1), float64(worst) >= treeBound*float64(total):
			t.Errorf("%v: deviation %d/%d", weights, worst, total)
		}
	})
}

// FuzzWith: updates at any time give nothing to weight 0, and what is owed
// stays bounded. After the first byte each five are picks and four weights.
func FuzzWith(f *testing.F) {
	f.Add([]byte{5, 99, 1, 0, 0, 5, 98, 2, 0, 0, 5, 99, 1, 0, 0}) // frequent small changes
	f.Add([]byte{50, 100, 1, 1, 0, 9, 0, 1, 1, 0})                // the heavy one leaves
	f.Add([]byte{1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1})    // one after the other does
	f.Add([]byte{3, 0, 0, 0, 0, 3, 1, 2, 3, 4})                   // from nothing
	f.Add([]byte{200, 255, 254, 253, 1, 200, 1, 2, 3, 255})       // past the lead, into the cycle
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newRun(t, nil, backends(1, 1, 1, 1))
		for ; len(data) >= 5; data = data[5:] {
			var weights []uint32
			total := uint32(0)
			for _, b := range data[1:5] {
				weights = append(weights, uint32(b)*uint32(b))
				total += weights[len(weights)-1]
			}
			r.reweigh(weights...)
			if total == 0 {
				continue
			}
			for range data[0] {
				r.pick()
			}
		}
		if r.worst >= 2 {
			t.Errorf("deviation %.3f", r.worst)
		}
	})
}

// FuzzBuckets: every row that is accepted stands for a range, and a key has the
// first row whose range it is in, by the numbers read slowly.
func FuzzBuckets(f *testing.F) {
	f.Add("33.33%", "*", "key")       // as AppendNginx writes
	f.Add("12.5%", "12.5%", "4znawu") // one of the largest hashes
	f.Add(".5%", "1.%", "")           // odd, but accepted
	f.Add("42949672.96%", "0.00%", "a")
	f.Add("0.01%", "42949672.95%", "a")                          // overflows to 0
	f.Add("92233720368547758.07%", "99999999999999999999%", "b") // the edge of 63 bits
	f.Add("1.2.3%", "-0.00%", "c")                               // refused
	f.Fuzz(func(t *testing.T, first, second, key string) {
		rows := []split.Row{{Percent: first}, {Percent: second}}
		before, errBefore := split.NewBuckets(rows, &split.BucketOptions{Gap: true})
		since, err := split.NewBuckets(rows, nil)
		if (err == nil) != (errBefore == nil) {
			t.Fatalf("%v and %v", err, errBefore)
		}
		if err != nil {
			if !errors.Is(err, split.ErrPercent) && !errors.Is(err, split.ErrPercentTotal) {
				t.Fatal(err)
			}
			return
		}
		a, b := before.Row(key), since.Row(key)
		if a != b && a != -1 {
			t.Errorf("rows %d and %d", a, b)
		}
	})
}

// FuzzPickHash: the backend of a hash does not depend on the order of the list,
// and stays when others go.
func FuzzPickHash(f *testing.F) {
	f.Add(uint64(1), uint64(0), []byte{0, 0, 90, 0, 10})        // a canary
	f.Add(^uint64(0), uint64(7), []byte{3, 255, 255, 0, 1})     // a salt
	f.Add(uint64(2), uint64(0), []byte{0, 0, 0, 0, 1, 0, 1, 0}) // weight 0
	f.Fuzz(func(t *testing.T, h, salt uint64, data []byte) {
		list := backends(weightsOf(data)...)
		opts := &split.Options{Salt: salt}
		p, err := split.New(list, opts)
		if err != nil {
			t.Fatal(err)
		}
		i, err := p.PickHash(h | 1)
		if err != nil {
			return
		}
		if list[i].Weight == 0 {
			t.Fatal("weight 0 is picked")
		}
		turned := make([]split.Backend, 0, len(list))
		for j := len(list) - 1; j >= 0; j-- {
			if j == i || j%2 == 0 {
				turned = append(turned, list[j])
			}
		}
		q, err := split.New(turned, opts)
		if err != nil {
			t.Fatal(err)
		}
		if j := pickHash(t, q, h|1); turned[j].Name != list[i].Name {
			t.Errorf("%s, and without some of the others %s", list[i].Name, turned[j].Name)
		}
	})
}
