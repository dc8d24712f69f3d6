package manifest

// Advice: what to write instead of a value of another type, in the same words
// for YAML and JSON.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// words are for types of YAML and of JSON.
var words = map[string]string{
	"str": "a text", "int": "a number", "float": "a number", "bool": "a boolean", "seq": "a list", "map": "an object",
	"string": "a text", "number": "a number", "array": "a list", "object": "an object",
}

// typeAdvice says what to write instead of a value of a type of YAML or JSON. Of
// a scalar it has the text.
func typeAdvice(of, text string, wanted reflect.Kind) string {
	word := words[of]
	if word == "" {
		word = "a " + of
	}
	said := "this is " + word
	if text != "" {
		said = fmt.Sprintf("%.64q is %s", text, word)
	}
	instead := "a value of another type"
	switch wanted {
	case reflect.String:
		instead = "a text, in quotes"
	case reflect.Slice, reflect.Array:
		instead = "a list"
	case reflect.Map, reflect.Struct:
		instead = "an object"
	case reflect.Bool:
		instead = "true or false"
	case reflect.Float32, reflect.Float64:
		instead = "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		instead = "a whole number"
	}
	return said + ": write " + instead
}

// TypeAdvice says what to write instead of a value that encoding/json refuses.
func TypeAdvice(err *json.UnmarshalTypeError) string { return jsonAdvice(err, "") }

func jsonAdvice(err *json.UnmarshalTypeError, text string) string {
	of, number, _ := strings.Cut(err.Value, " ")
	wanted := err.Type
	for wanted.Kind() == reflect.Pointer {
		wanted = wanted.Elem()
	}
	return typeAdvice(of, cmp.Or(text, number), wanted.Kind())
}

// kindOf returns the kind of a type of a table as package yaml writes it.
func kindOf(name string) reflect.Kind {
	for prefix, kind := range map[string]reflect.Kind{
		"string": reflect.String, "[]": reflect.Slice, "int": reflect.Int, "float": reflect.Float64,
	} {
		if strings.HasPrefix(name, prefix) {
			return kind
		}
	}
	return reflect.Struct
}

// fieldsOf returns the fields, as YAML has them, of the type with a name that t is
// or is made of.
func fieldsOf(t reflect.Type, name string) []string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return fieldsOf(t.Elem(), name)
	case reflect.Struct:
	default:
		return nil
	}
	var names []string
	for f := range t.Fields() {
		if !f.IsExported() {
			continue
		}
		if t.String() == name {
			names = append(names, f.Tag.Get("yaml"))
		} else if inner := fieldsOf(f.Type, name); inner != nil {
			return inner
		}
	}
	return names
}
