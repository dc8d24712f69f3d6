package manifest

// Syntax errors: where they are, which package yaml seldom says, and what to do.

import (
	"strings"
	"testing"
)

func TestSyntax(t *testing.T) {
	for document, want := range map[string]string{
		"kind: x\na: [b\n":                                   "f:2:1: this is not YAML: did not find expected ',' or ']': write ]",
		"kind: x\na: [b\nc: d\n":                             "f:2:1: this is not YAML: did not find expected ',' or ']': write ]",
		"kind: x\nm:\n  a: {b: 1\nc: d\n":                    "f:3:3: this is not YAML: did not find expected ',' or '}': write }",
		"kind: x\nm:\n  a: 1\n  b: 2\n c: 3\nd: 4\n":         "f:5:2: this is not YAML: did not find expected key: indent this line",
		"kind: x\nm:\n  s:\n    a: 1\n\n   b: 2\n":           "f:6:4: this is not YAML: did not find expected key: indent this line",
		"a: 1\n---\n\n\nm:\n    a: \"b\" c\n    d: 'e\nf'\n": "f:6:5: this is not YAML: did not find expected key: indent this line like the keys beside it, and write nothing behind a closing quote",
		"l:\n  - a\n  - b\n  c: 1\n":                         "f:4:3: this is not YAML: did not find expected '-' indicator: indent this line",
		"kind: x\na: *b\n":                                   "f:2:4: this is not YAML: unknown anchor 'b' referenced: put a text",
		"a: &c 1\nd: *c\n---\nl: [x, *b]\nb: &b 1\n":         "f:4:8: this is not YAML: unknown anchor 'b' referenced: put a text",
		"kind: x\nhost: *.example\n":                         "f:2:7: this is not YAML: did not find expected alphabetic or numeric character: put a text that begins with * or & in quotes",
		"kind: x\na: \"\\\\b\\d\"\n":                         "f:2:8: this is not YAML: found unknown escape character: write \\\\ for a backslash, or put the text in single quotes",
		"kind: x\na@b: @c\n":                                 "f:2:6: this is not YAML: found character that cannot start any token: put a text",
		"kind: x\na: b: c\n":                                 "f:2:1: this is not YAML: mapping values are not allowed in this context: put a text with a colon in quotes",
		"kind: x\nfoo\nbar: y\n":                             "f:2:1: this is not YAML: could not find expected ':'",
		"kind: x\na: 'b\nc: d\n":                             "f:2:1: this is not YAML: found unexpected end of stream: write the closing quote",
		"a: !x!y z\n":                                        "f:1:4: this is not YAML: found undefined tag handle: put a text that begins with ! in quotes",
		"kind: x\nm:\n a: !x!y z\n":                          "f:3:5: this is not YAML: found undefined tag handle: put a text that begins with ! in quotes",
		"kind: x\nspec:\n  {{- if .x }}\n":                   "f:3:3: this is not YAML: did not find expected node content: write a value, or render the template",
		"kind: x\na: - b\n":                                  "f:2:1: this is not YAML: block sequence entries are not allowed in this context: begin the list on the next line",
		"a: \"x\nb: c\n":                                     "f:1:1: this is not YAML: found unexpected end of stream: write the closing quote",
		"a: [b\nc: d\n":                                      "f:1:1: this is not YAML: did not find expected ',' or ']': write ]",
		"kind: x\na: [b, #c]\n\n":                            "f:2:1: this is not YAML: did not find expected node content",
		"kind: x\nm:\n  a: 'b\n  c: d\n  e: 'f'\n":           "f:3:3: this is not YAML: behind the text in quotes that begins here, did not find expected key: write its closing quote",
		"kind: x\na: \"b\nc: d\ne: {f: \"/x\", g: h}\n":      "f:2:1: this is not YAML: behind the text in quotes that begins here, mapping values are not allowed in this context: write",
		"a: 'b\n---\nc: d\n":                                 "f:1:1: this is not YAML: found unexpected document indicator: write the closing quote before",
		"kind: x\nm:\n  a: b\n\n \t c: d\n":                  "f:5:2: this is not YAML: there is a tab: YAML is indented by spaces",
		" kind: x\na: b\n":                                   "f:2:1: this is not YAML: did not find expected <document start>: indent this line like the first one",
		"kind: x\nl:\n  - a: |)(.*)\n":                       "f:3:8: this is not YAML: did not find expected comment or line break: put a text that begins with | or > in quotes",
		"kind: x\na: \"\\xyz\"\n":                            "f:2:1: this is not YAML: did not find expected hexdecimal number: write \\\\ for a backslash",
		"{kind: x":                                           "f:1:1: this is not YAML: did not find expected ',' or '}'",
	} {
		for _, text := range []string{document, strings.ReplaceAll(document, "\n", "\r\n"), strings.ReplaceAll(document, "\n", "\u0085")} {
			want := want
			if strings.Contains(text, "\u0085") {
				want = want[strings.Index(want, " this"):] // editors see one line
			}
			err := NewSet().Read("f", []byte(text))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		}
	}
}

// TestSyntaxJSON has files that are JSON but for a fault, of which package yaml
// would say where the outermost object begins.
func TestSyntaxJSON(t *testing.T) {
	for document, want := range map[string]string{
		"{\n \"kind\": \"x\"\n \"a\": [1],\n \"b\": 2\n}\n": `f:3:2: this is not JSON: invalid character '"' after object key:value pair`,
		"[{\"kind: \n \"x\": 3,\n \"y\": 4}]\n":             `f:1:10: this is not JSON: invalid character '`,
		"\ufeff{\"a\": \"x\"\n 1}":                          "f:2:2: this is not JSON: invalid character '1' after object key:value pair",
		"{\"a\":\n [1\n\n":                                  "f:2:3: this is not JSON: the file ends here, before all brackets and braces are closed",
		"{\"a\": 1}\n---\na: [b\n":                          "f:3:1: this is not YAML: did not find expected ',' or ']'",
		"{\"a\": 1,\n 'b': [2}\n":                           "f:2:2: this is not JSON: invalid character '\\'' looking for",
		"{a: 1,\n \"b\": [2}\n":                             "f:2:2: this is not YAML: did not find expected ',' or ']'",
	} {
		for _, text := range []string{document, strings.ReplaceAll(document, "\n", "\r\n")} {
			err := NewSet().Read("f", []byte(text))
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		}
	}
}
