package visibility

// How JSON is read so that every fault has a path: objects and arrays are cut
// into their members, whose bytes are looked at one level at a time.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A member is one name and value of an object.
type member struct {
	name  string
	value json.RawMessage
}

// fields are the names that an object may have, in camelCase, each with what
// reads its value.
type fields []struct {
	name string
	read func(path string, raw json.RawMessage)
}

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
	seen := make(map[string]bool)
members:
	for _, m := range d.members(path, raw) {
		at := join(path, m.name)
		for _, f := range known {
			if m.name != f.name && m.name != snake(f.name) {
				continue
			}
			if seen[f.name] {
				d.errs.addf(at, "the field is written twice: remove one")
			} else if !isNull(m.value) {
				f.read(at, m.value)
			}
			seen[f.name] = true
			continue members
		}
		d.unknown(path, m.name, names)
	}
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

// array reads an array. null is an empty one.
func (d *decoder) array(path string, raw json.RawMessage, read func(path string, raw json.RawMessage)) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		d.mismatch(path, "a list", raw)
		return
	}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if isNull(item) { // which as a policy would match everything
			d.errs.addf(at, "the item is null: remove it")
			continue
		}
		read(at, item)
	}
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
	list := []string{}
	d.array(path, raw, func(at string, raw json.RawMessage) { list = append(list, d.string(at, raw)) })
	return list
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
	for _, m := range list {
		if m.name != name && m.name != snake(name) {
			continue
		}
		if ok {
			d.errs.addf(join(path, m.name), "the field is written twice: remove one")
		}
		value, ok = m.value, true
	}
	return value, ok
}

// snake returns the snake_case of a name in camelCase.
func snake(camel string) string {
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
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
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
