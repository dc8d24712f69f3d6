// What Resolve costs, beside the selectors of apimachinery, compiled beforehand
// and asked policy by policy.

package k8sdiff_test

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/readdress/readdress/visibility"
)

// A workload is a hundred policies and the labels of a namespace.
type workload struct {
	name   string
	rule   func(i int) visibility.LabelSelector
	labels map[string]string
}

// ordinary are labels that namespaces have anyway.
func ordinary(more ...string) map[string]string {
	set := map[string]string{
		"kubernetes.io/metadata.name": "team-99", "istio.io/dataplane-mode": "ambient", "pod-security.kubernetes.io/enforce": "baseline",
	}
	for i := 0; i < len(more); i += 2 {
		set[more[i]] = more[i+1]
	}
	return set
}

var workloads = []workload{
	{"namespaces by name, last", func(i int) visibility.LabelSelector {
		return visibility.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": nameOf(i)}}
	}, ordinary()},
	{"namespaces by name, none", func(i int) visibility.LabelSelector {
		return visibility.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": nameOf(i + 1000)}}
	}, ordinary()},
	{"two labels, last", func(i int) visibility.LabelSelector {
		return visibility.LabelSelector{MatchLabels: map[string]string{"team": nameOf(i), "trusted": "true"}}
	}, ordinary("team", "team-99", "trusted", "true")},
	{"two labels, none", func(i int) visibility.LabelSelector {
		return visibility.LabelSelector{MatchLabels: map[string]string{fmt.Sprint("a", i): "x", fmt.Sprint("b", i): "y"}}
	}, ordinary("team", "team-99")},
	{"In and NotIn, last", func(i int) visibility.LabelSelector {
		return visibility.LabelSelector{MatchExpressions: []visibility.Requirement{
			{Key: "team", Operator: visibility.In, Values: []string{nameOf(i), nameOf(i + 100), nameOf(i + 200)}},
			{Key: "stage", Operator: visibility.NotIn, Values: []string{"test", "dev"}},
		}}
	}, ordinary("team", "team-99", "stage", "prod")},
	// No policy can be passed over here, as each would hold for a namespace
	// without the label.
	{"NotIn alone, none", func(int) visibility.LabelSelector {
		return visibility.LabelSelector{MatchExpressions: []visibility.Requirement{
			{Key: "stage", Operator: visibility.NotIn, Values: []string{"test", "prod"}},
		}}
	}, ordinary("stage", "prod")},
}

// compile returns both forms of the policies.
func (w *workload) compile(t testing.TB) (*visibility.Resolver, [][]labels.Selector) {
	t.Helper()
	c := visibility.NamespaceOnly()
	var policies [][]labels.Selector
	for i := range 100 {
		s := w.rule(i)
		c.Policies = append(c.Policies, visibility.Policy{
			Visibility:    visibility.Public,
			MatchingRules: []visibility.MatchRule{{NamespaceSelector: &s}},
		})
		k, err := metav1.LabelSelectorAsSelector(toKubernetes(&s))
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, []labels.Selector{k})
	}
	r, err := visibility.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, got := r.Resolve(w.labels); got != first(policies, w.labels) {
		t.Fatalf("policy %d, want %d", got, first(policies, w.labels))
	}
	return r, policies
}

func BenchmarkResolve(b *testing.B) {
	for _, w := range workloads {
		r, policies := w.compile(b)
		b.Run(w.name+"/visibility", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Resolve(w.labels)
			}
		})
		b.Run(w.name+"/apimachinery", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				first(policies, w.labels)
			}
		})
	}
}

func TestRatioResolve(t *testing.T) {
	if os.Getenv("READDRESS_GATES") != "1" {
		t.Skip("timing needs a quiet machine: set READDRESS_GATES=1")
	}
	const atMost, slack = 0.5, 1.3 // of the time of apimachinery, and for noise
	for _, w := range workloads {
		r, policies := w.compile(t)
		ours, theirs := fastest(func() { r.Resolve(w.labels) }, func() { first(policies, w.labels) })
		ratio := ours / theirs
		t.Logf("%-26s apimachinery %7.0f ns, here %7.0f ns, ratio %.2f", w.name, theirs, ours, ratio)
		if ratio > atMost*slack {
			t.Errorf("%s: %.2f times the time of apimachinery, may be %.2f times %.1f", w.name, ratio, atMost, slack)
		}
	}
}

// fastest returns the nanoseconds of one call of each, from the fastest of many
// short rounds in turn, so that noise falls on both alike.
func fastest(a, b func()) (nsA, nsB float64) {
	const rounds, calls = 300, 50
	timed := func(f func()) float64 {
		start := time.Now()
		for range calls {
			f()
		}
		return float64(time.Since(start)) / calls
	}
	nsA, nsB = math.Inf(1), math.Inf(1)
	for range rounds {
		nsA, nsB = min(nsA, timed(a)), min(nsB, timed(b))
	}
	return nsA, nsB
}
