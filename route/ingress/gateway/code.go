package gateway

import "github.com/readdress/readdress/route/ingress"

// The codes of reading HTTPRoutes.
const (
	// CodeDuplicate: a second HTTPRoute of one namespace and name, which is not
	// served. Give every object once.
	CodeDuplicate ingress.Code = "gateway-duplicate"
	// CodeLimit: more hostnames, rules, matches, filters or backends than the API
	// allows; those beyond are not served. Write a second HTTPRoute.
	CodeLimit ingress.Code = "gateway-limit"
	// CodeHostname: a hostname that is none, for which nothing is served. Write a
	// name, or "*." and a name.
	CodeHostname ingress.Code = "gateway-hostname"
	// CodeMatch: a match that the API does not allow, or that cannot be compiled,
	// and so is left out: without it the rule would serve what it was not meant
	// for. Write the match that the problem names.
	CodeMatch ingress.Code = "gateway-match"
	// CodeFilter: a filter that is unknown, not supported here, or wrong. The API
	// forbids to skip it, so requests of its rule, or of its backend, are answered
	// with 500. Write one of the filters that the package documents.
	CodeFilter ingress.Code = "gateway-filter"
	// CodeSameName: a header field or a query parameter of a match, or a header field
	// that a filter sets or adds, with the name of one before it in the list, letter
	// case of header fields apart. The first counts, as the API says, and this one
	// does nothing. Leave one of them out.
	CodeSameName ingress.Code = "gateway-same-name"
	// CodeBackend: a backendRef that is not a port of a Service. It keeps its
	// share, which is answered with 500. Name a Service and its port.
	CodeBackend ingress.Code = "gateway-backend"
	// CodeGrant: a backendRef into another namespace that no ReferenceGrant
	// allows. It keeps its share, which is answered with 500. Write the grant.
	CodeGrant ingress.Code = "gateway-grant"
	// CodeWeight: a weight that is not 0 to 1,000,000. The backend gets nothing.
	// Write one that is.
	CodeWeight ingress.Code = "gateway-weight"
	// CodeNoBackend: a rule that neither forwards nor redirects. Its requests are
	// answered with 500. Write backendRefs.
	CodeNoBackend ingress.Code = "gateway-no-backend"
	// CodeIgnored: a field that does not change which URL goes to which backend,
	// such as timeouts. Nothing is to be done here.
	CodeIgnored ingress.Code = "gateway-ignored"
	// CodeUnknownField: a field of the route, of a rule or of a backendRef that is
	// not known, and may change what it means, or that is empty, which the API
	// forbids. Look up its name, or leave it out.
	CodeUnknownField ingress.Code = "gateway-unknown-field"
)

// The codes of writing HTTPRoutes.
const (
	// CodeUnsayable: an entry that no HTTPRoute can express, or not without
	// serving other requests or another URL. It is left out. Write it in the terms
	// of the implementation at hand.
	CodeUnsayable ingress.Code = "gateway-unsayable"
	// CodeApproximate: what is written differs from the entry in the way that the
	// problem says.
	CodeApproximate ingress.Code = "gateway-approximate"
	// CodeElsewhere: a part of an entry for which another object or none at all
	// has a word, such as the CA of a backend. The rest is written.
	CodeElsewhere ingress.Code = "gateway-elsewhere"
)
