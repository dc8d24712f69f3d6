package nginx

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCharsets holds each set against the controller's regular expression for
// it, byte by byte.
func TestCharsets(t *testing.T) {
	for set, expr := range map[charset]string{
		pathWithCapture: `^[-._~a-zA-Z0-9/:$]*$`,
		urlText:         `^[-._~a-zA-Z0-9/:,?&=]*$`,
		regexText:       `^[-._~a-zA-Z0-9/:^$\[\](){}*+?|&=\\]*$`,
		basicText:       `^[-._~a-zA-Z0-9/:]*$`,
	} {
		re := regexp.MustCompile(expr)
		for b := range 0x80 {
			s := "/" + string(rune(b))
			assert.Equal(t, re.MatchString(s), set.outside(s) < 0, "%q in %s", s, expr)
		}
		assert.Equal(t, 1, set.outside("aé"))
	}
	plain := regexp.MustCompile(`(?i)^/[[:alnum:]._\-/]*$`)
	for _, path := range []string{"/", "/a-Z_0.9/", "a", "", "/a~", "/a%20", "/(.*)", "/a:b"} {
		assert.Equal(t, plain.MatchString(path), isPlainPath(path), path)
	}
}
