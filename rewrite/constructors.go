package rewrite

// The constructors of actions.

import (
	"slices"
	"strconv"
)

func newAction(op Op, args ...string) Action { return Action{op, slices.Clone(args)} }

// SetHost sets the whole host, host[:port]. BFE's HOST_SET.
func SetHost(host string) Action { return newAction(OpSetHost, host) }

// SetHostname sets the host and keeps the port that is there.
func SetHostname(hostname string) Action { return newAction(OpSetHostname, hostname) }

// SetPort sets the port and keeps the host; "" removes the port. 80 and 443
// are left out where they are the URL's scheme's own. An empty host stays.
func SetPort(port string) Action { return newAction(OpSetPort, port) }

// HostFromPathPrefix moves the first segment of the path into the host:
// /x.com/rest becomes host x.com, path /rest. A path with fewer than two
// slashes is left alone. The segment stays as it is written, with its port if
// it has one; one that is empty, no host, an IP literal or not among
// Options.AllowedHosts is ErrHost. It compiles only with AllowedHosts or
// AllowAnyHost. BFE's HOST_SET_FROM_PATH_PREFIX.
func HostFromPathPrefix() Action { return newAction(OpHostFromPathPrefix) }

// ReplaceHostSuffix replaces the labels old at the end of the host by new and
// keeps the port; one leading dot of either is ignored. A host that does not
// end in old on a label boundary is left alone; a result that is too long for
// a host is ErrHost. BFE's HOST_SUFFIX_REPLACE.
func ReplaceHostSuffix(old, new string) Action { return newAction(OpReplaceHostSuffix, old, new) }

// SetPath sets the path. BFE's PATH_SET.
func SetPath(path string) Action { return newAction(OpSetPath, path) }

// AddPathPrefix puts prefix, without its final slashes, before the path. A
// missing leading slash of prefix is supplied; "/" does nothing. BFE's
// PATH_PREFIX_ADD, always with exactly one slash at the joint.
func AddPathPrefix(prefix string) Action { return newAction(OpAddPathPrefix, prefix) }

// TrimPathPrefix removes the first of the prefixes that matches by segment:
// /foo takes /foo to / and /foo/bar to /bar, and leaves /foobar alone. A final
// slash of a prefix is ignored, a missing leading one is supplied; "/" matches
// everything and removes nothing. BFE's PATH_PREFIX_TRIM.
func TrimPathPrefix(prefixes ...string) Action { return newAction(OpTrimPathPrefix, prefixes...) }

// StripPathSegments removes the first n ≥ 1 segments. /a/b and /a/b/ have two
// segments, /a//b three. A path with exactly n becomes /, one with fewer is
// left alone.
func StripPathSegments(n int) Action { return newAction(OpStripPathSegments, strconv.Itoa(n)) }

// ReplacePathPrefix replaces match, if it matches by segment, by with: the
// ReplacePrefixMatch of the Gateway API. A final slash of either is ignored.
// match "/" matches every path; with may be "" or "/".
func ReplacePathPrefix(match, with string) Action {
	return newAction(OpReplacePathPrefix, match, with)
}

// TrimPathText removes the first of the prefixes that the path begins with,
// wherever in a segment that ends: it is there for dialects without segment
// boundaries. A missing leading slash of the result is supplied.
func TrimPathText(prefixes ...string) Action { return newAction(OpTrimPathText, prefixes...) }

// ReplacePathText replaces prefix, if the path begins with it, by with,
// wherever in a segment that ends. Where with ends in a slash and the rest
// begins with one, one of them goes; a missing leading slash of the result is
// supplied. with may be "" or "/".
func ReplacePathText(prefix, with string) Action {
	return newAction(OpReplacePathText, prefix, with)
}

// RewritePath makes template the whole path if regex, of package regexp,
// matches the path anywhere. The regex sees the path with escaped unreserved
// octets as letters. In the template, $1 to $9 and ${n} are captures, $$ is a
// dollar sign; a capture inserts the path's own bytes. What follows a "?" in
// the template goes before the request's query, with captures decoded once and
// escaped for a query; if the template ends in "?", the request's own query is
// dropped. An empty result is "/", a missing leading slash is supplied.
func RewritePath(regex, template string) Action { return newAction(OpRewritePath, regex, template) }

// ReplacePathRegex replaces every match of regex in the path by template,
// which is as for RewritePath but has no query part.
func ReplacePathRegex(regex, template string) Action {
	return newAction(OpReplacePathRegex, regex, template)
}

// AddQuery appends name=value. Pairs of that name stay. BFE's QUERY_ADD.
func AddQuery(name, value string) Action { return newAction(OpAddQuery, name, value) }

// SetQuery deletes every pair of that name and appends name=value.
func SetQuery(name, value string) Action { return newAction(OpSetQuery, name, value) }

// DeleteQuery deletes every pair with one of the names, those without "=" too.
// A key that does not decode is compared byte for byte. BFE's QUERY_DEL.
func DeleteQuery(names ...string) Action { return newAction(OpDeleteQuery, names...) }

// RenameQuery renames every pair of that name in place; its value and its "="
// keep their bytes, and pairs that are named to already stay. BFE's
// QUERY_RENAME.
func RenameQuery(from, to string) Action { return newAction(OpRenameQuery, from, to) }

// KeepQuery deletes every pair that has none of the names, empty pairs and
// keys that do not decode included. BFE's QUERY_DEL_ALL_EXCEPT.
func KeepQuery(names ...string) Action { return newAction(OpKeepQuery, names...) }

// DropQuery deletes the whole query.
func DropQuery() Action { return newAction(OpDropQuery) }

// SetScheme sets the scheme, http or https. It serves redirects and
// conditions; it never changes how an upstream is connected to.
func SetScheme(scheme string) Action { return newAction(OpSetScheme, scheme) }
