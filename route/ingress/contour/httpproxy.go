package contour

// HTTPProxy: the object, as far as routing reads it.

import "time"

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
	Unread      []string
}

// An Include takes in the routes of another HTTPProxy under conditions.
type Include struct {
	Name, Namespace string // "": the namespace of the including object
	Conditions      []Condition
	Unread          []string
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
	Unread                          []string
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
	CASecret     string   // [namespace/]name
	SubjectName  string   // "": the first of SubjectNames
	SubjectNames []string // of which only the first is required
	Unread       []string
}

// A PathRewritePolicy replaces the prefix by which a route was found.
type PathRewritePolicy struct {
	ReplacePrefix []ReplacePrefix
	Unread        []string
}

// A ReplacePrefix is a replacement for one prefix, with those of all includes
// before it, or without Prefix for any other.
type ReplacePrefix struct {
	Prefix, Replacement string
	Unread              []string
}

// A RequestRedirectPolicy sends the client elsewhere.
type RequestRedirectPolicy struct {
	Scheme, Hostname string
	Port             int
	StatusCode       int    // 301 or 302; 0: 302
	Path             string // the whole path
	Prefix           string // in place of the prefix by which the route was found
	Unread           []string
}

// A HeadersPolicy changes header fields.
type HeadersPolicy struct {
	Set    []HeaderValue
	Remove []string
	Unread []string
}

// A HeaderValue is a header field.
type HeaderValue struct {
	Name, Value string
	Unread      []string
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
	Value  string
	Unread []string
}
