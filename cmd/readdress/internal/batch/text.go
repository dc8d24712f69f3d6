package batch

// Text: what encoding/json would take without a word, and its errors in words for
// people who do not write Go.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
)

// checkText reports the first byte of valid JSON that is no UTF-8, and the first
// escape that is half a character.
func checkText(line []byte) error {
	for i := 0; i < len(line); {
		if r, size := utf8.DecodeRune(line[i:]); r != utf8.RuneError || size > 1 {
			i += size
			continue
		}
		return fmt.Errorf("byte %d, 0x%02x, is not UTF-8: write the line as UTF-8, and other bytes of a URL as %%%02X", i, line[i], line[i])
	}
	for i := 0; i < len(line); { // only strings have backslashes
		next := bytes.IndexByte(line[i:], '\\')
		if next < 0 {
			return nil
		}
		i += next
		r, ok := escaped(line[i:])
		switch {
		case !ok:
			i += 2
		case !utf16.IsSurrogate(r):
			i += 6
		default:
			if low, ok := escaped(line[i+6:]); !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
				return fmt.Errorf("byte %d, %s, is half a character: write both halves, or the character itself", i, line[i:i+6])
			}
			i += 12
		}
	}
	return nil
}

// escaped returns what an escape of the form \uXXXX at the beginning of b says.
func escaped(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}

// fields are the keys that a question can have.
var fields = func() []string {
	var names []string
	for f := range reflect.TypeFor[Question]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}()

// checkKeys reports a key of a question that has other letter case than the field,
// and one that is there twice, in its headers and classes too.
func checkKeys(line []byte) error {
	return eachKey(line, func(name string, value json.RawMessage) error {
		if !slices.Contains(fields, name) {
			return fmt.Errorf("unknown field %q: write one of %s", name, strings.Join(fields, ", "))
		}
		switch name {
		case "classes":
			return within(name, eachKey(value, func(string, json.RawMessage) error { return nil }))
		case "headers", "response":
			var list []json.RawMessage
			_ = json.Unmarshal(value, &list) // it is one, or else the question has been refused
			for _, header := range list {
				if err := within(name, eachKey(header, headerKey)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func headerKey(name string, _ json.RawMessage) error {
	if name != "name" && name != "value" {
		return fmt.Errorf("unknown field %q: a header has name and value", name)
	}
	return nil
}

func within(field string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	return nil
}

// eachKey visits the keys of an object, and reports one that is there twice. null
// has none.
func eachKey(object []byte, visit func(name string, value json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(object))
	seen := make(map[string]bool)
	var value json.RawMessage
	for _, err := dec.Token(); err == nil && dec.More(); {
		key, _ := dec.Token()
		name, _ := key.(string)
		if err = dec.Decode(&value); err != nil {
			break // it is no JSON, which is reported elsewhere
		}
		if seen[name] {
			return fmt.Errorf("%q is there twice: remove one", name)
		}
		if err := visit(name, value); err != nil {
			return err
		}
		seen[name] = true
	}
	return nil
}

// reworded says what encoding/json finds wrong with a question, without types of
// Go.
func reworded(line []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("byte %d: %w", max(0, syntax.Offset-1), err)
	}
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errors.New(strings.TrimPrefix(typed.Field+": "+manifest.TypeAdvice(typed), ": "))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the line ends before the question does: write each on one line")
	}
	if strings.HasPrefix(err.Error(), "json: unknown field ") {
		return cmp.Or(checkKeys(line), err)
	}
	return err
}
