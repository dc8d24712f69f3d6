package batch

// Text: what encoding/json would replace by U+FFFD without a word.

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// checkText reports the first byte of valid JSON that is no UTF-8, and the first
// escape that is half a character.
func checkText(line []byte) error {
	for i := 0; i < len(line); {
		if r, size := utf8.DecodeRune(line[i:]); r != utf8.RuneError || size > 1 {
			i += size
			continue
		}
		return fmt.Errorf("byte %d, 0x%02x, is not UTF-8: write the line as UTF-8, and other bytes of a URL as %%%02X", i, line[i], line[i])
	}
	for i := 0; i < len(line); { // only strings have backslashes
		next := bytes.IndexByte(line[i:], '\\')
		if next < 0 {
			return nil
		}
		i += next
		r, ok := escaped(line[i:])
		switch {
		case !ok:
			i += 2
		case !utf16.IsSurrogate(r):
			i += 6
		default:
			if low, ok := escaped(line[i+6:]); !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
				return fmt.Errorf("byte %d, %s, is half a character: write both halves, or the character itself", i, line[i:i+6])
			}
			i += 12
		}
	}
	return nil
}

// escaped returns what an escape of the form \uXXXX at the beginning of b says.
func escaped(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}
