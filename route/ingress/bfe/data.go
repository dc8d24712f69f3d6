package bfe

// The file of mod_rewrite as text, laid out as in the design of the controller.

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// A section is the rules for one hook.
type section struct {
	hook  rewrite.Hook
	name  string
	rules []rule
}

type rule struct {
	cond    string
	actions []action
}

type action struct {
	cmd    string
	params []string
}

// appendData appends the JSON of the file.
func appendData(b []byte, version string, sections []section) []byte {
	b = append(b, "{\n    \"Version\": "...)
	b = appendString(b, version)
	b = append(b, ",\n    \"Config\": {"...)
	for i := range sections {
		b = appendString(append(b, separator(i, 8)...), sections[i].name)
		b = append(b, ": ["...)
		for j, r := range sections[i].rules {
			b = append(append(b, separator(j, 12)...), "{\n                \"Cond\": "...)
			b = append(appendString(b, r.cond), ",\n                \"Actions\": ["...)
			for k, a := range r.actions {
				b = append(append(b, separator(k, 20)...), "{\n                        \"Cmd\": "...)
				b = append(appendString(b, a.cmd), ",\n                        \"Params\": ["...)
				for n, p := range a.params {
					if n > 0 {
						b = append(b, ", "...)
					}
					b = appendString(b, p)
				}
				b = append(b, "]\n                    }"...)
			}
			b = append(closing(b, len(r.actions), 16), ",\n                \"Last\": true\n            }"...)
		}
		b = closing(b, len(sections[i].rules), 8)
	}
	if len(sections) > 0 {
		b = append(b, "\n    "...)
	}
	return append(b, "}\n}\n"...)
}

// separator returns what stands before element i of a list that is indented.
func separator(i, indent int) string {
	return ","[:min(i, 1)] + "\n" + strings.Repeat(" ", indent)
}

// closing ends a list of n elements.
func closing(b []byte, n, indent int) []byte {
	if n > 0 {
		b = append(b, '\n')
		b = append(b, strings.Repeat(" ", indent)...)
	}
	return append(b, ']')
}

func appendString(b []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string has no error, and a Buffer none either
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}
