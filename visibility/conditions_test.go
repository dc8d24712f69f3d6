// What is reported about an entry, and which waypoints it may use.

package visibility_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

func TestVectorsConditions(t *testing.T) {
	data, err := os.ReadFile("testdata/visibility.json")
	require.NoError(t, err)
	var vectors struct {
		Waypoints []struct {
			ID, SourceKind             string
			Visibility                 visibility.Level
			ServiceNamespace, Waypoint string
			CanaryWaypoint             string
			Bound                      bool
		}
		Conditions []struct {
			ID, SourceKind string
			Configured     bool
			Visibility     visibility.Level
			Condition      *struct{ Type, Status, Reason string }
		}
	}
	require.NoError(t, json.Unmarshal(data, &vectors))
	entry := func(kind string, namespace string) visibility.Entry {
		if kind == "Service" {
			return service(namespace, "x", 1, "x.net")
		}
		return serviceEntry(namespace, "x", 1, "x.net")
	}
	waypoint := func(s string) visibility.Waypoint {
		namespace, name, _ := strings.Cut(s, "/")
		return visibility.Waypoint{Namespace: namespace, Name: name}
	}
	require.NotEmpty(t, vectors.Waypoints)
	for _, v := range vectors.Waypoints {
		t.Run(v.ID, func(t *testing.T) {
			r := mustCompile(t, &visibility.Config{DefaultVisibility: v.Visibility})
			e := entry(v.SourceKind, v.ServiceNamespace)
			x := mustIndex(t, r, nil, nil, e)
			assert.Equal(t, v.Bound, x.BindWaypoint(e.Ref, waypoint(v.Waypoint).Namespace) == nil)
			refused := !v.Bound
			waypoints := []visibility.Waypoint{waypoint(v.Waypoint)}
			if v.CanaryWaypoint != "" { // which Istio does not check
				assert.ErrorIs(t, x.BindWaypoint(e.Ref, waypoint(v.CanaryWaypoint).Namespace), visibility.ErrCrossNamespaceWaypoint)
				waypoints = append(waypoints, waypoint(v.CanaryWaypoint))
				refused = true
			}
			var got []string
			for _, c := range x.Conditions(e.Ref, waypoints...) {
				if c.Type == visibility.ConditionWaypointBound {
					got = append(got, c.Status+" "+c.Reason)
				}
			}
			if !refused {
				assert.Empty(t, got)
				return
			}
			assert.Equal(t, []string{"False CrossNamespaceWaypointForbidden"}, got)
		})
	}
	require.NotEmpty(t, vectors.Conditions)
	for _, v := range vectors.Conditions {
		t.Run(v.ID, func(t *testing.T) {
			r := visibility.Off()
			if v.Configured {
				r = mustCompile(t, &visibility.Config{DefaultVisibility: v.Visibility})
			}
			e := entry(v.SourceKind, "a")
			var got *visibility.Condition
			for _, c := range mustIndex(t, r, nil, nil, e).Conditions(e.Ref) {
				if c.Type == visibility.ConditionVisibilityApplied {
					got = &c
				}
			}
			if v.Condition == nil {
				assert.Nil(t, got)
				return
			}
			require.NotNil(t, got)
			assert.Equal(t, [3]string{v.Condition.Type, v.Condition.Status, v.Condition.Reason}, [3]string{got.Type, got.Status, got.Reason})
		})
	}
}

func TestConditions(t *testing.T) {
	namespaces := map[string]map[string]string{"a": {"level": "NAMESPACE"}, "b": {"level": "PUBLIC"}, "c": {"level": "NONE"}, "d": {"level": "PUBLIC"}}
	x := mustIndex(t, byLabel(t), namespaces, nil,
		serviceEntry("a", "inner", 1, "x.net", "y.net"),
		serviceEntry("a", "loser", 2, "x.net", "z.net"),
		serviceEntry("b", "public", 3, "x.net"),
		serviceEntry("d", "later", 4, "x.net", "only.net"),
		serviceEntry("d", "last", 5, "x.net"),
		serviceEntry("c", "none", 1, "x.net"),
		service("b", "service", 9, "y.net"),
	)
	near, far := visibility.Waypoint{Namespace: "a", Name: "w"}, visibility.Waypoint{Namespace: "b", Name: "v"}
	for _, tt := range []struct {
		namespace, name string
		waypoints       []visibility.Waypoint
		want            []visibility.Condition
	}{
		{"a", "inner", []visibility.Waypoint{near}, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Namespace", Message: "the visibility of the entry is its own namespace"},
		}},
		{"a", "loser", []visibility.Waypoint{far, near}, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Namespace", Message: "the visibility of the entry is its own namespace"},
			{Type: "istio.io/WaypointBound", Status: "False", Reason: "CrossNamespaceWaypointForbidden", Message: "the visibility of the entry forbids the use of b/v"},
			{Type: "readdress.github.io/Shadowed", Status: "True", Reason: "HostTaken", Message: "x.net: clients in a get ServiceEntry a/inner"},
		}},
		{"b", "public", []visibility.Waypoint{near}, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Public", Message: "the visibility of the entry is the entire mesh"},
		}},
		{"d", "later", nil, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Public", Message: "the visibility of the entry is the entire mesh"},
			{Type: "readdress.github.io/Shadowed", Status: "True", Reason: "HostTaken", Message: "x.net: clients in other namespaces get ServiceEntry b/public"},
		}},
		{"d", "last", nil, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Public", Message: "the visibility of the entry is the entire mesh"},
			{Type: "readdress.github.io/Shadowed", Status: "True", Reason: "HostTaken", Message: "x.net: clients in d get ServiceEntry d/later; x.net: clients in other namespaces get ServiceEntry b/public"},
		}},
		{"c", "none", []visibility.Waypoint{{Namespace: "c", Name: "w"}}, []visibility.Condition{
			{Type: "istio.io/WaypointBound", Status: "False", Reason: "CrossNamespaceWaypointForbidden", Message: "the visibility of the entry forbids the use of c/w"},
			{Type: "readdress.github.io/Hidden", Status: "True", Reason: "None", Message: "the entry is visible to nobody by policies[0]"},
		}},
		{"a", "unknown", nil, nil},
	} {
		ref := visibility.Ref{Namespace: tt.namespace, Name: tt.name}
		assert.Equal(t, tt.want, x.Conditions(ref, tt.waypoints...), tt.name)
	}
	assert.Empty(t, x.Conditions(visibility.Ref{Kind: visibility.Service, Namespace: "b", Name: "service"}, near))

	byDefault := mustIndex(t, mustCompile(t, &visibility.Config{DefaultVisibility: visibility.None}), nil, nil, serviceEntry("a", "x", 1))
	assert.Equal(t, "the entry is visible to nobody by defaultVisibility", byDefault.Conditions(visibility.Ref{Namespace: "a", Name: "x"})[0].Message)
}

// Where visibility is not applied, it hides nothing.
func TestConditionsWithoutApplyToSidecars(t *testing.T) {
	const applied, hidden = visibility.ConditionVisibilityApplied, visibility.ConditionHidden
	for _, tt := range []struct {
		plane  visibility.DataPlane
		capped bool
		level  visibility.Level
		want   string
	}{
		{visibility.Ambient, false, visibility.None, hidden},
		{visibility.Ambient, false, visibility.Namespace, applied},
		{visibility.Envoy, false, visibility.None, ""},
		{visibility.Envoy, false, visibility.Namespace, ""},
		{visibility.Envoy, false, visibility.Public, ""},
		{visibility.Envoy, true, visibility.None, hidden},
		{visibility.Envoy, true, visibility.Namespace, applied},
		{visibility.Gateway, false, visibility.None, ""},
		{visibility.Gateway, true, visibility.None, hidden},
		{visibility.Gateway, true, visibility.Public, applied},
	} {
		e := serviceEntry("a", "x", 1, "x.net")
		r := mustCompile(t, &visibility.Config{DefaultVisibility: tt.level, ApplyToSidecars: tt.capped})
		x := mustIndex(t, r, nil, &visibility.IndexOptions{DataPlane: tt.plane}, e)
		var types []string
		for _, c := range x.Conditions(e.Ref) {
			types = append(types, c.Type)
		}
		assert.Equal(t, tt.want, strings.Join(types, " "), "%d %t %v", tt.plane, tt.capped, tt.level)
	}
}

func TestConditionShadowed(t *testing.T) {
	many := make([]string, 14)
	for i := range many {
		many[i] = nsName(i)
	}
	for _, tt := range []struct {
		name    string
		plane   visibility.DataPlane
		entries []visibility.Entry // the first is asked about
		want    string
	}{
		{"another entry is exported to the same namespace", visibility.Envoy, []visibility.Entry{
			exported(serviceEntry("a", "x", 5, "h.com"), "b"), exported(serviceEntry("c", "y", 1, "h.com"), "b"),
		}, "h.com: clients in b get ServiceEntry c/y"},
		{"and to one of several", visibility.Envoy, []visibility.Entry{
			exported(serviceEntry("a", "x", 5, "h.com", "i.com"), "b", "d"), exported(serviceEntry("c", "y", 1, "h.com"), "d", "e"),
		}, "h.com: clients in d get ServiceEntry c/y"},
		{"an older one is exported to some who would get this one", visibility.Envoy, []visibility.Entry{
			serviceEntry("a", "x", 5, "h.com"), exported(serviceEntry("c", "y", 1, "h.com"), "b", "d"),
		}, "h.com: clients in b, d get ServiceEntry c/y"},
		{"one of several for everyone", visibility.Gateway, []visibility.Entry{
			exported(serviceEntry("a", "x", 5, "h.com"), "b"), serviceEntry("c", "y", 1, "h.com"),
		}, "h.com: clients in b get ServiceEntry c/y"},
		{"many namespaces", visibility.Gateway, []visibility.Entry{
			exported(serviceEntry("a", "x", 5, "h.com"), many...), serviceEntry("c", "y", 1, "h.com"),
		}, "h.com: clients in namespace-0, namespace-1, namespace-10, namespace-11, namespace-12, namespace-13, namespace-2, namespace-3, namespace-4, namespace-5 and 4 more get ServiceEntry c/y"},
		{"first of all", visibility.Envoy, []visibility.Entry{
			exported(serviceEntry("a", "x", 1, "h.com"), "b"), exported(serviceEntry("c", "y", 5, "h.com"), "b"),
		}, ""},
		{"a namespace prefers its own", visibility.Ambient, []visibility.Entry{
			serviceEntry("a", "x", 1, "h.com"), serviceEntry("b", "y", 5, "h.com"),
		}, ""},
		{"also what is exported to it", visibility.Envoy, []visibility.Entry{
			exported(serviceEntry("a", "x", 1, "h.com"), "b"), exported(serviceEntry("b", "y", 5, "h.com"), "."),
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := mustIndex(t, mustCompile(t, new(visibility.Config)), nil, &visibility.IndexOptions{DataPlane: tt.plane}, tt.entries...)
			got := ""
			for _, c := range x.Conditions(tt.entries[0].Ref) {
				if c.Type == visibility.ConditionShadowed {
					got = c.Message
				}
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestBindWaypoint(t *testing.T) {
	x := mustIndex(t, byLabel(t), map[string]map[string]string{"a": {"level": "NAMESPACE"}, "c": {"level": "NONE"}}, nil,
		serviceEntry("a", "x", 1), serviceEntry("b", "x", 1), serviceEntry("c", "x", 1), service("c", "x", 1))
	for _, tt := range []struct {
		kind            visibility.Kind
		owner, waypoint string
		want            error
	}{
		{visibility.ServiceEntry, "a", "a", nil},
		{visibility.ServiceEntry, "a", "b", visibility.ErrCrossNamespaceWaypoint},
		{visibility.ServiceEntry, "a", "", visibility.ErrCrossNamespaceWaypoint},
		{visibility.ServiceEntry, "b", "a", nil},
		{visibility.ServiceEntry, "c", "c", visibility.ErrHiddenEntry},
		{visibility.Service, "c", "a", nil},
		{visibility.Service, "a", "a", visibility.ErrUnknownEntry},
	} {
		err := x.BindWaypoint(visibility.Ref{Kind: tt.kind, Namespace: tt.owner, Name: "x"}, tt.waypoint)
		assert.Equal(t, tt.want, err, "%v %s %s", tt.kind, tt.owner, tt.waypoint)
	}
}
