package token_test

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/token"
)

// TestBytes has the delimiters of RFC 9110, section 5.6.2: of the visible bytes
// of ASCII no others are in no token.
func TestBytes(t *testing.T) {
	for c := range 256 {
		visible := ' ' < c && c < 0x7f
		want := visible && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, rune(c))
		if got := token.Is(string([]byte{byte(c)})); got != want {
			t.Errorf("byte %#x: %v", c, got)
		}
	}
}

func TestBad(t *testing.T) {
	for s, want := range map[string]int{"": -1, "X-Canary": -1, " a": 0, "a b": 1, "a:": 1, "a\x80": 1, "aé": 1} {
		if got := token.Bad(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
		if got := token.Is(s); got != (want < 0 && s != "") {
			t.Errorf("%q is a token: %v", s, got)
		}
	}
}

func TestCheckField(t *testing.T) {
	for _, value := range []string{"", "a b", "\ta", "ä", `"`} {
		if err := token.CheckField("X-A", value); err != nil {
			t.Errorf("%q: %v", value, err)
		}
	}
	for field, want := range map[[2]string]string{
		{"", "x"}:         `"" is no name of a header field`,
		{"a b", "x"}:      `"a b" is no name of a header field`,
		{"a", "x\r\ny: "}: "the value of a has a control byte at offset 1",
		{"a", "\x7f"}:     "the value of a has a control byte at offset 0",
		{"a", "\x80"}:     "the value of a is not UTF-8",
	} {
		if err := token.CheckField(field[0], field[1]); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", field, err, want)
		}
	}
}
