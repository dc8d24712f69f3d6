package rewrite

// URL: its components, and how text is split into them and made of them.

import "strings"

// A URL is the client's view of a request's URL, component by component.
// It is plain data: copy it freely, compare it with ==.
//
// The zero URL is empty. Its Path is not a path; Clean and Apply refuse it.
type URL struct {
	Scheme     string // "http" or "https", in lower case; empty if not known
	Host       string // host[:port] as the client wrote it, or empty
	Path       string // escaped, as on the wire; begins with "/", or is "*"
	RawQuery   string // as on the wire, without "?"
	ForceQuery bool   // the target ends in "?" although RawQuery is empty
}

// ParseTarget splits the target of a request line. A target in origin-form
// ("/path?query") takes scheme and host from the arguments, which are the
// connection's scheme and the Host header; one in absolute-form
// ("http://host/path?query") replaces both, as RFC 9112 section 3.2.2 says.
// An empty path is "/".
//
// The fields are substrings of the arguments: nothing is copied, decoded or
// checked beyond the split; Input.Clean does that. Any other form, "*" and
// CONNECT's host:port among them, is ErrTarget: who forwards OPTIONS * makes the
// URL with the Path "*" without it.
func ParseTarget(scheme, host, target string) (URL, error) {
	u := URL{Scheme: scheme, Host: host}
	if target == "" || target[0] == '/' || target[0] == '?' {
		u.setTarget(target)
		return u, nil
	}
	i := strings.Index(target, "://")
	if i < 0 {
		return URL{}, ErrTarget
	}
	switch s := target[:i]; {
	case equalFold(s, "http"):
		u.Scheme = "http"
	case equalFold(s, "https"):
		u.Scheme = "https"
	default:
		return URL{}, ErrTarget
	}
	rest := target[i+3:]
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if end == 0 || end < len(rest) && rest[end] == '#' {
		return URL{}, ErrTarget
	}
	u.Host = rest[:end]
	u.setTarget(rest[end:])
	return u, nil
}

// setTarget splits path[?query].
func (u *URL) setTarget(target string) {
	var found bool
	u.Path, u.RawQuery, found = strings.Cut(target, "?")
	u.ForceQuery = found && u.RawQuery == ""
	if u.Path == "" {
		u.Path = "/"
	}
}

// Parse splits an absolute http or https URL. It is ParseTarget for tests and
// tools: the same substrings, the same lack of checks. Anything but an
// absolute URL is ErrTarget.
func Parse(absolute string) (URL, error) {
	if absolute == "" || absolute[0] == '/' || absolute[0] == '?' {
		return URL{}, ErrTarget
	}
	return ParseTarget("", "", absolute)
}

// Clone returns a copy of u whose strings share no memory with u: keep that
// when u's strings come from a Scratch that will be reused.
func (u URL) Clone() URL {
	u.Scheme = strings.Clone(u.Scheme)
	u.Host = strings.Clone(u.Host)
	u.Path = strings.Clone(u.Path)
	u.RawQuery = strings.Clone(u.RawQuery)
	return u
}

// AppendTarget appends the request target, path[?query], to dst and returns
// the extended slice. It does not allocate if dst has the room.
func (u URL) AppendTarget(dst []byte) []byte {
	dst = append(dst, u.Path...)
	if u.RawQuery != "" || u.ForceQuery {
		dst = append(dst, '?')
		dst = append(dst, u.RawQuery...)
	}
	return dst
}

// AppendTo appends the absolute form, as String returns it, to dst and
// returns the extended slice. It does not allocate if dst has the room.
func (u URL) AppendTo(dst []byte) []byte {
	if u.Scheme != "" {
		dst = append(dst, u.Scheme...)
		dst = append(dst, "://"...)
	} else if u.Host != "" {
		dst = append(dst, "//"...)
	}
	dst = append(dst, u.Host...)
	if u.Path == "*" && (u.Scheme != "" || u.Host != "") {
		return dst
	}
	return u.AppendTarget(dst)
}

// String returns the URL in absolute form. A URL without a scheme begins with
// "//", one without scheme and host is the request target alone. The absolute
// form of the path "*" has neither path nor query (RFC 9112 section 3.2.4).
func (u URL) String() string { return string(u.AppendTo(nil)) }

// equalFold reports whether s, in ASCII lower case, is lower.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
