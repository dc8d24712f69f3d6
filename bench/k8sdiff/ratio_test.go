// What Resolve costs, beside the selectors of apimachinery, compiled beforehand
// and asked policy by policy.

package k8sdiff_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/readdress/readdress/internal/gate"
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
	gate.Need(t)
	g := gate.Table{T: t}
	for _, w := range workloads {
		r, policies := w.compile(t)
		theirs := func() func(int) {
			return func(n int) {
				for range n {
					first(policies, w.labels)
				}
			}
		}
		ours := func() func(int) {
			return func(n int) {
				for range n {
					r.Resolve(w.labels)
				}
			}
		}
		g.Row(w.name, theirs, ours, 0.5, 0)
	}
	g.Log()
}
