package rewrite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The JSON form of a rule is {"hook": …, "order": …, "action": …}, of which
// hook and order may be absent. That of an action is an object with one key:
// the constructor's name in lower camel case. Its value is the parameter, a
// string or a number; two or more are an array in constructor order; true
// stands for none.

// jsonName returns the key of an action.
func (op Op) jsonName() string {
	name := op.String()
	return string(unicode.ToLower(rune(name[0]))) + name[1:]
}

// MarshalJSON implements json.Marshaler. Origin is not part of the form.
func (r Rule) MarshalJSON() ([]byte, error) {
	action, err := r.Action.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b := []byte{'{'}
	if r.Hook != AfterLocation {
		hook, err := r.Hook.MarshalText()
		if err != nil {
			return nil, err
		}
		b = append(b, `"hook":"`+string(hook)+`",`...)
	}
	if r.Order != 0 {
		b = append(b, `"order":`+strconv.Itoa(r.Order)+`,`...)
	}
	b = append(b, `"action":`...)
	return append(append(b, action...), '}'), nil
}

// UnmarshalJSON implements json.Unmarshaler. An absent hook is AfterLocation, an
// absent order 0. Unknown and duplicate fields, and a missing action, are errors
// that name the byte offset within data, which is this rule alone: read a list as
// json.RawMessage, rule by rule, to tell which. On error r is unchanged; else all
// of r but its Origin is set.
func (r *Rule) UnmarshalJSON(data []byte) error {
	d, err := newJSONReader(data)
	if err != nil {
		return err
	}
	rule := Rule{Origin: r.Origin}
	seen := map[string]bool{}
	err = d.object(func(key string) error {
		if seen[key] {
			return fmt.Errorf("duplicate field %s", quote(key))
		}
		seen[key] = true
		switch key {
		case "hook":
			name, err := d.string()
			if err != nil {
				return err
			}
			rule.Hook, err = parseHook(name)
			return err
		case "order":
			n, err := d.number()
			if err != nil {
				return err
			}
			if rule.Order, err = strconv.Atoi(n); err != nil {
				return notWhole(n, err)
			}
			return nil
		case "action":
			rule.Action, err = d.action()
			return err
		}
		return fmt.Errorf("unknown field %s: the fields are hook, order and action", quote(key))
	})
	if err == nil && !seen["action"] {
		err = errors.New("no field action")
	}
	if err = d.finish(err); err != nil {
		return err
	}
	*r = rule
	return nil
}

// MarshalJSON implements json.Marshaler: an object whose one field is the
// constructor in lower camel case, with its argument, such as {"setPath": "/a"}
// and {"stripPathSegments": 1}, with several as an array, such as
// {"setQuery": ["via", "gateway"]}, or true if there is none to give, as in
// {"dropQuery": true}. The zero Action and arguments that are not UTF-8 are
// errors.
func (a Action) MarshalJSON() ([]byte, error) {
	if err := a.encodable(); err != nil {
		return nil, err
	}
	b := []byte(`{"` + a.op.jsonName() + `":`)
	switch {
	case len(a.args) == 0:
		b = append(b, "true"...)
	case opInfo[a.op].numeric:
		b = append(b, a.args[0]...)
	case len(a.args) == 1:
		b = appendJSONString(b, a.args[0])
	default:
		for i, arg := range a.args {
			b = append(b, "[,"[min(i, 1)])
			b = appendJSONString(b, arg)
		}
		b = append(b, ']')
	}
	return append(b, '}'), nil
}

func appendJSONString(b []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return strconv.AppendQuote(b, s)
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// UnmarshalJSON implements json.Unmarshaler. It checks the form; Compile
// checks the meaning. On error, which names the byte offset within data, a is
// unchanged.
func (a *Action) UnmarshalJSON(data []byte) error {
	d, err := newJSONReader(data)
	if err != nil {
		return err
	}
	action, err := d.action()
	if err = d.finish(err); err != nil {
		return err
	}
	*a = action
	return nil
}

// A jsonReader reads JSON token by token and knows where it is.
type jsonReader struct {
	dec  *json.Decoder
	data []byte
	at   int64 // where the last token begins
}

func newJSONReader(data []byte) (*jsonReader, error) {
	if i := badText(data); i >= 0 {
		return nil, fmt.Errorf("rewrite: at offset %d: not UTF-8, or half of a surrogate pair", i)
	}
	// Reading it whole first finds the first byte that is wrong, which reading
	// token by token does not always do.
	var whole json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&whole); err != nil {
		at := int64(len(data))
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = syntax.Offset - 1
		} else {
			err = errors.New("unexpected end")
		}
		return nil, fmt.Errorf("rewrite: at offset %d: %w", at, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &jsonReader{dec: dec, data: data}, nil
}

// badText returns the offset of the first byte that package json would
// silently replace, or -1.
func badText(data []byte) int {
	for i := 0; i < len(data); {
		if data[i] == '\\' && i+1 < len(data) {
			hi := escapedUnit(data[i:])
			switch {
			case 0xD800 <= hi && hi < 0xDC00:
				if lo := escapedUnit(data[i+6:]); lo < 0xDC00 || lo > 0xDFFF {
					return i
				}
				i += 12
			case 0xDC00 <= hi && hi <= 0xDFFF:
				return i
			default:
				i += 2
			}
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// escapedUnit returns the UTF-16 unit of the \uXXXX that b begins with, or -1.
func escapedUnit(b []byte) int {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

// finish returns err, or what is wrong with the end of data, with the offset.
func (d *jsonReader) finish(err error) error {
	if err == nil {
		if _, end := d.token(); end == io.EOF {
			return nil
		}
		err = errors.New("text behind the value")
	}
	return fmt.Errorf("rewrite: at offset %d: %w", d.at, err)
}

// token returns the next token and notes where it begins.
func (d *jsonReader) token() (json.Token, error) {
	at := d.dec.InputOffset()
	for at < int64(len(d.data)) && strings.IndexByte(" \t\r\n:,", d.data[at]) >= 0 {
		at++
	}
	d.at = at
	return d.dec.Token()
}

// object reads an object; field reads the value of each key.
func (d *jsonReader) object(field func(key string) error) error {
	t, err := d.token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("write an object")
	}
	for d.dec.More() {
		t, err := d.token()
		if err != nil {
			return err
		}
		if err := field(t.(string)); err != nil {
			return err
		}
	}
	_, err = d.token()
	return err
}

func (d *jsonReader) string() (string, error) {
	t, err := d.token()
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", errors.New("write a string")
	}
	return s, nil
}

func (d *jsonReader) number() (string, error) {
	t, err := d.token()
	if err != nil {
		return "", err
	}
	n, ok := t.(json.Number)
	if !ok {
		return "", errors.New("write a whole number, without quotes")
	}
	return n.String(), nil
}

// action reads an object of one key.
func (d *jsonReader) action() (action Action, err error) {
	count := 0
	err = d.object(func(key string) error {
		if count++; count > 1 {
			return fmt.Errorf("second field %s: an action is an object of one field", quote(key))
		}
		at := d.at
		op := opNamed[strings.ToUpper(key[:min(1, len(key))])+key[min(1, len(key)):]]
		if op == 0 || op.jsonName() != key {
			return unknownField(key)
		}
		args, err := d.args(op)
		if err != nil {
			return err
		}
		if action, err = makeAction(op, args); err != nil {
			d.at = at
		}
		return err
	})
	if err == nil && count == 0 {
		err = errors.New("an action is an object of one field, such as {\"trimPathPrefix\": \"/api\"}")
	}
	return action, err
}

// args reads the value of an action's key.
func (d *jsonReader) args(op Op) ([]string, error) {
	info := &opInfo[op]
	t, err := d.token()
	if err != nil {
		return nil, err
	}
	takes := len(info.params) > 0
	switch t := t.(type) {
	case bool:
		if t && !takes {
			return nil, nil
		}
	case string:
		if takes && !info.numeric {
			return []string{t}, nil
		}
	case json.Number:
		if info.numeric {
			return []string{t.String()}, checkWhole(t.String())
		}
	case json.Delim:
		if t != '[' || !takes {
			break
		}
		var args []string
		for d.dec.More() {
			read := d.string
			if info.numeric {
				read = d.number
			}
			arg, err := read()
			if err == nil && info.numeric {
				err = checkWhole(arg)
			}
			if err != nil {
				return nil, err
			}
			args = append(args, arg)
		}
		_, err := d.token()
		return args, err
	}
	return nil, op.wrongValue()
}

// wrongValue is the error for a value of an action's key that is of no use.
func (op Op) wrongValue() error {
	info := &opInfo[op]
	switch {
	case len(info.params) == 0:
		return errors.New("write true")
	case info.numeric:
		return errors.New("write a whole number, without quotes")
	case info.list:
		return errors.New("write a string, or an array of strings")
	case len(info.params) > 1:
		return fmt.Errorf("write an array of %d strings: %s", len(info.params), strings.Join(info.params, ", "))
	}
	return errors.New("write a string")
}

func unknownField(key string) error {
	for _, op := range opNamed {
		if strings.EqualFold(op.jsonName(), key) {
			return fmt.Errorf("unknown action %s: write %s", quote(key), op.jsonName())
		}
	}
	return fmt.Errorf("unknown action %s: write the name of a constructor in lower camel case, such as trimPathPrefix", quote(key))
}
