package main

import (
	"bytes"
	"strings"
	"testing"
)

// Two rounds, in which everything takes twice as long in the second, and a
// benchmark of another function.
const sample = `go: go1.26.0
cores: 2
goos: linux
cpu: Test   
pkg: a
BenchmarkPick/backends=16/by=readdress-2	100	30 ns/op	0 B/op	0 allocs/op
BenchmarkPick/backends=2/by=floor-2	100	10 ns/op	0 B/op	0 allocs/op
BenchmarkPick/backends=2/by=readdress-2	100	20 ns/op	0 B/op	0 allocs/op
pkg: b
BenchmarkPick/backends=2/by=other-2	100	50 ns/op	8 B/op	1 allocs/op
BenchmarkProxy/path=memory/by=none-2	100	1000 ns/op	8 B/op	1 allocs/op
BenchmarkProxy/path=memory/by=other-2	100	1500 ns/op	9 B/op	2 allocs/op
pkg: a
BenchmarkPick/backends=2/by=floor-2	100	20 ns/op	0 B/op	0 allocs/op
BenchmarkPick/backends=2/by=readdress-2	100	40 ns/op	0 B/op	0 allocs/op
BenchmarkPick/backends=16/by=readdress-2	100	60 ns/op	0 B/op	0 allocs/op
pkg: b
BenchmarkPick/backends=2/by=other-2	100	100 ns/op	8 B/op	1 allocs/op
BenchmarkProxy/path=memory/by=none-2	100	2000 ns/op	8 B/op	1 allocs/op
BenchmarkProxy/path=memory/by=other-2	100	2600 ns/op	9 B/op	2 allocs/op
`

func TestReport(t *testing.T) {
	r, err := read([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r.report(&b)
	for _, want := range []string{
		"| CPU | Test, 2 cores |",
		"| | floor | readdress | other |",
		"| 2 | 15 ns (0.5×) | 30 ns | 75 ns (2.5×) |",
		"| 16 |  | 45 ns |  |",
		"| 2 | other | 75 | 33% | 8 | 1 | 5 | 2.5 |",
		"| memory | other | 2050 | 27% | 9 | 2 |",
		"![Pick](plots/pick.svg)",
	} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("no line %q in\n%s", want, &b)
		}
	}
}

func TestPlots(t *testing.T) {
	r, err := read([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.funcs {
		for _, ch := range f.charts() {
			if _, err := ch.plot(f.names()); err != nil {
				t.Errorf("%s: %v", ch.title, err)
			}
		}
	}
	if got := r.funcs[0].charts()[0].ticks; strings.Join(got, " ") != "2 16" {
		t.Errorf("ticks %q", got)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}} {
		if got := median(c.values); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{9.04: "9.0 ns", 99.6: "100 ns", 1_500: "1.5 µs", 2.4e6: "2.4 ms", 3.7e11: "370 s"} {
		if got := duration(ns); got != want {
			t.Errorf("%v: %s, want %s", ns, got, want)
		}
	}
}
