package nginx

// Codes: the kinds of problems that only this dialect has.

import "github.com/readdress/readdress/route/ingress"

// The five behaviours of ingress-nginx that surprise most: what it does with a
// host as soon as one of its paths is a regular expression, and what nginx does
// with every request. In Compat mode they are reproduced, as far as said, and
// warned of; in Strict mode they are not there.
const (
	// CodeRegexPrefix: a regular expression is compared without letter case and
	// has no end, so /foo also matches /FOObar. Strict compares letter case. Write
	// "$" at the end of the path, or "(/|$)" where a segment ends.
	CodeRegexPrefix ingress.Code = "nginx-regex-prefix"
	// CodeHostWide: one path with use-regex or rewrite-target makes regular
	// expressions of all paths of its host, of other Ingresses too; Exact and
	// Prefix no longer hold. Strict changes no other path. Give regular
	// expressions a host of their own, or move to Strict.
	CodeHostWide ingress.Code = "nginx-host-wide"
	// CodeImpliedRegex: rewrite-target turns regular expressions on, although
	// use-regex is not there. Write use-regex: "true" to show it.
	CodeImpliedRegex ingress.Code = "nginx-implied-regex"
	// CodeSlashRedirect: for a path that ends in "/", a request without that
	// slash is redirected to it. In Strict a Prefix matches both and an Exact
	// path one. Write the path without its final slash.
	CodeSlashRedirect ingress.Code = "nginx-slash-redirect"
	// CodeNormalises: nginx merges slashes, resolves dot-segments and decodes
	// the path before it compares it. What a listener does about these is the
	// caller's rewrite.Input, in either mode; nothing here decodes a path.
	CodeNormalises ingress.Code = "nginx-normalises"
)

// What Compat does not reproduce, because this module guarantees otherwise.
const (
	// CodeDecodes: the controller sends a rewritten path on decoded, so %2F
	// becomes a slash; here every capture keeps its escapes. Nothing to do unless
	// a backend relies on it.
	CodeDecodes ingress.Code = "nginx-decodes"
	// CodeDropsSlash: the controller's redirects to https and to or from www lose
	// a final slash of the path, and of "/" all of it; here the path stays. Write
	// preserve-trailing-slash: "true" to say the same to both.
	CodeDropsSlash ingress.Code = "nginx-drops-slash"
	// CodeCorsPreflight: the controller answers OPTIONS itself; an entry has no
	// answers of its own, so the backend gets the request, and the headers are
	// put on what it answers. Let the backend or the proxy answer OPTIONS.
	CodeCorsPreflight ingress.Code = "nginx-cors-preflight"
	// CodeAlternation: of a path such as /a|/b, nginx anchors only the first
	// alternative; here all of them begin where the path begins. Write two paths.
	CodeAlternation ingress.Code = "nginx-alternation"
)

// Paths and what they are rewritten to.
const (
	// CodePathType: a path with characters of regular expressions and a pathType
	// of Exact or Prefix, which say that it is none, or without use-regex. The path
	// is not served where a regular expression is asked for, or as text it is no
	// path. Write use-regex: "true" and pathType: ImplementationSpecific.
	CodePathType ingress.Code = "nginx-path-type"
	// CodeRegex: a regular expression that package regexp (RE2) does not have,
	// that is malformed or that is too much; the detail names the construct and its
	// offset. The path is not served; of one that answers 500, so does whatever
	// begins as it does.
	CodeRegex ingress.Code = "nginx-regex"
	// CodeEscapes: a regular expression with a character that a path has only as
	// an escape, such as a space, a question mark or one that is not ASCII; nginx
	// compares it decoded. A path is compared with its escapes here, so it matches
	// nothing. Write the escape, such as %C3%A9.
	CodeEscapes ingress.Code = "nginx-escapes"
	// CodeNoCapture: a rewrite-target without captures on a path that has others
	// below it: all of them become the one target. Write a path such as
	// /p(/|$)(.*) and $2 in the target.
	CodeNoCapture ingress.Code = "nginx-no-capture"
	// CodeNoGroup: $n in a target for a group that the path does not have, or in
	// Compat for one of the path in a redirect behind a rewrite line; it is empty.
	// Write the number of a group, or a path with that many.
	CodeNoGroup ingress.Code = "nginx-no-group"
	// CodeDropsTail: the path does not end where its regular expression ends, and
	// what follows is in no capture: it is dropped. End the path with "$" or (.*).
	CodeDropsTail ingress.Code = "nginx-drops-tail"
	// CodeShiftedGroup: the target has captures, but not the group that takes the
	// rest of the path: groups were added before it. Count the parentheses again.
	CodeShiftedGroup ingress.Code = "nginx-shifted-group"
	// CodeOptionalSlash: an optional slash, as in /p/?(.*), lets /pelse match.
	// Write /p(/|$)(.*) and $2.
	CodeOptionalSlash ingress.Code = "nginx-optional-slash"
	// CodeDotSegment: a capture that does not begin behind a slash is put behind
	// one, so /p../x would become /../x and is answered with 400. Write
	// /p(/|$)(.*) and $2.
	CodeDotSegment ingress.Code = "nginx-dot-segment"
	// CodeDoubleSlash: a capture that begins with a slash is put behind one. At
	// the beginning of a path one of them is dropped. Write /p(/|$)(.*) and $2.
	CodeDoubleSlash ingress.Code = "nginx-double-slash"
	// CodeOneTarget: paths of one Ingress with different groups share one target.
	// Write an Ingress for each target.
	CodeOneTarget ingress.Code = "nginx-one-target"
	// CodeVariable: a variable of nginx where none can be said. The detail names
	// those that can.
	CodeVariable ingress.Code = "nginx-variable"
)

// Values.
const (
	// CodeValue: a value that the annotation cannot have. The annotation is not
	// obeyed; what that means is in the detail.
	CodeValue ingress.Code = "nginx-value"
	// CodeStatus: a status outside of what the annotation takes; the default is
	// used. Write 301, 302, 303, 307 or 308.
	CodeStatus ingress.Code = "nginx-status"
	// CodeUnknown: an annotation that neither the controller nor this package
	// knows. The detail has the nearest known name.
	CodeUnknown ingress.Code = "nginx-unknown"
	// CodeIgnored: an annotation that says nothing about URLs, such as a timeout.
	// Nothing to do here.
	CodeIgnored ingress.Code = "nginx-ignored"
	// CodeAccess: an annotation that keeps clients out, or the whole of the
	// traffic from the proxy. Entries cannot say it, so the paths of the Ingress
	// answer 500, and in Compat those of its hosts if it is about hosts. See to it
	// in the proxy and name it in Options.Handled.
	CodeAccess ingress.Code = "nginx-access"
	// CodeRefused: an annotation about something other than URLs that an entry
	// cannot say, such as custom-http-errors. It is not obeyed. See to it in the
	// proxy and name it in Options.Handled.
	CodeRefused ingress.Code = "nginx-refused"
	// CodeProtocol: a protocol to the backend that a Scheme cannot say.
	CodeProtocol ingress.Code = "nginx-backend-protocol"
	// CodeNoEffect: an annotation that does nothing where it is, such as
	// x-forwarded-prefix without rewrite-target. Remove it or what hides it.
	CodeNoEffect ingress.Code = "nginx-no-effect"
	// CodeHeaderCapture: a header whose value depends on the path of the request.
	// It is not set. Write its text.
	CodeHeaderCapture ingress.Code = "nginx-header-capture"
	// CodeCorsOrigin: origins that one header cannot say. No CORS headers are
	// set, so browsers keep other origins out. Write one origin or "*".
	CodeCorsOrigin ingress.Code = "nginx-cors-origin"
	// CodeForeign: annotations of another controller with the name nginx, which
	// are not read.
	CodeForeign ingress.Code = "foreign-dialect"
)

// Redirects and hosts.
const (
	// CodeRedirectWins: a redirect beside a rewrite or a second redirect, which
	// is never reached. Remove one.
	CodeRedirectWins ingress.Code = "nginx-redirect-wins"
	// CodeRedirectOrder: the controller redirects over http to the app-root, or
	// as a snippet says, and only then to https. Strict goes to https first, and
	// where a snippet redirects some requests of a path so does Compat.
	CodeRedirectOrder ingress.Code = "nginx-redirect-order"
	// CodeDefaultLocation: a host without a path "/" gets one from the
	// controller, with the redirects of the host's first Ingress, also to https.
	// Strict adds none.
	CodeDefaultLocation ingress.Code = "nginx-default-location"
	// CodeHostTaken: an alias or a www host that an Ingress has as a host of its
	// own, or that another alias took before. It is not added.
	CodeHostTaken ingress.Code = "nginx-host-taken"
	// CodeAliasDepth: a wildcard alias, which nginx matches at any depth and a
	// route for one label.
	CodeAliasDepth ingress.Code = "nginx-alias-depth"
)

// Canaries.
const (
	// CodeCanaryOff: canary annotations without canary: "true". In Strict the
	// Ingress is not served, because it would be no canary; in Compat it is an
	// ordinary Ingress.
	CodeCanaryOff ingress.Code = "nginx-canary-off"
	// CodeCanaryAlone: a canary without an ordinary Ingress of the same host, path
	// and pathType. It is not served. Create the ordinary Ingress.
	CodeCanaryAlone ingress.Code = "nginx-canary-alone"
	// CodeCanarySecond: a second canary of one path; only the first counts.
	CodeCanarySecond ingress.Code = "nginx-canary-second"
	// CodeCanaryIgnored: another annotation on a canary, where the controller
	// takes it from the ordinary Ingress. Write it there.
	CodeCanaryIgnored ingress.Code = "nginx-canary-ignored"
	// CodeCanaryWeight: a weight below 0 or above the total, which is clamped.
	CodeCanaryWeight ingress.Code = "nginx-canary-weight"
	// CodeCanaryTotal: a weight-total of 100 or less, which the controller reads
	// as 100. Strict honours it.
	CodeCanaryTotal ingress.Code = "nginx-canary-total"
)

// Snippets.
const (
	// CodeSnippet: a line of a snippet that cannot be said. Whom it would have kept
	// out is not known, so the paths that the snippet governs answer 500. Write an
	// annotation, or rules of the proxy.
	CodeSnippet ingress.Code = "nginx-snippet"
	// CodeSnippetChain: a rewrite that ends the lines behind it, if it matches, where
	// no order of the lines says the same, or that in a server-snippet leads to
	// another path, whose lines are run; here the next lines see its result. Or one
	// beside a redirect of some requests, which sees the path that the client sent,
	// and gets none that the rewrite leads elsewhere.
	// Write lines that exclude each other, and redirects of the client's paths.
	CodeSnippetChain ingress.Code = "nginx-snippet-chain"
)
