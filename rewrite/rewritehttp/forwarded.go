package rewritehttp

// The headers by which an upstream learns what the client asked for.

import (
	"net/http/httputil"
	"slices"
)

const (
	forwardedPrefix = "X-Forwarded-Prefix"
	forwardedHost   = "X-Forwarded-Host"
	forwardedFor    = "X-Forwarded-For"
	forwardedProto  = "X-Forwarded-Proto"
)

var forwarded = []string{forwardedPrefix, forwardedHost, forwardedFor, forwardedProto}

// SetForwarded sets X-Forwarded-Prefix, the prefix of the path that the rules
// took away, and X-Forwarded-Host, the host that the client asked for, in
// pr.Out, as Middleware and WithInverse know them. Whatever the client sent
// under these names is removed, in every spelling that upstreams take for the
// same name, such as X_Forwarded_Prefix; nothing is appended. So is every other
// spelling of X-Forwarded-For and X-Forwarded-Proto, which under these names
// stay as they are. A header about which nothing is known is removed only: call
// SetForwarded for every request if upstreams trust the headers.
//
// The prefix has the client's spelling, escaped. It is left out if it begins
// with "//", which an upstream would make links to another host of.
//
// Call it behind ProxyRequest.SetXForwarded, which has another
// X-Forwarded-Host: the one that the rules have set. An upstream that puts the
// prefix in front of its own Locations and cookies needs no ModifyResponse, which
// may put it there once more: with both, delete X-Forwarded-Prefix behind
// SetForwarded.
func SetForwarded(pr *httputil.ProxyRequest) {
	header := pr.Out.Header
	for name := range header {
		if name != forwardedFor && name != forwardedProto &&
			slices.ContainsFunc(forwarded, func(own string) bool { return spells(name, own) }) {
			delete(header, name)
		}
	}
	w := wayOf(pr.Out)
	if w == nil {
		return
	}
	if prefix := Inverse(pr.Out).Prefix(); prefix != "" {
		header.Set(forwardedPrefix, prefix)
	}
	if w.client.Host != "" {
		header.Set(forwardedHost, w.client.Host)
	}
}

// spells reports whether an upstream may take name for header: without letter
// case, and with any byte in the place of a hyphen, as in the names of
// environment variables.
func spells(name, header string) bool {
	if len(name) != len(header) {
		return false
	}
	for i := range len(name) {
		if n, h := name[i]|0x20, header[i]|0x20; n != h && !(header[i] == '-' && !isAlphanumeric(name[i])) {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
