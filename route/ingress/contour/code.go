package contour

import "github.com/readdress/readdress/route/ingress"

// The codes of HTTPProxies.
const (
	// CodeDuplicate: a second HTTPProxy of one namespace and name, or a second
	// root of one fqdn. It is not served. Write one, and let it include the other.
	CodeDuplicate ingress.Code = "contour-duplicate"
	// CodeHost: a virtualhost.fqdn that is no name, for which nothing is served, or
	// a Host that cannot be sent, whose route's requests are answered with 500.
	// Write a name, or as a fqdn "*." and a name.
	CodeHost ingress.Code = "contour-host"
	// CodeInclude: an include that cannot be followed: there is no such object, it
	// is a root itself, it leads back, or it has a condition exact or regex. What it
	// would bring is not served. Requests that meet its conditions are answered with
	// 500, if it has some that an include can have, and does not lead back.
	CodeInclude ingress.Code = "contour-include"
	// CodeOrphan: an HTTPProxy without a virtualhost that no root includes. It is
	// not served. Include it, or write a virtualhost.
	CodeOrphan ingress.Code = "contour-orphan"
	// CodeLimit: includes of a root that multiply to more than its share. What lies
	// beyond is not served. Include every object once.
	CodeLimit ingress.Code = "contour-limit"
	// CodeCondition: a condition that Contour refuses or that cannot be compiled.
	// The route, or all that is included, is left out: without the condition it
	// would serve what it was not meant for.
	CodeCondition ingress.Code = "contour-condition"
	// CodeRoute: a route that does not say exactly one of services and
	// requestRedirectPolicy, or has a directResponsePolicy too. Its requests are
	// answered with 500.
	CodeRoute ingress.Code = "contour-route"
	// CodeMustHavePrefix: a pathRewritePolicy, or a redirect of a prefix, on a
	// route without a prefix. Its requests are answered with 500. Write a prefix
	// condition.
	CodeMustHavePrefix ingress.Code = "contour-must-have-prefix"
	// CodeReplacement: two replacements for one prefix, or two without a prefix,
	// or one that is no path. The route's requests are answered with 500. Write one.
	CodeReplacement ingress.Code = "contour-replacement"
	// CodeRedirect: a redirect with a status or fields that Contour refuses. The
	// route's requests are answered with 500.
	CodeRedirect ingress.Code = "contour-redirect"
	// CodeNoBoundary: a rewritten prefix is text, so /foo also rewrites /foosball.
	// Write /foo/, which in Strict stands for /foo and what is below it.
	CodeNoBoundary ingress.Code = "contour-no-boundary"
	// CodeTrailingSlash: in Compat a rewritten prefix /foo/ also matches
	// /foosball. Strict takes it by segment.
	CodeTrailingSlash ingress.Code = "contour-trailing-slash"
	// CodeRegexFirst: in Compat, as in Contour, the regular expressions of a host are
	// tried before its prefixes, the longest first. Strict tries them after, in the
	// order in which they are written. Write expressions that match no path of a
	// prefix or of another expression.
	CodeRegexFirst ingress.Code = "contour-regex-first"
	// CodeGlues: a replacement is joined to the rest of the path without a slash,
	// so "/" replaced by /app makes /appx of /x. Write a final slash.
	CodeGlues ingress.Code = "contour-glues"
	// CodeDynamic: a header value with a variable of Envoy, such as %REQ(name)%.
	// The field is not set; if it is Host, the route's requests are answered with
	// 500. Write a literal value.
	CodeDynamic ingress.Code = "contour-dynamic"
	// CodeCookie: cookieRewritePolicies for one cookie apply to every cookie here,
	// so of several only the first counts; one that rewrites no attribute does
	// nothing. Write one policy.
	CodeCookie ingress.Code = "contour-cookie"
	// CodeGuard: a policy that keeps requests out, which is not done here. The
	// routes it guards are answered with 500. Name it in Options.Handled if the
	// caller does it.
	CodeGuard ingress.Code = "contour-guard"
	// CodeMirror: a service that gets copies of requests. It gets none.
	CodeMirror ingress.Code = "contour-mirror"
	// CodeWeight: a weight that is not 0 to 1,000,000. It is the nearer of the two.
	CodeWeight ingress.Code = "contour-weight"
	// CodeUnsupported: a field that changes what a client gets and is not read.
	// The rest of the object is served.
	CodeUnsupported ingress.Code = "contour-unsupported"
)

// The codes of Ingresses, and those of both.
const (
	// CodePath: a path that Contour takes for a regular expression, and that is
	// none. It is left out.
	CodePath ingress.Code = "contour-path"
	// CodeValue: an annotation whose value is not one of those that mean
	// something. It is as if the annotation was absent.
	CodeValue ingress.Code = "contour-value"
	// CodeKind: an annotation that Contour reads on objects of another kind. It
	// means nothing here.
	CodeKind ingress.Code = "contour-kind"
	// CodeUnknown: an annotation or a field that nobody knows. If it is one of a
	// rewrite or a redirect, the route's requests are answered with 500. Look up its
	// name.
	CodeUnknown ingress.Code = "contour-unknown"
	// CodeIgnored: an annotation or a field that changes neither URLs nor routes,
	// such as a timeout. Nothing is to be done here.
	CodeIgnored ingress.Code = "contour-ignored"
)
