package main

// What the output of the benchmarks says.

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// results are the benchmarks of all packages, by their functions.
type results struct {
	about map[string]string
	funcs []*function
}

// A function is a benchmark function, such as Lookup, which different packages
// have for different peers.
type function struct {
	name  string
	cases []*scenario
}

// A scenario is what several do.
type scenario struct {
	keys []string // such as shape=one-host and routes=10
	by   []*series
}

// A series is what one took for a scenario, once a round.
type series struct {
	by     string
	values map[string][]float64 // by unit
}

const perOp = "ns/op"

func read(raw []byte) (*results, error) {
	r := &results{about: make(map[string]string)}
	reader := benchfmt.NewReader(bytes.NewReader(raw), "benchmarks")
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.Result:
			for _, c := range rec.Config {
				r.about[c.Key] = string(c.Value)
			}
			r.add(rec)
		case *benchfmt.SyntaxError:
			return nil, rec
		}
	}
	for _, f := range r.funcs {
		f.sort()
	}
	return r, reader.Err()
}

// sort brings together the scenarios of a chart, and orders them by their last
// key where that is a number. Not all peers have all of them.
func (f *function) sort() {
	var charts []string
	for _, c := range f.cases {
		if name, _ := c.split(); !slices.Contains(charts, name) {
			charts = append(charts, name)
		}
	}
	slices.SortStableFunc(f.cases, func(a, b *scenario) int {
		chartA, lastA := a.split()
		chartB, lastB := b.split()
		if chartA != chartB {
			return slices.Index(charts, chartA) - slices.Index(charts, chartB)
		}
		x, errA := strconv.Atoi(lastA)
		y, errB := strconv.Atoi(lastB)
		if errA != nil || errB != nil {
			return 0
		}
		return x - y
	})
}

// split returns what the scenarios of a chart have in common, and the value of
// the last key.
func (c *scenario) split() (chart, last string) {
	if len(c.keys) == 0 {
		return "", ""
	}
	n := len(c.keys) - 1
	_, last, _ = strings.Cut(c.keys[n], "=")
	return strings.Join(c.keys[:n], "/"), last
}

func (r *results) add(rec *benchfmt.Result) {
	base, parts := rec.Name.Parts()
	var keys []string
	by := ""
	for _, p := range parts {
		part := strings.TrimPrefix(string(p), "/")
		if name, ok := strings.CutPrefix(part, "by="); ok {
			by = name
		} else if !strings.HasPrefix(part, "-") {
			keys = append(keys, part)
		}
	}
	s := find(&find(&find(&r.funcs,
		func(f *function) bool { return f.name == string(base) }, &function{name: string(base)}).cases,
		func(c *scenario) bool { return slices.Equal(c.keys, keys) }, &scenario{keys: keys}).by,
		func(s *series) bool { return s.by == by }, &series{by: by, values: make(map[string][]float64)})
	for _, v := range rec.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			value, unit = v.OrigValue, v.OrigUnit
		}
		s.values[unit] = append(s.values[unit], value)
	}
}

// find returns the element of list that is meant, appending one if there is
// none.
func find[T any](list *[]*T, meant func(*T) bool, other *T) *T {
	if i := slices.IndexFunc(*list, meant); i >= 0 {
		return (*list)[i]
	}
	*list = append(*list, other)
	return other
}

func (c *scenario) series(by string) *series {
	for _, s := range c.by {
		if s.by == by {
			return s
		}
	}
	return nil
}

// names are all who do some scenario of f: the floor and the library first.
func (f *function) names() (list []string) {
	for _, c := range f.cases {
		for _, s := range c.by {
			if !slices.Contains(list, s.by) {
				list = append(list, s.by)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return rank(a) - rank(b) })
	return list
}

func rank(by string) int {
	switch {
	case by == "floor" || by == "none":
		return 0
	case strings.HasPrefix(by, "readdress"):
		return 1
	}
	return 2
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// ratio returns the median over the rounds of how many times b's time in a
// round a's is; false if they have not both been measured.
func ratio(a, b *series) (float64, bool) {
	if a == nil || b == nil {
		return 0, false
	}
	x, y := a.values[perOp], b.values[perOp]
	n := min(len(x), len(y))
	each := make([]float64, n)
	for i := range each {
		each[i] = x[i] / y[i]
	}
	return median(each), n > 0
}
