package bfe

// Offsets of values, and of bytes in strings with escapes.

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNodeOffsets(t *testing.T) {
	const data = ` { "a" : [ 1 , -2.5e3, "x" ] ,"b":{"c":null}, "d" : true}`
	root, fault := parseJSON([]byte(data))
	require.Nil(t, fault)
	assert.Equal(t, byte('{'), data[root.at])
	var walk func(n *node)
	walk = func(n *node) {
		var whole any
		require.NoError(t, json.Unmarshal([]byte(data), &whole))
		switch n.kind {
		case '0', '"':
			assert.Equal(t, n.raw, data[n.at:n.at+len(n.raw)])
		default:
			assert.Equal(t, n.kind, data[n.at])
		}
		for i := range n.fields {
			f := &n.fields[i]
			assert.Equal(t, `"`+f.name+`"`, data[f.at:f.at+len(f.name)+2])
			walk(&f.value)
		}
		for i := range n.elems {
			walk(&n.elems[i])
		}
	}
	walk(&root)
}

// The offset of byte i is that of the text that is decoded to its first i bytes.
func TestStringOffsets(t *testing.T) {
	for _, data := range []string{
		`"plain"`, `  "a\"b\\c\/d\n"`, `"\u0041é\u00e9x"`, `"\ud83d\ude00!"`, `"😀\ufffd\uFFFDz"`, `""`,
	} {
		n, fault := parseJSON([]byte(data))
		require.Nil(t, fault, data)
		var ascending cursor
		ascending.node = &n
		for i := range n.text {
			at := n.offset(i)
			var before string
			require.NoError(t, json.Unmarshal([]byte(data[n.at:at]+`"`), &before), "%s at %d", data, at)
			assert.Equal(t, n.text[:i], before)
			assert.Equal(t, at, ascending.offset(i))
		}
		assert.Equal(t, len(data)-1, n.offset(len(n.text)), data)
		assert.Equal(t, n.at+1, ascending.offset(0), data)
	}
}
