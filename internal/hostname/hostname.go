// Package hostname holds the rules for host[:port] that every package shares.
//
// A configured host is parsed once: Parse maps it to the one text by which it
// is compared and sent. A request's host is only checked (Check) and compared
// in ASCII lower case, without one final dot; it is never mapped, because
// whoever mapped it differently would then see another host.
package hostname

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxText  = 1024 // bytes of a configured host: package idna takes quadratic time
	maxName  = 253  // RFC 1035 section 2.3.4, as text without the final dot
	maxLabel = 63   // RFC 1035 section 2.3.4
	maxPort  = 5    // digits
)

// An Error is the fault of a configured host: where it is, what it is and,
// where there is a choice, what to write instead.
type Error struct {
	Offset int // of the fault, in bytes of the text that was parsed
	Reason string
}

// Error returns the offset and the reason in one line.
func (e *Error) Error() string {
	return "byte " + strconv.Itoa(e.Offset) + ": " + e.Reason
}

// At returns e for a text of which the one that was parsed begins at offset.
func (e *Error) At(offset int) *Error {
	return &Error{offset + e.Offset, e.Reason}
}

// Parse returns the canonical text of a configured host[:port]: lower case,
// A-labels instead of Unicode, no final dot, an IPv6 address in brackets as
// package netip prints it, the port as it was.
//
// A name is at most 253 bytes of labels, each 1 to 63 letters, digits, "-" and
// "_" without "-" at either end. If its last label is a number, decimal or 0x,
// the name must be an IPv4 address in four decimal parts, because that is what
// a client following the WHATWG URL standard makes of it. A name that is not
// ASCII or has an A-label is mapped and validated by UTS #46, nontransitional
// and with the strict ASCII rules: there even "_" is refused. Wildcards, IPv6
// zones and an empty port are refused.
//
// The canonical text passes Check and is its own canonical text. ASCII text
// without a label that begins with "xn--" parses exactly if it passes Check;
// with such a label it may pass Check and still fail here. An error is an
// *Error. The time is bounded: text of more than 1024 bytes is not looked at.
func Parse(s string) (string, error) {
	name, port, err := parse(s, true)
	switch {
	case err != nil:
		return "", err
	case port == "":
		return name, nil
	}
	return name + ":" + port, nil
}

// ParseName is Parse for a host without a port: a port is an error. An IP
// address is a name here; IsIP tells.
func ParseName(s string) (string, error) {
	name, _, err := parse(s, false)
	if err != nil {
		return "", err
	}
	return name, nil
}

// ParsePort reports what is wrong with a configured port, as an *Error, or nil
// if it is a decimal number from 1 to 65535 without leading zeros.
func ParsePort(s string) error {
	if validPort(s) {
		return nil
	}
	return portError(s)
}

// portError returns why s is not a port.
func portError(s string) *Error {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return &Error{i, "a port has digits only: write a number from 1 to 65535"}
		}
	}
	switch {
	case s == "":
		return &Error{0, "the port is empty: write a number from 1 to 65535, or no ':'"}
	case s[0] == '0' && strings.Trim(s, "0") != "":
		return &Error{0, "a port has no leading zeros: write a number from 1 to 65535"}
	}
	return &Error{0, "a port is a number from 1 to 65535: write one"}
}

// IsLabel reports whether s is a label as Kubernetes wants the names of Services
// and namespaces: RFC 1123, in lower case.
func IsLabel(s string) bool {
	if s == "" || len(s) > maxLabel || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

// Split cuts host[:port], of a request or canonical, into its name, with the
// brackets of an IPv6 address, and its port, empty if there is none. It checks
// nothing and allocates nothing. Text that Check refuses is cut at its last
// ':' if only digits follow, and otherwise is a name as a whole.
func Split(s string) (name, port string) {
	i := len(s) - 1
	for i >= 0 && isDigit(s[i]) {
		i--
	}
	if i >= 0 && s[i] == ':' {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// IsIP reports whether a name that Split returned is an IP address, one final
// dot ignored. It is to be asked about hosts that passed Check or Parse:
// other spellings of an IPv4 address, such as 0x7f.1, do not.
func IsIP(name string) bool {
	return strings.HasPrefix(name, "[") || isIPv4(strings.TrimSuffix(name, "."))
}

// parse returns the canonical name and the port of s, "" if it has none.
func parse(s string, mayHavePort bool) (name, port string, err *Error) {
	if e := checkText(s); e != nil {
		return "", "", e
	}
	name, port, hasPort, e := cut(s)
	if e != nil {
		return "", "", e
	}
	canonical := canonicalName
	if name != "" && name[0] == '[' {
		canonical = canonicalIPv6
	}
	c, e := canonical(name)
	if e != nil {
		return "", "", e
	}
	switch {
	case hasPort && !mayHavePort:
		return "", "", &Error{len(name), "a port is not part of a host name: write only what precedes ':'"}
	case hasPort && !validPort(port):
		return "", "", portError(port).At(len(name) + 1)
	}
	return c, port, nil
}

// checkText checks what does not depend on the structure of s.
func checkText(s string) *Error {
	switch {
	case s == "":
		return &Error{0, "the host is empty: write a name such as example.com"}
	case len(s) > maxText:
		return &Error{maxText, fmt.Sprintf("the host has %d bytes: at most %d are read", len(s), maxText)}
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return &Error{i, "the host is not valid UTF-8"}
			}
		}
		if r < utf8.RuneSelf && classes[r]&forbidden != 0 {
			return forbiddenByte(s, i)
		}
	}
	return nil
}

// forbiddenByte returns the error for s[i], which no host may have.
func forbiddenByte(s string, i int) *Error {
	reason := fmt.Sprintf("%+q is not allowed in a host", s[i])
	switch s[i] {
	case '/':
		if i > 0 && s[i-1] == ':' && strings.HasPrefix(s[i:], "//") {
			return &Error{0, "a host has no scheme: write only what follows \"://\""}
		}
		reason = "a host has no path: write only what precedes '/'"
	case '?':
		reason = "a host has no query: write only what precedes '?'"
	case '#':
		reason = "a host has no fragment: write only what precedes '#'"
	case '@':
		reason = "a host has no user information: write only what follows '@'"
	case '*':
		reason = "a wildcard is not a host: write one full name"
	case '%':
		reason = "a host has no percent-encoding: write the character itself"
		if s[0] == '[' {
			reason = "an IPv6 zone is not allowed: write only what precedes '%', and ']'"
		}
	}
	return &Error{i, reason}
}

// cut splits host[:port]. The name keeps its brackets; it is not checked, nor
// is the port.
func cut(s string) (name, port string, hasPort bool, err *Error) {
	if s[0] == '[' {
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return "", "", false, &Error{len(s), "']' is missing after the IPv6 address"}
		}
		rest := s[end+1:]
		if rest == "" {
			return s, "", false, nil
		}
		if rest[0] != ':' {
			return "", "", false, &Error{end + 1, "only ':' and a port may follow ']'"}
		}
		return s[:end+1], rest[1:], true, nil
	}
	name, port, hasPort = strings.Cut(s, ":")
	if i := strings.IndexByte(port, ':'); i >= 0 {
		if _, e := netip.ParseAddr(s); e == nil {
			return "", "", false, &Error{0, "an IPv6 address needs brackets: write [" + s + "]"}
		}
		return "", "", false, &Error{len(name) + 1 + i, "a host has one ':' at most, before the port; an IPv6 address needs brackets"}
	}
	return name, port, hasPort, nil
}

// canonicalIPv6 returns "[address]" as package netip prints it.
func canonicalIPv6(name string) (string, *Error) {
	a, err := netip.ParseAddr(name[1 : len(name)-1])
	switch {
	case err != nil:
		return "", &Error{1, "not an IPv6 address: brackets hold nothing else"}
	case a.Is4():
		return "", &Error{0, "an IPv4 address has no brackets: write " + a.String()}
	}
	return "[" + a.String() + "]", nil
}

// canonicalName returns a name that is not in brackets in lower case, mapped,
// and without its final dot.
func canonicalName(name string) (string, *Error) {
	if name == "" {
		return "", &Error{0, "the host before ':' is empty: write a name such as example.com"}
	}
	name = trimDot(name)
	if !isASCII(name) {
		return mapName(name)
	}
	name = strings.ToLower(name)
	if e := checkName(name); e != nil {
		return "", e
	}
	if hasALabel(name) {
		return mapName(name)
	}
	return name, nil
}

// checkName says where a lower-case name, without its final dot, first breaks
// the ASCII rules. Check decides the same without saying where.
func checkName(name string) *Error {
	if len(name) > maxName {
		return &Error{maxName, fmt.Sprintf("the name has %d bytes: at most %d are allowed", len(name), maxName)}
	}
	start := 0
	for {
		label, _, more := strings.Cut(name[start:], ".")
		if e := checkLabel(label); e != nil {
			return e.At(start)
		}
		if !more {
			break
		}
		start += len(label) + 1
	}
	if isNumber(name[start:]) && !isIPv4(name) {
		return &Error{start, "a host that ends in a number must be an IPv4 address in four decimal parts, such as 192.0.2.1"}
	}
	return nil
}

func checkLabel(label string) *Error {
	switch {
	case label == "":
		return &Error{0, "a label is empty: write one '.' between two labels"}
	case len(label) > maxLabel:
		return &Error{maxLabel, fmt.Sprintf("a label has %d bytes: at most %d are allowed", len(label), maxLabel)}
	case label[0] == '-':
		return &Error{0, "a label must not begin with '-'"}
	case label[len(label)-1] == '-':
		return &Error{len(label) - 1, "a label must not end with '-'"}
	}
	for i := range len(label) {
		if classes[label[i]]&(forbidden|colon|bracket) != 0 {
			return &Error{i, fmt.Sprintf("%+q is not allowed in a label", label[i])}
		}
	}
	return nil
}
