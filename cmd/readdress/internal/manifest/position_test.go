package manifest

// Lines and columns: as editors count them, whatever package yaml counts, and
// found in time that does not grow with the square of the file.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// TestLines has separators that YAML 1.1 takes for line breaks and editors do not.
func TestLines(t *testing.T) {
	for document, want := range map[string]string{
		"a: b\nc: Z":                  "f:2:4",
		"a: b\r\nc: Z":                "f:2:4",
		"a: b\rc: Z":                  "f:2:4",
		"a: 'x\u2028y'\nc: Z":         "f:2:4",
		"a: 'x\u0085y'\nc: Z":         "f:2:4",
		"a: 'x\u2029y' # c\nc: 'é Z'": "f:2:4",
		"a: b\u2028c: Z":              "f:1:11",
		"\ufeffa: é\nc: [é, Z]":       "f:2:9",
	} {
		var root yaml.Node
		if err := yaml.Unmarshal([]byte(document), &root); err != nil {
			t.Fatalf("%q: %v", document, err)
		}
		n := root.Content[0].Content[3]
		if n.Kind == yaml.SequenceNode {
			n = n.Content[1]
		}
		if got := NewFile("f", []byte(document)).nodePosition(n).String(); got != want {
			t.Errorf("%q: %s, want %s", document, got, want)
		}
	}
}

// TestOffset compares with counting characters from the beginning of the line.
func TestOffset(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "é", "漢", "\n", "\r\n", "\r", "\u2028", "\u0085", strings.Repeat("x", 70), strings.Repeat("é", 70)}
	for range 500 {
		var b strings.Builder
		for range rng.IntN(30) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := b.String()
		f := NewFile("f", []byte(text))
		line, column := 1, 1
		for i := 0; i < len(text); {
			if got := f.offset(&yaml.Node{Line: line, Column: column}); got != i {
				t.Fatalf("%q: character %d of line %d is at %d, want %d", text, column, line, got, i)
			}
			if n := lineBreak([]byte(text[i:])); n > 0 {
				i, line, column = i+n, line+1, 1
				continue
			}
			i += len(string([]rune(text[i:])[:1]))
			column++
		}
	}
}

// TestLocateIsLinear wants eight times as many annotations, all on one line, to
// take about eight times as long to find: with a search for each, it is 64 times.
// What exceeds the bound is measured again, because other programs need the
// caches too.
func TestLocateIsLinear(t *testing.T) {
	var small, large time.Duration
	for range 10 {
		if small, large = locateAll(t, 2_500), locateAll(t, 20_000); large <= 30*small {
			return
		}
	}
	t.Errorf("%v for 2,500 annotations, %v for 20,000", small, large)
}

// locateAll returns the least time of three in which so many annotations are
// found.
func locateAll(t *testing.T, n int) time.Duration {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"kind":"Ingress","metadata":{"name":"é","annotations":{`)
	for i := range n {
		fmt.Fprintf(&b, `"x%d":"v",`, i)
	}
	b.WriteString(`"y":"v"}}}`)
	s := NewSet()
	if err := s.Read("f", []byte(b.String())); err != nil {
		t.Fatal(err)
	}
	source := ingress.Source{Kind: "Ingress", Namespace: "default", Name: "é", Rule: -1, Path: -1}
	least := time.Hour
	for range 3 {
		begin := time.Now()
		for i := range n {
			key := fmt.Sprintf("x%d", i)
			if at := s.Locate(source, rewrite.Origin{Key: key}); !strings.HasSuffix(b.String()[:at.Col-1], `"`+key+`":"`) {
				t.Fatalf("%s is at %v", key, at)
			}
		}
		least = min(least, time.Since(begin))
	}
	return least
}

// TestTooManyValues wants a small file of very many values to be refused before
// they are read.
func TestTooManyValues(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("- a\n", maxValues+1), "[" + strings.Repeat("1,", maxValues+1), strings.Repeat("- ", maxValues+1),
		strings.Repeat("[", maxValues+1), strings.Repeat("a:\n", maxValues+1), strings.Repeat("---\n", maxValues+1),
	} {
		err := NewSet().Read("f", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "split the file") {
			t.Errorf("%.10q…: %v", text, err)
		}
	}
}
