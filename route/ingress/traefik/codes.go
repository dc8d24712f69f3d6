package traefik

import "github.com/readdress/readdress/route/ingress"

// The codes of this package.
const (
	// CodeMiddleware: a middleware that is not there, or cannot be read, and so
	// may be one that keeps clients out. The paths of the Ingress answer 500; where
	// only a field of a known kind is wrong, they are not served. Write the name as
	// namespace-name@kubernetescrd, and give Cluster.Object the object.
	CodeMiddleware ingress.Code = "traefik-middleware"
	// CodeChain: middlewares in such a number, or in chains so entangled, that
	// they are not read. The paths of the Ingress answer 500. Write at most 64, and
	// no chain in itself.
	CodeChain ingress.Code = "traefik-chain"
	// CodeOrder: middlewares in an order that an entry cannot have, in which
	// redirects come first. Put the redirect before what changes the path, and
	// redirectScheme before redirectRegex.
	CodeOrder ingress.Code = "traefik-order"
	// CodeValue: a value that cannot be read. The detail says what to write.
	CodeValue ingress.Code = "traefik-value"
	// CodeRegexp: a regular expression that package regexp does not take, or
	// that is too costly. Write it without the construct that the detail names.
	CodeRegexp ingress.Code = "traefik-regexp"
	// CodeNoGroup: a replacement names a group that the expression does not
	// have. It is the empty text, as in Traefik. In Go's syntax $1x is the group
	// named 1x: write ${1}x.
	CodeNoGroup ingress.Code = "traefik-no-group"
	// CodeNeverMatches: a prefix, or an expression for the beginning of a path,
	// without a slash at its beginning. No path begins so. Write it with the slash.
	// Or a prefix with an escape, which Traefik compares with the path without its
	// escapes, or an expression without one for a character that a path has as one.
	// The detail says what to write.
	CodeNeverMatches ingress.Code = "traefik-never-matches"
	// CodeTextPrefix: in Compat a path of pathType Prefix is a text prefix, so
	// /foo matches /foobar. In Strict it is by segment.
	CodeTextPrefix ingress.Code = "traefik-text-prefix"
	// CodePriority: router.priority has no place in a table, in which exact paths,
	// then expressions and then longer prefixes come first. Or a path that is
	// longer than an expression, and so before it in Traefik, cannot be put there.
	// Write paths of which that order is true.
	CodePriority ingress.Code = "traefik-priority"
	// CodeDead: an annotation or a field that another one, or its place, keeps from
	// doing anything, as one of Ingresses on a Service. Leave it out.
	CodeDead ingress.Code = "traefik-dead"
	// CodeService: a backend that a TraefikService names and that cannot be
	// forwarded to, or has middlewares of its own. It keeps its share, which is
	// answered with 500.
	CodeService ingress.Code = "traefik-service"
	// CodeOnService: an annotation that Traefik reads on Services, on an Ingress.
	// It does nothing. Write it on the Service.
	CodeOnService ingress.Code = "traefik-on-service"
	// CodeAccess: a middleware or an annotation that keeps clients out. Entries
	// cannot say it, so the paths of the Ingress answer 500, which no shorter path
	// or wildcard can undo. See to it in the proxy and name it in Options.Handled.
	CodeAccess ingress.Code = "traefik-access"
	// CodeRefused: a middleware or an annotation that changes requests or what an
	// Ingress means, and has no translation. The paths of the Ingress are not
	// served; those of a plugin and of a Service with middlewares, which may keep
	// clients out, answer 500. See to it in the proxy and name it in
	// Options.Handled.
	CodeRefused ingress.Code = "traefik-refused"
	// CodeNotTranslated: something other than URLs that an entry cannot say,
	// such as error pages. It is not obeyed. See to it in the proxy and name it
	// in Options.Handled.
	CodeNotTranslated ingress.Code = "traefik-not-translated"
	// CodeIgnored: something without a meaning for URL routing, such as
	// compression, or a sticky cookie on a Service. There is nothing to do.
	CodeIgnored ingress.Code = "traefik-ignored"
	// CodeUnknown: an annotation, a middleware or a field that no version of
	// Traefik has. The detail names the nearest annotation that there is. An
	// annotation router.… makes the paths of its Ingress answer 500, and one
	// service.… those of its Service: Traefik takes no object that has one, and it
	// may be middlewares, misspelt.
	CodeUnknown ingress.Code = "traefik-unknown"
	// CodeForeign: an annotation of another controller, which is not read here.
	// Write it in the words of Traefik, or set the class of the other.
	CodeForeign ingress.Code = "foreign-dialect"
)
