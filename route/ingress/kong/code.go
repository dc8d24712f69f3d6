package kong

import "github.com/readdress/readdress/route/ingress"

// Codes of annotations and their values.
const (
	// CodeValue: a value that means nothing, which Kong ignores. It is as if the
	// annotation was absent. Write one of those that the problem names.
	CodeValue ingress.Code = "kong-value"
	// CodeKind: an annotation of Services on an Ingress, or the other way round.
	// Kong ignores it there; here the former holds for the Ingress, where the
	// Service says nothing else. Move it to the object that the problem names.
	CodeKind ingress.Code = "kong-kind"
	// CodeUnknown: an annotation konghq.com/ that nobody knows. Look up its name.
	CodeUnknown ingress.Code = "kong-unknown"
	// CodeIgnored: an annotation that changes neither URLs nor routes, such as a
	// timeout. Nothing is to be done here.
	CodeIgnored ingress.Code = "kong-ignored"
	// CodeUnsupported: an annotation that changes what is served, and is not done
	// here. The rest of the Ingress is served.
	CodeUnsupported ingress.Code = "kong-unsupported"
	// CodeCondition: a condition that cannot be had, or is not understood. The
	// paths are left out, because without it they would serve what they were not
	// meant for.
	CodeCondition ingress.Code = "kong-condition"
	// CodeGuard: plugins, some of which keep requests out, do not run here. Paths
	// are answered with 500. Name the annotation in Options.Handled if the caller
	// sees to it.
	CodeGuard ingress.Code = "kong-guard"
)

// Codes of paths.
const (
	// CodeRegex: a regular expression that package regexp does not take, or as no
	// path begins. The path is left out. Write it in RE2, and behind a slash.
	CodeRegex ingress.Code = "kong-regex"
	// CodePathType: a path that begins as a regular expression does, but whose
	// pathType says that it is none. It is text. Write ImplementationSpecific.
	CodePathType ingress.Code = "kong-path-type"
	// CodeLiteral: a path that looks like a regular expression, without the prefix
	// that makes it one. It is text. Write /~ before it.
	CodeLiteral ingress.Code = "kong-literal"
	// CodeExactRegex: Kong makes a regular expression of an Exact path without
	// escaping it, so "." is any byte. Strict takes it literally.
	CodeExactRegex ingress.Code = "kong-exact-regex"
	// CodeRegexFirst: Kong tries the regular expressions of a host before all
	// other paths, and so does Compat. Strict tries them after.
	CodeRegexFirst ingress.Code = "kong-regex-first"
)

// Codes of what paths and hosts become.
const (
	// CodeRewrite: a konghq.com/rewrite that Kong refuses, and the Ingress is not
	// served, or that makes no path, and the one that it is for is left out. Write
	// a path; $1 is a capture, \$ a dollar sign.
	CodeRewrite ingress.Code = "kong-rewrite"
	// CodeNoGroup: a capture that the path does not have. It is empty.
	CodeNoGroup ingress.Code = "kong-no-group"
	// CodeNoCapture: every path below a prefix becomes one and the same. Write a
	// regular expression with a capture, and $1.
	CodeNoCapture ingress.Code = "kong-no-capture"
	// CodeCapture: a capture behind a slash may begin with a slash or a dot, and so
	// make "//" or a dot-segment. Let the group begin behind a slash.
	CodeCapture ingress.Code = "kong-capture"
	// CodeOptionalSlash: a slash that is optional lets /appx match where /app is
	// meant. Write (/|$).
	CodeOptionalSlash ingress.Code = "kong-optional-slash"
	// CodeOverridden: an annotation that another one makes void, as strip-path
	// beside rewrite.
	CodeOverridden ingress.Code = "kong-overridden"
	// CodePathHandling: path-handling v1 joins paths another way. It is done as
	// v0, which is the default.
	CodePathHandling ingress.Code = "kong-path-handling"
	// CodeHostHeader: in Compat, as in Kong, a host-header of a Service does
	// nothing unless preserve-host is "false". Strict obeys it unless preserve-host
	// is "true".
	CodeHostHeader ingress.Code = "kong-host-header"
)
