package haproxy

import "github.com/readdress/readdress/route/ingress"

// The codes of this package.
const (
	// CodeExpression: a value has a log-format expression, such as %[src], which
	// only HAProxy can evaluate. Write the text itself, and %% for a percent sign.
	CodeExpression ingress.Code = "haproxy-expression"
	// CodeValue: a value that cannot be read, such as a path-rewrite line of
	// three fields. The detail says what to write.
	CodeValue ingress.Code = "haproxy-value"
	// CodeRegexp: a regular expression that package regexp does not know.
	// Write it without the construct that the detail names.
	CodeRegexp ingress.Code = "haproxy-regexp"
	// CodeNoGroup: a replacement names a group that the expression does not
	// have. It is the empty text, as in HAProxy, and of two slashes around it one
	// stays. Write the number of a group.
	CodeNoGroup ingress.Code = "haproxy-no-group"
	// CodeQuery: a replacement has a question mark. HAProxy would send two of
	// them; here what follows it goes before the query of the request. Leave the
	// query out of the replacement.
	CodeQuery ingress.Code = "haproxy-query"
	// CodeScope: a path-rewrite line begins with a text that is not on the path
	// of a rule. HAProxy, and Compat, look for it in the middle of the request's
	// path; in Strict the line is not for that rule. Begin the line with .* to
	// rewrite in the middle.
	CodeScope ingress.Code = "haproxy-scope"
	// CodeSlash: a rewrite of /p/(.*) on a route that has /p too. HAProxy, and
	// Compat, forward /p itself as it is; in Strict the prefix is replaced by
	// segment. Or an ImplementationSpecific path with a final slash, which the
	// controller, and Compat, cut, so that /p/ gets /p and /px too. Write
	// /p(/.*)? to rewrite /p too, and a path without the slash to get it.
	CodeSlash ingress.Code = "haproxy-slash"
	// CodeDoubleSlash: a rewrite-target that ends in a slash on a path that does
	// not. HAProxy would send two slashes; here it is one. Write both with the
	// slash or both without.
	CodeDoubleSlash ingress.Code = "haproxy-double-slash"
	// CodeDead: an annotation that another one keeps from doing anything, such
	// as a rewrite behind a redirect of all requests, or a line of path-rewrite
	// that is there twice. Leave it out.
	CodeDead ingress.Code = "haproxy-dead"
	// CodeStatus: the status of a redirect is none that it can have.
	// The redirect has 302. Write one that the detail names.
	CodeStatus ingress.Code = "haproxy-status"
	// CodePort: in Compat an HTTPS redirect goes to port 8443 where no port is
	// given, because that is the controller's; in Strict it is 443. Write
	// ssl-redirect-port.
	CodePort ingress.Code = "haproxy-port"
	// CodeTLS: server-ca or server-sni without server-ssl, so the connection to
	// the Service is in plain text: write server-ssl: "true". Or a Secret in
	// another namespace than the Ingress: put it there.
	CodeTLS ingress.Code = "haproxy-tls"
	// CodeACL: a Service with route-acl, a condition in HAProxy's language that
	// decides which requests it gets. Its paths are not served. Write an Ingress
	// path for them.
	CodeACL ingress.Code = "haproxy-acl"
	// CodeSnippet: raw HAProxy configuration, which is not read. Write what it
	// does by other annotations, or see to it in the proxy and name it in
	// Options.Handled.
	CodeSnippet ingress.Code = "haproxy-snippet"
	// CodeRefused: an annotation that changes what an Ingress means and has no
	// translation, such as redirect-from-regex. What it governs is not served.
	CodeRefused ingress.Code = "haproxy-refused"
	// CodeAccess: an annotation that keeps clients out, or the whole of the
	// traffic from the proxy. Entries cannot say it, so the paths of the Ingress
	// answer 500, which no shorter path or wildcard can undo. See to it in the
	// proxy and name it in Options.Handled.
	CodeAccess ingress.Code = "haproxy-access"
	// CodeNotTranslated: an annotation about something other than URLs that an
	// entry cannot say, such as cors-enable. It is not obeyed. See to it in the
	// proxy and name it in Options.Handled.
	CodeNotTranslated ingress.Code = "haproxy-not-translated"
	// CodeIgnored: an annotation without a meaning for URL routing, such as a
	// timeout. There is nothing to do.
	CodeIgnored ingress.Code = "haproxy-ignored"
	// CodeUnknown: an annotation that no version of the controller has. The
	// detail names the nearest that there is.
	CodeUnknown ingress.Code = "haproxy-unknown"
	// CodeDuplicate: one annotation under two prefixes. The prefix that the
	// detail names counts. Leave the other out.
	CodeDuplicate ingress.Code = "haproxy-duplicate"
	// CodeForeign: an annotation of another controller, which is not read here.
	// Write it in the words of the Ingress's own controller, or set the class of
	// the other.
	CodeForeign ingress.Code = "foreign-dialect"
)
