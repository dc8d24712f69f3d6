package pcre

import (
	"strings"
	"unicode/utf8"
)

// operators are the bytes that have a meaning of their own in an expression.
const operators = `\.+*?()|[]{}^$`

// Beginning returns text with which every path begins that re, which need not
// compile, could match from the beginning of the path; "/" if nothing longer is
// known.
func Beginning(re string) string {
	re = strings.TrimPrefix(re, "^")
	if !strings.HasPrefix(re, "/") || HasAlternatives(re) {
		return "/"
	}
	n := strings.IndexAny(re, operators)
	if n < 0 {
		n = len(re)
	} else if strings.IndexByte("*+?{", re[n]) >= 0 {
		_, size := utf8.DecodeLastRuneInString(re[:n])
		n -= size // what is repeated may not be there
	}
	return re[:max(1, n)]
}
