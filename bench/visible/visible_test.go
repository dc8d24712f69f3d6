package visible

import (
	"strconv"
	"testing"

	"github.com/readdress/readdress/bench/internal/measure"
	"github.com/readdress/readdress/visibility"
)

func TestScan(t *testing.T) {
	w := newWorld("test", 50, 1_000, 40)
	x, s, hits := w.Index(t), NewScan(w), 0
	for _, q := range w.Queries {
		got, ok := x.LookupHost(q.Host, q.Client)
		want, found := s.LookupHost(q.Host, q.Client)
		if got != want || ok != found {
			t.Fatalf("%v: the index finds %v, %v, the scan %v, %v", q, got, ok, want, found)
		}
		if ok {
			hits++
		}
	}
	if hits < len(w.Queries)/4 || hits == len(w.Queries) {
		t.Errorf("%d of %d queries find an entry", hits, len(w.Queries))
	}
}

func TestSelectors(t *testing.T) {
	for _, l := range Selectors() {
		if got := l.Ours(t)(); got != l.Want {
			t.Errorf("%s: the library says %v, want %v", l.Name, got, l.Want)
		}
		if got := l.Theirs(t)(); got != l.Want {
			t.Errorf("%s: apimachinery says %v, want %v", l.Name, got, l.Want)
		}
	}
}

func BenchmarkLookupHost(b *testing.B) {
	for _, w := range Worlds() {
		run := func(by string, lookup func(tb testing.TB) func(host, client string) (visibility.Ref, bool)) {
			measure.Run(b, measure.Name("mesh", w.Name, "by", by), func(tb testing.TB) measure.Loop {
				f, at := lookup(tb), 0
				return func(n int) {
					for range n {
						q := &w.Queries[at%len(w.Queries)]
						at++
						f(q.Host, q.Client)
					}
				}
			})
		}
		run("floor", func(testing.TB) func(string, string) (visibility.Ref, bool) { return NewScan(w).LookupHost })
		run("readdress", func(tb testing.TB) func(string, string) (visibility.Ref, bool) { return w.Index(tb).LookupHost })
	}
}

func BenchmarkNewIndex(b *testing.B) {
	for _, w := range Worlds() {
		b.Run(measure.Name("mesh", w.Name, "by", "readdress"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.Index(b)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(w.Entries)), "ns/entry")
		})
	}
}

// BenchmarkResolve is for a namespace that no policy matches. Each policy asks
// for two labels, one of which the namespace has with another value.
func BenchmarkResolve(b *testing.B) {
	labels := map[string]string{"kubernetes.io/metadata.name": "team-a", "team": "a"}
	for _, n := range []int{1, 10, 100} {
		c := visibility.NamespaceOnly()
		for i := range n {
			c.Policies = append(c.Policies, visibility.Policy{
				Visibility: visibility.Public,
				MatchingRules: []visibility.MatchRule{{NamespaceSelector: &visibility.LabelSelector{
					MatchLabels: map[string]string{"team": "t" + strconv.Itoa(i), "env": "prod"},
				}}},
			})
		}
		r, err := visibility.Compile(c)
		if err != nil {
			b.Fatal(err)
		}
		measure.Run(b, measure.Name("policies", strconv.Itoa(n), "by", "readdress"), func(testing.TB) measure.Loop {
			return func(n int) {
				for range n {
					r.Resolve(labels)
				}
			}
		})
	}
}

func BenchmarkSelector(b *testing.B) {
	for _, l := range Selectors() {
		run := func(by string, setup func(testing.TB) func() bool) {
			measure.Run(b, measure.Name("selector", l.Name, "by", by), func(tb testing.TB) measure.Loop {
				matches := setup(tb)
				return func(n int) {
					for range n {
						matches()
					}
				}
			})
		}
		run("readdress", l.Ours)
		run("apimachinery", l.Theirs)
	}
}
