package visibility

// What is reported in the status of an entry, and which waypoints it may use.

import (
	"errors"
	"fmt"
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
//   - ConditionVisibilityApplied, True, with the reason Public or Namespace;
//   - ConditionWaypointBound, False, if [Index.BindWaypoint] refuses any waypoint, each
//     of which is named. That it is True is for those to say who know that the
//     waypoint is ready;
//   - ConditionHidden, True, with the reason None, instead of the first;
//   - ConditionShadowed, True, if clients who see the entry get another one for
//     one of its hosts.
//
// There are none for Services, for entries that are not known and if visibility
// is not configured. Remove a condition of these types that is not returned.
func (x *Index) Conditions(ref Ref, waypoints ...Waypoint) []Condition {
	r := x.record(ref)
	if r == nil || r.Kind == Service || !x.resolver.Configured() {
		return nil
	}
	var list []Condition
	add := func(typ, status, reason, message string) {
		list = append(list, Condition{typ, status, reason, message})
	}
	switch r.level {
	case Public:
		add(ConditionVisibilityApplied, "True", r.level.Reason(), "the entry is visible in the entire mesh")
	case Namespace:
		add(ConditionVisibilityApplied, "True", r.level.Reason(), "the entry is visible in its own namespace only")
	}
	if refused := x.refused(ref, waypoints); len(refused) > 0 {
		message := "the visibility of the entry forbids the use of " + strings.Join(refused, ", ")
		add(ConditionWaypointBound, "False", "CrossNamespaceWaypointForbidden", message)
	}
	if r.level == None {
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
		s := x.host(key)
		if r.scope.Allows(r.Namespace) {
			if got, _ := s.view.pick(r.Namespace, x.hashName(r.Namespace), false); got != nil && got != r {
				list = append(list, fmt.Sprintf("%s: clients in %s get %v", hostOf(key), r.Namespace, got.Ref))
			}
		}
		if got := s.view.canonical; r.scope.everyone && got != nil && got != r {
			list = append(list, fmt.Sprintf("%s: clients in other namespaces get %v", hostOf(key), got.Ref))
		}
	}
	return list
}
