package rewritetest

// Paths, queries and hosts, looked at in the plainest way, so that Check does
// not share a mistake with the code it judges.

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	unreserved   = alphanumeric + "-._~"                 // RFC 3986 section 2.3
	subDelims    = "!$&'()*+,;="                         // RFC 3986 section 2.2
	pathBytes    = unreserved + subDelims + ":@/" + "[]" // with the brackets that net/url lets through
)

// illegalInPath returns the index of the first byte that may not stand in the
// path of a request target, or -1.
func illegalInPath(path string) int {
	for i := 0; i < len(path); i++ {
		if path[i] == '%' {
			if !isEscape(path[i:]) {
				return i
			}
			i += 2
		} else if strings.IndexByte(pathBytes, path[i]) < 0 {
			return i
		}
	}
	return -1
}

// isEscape reports whether s begins with "%" and two hexadecimal digits.
func isEscape(s string) bool {
	if len(s) < 3 || s[0] != '%' {
		return false
	}
	_, err := strconv.ParseUint(s[1:3], 16, 8)
	return err == nil
}

// illegalInQuery returns the index of the first byte that may not stand in a
// query, or -1. A "%" without digits is data.
func illegalInQuery(query string) int {
	return strings.IndexFunc(query, func(c rune) bool {
		return c <= ' ' || c == '#' || c >= 0x7f
	})
}

// namesAuthority reports whether a client could take the path for the
// authority of another site.
func namesAuthority(path string) bool {
	return strings.HasPrefix(path, "//") || strings.HasPrefix(path, `/\`)
}

var decodeDots = strings.NewReplacer("%2e", ".", "%2E", ".")

// dotSegments counts the segments "." and ".." of a path, in any spelling.
func dotSegments(path string) (dot, dotdot int) {
	if !strings.Contains(path, ".") && !strings.Contains(path, "%2") {
		return 0, 0
	}
	for _, segment := range strings.Split(decodeDots.Replace(path), "/") {
		switch segment {
		case ".":
			dot++
		case "..":
			dotdot++
		}
	}
	return dot, dotdot
}

// pairs splits a query at "&". The empty query has no pairs.
func pairs(query string) []string {
	if query == "" {
		return nil
	}
	return strings.Split(query, "&")
}

func emptyPairs(pairs []string) int {
	n := 0
	for _, pair := range pairs {
		if pair == "" {
			n++
		}
	}
	return n
}

// key returns what stands before the first "=" of a pair.
func key(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	return name
}

// value returns what follows the key of a pair, with the "=".
func value(pair string) string { return pair[len(key(pair)):] }

// subsequence reports whether those parts of the pairs after that are not
// among written are parts of the pairs before, in the same order. If not, it
// returns the first pair after that has no counterpart.
func subsequence(before, after []string, part func(string) string, written []string) (string, bool) {
	for _, pair := range after {
		if slices.Contains(written, part(pair)) {
			continue
		}
		for len(before) > 0 && part(before[0]) != part(pair) {
			before = before[1:]
		}
		if len(before) == 0 {
			return pair, false
		}
		before = before[1:]
	}
	return "", true
}

// written is what the actions of a hook put into a query.
type written struct {
	keys, values  []string
	template      bool // a template has a query part
	questionMarks int  // in templates
	emptyPairs    int
}

var capture = regexp.MustCompile(`\$(\d|\{\d+\})`)

func writtenByActions(p *rewrite.Program, h rewrite.Hook, in rewrite.URL) written {
	var w written
	steps, _, _ := p.Explain(h, in)
	for _, step := range steps {
		switch args := step.Action.Args(); step.Action.Op() {
		case rewrite.OpAddQuery, rewrite.OpSetQuery:
			w.keys = append(w.keys, escapeText(args[0]))
			w.values = append(w.values, "="+escapeText(args[1]))
		case rewrite.OpRenameQuery:
			w.keys = append(w.keys, escapeText(args[1]))
		case rewrite.OpRewritePath:
			_, query, found := strings.Cut(args[1], "?")
			w.template = w.template || found
			w.questionMarks += strings.Count(query, "?")
			query = capture.ReplaceAllString(strings.TrimSuffix(query, "?"), "")
			w.emptyPairs += emptyPairs(strings.Split(query, "&"))
		}
	}
	return w
}

// escapeText escapes all but unreserved bytes.
func escapeText(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(unreserved, s[i]) >= 0 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

// isHost reports whether s is host[:port] in ASCII: a name, an IPv4 address or
// an IPv6 address in brackets, as the specification of package rewrite and
// RFC 3986 section 3.2.2 say.
func isHost(s string) bool {
	if strings.HasPrefix(s, "[") {
		literal, port, found := strings.Cut(s[1:], "]")
		addr, err := netip.ParseAddr(literal)
		return found && err == nil && addr.Is6() && addr.Zone() == "" &&
			(port == "" || port[0] == ':' && isPort(port[1:]))
	}
	name, port, found := strings.Cut(s, ":")
	if found && !isPort(port) {
		return false
	}
	name = strings.TrimSuffix(name, ".")
	if len(name) > 253 {
		return false
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	if !isNumber(labels[len(labels)-1]) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Is4()
}

// isPort reports whether s is 1 to 65535 without a leading zero.
func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == s
}

func isLabel(s string) bool {
	return 1 <= len(s) && len(s) <= 63 &&
		strings.Trim(s, alphanumeric+"-_") == "" &&
		s[0] != '-' && s[len(s)-1] != '-'
}

// isNumber reports whether a client would read a last label as a number and
// the whole name as an IPv4 address: digits, or hexadecimal digits behind 0x.
func isNumber(label string) bool {
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	return (strings.HasPrefix(label, "0x") || strings.HasPrefix(label, "0X")) &&
		strings.Trim(label[2:], "0123456789abcdefABCDEF") == ""
}
