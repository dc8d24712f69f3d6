package hostname

// Check: the ASCII rules for the host of a request, on the hot path.

import "strings"

// Classes of bytes. Of two neighbours, the first's noDotNext and noHyphenNext,
// shifted by two, meet the second's dot and hyphen where the joint is faulty.
const (
	dot          = 1 << iota // '.'
	hyphen                   // '-'
	noDotNext                // no '.' may follow
	noHyphenNext             // no '-' may follow
	forbidden                // may stand in no host
	colon                    // ':'
	bracket                  // '[' and ']'
	numberEnd                // may end a number, or is the dot after it
)

var classes = func() (t [256]uint8) {
	for i := range t {
		switch c := byte(i); {
		case isHex(c) || c|0x20 == 'x':
			t[i] = numberEnd
		case 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_':
		case c == '.':
			t[i] = dot | noDotNext | noHyphenNext | numberEnd
		case c == '-':
			t[i] = hyphen | noDotNext
		case c == ':':
			t[i] = colon
		case c == '[' || c == ']':
			t[i] = bracket
		default:
			t[i] = forbidden
		}
	}
	return
}()

// Check reports whether s is a host[:port] that a request may have: the rules
// of Parse for ASCII text, either case, one final dot allowed, a label that
// begins with "xn--" as any other. It is false for the empty string and for
// every byte from 0x80. It takes time linear in s and never allocates.
func Check(s string) bool {
	var seen, joint uint8
	last := classes['.'] // as if one were before s
	rest := s
	for len(rest) >= 4 { // unrolled: two thirds of the time
		a, b, c, d := classes[rest[0]], classes[rest[1]], classes[rest[2]], classes[rest[3]]
		seen |= a | b | c | d
		joint |= last>>2&a | a>>2&b | b>>2&c | c>>2&d
		last = d
		rest = rest[4:]
	}
	for i := range len(rest) {
		c := classes[rest[i]]
		seen |= c
		joint |= last >> 2 & c
		last = c
	}
	switch {
	case seen&forbidden != 0:
		return false
	case seen&bracket != 0:
		return checkBrackets(s)
	case seen&colon != 0:
		name, port := Split(s)
		return validPort(port) && strings.IndexByte(name, ':') < 0 && Check(name)
	case joint&(dot|hyphen) != 0 || last&hyphen != 0 || s == "":
		return false
	case last&numberEnd == 0 && len(s) <= maxLabel:
		return true
	}
	s = strings.TrimSuffix(s, ".")
	return (len(s) <= maxLabel || checkLengths(s)) && checkEnd(s)
}

// checkBrackets is Check for text with a bracket.
func checkBrackets(s string) bool {
	name, port := Split(s)
	if len(name) < len(s) && !validPort(port) {
		return false
	}
	end := len(name) - 1
	return end > 0 && name[0] == '[' && name[end] == ']' && isIPv6(name[1:end])
}

// checkEnd reports whether a name of sound labels, without its final dot, is
// an IPv4 address if it ends in a number.
func checkEnd(name string) bool {
	i := len(name) - 1
	for i > 0 && name[i-1] != '.' {
		i--
	}
	return !isNumber(name[i:]) || isIPv4(name)
}

// checkLengths reports whether neither the name, without its final dot, nor a
// label is too long.
func checkLengths(name string) bool {
	if len(name) > maxName {
		return false
	}
	start := 0
	for i := range len(name) {
		if name[i] == '.' {
			start = i + 1
		} else if i-start == maxLabel {
			return false
		}
	}
	return true
}

// isNumber reports whether a label is a number to a client that follows the
// WHATWG URL standard: decimal digits, or 0x and hexadecimal digits or nothing.
func isNumber(label string) bool {
	if !isDigit(label[0]) {
		return false
	}
	if len(label) > 1 && label[0] == '0' && label[1]|0x20 == 'x' {
		for i := 2; i < len(label); i++ {
			if !isHex(label[i]) {
				return false
			}
		}
		return true
	}
	for i := range len(label) {
		if !isDigit(label[i]) {
			return false
		}
	}
	return true
}

// isIPv4 and isIPv6 accept what package netip does, without a zone and without
// the allocation that its error costs.

func isIPv4(s string) bool {
	for part := 1; ; part++ {
		n, v := 0, 0
		for n < len(s) && isDigit(s[n]) {
			v = v*10 + int(s[n]-'0')
			n++
		}
		if n == 0 || n > 3 || v > 255 || n > 1 && s[0] == '0' {
			return false
		}
		if s = s[n:]; s == "" {
			return part == 4
		}
		if part == 4 || s[0] != '.' {
			return false
		}
		s = s[1:]
	}
}

func isIPv6(s string) bool {
	groups := 0
	s, elided := strings.CutPrefix(s, "::")
	for s != "" {
		n := 0
		for n < len(s) && isHex(s[n]) {
			n++
		}
		if n < len(s) && s[n] == '.' {
			if !isIPv4(s) {
				return false
			}
			groups += 2
			break
		}
		if n == 0 || n > 4 {
			return false
		}
		groups++
		if s = s[n:]; s == "" {
			break
		}
		if s[0] != ':' || len(s) == 1 {
			return false
		}
		if s = s[1:]; s[0] == ':' {
			if elided {
				return false
			}
			elided, s = true, s[1:]
		}
	}
	if elided {
		return groups < 8
	}
	return groups == 8
}

func validPort(s string) bool {
	if s == "" || len(s) > maxPort || s[0] == '0' {
		return false
	}
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n <= 65535
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
}
