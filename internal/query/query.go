// Package query reads pairs of a raw query: what stands between two "&", its
// key up to the first "=". A key is compared decoded, "%HH" and "+" alike, and
// one that does not decode byte for byte, as package rewrite does.
package query

import (
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// Find returns the value, as it stands, of the first pair of query whose key
// is name, plain text. The value of a pair without "=" is empty. It takes time
// linear in query and does not allocate.
func Find(query, name string) (value string, ok bool) {
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		key, value, _ := strings.Cut(pair, "=")
		if pair != "" && keyIs(key, name) {
			return value, true
		}
	}
	return "", false
}

// keyIs reports whether key is name.
func keyIs(key, name string) bool {
	if strings.IndexByte(key, '%') < 0 && strings.IndexByte(key, '+') < 0 {
		return key == name
	}
	same, n := true, 0
	for i := 0; i < len(key); i++ {
		c := key[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			o, ok := escape.Octet(key, i)
			if !ok {
				return key == name
			}
			c = o
			i += 2
		}
		same = same && n < len(name) && name[n] == c
		n++
	}
	return same && n == len(name)
}

// IsPlain reports whether value means itself: AppendDecoded would copy it.
func IsPlain(value string) bool {
	return strings.IndexByte(value, '%') < 0 && strings.IndexByte(value, '+') < 0
}

// AppendDecoded appends value with "+" as a space and each escape as its
// octet. A "%" without two hexadecimal digits is data.
func AppendDecoded(dst []byte, value string) []byte {
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			if o, ok := escape.Octet(value, i); ok {
				c = o
				i += 2
			}
		}
		dst = append(dst, c)
	}
	return dst
}
