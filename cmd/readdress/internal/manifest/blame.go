package manifest

// Blame: which value of an object cannot be decoded.

import (
	"encoding/json"
	"errors"
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
		for _, p := range pairs(n) {
			key, _ := json.Marshal(p.key.Value) // a string always has JSON
			open := "{" + string(key) + ":"
			if err := try(p.value, open, "}"); err != nil {
				return p.value, open, "}", err
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
	return jsonAdvice(typed, resolve(n).Value)
}
