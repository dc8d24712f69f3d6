package split_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/readdress/readdress/split"
)

func TestPickErrors(t *testing.T) {
	valid := func(w uint32) split.Backend { return split.Backend{Name: "v", Weight: w} }
	invalid := func(w uint32) split.Backend { return split.Backend{Name: "i", Weight: w, Invalid: true} }
	type list = []split.Backend
	tests := []struct {
		name     string
		backends list
		picks    []int // of each backend over ten picks
		err      error // of all, if picks is nil
	}{
		{"no backends", nil, nil, split.ErrNoBackend},
		{"total 0", list{valid(0), valid(0)}, nil, split.ErrNoBackend},
		{"total 0, invalid", list{invalid(0), invalid(0)}, nil, split.ErrNoBackend},
		{"a single one", list{valid(7)}, []int{10}, nil},
		{"a single one of weight 0", list{valid(0)}, nil, split.ErrNoBackend},
		{"a single invalid one", list{invalid(1)}, []int{10}, nil},
		{"a single invalid one of weight 0", list{invalid(0)}, nil, split.ErrNoBackend},
		{"an invalid one keeps its share", list{valid(80), invalid(20)}, []int{8, 2}, nil},
		{"several keep theirs each", list{invalid(20), valid(50), invalid(30)}, []int{2, 5, 3}, nil},
		{"an invalid one of weight 0", list{valid(10), invalid(0)}, []int{10, 0}, nil},
		{"all invalid", list{invalid(1), invalid(1)}, []int{5, 5}, nil},
		{"the first of weight 0", list{valid(0), valid(90)}, []int{0, 10}, nil},
		{"two of one name", list{valid(3), valid(7)}, []int{3, 7}, nil},
		{"a tree", list{valid(1_000_000), invalid(999_999)}, []int{5, 5}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := split.New(tt.backends, nil)
			if err != nil {
				t.Fatal(err)
			}
			counts := make([]int, len(tt.backends))
			for h := range uint64(10) {
				i, err := p.Pick()
				j, errHash := p.PickHash(h + 1)
				if tt.err != nil {
					if i != -1 || !errors.Is(err, tt.err) || j != -1 || !errors.Is(errHash, tt.err) {
						t.Fatalf("%d, %v and by hash %d, %v, want -1, %v", i, err, j, errHash, tt.err)
					}
					continue
				}
				counts[i]++
				holdError(t, tt.backends[i], err)
				holdError(t, tt.backends[j], errHash)
			}
			if tt.err == nil && !slices.Equal(counts, tt.picks) {
				t.Errorf("picks %v, want %v", counts, tt.picks)
			}
		})
	}
}

// holdError fails unless err is what a pick of b comes with.
func holdError(t *testing.T, b split.Backend, err error) {
	t.Helper()
	if b.Weight == 0 || b.Invalid != errors.Is(err, split.ErrInvalidBackend) || !b.Invalid && err != nil {
		t.Fatalf("picked %+v, error %v", b, err)
	}
}

func TestWeightError(t *testing.T) {
	for weight, ok := range map[uint32]bool{0: true, 1: true, 1_000_000: true, 1_000_001: false, math.MaxUint32: false} {
		list := []split.Backend{{Name: "a", Weight: 1}, {Name: "b", Weight: weight}}
		good, err := split.New(list[:1], nil)
		if err != nil {
			t.Fatal(err)
		}
		_, errNew := split.New(list, nil)
		_, errWith := good.With(list)
		for _, err := range []error{errNew, errWith} {
			var we *split.WeightError
			switch {
			case ok && err != nil:
				t.Errorf("weight %d: %v", weight, err)
			case !ok && (!errors.As(err, &we) || we.Index != 1 || we.Name != "b" || we.Weight != weight):
				t.Errorf("weight %d: %#v, want a WeightError for backend 1", weight, err)
			}
		}
	}

	_, err := split.New(backends(2_000_000, 1, 3_000_000), nil)
	if err == nil || !strings.Contains(err.Error(), "backend 0") || !strings.Contains(err.Error(), "backend 2") {
		t.Errorf("two faults: %v", err)
	}
	if _, err := split.New(nil, &split.Options{Schedule: 9}); err == nil {
		t.Error("schedule 9 is accepted")
	}
}

func TestZeroValues(t *testing.T) {
	for name, p := range map[string]*split.Picker{"nil": nil, "zero": {}} {
		t.Run(name, func(t *testing.T) {
			c := p.Cursor(3)
			for name, pick := range map[string]func() (int, error){
				"Pick":             p.Pick,
				"PickHash":         func() (int, error) { return p.PickHash(1) },
				"PickHash, no key": func() (int, error) { return p.PickHash(0) },
				"PickExcept":       func() (int, error) { return p.PickExcept(0, nil) },
				"Cursor.Pick":      c.Pick,
			} {
				if i, err := pick(); i != -1 || !errors.Is(err, split.ErrNoBackend) {
					t.Errorf("%s: %d, %v", name, i, err)
				}
			}
			if n, s := p.Cycle(), p.String(); n != 0 || s != "none, cycle 0" {
				t.Errorf("Cycle is %d, String %q", n, s)
			}
			next, err := p.With(backends(2, 1))
			if err != nil {
				t.Fatal(err)
			}
			if got := picks(t, next, 3); !slices.Equal(got, []int{0, 1, 0}) {
				t.Errorf("With: %v", got)
			}
		})
	}
	var c split.Cursor
	if i, err := c.Pick(); i != -1 || !errors.Is(err, split.ErrNoBackend) {
		t.Errorf("zero Cursor: %d, %v", i, err)
	}
	for name, b := range map[string]*split.Buckets{"nil": nil, "zero": {}} {
		if row := b.Row("key"); row != -1 {
			t.Errorf("%s Buckets: %d", name, row)
		}
	}
}

// Weights and names are read once.
func TestNewCopies(t *testing.T) {
	list := backends(3, 1)
	p, err := split.New(list, nil)
	if err != nil {
		t.Fatal(err)
	}
	list[0] = split.Backend{Invalid: true}
	for range 8 {
		pick(t, p)
	}
}

// Eight goroutines together get exact shares over whole cycles.
func TestConcurrentShares(t *testing.T) {
	for _, weights := range [][]uint32{{5, 1, 1}, {2, 2}, {50, 30, 20}, {100_003, 50_000, 1}} {
		p := newPicker(t, nil, weights...)
		const workers = 8
		each := int(p.Cycle())
		counts := make([]int64, len(weights))
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				own := make([]int64, len(weights))
				for range each {
					i, err := p.Pick()
					if err != nil {
						t.Error(err)
						return
					}
					own[i]++
				}
				mu.Lock()
				defer mu.Unlock()
				for i, n := range own {
					counts[i] += n
				}
			})
		}
		wg.Wait()
		total, _ := sum(weights)
		for i, n := range counts {
			if want := workers * int64(each) * int64(weights[i]) / total; n != want {
				t.Errorf("%v: backend %d gets %d, want %d", weights, i, n, want)
			}
		}
	}
}

// Picks of every kind, and updates, at the same time: for the race detector.
func TestConcurrentUse(t *testing.T) {
	p := newPicker(t, nil, 5, 3, 1)
	var wg sync.WaitGroup
	for w := range uint64(4) {
		wg.Go(func() {
			c := p.Cursor(w)
			for h := range uint64(500) {
				_, err1 := p.Pick()
				_, err2 := p.PickHash(h)
				_, err3 := p.PickExcept(h%2, func(i int) bool { return i == 0 })
				_, err4 := c.Pick()
				if err := errors.Join(err1, err2, err3, err4); err != nil {
					t.Error(err)
					return
				}
				if h%50 == 0 {
					if _, err := p.With(backends(5, uint32(h), 1)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestCursor(t *testing.T) {
	for _, weights := range [][]uint32{{5, 1, 1}, {3, 3}, {0, 4}, {1_000_000, 999_999}} {
		p := newPicker(t, nil, weights...)
		order := picks(t, newPicker(t, nil, weights...), 40)
		for phase := range uint64(20) {
			c := p.Cursor(phase + p.Cycle())
			if got := picks(t, &c, 20); !slices.Equal(got, order[phase:phase+20]) {
				t.Errorf("%v from %d: %v, want %v", weights, phase, got, order[phase:phase+20])
			}
		}
		if got := picks(t, p, 20); !slices.Equal(got, order[:20]) {
			t.Errorf("%v: cursors have moved the picker: %v", weights, got)
		}
	}
}

// Cursors of a picker that With has made keep exact shares too.
func TestCursorAfterWith(t *testing.T) {
	p := newPicker(t, nil, 5, 1, 1)
	picks(t, p, 3)
	p, err := p.With(backends(4, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	c := p.Cursor(2)
	counts := make([]int, 3)
	for _, i := range picks(t, &c, 14) {
		counts[i]++
	}
	if !slices.Equal(counts, []int{8, 4, 2}) {
		t.Errorf("two cycles of %v", counts)
	}
}

func TestAllocations(t *testing.T) {
	skip := func(i int) bool { return i == 1 }
	for _, weights := range [][]uint32{nil, {1}, {2, 2}, {5, 1, 1}, {1_000_000, 999_999, 3}} {
		p := newPicker(t, nil, weights...)
		c := p.Cursor(1)
		for name, f := range map[string]func(){
			"Pick":              func() { p.Pick() },
			"PickHash":          func() { p.PickHash(split.Hash("user")) },
			"PickExcept":        func() { p.PickExcept(0, skip) },
			"PickExcept, hash":  func() { p.PickExcept(7, skip) },
			"Cursor and a pick": func() { c.Pick() },
		} {
			if n := testing.AllocsPerRun(100, f); n != 0 {
				t.Errorf("%v: %s allocates %v times", weights, name, n)
			}
		}
	}
}
