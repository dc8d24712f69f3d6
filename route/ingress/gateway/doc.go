// Package gateway reads HTTPRoutes of the Gateway API as entries, and writes
// entries as HTTPRoutes.
//
//	var r gateway.HTTPRoute
//	err := json.Unmarshal(manifest, &r)
//	t := gateway.Translate([]*gateway.HTTPRoute{&r}, cluster)
//	cluster.Table = &route.Options{AnyDepthWildcard: true, TryNextHost: true}
//	table, problems := ingress.Build(t.Entries, cluster, newSite)
//
// # Reading
//
// [Translate] reads the routes of one listener; which these are, the caller
// knows. Of the fields of v1:
//
//	field                          read as    meaning
//	parentRefs                     ignored    which routes a listener has, the caller knows
//	useDefaultGateways             warned     a Note, for the same reason
//	hostnames                      supported  an entry each; "*.x" is any depth with the Options that Translate names
//	rules.name                     ignored    it names the rule, and changes nothing
//	matches.path                   supported  Exact, PathPrefix by segment; RegularExpression on the whole path
//	matches.method                 supported  one method
//	matches.headers, queryParams   supported  Exact; RegularExpression on the whole value; the first of a name counts
//	URLRewrite.hostname            supported  the whole Host, without a port
//	URLRewrite.path                supported  ReplaceFullPath; ReplacePrefixMatch with one PathPrefix match
//	RequestRedirect                supported  scheme, hostname, path; the query is kept
//	RequestRedirect.port           supported  else that of the scheme, else RedirectRequest.ListenerPort; 80 and 443 are left out
//	RequestRedirect.statusCode     supported  301, 302 (default), 303, 307, 308
//	RequestHeaderModifier          supported  set, add, remove; Host can be set, where no URLRewrite sets it
//	ResponseHeaderModifier         supported  set, add, remove
//	backendRefs.weight             supported  0 to 1,000,000, default 1; no percentage
//	backendRefs.filters            supported  header modifiers; URLRewrite, at Forward, where the rule has none
//	backendRefs of other kinds     refused    their share is answered with 500
//	backendRefs.namespace          supported  with a ReferenceGrant, which Cluster.Grant says
//	RequestMirror, CORS,           refused    the rule's requests are answered with 500, as the API has it for
//	ExternalAuth, ExtensionRef                filters that cannot be done
//	timeouts, retry,               warned     a Note: they change no URL
//	sessionPersistence
//
// ReplacePrefixMatch follows one form, which the API's table has but for "/",
// where it says nothing: the replacement without its final slash, then the path
// without the match and its final slash, and "/" if that is empty. So a match of
// "/" with "/xyz" makes /xyz/foo of /foo.
//
// Precedence is that of package route and the API: hosts, Exact, the longest
// prefix, a method, more headers, more query parameters; then the older route,
// the one whose text namespace/name is first, the first rule. Regular
// expressions, whose rank the API leaves open, come after other paths. PathPrefix
// /foo and /foo/ are one prefix, of which the first rule serves.
//
// A field that is not known, at any depth, leaves a match out, is a filter that
// cannot be done, and is warned of elsewhere. So does one that is empty, or 0,
// where the API forbids that: method: "" is no request for any method. Of header
// fields to match, to set or to add, and of parameters, the first of a name in a
// list counts, and each other is a [CodeSameName].
//
// # Writing
//
// [Write] makes HTTPRoutes of the entries of any dialect, and a problem of each
// thing that they have no word for: cookies, conditions that something is absent,
// regular expressions that rewrite, the query, the size of bodies, TLS to
// backends, the way back. Prefixes that are cut or replaced become
// ReplacePrefixMatch, also where a dialect says them with captures: a path
// /app(/|$)(.*) and /$2 are PathPrefix /app and ReplacePrefixMatch "/". It is a
// problem too if that gives the path another rank among those of its host, or if
// the names of namespaces decide where the order of the entries did. A prefix
// that is added is a ReplacePrefixMatch too, of "/" where the entry has every path.
// New paths are written in normal form, with the prefix that stays in them, so
// /%61pp with /base before it becomes /base/app.
package gateway
