// Package nginx reads the Ingress annotations of ingress-nginx, the controller
// of the Kubernetes project that has ended, nginx.ingress.kubernetes.io/.
//
//	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(nil)})
//	result := d.Dispatch(ingresses, cluster)
//
// The Rewriter claims class nginx, and what has such an annotation and no class
// that is known. Annotations nginx.org/ belong to another controller and are not
// read.
//
// What an annotation means that cannot be translated is not served, and an
// [ingress.Problem] with a code of this package says so. What the caller sees to
// itself is named in [Options].Handled.
//
// Paths from which an annotation or a line of a snippet may keep clients, and
// does not here, answer 500: their entries stay, with an Invalid backend, under
// all hosts and aliases and for default backends, and redirect nobody. A shorter
// path, an alias or a wildcard host would get their requests otherwise.
//
//	annotation                          read as    meaning
//	rewrite-target                      supported  the whole path, with captures $1 to $9; a URL is a redirect, 302
//	use-regex                           supported  paths are regular expressions, RE2 instead of PCRE
//	app-root                            supported  where "/" of the host is redirected to, 302
//	upstream-vhost                      supported  the Host that the Service sees; $service_name, $service_port, $namespace, $ingress_name
//	x-forwarded-prefix                  supported  a request header, beside rewrite-target; captures of literal text
//	permanent-redirect, -code           supported  where every request is redirected to; 301 by default
//	temporal-redirect, -code            supported  likewise, 302; it wins
//	relative-redirects                  supported  a path in these two is sent as it is, not as a URL
//	ssl-redirect                        supported  http goes to https, 308; on by default where spec.tls has the host
//	force-ssl-redirect                  supported  likewise, without spec.tls
//	preserve-trailing-slash             supported  what is always so here
//	from-to-www-redirect                supported  the host with or without www. goes to this one, 308
//	server-alias                        supported  other names of the Ingress's first host
//	backend-protocol                    supported  HTTP or HTTPS; GRPC, GRPCS and AUTO_HTTP are warned about, FCGI is refused
//	proxy-ssl-secret                    supported  the Secret with the CA of the Service's certificate
//	proxy-ssl-name, -server-name        supported  the server name for TLS to the Service
//	proxy-body-size                     supported  bytes, with k, m or g; 0 is no limit
//	proxy-redirect-from, -to            supported  Entry.Back: Location
//	proxy-cookie-path, -domain          supported  Entry.Back: cookies
//	enable-cors, cors-*                 supported  response headers; one origin or "*"; OPTIONS is forwarded, which is warned about
//	canary, canary-weight, -total       supported  shares of requests
//	canary-by-header, -value, -pattern  supported  conditions on a header
//	canary-by-cookie                    supported  conditions on a cookie
//	configuration-snippet               supported  rewrite, return, more_set_headers, add_header, proxy_set_header; other lines: 500
//	server-snippet                      supported  likewise, for all paths, but proxy_set_header, which no location inherits
//	secure-backends                     warned     no longer read: write backend-protocol: HTTPS
//	affinity, limit-*, *-timeout, …     warned     no meaning for URLs: a note
//	auth-type, auth-url                 refused    access: the paths answer 500
//	auth-tls-secret, *-source-range     refused    likewise
//	satisfy, enable-modsecurity         refused    likewise
//	ssl-passthrough                     refused    the proxy would see no paths
//	auth-snippet, stream-snippet        refused    raw configuration; the paths are served
//	custom-headers, mirror-*, …         refused    not obeyed; the paths are served
//	anything else                       warned     unknown, with the nearest name
//
// # Paths
//
// A path is a regular expression if use-regex or rewrite-target is there and
// its pathType is ImplementationSpecific. One that is a prefix in disguise, as
// /p(/|$)(.*) is, becomes a prefix route, and a rewrite-target of it a prefix
// rewrite: $2 of that path trims /p, and /v2/$2 trims /p and adds /v2. In Compat
// the route stays a regular expression, without letter case, and the rewrite
// compiles to the same instructions.
//
// Regular expressions of a host are tried from the longest to the shortest, as
// the controller does, and a prefix that would take requests from one is tried
// among them. In Compat the length is that of the path of the Ingress, and an
// Exact "/" on such a host gets no requests: the controller's own "/" does.
//
// PCRE has constructs that RE2 has not: lookaround, back-references, possessive
// quantifiers and others. The problem names the construct and the offset. For an
// exclusion such as /p/((?!a|b).*) it says which routes to write instead.
//
// # Strict and Compat
//
// [Strict] takes each Ingress for itself. [Compat] does what the controller
// does; five of its behaviours surprise most:
//
//	CodeRegexPrefix    a regular expression has no end and no letter case
//	CodeHostWide       one makes regular expressions of all paths of its host
//	CodeImpliedRegex   rewrite-target turns them on
//	CodeSlashRedirect  /p is redirected to a path /p/
//	CodeNormalises     nginx merges slashes, resolves dots and decodes
//
// Compat reproduces the first four, and further: a switch or a number with white
// space around it is none, a temporal redirect has at most status 307, a
// weight-total of 100 or less is 100, aliases, certificates and the first
// server-snippet are those of the host, a host without "/" is redirected as its
// first Ingress is, also to https, app-root is the host's, that of the longest
// path, and hides an Exact "/", captures are empty in a permanent-redirect behind a
// rewrite line of the path, client certificates keep clients out of all paths of
// the host, and the redirects to www name the port. It does not decode %2F, merge
// slashes, drop a final slash or send an empty path, because nothing in this module
// does: testdata/differences.json.
//
// # Order
//
// A redirect comes before a rewrite. The redirect to https comes after those of
// permanent-redirect, temporal-redirect, rewrite-target and return, which name
// their scheme, and in Strict before app-root, which does not. Of a canary,
// headers come before cookies and these before weights.
//
// In a configuration-snippet, rewrite lines up to the last with the flag last, or
// with none and no break behind it, run at BeforeLocation, after which the route is
// looked for once more; others run at AfterLocation, before rewrite-target. What a
// line keeps from running, if it matches, runs before it where that says the same.
// All of a server-snippet run at BeforeLocation, and only for requests that an
// entry of the host gets; in Compat before any redirect, and those of a path before
// that to https. Every redirect sees the path that the client sent, also behind
// such a line.
//
// A header field of a snippet has the variables of upstream-vhost as text, of each
// path its own; $service_port is a number, also of a port that the Ingress names.
// One with another variable is not set.
//
// A redirect of a snippet for some paths is a route of its own, before that of the
// location, if the location has all of them, as "/" has. Otherwise it is a pattern
// on the URL, which refuses a URL that is too long for it, or cannot be said.
//
// # Differences
//
// A redirect to a path, or to $host, is one without the port, as the controller's
// is; $server_name is $host, also for an alias. A capture never becomes part of a
// host: a slash is put before it. A canary belongs to its host and path, where the
// controller's belongs to the Service of these; and its cookie's name has letter
// case. testdata/differences.json has all of them, with reasons.
package nginx
