package rewrite

// The JSON form of a rule is {"hook": …, "order": …, "action": …}, of which
// hook and order may be absent. That of an action is an object with one key:
// the constructor's name in lower camel case. Its value is the parameter, a
// string or a number; two or more are an array in constructor order; true
// stands for none.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// jsonName returns the key of an action.
func (op Op) jsonName() string {
	name := op.String()
	return string(unicode.ToLower(rune(name[0]))) + name[1:]
}

// MarshalJSON implements json.Marshaler: {"hook": "Forward", "order": 1,
// "action": {"setPath": "/a"}}. A hook AfterLocation and an order 0 are left
// out, and Origin is not part of the form. An unknown hook is an error, and so
// is what Action.MarshalJSON has none for.
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

// ParseRules reads a JSON array of rules, as a configuration file has them. Each
// rule is as UnmarshalJSON reads it, and its Origin is key, which names the file
// or the field and may be empty, its index and the byte of data at which it
// begins, so that Compile tells its faults with the place.
//
// The error is [RuleErrors], with one fault of every rule that is wrong, whose
// Origin.Offset is the byte of data at fault. Where data is no JSON, or no array,
// it is another that names the byte. No rules come with it. An empty array is no
// rules. ParseRules checks the form; Compile checks the meaning.
func ParseRules(data []byte, key string) ([]Rule, error) {
	d, err := newJSONReader(data)
	if err != nil {
		return nil, err
	}
	var rules []Rule
	var faults RuleErrors
	err = d.array(func(item []byte, at int) {
		rule := Rule{Origin: Origin{key, len(rules), at}}
		err := rule.UnmarshalJSON(item)
		if fault, ok := errors.AsType[*jsonError](err); ok {
			origin := rule.Origin
			origin.Offset += int(fault.at)
			faults = append(faults, &RuleError{Index: len(rules), Origin: origin, Offset: -1, Err: fault.err})
		}
		rules = append(rules, rule)
	})
	if err = d.finish(err); err == nil {
		err = faults.err()
	}
	if err != nil {
		return nil, err
	}
	return rules, nil
}

// UnmarshalJSON implements json.Unmarshaler. An absent hook is AfterLocation, an
// absent order 0. Unknown and duplicate fields, and a missing action, are errors
// that name the byte offset within data, which is this rule alone: ParseRules
// tells which rule of a list it is. On error r is unchanged; else all of r but its
// Origin is set.
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
