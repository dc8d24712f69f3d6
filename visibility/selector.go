package visibility

// Which sets of labels a Kubernetes label selector matches.

import (
	"fmt"
	"maps"
	"slices"
)

// An Operator relates the key of a [Requirement] to its values. There are no
// others than these four; case matters.
type Operator string

const (
	In           Operator = "In"           // the label is there and has one of the values
	NotIn        Operator = "NotIn"        // the label is not there, or has none of the values
	Exists       Operator = "Exists"       // the label is there
	DoesNotExist Operator = "DoesNotExist" // the label is not there
)

// A LabelSelector is a Kubernetes label selector: all of its requirements must
// hold. An empty one matches everything, a nil one nothing.
type LabelSelector struct {
	// MatchLabels are labels that must be there with exactly these values.
	MatchLabels map[string]string
	// MatchExpressions are further requirements.
	MatchExpressions []Requirement
}

// A Requirement is a condition on one label. In and NotIn need values, the
// other operators must not have any.
type Requirement struct {
	Key      string
	Operator Operator
	Values   []string
}

// A Selector is a LabelSelector, compiled: immutable and safe for concurrent
// use. A nil or zero Selector matches nothing.
type Selector struct {
	ok       bool // it may match
	requires []requirement
}

// CompileSelector compiles s, which is not kept. The semantics are those of
// metav1.LabelSelectorAsSelector. The error is [Errors], with every fault.
func CompileSelector(s *LabelSelector) (*Selector, error) {
	var errs Errors
	compiled := compileSelector(s, "", &errs)
	if len(errs) > 0 {
		return nil, errs
	}
	return compiled, nil
}

// Matches reports whether the selector matches labels, of which nil are none.
// It allocates nothing and looks each required label up once.
func (s *Selector) Matches(labels map[string]string) bool {
	if s == nil || !s.ok {
		return false
	}
	for i := range s.requires {
		value, ok := labels[s.requires[i].key]
		if !s.requires[i].matches(value, ok) {
			return false
		}
	}
	return true
}

// A requirement is a Requirement, compiled. An equality is an In of one value.
type requirement struct {
	key      string
	operator Operator
	value    string   // the one value
	values   []string // several, sorted; nil if there is one or none
	memo     uint8    // the place of key in a memo, from 1; 0: none
}

// matches reports whether r holds where its label has the value, or is not
// there.
func (r *requirement) matches(value string, ok bool) bool {
	switch r.operator {
	case In:
		return ok && r.has(value)
	case NotIn:
		return !ok || !r.has(value)
	case Exists:
		return ok
	}
	return !ok
}

func (r *requirement) has(value string) bool {
	if r.values == nil {
		return value == r.value
	}
	if len(r.values) <= 8 {
		return slices.Contains(r.values, value)
	}
	_, ok := slices.BinarySearch(r.values, value)
	return ok
}

// negative reports whether r holds for namespaces that do not have the label.
func (r *requirement) negative() bool {
	return r.operator == NotIn || r.operator == DoesNotExist
}

// compileSelector adds the faults of s, which stands at path, to errs. It
// returns a selector in any case.
func compileSelector(s *LabelSelector, path string, errs *Errors) *Selector {
	if s == nil {
		return new(Selector)
	}
	c := &Selector{ok: true}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		at := join(path, fmt.Sprintf("matchLabels[%s]", quote(key)))
		if err := checkLabelKey(key); err != nil {
			errs.add(at, err)
		}
		value := s.MatchLabels[key]
		if err := checkLabelValue(value); err != nil {
			errs.addf(at, "value %s: %w", quote(value), err)
		}
		c.requires = append(c.requires, requirement{key: key, operator: In, value: value})
	}
	for i, e := range s.MatchExpressions {
		at := join(path, fmt.Sprintf("matchExpressions[%d]", i))
		c.requires = append(c.requires, compileRequirement(&e, at, errs))
	}
	return c
}

func compileRequirement(e *Requirement, path string, errs *Errors) requirement {
	if err := checkLabelKey(e.Key); err != nil {
		errs.addf(path+".key", "%s: %w", quote(e.Key), err)
	}
	switch e.Operator {
	case In, NotIn:
		if len(e.Values) == 0 {
			errs.addf(path+".values", "%s needs values: write at least one, or the operator Exists or DoesNotExist", e.Operator)
		}
	case Exists, DoesNotExist:
		if len(e.Values) > 0 {
			errs.addf(path+".values", "%s takes no values: remove them, or write the operator In or NotIn", e.Operator)
		}
	default:
		names := []string{string(In), string(NotIn), string(Exists), string(DoesNotExist)}
		errs.add(path+".operator", unknownName(string(e.Operator), names))
	}
	for i, value := range e.Values {
		if err := checkLabelValue(value); err != nil {
			errs.addf(fmt.Sprintf("%s.values[%d]", path, i), "%s: %w", quote(value), err)
		}
	}
	r := requirement{key: e.Key, operator: e.Operator}
	switch values := slices.Compact(slices.Sorted(slices.Values(e.Values))); len(values) {
	case 0:
	case 1:
		r.value = values[0]
	default:
		r.values = values
	}
	return r
}

// join appends a field to a path.
func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}
