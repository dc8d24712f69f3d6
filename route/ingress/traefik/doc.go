// Package traefik reads Traefik's Ingress annotations, of versions 1 to 3, the
// Middleware objects that they name, and weighted TraefikServices.
//
//	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: traefik.New(nil)})
//	cluster.Object = func(ref ingress.ObjectRef) (json []byte, ok bool) { … }
//	result := d.Dispatch(ingresses, cluster)
//
// The Rewriter claims class traefik, and what has an annotation with Traefik's
// prefix and no other known class. [ingress.Cluster].Object brings the objects,
// of group traefik.io, else traefik.containo.us. What has no translation and
// changes what the paths mean is an error, and the paths of the Ingress are not
// served. What the caller sees to itself is named in [Options].Handled.
//
// Paths whose access control an entry cannot say are not left out, because a
// shorter path or a wildcard could then get their requests and be open: they
// answer 500, as do the default backends of the Ingress. So do those with a
// middleware that is missing, or of which nothing is known, because it may be one
// that keeps clients out.
//
// # Annotations
//
// With the prefix traefik.ingress.kubernetes.io/; those of version 1 that it
// also wrote as labels, such as traefik.frontend.rule.type, so too. In router.…
// and service.… upper and lower case are the same, and a name that Traefik does not
// know makes the paths of the Ingress, or of the Service, answer 500: Traefik does
// not serve them, and it may be middlewares, misspelt.
//
//	annotation                     read as    meaning
//	router.middlewares             supported  namespace-name@kubernetescrd, …: in this order; or namespace_name
//	router.pathmatcher             supported  of ImplementationSpecific paths: PathPrefix (default), Path or PathRegexp
//	router.priority                warned     a table has an order of its own
//	router.entrypoints             warned     no meaning for URL routing: a note
//	router.tls, router.tls.*       warned     about clients, not about Services: a note
//	router.rulesyntax              warned     a note; with v2, paths with {…} are not served
//	router.observability.*         warned     a note
//	service.*                      warned     Traefik reads it on Services
//	rule-type                      supported  1: PathPrefix (default), PathPrefixStrip, Path or PathStrip
//	rewrite-target                 supported  1: takes the place of the path; what follows stays
//	app-root                       supported  1: where "/" of the host is redirected to
//	redirect-entry-point           supported  1: https and websecure; others are refused
//	redirect-regex, -replacement   supported  1: as redirectRegex
//	redirect-permanent             supported  1: 301 instead of 302, of these two
//	service-weights                refused    1: write a weighted TraefikService
//	request-modifier               refused    1
//	whitelist-source-range         refused    1, access: the paths answer 500
//	auth-type, allowed-hosts       refused    likewise
//	custom-request-headers, …      refused    1, not obeyed; the paths are served
//
//	on a Service                   read as    meaning
//	service.serversscheme          supported  http or https to the Service
//	service.passhostheader         supported  whether the Service gets the client's host
//	service.middlewares            refused    its paths answer 500, because one may keep clients out
//	service.sticky.cookie, …       warned     about connections: a note
//
// Without a scheme, port 443 and ports whose name begins with https are HTTPS.
//
// # Middlewares
//
//	kind                           read as    meaning
//	stripPrefix                    supported  the first prefix that is one, without segments
//	stripPrefixRegex               supported  the first expression that matches at the beginning
//	addPrefix                      supported
//	replacePath                    supported
//	replacePathRegex               supported  every match, in the escaped path, with $1, ${1}, $0 and ${name}
//	redirectScheme                 supported  for requests of the other scheme
//	redirectRegex                  supported  on the whole URL, of which it keeps what does not match
//	headers                        supported  customRequestHeaders and customResponseHeaders; the rest is not obeyed
//	headers.allowedHosts           refused    access: the paths answer 500
//	chain                          supported
//	buffering                      supported  maxRequestBodyBytes
//	basicAuth, digestAuth          refused    access: the paths answer 500
//	forwardAuth                    refused    likewise
//	ipAllowList, ipWhiteList       refused    likewise
//	plugin                         refused    likewise, because it may keep clients out
//	errors, passTLSClientCert      refused    not obeyed; the paths are served
//	compress, retry, rateLimit, …  warned     no meaning for URL routing: a note
//	TraefikService                 supported  of a backend: weighted, the shares of Services
//
// A redirect comes before everything else that an entry does. A list in which it
// would see a URL that another middleware has changed is refused, but for
// redirectScheme, which takes these changes with it. X-Forwarded-Prefix and
// X-Replaced-Path depend on the request and are the proxy's to set. Middlewares
// are for the default backend too; annotations of version 1 are not.
//
// # Order
//
// An expression of router.pathmatcher PathRegexp is tried before the paths of its
// host that are not longer, as in Traefik; one that is longer and may match the
// same is made an expression, or else [CodePriority] says so. Exact paths are
// tried first of all.
//
// # Objects
//
// A path whose backend is a resource TraefikService with spec.weighted.services
// has these Services with their weights, which Traefik itself has for its own
// IngressRoutes alone. A Service in another namespace needs [ingress.Cluster].Grant.
// What does not resolve, or has middlewares of its own, keeps its share. Mirroring
// and failover are not done.
//
// # Strict and Compat
//
// [Strict], the default, takes pathType Prefix by segment, [Compat] as a text
// prefix ([CodeTextPrefix]). ImplementationSpecific paths are text prefixes in both.
package traefik
