// Why a client gets what it gets, and what another index would change.

package visibility_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/visibility"
)

// candidates says them as "name reason policy", with the shadowing entry.
func candidates(list []visibility.Candidate) []string {
	var out []string
	for _, c := range list {
		s := fmt.Sprintf("%s %s %s %s %d", c.Host, c.Ref.Name, c.Reason, c.Level, c.Policy)
		if c.By != (visibility.Ref{}) {
			s += " " + c.By.Name
		}
		out = append(out, s)
	}
	return out
}

func TestExplain(t *testing.T) {
	namespaces := map[string]map[string]string{
		"inner": {"level": "NAMESPACE"}, "gone": {"level": "NONE"}, "pub": {"level": "PUBLIC"}, "pub2": {"level": "PUBLIC"},
	}
	entries := []visibility.Entry{
		serviceEntry("inner", "i", 1, "x.example.com"),
		serviceEntry("gone", "g", 2, "x.example.com", "only.gone.net"),
		exported(serviceEntry("pub", "p", 3, "*.example.com"), "pub", "client"),
		serviceEntry("pub2", "p2", 4, "*.example.com"),
		service("pub2", "s", 9, "*.com"),
	}
	config := visibility.Config{ApplyToSidecars: true, DefaultVisibility: visibility.Public, Policies: []visibility.Policy{
		policy(visibility.None, rule("level", visibility.In, "NONE")),
		policy(visibility.Namespace, rule("level", visibility.In, "NAMESPACE")),
	}}
	for _, tt := range []struct {
		plane            visibility.DataPlane
		unknown          visibility.Unknown
		host, client     string
		found            bool
		reason           visibility.Reason
		name             string
		policy           int
		hidden, shadowed []string
	}{
		{host: "X.example.com.", client: "inner", found: true, reason: visibility.OwnNamespace, name: "i", policy: 1,
			hidden: []string{"x.example.com g hidden-none NONE 0"}},
		{host: "x.example.com", client: "other", found: true, reason: visibility.Canonical, name: "p", policy: -1,
			hidden: []string{
				"x.example.com i hidden-namespace NAMESPACE 1", "x.example.com g hidden-none NONE 0"},
			shadowed: []string{"*.example.com p2 shadowed-by PUBLIC -1 p"}},
		{host: "y.example.com", client: "pub2", found: true, reason: visibility.OwnNamespace, name: "p2", policy: -1,
			shadowed: []string{"*.example.com p shadowed-by PUBLIC -1 p2"}},
		{host: "only.gone.net", client: "gone", reason: visibility.HiddenNone, name: "g", policy: 0,
			hidden: []string{"only.gone.net g hidden-none NONE 0"}},
		{host: "absent.net", client: "gone", reason: visibility.Absent, policy: -1},
		{host: "", client: "gone", reason: visibility.Absent, policy: -1},
		{plane: visibility.Envoy, host: "y.example.com", client: "client", found: true, reason: visibility.ExportTo, name: "p", policy: -1,
			shadowed: []string{"*.example.com p2 shadowed-by PUBLIC -1 p"}},
		{plane: visibility.Envoy, host: "x.example.com", client: "other", found: true, reason: visibility.Canonical, name: "p2", policy: -1,
			hidden: []string{
				"x.example.com i hidden-namespace NAMESPACE 1", "x.example.com g hidden-none NONE 0",
				"*.example.com p export-to PUBLIC -1"}},
		{host: "x.com", client: "", reason: visibility.ClientUnknown, name: "s", policy: -1,
			hidden: []string{"*.com s client-unknown PUBLIC -1"}},
		{unknown: visibility.UnknownPublic, host: "x.com", client: "", found: true, reason: visibility.Canonical, name: "s", policy: -1},
		{unknown: visibility.UnknownAll, host: "x.example.com", client: "", found: true, reason: visibility.ClientUnknown, name: "i", policy: 1,
			hidden: []string{"x.example.com g hidden-none NONE 0"}},
	} {
		x := mustIndex(t, mustCompile(t, &config), namespaces, &visibility.IndexOptions{DataPlane: tt.plane, Unknown: tt.unknown}, entries...)
		e := x.Explain(tt.host, tt.client)
		label := fmt.Sprintf("%d: %s from %q", tt.plane, tt.host, tt.client)
		assert.Equal(t, tt.found, e.Found, label)
		assert.Equal(t, tt.reason, e.Reason, label)
		assert.Equal(t, tt.name, e.Ref.Name, label)
		assert.Equal(t, tt.policy, e.Policy, label)
		assert.Equal(t, tt.hidden, candidates(e.Hidden), label)
		assert.Equal(t, tt.shadowed, candidates(e.Shadowed), label)
	}
}

func TestDiff(t *testing.T) {
	entries := []visibility.Entry{
		at(serviceEntry("a", "a", 1, "x.net", "*.wild.net"), "10.0.0.1", "10.0.0.0/8"),
		at(serviceEntry("b", "b", 2, "x.net", "y.wild.net"), "10.0.0.0/16"),
	}
	index := func(a, b string) *visibility.Index {
		return mustIndex(t, byLabel(t), map[string]map[string]string{"a": {"level": a}, "b": {"level": b}}, nil, entries...)
	}
	say := func(before, after *visibility.Index) []string {
		var list []string
		for _, c := range visibility.Diff(before, after) {
			s := fmt.Sprintf("%s: %s>%s", c.Name, c.Before.Name, c.After.Name)
			if c.Only != nil {
				s += fmt.Sprint(" only ", c.Only)
			} else if c.Except != nil {
				s += fmt.Sprint(" except ", c.Except)
			}
			list = append(list, s)
		}
		return list
	}
	public := index("PUBLIC", "PUBLIC")
	assert.Empty(t, say(public, public))
	assert.Equal(t, []string{
		"*.wild.net: a> except [a]",
		"x.net: a>b except [a b]",
		"10.0.0.0/8: a> except [a]",
		"10.0.0.1: a>b except [a]",
	}, say(public, index("NAMESPACE", "PUBLIC")))
	assert.Equal(t, []string{
		"*.wild.net: a> except [a]",
		"x.net: a> except [a b]",
		"y.wild.net: b> except [a b]",
		"y.wild.net: b>a only [a]",
		"10.0.0.0/8: a> except [a]",
		"10.0.0.0/16: b> except [a b]",
		"10.0.0.1: a> except [a b]",
		"10.0.0.1: a>b only [b]",
	}, say(public, index("NAMESPACE", "NAMESPACE")))
	assert.Equal(t, []string{
		"*.wild.net: >a", "x.net: >a except [b]", "x.net: >b only [b]", "y.wild.net: >b",
		"10.0.0.0/8: >a", "10.0.0.0/16: >b except [a]", "10.0.0.0/16: >a only [a]", "10.0.0.1: >a",
	}, say(nil, public))
	assert.Equal(t, []string{
		"*.wild.net: a> only [a]", "x.net: a> only [a]", "y.wild.net: a> only [a]",
		"10.0.0.0/8: a> only [a]", "10.0.0.0/16: a> only [a]", "10.0.0.1: a> only [a]",
	}, say(index("NAMESPACE", "NONE"), index("NONE", "NONE")))
}
