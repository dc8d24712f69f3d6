// How errors read: their text, their carets, the field path.

package annotation_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
)

func TestErrorText(t *testing.T) {
	for want, e := range map[string]*annotation.Error{
		"k[1]@7: d":                 {Key: "k", Index: 1, Offset: 7, Detail: "d"},
		"k@7: d":                    {Key: "k", Index: -1, Offset: 7, Detail: "d"},
		"k: d":                      {Key: "k", Index: -1, Offset: -1, Detail: "d"},
		"annotations: d":            {Index: -1, Offset: -1, Detail: "d"},
		"k[0]@0: d (see l[2]@3)":    {Key: "k", Detail: "d", Related: []rewrite.Origin{{Key: "l", Index: 2, Offset: 3}}},
		"k[0]@0: d (see l, m[0]@1)": {Key: "k", Detail: "d", Related: []rewrite.Origin{{Key: "l", Index: -1, Offset: -1}, {Key: "m", Offset: 1}}},
		`"k\n"[0]@0: d`:             {Key: "k\n", Detail: "d"},
		`"` + strings.Repeat("k", 64) + `"...[0]@0: d`: {Key: strings.Repeat("k", 400), Detail: "d"},
	} {
		assert.Equal(t, want, e.Error())
	}
	l := annotation.ErrorList{{Key: "a", Detail: "b"}, {Key: "c", Detail: "d"}}
	assert.Equal(t, "annotation: a[0]@0: b\nannotation: c[0]@0: d", l.Error())
}

func TestFieldPath(t *testing.T) {
	key := annotation.DefaultPrefix + "host"
	_, err := annotation.Parse(map[string]string{key: ""}, nil)
	assert.Equal(t, "metadata.annotations["+key+"]", list(t, err)[0].FieldPath())
	assert.Equal(t, "metadata.annotations", (&annotation.Error{Index: -1, Offset: -1}).FieldPath())
	assert.Equal(t, `metadata.annotations["a\nb"]`, (&annotation.Error{Key: "a\nb"}).FieldPath())
}

// Errors unwrap down to what package rewrite said.
func TestUnwrap(t *testing.T) {
	_, err := annotation.Parse(prefixed(map[string]string{"host": `[{"params": "a b"}]`, "path": "x"}), nil)
	e, ok := errors.AsType[*annotation.Error](err)
	require.True(t, ok)
	assert.Equal(t, annotation.CodeParam, e.Code)
	_, ok = errors.AsType[*hostname.Error](err)
	assert.True(t, ok)
}

// Values are quoted, cut, and harmless to a terminal.
func TestMessagesQuote(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, m := range []map[string]string{
		{"host": `[{"params": "a.com", "` + long + `": 1}]`},
		{"host": `[{"params": "a.com", "when": "` + long + `"}]`},
		{"host": `[{"params": "` + long + ` y"}]`},
		{"host": `[{"params": "a.com", "order": 1` + strings.Repeat("0", 1000) + `}]`},
		{"host": `[{"params": ` + long + `}]`},
		{"path": `[{"params": "/` + long + `?"}]`},
		{"query-add": `[{"params": "` + long + `"}]`},
		{"query-add": `[{"params": {"` + long + `": "", "` + long + `": ""}}]`},
		{"host": "[\x1b[31m"},
		{"host": "[{\"\u202e\": 1}]"},
	} {
		_, err := annotation.Parse(prefixed(m), nil)
		for _, e := range list(t, err) {
			assert.Less(t, len(e.Detail), 300, e.Detail)
			assert.NotContains(t, e.Detail, strings.Repeat("x", 65))
			assert.False(t, strings.ContainsAny(e.Detail, "\x1b\u202e"), e.Detail)
		}
	}
}

// A message quotes 64 bytes of a value in all, however often it quotes, and
// whole characters.
func TestMessagesCut(t *testing.T) {
	e100 := strings.Repeat("é", 100)
	for _, c := range []struct{ key, value, want string }{
		{"path", `[{"params": "x` + e100 + `?"}]`, `"x` + e100[:62] + `"... has a question mark: write %3F for one in the path, and set a query with query-add`},
		{"path", `[{"params": "` + e100 + `"}]`, `"` + e100[:32] + `"... has no slash: write "/` + e100[:30] + `"...`},
		{"path", `[{"params": "` + e100[:40] + `"}]`, `"` + e100[:32] + `"... has no slash: write "/` + e100[:30] + `"...`},
		{"path", `[{"params": "/../` + e100 + `"}]`, `"/../` + e100[:58] + `"... has the dot-segment "..": write the path that it leads to`},
		{"path", `[{"params": "x at offset 0: y"}]`, `"x at offset 0: y" has no slash: write "/x at offset 0: y"`},
		{"host", `[{"params": "a.com/x"}]`, `"a.com/x": a host has no path: write only what precedes '/'`},
		{"host", `[{"params": x` + e100 + `}]`, `not JSON: write it in double quotes, "x` + e100[:62] + `"...`},
		{"host", "[{\"params\": x" + strings.Repeat("\xbf", 100) + "}]", `not JSON: write it in double quotes, "x` + strings.Repeat(`\xbf`, 63) + `"...`},
	} {
		_, err := annotation.Parse(prefixed(map[string]string{c.key: c.value}), nil)
		assert.Equal(t, c.want, list(t, err)[0].Detail)
	}

	// Package idna quotes the whole label, as it encodes it.
	_, err := annotation.Parse(prefixed(map[string]string{"host": `[{"params": "` + e100 + `.com"}]`}), nil)
	detail := list(t, err)[0].Detail
	assert.Contains(t, detail, "not a valid international name")
	assert.NotContains(t, detail, "byte ")
	quoted := 0
	for i, part := range strings.Split(detail, `"`) {
		if i%2 == 1 {
			quoted += len(part)
		}
	}
	assert.LessOrEqual(t, quoted, 64, detail)
}

func TestCaret(t *testing.T) {
	a60, b60 := strings.Repeat("a", 60), strings.Repeat("b", 60)
	for _, c := range []struct {
		name, value string
		offset      int
		want        string
	}{
		{"the first byte", "null", 0, "null\n^\n"},
		{"the end", "[", 1, "[\n ^\n"},
		{"the whole value", "null", -1, "null\n^^^^\n"},
		{"beyond the end", "[", 9, "[\n ^\n"},
		{"no value", "", 0, ""},
		{"a line in the middle", "[\n  {x}\n]", 5, "  {x}\n   ^\n"},
		{"the end of a line", "[\n  {\n]", 5, "  {\n   ^\n"},
		{"a tab", "\t[\tx", 3, " [ x\n   ^\n"},
		{"two columns", "é日本x", 8, "é日本x\n     ^\n"},
		{"within a character", "日本", 4, "日本\n  ^\n"},
		{"no column", "e\u0301x", 3, "e\u0301x\n ^\n"},
		{"many marks without width", strings.Repeat("\u0301", 1000) + "x", 2000, "..." + strings.Repeat("\u0301", 136) + "x\n   ^\n"},
		{"emoji", "😀x", 4, "😀x\n  ^\n"},
		{"what would not show", "\x1b\u202e\xff\u2028x", 8, `\x1b\u202e\xff\u2028x` + "\n" + strings.Repeat(" ", 20) + "^\n"},
		{"a long line, at its beginning", "x" + a60 + b60, 0, "x" + a60 + b60[:8] + "...\n^\n"},
		{"a long line, at its end", a60 + b60 + "x", 120, "..." + a60[:8] + b60 + "x\n" + strings.Repeat(" ", 71) + "^\n"},
		{"a long line, in the middle", a60 + "x" + b60, 60, "..." + a60[:33] + "x" + b60[:32] + "...\n" + strings.Repeat(" ", 36) + "^\n"},
		{"a long wide line", strings.Repeat("日", 50) + "x", 150, "..." + strings.Repeat("日", 34) + "x\n" + strings.Repeat(" ", 71) + "^\n"},
		{"behind a long line", a60 + b60, 120, "..." + a60[:8] + b60 + "\n" + strings.Repeat(" ", 71) + "^\n"},
		{"a line that just fits", a60 + b60[:12], 0, a60 + b60[:12] + "\n^\n"},
		{"a carriage return at the end of a line", "[\r\n{\r\n]", 4, "{\n ^\n"},
		{"a carriage return at the end", "[x\r", 1, "[x\n ^\n"},
		{"a carriage return within a line", "[\rx", 2, `[\rx` + "\n   ^\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, (&annotation.Error{Key: "k", Offset: c.offset}).Caret(c.value))
		})
	}
}
