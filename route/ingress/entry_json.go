package ingress

// The JSON of an Entry: dekube's keys for what they can say, ours for the rest.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

type entryJSON struct {
	Source   *sourceJSON     `json:"source,omitempty"`
	Host     string          `json:"host"`
	Path     string          `json:"path"`
	PathType pathType        `json:"path_type,omitzero"`
	When     *conditionsJSON `json:"when,omitempty"`

	*backendJSONFields                // of a lone backend
	Backends           []backendEntry `json:"backends,omitempty"`
	Redirect           *redirectJSON  `json:"redirect,omitempty"`

	StripPrefix     string         `json:"strip_prefix,omitempty"`
	Rules           []rewrite.Rule `json:"rules,omitempty"`
	RequestHeaders  headerOps      `json:"request_headers,omitempty"`
	ResponseHeaders headerOps      `json:"response_headers,omitempty"`
	MaxBodySize     size           `json:"max_body_size,omitzero"`
	Back            []mappingJSON  `json:"back,omitempty"`
	ExtraDirectives []string       `json:"extra_directives,omitempty"`
}

type backendJSONFields struct {
	Service  *serviceJSON   `json:"service,omitempty"`
	Upstream string         `json:"upstream,omitempty"`
	Scheme   string         `json:"scheme,omitempty"`
	CASecret string         `json:"server_ca_secret,omitempty"`
	SNI      string         `json:"server_sni,omitempty"`
	Rules    []rewrite.Rule `json:"forward_rules,omitempty"`
}

type backendEntry struct {
	backendJSONFields
	Weight          *uint32   `json:"weight"` // absent: 1
	Invalid         bool      `json:"invalid,omitempty"`
	RequestHeaders  headerOps `json:"request_headers,omitempty"`
	ResponseHeaders headerOps `json:"response_headers,omitempty"`
}

type serviceJSON struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Port      int    `json:"port,omitempty"`
	PortName  string `json:"port_name,omitempty"`
}

type redirectJSON struct {
	Status       int            `json:"status,omitempty"`
	StatusOther  int            `json:"status_other,omitempty"`
	Rules        []rewrite.Rule `json:"rules,omitempty"`
	ListenerPort bool           `json:"listener_port,omitempty"`
	Location     string         `json:"location,omitempty"`
	FromQuery    string         `json:"from_query,omitempty"`
	Hosts        []string       `json:"hosts,omitempty"`
	Pattern      string         `json:"pattern,omitempty"`
	Template     string         `json:"template,omitempty"`
}

type mappingJSON struct {
	Kind rewrite.MappingKind `json:"kind"`
	From string              `json:"from"`
	To   string              `json:"to"`
}

type sourceJSON struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Rule      int    `json:"rule"`
	Path      int    `json:"path"`
	Part      string `json:"part,omitempty"`
}

type conditionsJSON struct {
	Scheme  string          `json:"scheme,omitempty"`
	Methods []string        `json:"methods,omitempty"`
	Headers []conditionJSON `json:"headers,omitempty"`
	Cookies []conditionJSON `json:"cookies,omitempty"`
	Query   []conditionJSON `json:"query,omitempty"`
}

type conditionJSON struct {
	Name  string   `json:"name"`
	Test  testName `json:"test,omitzero"`
	Value string   `json:"value,omitempty"`
}

// MarshalJSON writes e with the keys that dekube's providers read: host, path,
// upstream, scheme, server_ca_secret, server_sni, strip_prefix,
// response_headers, max_body_size and extra_directives. What these cannot say
// has keys of its own: several or weighted backends, other rules than the
// trimming of one prefix, header operations other than setting, and the rest.
// An empty Scheme is written as http, and the Origins of rules are not written.
func (e Entry) MarshalJSON() ([]byte, error) {
	out := entryJSON{
		Host: e.Pattern.Host, Path: e.Pattern.Path, PathType: pathType(e.Pattern.Type),
		Redirect: (*redirectJSON)(e.Redirect), RequestHeaders: e.RequestHeaders, ResponseHeaders: e.ResponseHeaders,
		MaxBodySize: size(e.MaxBodySize), ExtraDirectives: e.ExtraDirectives,
	}
	for _, m := range e.Back {
		out.Back = append(out.Back, mappingJSON(m))
	}
	if e.Source != (Source{}) {
		s := sourceJSON(e.Source)
		out.Source = &s
	}
	if w := (conditionsJSON{
		e.When.Scheme, e.When.Methods, conditionsTo(e.When.Headers), conditionsTo(e.When.Cookies), conditionsTo(e.When.Query),
	}); w.Scheme != "" || len(w.Methods)+len(w.Headers)+len(w.Cookies)+len(w.Query) > 0 {
		out.When = &w
	}
	if len(e.Backends) == 1 && e.Backends[0].isPlain() {
		fields := e.Backends[0].fields()
		out.backendJSONFields = &fields
	} else {
		for i := range e.Backends {
			b := &e.Backends[i]
			out.Backends = append(out.Backends, backendEntry{b.fields(), &b.Weight, b.Invalid, b.RequestHeaders, b.ResponseHeaders})
		}
	}
	if prefix, ok := e.StripPrefix(); ok && len(e.Rules) == 1 && e.Rules[0].Order == 0 && prefix != "" {
		out.StripPrefix = prefix
	} else {
		out.Rules = e.Rules
	}
	return json.Marshal(out)
}

// isPlain reports whether dekube's keys can say what b is.
func (b *Backend) isPlain() bool {
	return b.Weight == 1 && !b.Invalid && (b.Upstream != "" || b.Service != (Service{})) &&
		len(b.RequestHeaders)+len(b.ResponseHeaders) == 0
}

func (b *Backend) fields() backendJSONFields {
	f := backendJSONFields{Upstream: b.Upstream, Scheme: b.Scheme, CASecret: b.CASecret, SNI: b.SNI, Rules: b.Rules}
	if f.Scheme == "" {
		f.Scheme = "http"
	}
	if b.Service != (Service{}) {
		s := serviceJSON(b.Service)
		f.Service = &s
	}
	return f
}

func (f *backendJSONFields) backend() Backend {
	b := Backend{Upstream: f.Upstream, Scheme: f.Scheme, CASecret: f.CASecret, SNI: f.SNI, Rules: f.Rules}
	if f.Service != nil {
		b.Service = Service(*f.Service)
	}
	return b
}

// UnmarshalJSON reads what MarshalJSON writes, and dekube's entries. A
// strip_prefix is a TrimPathPrefix before the other rules; a backend without a
// weight has 1; an unknown key is an error. It replaces all of e, or on an error
// nothing.
func (e *Entry) UnmarshalJSON(data []byte) error {
	in := entryJSON{backendJSONFields: new(backendJSONFields)}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return fmt.Errorf("entry: %w", err)
	}
	out := Entry{
		Pattern:  route.Pattern{Host: in.Host, Path: in.Path, Type: route.PathType(in.PathType)},
		Redirect: (*Redirect)(in.Redirect), Rules: in.Rules, RequestHeaders: in.RequestHeaders, ResponseHeaders: in.ResponseHeaders,
		MaxBodySize: int64(in.MaxBodySize), ExtraDirectives: in.ExtraDirectives,
	}
	for _, m := range in.Back {
		out.Back = append(out.Back, rewrite.Mapping(m))
	}
	if in.Source != nil {
		out.Source = Source(*in.Source)
	}
	if w := in.When; w != nil {
		out.When = route.Conditions{
			Scheme: w.Scheme, Methods: w.Methods,
			Headers: conditionsFrom(w.Headers), Cookies: conditionsFrom(w.Cookies), Query: conditionsFrom(w.Query),
		}
	}
	lone := in.Upstream != "" || in.Service != nil
	switch {
	case lone && len(in.Backends) > 0:
		return errors.New("entry: upstream and backends exclude each other: write one")
	case !lone && (in.Scheme != "" || in.CASecret != "" || in.SNI != "" || len(in.backendJSONFields.Rules) > 0):
		return errors.New("entry: scheme, server_ca_secret, server_sni and forward_rules are about an upstream, and there is none")
	case lone:
		b := in.backend()
		b.Weight = 1
		out.Backends = []Backend{b}
	}
	for i := range in.Backends {
		from := &in.Backends[i]
		b := from.backend()
		b.Weight, b.Invalid, b.RequestHeaders, b.ResponseHeaders = 1, from.Invalid, from.RequestHeaders, from.ResponseHeaders
		if from.Weight != nil {
			b.Weight = *from.Weight
		}
		out.Backends = append(out.Backends, b)
	}
	if in.StripPrefix != "" {
		out.Rules = append([]rewrite.Rule{{Action: rewrite.TrimPathPrefix(in.StripPrefix), Origin: rewrite.Origin{Key: "strip_prefix"}}}, out.Rules...)
	}
	*e = out
	return nil
}

func conditionsTo(list []route.Condition) []conditionJSON {
	var out []conditionJSON
	for _, c := range list {
		out = append(out, conditionJSON{c.Name, testName(c.Test), c.Value})
	}
	return out
}

func conditionsFrom(list []conditionJSON) []route.Condition {
	var out []route.Condition
	for _, c := range list {
		out = append(out, route.Condition{Name: c.Name, Test: route.Test(c.Test), Value: c.Value})
	}
	return out
}

// A named value is written as its Go name.
type (
	pathType route.PathType
	testName route.Test
)

func (t pathType) MarshalText() ([]byte, error) { return []byte(route.PathType(t).String()), nil }

func (t *pathType) UnmarshalText(text []byte) error {
	return unmarshalName("path_type", t, text, route.Prefix, route.Exact, route.TextPrefix, route.Regex, route.RegexFirst)
}

func (t testName) MarshalText() ([]byte, error) { return []byte(route.Test(t).String()), nil }

func (t *testName) UnmarshalText(text []byte) error {
	return unmarshalName("test", t, text, route.Equals, route.BeginsWith, route.Matches, route.Present, route.Absent)
}

func unmarshalName[D ~int8, S interface {
	~int8
	String() string
}](key string, dst *D, text []byte, all ...S) error {
	names := make([]string, len(all))
	for i, v := range all {
		if names[i] = v.String(); names[i] == string(text) {
			*dst = D(v)
			return nil
		}
	}
	return fmt.Errorf("%s: %.64q is unknown: write one of %s", key, text, strings.Join(names, ", "))
}

// A size is written as the shortest text that ParseSize reads, or -1.
type size int64

func (s size) MarshalText() ([]byte, error) { return []byte(formatSize(int64(s))), nil }

func (s *size) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	if data[0] == '"' {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	}
	if text == "-1" {
		*s = -1
		return nil
	}
	n, err := ParseSize(text)
	if err != nil {
		return fmt.Errorf("max_body_size: %w", err)
	}
	*s = size(n)
	return nil
}
