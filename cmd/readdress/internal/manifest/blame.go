package manifest

// Blame: which value of an object cannot be decoded.

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/route/ingress"
)

// Unusable reports that an object cannot be decoded into values such as v, a
// pointer: at the smallest part of it that alone cannot be decoded either.
func (s *Set) Unusable(o *Object, v any, err error) {
	typ := reflect.TypeOf(v).Elem()
	at, before, after := o.Node, "", ""
	for {
		next, open, end, fault := o.part(at, typ, before, after)
		if next == nil {
			break
		}
		at, err = next, fault
		before, after = before+open, end+after
	}
	s.report(o, ingress.Error, CodeObject, o.File.nodePosition(at), "%s", advice(at, err))
}

// part returns the first value in n that cannot be decoded without the others,
// and the JSON around it.
func (o *Object) part(n *yaml.Node, typ reflect.Type, before, after string) (next *yaml.Node, open, end string, err error) {
	try := func(value *yaml.Node, open, end string) error {
		text, fault := toJSON(value, jsonLimit(o.File.Data))
		if fault != nil {
			return nil
		}
		return json.Unmarshal([]byte(before+open+string(text)+end+after), reflect.New(typ).Interface())
	}
	n = resolve(n)
	switch n.Kind {
	case yaml.MappingNode:
		if json.Unmarshal([]byte(before+"{}"+after), reflect.New(typ).Interface()) != nil {
			return nil, "", "", nil // it is no place for an object
		}
		for _, pair := range pairs(n) {
			key, _ := json.Marshal(pair[0].Value) // a string always has JSON
			open := "{" + string(key) + ":"
			if err := try(pair[1], open, "}"); err != nil {
				return pair[1], open, "}", err
			}
		}
	case yaml.SequenceNode:
		if json.Unmarshal([]byte(before+"[]"+after), reflect.New(typ).Interface()) != nil {
			return nil, "", "", nil
		}
		for _, item := range n.Content {
			if err := try(item, "[", "]"); err != nil {
				return item, "[", "]", err
			}
		}
	}
	return nil, "", "", nil
}

// advice says what is wrong with a value, and what to write.
func advice(n *yaml.Node, err error) string {
	typed, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		if i := strings.Index(err.Error(), ": "); i > 0 && !strings.Contains(err.Error()[:i], " ") {
			return err.Error()[i+2:] // behind the name of the package
		}
		return err.Error()
	}
	said := typed.Value
	if n = resolve(n); n.Kind == yaml.ScalarNode {
		said = fmt.Sprintf("%.64q is a %s", n.Value, strings.Fields(typed.Value + " value")[0])
	} else {
		said = "this is an " + said
	}
	return said + ": write " + wanted(typed.Type)
}

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
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number"
	}
	return "a value of another type"
}
