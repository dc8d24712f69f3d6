package visibility

// What a mesh administrator configures, as data.

import (
	"encoding/json"
	"maps"
)

// A Config is Istio's serviceEntryVisibility: which entries are visible to
// whom, by the labels of the namespaces that they are in. The zero Config makes
// everything Public. A nil one stands for a mesh without such a configuration,
// for which there is [Off].
type Config struct {
	// DefaultVisibility is of the entries that no policy is for; Unspecified
	// means Public.
	DefaultVisibility Level
	// ApplyToSidecars caps exportTo by the visibility, for every proxy that is
	// Envoy: sidecars and gateways. Without it they obey exportTo alone.
	ApplyToSidecars bool
	// Policies are asked in order; the first that matches decides.
	Policies []Policy
	// DefaultExportTo is the mesh's defaultServiceExportTo: the exportTo of
	// entries that have none. nil means "*", empty and not nil means nobody.
	DefaultExportTo []string
}

// A Policy gives the entries of some namespaces a visibility.
type Policy struct {
	// Visibility is what the policy decides; Unspecified means Public.
	Visibility Level
	// MatchingRules must all match. Without any the policy matches everything.
	MatchingRules []MatchRule
}

// A MatchRule is one condition of a policy. The zero MatchRule never matches.
type MatchRule struct {
	// NamespaceSelector is matched with the labels of the entry's namespace.
	NamespaceSelector *LabelSelector
}

// NamespaceOnly returns the configuration in which every entry stays in its
// namespace.
func NamespaceOnly() *Config {
	return &Config{DefaultVisibility: Namespace}
}

// RootNamespace returns the configuration in which every entry stays in its
// namespace, except those in the namespace called name, which are Public. It is
// told by the label kubernetes.io/metadata.name, which Kubernetes sets and
// nobody can change.
func RootNamespace(name string) *Config {
	c := NamespaceOnly()
	c.Policies = []Policy{{
		Visibility: Public,
		MatchingRules: []MatchRule{{NamespaceSelector: &LabelSelector{
			MatchLabels: map[string]string{"kubernetes.io/metadata.name": name},
		}}},
	}}
	return c
}

// The wire form of a Config: what MarshalJSON writes.
type (
	jsonMesh struct {
		DefaultServiceExportTo []string   `json:"defaultServiceExportTo"`
		ServiceEntryVisibility jsonConfig `json:"serviceEntryVisibility"`
	}
	jsonConfig struct {
		DefaultVisibility Level        `json:"defaultVisibility,omitempty"`
		ApplyToSidecars   bool         `json:"applyToSidecars,omitempty"`
		Policies          []jsonPolicy `json:"policies,omitempty"`
	}
	jsonPolicy struct {
		Visibility    Level      `json:"visibility,omitempty"`
		MatchingRules []jsonRule `json:"matchingRules,omitempty"`
	}
	jsonRule struct {
		NamespaceSelector *jsonSelector `json:"namespaceSelector,omitempty"`
	}
	jsonSelector struct {
		MatchLabels      map[string]string `json:"matchLabels,omitempty"`
		MatchExpressions []jsonRequirement `json:"matchExpressions,omitempty"`
	}
	jsonRequirement struct {
		Key      string   `json:"key"`
		Operator Operator `json:"operator"`
		Values   []string `json:"values,omitempty"`
	}
)

// MarshalJSON writes c in a form that [ParseConfig] reads: the message itself,
// or a mesh configuration if there is a DefaultExportTo.
func (c Config) MarshalJSON() ([]byte, error) {
	message := jsonConfig{DefaultVisibility: c.DefaultVisibility, ApplyToSidecars: c.ApplyToSidecars}
	for _, p := range c.Policies {
		policy := jsonPolicy{Visibility: p.Visibility}
		for _, rule := range p.MatchingRules {
			policy.MatchingRules = append(policy.MatchingRules, jsonRule{rule.NamespaceSelector.wire()})
		}
		message.Policies = append(message.Policies, policy)
	}
	if c.DefaultExportTo != nil {
		return json.Marshal(jsonMesh{c.DefaultExportTo, message})
	}
	return json.Marshal(message)
}

func (s *LabelSelector) wire() *jsonSelector {
	if s == nil {
		return nil
	}
	w := &jsonSelector{MatchLabels: maps.Clone(s.MatchLabels)}
	for _, e := range s.MatchExpressions {
		w.MatchExpressions = append(w.MatchExpressions, jsonRequirement(e))
	}
	return w
}

// UnmarshalJSON is [ParseConfig] into c, which is left as it was by null and on
// error.
func (c *Config) UnmarshalJSON(data []byte) error {
	parsed, err := ParseConfig(data)
	if err != nil || parsed == nil {
		return err
	}
	*c = *parsed
	return nil
}
