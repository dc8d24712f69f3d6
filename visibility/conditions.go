package visibility

// What is reported in the status of an entry, and which waypoints it may use.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The types of conditions. The first two are Istio's. Istio reports nothing
// about an entry that it hides or that another one takes the place of, for
// which the others are.
const (
	ConditionVisibilityApplied = "istio.io/VisibilityApplied"
	ConditionWaypointBound     = "istio.io/WaypointBound"
	ConditionHidden            = "readdress.github.io/Hidden"
	ConditionShadowed          = "readdress.github.io/Shadowed"
)

// A Condition is one condition of a Kubernetes object, without times.
type Condition struct {
	Type    string
	Status  string // True or False
	Reason  string
	Message string
}

// A Waypoint is a reference of an entry to a waypoint.
type Waypoint struct{ Namespace, Name string }

// String returns namespace/name.
func (w Waypoint) String() string { return w.Namespace + "/" + w.Name }

// Why an entry does not bind to a waypoint.
var (
	ErrCrossNamespaceWaypoint = errors.New("visibility: an entry that is visible in its namespace only cannot use a waypoint of another one")
	ErrHiddenEntry            = errors.New("visibility: an entry that nobody sees cannot use a waypoint")
	ErrUnknownEntry           = errors.New("visibility: the entry is not known")
)

// BindWaypoint reports whether an entry may use a waypoint in a namespace: nil,
// or one of the errors above. Services and entries of visibility Public may use
// any, those of Namespace one in their own namespace, and those of None none.
// Ask about every reference; Istio does not about the one for a canary, and
// sends a part of the traffic out of the namespace. Whether the waypoint exists
// and is ready is another matter.
func (x *Index) BindWaypoint(ref Ref, namespace string) error {
	r := x.record(ref)
	switch {
	case r == nil:
		return ErrUnknownEntry
	case r.level == Public:
		return nil
	case r.level != Namespace:
		return ErrHiddenEntry
	case namespace != r.Namespace:
		return ErrCrossNamespaceWaypoint
	}
	return nil
}

// Conditions returns what to write in the status of an entry that refers to
// these waypoints, in this order:
//
//   - ConditionVisibilityApplied, True, with the reason Public or Namespace. On
//     [Envoy] and [Gateway] without ApplyToSidecars visibility is not applied;
//   - ConditionWaypointBound, False, if [Index.BindWaypoint] refuses any waypoint, each
//     of which is named. That it is True is for those to say who know that the
//     waypoint is ready;
//   - ConditionHidden, True, with the reason None, instead of the first and where
//     that is applied;
//   - ConditionShadowed, True, if clients who see the entry get another one for
//     one of its hosts. That a namespace gets an entry of its own rather than
//     one of another namespace is as its owner wants it, and not told.
//
// There are none for Services, for entries that are not known and if visibility
// is not configured. Remove a condition of these types that is not returned. The
// cost is linear in the hosts of the entry, each times the namespaces that own it
// or are named by exportTo.
func (x *Index) Conditions(ref Ref, waypoints ...Waypoint) []Condition {
	r := x.record(ref)
	if r == nil || r.Kind == Service || !x.resolver.Configured() {
		return nil
	}
	var list []Condition
	add := func(typ, status, reason, message string) {
		list = append(list, Condition{typ, status, reason, message})
	}
	applied := x.plane == Ambient || x.resolver.capped
	switch {
	case !applied:
	case r.level == Public:
		add(ConditionVisibilityApplied, "True", r.level.Reason(), "the visibility of the entry is the entire mesh")
	case r.level == Namespace:
		add(ConditionVisibilityApplied, "True", r.level.Reason(), "the visibility of the entry is its own namespace")
	}
	if refused := x.refused(ref, waypoints); len(refused) > 0 {
		message := "the visibility of the entry forbids the use of " + strings.Join(refused, ", ")
		add(ConditionWaypointBound, "False", "CrossNamespaceWaypointForbidden", message)
	}
	if applied && r.level == None {
		add(ConditionHidden, "True", r.level.Reason(), "the entry is visible to nobody"+decidedBy(r.policy))
		return list
	}
	if shadows := x.shadows(r); len(shadows) > 0 {
		add(ConditionShadowed, "True", "HostTaken", strings.Join(shadows, "; "))
	}
	return list
}

func decidedBy(policy int) string {
	if policy < 0 {
		return " by defaultVisibility"
	}
	return fmt.Sprintf(" by policies[%d]", policy)
}

// refused returns the waypoints that the entry may not use.
func (x *Index) refused(ref Ref, waypoints []Waypoint) []string {
	var list []string
	for _, w := range waypoints {
		if x.BindWaypoint(ref, w.Namespace) != nil {
			list = append(list, w.String())
		}
	}
	return list
}

// shadows says, for each host of r, who sees r and gets another entry.
func (x *Index) shadows(r *record) []string {
	var list []string
	for _, key := range r.hosts {
		v := &x.host(key).view
		clients := append([]string{r.Namespace}, r.scope.names...)
		if r.scope.everyone {
			for c := range v.choices.all {
				if !c.own {
					clients = append(clients, c.client)
				}
			}
		}
		slices.Sort(clients)
		instead := make(map[Ref][]string)
		for _, client := range slices.Compact(clients) {
			got, own := v.pick(client, x.hashName(client), false)
			if r.scope.Allows(client) && got != nil && got != r && (!own || client == r.Namespace) {
				instead[got.Ref] = append(instead[got.Ref], client)
			}
		}
		for _, ref := range slices.SortedFunc(maps.Keys(instead), Ref.Compare) {
			list = append(list, fmt.Sprintf("%s: clients in %s get %v", hostOf(key), enumerate(instead[ref]), ref))
		}
		if got := v.canonical; r.scope.everyone && got != nil && got != r {
			list = append(list, fmt.Sprintf("%s: clients in other namespaces get %v", hostOf(key), got.Ref))
		}
	}
	return list
}

// enumerate names a few of the namespaces: a condition is a message, and short.
func enumerate(namespaces []string) string {
	const most = 10
	if n := len(namespaces); n > most {
		return fmt.Sprintf("%s and %d more", strings.Join(namespaces[:most], ", "), n-most)
	}
	return strings.Join(namespaces, ", ")
}
