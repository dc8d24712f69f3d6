package gateway

// What of a manifest is not read.

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// fields are the names of the fields that an object, or each in a list, may
// have, and what those have; nil: it is not looked into.
type fields map[string]fields

// filled stands for a text that cannot be empty, or a number that cannot be 0.
// Decoded, such a field would be one that is absent, which has a meaning.
var filled = fields{}

var (
	valueFields = fields{"type": filled, "name": nil, "value": nil}
	matchFields = fields{
		"path": {"type": filled, "value": filled}, "headers": valueFields, "queryParams": valueFields, "method": filled,
	}
	modifierFields = fields{"type": nil, "replaceFullPath": nil, "replacePrefixMatch": nil}
	headerFields   = fields{"set": {"name": nil, "value": nil}, "add": {"name": nil, "value": nil}, "remove": nil}
	filterFields   = fields{
		"type":                   nil,
		"urlRewrite":             {"hostname": filled, "path": modifierFields},
		"requestRedirect":        {"scheme": filled, "hostname": filled, "path": modifierFields, "port": filled, "statusCode": filled},
		"requestHeaderModifier":  headerFields,
		"responseHeaderModifier": headerFields,
	}
	backendFields = fields{"group": nil, "kind": filled, "namespace": filled, "name": nil, "port": nil, "weight": nil, "filters": nil}
	specFields    = fields{
		"parentRefs": {"group": nil, "kind": nil, "namespace": nil, "name": nil, "sectionName": nil, "port": nil},
		"hostnames":  nil, "rules": nil,
	}
)

// unread returns the names of what data, which decodes, has and f has not, such
// as path.caseSensitive, and of what is not filled, in order. What is null is not
// there.
func (f fields) unread(data json.RawMessage) []string { return f.appendUnread(nil, "", data) }

func (f fields) appendUnread(out []string, key string, data json.RawMessage) []string {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || f == nil {
		return out
	}
	switch data[0] {
	case '"', '0':
		if text := string(data); text == `""` || text == "0" {
			out = append(out, key)
		}
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(data, &list) == nil {
			for i, item := range list {
				out = f.appendUnread(out, index(key, i), item)
			}
		}
	case '{':
		var object map[string]json.RawMessage
		if json.Unmarshal(data, &object) != nil {
			return out
		}
		if key != "" {
			key += "."
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			inner, known := f.find(name)
			switch {
			case known:
				out = inner.appendUnread(out, key+name, object[name])
			case string(object[name]) != "null":
				out = append(out, key+name)
			}
		}
	}
	return out
}

// find returns the fields of a name, letter case apart, as encoding/json has it.
func (f fields) find(name string) (inner fields, known bool) {
	if inner, known = f[name]; known {
		return inner, true
	}
	for other, inner := range f {
		if strings.EqualFold(other, name) {
			return inner, true
		}
	}
	return nil, false
}
