package manifest

// Which byte of the file is which byte of a value: a marker that is in the file
// once must be found from the value.

import (
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// marker is in each of these once.
const marker = "Z"

func TestValuePosition(t *testing.T) {
	for name, document := range map[string]string{
		"plain":                        "key: abcZdef\n",
		"plain, no final break":        "key: abcZ",
		"plain behind an anchor":       "key: &a abcZ\n",
		"plain behind a comment":       "key: &a # 'c' |\n  # more\n  abcZ\n",
		"double behind a comment":      "key: !!str # \" c\n  \"abcZ\"\n",
		"literal behind a comment":     "key: &a\n  # c\n  |\n  abcZ\n",
		"plain behind a tag":           "key: !!str 12Z\n",
		"plain on two lines":           "key: abc\n  def Z\n",
		"plain with empty lines":       "key: abc\n\n\n  def Z\n",
		"plain behind wide characters": "ключ: абвZ\n",
		"plain in a flow":              "{key: abcZ, other: x}\n",
		"single":                       "key: 'abcZ'\n",
		"single with quotes":           "key: 'it''s ''Z'\n",
		"single on two lines":          "key: 'abc  \n   defZ'\n",
		"single with empty lines":      "key: 'abc\n\n   defZ'\n",
		"double":                       `key: "abcZ"` + "\n",
		"double with escapes":          `key: "a\"\\\n\t\x41\u00e9\U0001F600\/ Z"` + "\n",
		"double with an escaped break": "key: \"abc\\\n   defZ\"\n",
		"double, break, empty line":    "key: \"abc\\\n  \n   defZ\"\n",
		"double on two lines":          "key: \"abc   \n   def Z\"\n",
		"double with a kept space":     "key: \"abc \\\n   \\ def Z\"\n",
		"literal":                      "key: |\n  abc\n  dZf\n",
		"literal, deeper":              "key: |\n  abc\n    dZf\n",
		"literal, stripped":            "key: |-\n  abc\n  dZf\n\n\n",
		"literal, kept":                "key: |+\n  abc\n  dZf\n\n\n",
		"literal with an indicator":    "key: |2\n   abc\n  Z\n",
		"literal in a sequence":        "- key: |\n    abc\n    Z\n",
		"literal, indicator, sequence": "- key: |1\n    abc\n   Z\n",
		"literal, indicator, item":     "- |1\n   abc\n  Z\n",
		"literal, indicator, in items": "- - >2-\n     abc\n     Z\n",
		"literal, empty lines first":   "key: |\n\n\n  abc\n\n  Z\n",
		"literal with a comment":       "key: | # comment\n  Zabc\n",
		"folded, joined":               "key: >\n  abc\n  dZf\n",
		"folded, kept":                 "key: >\n  abc\n\n  dZf\n",
		"folded, deeper":               "key: >\n  abc\n    dZf\n  ghi\n",
		"folded, deeper before":        "key: >-\n    abc\n      def\n    ghZ\n",
		"carriage returns":             "key: |\r\n  abc\r\n  dZf\r\n",
		"a byte-order mark":            "\ufeffkey: abcZ\n",
	} {
		t.Run(name, func(t *testing.T) {
			checkMarker(t, document)
		})
	}
}

// checkMarker looks for the marker in all values of a document, and reports
// whether it is in one.
func checkMarker(t *testing.T, document string) bool {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(document), &root); err != nil {
		return false
	}
	f := NewFile("f", []byte(document))
	found := false
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if i := strings.Index(n.Value, marker); n.Kind == yaml.ScalarNode && i >= 0 {
			found = true
			if got, want := f.Value(n, i), f.At(strings.Index(document, marker)); got != want {
				t.Errorf("byte %d of %q is at %v; want %v\n%s", i, n.Value, got, want, document)
			}
			if end := f.Value(n, len(n.Value)); end.Plus != 0 {
				t.Errorf("the end of %q is at %v\n%s", n.Value, end, document)
			}
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	walk(&root)
	return found
}

// TestValuePositionRandom does so with scalars made of random pieces.
func TestValuePositionRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	pieces := []string{"a", "b c", " ", "  ", "é", "\t", "''", `\n`, `\"`, "\n  ", "\n   ", "\n\n  ", "\n    - x", "#", ":", "\r\n  "}
	styles := []string{"key: %", "key: '%'", `key: "%"`, "key: |\n  %\n", "key: >\n  %\n", "key: |+\n  %\n\n", "key: >-\n  %\n\n", "a:\n - key: |\n    %\n"}
	found := 0
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(5) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		b.WriteString(marker)
		for range rng.IntN(5) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		if checkMarker(t, strings.Replace(styles[rng.IntN(len(styles))], "%", b.String(), 1)) {
			found++
		}
		if t.Failed() {
			return
		}
	}
	if found < 5_000 {
		t.Errorf("only %d documents had a marker: mend the pieces", found)
	}
}

// TestValueWithoutText wants the offset added where the bytes are not those of
// the value.
func TestValueWithoutText(t *testing.T) {
	f := NewFile("f", []byte("key: abc\n"))
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: "something else", Line: 1, Column: 6}
	if got := f.Value(n, 3).String(); got != "f:1:6+3" {
		t.Errorf("position %s, want f:1:6+3", got)
	}
}
