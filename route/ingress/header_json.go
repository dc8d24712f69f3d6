package ingress

// The JSON of header operations: an object of names and values where all of
// them set different fields, which is what dekube's entries have, else a list.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

type headerOps []HeaderOp

type headerJSON struct {
	Op    HeaderAction `json:"op"`
	Name  string       `json:"name"`
	Value string       `json:"value,omitempty"`
}

func (h headerOps) isObject() bool {
	seen := make(map[string]bool, len(h))
	for _, op := range h {
		name := strings.ToLower(op.Name)
		if op.Op != SetHeader || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

func (h headerOps) MarshalJSON() ([]byte, error) {
	if !h.isObject() {
		list := make([]headerJSON, len(h))
		for i, op := range h {
			list[i] = headerJSON(op)
		}
		return json.Marshal(list)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, op := range h {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, text := range []string{op.Name, op.Value} {
			quoted, err := json.Marshal(text)
			if err != nil {
				return nil, err
			}
			if j > 0 {
				b.WriteByte(':')
			}
			b.Write(quoted)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON keeps the order of an object, which a map would lose.
func (h *headerOps) UnmarshalJSON(data []byte) error {
	*h = nil
	if len(data) > 0 && data[0] == '[' {
		var list []headerJSON
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.DisallowUnknownFields() // which the decoder of the entry does not hand down
		if err := dec.Decode(&list); err != nil {
			return err
		}
		for _, op := range list {
			*h = append(*h, HeaderOp(op))
		}
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	start, err := dec.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('{') {
		return fmt.Errorf("header fields are %v: write an object of names and values, or a list of operations", start)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		key := name.(string) // within an object a token is a key
		var value *string
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("header field %.64q: %w", key, err)
		}
		if value != nil { // null is an absent field, not an empty one
			*h = append(*h, HeaderOp{Name: key, Value: *value})
		}
	}
	return nil
}

// MarshalText returns set, add or remove. An action that is none is an error.
func (a HeaderAction) MarshalText() ([]byte, error) {
	if a < 0 || int(a) >= len(headerActionNames) {
		return nil, fmt.Errorf("%v is no operation", a)
	}
	return []byte(headerActionNames[a]), nil
}

// UnmarshalText reads what MarshalText returns. Any other text is an error, and
// leaves a as it is.
func (a *HeaderAction) UnmarshalText(text []byte) error {
	return unmarshalName("op", a, text, SetHeader, AddHeader, RemoveHeader)
}
