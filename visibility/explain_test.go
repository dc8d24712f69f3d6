// Why a client gets what it gets.

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
