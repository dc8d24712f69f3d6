package rewrite

// Where a URL of the upstream's is in the client's world.

import (
	"net/netip"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
)

// A reference is a URL reference with an authority or an absolute path, split
// as RFC 3986 does.
type reference struct {
	scheme    string // http or https in any letter case, or empty
	absolute  bool   // it has an authority
	authority string
	path      string // empty or beginning with a slash
	tail      string // query and fragment, with their delimiters
}

// splitReference splits value. ok is false for one that is relative or has
// another scheme, and for one with a backslash where clients that follow the
// WHATWG URL standard take it for a slash before an authority.
func splitReference(value string) (ref reference, ok bool) {
	rest := value
	if i := strings.IndexByte(value, ':'); i > 0 && value[0] != '/' {
		if ref.scheme, rest = value[:i], value[i+1:]; !isHTTP(ref.scheme) || !strings.HasPrefix(rest, "//") {
			return ref, false
		}
	}
	if strings.HasPrefix(rest, "//") {
		ref.absolute = true
		rest = rest[2:]
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		ref.authority, rest = rest[:end], rest[end:]
	} else if rest == "" || rest[0] != '/' || len(rest) > 1 && rest[1] == '\\' {
		return ref, false
	}
	end := strings.IndexAny(rest, "?#")
	if end < 0 {
		end = len(rest)
	}
	ref.path, ref.tail = rest[:end], rest[end:]
	return ref, true
}

// isHTTP reports whether s is http or https, in any letter case.
func isHTTP(s string) bool { return equalFold(s, "http") || equalFold(s, "https") }

// locate returns what value is in the client's world. ok is false if that is
// value itself, or not known.
func (v *Inverse) locate(value string) (to pieces, ok bool) {
	to, ok = v.resolve(value)
	return to, ok && !to.equal(value)
}

// resolve returns what value is in the client's world. ok is false if that is
// not known.
func (v *Inverse) resolve(value string) (to pieces, ok bool) {
	if v.mappings != nil {
		if to, ok = v.mappings.locate(value); ok {
			return v.guarded(to)
		}
	}
	ref, ok := splitReference(value)
	if !ok || !v.spliced {
		return to, false
	}
	to[4], to[5] = ref.path, ref.tail
	if ref.absolute {
		if to[0], ok = v.scheme(ref.scheme); !ok || !v.names(ref) || !hostname.Check(v.client.host) {
			return to, false
		}
		to[1], to[2] = "//", v.client.host
		if to[0] != "" {
			to[1] = "://"
		}
	}
	if v.client.prefix != "" || v.upstream.prefix != "" {
		if to[3], to[4], ok = movePath(ref.path, v.upstream.prefix, v.client.prefix); !ok {
			return to, false
		}
	}
	return v.guarded(to)
}

// guarded returns to, or, if that is a path that would lead away, the absolute
// URL. ok is false if that is not known.
func (v *Inverse) guarded(to pieces) (safe pieces, ok bool) {
	if to[0] == "" && to[2] == "" && leadsAway(to[3], to[4]) {
		if !isHTTP(v.client.scheme) || !hostname.Check(v.client.host) {
			return to, false
		}
		to[0], to[1], to[2] = v.client.scheme, "://", v.client.host
	}
	return to, true
}

// leadsAway reports whether a + b begins with two slashes, of which the second
// may be a backslash: clients take what follows for a host.
func leadsAway(a, b string) bool {
	if a == "" {
		a, b = b, ""
	}
	if a == "" || a[0] != '/' {
		return false
	}
	if len(a) > 1 {
		b = a[1:]
	}
	return b != "" && (b[0] == '/' || b[0] == '\\')
}

// scheme returns the scheme that a URL of the upstream's gets.
func (v *Inverse) scheme(scheme string) (string, bool) {
	client := v.client.scheme
	switch {
	case scheme == "" || client == "":
		return scheme, true
	case v.upstream.scheme == "" || equalFoldASCII(scheme, v.upstream.scheme):
		return client, isHTTP(client)
	case equalFoldASCII(scheme, client):
		return scheme, true
	}
	_, port := hostname.Split(v.client.host)
	return scheme, port == ""
}

// names reports whether ref has an authority of the upstream.
func (v *Inverse) names(ref reference) bool {
	scheme := ref.scheme
	if scheme == "" {
		scheme = v.upstream.scheme
	}
	if sameAuthority(ref.authority, scheme, v.upstream.host, v.upstream.scheme) {
		return true
	}
	for _, alias := range v.aliases {
		if sameAuthority(ref.authority, scheme, alias, v.upstream.scheme) {
			return true
		}
	}
	return false
}

// sameAuthority compares two authorities as parsed. A default port, each of its
// own scheme, is equal to another and to none.
func sameAuthority(a, aScheme, b, bScheme string) bool {
	aName, aPort := hostname.Split(a)
	bName, bPort := hostname.Split(b)
	aDefault, bDefault := defaultPort(aScheme), defaultPort(bScheme)
	if aPort == "" {
		aName, aPort = strings.TrimSuffix(aName, ":"), aDefault
	}
	if bPort == "" {
		bPort = bDefault
	}
	return (aPort == bPort || aPort == aDefault && bPort == bDefault) && sameName(aName, bName)
}

func defaultPort(scheme string) string {
	switch {
	case equalFold(scheme, "http"):
		return "80"
	case equalFold(scheme, "https"):
		return "443"
	}
	return ""
}

// sameName compares two hosts without a port. An empty one is equal to none.
func sameName(a, b string) bool {
	a, b = strings.TrimSuffix(a, "."), strings.TrimSuffix(b, ".")
	switch {
	case a == "" || b == "":
		return false
	case equalFoldASCII(a, b):
		return true
	case a[0] != '[' || b[0] != '[' || !hostname.Check(a) || !hostname.Check(b):
		return false
	}
	aAddr, err := netip.ParseAddr(a[1 : len(a)-1])
	if err != nil {
		return false
	}
	bAddr, err := netip.ParseAddr(b[1 : len(b)-1])
	return err == nil && aAddr == bAddr
}

// equalFoldASCII compares without the case of ASCII letters.
func equalFoldASCII(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// movePath moves an escaped path from below one prefix to below another. ok is
// false if it is not below the first.
func movePath(path, from, to string) (prefix, rest string, ok bool) {
	if path == "" {
		path = "/"
	}
	n, ok := cutSegments(path, from)
	if !ok || climbs(path[n:]) {
		return "", "", false
	}
	if rest = path[n:]; to == "" && rest == "" {
		rest = "/"
	}
	return to, rest, true
}

// cutSegments reports whether path is prefix or below it by segment, and how
// many bytes of path the prefix takes.
func cutSegments(path, prefix string) (n int, ok bool) {
	if len(path) >= len(prefix) && path[:len(prefix)] == prefix {
		n = len(prefix)
	} else {
		for i := 0; i < len(prefix); {
			if n == len(path) {
				return 0, false
			}
			a, aWidth := octetAt(path, n)
			b, bWidth := octetAt(prefix, i)
			if a != b || aWidth != bWidth && !escape.IsUnreserved(a) {
				return 0, false
			}
			n += aWidth
			i += bWidth
		}
	}
	return n, n == len(path) || path[n] == '/'
}

// climbs reports whether dot-segments of path, which begins with a slash or is
// empty, lead above where it begins. A backslash counts as a slash, as it does
// to clients that follow the WHATWG URL standard.
func climbs(path string) bool {
	depth := 0
	for path != "" {
		path = path[1:]
		end := strings.IndexAny(path, `/\`)
		if end < 0 {
			end = len(path)
		}
		switch escape.DotSegment(path[:end]) {
		case escape.TwoDot:
			if depth--; depth < 0 {
				return true
			}
		case escape.NoDot:
			depth++
		}
		path = path[end:]
	}
	return false
}
