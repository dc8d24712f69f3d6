// What ParseConfigLenient makes of a configuration, beside the decoder of
// istiod: both must read the same, or both refuse it.

package k8sdiff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	meshconfig "istio.io/api/mesh/v1alpha1"
	"istio.io/istio/pkg/util/protomarshal"

	"github.com/readdress/readdress/visibility"
)

// toConfig says what istiod decoded in the words of package visibility. A level
// that is none is PUBLIC to the code of istiod that resolves it.
func toConfig(m *meshconfig.MeshConfig) *visibility.Config {
	v := m.ServiceEntryVisibility
	if v == nil {
		return nil
	}
	level := func(v meshconfig.ServiceEntryVisibility_Visibility) visibility.Level {
		if v < 0 || v > meshconfig.ServiceEntryVisibility_PUBLIC {
			return visibility.Public
		}
		return visibility.Level(v)
	}
	c := &visibility.Config{
		DefaultVisibility: level(v.DefaultVisibility),
		ApplyToSidecars:   v.ApplyToSidecars,
		DefaultExportTo:   m.DefaultServiceExportTo,
	}
	for _, p := range v.Policies {
		policy := visibility.Policy{Visibility: level(p.Visibility)}
		for _, r := range p.MatchingRules {
			policy.MatchingRules = append(policy.MatchingRules, visibility.MatchRule{NamespaceSelector: fromIstio(r.GetNamespaceSelector())})
		}
		c.Policies = append(c.Policies, policy)
	}
	return c
}

func fromIstio(s *meshconfig.LabelSelector) *visibility.LabelSelector {
	if s == nil {
		return nil
	}
	ours := &visibility.LabelSelector{MatchLabels: s.MatchLabels}
	for _, e := range s.MatchExpressions {
		ours.MatchExpressions = append(ours.MatchExpressions, visibility.Requirement{
			Key: e.Key, Operator: visibility.Operator(e.Operator), Values: e.Values,
		})
	}
	return ours
}

// describe writes a Config so that nil and empty lists and maps are the same,
// which the wire format does not tell apart.
func describe(c *visibility.Config) string {
	if c == nil {
		return "none"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v %t %q", c.DefaultVisibility, c.ApplyToSidecars, c.DefaultExportTo)
	for _, p := range c.Policies {
		fmt.Fprintf(&b, "\npolicy %v", p.Visibility)
		for _, r := range p.MatchingRules {
			s := r.NamespaceSelector
			if s == nil {
				b.WriteString("\n  nothing")
				continue
			}
			fmt.Fprintf(&b, "\n  %q", s.MatchLabels)
			for _, e := range s.MatchExpressions {
				fmt.Fprintf(&b, " %q %q %q", e.Key, e.Operator, e.Values)
			}
		}
	}
	return b.String()
}

// The places of a configuration, and what stands there: what is right, and each
// kind of what is not.
var (
	levels = []string{`"NONE"`, `"NAMESPACE"`, `"PUBLIC"`, `"VISIBILITY_UNSPECIFIED"`, "2", "2.0", "2e0", "20e-1", "7", "-1", "-0", "null"}
	wrong  = []string{`"none"`, `"2"`, `""`, "1.5", "2147483648", "1e300", "true", "{}", "[]", `"x"`, "null", "1"}
)

func (g generator) value(good ...string) string { return g.of(good, wrong) }

// list writes up to most items, of which some are null.
func (g generator) list(most int, item func() string) string {
	var items []string
	for range g.IntN(most + 1) {
		if g.IntN(12) == 0 {
			items = append(items, "null")
			continue
		}
		items = append(items, item())
	}
	return g.value("[" + strings.Join(items, ",") + "]")
}

// object writes some of the fields, sometimes twice, in snake_case, or misspelt.
func (g generator) object(fields map[string]func() string) string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	var members []string
	for range g.IntN(len(names) + 2) {
		name := names[g.IntN(len(names))]
		key := name
		switch g.IntN(10) {
		case 0:
			key = snake(name)
		case 1:
			if g.IntN(4) == 0 {
				key = name[:len(name)-1]
			}
		}
		members = append(members, fmt.Sprintf("%q:%s", key, fields[name]()))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func snake(camel string) string {
	var b strings.Builder
	for _, c := range camel {
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func (g generator) mesh() string {
	text := func() string { return g.value(`"a"`, `"b"`, `""`) }
	labels := func() string {
		return g.value(g.object(map[string]func() string{"aB": text, "a_b": text, "c": text}))
	}
	requirement := func() string {
		return g.value(g.object(map[string]func() string{
			"key": text, "operator": func() string { return g.value(`"In"`, `"Exists"`) },
			"values": func() string { return g.list(3, text) },
		}))
	}
	selector := func() string {
		return g.value(g.object(map[string]func() string{
			"matchLabels": labels, "matchExpressions": func() string { return g.list(2, requirement) },
		}))
	}
	rule := func() string { return g.value(g.object(map[string]func() string{"namespaceSelector": selector})) }
	policy := func() string {
		return g.value(g.object(map[string]func() string{
			"visibility": func() string { return g.value(levels...) }, "matchingRules": func() string { return g.list(2, rule) },
		}))
	}
	message := func() string {
		return g.value(g.object(map[string]func() string{
			"defaultVisibility": func() string { return g.value(levels...) },
			"applyToSidecars":   func() string { return g.value("true", "false") },
			"policies":          func() string { return g.list(3, policy) },
		}))
	}
	members := []string{`"rootNamespace":"x"`}
	for range 1 + g.IntN(2) {
		key := "serviceEntryVisibility"
		if g.IntN(5) == 0 {
			key = snake(key)
		}
		members = append(members, fmt.Sprintf("%q:%s", key, message()))
	}
	if g.IntN(4) == 0 {
		members = append(members, `"defaultServiceExportTo":`+g.list(2, text))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func TestLenient(t *testing.T) {
	g := newGenerator(4)
	refused, configured, warned := 0, 0, 0
	for range *cases / 20 {
		text := g.mesh()
		decoded := new(meshconfig.MeshConfig)
		istiod := protomarshal.ApplyYAML(text, decoded)
		ours, warnings, err := visibility.ParseConfigLenient([]byte(text))
		if (err == nil) != (istiod == nil) {
			t.Fatalf("%s: here %v, istiod %v", text, err, istiod)
		}
		strict, strictErr := visibility.ParseConfig([]byte(text))
		if err != nil {
			refused++
			if strictErr == nil {
				t.Fatalf("%s: ParseConfig takes what istiod refuses", text)
			}
			continue
		}
		if got, want := describe(ours), describe(toConfig(decoded)); got != want {
			t.Fatalf("%s:\nhere   %s\nistiod %s", text, got, want)
		}
		if strictErr == nil && (describe(strict) != describe(ours) || len(warnings) > 0) {
			t.Fatalf("%s: ParseConfig takes it as %s, with %v", text, describe(strict), warnings)
		}
		if ours != nil {
			configured++
		}
		if len(warnings) > 0 {
			warned++
		}
	}
	t.Logf("%d texts: %d refused, %d configured, %d with warnings", *cases/20, refused, configured, warned)
	if least := *cases / 400; refused < least || configured < least || warned < least {
		t.Error("hardly any were refused, configured or warned of: the cases say little")
	}
}

// Whatever else the configuration of a mesh has, it is not taken for the message
// about visibility, or for a misspelling of it.
func TestFieldsOfMeshConfig(t *testing.T) {
	fields := new(meshconfig.MeshConfig).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		for _, name := range []string{fields.Get(i).JSONName(), string(fields.Get(i).Name())} {
			text := fmt.Sprintf(`{%q:null}`, name)
			if c, err := visibility.ParseConfig([]byte(text)); c != nil || err != nil {
				t.Errorf("%s: %+v, %v, want nothing", text, c, err)
			}
		}
	}
	if fields.Len() < 50 {
		t.Errorf("MeshConfig has %d fields: they say little", fields.Len())
	}
}
