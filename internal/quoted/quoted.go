// Package quoted shows configured texts in messages, which must not grow with
// them.
package quoted

import (
	"strconv"
	"unicode/utf8"
)

// Text quotes s. Of a longer one it quotes at most so many bytes, and dots follow.
func Text(s string, most int) string {
	if len(s) <= most {
		return strconv.Quote(s)
	}
	return strconv.Quote(Beginning(s, most)) + "..."
}

// Beginning returns at most so many bytes of s, and no part of a character.
func Beginning(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for i := most - 1; i >= max(most-utf8.UTFMax, 0); i-- {
		if utf8.RuneStart(s[i]) {
			if _, n := utf8.DecodeRuneInString(s[i:]); i+n > most {
				most = i
			}
			break
		}
	}
	return s[:most]
}
