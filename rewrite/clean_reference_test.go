// Input.Clean as its specification reads: slow, obvious, and sharing nothing
// with the code.

package rewrite_test

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/rewrite"
)

// referenceClean returns what Clean makes of u, and every error that it may
// refuse u with: the specification does not say which one comes first.
func referenceClean(in rewrite.Input, u rewrite.URL) (rewrite.URL, []error) {
	var faults []error
	if u.Path != "*" {
		path, err := referencePath(in, u.Path)
		faults = append(faults, err...)
		u.Path = path
	}
	if strings.ContainsFunc(u.RawQuery, func(c rune) bool { return c < ' ' || c == '#' || c == 0x7F }) {
		faults = append(faults, rewrite.ErrQuery)
	}
	u.RawQuery = referenceEscape(u.RawQuery, " ")
	if u.Host != "" && !referenceHost(u.Host) {
		faults = append(faults, rewrite.ErrHost)
	}
	if longest := max(len(u.Path), len(u.RawQuery)); longest > 2<<20 && in.MaxLength == 0 || longest > in.MaxLength && in.MaxLength > 0 {
		faults = append(faults, rewrite.ErrTooLong)
	}
	return u, faults
}

var (
	badInPath     = regexp.MustCompile(`^([^/]|$)|[?#\x00-\x1f\x7f]`)
	badEscape     = regexp.MustCompile(`%(.?$|[^0-9A-Fa-f]|.[^0-9A-Fa-f])`)
	dotSegment    = regexp.MustCompile(`(?i)/(\.|%2e){1,2}(/|$)`)
	dotsWithParam = regexp.MustCompile(`(?i)/(\.|%2e){1,2};`)
	anyEscape     = regexp.MustCompile(`%..`)
	slashes       = regexp.MustCompile(`//+`)
)

func referencePath(in rewrite.Input, path string) (string, []error) {
	given := path
	var faults []error
	if badInPath.MatchString(path) || badEscape.MatchString(latin1(path)) {
		return path, []error{rewrite.ErrPath}
	}
	path = referenceEscape(path, " \"<>\\^{|}`")
	tooLong := in.MaxLength > 0 && len(path) > in.MaxLength
	if in.Strict {
		decoded, _ := url.PathUnescape(path)
		encoded := strings.Join(anyEscape.FindAllString(path, -1), "")
		octets, _ := url.PathUnescape(encoded)
		if !utf8.ValidString(decoded) || strings.ContainsFunc(octets, func(c rune) bool {
			return c == '/' || c == '\\' || c < ' ' || c == 0x7F
		}) {
			faults = append(faults, rewrite.ErrPath)
		}
		if dotsWithParam.MatchString(path) {
			faults = append(faults, rewrite.ErrDotSegment)
		}
	}
	if in.Normalize {
		path = anyEscape.ReplaceAllStringFunc(path, func(escape string) string {
			octet, _ := url.PathUnescape(escape)
			if strings.Trim(octet, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~") == "" {
				return octet
			}
			return strings.ToUpper(escape)
		})
	}
	if in.MergeSlashes {
		path = slashes.ReplaceAllString(path, "/")
	}
	if dotSegment.MatchString(path) {
		switch in.DotSegments {
		case rewrite.RefuseDotSegments:
			faults = append(faults, rewrite.ErrDotSegment)
		case rewrite.ResolveDotSegments:
			path = removeDotSegments(path)
			if !strings.HasPrefix(given, "//") {
				path = "/" + strings.TrimLeft(path, "/")
			}
		}
	}
	if tooLong {
		faults = append(faults, rewrite.ErrTooLong)
	}
	return path, faults
}

// referenceEscape escapes the bytes of special and those from 0x80.
func referenceEscape(s, special string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 0x80 || strings.IndexByte(special, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// latin1 makes one character of each byte, for a regular expression that
// counts bytes.
func latin1(s string) string {
	var runes []rune
	for _, c := range []byte(s) {
		runes = append(runes, rune(c))
	}
	return string(runes)
}

// removeDotSegments is the algorithm of RFC 3986 section 5.2.4, step by step,
// for a path that begins with a slash, with "%2e" for a dot too.
func removeDotSegments(input string) string {
	var output []string
	for input != "" {
		end := strings.IndexByte(input[1:], '/') + 1
		if end == 0 {
			end = len(input)
		}
		segment, rest := input[:end], input[end:]
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case "/.": // B: replace by "/"
			if input = rest; rest == "" {
				input = "/"
			}
		case "/..": // C: and remove the last segment of the output
			output = output[:max(0, len(output)-1)]
			if input = rest; rest == "" {
				input = "/"
			}
		default: // E: move the segment
			output = append(output, segment)
			input = rest
		}
	}
	return strings.Join(output, "")
}

var (
	hostForm   = regexp.MustCompile(`^(?:\[([^\]]*)\]|([^:\[\]]*))(?::([1-9][0-9]{0,4}))?$`)
	nameForm   = regexp.MustCompile(`^(?i:(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)$`)
	numberForm = regexp.MustCompile(`^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$`)
)

// referenceHost reports whether s is host[:port] by the ASCII rules.
func referenceHost(s string) bool {
	m := hostForm.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	literal, name, port := m[1], m[2], m[3]
	if n, _ := strconv.Atoi(port); n > 65535 {
		return false
	}
	if s[0] == '[' {
		addr, err := netip.ParseAddr(literal)
		return err == nil && addr.Is6() && addr.Zone() == ""
	}
	name = strings.TrimSuffix(name, ".")
	if len(name) > 253 || !nameForm.MatchString(name) {
		return false
	}
	labels := strings.Split(name, ".")
	if !numberForm.MatchString(labels[len(labels)-1]) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Is4()
}

// mayRefuse reports whether err is among the faults; nil if there are none.
func mayRefuse(faults []error, err error) bool {
	return err == nil && faults == nil || slices.Contains(faults, err)
}
