// Which policy decides, and what is said of policies that surprise.

package visibility_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

func mustCompile(t testing.TB, c *visibility.Config) *visibility.Resolver {
	t.Helper()
	r, err := visibility.Compile(c)
	require.NoError(t, err)
	return r
}

// rule is a rule of one requirement.
func rule(key string, op visibility.Operator, values ...string) visibility.MatchRule {
	return visibility.MatchRule{NamespaceSelector: &visibility.LabelSelector{
		MatchExpressions: []visibility.Requirement{{Key: key, Operator: op, Values: values}},
	}}
}

func policy(l visibility.Level, rules ...visibility.MatchRule) visibility.Policy {
	return visibility.Policy{Visibility: l, MatchingRules: rules}
}

func TestResolveSaysWhichPolicyDecided(t *testing.T) {
	r := mustCompile(t, &visibility.Config{
		DefaultVisibility: visibility.Namespace,
		Policies: []visibility.Policy{
			policy(visibility.None, visibility.MatchRule{}),
			policy(visibility.None, rule("quarantine", visibility.Exists)),
			policy(visibility.Public, rule("team", visibility.In, "a", "b"), rule("trusted", visibility.NotIn, "false")),
			policy(visibility.Public, rule("legacy", visibility.DoesNotExist), rule("team", visibility.In, "c")),
		},
	})
	for _, tt := range []struct {
		labels map[string]string
		level  visibility.Level
		policy int
	}{
		{nil, visibility.Namespace, -1},
		{map[string]string{"quarantine": "", "team": "a"}, visibility.None, 1},
		{map[string]string{"team": "a"}, visibility.Public, 2},
		{map[string]string{"team": "b", "trusted": "true"}, visibility.Public, 2},
		{map[string]string{"team": "b", "trusted": "false"}, visibility.Namespace, -1},
		{map[string]string{"team": "c"}, visibility.Public, 3},
		{map[string]string{"team": "c", "legacy": ""}, visibility.Namespace, -1},
	} {
		level, policy := r.Resolve(tt.labels)
		assert.Equal(t, tt.level, level, "%v", tt.labels)
		assert.Equal(t, tt.policy, policy, "%v", tt.labels)
	}
}

func TestResolversThatAreNotCompiled(t *testing.T) {
	for name, r := range map[string]*visibility.Resolver{"nil": nil, "zero": {}} {
		level, policy := r.Resolve(map[string]string{"a": "b"})
		assert.Equal(t, visibility.None, level, name)
		assert.Equal(t, -1, policy, name)
		assert.False(t, r.Scope(visibility.Public, "a", []string{"*"}).Allows("a"), name)
		assert.False(t, r.Configured(), name)
		assert.Empty(t, r.Warnings(), name)
	}
	level, policy := visibility.Off().Resolve(nil)
	assert.Equal(t, visibility.Public, level)
	assert.Equal(t, -1, policy)
	assert.False(t, visibility.Off().Configured())
	assert.True(t, mustCompile(t, new(visibility.Config)).Configured())

	// Off cannot refuse what Compile does, so that it exports to nobody.
	scope := visibility.Off("junk name", "b").Scope(visibility.Public, "a", nil)
	assert.Equal(t, []string{"b"}, scope.Namespaces())
	assert.Equal(t, "~", visibility.Off("junk name").Scope(visibility.Public, "a", nil).String())

	r, err := visibility.Compile(nil)
	assert.EqualError(t, err, "visibility: there is no configuration to compile: use Off for a mesh without one")
	assert.Nil(t, r)
}

func TestCompileReportsEveryFault(t *testing.T) {
	_, err := visibility.Compile(&visibility.Config{
		DefaultVisibility: 9,
		DefaultExportTo:   []string{".", "a b"},
		Policies: []visibility.Policy{
			{Visibility: 4, MatchingRules: []visibility.MatchRule{{}, {NamespaceSelector: &visibility.LabelSelector{
				MatchLabels: map[string]string{"b c": "x", "a": "y z"},
				MatchExpressions: []visibility.Requirement{
					{Key: "/", Operator: "in", Values: []string{"ok", "-"}},
					{Key: "k", Operator: visibility.In},
					{Key: "k", Operator: visibility.Exists, Values: []string{"v"}},
				},
			}}}},
		},
	})
	var faults visibility.Errors
	require.ErrorAs(t, err, &faults)
	at := "policies[0].matchingRules[1].namespaceSelector."
	var paths []string
	for _, f := range faults {
		paths = append(paths, f.Path)
		var one *visibility.Error
		require.ErrorAs(t, f, &one)
	}
	assert.Equal(t, []string{
		"defaultVisibility", "policies[0].visibility",
		at + `matchLabels["a"]`, at + `matchLabels["b c"]`,
		at + "matchExpressions[0].key", at + "matchExpressions[0].operator", at + "matchExpressions[0].values[1]",
		at + "matchExpressions[1].values", at + "matchExpressions[2].values",
		"defaultServiceExportTo[1]",
	}, paths)
	assert.ErrorContains(t, err, `visibility: `+at+`matchExpressions[0].operator: "in" is unknown: write In`)
	assert.Len(t, faults.Unwrap(), len(faults))
}

func TestWarnings(t *testing.T) {
	grant := rule("trusted", visibility.Exists)
	for _, tt := range []struct {
		name   string
		config visibility.Config
		want   []string // code and path
	}{
		{"nothing configured", visibility.Config{}, nil},
		{"presets", *visibility.RootNamespace("istio-system"), nil},
		{"behind a catch-all", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Public, grant), policy(visibility.Public), policy(visibility.Namespace, grant), {},
		}}, []string{"policy-equals-default policies[0]", "dead-policy policies[2]", "dead-policy policies[3]", "policy-without-visibility policies[3]"}},
		{"empty selectors are a catch-all", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Public, visibility.MatchRule{NamespaceSelector: new(visibility.LabelSelector)}), policy(visibility.Public, grant),
		}}, []string{"dead-policy policies[1]"}},
		{"no matcher", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Public, grant, visibility.MatchRule{}), policy(visibility.Public, grant),
		}}, []string{"rule-without-matcher policies[0].matchingRules[1]"}},
		{"no visibility", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Unspecified, grant),
		}}, []string{"policy-without-visibility policies[0]"}},
		{"negative only", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Public, rule("a", visibility.NotIn, "x"), rule("b", visibility.DoesNotExist)),
			policy(visibility.Public, rule("a", visibility.NotIn, "x"), grant),
		}}, []string{"negative-only-grant policies[0]"}},
		{"negative only, but no grant", visibility.Config{ApplyToSidecars: true, Policies: []visibility.Policy{
			policy(visibility.None, rule("a", visibility.NotIn, "x")),
		}}, nil},
		{"equal to the default", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Namespace, rule("a", visibility.Exists)), // an exception to what follows
			policy(visibility.Public, grant),
			policy(visibility.Namespace, rule("b", visibility.Exists)),
		}}, []string{"policy-equals-default policies[2]"}},
		// A catch-all is the default of the policies before it.
		{"negative only before a catch-all", visibility.Config{Policies: []visibility.Policy{
			policy(visibility.Public, rule("x", visibility.NotIn, "1")), policy(visibility.Namespace),
		}}, []string{"negative-only-grant policies[0]"}},
		{"negative only, and the catch-all shows more", visibility.Config{DefaultVisibility: visibility.None, ApplyToSidecars: true, Policies: []visibility.Policy{
			policy(visibility.Namespace, rule("x", visibility.NotIn, "1")), policy(visibility.Public, visibility.MatchRule{NamespaceSelector: new(visibility.LabelSelector)}),
		}}, nil},
		{"equal to the catch-all", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Namespace, rule("a", visibility.Exists)), policy(visibility.Public, grant), policy(visibility.Public),
		}}, []string{"policy-equals-default policies[1]"}},
		{"a catch-all equal to the default", visibility.Config{DefaultVisibility: visibility.Namespace, Policies: []visibility.Policy{
			policy(visibility.Public, grant), policy(visibility.Namespace),
		}}, []string{"policy-equals-default policies[1]"}},
		{"a catch-all that never matches", visibility.Config{DefaultVisibility: visibility.None, ApplyToSidecars: true, Policies: []visibility.Policy{
			policy(visibility.Public, visibility.MatchRule{}), policy(visibility.Namespace, rule("x", visibility.NotIn, "1")),
		}}, []string{"rule-without-matcher policies[0].matchingRules[0]", "negative-only-grant policies[1]"}},
		{"none by a default that never decides", visibility.Config{DefaultVisibility: visibility.None, Policies: []visibility.Policy{
			policy(visibility.Public),
		}}, nil},
		{"none by a catch-all", visibility.Config{DefaultVisibility: visibility.None, Policies: []visibility.Policy{
			policy(visibility.Public, grant), policy(visibility.None),
		}}, []string{"policy-equals-default policies[1]", "none-reaches-sidecars policies[1].visibility"}},
		{"none by default", visibility.Config{DefaultVisibility: visibility.None}, []string{"none-reaches-sidecars defaultVisibility"}},
		{"none by policy", visibility.Config{Policies: []visibility.Policy{
			policy(visibility.None, grant),
		}}, []string{"none-reaches-sidecars policies[0].visibility"}},
		{"none and applyToSidecars", visibility.Config{DefaultVisibility: visibility.None, ApplyToSidecars: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, w := range mustCompile(t, &tt.config).Warnings() {
				got = append(got, string(w.Code)+" "+w.Path)
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

// Resolve, which looks at few policies, against the rule as it is written.
func TestResolveAgainstReference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for range 3_000 {
		checkResolve(t, randomBytes(random, 600))
	}
}

func FuzzResolve(f *testing.F) {
	random := rand.New(rand.NewPCG(4, 2))
	for n := range 8 {
		f.Add(randomBytes(random, 100*n))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkResolve(t, data) })
}

func checkResolve(t *testing.T, data []byte) {
	s := stream(data)
	// More keys than are remembered and more values than are compared one by
	// one, of which the first are the usual ones.
	keys := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
	values := []string{"", "x", "y", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	one := func(list []string) string {
		return list[min(s.below(len(list)), s.below(len(list)), s.below(len(list)))]
	}
	c := &visibility.Config{DefaultVisibility: visibility.Level(s.below(4))}
	for range s.below(14) {
		p := visibility.Policy{Visibility: visibility.Level(s.below(4))}
		for range s.below(3) {
			var r visibility.MatchRule
			if s.below(8) > 0 {
				r.NamespaceSelector = &visibility.LabelSelector{MatchLabels: make(map[string]string)}
				for range s.below(2) {
					r.NamespaceSelector.MatchLabels[one(keys)] = one(values)
				}
				for range s.below(3) {
					q := visibility.Requirement{Key: one(keys)}
					q.Operator = []visibility.Operator{visibility.In, visibility.NotIn, visibility.Exists, visibility.DoesNotExist}[s.below(4)]
					if q.Operator == visibility.In || q.Operator == visibility.NotIn {
						q.Values = append(subset(&s, values, 20), one(values))
					}
					r.NamespaceSelector.MatchExpressions = append(r.NamespaceSelector.MatchExpressions, q)
				}
			}
			p.MatchingRules = append(p.MatchingRules, r)
		}
		c.Policies = append(c.Policies, p)
	}
	r := mustCompile(t, c)
	fewer := obey(t, c, r.Warnings())
	for range 12 {
		labels := make(map[string]string)
		for range s.below(14) {
			labels[one(keys)] = one(values)
		}
		level, policy := r.Resolve(labels)
		wantLevel, wantPolicy := resolve(c, labels)
		require.Equal(t, wantPolicy, policy, "%+v\n%v", c, labels)
		require.Equal(t, wantLevel, level)
		fewerLevel, _ := resolve(fewer, labels)
		require.Equal(t, wantLevel, fewerLevel, "%+v\n%v\n%v", c, r.Warnings(), labels)
	}
}

// obey returns c without the policies of which warnings say that they change
// nothing and are to be removed.
func obey(t *testing.T, c *visibility.Config, warnings []visibility.Warning) *visibility.Config {
	keep := slices.Clone(c.Policies)
	for _, w := range slices.Backward(warnings) {
		if w.Code != visibility.PolicyEqualsDefault {
			continue
		}
		var i int
		_, err := fmt.Sscanf(w.Path, "policies[%d]", &i)
		require.NoError(t, err)
		if strings.HasSuffix(w.Detail, "remove it with all that is behind it, which never decides") {
			keep = keep[:i]
		} else {
			keep = slices.Delete(keep, i, i+1)
		}
	}
	return &visibility.Config{DefaultVisibility: c.DefaultVisibility, Policies: keep}
}

// resolve is the rule as it is written.
func resolve(c *visibility.Config, labels map[string]string) (visibility.Level, int) {
	orPublic := func(l visibility.Level) visibility.Level {
		if l == visibility.Unspecified {
			return visibility.Public
		}
		return l
	}
	for i, p := range c.Policies {
		if !slices.ContainsFunc(p.MatchingRules, func(r visibility.MatchRule) bool { return !matches(r.NamespaceSelector, labels) }) {
			return orPublic(p.Visibility), i
		}
	}
	return orPublic(c.DefaultVisibility), -1
}

func matches(s *visibility.LabelSelector, labels map[string]string) bool {
	if s == nil {
		return false
	}
	for key, value := range s.MatchLabels {
		if got, ok := labels[key]; !ok || got != value {
			return false
		}
	}
	for _, r := range s.MatchExpressions {
		value, ok := labels[r.Key]
		listed := ok && slices.Contains(r.Values, value)
		if !map[visibility.Operator]bool{
			visibility.In: listed, visibility.NotIn: !listed, visibility.Exists: ok, visibility.DoesNotExist: !ok,
		}[r.Operator] {
			return false
		}
	}
	return true
}

// What was compiled does not change with what it was compiled from.
func TestCompileKeepsNothing(t *testing.T) {
	c := visibility.RootNamespace("root")
	c.DefaultExportTo = []string{"."}
	values := []string{"x", "y"}
	c.Policies = append(c.Policies, policy(visibility.None, rule("k", visibility.In, values...)))
	labels := []map[string]string{{"kubernetes.io/metadata.name": "root"}, {"k": "x"}, nil}
	r := mustCompile(t, c)
	var before []string
	say := func() (list []string) {
		for _, l := range labels {
			level, policy := r.Resolve(l)
			list = append(list, fmt.Sprint(level, policy, r.Scope(level, "a", nil)))
		}
		return list
	}
	before = say()
	selector := c.Policies[0].MatchingRules[0].NamespaceSelector
	maps.DeleteFunc(selector.MatchLabels, func(string, string) bool { return true })
	c.Policies[1].MatchingRules[0].NamespaceSelector.MatchExpressions[0].Values[0] = "z"
	c.Policies[1].Visibility = visibility.Public
	c.DefaultExportTo[0] = "*"
	assert.Equal(t, before, say())
}
