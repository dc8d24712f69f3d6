// What selectors match, and which of them are refused: generated cases, on
// which all three must agree.

package k8sdiff_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	meshconfig "istio.io/api/mesh/v1alpha1"
	"istio.io/istio/pkg/config/mesh/labelselector"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/readdress/readdress/visibility"
)

var cases = flag.Int("cases", 1_000_000, "how many selectors and label texts to generate")

// A generator makes selectors that are often the same in part, so that they
// match, and sometimes wrong.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 2))} }

var (
	keys      = []string{"a", "b", "kubernetes.io/metadata.name", "Team", "x-y_z.w"}
	values    = []string{"", "x", "y", "X", "a-b_c.d", "1"}
	badKeys   = []string{"", "/", "/a", "a/", "a/b/c", "A.com/x", "-a", "a-", "a b", "é", "a..b/c", "a_b/c", strings.Repeat("k", 64), "a\n"}
	badValues = []string{" ", "-", "a-", ".a", "a b", "é", strings.Repeat("v", 64), "a/b", "a\n"}
	operators = []string{"In", "NotIn", "Exists", "DoesNotExist"}
	badOps    = []string{"", "in", "Gt", "Lt", "=", "Equals", "exists", " In"}
)

func (g generator) of(good, bad []string) string {
	if g.IntN(60) == 0 {
		return bad[g.IntN(len(bad))]
	}
	return good[g.IntN(len(good))]
}

func (g generator) selector() *visibility.LabelSelector {
	if g.IntN(50) == 0 {
		return nil
	}
	s := new(visibility.LabelSelector)
	for range g.IntN(3) {
		if s.MatchLabels == nil {
			s.MatchLabels = make(map[string]string)
		}
		s.MatchLabels[g.of(keys, badKeys)] = g.of(values, badValues)
	}
	for range g.IntN(4) {
		r := visibility.Requirement{Key: g.of(keys, badKeys), Operator: visibility.Operator(g.of(operators, badOps))}
		withValues := r.Operator != visibility.Exists && r.Operator != visibility.DoesNotExist
		if withValues != (g.IntN(40) == 0) {
			for range 1 + g.IntN(4) {
				r.Values = append(r.Values, g.of(values, badValues))
			}
		} else if g.IntN(2) == 0 {
			r.Values = []string{}
		}
		s.MatchExpressions = append(s.MatchExpressions, r)
	}
	return s
}

func (g generator) labels() map[string]string {
	if g.IntN(10) == 0 {
		return nil
	}
	set := make(map[string]string)
	for range g.IntN(5) {
		set[keys[g.IntN(len(keys))]] = values[g.IntN(len(values))]
	}
	return set
}

func toKubernetes(s *visibility.LabelSelector) *metav1.LabelSelector {
	if s == nil {
		return nil
	}
	k := &metav1.LabelSelector{MatchLabels: s.MatchLabels}
	for _, e := range s.MatchExpressions {
		k.MatchExpressions = append(k.MatchExpressions, metav1.LabelSelectorRequirement{
			Key: e.Key, Operator: metav1.LabelSelectorOperator(e.Operator), Values: e.Values,
		})
	}
	return k
}

func toIstio(s *visibility.LabelSelector) *meshconfig.LabelSelector {
	if s == nil {
		return nil
	}
	m := &meshconfig.LabelSelector{MatchLabels: s.MatchLabels}
	for _, e := range s.MatchExpressions {
		m.MatchExpressions = append(m.MatchExpressions, &meshconfig.LabelSelectorRequirement{
			Key: e.Key, Operator: string(e.Operator), Values: e.Values,
		})
	}
	return m
}

func TestSelectors(t *testing.T) {
	g := newGenerator(1)
	refused, matched := 0, 0
	for range *cases {
		s := g.selector()
		ours, err := visibility.CompileSelector(s)
		kubernetes, kErr := metav1.LabelSelectorAsSelector(toKubernetes(s))
		istio, iErr := labelselector.LabelSelectorAsSelector(toIstio(s))
		if (err == nil) != (kErr == nil) || (err == nil) != (iErr == nil) {
			t.Fatalf("%+v: here %v, Kubernetes %v, Istio %v", s, err, kErr, iErr)
		}
		if err != nil {
			refused++
			continue
		}
		set := g.labels()
		got := ours.Matches(set)
		if k, i := kubernetes.Matches(labels.Set(set)), istio.Matches(labels.Set(set)); got != k || got != i {
			t.Fatalf("%+v with %v: here %v, Kubernetes %v, Istio %v", s, set, got, k, i)
		}
		if got {
			matched++
		}
	}
	t.Logf("%d selectors: %d refused, %d matched", *cases, refused, matched)
	if refused < *cases/20 || matched < *cases/20 {
		t.Error("hardly any were refused, or matched: the cases say little")
	}
}

// Texts on the edge of what a label's key or value may be.
func TestLabelSyntax(t *testing.T) {
	g := newGenerator(2)
	const alphabet = "aaaaabzAZ09-_./é \n"
	text := func(most int) string {
		var b strings.Builder
		for range g.IntN(most + 1) {
			r := []rune(alphabet)
			b.WriteRune(r[g.IntN(len(r))])
		}
		return b.String()
	}
	around := func(n int) string { return strings.Repeat("a", max(0, n-2+g.IntN(4))) }
	good := 0
	for range *cases {
		var key, value string
		switch g.IntN(4) {
		case 0:
			key, value = text(6), text(6)
		case 1:
			key, value = text(4)+"/"+text(4), around(63)
		case 2:
			key, value = around(253)+"/"+around(63), text(2)+around(61)
		default:
			key, value = "a."+around(251)+"/a", around(1)+text(1)
		}
		_, keyErr := visibility.CompileSelector(&visibility.LabelSelector{
			MatchExpressions: []visibility.Requirement{{Key: key, Operator: visibility.Exists}},
		})
		if faults := validation.IsQualifiedName(key); (keyErr == nil) != (len(faults) == 0) {
			t.Fatalf("key %q: here %v, Kubernetes %q", key, keyErr, faults)
		}
		_, valueErr := visibility.CompileSelector(&visibility.LabelSelector{MatchLabels: map[string]string{"k": value}})
		if faults := validation.IsValidLabelValue(value); (valueErr == nil) != (len(faults) == 0) {
			t.Fatalf("value %q: here %v, Kubernetes %q", value, valueErr, faults)
		}
		if keyErr == nil {
			good++
		}
	}
	if good < *cases/20 || good > *cases*19/20 {
		t.Errorf("%d of %d keys are valid: the cases say little", good, *cases)
	}
}

// Policies of many selectors, asked in order, as Istio asks them.
func TestResolve(t *testing.T) {
	g := newGenerator(3)
	decided := 0
	for range *cases / 10 {
		c := &visibility.Config{DefaultVisibility: visibility.Namespace}
		var policies [][]labels.Selector
		for range g.IntN(6) {
			var p visibility.Policy
			var selectors []labels.Selector
			p.Visibility = visibility.Level(1 + g.IntN(3))
			for range g.IntN(3) {
				s := g.selector()
				k, err := metav1.LabelSelectorAsSelector(toKubernetes(s))
				if err != nil {
					continue
				}
				selectors = append(selectors, k)
				p.MatchingRules = append(p.MatchingRules, visibility.MatchRule{NamespaceSelector: s})
			}
			c.Policies = append(c.Policies, p)
			policies = append(policies, selectors)
		}
		r, err := visibility.Compile(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			set := g.labels()
			want := first(policies, set)
			if _, got := r.Resolve(set); got != want {
				t.Fatalf("%+v with %v: policy %d, want %d", c, set, got, want)
			}
			if want >= 0 {
				decided++
			}
		}
	}
	if decided < *cases/10 {
		t.Errorf("policies decided %d times: the cases say little", decided)
	}
}

// first returns the first policy whose selectors all match, -1 if none does.
func first(policies [][]labels.Selector, set map[string]string) int {
policies:
	for i, selectors := range policies {
		for _, s := range selectors {
			if !s.Matches(labels.Set(set)) {
				continue policies
			}
		}
		return i
	}
	return -1
}

func nameOf(i int) string { return fmt.Sprint("team-", i) }
