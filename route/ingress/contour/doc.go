// Package contour reads what Contour serves: HTTPProxy objects, which [Translate]
// makes entries of, and Ingresses, for which [New] is the rewriter.
//
//	var p contour.HTTPProxy
//	err := json.Unmarshal(manifest, &p)
//	t := contour.Translate([]*contour.HTTPProxy{&p}, cluster)
//	table, problems := ingress.Build(t.Entries, cluster, newSite)
//
// # HTTPProxy
//
//	field of spec                    read as    meaning
//	virtualhost.fqdn                 supported  the host of a root; the first of two roots serves
//	virtualhost.tls                  supported  http is redirected to https, 301, but for permitInsecure
//	virtualhost.tls.passthrough      refused    the backend answers TLS, so no path is seen
//	includes                         supported  prefixes are joined, conditions added, in any namespace
//	conditions.prefix                supported  as text: /foo matches /foosball
//	conditions.exact, regex          supported  of a route; regex on the whole path
//	conditions.header,               supported  present, notpresent, exact, contains, regex, ignoreCase;
//	  queryParameter                              prefix, suffix of a parameter
//	  notexact, notcontains          refused    the route is left out: RE2 has no such thing
//	pathRewritePolicy                supported  the replacement for the whole prefix, else the one for any
//	requestRedirectPolicy            supported  scheme, hostname, port, path or prefix; 301, 302 (default)
//	requestHeadersPolicy             supported  set, remove; Host is the host of the URL; %CONTOUR_…%
//	responseHeadersPolicy            supported  set, remove
//	  %REQ(…)% and other variables   refused    the field is not set; without its Host a route answers 500
//	cookieRewritePolicies            supported  path and domain, of every cookie (warned), as Entry.Back
//	  secure, sameSite               warned     not changed
//	services.weight                  supported  all absent: equal shares
//	services.protocol, validation    supported  https for tls and h2; CA, and one server name
//	services.requestHeadersPolicy,   supported  of the backend; Host at Forward
//	  responseHeadersPolicy
//	services.mirror                  warned     no copies are sent
//	authPolicy, ipAllowPolicy,       refused    routes answer 500, unless Options.Handled names the field
//	  ipDenyPolicy, authorization,
//	  jwtVerificationPolicy,
//	  jwtProviders,
//	  tls.clientValidation
//	corsPolicy, rateLimitPolicy,     warned     not done here
//	  directResponsePolicy,
//	  internalRedirectPolicy
//	timeoutPolicy, retryPolicy,      warned     a Note: they change no URL
//	  tcpproxy, …
//
// A route that cannot be done as it is written answers 500, because a shorter
// prefix could otherwise serve its requests as they were not meant to be. A field
// that is not known is one of these in a rewrite or a redirect, leaves the route
// out in a condition, and is warned of elsewhere.
//
// Includes multiply what is written, so there is a limit. What a namespace includes
// once of its own is always served, and each root has a share beyond that, which
// no other can take from it.
//
// # Prefixes that are replaced
//
// Contour routes a prefix that is replaced with and without a final slash, so /foo
// replaced by / makes /v1 of /foo/v1, and / of /foo. It stays text: /foosball
// becomes /sball, which a Note tells. A prefix /foo/ stands for /foo and what is
// below it; in Compat, as in Contour, for /foosball too. Where both spellings are
// routed, by the object or by what it includes, each is replaced as it stands.
//
// # Ingresses
//
// The rewriter claims class contour, and annotations projectcontour.io/ where the
// class is absent or unknown. No annotation rewrites.
//
//	annotation                                  read as    meaning
//	ingress.kubernetes.io/force-ssl-redirect    supported  http is redirected to https, 301
//	kubernetes.io/ingress.allow-http            supported  "false": http is not served
//	projectcontour.io/upstream-protocol.tls,    supported  on a Service: https to these ports
//	  .h2
//	projectcontour.io/response-timeout,         warned     a Note: they change no URL
//	  retry-on, websocket-routes, …
//	others under projectcontour.io/             warned     of a Service, or unknown
//
// A path of type Prefix matches by segment, Exact as it stands, and one that is
// ImplementationSpecific is a regular expression on the whole path if it has one
// of ^ + * [ ] %, and text otherwise.
//
// # Regular expressions
//
// Contour tries the regular expressions of a host before its prefixes, the longest
// first, and so does Compat. Strict tries them after, in the order in which they
// are written.
package contour
