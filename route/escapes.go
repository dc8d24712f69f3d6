package route

// Escapes in the regular expression of a path. An expression sees the path in
// normal form, which has no escaped letter and has other escapes as the client
// spelled them: as they stand /%61dmin would match nothing, and /a%2Fb not the
// path that a client spells /a%2fb.

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// eitherCase returns expr, a sound expression, with its literal escapes matching
// both cases of their hexadecimal digits. Classes stay as they are. An escape
// that no normal form has is an error.
func eitherCase(expr string) (string, error) {
	if strings.IndexByte(expr, '%') < 0 {
		return expr, nil
	}
	var b strings.Builder
	quoted := false // between \Q and \E
	for i := 0; i < len(expr); {
		n := 1
		switch {
		case quoted && strings.HasPrefix(expr[i:], `\E`):
			n, quoted = 2, false
		case quoted:
		case strings.HasPrefix(expr[i:], `\Q`):
			n, quoted = 2, true
		case strings.HasPrefix(expr[i:], `\%`): // which is "%"
			i++
		case expr[i] == '\\' && i+1 < len(expr):
			n = 2
		case expr[i] == '[':
			n = classLen(expr[i:])
		}
		octet, ok := escape.Octet(expr, i)
		if !ok {
			b.WriteString(expr[i : i+n])
			i += n
			continue
		}
		if escape.IsUnreserved(octet) && (quoted || !mayBeNone(expr[i+3:])) {
			return "", fmt.Errorf("%s has %s at offset %d, which nothing matches, because expressions see it as %q: write %s",
				quote(expr), expr[i:i+3], i, octet, regexp.QuoteMeta(string(rune(octet))))
		}
		for _, c := range []byte(expr[i : i+3]) {
			switch {
			case c <= '9': // "%" too
				b.WriteByte(c)
			case quoted:
				b.WriteString(`\E` + bothCases(c) + `\Q`)
			default:
				b.WriteString(bothCases(c))
			}
		}
		i += 3
	}
	return b.String(), nil
}

// bothCases returns a class of a letter in both cases.
func bothCases(c byte) string {
	return string([]byte{'[', c &^ 0x20, c | 0x20, ']'})
}

// mayBeNone reports whether what follows in an expression can make what
// precedes it match nothing.
func mayBeNone(rest string) bool {
	return rest != "" && strings.IndexByte("*?{", rest[0]) >= 0
}

// classLen returns the length of the class, such as [^]a[:digit:]\]], that expr
// begins with.
func classLen(expr string) int {
	i := 1
	if i < len(expr) && expr[i] == '^' {
		i++
	}
	for first := true; i < len(expr) && (first || expr[i] != ']'); first = false {
		switch {
		case strings.HasPrefix(expr[i:], "[:") && strings.Contains(expr[i+2:], ":]"):
			i += 2 + strings.Index(expr[i+2:], ":]") + 2
		case expr[i] == '\\':
			i += 2
		default:
			i++
		}
	}
	return min(i+1, len(expr))
}
