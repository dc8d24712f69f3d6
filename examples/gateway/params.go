package main

// The values inside an annotation: JSON that is read member by member, because
// order, duplicates and the difference between 2 and "2" matter.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/readdress/readdress/rewrite"
)

// A paramsReader makes actions of the "params" of one annotation.
type paramsReader func(params json.RawMessage) ([]rewrite.Action, error)

func text1(action func(string) rewrite.Action) paramsReader {
	return func(params json.RawMessage) ([]rewrite.Action, error) {
		s, err := readName(params)
		if err != nil {
			return nil, err
		}
		return []rewrite.Action{action(s)}, nil
	}
}

func onlyTrue(action func() rewrite.Action) paramsReader {
	return func(params json.RawMessage) ([]rewrite.Action, error) {
		if s := string(params); s != `true` && s != `"true"` {
			return nil, errors.New("write true")
		}
		return []rewrite.Action{action()}, nil
	}
}

func count(action func(int) rewrite.Action) paramsReader {
	return func(params json.RawMessage) ([]rewrite.Action, error) {
		digits := string(params)
		if s, err := readText(params); err == nil {
			digits = s
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || strconv.Itoa(n) != digits {
			return nil, errors.New("write a whole number from 1")
		}
		return []rewrite.Action{action(n)}, nil
	}
}

// textPairs makes an action of each member of an object, in document order.
func textPairs(action func(name, value string) rewrite.Action) paramsReader {
	return pairs(action, readText)
}

// namePairs is textPairs with values that must not be empty.
func namePairs(action func(from, to string) rewrite.Action) paramsReader {
	return pairs(action, readName)
}

func pairs(action func(string, string) rewrite.Action, second func(json.RawMessage) (string, error)) paramsReader {
	return func(params json.RawMessage) ([]rewrite.Action, error) {
		fields, err := members(unquote(params))
		if err != nil {
			return nil, err
		}
		if len(fields) == 0 {
			return nil, errors.New("the object is empty")
		}
		var actions []rewrite.Action
		for _, f := range fields {
			if f.name == "" {
				return nil, errors.New("a name is empty")
			}
			value, err := second(f.value)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", f.name, err)
			}
			actions = append(actions, action(f.name, value))
		}
		return actions, nil
	}
}

// texts makes one action of a list of strings.
func texts(action func(...string) rewrite.Action) paramsReader {
	return func(params json.RawMessage) ([]rewrite.Action, error) {
		items, err := elements(string(unquote(params)))
		if err != nil {
			return nil, err
		}
		var names []string
		for i, e := range items {
			name, err := readName(e.value)
			if err != nil {
				return nil, fmt.Errorf("name %d: %w", i, err)
			}
			names = append(names, name)
		}
		return []rewrite.Action{action(names...)}, nil
	}
}

// textOrTexts is texts, and a string stands for a list of one.
func textOrTexts(action func(...string) rewrite.Action) paramsReader {
	return func(params json.RawMessage) ([]rewrite.Action, error) {
		if params = unquote(params); params[0] == '[' {
			return texts(action)(params)
		}
		return text1(func(s string) rewrite.Action { return action(s) })(params)
	}
}

func readHook(data json.RawMessage) (h rewrite.Hook, err error) {
	s, err := readText(data)
	if err != nil {
		return h, err
	}
	return h, h.UnmarshalText([]byte(s))
}

func readOrder(data json.RawMessage) (int, error) {
	if data[0] == '"' {
		return 0, fmt.Errorf("write %s, not %s", strings.Trim(string(data), `"`), data)
	}
	n, err := strconv.ParseInt(string(data), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("write a whole number from %d to %d", math.MinInt32, math.MaxInt32)
	}
	return int(n), nil
}

// readText reads a JSON string without control characters.
func readText(data json.RawMessage) (s string, err error) {
	if data[0] != '"' {
		return "", errors.New("write a string")
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return "", err
	}
	// A lone surrogate escape is decoded to utf8.RuneError.
	if strings.ContainsFunc(s, func(r rune) bool {
		return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
	}) {
		return "", errors.New("the string has a character that is not text")
	}
	return s, nil
}

// readName is readText for a string that must not be empty.
func readName(data json.RawMessage) (string, error) {
	s, err := readText(data)
	if err == nil && s == "" {
		err = errors.New("the string is empty")
	}
	return s, err
}

// unquote returns the object or list that a JSON string holds; any other
// value as it is.
func unquote(data json.RawMessage) json.RawMessage {
	if s, err := readText(data); err == nil && json.Valid([]byte(s)) {
		if inner := strings.TrimSpace(s); inner[0] == '{' || inner[0] == '[' {
			return json.RawMessage(inner)
		}
	}
	return data
}

// An element is one item of a list and its byte offset in the list's text.
type element struct {
	value  json.RawMessage
	offset int
}

// elements splits the text of a JSON list, which must not be empty.
func elements(text string) ([]element, error) {
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("byte %d: not JSON: %w", max(syntax.Offset-1, 0), err)
		}
		return nil, err
	}
	if whole[0] != '[' {
		return nil, errors.New("write a list")
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.Token() // the bracket
	var items []element
	for dec.More() {
		var e element
		if err := dec.Decode(&e.value); err != nil {
			return nil, err
		}
		e.offset = int(dec.InputOffset()) - len(e.value)
		items = append(items, e)
	}
	if len(items) == 0 {
		return nil, errors.New("the list is empty")
	}
	return items, nil
}

// A member is one name and value of an object.
type member struct {
	name  string
	value json.RawMessage
}

// members splits a valid JSON object in document order.
func members(object json.RawMessage) ([]member, error) {
	if object[0] != '{' {
		return nil, errors.New("write an object")
	}
	dec := json.NewDecoder(strings.NewReader(string(object)))
	dec.Token() // the brace
	var out []member
	seen := make(map[string]bool)
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if seen[m.name] {
			return nil, fmt.Errorf("%q is there twice", m.name)
		}
		seen[m.name] = true
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}
