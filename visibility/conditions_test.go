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
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Namespace", Message: "the entry is visible in its own namespace only"},
		}},
		{"a", "loser", []visibility.Waypoint{far, near}, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Namespace", Message: "the entry is visible in its own namespace only"},
			{Type: "istio.io/WaypointBound", Status: "False", Reason: "CrossNamespaceWaypointForbidden", Message: "the visibility of the entry forbids the use of b/v"},
			{Type: "readdress.github.io/Shadowed", Status: "True", Reason: "HostTaken", Message: "x.net: clients in a get ServiceEntry a/inner"},
		}},
		{"b", "public", []visibility.Waypoint{near}, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Public", Message: "the entry is visible in the entire mesh"},
		}},
		{"d", "later", nil, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Public", Message: "the entry is visible in the entire mesh"},
			{Type: "readdress.github.io/Shadowed", Status: "True", Reason: "HostTaken", Message: "x.net: clients in other namespaces get ServiceEntry b/public"},
		}},
		{"d", "last", nil, []visibility.Condition{
			{Type: "istio.io/VisibilityApplied", Status: "True", Reason: "Public", Message: "the entry is visible in the entire mesh"},
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
