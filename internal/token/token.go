// Package token knows what the names of methods, header fields and cookies are
// made of: the tokens of RFC 9110, section 5.6.2. And what header fields are.
package token

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bytes are the bytes that tokens have.
const Bytes = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Is reports whether s is a token, and so not empty.
func Is(s string) bool { return s != "" && Bad(s) < 0 }

// Bad returns the offset of the first byte of s that no token has, -1 if there
// is none.
func Bad(s string) int {
	for i := range len(s) {
		if strings.IndexByte(Bytes, s[i]) < 0 {
			return i
		}
	}
	return -1
}

// CheckField reports what is wrong with a header field: RFC 9110, sections 5.1
// and 5.5, and that its value is text.
func CheckField(name, value string) error {
	if !Is(name) {
		return fmt.Errorf("%.64q is no name of a header field", name)
	}
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return fmt.Errorf("the value of %s has a control byte at offset %d", name, i)
		}
	}
	if !utf8.ValidString(value) {
		return fmt.Errorf("the value of %s is not UTF-8", name)
	}
	return nil
}
