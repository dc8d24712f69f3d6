// Package token knows what the names of methods, header fields and cookies are
// made of: the tokens of RFC 9110, section 5.6.2.
package token

import "strings"

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
