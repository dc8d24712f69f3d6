// The way back as one says it: a slow Location, by the pattern of RFC 3986 and
// by segments.

package rewrite_test

import (
	"net/netip"
	"regexp"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// A knownRewrite is what a reference Inverse is made of.
type knownRewrite struct {
	client, upstream rewrite.URL
	result           rewrite.Result
	aliases          []string
}

// prefixes returns what was cut from the client's path and what was put there.
func (k knownRewrite) prefixes() (was, is string, ok bool) {
	cut, put, ok := k.result.Splice()
	if !ok || !strings.HasPrefix(k.client.Path, "/") {
		return "", "", false
	}
	was, is = k.client.Path[:cut], k.upstream.Path[:put]
	rest := k.client.Path[cut:]
	switch {
	case strings.HasPrefix(rest, "/"):
	case strings.HasSuffix(is, "/") && (rest == "" || strings.HasSuffix(was, "/")):
		was, is = strings.TrimSuffix(was, "/"), strings.TrimSuffix(is, "/")
	case rest != "": // the joint is within a segment
		return "", "", false
	}
	return was, is, true
}

var (
	// rfc3986 is the regular expression of RFC 3986, appendix B.
	rfc3986     = regexp.MustCompile(`(?s)^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$`)
	hostAndPort = regexp.MustCompile(`(?s)^(.*?)(:([0-9]*))?$`)
	escapedByte = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
)

func (k knownRewrite) location(value string) string {
	m := rfc3986.FindStringSubmatch(value)
	scheme, hasAuthority, authority, path := m[2], m[3] != "", m[4], m[5]
	was, is, ok := k.prefixes()
	tail := m[6] + m[8]
	if !ok {
		return value
	}
	if hasAuthority {
		if scheme != "" && defaultPorts[asciiLower(scheme)] == "" {
			return value
		}
		if !k.isUpstream(scheme, authority) || !isHost(k.client.Host) {
			return value
		}
	} else if scheme != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, `/\`) {
		return value
	}
	if was != "" || is != "" {
		if path == "" {
			path = "/"
		}
		rest, below := cutReference(path, is)
		if !below || leadsOut(rest) {
			return value
		}
		if path = was + rest; path == "" {
			path = "/"
		}
	}
	if !hasAuthority {
		if !leadsAway(path) {
			return path + tail
		}
		if k.client.Scheme == "" || !isHost(k.client.Host) {
			return value
		}
		return k.client.Scheme + "://" + k.client.Host + path + tail
	}
	if scheme != "" {
		switch {
		case k.client.Scheme == "":
		case k.upstream.Scheme == "" || asciiLower(scheme) == k.upstream.Scheme:
			scheme = k.client.Scheme
		case asciiLower(scheme) != k.client.Scheme && hostAndPort.FindStringSubmatch(k.client.Host)[3] != "":
			return value
		}
		scheme += ":"
	}
	return scheme + "//" + k.client.Host + path + tail
}

func (k knownRewrite) isUpstream(scheme, authority string) bool {
	if scheme == "" {
		scheme = k.upstream.Scheme
	}
	name, port := splitReferenceHost(scheme, authority)
	for _, known := range append([]string{k.upstream.Host}, k.aliases...) {
		knownName, knownPort := splitReferenceHost(k.upstream.Scheme, known)
		standard := port == defaultPorts[asciiLower(scheme)] && knownPort == defaultPorts[asciiLower(k.upstream.Scheme)]
		if name != "" && name == knownName && (port == knownPort || standard) {
			return true
		}
	}
	return false
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// splitReferenceHost returns the name in its one spelling, and the port, which
// is the scheme's if there is none.
func splitReferenceHost(scheme, authority string) (name, port string) {
	m := hostAndPort.FindStringSubmatch(authority)
	name, port = asciiLower(strings.TrimSuffix(m[1], ".")), m[3]
	if port == "" {
		port = defaultPorts[asciiLower(scheme)]
	}
	if strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
		if a, err := netip.ParseAddr(name[1 : len(name)-1]); err == nil && a.Is6() && a.Zone() == "" {
			name = a.String()
		}
	}
	return name, port
}

// asciiLower goes by bytes: runes would make all that is not UTF-8 equal.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// isHost reports whether Clean takes s for a host.
func isHost(s string) bool {
	u := rewrite.URL{Host: s, Path: "/"}
	return s != "" && new(rewrite.Input).Clean(&u, nil) == nil
}

// cutReference cuts the prefix off a path, segment by segment.
func cutReference(path, prefix string) (rest string, below bool) {
	segments := strings.Split(path, "/")
	cut := strings.Split(prefix, "/")
	if len(cut) > len(segments) {
		return "", false
	}
	for i, segment := range cut {
		if oneSpelling(segments[i]) != oneSpelling(segment) {
			return "", false
		}
	}
	for _, segment := range segments[len(cut):] {
		rest += "/" + segment
	}
	return rest, true
}

// oneSpelling returns a segment with letters for escaped unreserved octets and
// other escapes in upper case.
func oneSpelling(segment string) string {
	return escapedByte.ReplaceAllStringFunc(segment, func(e string) string {
		for c := range 128 {
			unreserved := strings.ContainsRune("-._~", rune(c)) || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
			if unreserved && strings.EqualFold(e, "%"+string("0123456789ABCDEF"[c>>4])+string("0123456789ABCDEF"[c&15])) {
				return string(rune(c))
			}
		}
		return strings.ToUpper(e)
	})
}

// leadsOut reports whether a path leads above where it begins.
func leadsOut(path string) bool {
	if path == "" {
		return false
	}
	depth := 0
	for _, segment := range strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")[1:] {
		switch oneSpelling(segment) {
		case ".":
		case "..":
			depth--
		default:
			depth++
		}
		if depth < 0 {
			return true
		}
	}
	return false
}
