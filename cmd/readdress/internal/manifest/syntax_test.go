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
		"a: !x!y z\n":                                        "f:1:1: this is not YAML: found undefined tag handle",
		"kind: x\nm:\n a: !x!y z\n":                          "f:3:2: this is not YAML: found undefined tag handle",
		"kind: x\nspec:\n  {{- if .x }}\n":                   "f:3:3: this is not YAML: did not find expected node content: write a value, or render the template",
		"kind: x\na: - b\n":                                  "f:2:1: this is not YAML: block sequence entries are not allowed in this context: begin the list on the next line",
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
