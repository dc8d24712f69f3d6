// Package manifest decodes parts of Kubernetes objects without losing what it
// does not know.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
)

// ErrNull is why an item of a list that is null is not decoded: a condition that
// is null would stand for every request.
var ErrNull = errors.New("null stands for an item of a list: leave it out")

// Decode decodes the object data into out, as encoding/json does, and returns
// the names of its fields that are none of read and not null, in order. Without
// read it returns none. If data is null, the error is ErrNull.
func Decode(data []byte, out any, read ...string) (unread []string, err error) {
	if isNull(data) {
		return nil, ErrNull
	}
	if err := json.Unmarshal(data, out); err != nil || len(read) == 0 {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		known := slices.ContainsFunc(read, func(r string) bool { return strings.EqualFold(r, name) })
		if !known && !isNull(fields[name]) {
			unread = append(unread, name)
		}
	}
	return unread, nil
}

func isNull(data []byte) bool { return bytes.Equal(bytes.TrimSpace(data), []byte("null")) }
