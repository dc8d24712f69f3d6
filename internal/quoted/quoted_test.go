package quoted_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/internal/quoted"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, `""`},
		{"a", 0, `""...`},
		{"abcd", 4, `"abcd"`},
		{"abcde", 4, `"abcd"...`},
		{"a\nb\"", 3, `"a\nb"...`},
		{"abcé", 4, `"abc"...`},
		{"abcé", 5, `"abcé"`},
		{"ab€d", 3, `"ab"...`},
		{"ab€d", 4, `"ab"...`},
		{"ab€d", 5, `"ab€"...`},
		{"😀😀", 7, `"😀"...`},
		{"😀😀", 3, `""...`},
		// What is no UTF-8 has no characters to keep whole.
		{"\xff\xff\xff", 2, `"\xff\xff"...`},
		{"a\xe2\x82b", 2, `"a\xe2"...`},
		{strings.Repeat("\x80", 9), 6, `"\x80\x80\x80\x80\x80\x80"...`},
	} {
		assert.Equal(t, c.want, quoted.Text(c.text, c.most), "%q, %d", c.text, c.most)
	}
}

func TestBeginning(t *testing.T) {
	assert.Equal(t, "abc", quoted.Beginning("abc", 3))
	assert.Equal(t, "ab", quoted.Beginning("abc", 2))
	assert.Equal(t, "ab", quoted.Beginning("ab€", 4))
}
