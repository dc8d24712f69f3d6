// Package manifest decodes parts of Kubernetes objects without losing what it
// does not know.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
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
	if err := Unmarshal(data, out); err != nil || len(read) == 0 {
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

// Unmarshal is json.Unmarshal, but tells of a value of the wrong type in which
// field it is, as a manifest spells it, and what to write.
func Unmarshal(data []byte, out any) error {
	err := json.Unmarshal(data, out)
	if fault, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &typeError{fault}
	}
	return err
}

type typeError struct{ fault *json.UnmarshalTypeError }

func (e *typeError) Unwrap() error { return e.fault }

func (e *typeError) Error() string {
	where := ""
	for name := range strings.SplitSeq(e.fault.Field, ".") {
		if name != "" {
			where += "." + lowerFirst(name)
		}
	}
	if where != "" {
		where = where[1:] + ": "
	}
	return fmt.Sprintf("%swrite %s, not %s", where, wanted(e.fault.Type), article(e.fault.Value))
}

// lowerFirst returns the field of a manifest for that of a struct: its first word
// in lower case, as in http for HTTP and apiGroup for APIGroup.
func lowerFirst(name string) string {
	n := 0
	for n < len(name) && 'A' <= name[n] && name[n] <= 'Z' {
		n++
	}
	if 1 < n && n < len(name) {
		n-- // which begins the second word
	}
	return strings.ToLower(name[:n]) + name[n:]
}

// wanted says what is written for a value of the type.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a text, in quotes"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// article puts one before what encoding/json calls a value, such as "number 1.5".
func article(value string) string {
	if strings.HasPrefix(value, "array") || strings.HasPrefix(value, "object") {
		return "an " + value
	}
	return "a " + value
}

func isNull(data []byte) bool { return bytes.Equal(bytes.TrimSpace(data), []byte("null")) }
