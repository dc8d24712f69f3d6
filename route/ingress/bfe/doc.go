// Package bfe reads the Ingresses of the controller of BFE, ingress-bfe, and
// reads and writes the data of BFE's module mod_rewrite.
//
//	dispatcher, err := ingress.NewDispatcher(ingress.Registration{Rewriter: bfe.New(nil)})
//
// [New] is the rewriter, for Ingresses of class bfe. [Write] makes of entries,
// whatever their dialect, the file rewrite.data that BFE loads, and [Read] makes
// entries of one.
//
// # Annotations
//
// All begin with bfe.ingress.kubernetes.io/.
//
//	annotation or field      read as    meaning
//	rewrite-url.*            supported  package annotation has the ten keys and their values
//	router.header            supported  "name: value": only requests with this header field
//	router.cookie            supported  "name: value": only requests with this cookie
//	balance.weight           supported  {"name": {"service": 80, "other": 20}}: where a path names
//	                                    Service name, the requests are shared out to these; at most
//	                                    64 for a name, and 16,384 backends over an Ingress's entries
//	redirect.url-set         supported  an http or https URL or a path, as it is to be sent: the location
//	redirect.url-from-query  supported  the query parameter that has the location; see Options.RedirectHosts
//	redirect.url-prefix-add  supported  an http or https URL or a path, put before the path
//	redirect.scheme-set      supported  http or https: requests of the other scheme are redirected
//	redirect.response-status supported  301, 302 (if absent), 303, 307 or 308, beside one of the four
//	bfe-ingress-status       ignored    the controller writes it
//	any other                warned     bfe-unknown, with the nearest key
//	pathType                 supported  Exact, Prefix; ImplementationSpecific and none are Prefix
//	host "" or "*.name"      supported  every host; one label before the name
//	"*" elsewhere            refused    bfe-host and bfe-path
//
// An annotation that is empty is as if absent for router.header, router.cookie
// and, beside one of the four, redirect.response-status, and a fault otherwise.
// Values are data: what the controller
// puts into an expression, where "|" and quotes mean something, is compared as
// it stands. A fault in an annotation takes from the Ingress the paths that the
// annotation is for, and from no other Ingress anything.
//
// # The data of mod_rewrite
//
// Conditions are on the host, the path, header fields and cookies:
//
//	an entry                      in BFE
//	Host a.com                    req_host_in("a.com")
//	Host *.a.com                  req_host_regmatch(`(?i)^[^.]+\.a\.com$`)
//	                              req_host_suffix_in(".a.com"), read only
//	Prefix, Exact, TextPrefix     req_path_element_prefix_in, req_path_in, req_path_prefix_in
//	Regex "/", every path         none, and the last rule of its host; write only
//	header or cookie: Equals      req_header_value_in, req_cookie_value_in
//	BeginsWith, Matches           …_value_prefix_in, …_value_regmatch
//	Present, Absent               req_cookie_key_in and "!" before it
//
// and are read with &&, ||, "!" and parentheses: one entry for each alternative.
// "!" goes before conditions on header fields and cookies. BFE compares decoded
// paths, in which %2F is a slash, takes a header field that is absent for an empty
// one, and of several fields of one name knows the first alone.
//
// Actions and their parameters are converted so that what is written means in
// BFE what it means here, and what cannot be is a problem:
//
//	package rewrite               in BFE                     parameters
//	SetHost                       HOST_SET                   mapped by IDNA
//	HostFromPathPrefix            HOST_SET_FROM_PATH_PREFIX
//	SetPath                       PATH_SET                   decoded
//	AddPathPrefix                 PATH_PREFIX_ADD            decoded, with a final slash
//	TrimPathPrefix                PATH_PREFIX_TRIM           decoded, without; see below
//	TrimPathText                  PATH_PREFIX_TRIM           decoded
//	StripPathSegments             PATH_PREFIX_TRIM           the first segments of the entry's path
//	AddQuery, RenameQuery         QUERY_ADD, QUERY_RENAME    escaped
//	DeleteQuery, KeepQuery        QUERY_DEL,                 as they are
//	                              QUERY_DEL_ALL_EXCEPT
//	DropQuery                     QUERY_DEL_ALL_EXCEPT       none
//
// BFE escapes a path that an action has changed as package net/url does: it sends
// %21 for "!", %28 for "(", and "+" for %2B.
//
// BFE trims a prefix as text: /foo from /foobar too. So a TrimPathPrefix is
// written, and a PATH_PREFIX_TRIM read as one, where the path of the entry, or
// the action before it, makes sure that a whole segment follows.
//
// BFE takes the first rule that matches, and a table the most specific route.
// Write puts entries in the table's order; Read warns of rules that are not in
// it. BFE also runs a rule of each section, and a table finds one entry: Read
// makes one of rules with the same condition, and warns of those that overlap.
//
// Functions and values of this package are safe for concurrent use.
package bfe
