package bfe

// JSON with the offset of every value, in document order.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/quoted"
)

// A node is one JSON value.
type node struct {
	kind   byte   // '{', '[', '"', '0' for a number, 't' and 'f' for a bool, 'n'
	at     int    // offset of its first byte
	raw    string // of a string or number: as it stands
	text   string // of a string: decoded
	fields []field
	elems  []node
}

// A field is a member of an object.
type field struct {
	name  string
	at    int // offset of the name
	value node
}

// is names the kind of a value in messages.
func (n *node) is() string {
	return map[byte]string{'{': "an object", '[': "a list", '"': "a string", '0': "a number", 't': "a bool", 'f': "a bool", 'n': "null"}[n.kind]
}

// offset returns where byte i of a string's text stands in the data.
func (n *node) offset(i int) int {
	c := cursor{node: n}
	return c.offset(i)
}

// A cursor finds the offsets of bytes in a string's text, in time linear in the
// string if it is asked for them in ascending order.
type cursor struct {
	node     *node
	done, at int // so many bytes of the text stand in so many of what is between the quotes
}

func (c *cursor) offset(i int) int {
	if i < c.done {
		c.done, c.at = 0, 0
	}
	raw := c.node.raw[1 : len(c.node.raw)-1]
	for c.done < i && c.at < len(raw) {
		switch {
		case raw[c.at] != '\\':
			c.at++
			c.done++
		case raw[c.at+1] != 'u':
			c.at += 2
			c.done++
		default:
			r, _ := strconv.ParseUint(raw[c.at+2:c.at+6], 16, 32)
			if utf16.IsSurrogate(rune(r)) { // two escapes, four bytes
				c.at += 12
				c.done += 4
			} else {
				c.at += 6
				c.done += utf8.RuneLen(rune(r))
			}
		}
	}
	return c.node.at + 1 + c.at
}

// A jsonError is a fault of the text.
type jsonError struct {
	offset int
	detail string
}

// maxDepth is how deep values may nest, which is more than either format has.
const maxDepth = 16

// parseJSON reads one value with nothing behind it. Names that an object has
// twice are a fault.
func parseJSON(data []byte) (node, *jsonError) {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return node{}, &jsonError{i, "not UTF-8: write the file in UTF-8"}
		}
		i += size
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		fault := &jsonError{0, "not JSON: " + err.Error()}
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			fault.offset = max(int(syntax.Offset)-1, 0)
			if strings.HasPrefix(syntax.Error(), "unexpected end") {
				fault.offset = len(data)
			}
		}
		return node{}, fault
	}
	r := &jsonReader{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	n := r.value(0)
	return n, r.fault
}

// A jsonReader reads valid JSON.
type jsonReader struct {
	data  []byte
	dec   *json.Decoder
	fault *jsonError // the first
}

func (r *jsonReader) fail(offset int, format string, args ...any) {
	if r.fault == nil {
		r.fault = &jsonError{offset, fmt.Sprintf(format, args...)}
	}
}

// next returns the next token and where it is.
func (r *jsonReader) next() (token json.Token, start, end int) {
	start = int(r.dec.InputOffset())
	token, err := r.dec.Token()
	end = int(r.dec.InputOffset())
	if err != nil {
		r.fail(start, "not JSON: %v", err)
	}
	for start < end && strings.IndexByte(" \t\r\n,:", r.data[start]) >= 0 {
		start++
	}
	return token, start, end
}

func (r *jsonReader) value(depth int) node {
	token, start, end := r.next()
	n := node{at: start, kind: 'n'}
	switch v := token.(type) {
	case json.Delim:
		n.kind = byte(v)
		if depth == maxDepth {
			r.fail(start, "nests more than %d deep", maxDepth)
			return n
		}
		names := make(map[string]bool)
		for r.fault == nil && r.dec.More() {
			if n.kind == '[' {
				n.elems = append(n.elems, r.value(depth+1))
				continue
			}
			name := r.value(depth + 1)
			if names[name.text] {
				r.fail(name.at, "%s is there twice: remove one", quote(name.text))
			}
			names[name.text] = true
			n.fields = append(n.fields, field{name.text, name.at, r.value(depth + 1)})
		}
		if r.fault == nil {
			r.next() // the closing bracket
		}
	case string:
		n.kind, n.raw, n.text = '"', string(r.data[start:end]), v
		const replacement = "\uFFFD"
		if made := strings.Count(v, replacement); made > strings.Count(n.raw, replacement)+strings.Count(strings.ToLower(n.raw), `\ufffd`) {
			r.fail(start, "the string has half a surrogate pair, which is no character: write the whole pair")
		}
	case json.Number:
		n.kind, n.raw = '0', v.String()
	case bool:
		n.kind = 'f'
		if v {
			n.kind = 't'
		}
	}
	return n
}

// quote quotes at most 64 bytes of a text for a message.
func quote(s string) string { return quoted.Text(s, 64) }
