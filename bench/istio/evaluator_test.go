//go:build istio

// Generated policies and the whole table of exportTo and visibility, on which
// both must agree.

package istio_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	mesh "istio.io/api/mesh/v1alpha1"
	"istio.io/istio/pilot/pkg/model"
	exportto "istio.io/istio/pkg/config/visibility"
	"istio.io/istio/pkg/util/sets"

	"github.com/readdress/readdress/visibility"
)

var (
	keys      = []string{"a", "b", "kubernetes.io/metadata.name"}
	values    = []string{"", "x", "y"}
	operators = []visibility.Operator{visibility.In, visibility.NotIn, visibility.Exists, visibility.DoesNotExist}
	levels    = []visibility.Level{visibility.Unspecified, visibility.None, visibility.Namespace, visibility.Public}
)

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func randomSelector(r *rand.Rand) *visibility.LabelSelector {
	if r.IntN(8) == 0 {
		return nil
	}
	s := &visibility.LabelSelector{MatchLabels: map[string]string{}}
	for range r.IntN(3) {
		s.MatchLabels[one(r, keys)] = one(r, values)
	}
	for range r.IntN(3) {
		q := visibility.Requirement{Key: one(r, keys), Operator: one(r, operators)}
		if q.Operator == visibility.In || q.Operator == visibility.NotIn {
			q.Values = []string{one(r, values), one(r, values)}
		}
		s.MatchExpressions = append(s.MatchExpressions, q)
	}
	return s
}

func randomConfig(r *rand.Rand) *visibility.Config {
	c := &visibility.Config{DefaultVisibility: one(r, levels), ApplyToSidecars: r.IntN(2) == 0}
	for range r.IntN(6) {
		p := visibility.Policy{Visibility: one(r, levels)}
		for range r.IntN(3) {
			p.MatchingRules = append(p.MatchingRules, visibility.MatchRule{NamespaceSelector: randomSelector(r)})
		}
		c.Policies = append(c.Policies, p)
	}
	return c
}

func randomLabels(r *rand.Rand) map[string]string {
	set := make(map[string]string)
	for range r.IntN(4) {
		set[one(r, keys)] = one(r, values)
	}
	return set
}

// theirs writes a Config as the message that istiod decodes.
func theirs(c *visibility.Config) *mesh.ServiceEntryVisibility {
	level := func(l visibility.Level) mesh.ServiceEntryVisibility_Visibility {
		return mesh.ServiceEntryVisibility_Visibility(l)
	}
	m := &mesh.ServiceEntryVisibility{DefaultVisibility: level(c.DefaultVisibility), ApplyToSidecars: c.ApplyToSidecars}
	for _, p := range c.Policies {
		policy := &mesh.ServiceEntryVisibility_Policy{Visibility: level(p.Visibility)}
		for _, rule := range p.MatchingRules {
			match := new(mesh.ServiceEntryVisibility_MatchRule)
			if s := rule.NamespaceSelector; s != nil {
				selector := &mesh.LabelSelector{MatchLabels: s.MatchLabels}
				for _, q := range s.MatchExpressions {
					selector.MatchExpressions = append(selector.MatchExpressions, &mesh.LabelSelectorRequirement{
						Key: q.Key, Operator: string(q.Operator), Values: q.Values,
					})
				}
				match.Matcher = &mesh.ServiceEntryVisibility_MatchRule_NamespaceSelector{NamespaceSelector: selector}
			}
			policy.MatchingRules = append(policy.MatchingRules, match)
		}
		m.Policies = append(m.Policies, policy)
	}
	return m
}

var levelOf = map[model.ServiceVisibility]visibility.Level{
	model.ServiceVisibilityPublic:    visibility.Public,
	model.ServiceVisibilityNamespace: visibility.Namespace,
	model.ServiceVisibilityNone:      visibility.None,
}

func TestResolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := make(map[visibility.Level]int)
	const configs, namespaces = 50_000, 20
	for range configs {
		c := randomConfig(r)
		ours, err := visibility.Compile(c)
		if err != nil {
			t.Fatal(err)
		}
		evaluator, ok := model.CompileServiceEntryVisibility(theirs(c))
		if !ok {
			t.Fatalf("istiod refuses %+v", c)
		}
		for range namespaces {
			labels := randomLabels(r)
			got, _ := ours.Resolve(labels)
			if want := levelOf[evaluator.VisibilityFor(labels)]; got != want {
				t.Fatalf("%+v with %v: %v, istiod says %v", c, labels, got, want)
			}
			seen[got]++
		}
	}
	for _, l := range []visibility.Level{visibility.None, visibility.Namespace, visibility.Public} {
		if seen[l] < configs*namespaces/20 {
			t.Errorf("%v was the answer %d times only: the cases say little", l, seen[l])
		}
	}
}

// TestCompile has selectors with faults: both must refuse the same ones.
func TestCompile(t *testing.T) {
	long := func(n int) string { return strings.Repeat("a", n) }
	prefix := strings.Repeat("a.", 126) + "a" // 253 bytes
	keys := []string{
		"a", "A9", "a-_.b", "", "-a", "a.", "é", "a b", long(63), long(64), "x.io/a", "X.io/a", "x..io/a", "-x/a", "x-/a", "x_y/a",
		"/a", "x/", "x/y/z", long(64) + "/a", prefix + "/a", prefix + "a/a", "x/" + long(63), "x/" + long(64),
	}
	values := []string{"", "a", "A-_.9", "-a", "a-", "_", "é", "a b", "a/b", long(63), long(64)}
	operators := []visibility.Operator{"In", "NotIn", "Exists", "DoesNotExist", "in", "Gt", "=", ""}
	r := rand.New(rand.NewPCG(4, 4))
	refused, accepted := 0, 0
	try := func(s visibility.LabelSelector) {
		c := &visibility.Config{Policies: []visibility.Policy{{MatchingRules: []visibility.MatchRule{{NamespaceSelector: &s}}}}}
		_, err := visibility.Compile(c)
		if _, ok := model.CompileServiceEntryVisibility(theirs(c)); ok != (err == nil) {
			t.Errorf("%q: %v, istiod compiles it: %t", s, err, ok)
		}
		if err != nil {
			refused++
		} else {
			accepted++
		}
	}
	for _, key := range keys {
		for _, value := range values {
			try(visibility.LabelSelector{MatchLabels: map[string]string{key: value}})
			for _, operator := range operators {
				try(visibility.LabelSelector{MatchExpressions: []visibility.Requirement{{Key: key, Operator: operator, Values: []string{value}}}})
				try(visibility.LabelSelector{MatchExpressions: []visibility.Requirement{{Key: key, Operator: operator}}})
				try(visibility.LabelSelector{
					MatchLabels: map[string]string{"a": one(r, values), one(r, keys): ""},
					MatchExpressions: []visibility.Requirement{
						{Key: "a", Operator: visibility.In, Values: []string{"a", one(r, values)}}, {Key: key, Operator: operator, Values: []string{}},
					},
				})
			}
		}
	}
	if refused < 200 || accepted < 200 {
		t.Errorf("%d were refused and %d not: the cases say little", refused, accepted)
	}
}

// TestScope goes through every exportTo of these names, every visibility, owner
// and client.
func TestScope(t *testing.T) {
	names := []string{"*", ".", "~", "a", "b", "c"}
	compared := 0
	for _, apply := range []bool{false, true} {
		r, err := visibility.Compile(&visibility.Config{ApplyToSidecars: apply})
		if err != nil {
			t.Fatal(err)
		}
		push := model.NewPushContext()
		push.Mesh = &mesh.MeshConfig{ServiceEntryVisibility: &mesh.ServiceEntryVisibility{ApplyToSidecars: apply}}
		for subset := 1; subset < 1<<len(names); subset++ {
			var exported []string
			service := &model.Service{Attributes: model.ServiceAttributes{ExportTo: sets.New[exportto.Instance]()}}
			for i, name := range names {
				if subset&(1<<i) != 0 {
					exported = append(exported, name)
					service.Attributes.ExportTo.Insert(exportto.Instance(name))
				}
			}
			for level, ours := range levelOf {
				for _, owner := range []string{"a", "b", "d"} {
					service.Attributes.Namespace, service.Attributes.Visibility = owner, level
					scope := r.Scope(ours, owner, exported)
					for _, client := range []string{"a", "b", "c", "d", "e"} {
						compared++
						if got, want := scope.Allows(client), push.IsServiceVisible(service, client); got != want {
							t.Errorf("apply %t, %v, owner %s, exportTo %q, client %s: %t, istiod says %t", apply, ours, owner, exported, client, got, want)
						}
					}
				}
			}
		}
	}
	if want := 2 * 63 * 3 * 3 * 5; compared != want {
		t.Errorf("%d cases, want %d", compared, want)
	}
}

// policies returns n policies of two labels each, and labels that none of them
// has, or the last.
func policies(n int) (c *visibility.Config, none, last map[string]string) {
	c = &visibility.Config{DefaultVisibility: visibility.Namespace}
	for i := range n {
		c.Policies = append(c.Policies, visibility.Policy{Visibility: visibility.Public, MatchingRules: []visibility.MatchRule{{
			NamespaceSelector: &visibility.LabelSelector{MatchLabels: map[string]string{"team": fmt.Sprint("team-", i), "trusted": "true"}},
		}}})
	}
	return c, map[string]string{"team": "nobody", "trusted": "true"}, map[string]string{"team": fmt.Sprint("team-", n-1), "trusted": "true"}
}

func BenchmarkResolve(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		c, none, last := policies(n)
		ours, err := visibility.Compile(c)
		if err != nil {
			b.Fatal(err)
		}
		evaluator, _ := model.CompileServiceEntryVisibility(theirs(c))
		for _, labels := range []struct {
			name string
			set  map[string]string
		}{{"none", none}, {"last", last}} {
			b.Run(fmt.Sprintf("%d/%s/visibility", n, labels.name), func(b *testing.B) {
				for b.Loop() {
					ours.Resolve(labels.set)
				}
			})
			b.Run(fmt.Sprintf("%d/%s/istiod", n, labels.name), func(b *testing.B) {
				for b.Loop() {
					evaluator.VisibilityFor(labels.set)
				}
			})
		}
	}
}

// BenchmarkVisible asks for one client whether it may see one service, with
// exportTo capped by the visibility. What Scope makes is kept, as an Index does.
func BenchmarkVisible(b *testing.B) {
	exported := []string{".", "b", "c", "d", "e"}
	r, err := visibility.Compile(&visibility.Config{ApplyToSidecars: true})
	if err != nil {
		b.Fatal(err)
	}
	scope := r.Scope(visibility.Namespace, "a", exported)
	push := model.NewPushContext()
	push.Mesh = &mesh.MeshConfig{ServiceEntryVisibility: &mesh.ServiceEntryVisibility{ApplyToSidecars: true}}
	service := &model.Service{Attributes: model.ServiceAttributes{
		Namespace: "a", Visibility: model.ServiceVisibilityNamespace, ExportTo: sets.New[exportto.Instance](),
	}}
	for name := range slices.Values(exported) {
		service.Attributes.ExportTo.Insert(exportto.Instance(name))
	}
	b.Run("visibility", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			scope.Allows("c")
		}
	})
	b.Run("istiod", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			push.IsServiceVisible(service, "c")
		}
	})
}
