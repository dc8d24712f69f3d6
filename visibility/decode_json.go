package visibility

// How JSON is read so that every fault has a path: objects and arrays are cut
// into their members, whose bytes are looked at one level at a time.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A member is one name and value of an object.
type member struct {
	name  string
	value json.RawMessage
}

// is reports whether m is a field, named in camelCase or snake_case.
func (m *member) is(name string) bool { return m.name == name || m.name == protoName(name) }

// A field is a name that an object may have, in camelCase, with what reads its
// value.
type field struct {
	name string
	read func(path string, raw json.RawMessage)
}

type fields []field

// object reads an object. null is an object without fields, and a field that
// is null is one that is not there.
func (d *decoder) object(path string, raw json.RawMessage, known fields) {
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.name
	}
	if path == "" {
		names = append(names, fieldVisibility)
	}
	list := d.members(path, raw)
	which := make([]int, len(list))  // the field of each member, -1 if it is of none
	taken := make([]int, len(known)) // the member that is read as the field, -1 if none is
	for k := range taken {
		taken[k] = -1
	}
	for i := range list {
		which[i] = slices.IndexFunc(known, func(f field) bool { return list[i].is(f.name) })
		if k := which[i]; k >= 0 {
			taken[k] = later(list, taken[k], i, known[k].name)
		}
	}
	seen := make([]bool, len(known))
	for i, m := range list {
		k := which[i]
		if k < 0 {
			d.unknown(path, m.name, names)
			continue
		}
		at := join(path, m.name)
		if seen[k] {
			d.twice(at, "field")
		}
		seen[k] = true
		if i == taken[k] && !isNull(m.value) {
			known[k].read(at, m.value)
		}
	}
}

// later returns which of two members of a field counts: i, which stands behind
// the one at, unless only that one is in camelCase. at is -1 if there is none.
func later(list []member, at, i int, name string) int {
	if at >= 0 && list[at].name == name && list[i].name != name {
		return at
	}
	return i
}

// unknown refuses a field that is none of names, or drops it as istiod does.
func (d *decoder) unknown(path, name string, names []string) {
	at := quote(name)
	if isLabelText(name) && len(name) <= maxLabelName {
		at = name
	}
	at = join(path, at)
	if d.lenient {
		d.warn(UnknownField, at, "the field is unknown and dropped: "+suggest(name, names))
		return
	}
	d.errs.addf(at, "the field is unknown: %s", suggest(name, names))
}

// twice refuses what is written a second time, or takes one as istiod does.
func (d *decoder) twice(at, what string) {
	if d.lenient {
		d.warn(WrittenTwice, at, "the "+what+" is written twice, and istiod takes one: remove the other")
		return
	}
	d.errs.addf(at, "the %s is written twice: remove one", what)
}

// readList reads an array of what read reads. null is an empty one.
func readList[T any](d *decoder, path string, raw json.RawMessage, read func(path string, raw json.RawMessage) T) []T {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		d.mismatch(path, "a list", raw)
		return nil
	}
	var list []T
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if isNull(item) { // which as a policy matches everything
			if !d.lenient {
				d.errs.addf(at, "the item is null: remove it")
				continue
			}
			d.warn(NullValue, at, "the item is null, which istiod takes for an empty one: remove it")
		}
		list = append(list, read(at, item))
	}
	return list
}

func (d *decoder) string(path string, raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		d.mismatch(path, "text in quotes", raw)
	}
	return s
}

// strings returns a list that is not nil.
func (d *decoder) strings(path string, raw json.RawMessage) []string {
	return append([]string{}, readList(d, path, raw, d.string)...)
}

func (d *decoder) bool(path string, raw json.RawMessage) (b bool) {
	if json.Unmarshal(raw, &b) != nil {
		d.mismatch(path, "true or false", raw)
	}
	return b
}

func (d *decoder) mismatch(path, want string, raw json.RawMessage) {
	d.errs.addf(path, "write %s, not %s", want, kindOf(raw))
}

// members returns the members of an object in their order. null has none.
func (d *decoder) members(path string, raw json.RawMessage) []member {
	if raw == nil || isNull(raw) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		d.mismatch(path, "an object", raw)
		return nil
	}
	var list []member
	for dec.More() {
		name, err := dec.Token()
		m := member{}
		if err == nil {
			m.name, _ = name.(string)
			err = dec.Decode(&m.value)
		}
		if err != nil {
			d.errs.add(path, err)
			return nil
		}
		list = append(list, m)
	}
	return list
}

// find returns the value of a field, named in camelCase or snake_case, of an
// object of which other fields are ignored.
func (d *decoder) find(path string, list []member, name string) (value json.RawMessage, ok bool) {
	at := -1
	for i := range list {
		if !list[i].is(name) {
			continue
		}
		if at >= 0 {
			d.twice(join(path, list[i].name), "field")
		}
		at = later(list, at, i, name)
	}
	if at < 0 {
		return nil, false
	}
	return list[at].value, true
}

// inside returns the members of every object that a field of such an object is.
func (d *decoder) inside(path string, list []member, name string) []member {
	var members []member
	for i := range list {
		if list[i].is(name) && kindOf(list[i].value) == "an object" {
			members = append(members, d.members(join(path, name), list[i].value)...)
		}
	}
	return members
}

// protoName returns the name that a field has in protobuf: snake_case, but
// camelCase too in Istio's LabelSelector.
func protoName(camel string) string {
	if camel == "matchLabels" || camel == "matchExpressions" {
		return camel
	}
	var b strings.Builder
	for _, c := range camel {
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func isNull(raw json.RawMessage) bool {
	return string(bytes.TrimSpace(raw)) == "null"
}

// kindOf names what a value is, in the words of a message.
func kindOf(raw json.RawMessage) string {
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return string(raw)
	case 'n':
		return "null"
	}
	return "a number"
}
