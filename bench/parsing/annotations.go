// Package parsing measures how configuration is read: the annotations of
// package annotation, and objects of the dialects of Ingress, beside what
// encoding/json takes to decode the same text.
package parsing

import (
	"encoding/json"
	"errors"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

// An Annotated is the annotations of one Ingress, with the default prefix.
type Annotated struct {
	Name   string
	Values map[string]string
}

// Annotations returns annotations as people write them.
func Annotations() []Annotated {
	return []Annotated{
		{"one", prefixed(map[string]string{
			"path-prefix-trim": `[{"params": "/api"}]`,
		})},
		{"three", prefixed(map[string]string{
			"host":         `[{"params": "example.com", "when": "AfterLocation"}]`,
			"path":         `[{"params": "/bar"}]`,
			"query-rename": `[{"params": {"name": "user"}, "when": "AfterLocation", "order": 1}]`,
		})},
		{"eight", prefixed(map[string]string{
			"host":                    `[{"params": "backend.internal:8080", "when": "Forward"}]`,
			"path-prefix-add":         `[{"params": "/service", "order": 2}, {"params": "/v2", "when": "Forward"}]`,
			"path-prefix-trim":        `[{"params": "/api", "order": 1}]`,
			"path-prefix-strip":       `[{"params": 1, "when": "BeforeLocation"}]`,
			"query-add":               `[{"params": {"from": "gateway", "lang": "en"}, "order": 5}]`,
			"query-delete":            `[{"params": ["token", "debug"], "order": 1}]`,
			"query-rename":            `[{"params": {"name": "user"}, "order": 2}]`,
			"query-delete-all-except": `[{"params": ["user", "page"], "order": 3}]`,
		})},
	}
}

func prefixed(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for name, value := range m {
		out[annotation.DefaultPrefix+name] = value
	}
	return out
}

// Decode reads the values with encoding/json into the fields of the grammar,
// and judges nothing: it is less than what Parse does. It returns the number of
// items.
func Decode(annotations map[string]string) (items int, err error) {
	for _, value := range annotations {
		var list []struct {
			Params any
			When   string
			Order  int32
		}
		if err := json.Unmarshal([]byte(value), &list); err != nil {
			return 0, err
		}
		items += len(list)
	}
	return items, nil
}

// Parse reads the annotations and returns the rules.
func Parse(annotations map[string]string) ([]rewrite.Rule, error) {
	plan, err := annotation.Parse(annotations, nil)
	if err != nil {
		return nil, err
	}
	return plan.Rules, nil
}

// Compile reads the annotations and compiles what they say.
func Compile(annotations map[string]string) (*rewrite.Program, error) {
	plan, err := annotation.Parse(annotations, nil)
	if err != nil {
		return nil, err
	}
	if len(plan.Rules) == 0 {
		return nil, errors.New("no rules")
	}
	return plan.Compile()
}
