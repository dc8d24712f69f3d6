package gateway

// HTTPRoute: the object, as far as routing reads it.

import "time"

// An HTTPRoute is a gateway.networking.k8s.io HTTPRoute. Decode and encode it
// with encoding/json. What is null or absent is the zero value.
type HTTPRoute struct {
	Namespace, Name string    // an absent namespace is "default"
	Created         time.Time // metadata.creationTimestamp; zero: not known
	// Parents are the Gateways and listeners that the route asks for. Write sets
	// them; Translate leaves it to the caller which routes a listener has.
	Parents   []ParentRef
	Hostnames []string // none: every host
	Rules     []Rule
	Unread    []string // names of further fields of spec, such as parentRefs[0].other
}

// A ParentRef names a Gateway, and perhaps one of its listeners.
type ParentRef struct {
	Group       string // "": gateway.networking.k8s.io
	Kind        string // "": Gateway
	Namespace   string // "": that of the route
	Name        string
	SectionName string // "": every listener
	Port        int    // 0: every port
}

// A Rule is one of spec.rules: what its matches have, its filters change and its
// backends get.
type Rule struct {
	Name        string
	Matches     []Match // none: every path
	Filters     []Filter
	BackendRefs []BackendRef
	Unread      []string // names of further fields of the manifest, such as timeouts
}

// A Match is what a request must have, all of it. The zero Match is every path.
type Match struct {
	Path        PathMatch
	Headers     []ValueMatch
	QueryParams []ValueMatch
	Method      string   // "": any
	Unread      []string // names of further fields of the manifest, such as path.other, and of empty ones
}

// A PathMatch says how a path is compared.
type PathMatch struct {
	Type  string // Exact, PathPrefix or RegularExpression; "": PathPrefix
	Value string // "": "/"
}

// A ValueMatch says how a header field or a query parameter is compared.
type ValueMatch struct {
	Type  string // Exact or RegularExpression; "": Exact
	Name  string
	Value string
}

// A Filter is one thing done to a request or a response: its Type names the
// field that says what. Of any other type, the name is all that is decoded.
type Filter struct {
	Type                   string
	URLRewrite             *URLRewrite
	RequestRedirect        *RequestRedirect
	RequestHeaderModifier  *HeaderModifier
	ResponseHeaderModifier *HeaderModifier
	Unread                 []string // names of further fields, such as requestRedirect.query, and of empty ones
}

// The types of filters that are translated.
const (
	filterRewrite         = "URLRewrite"
	filterRedirect        = "RequestRedirect"
	filterRequestHeaders  = "RequestHeaderModifier"
	filterResponseHeaders = "ResponseHeaderModifier"
)

// A URLRewrite changes the URL that is forwarded.
type URLRewrite struct {
	Hostname string // "": it stays
	Path     PathModifier
}

// A RequestRedirect sends the client to the URL it asked for, with what is said
// here in place of what that had.
type RequestRedirect struct {
	Scheme     string // http or https; "": it stays
	Hostname   string // "": it stays
	Path       PathModifier
	Port       int // 0: that of Scheme, and without one that of the listener
	StatusCode int // 0: 302
}

// A PathModifier replaces a path, or the prefix that the one match of its rule
// has. The zero PathModifier replaces nothing.
type PathModifier struct {
	Type  string // ReplaceFullPath or ReplacePrefixMatch
	Value string // of replaceFullPath or replacePrefixMatch
}

const (
	replaceFullPath    = "ReplaceFullPath"
	replacePrefixMatch = "ReplacePrefixMatch"
	matchExact         = "Exact"
	matchPrefix        = "PathPrefix"
	matchRegex         = "RegularExpression"
)

// A HeaderModifier changes header fields: first Set, then Add, then Remove.
type HeaderModifier struct {
	Set, Add []HeaderValue
	Remove   []string
}

// A HeaderValue is a header field.
type HeaderValue struct {
	Name, Value string
}

// A BackendRef names what requests are forwarded to, and its share of them.
type BackendRef struct {
	Group     string // "": core
	Kind      string // "": Service
	Namespace string // "": that of the route
	Name      string
	Port      int
	Weight    *int64 // nil: 1
	Filters   []Filter
	Unread    []string // names of further fields of the manifest, and of empty ones
}
