package gateway

// The JSON of an HTTPRoute and its parts. The mirrors here have the fields of
// the exported types, with the names that the API gives them.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/readdress/readdress/route/ingress/internal/manifest"
)

const (
	apiGroup   = "gateway.networking.k8s.io"
	apiVersion = apiGroup + "/v1"
	routeKind  = "HTTPRoute"
)

type (
	routeJSON struct {
		APIVersion string       `json:"apiVersion,omitempty"`
		Kind       string       `json:"kind,omitempty"`
		Metadata   metadataJSON `json:"metadata"`
		Spec       specJSON     `json:"spec"`
	}
	metadataJSON struct {
		Namespace         string     `json:"namespace,omitempty"`
		Name              string     `json:"name"`
		CreationTimestamp *time.Time `json:"creationTimestamp,omitempty"`
	}
	specJSON struct {
		ParentRefs []ParentRef `json:"parentRefs,omitempty"`
		Hostnames  []string    `json:"hostnames,omitempty"`
		Rules      []Rule      `json:"rules,omitempty"`
	}
	parentJSON struct {
		Group       string `json:"group,omitempty"`
		Kind        string `json:"kind,omitempty"`
		Namespace   string `json:"namespace,omitempty"`
		Name        string `json:"name"`
		SectionName string `json:"sectionName,omitempty"`
		Port        int    `json:"port,omitempty"`
	}
	ruleJSON struct {
		Name        string       `json:"name,omitempty"`
		Matches     []Match      `json:"matches,omitempty"`
		Filters     []Filter     `json:"filters,omitempty"`
		BackendRefs []BackendRef `json:"backendRefs,omitempty"`
		Unread      []string     `json:"-"`
	}
	matchJSON struct {
		Path        PathMatch    `json:"path,omitzero"`
		Headers     []ValueMatch `json:"headers,omitempty"`
		QueryParams []ValueMatch `json:"queryParams,omitempty"`
		Method      string       `json:"method,omitempty"`
		Unread      []string     `json:"-"`
	}
	pathMatchJSON struct {
		Type  string `json:"type,omitempty"`
		Value string `json:"value,omitempty"`
	}
	valueMatchJSON struct {
		Type  string `json:"type,omitempty"`
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	filterJSON struct {
		Type                   string           `json:"type"`
		URLRewrite             *URLRewrite      `json:"urlRewrite,omitempty"`
		RequestRedirect        *RequestRedirect `json:"requestRedirect,omitempty"`
		RequestHeaderModifier  *HeaderModifier  `json:"requestHeaderModifier,omitempty"`
		ResponseHeaderModifier *HeaderModifier  `json:"responseHeaderModifier,omitempty"`
		Unread                 []string         `json:"-"`
	}
	urlRewriteJSON struct {
		Hostname string       `json:"hostname,omitempty"`
		Path     PathModifier `json:"path,omitzero"`
	}
	redirectJSON struct {
		Scheme     string       `json:"scheme,omitempty"`
		Hostname   string       `json:"hostname,omitempty"`
		Path       PathModifier `json:"path,omitzero"`
		Port       int          `json:"port,omitempty"`
		StatusCode int          `json:"statusCode,omitempty"`
	}
	pathModifierJSON struct {
		Type               string  `json:"type"`
		ReplaceFullPath    *string `json:"replaceFullPath,omitempty"`
		ReplacePrefixMatch *string `json:"replacePrefixMatch,omitempty"`
	}
	headersJSON struct {
		Set    []HeaderValue `json:"set,omitempty"`
		Add    []HeaderValue `json:"add,omitempty"`
		Remove []string      `json:"remove,omitempty"`
	}
	headerJSON struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	backendJSON struct {
		Group     string   `json:"group,omitempty"`
		Kind      string   `json:"kind,omitempty"`
		Namespace string   `json:"namespace,omitempty"`
		Name      string   `json:"name"`
		Port      int      `json:"port,omitempty"`
		Weight    *int64   `json:"weight,omitempty"`
		Filters   []Filter `json:"filters,omitempty"`
		Unread    []string `json:"-"`
	}
)

// UnmarshalJSON decodes a manifest of v1 or v1beta1. It replaces all of r, or on
// an error nothing. A null in a list of rules, matches, filters or backends is
// an error, because it would stand for every request.
func (r *HTTPRoute) UnmarshalJSON(data []byte) error {
	var m struct {
		Kind     string
		Metadata metadataJSON
		Spec     json.RawMessage
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	if m.Kind != "" && m.Kind != routeKind {
		return fmt.Errorf("gateway: kind is %.64q: only an HTTPRoute can be decoded into one", m.Kind)
	}
	var spec specJSON
	if len(m.Spec) > 0 {
		if err := json.Unmarshal(m.Spec, &spec); err != nil {
			return fmt.Errorf("gateway: %s: %w", faulty(m.Spec), err)
		}
	}
	out := HTTPRoute{
		Namespace: m.Metadata.Namespace, Name: m.Metadata.Name,
		Parents: spec.ParentRefs, Hostnames: spec.Hostnames, Rules: spec.Rules, Unread: specFields.unread(m.Spec),
	}
	if m.Metadata.CreationTimestamp != nil {
		out.Created = *m.Metadata.CreationTimestamp
	}
	*r = out
	return nil
}

// faulty returns the place in a spec that does not decode: the rule, if it is in
// one.
func faulty(spec json.RawMessage) string {
	var lists struct{ Rules []json.RawMessage }
	if json.Unmarshal(spec, &lists) == nil {
		for i, rule := range lists.Rules {
			if json.Unmarshal(rule, new(Rule)) != nil {
				return index("spec.rules", i)
			}
		}
	}
	return "spec"
}

// MarshalJSON encodes r as a manifest of v1, without what is zero and what is
// Unread.
func (r HTTPRoute) MarshalJSON() ([]byte, error) {
	m := routeJSON{
		APIVersion: apiVersion, Kind: routeKind,
		Metadata: metadataJSON{Namespace: r.Namespace, Name: r.Name},
		Spec:     specJSON{r.Parents, r.Hostnames, r.Rules},
	}
	if !r.Created.IsZero() {
		m.Metadata.CreationTimestamp = &r.Created
	}
	return json.Marshal(m)
}

// UnmarshalJSON decodes one of spec.rules. On an error r is as it was.
func (r *Rule) UnmarshalJSON(data []byte) error {
	var m ruleJSON
	unread, err := manifest.Decode(data, &m, "name", "matches", "filters", "backendRefs")
	if err == nil {
		m.Unread = unread
		*r = Rule(m)
	}
	return err
}

// UnmarshalJSON decodes one of a rule's matches. On an error m is as it was.
func (m *Match) UnmarshalJSON(data []byte) error {
	var j matchJSON
	_, err := manifest.Decode(data, &j)
	if err == nil {
		j.Unread = matchFields.unread(data)
		*m = Match(j)
	}
	return err
}

// UnmarshalJSON decodes a filter. On an error f is as it was.
func (f *Filter) UnmarshalJSON(data []byte) error {
	var j filterJSON
	_, err := manifest.Decode(data, &j)
	if err == nil {
		j.Unread = filterFields.unread(data)
		*f = Filter(j)
	}
	return err
}

// UnmarshalJSON decodes one of a rule's backends. On an error b is as it was.
func (b *BackendRef) UnmarshalJSON(data []byte) error {
	var j backendJSON
	_, err := manifest.Decode(data, &j)
	if err == nil {
		j.Unread = backendFields.unread(data)
		*b = BackendRef(j)
	}
	return err
}

// UnmarshalJSON decodes a path modifier. On an error p is as it was.
func (p *PathModifier) UnmarshalJSON(data []byte) error {
	var m pathModifierJSON
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	value := cmp.Or(m.ReplaceFullPath, m.ReplacePrefixMatch)
	switch {
	case m == (pathModifierJSON{}) && string(bytes.TrimSpace(data)) != "null":
		return errors.New("a path modifier without a type: write ReplaceFullPath or ReplacePrefixMatch")
	case m.Type == replaceFullPath && m.ReplaceFullPath == nil,
		m.Type == replacePrefixMatch && m.ReplacePrefixMatch == nil,
		m.ReplaceFullPath != nil && m.ReplacePrefixMatch != nil:
		return errors.New("a path modifier has other fields than its type says: write replaceFullPath or replacePrefixMatch")
	case value == nil:
		value = new(string)
	}
	*p = PathModifier{Type: m.Type, Value: *value}
	return nil
}

// MarshalJSON encodes p, with its value in the field that its type says.
func (p PathModifier) MarshalJSON() ([]byte, error) {
	m := pathModifierJSON{Type: p.Type}
	if p.Type == replacePrefixMatch {
		m.ReplacePrefixMatch = &p.Value
	} else {
		m.ReplaceFullPath = &p.Value
	}
	return json.Marshal(m)
}

// MarshalJSON encodes p with the API's names.
func (p ParentRef) MarshalJSON() ([]byte, error) { return json.Marshal(parentJSON(p)) }

// MarshalJSON encodes r with the API's names.
func (r Rule) MarshalJSON() ([]byte, error) { return json.Marshal(ruleJSON(r)) }

// MarshalJSON encodes m with the API's names.
func (m Match) MarshalJSON() ([]byte, error) { return json.Marshal(matchJSON(m)) }

// MarshalJSON encodes m with the API's names.
func (m PathMatch) MarshalJSON() ([]byte, error) { return json.Marshal(pathMatchJSON(m)) }

// MarshalJSON encodes m with the API's names.
func (m ValueMatch) MarshalJSON() ([]byte, error) { return json.Marshal(valueMatchJSON(m)) }

// MarshalJSON encodes f with the API's names.
func (f Filter) MarshalJSON() ([]byte, error) { return json.Marshal(filterJSON(f)) }

// MarshalJSON encodes u with the API's names.
func (u URLRewrite) MarshalJSON() ([]byte, error) { return json.Marshal(urlRewriteJSON(u)) }

// MarshalJSON encodes r with the API's names.
func (r RequestRedirect) MarshalJSON() ([]byte, error) { return json.Marshal(redirectJSON(r)) }

// MarshalJSON encodes h with the API's names.
func (h HeaderModifier) MarshalJSON() ([]byte, error) { return json.Marshal(headersJSON(h)) }

// MarshalJSON encodes h with the API's names.
func (h HeaderValue) MarshalJSON() ([]byte, error) { return json.Marshal(headerJSON(h)) }

// MarshalJSON encodes b with the API's names.
func (b BackendRef) MarshalJSON() ([]byte, error) { return json.Marshal(backendJSON(b)) }
