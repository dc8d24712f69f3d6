package bfe

// The codes of this dialect's problems.

import "github.com/readdress/readdress/route/ingress"

// Codes of problems with Ingresses, which the rewriter reports.
const (
	// CodeRewrite is a fault of a rewrite-url annotation, as package annotation
	// found it: Err is its *annotation.Error. An error removes the entries of
	// the Ingress, which would be forwarded to the wrong URL; a warning is an
	// order that was chosen. Write what the detail says.
	CodeRewrite ingress.Code = "bfe-rewrite"
	// CodeRouter is a router.header or router.cookie that is no "name: value",
	// or one that no request can meet. It removes the entries of the Ingress,
	// which would get requests that are not theirs. Write a name, a colon and a
	// value.
	CodeRouter ingress.Code = "bfe-router"
	// CodeWeight is a fault of balance.weight. That of a group removes the
	// entries with the group's name as their Service, and that of the whole
	// value every entry; one path is not served if the paths before it have as
	// many backends as there may be. A warning is a group that no path names. Write
	// {"name": {"service": weight}} with integers from 0 whose sum is not 0.
	CodeWeight ingress.Code = "bfe-weight"
	// CodeRedirect is a fault of the redirect annotations. It removes the
	// entries of the Ingress, which would be forwarded instead. Write one of the
	// four, and a status only beside it.
	CodeRedirect ingress.Code = "bfe-redirect"
	// CodeRedirectHosts is a redirect.url-from-query without hosts that it may
	// lead to: it leads to paths of the same host only, because anything else
	// would let every link choose. List the others in Options.RedirectHosts.
	CodeRedirectHosts ingress.Code = "bfe-redirect-hosts"
	// CodePath is a path with a "*", which the controller refuses. The path is
	// not served. Write the path alone: it is a prefix.
	CodePath ingress.Code = "bfe-path"
	// CodeHost is a host with a "*" elsewhere than in "*." at its beginning,
	// which the controller refuses. The path is not served. Write "*." and a name.
	CodeHost ingress.Code = "bfe-host"
	// CodeStripShort is a path-prefix-strip of more segments than the path of
	// the rule has: requests with fewer are not stripped. Write a longer path or
	// a smaller number.
	CodeStripShort ingress.Code = "bfe-strip-short"
	// CodeUnknown is an annotation under the prefix that nothing reads. Write
	// the name that the detail offers, or remove it.
	CodeUnknown ingress.Code = "bfe-unknown"
)

// Codes of problems with the data of mod_rewrite, which Write and Read report.
const (
	// CodeSyntax is data that is not JSON, or not of the form that BFE loads.
	CodeSyntax ingress.Code = "bfe-syntax"
	// CodeCond is a condition that BFE, or an entry, has no words for. The rule
	// is left out.
	CodeCond ingress.Code = "bfe-cond"
	// CodeAction is an action that BFE, or package rewrite, does not have. Write
	// leaves the entry's rule without actions, so that no other rule gets its
	// requests; Read leaves the rule out.
	CodeAction ingress.Code = "bfe-action"
	// CodeParam is a parameter that does not come through the conversion. The
	// same is left out as of CodeAction; a warning is one that comes through
	// and does not mean the same, such as a name that BFE never renames.
	CodeParam ingress.Code = "bfe-param"
	// CodeTrim is a prefix to trim that BFE would also take from the middle of
	// a segment, or segments to strip that the entry's path does not name. Give
	// the entry a path that begins with them. A warning is one that is written
	// all the same, because of WriteOptions.SeedPrefix.
	CodeTrim ingress.Code = "bfe-trim"
	// CodeAddGlues is a PATH_PREFIX_ADD without a final slash: BFE makes /barfoo
	// of /bar and /foo. It is read with the slash. Write the slash.
	CodeAddGlues ingress.Code = "bfe-add-glues"
	// CodeAnyHost is a host taken from the path: BFE takes any, without the list
	// of hosts that package rewrite asks for.
	CodeAnyHost ingress.Code = "bfe-any-host"
	// CodeHook is rules of a hook that no section is for, or a section that no
	// hook is for: name it in Sections. An error is a section for two hooks,
	// rules at Forward that no condition finds, which belong at AfterLocation, or
	// rules of an entry that belong to its backends and the reverse. They are left
	// out.
	CodeHook ingress.Code = "bfe-hook"
	// CodeNotRewrite is a redirect, of which the data of mod_rewrite says
	// nothing: it belongs to mod_redirect.
	CodeNotRewrite ingress.Code = "bfe-not-rewrite"
	// CodeHostSuffix is a req_host_suffix_in, which matches names of any depth
	// where an entry's host has one label in place of the "*".
	CodeHostSuffix ingress.Code = "bfe-host-suffix"
	// CodeOrder is a rule behind one that BFE prefers, because it comes first,
	// and that a table prefers, because it is more specific; or one beside a rule
	// of another section that BFE runs too, and a table does not find.
	CodeOrder ingress.Code = "bfe-order"
	// CodeLast is a rule that is not the last for its requests. It is read as if
	// it were: an entry is.
	CodeLast ingress.Code = "bfe-last"
	// CodeNever is a condition that no request meets. The rule is left out.
	CodeNever ingress.Code = "bfe-never"
)
