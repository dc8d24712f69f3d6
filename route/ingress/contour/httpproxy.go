package contour

// HTTPProxy: the object, as the JSON of the cluster has it.

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/readdress/readdress/route/ingress/internal/manifest"
)

// An HTTPProxy is a projectcontour.io/v1 HTTPProxy, as far as routing reads it.
// Decode it with encoding/json. What is null or absent is the zero value. Unread
// fields are the names of what is there and has no field here.
type HTTPProxy struct {
	Namespace, Name string       // an absent namespace is "default"
	Created         time.Time    // metadata.creationTimestamp; zero: not known
	VirtualHost     *VirtualHost // nil: it serves where others include it
	Includes        []Include
	Routes          []Route
	Unread          []string // of spec
}

// A VirtualHost is the host that a root serves.
type VirtualHost struct {
	FQDN   string // a name, or "*." and a name
	TLS    *TLS   // nil: http only
	Unread []string
}

// TLS is how a virtual host answers https.
type TLS struct {
	SecretName  string
	Passthrough bool // the backend answers it: there are no routes
}

// An Include takes in the routes of another HTTPProxy under conditions.
type Include struct {
	Name, Namespace string // "": the namespace of the including object
	Conditions      []Condition
}

// A Condition is what a path, a header field or a query parameter must be. Of
// its fields one is set.
type Condition struct {
	Prefix, Exact, Regex string
	Header               *ValueCondition
	QueryParameter       *ValueCondition
	Unread               []string
}

// A ValueCondition is about one header field or query parameter: the fields that
// are set name one test.
type ValueCondition struct {
	Name                            string
	Present, NotPresent             bool
	Exact, NotExact                 string
	Contains, NotContains           string
	Prefix, Suffix                  string
	Regex                           string
	IgnoreCase, TreatMissingAsEmpty bool
}

// A Route is one of spec.routes.
type Route struct {
	Conditions            []Condition
	Services              []Service
	PermitInsecure        bool // no redirect to https
	PathRewritePolicy     *PathRewritePolicy
	RequestRedirectPolicy *RequestRedirectPolicy
	RequestHeadersPolicy  *HeadersPolicy
	ResponseHeadersPolicy *HeadersPolicy
	CookieRewritePolicies []CookieRewritePolicy
	Unread                []string
}

// A Service is what requests are forwarded to, and its share.
type Service struct {
	Name                  string
	Port                  int
	Protocol              string // tls, h2 or h2c; "": as the Service's annotations say, else http
	Weight                int64  // if all of a route are 0, all are 1
	Mirror                bool
	Validation            *Validation // nil: the certificate is not verified
	RequestHeadersPolicy  *HeadersPolicy
	ResponseHeadersPolicy *HeadersPolicy
	CookieRewritePolicies []CookieRewritePolicy
	Unread                []string
}

// A Validation is how the certificate of a service is verified.
type Validation struct {
	CASecret    string // [namespace/]name
	SubjectName string
}

// A PathRewritePolicy replaces the prefix by which a route was found.
type PathRewritePolicy struct {
	ReplacePrefix []ReplacePrefix
}

// A ReplacePrefix is a replacement for one prefix, with those of all includes
// before it, or without Prefix for any other.
type ReplacePrefix struct {
	Prefix, Replacement string
}

// A RequestRedirectPolicy sends the client elsewhere.
type RequestRedirectPolicy struct {
	Scheme, Hostname string
	Port             int
	StatusCode       int    // 301 or 302; 0: 302
	Path             string // the whole path
	Prefix           string // in place of the prefix by which the route was found
}

// A HeadersPolicy changes header fields.
type HeadersPolicy struct {
	Set    []HeaderValue
	Remove []string
}

// A HeaderValue is a header field.
type HeaderValue struct {
	Name, Value string
}

// A CookieRewritePolicy changes attributes of one cookie.
type CookieRewritePolicy struct {
	Name          string
	PathRewrite   *Rewrite // nil: it stays
	DomainRewrite *Rewrite // nil: it stays
	Unread        []string
}

// A Rewrite is the new value of an attribute.
type Rewrite struct {
	Value string
}

// UnmarshalJSON decodes a manifest. It replaces all of p, or on an error nothing.
// A null in a list is an error, because it would stand for every request.
func (p *HTTPProxy) UnmarshalJSON(data []byte) error {
	var m struct {
		Kind     string
		Metadata struct {
			Namespace, Name   string
			CreationTimestamp *time.Time
		}
		Spec json.RawMessage
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("contour: %w", err)
	}
	if m.Kind != "" && m.Kind != proxyKind {
		return fmt.Errorf("contour: kind is %.64q: only an HTTPProxy can be decoded into one", m.Kind)
	}
	var spec struct {
		VirtualHost *VirtualHost
		Includes    []Include
		Routes      []Route
	}
	var unread []string
	if len(m.Spec) > 0 && string(m.Spec) != "null" {
		var err error
		if unread, err = manifest.Decode(m.Spec, &spec, "virtualhost", "includes", "routes"); err != nil {
			return fmt.Errorf("contour: spec: %w", err)
		}
	}
	*p = HTTPProxy{
		Namespace: m.Metadata.Namespace, Name: m.Metadata.Name,
		VirtualHost: spec.VirtualHost, Includes: spec.Includes, Routes: spec.Routes, Unread: unread,
	}
	if m.Metadata.CreationTimestamp != nil {
		p.Created = *m.Metadata.CreationTimestamp
	}
	return nil
}

// UnmarshalJSON decodes a virtual host. On an error v is as it was.
func (v *VirtualHost) UnmarshalJSON(data []byte) error {
	type plain VirtualHost
	var out plain
	unread, err := manifest.Decode(data, &out, "fqdn", "tls")
	if err == nil {
		out.Unread = unread
		*v = VirtualHost(out)
	}
	return err
}

// UnmarshalJSON decodes an include. On an error i is as it was.
func (i *Include) UnmarshalJSON(data []byte) error {
	type plain Include
	var out plain
	_, err := manifest.Decode(data, &out)
	if err == nil {
		*i = Include(out)
	}
	return err
}

// UnmarshalJSON decodes a condition. On an error c is as it was.
func (c *Condition) UnmarshalJSON(data []byte) error {
	type plain Condition
	var out plain
	unread, err := manifest.Decode(data, &out, "prefix", "exact", "regex", "header", "queryParameter")
	if err == nil {
		out.Unread = unread
		*c = Condition(out)
	}
	return err
}

// UnmarshalJSON decodes a route. On an error r is as it was.
func (r *Route) UnmarshalJSON(data []byte) error {
	type plain Route
	var out plain
	unread, err := manifest.Decode(data, &out, "conditions", "services", "permitInsecure", "pathRewritePolicy",
		"requestRedirectPolicy", "requestHeadersPolicy", "responseHeadersPolicy", "cookieRewritePolicies")
	if err == nil {
		out.Unread = unread
		*r = Route(out)
	}
	return err
}

// UnmarshalJSON decodes a service. On an error s is as it was.
func (s *Service) UnmarshalJSON(data []byte) error {
	type plain Service
	var out plain
	unread, err := manifest.Decode(data, &out, "name", "port", "protocol", "weight", "mirror", "validation",
		"requestHeadersPolicy", "responseHeadersPolicy", "cookieRewritePolicies")
	if err == nil {
		out.Unread = unread
		*s = Service(out)
	}
	return err
}

// UnmarshalJSON decodes a policy. On an error c is as it was.
func (c *CookieRewritePolicy) UnmarshalJSON(data []byte) error {
	type plain CookieRewritePolicy
	var out plain
	unread, err := manifest.Decode(data, &out, "name", "pathRewrite", "domainRewrite")
	if err == nil {
		out.Unread = unread
		*c = CookieRewritePolicy(out)
	}
	return err
}
