package visible

// Label selectors.

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/readdress/readdress/visibility"
)

// A Labels is a selector and the labels that it is asked about.
type Labels struct {
	Name     string
	Selector visibility.LabelSelector
	Labels   map[string]string
	Want     bool
}

// Selectors returns a simple selector, a long one, and one that does not match.
func Selectors() []Labels {
	of := map[string]string{
		"kubernetes.io/metadata.name": "team-a", "team": "a", "level": "PUBLIC", "env": "prod", "region": "eu",
	}
	long := visibility.LabelSelector{
		MatchLabels: map[string]string{"level": "PUBLIC", "env": "prod"},
		MatchExpressions: []visibility.Requirement{
			{Key: "team", Operator: visibility.In, Values: []string{"a", "b", "c"}},
			{Key: "region", Operator: visibility.NotIn, Values: []string{"us", "ap"}},
			{Key: "frozen", Operator: visibility.DoesNotExist},
		},
	}
	return []Labels{
		{"one-label", visibility.LabelSelector{MatchLabels: map[string]string{"level": "PUBLIC"}}, of, true},
		{"five-requirements", long, of, true},
		{"no-match", long, map[string]string{"kubernetes.io/metadata.name": "team-b", "level": "PRIVATE"}, false},
	}
}

// Ours returns what matches by the library.
func (l *Labels) Ours(tb testing.TB) func() bool {
	tb.Helper()
	s, err := visibility.CompileSelector(&l.Selector)
	if err != nil {
		tb.Fatal(err)
	}
	return func() bool { return s.Matches(l.Labels) }
}

// Theirs returns what matches by k8s.io/apimachinery, of which the selector is
// made once.
func (l *Labels) Theirs(tb testing.TB) func() bool {
	tb.Helper()
	from := metav1.LabelSelector{MatchLabels: l.Selector.MatchLabels}
	for _, r := range l.Selector.MatchExpressions {
		from.MatchExpressions = append(from.MatchExpressions, metav1.LabelSelectorRequirement{
			Key: r.Key, Operator: metav1.LabelSelectorOperator(r.Operator), Values: r.Values,
		})
	}
	s, err := metav1.LabelSelectorAsSelector(&from)
	if err != nil {
		tb.Fatal(err)
	}
	var set labels.Labels = labels.Set(l.Labels)
	return func() bool { return s.Matches(set) }
}
