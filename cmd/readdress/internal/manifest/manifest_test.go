package manifest

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// TestJSON compares with what package yaml and encoding/json make of a document,
// except where Kubernetes differs.
func TestJSON(t *testing.T) {
	for name, document := range map[string]string{
		"scalars":     "a: 1\nb: -2.5\nc: true\nd: null\ne: ~\nf:\ng: text\nh: '1'\ni: \"\\u00e9\"\nj: 0x10\nk: 1e3\n",
		"collections": "a: [1, [], {}]\nb: {c: {d: [e]}}\n",
		"aliases":     "a: &x {b: 1}\nc: *x\nd: [*x, *x]\n",
		"merges":      "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\ne: {c: 4, <<: [*x, {f: 5}]}\n",
	} {
		t.Run(name, func(t *testing.T) {
			var node yaml.Node
			var want any
			if err := errors.Join(yaml.Unmarshal([]byte(document), &node), yaml.Unmarshal([]byte(document), &want)); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			got, fault := toJSON(node.Content[0], 1<<20)
			if fault != nil {
				t.Fatal(fault.detail)
			}
			var a, b any
			if err := errors.Join(json.Unmarshal(got, &a), json.Unmarshal(text, &b)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s, want %s", got, text)
			}
		})
	}
	t.Run("a date is text", func(t *testing.T) {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte("a: 2026-03-01\n"), &node); err != nil {
			t.Fatal(err)
		}
		if got, _ := toJSON(node.Content[0], 100); string(got) != `{"a":"2026-03-01"}` {
			t.Errorf("%s", got)
		}
	})
}

// TestUnreadable has files that cannot be read, with the place and a part of
// what is said.
func TestUnreadable(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"empty":             {"", "f:1:1: there is no object"},
		"comments":          {"# a\n---\n# b\n", "f:1:1: there is no object"},
		"text":              {"hello\n", "f:1:1: this is no object"},
		"list":              {"- a\n", "f:1:1: this is no object"},
		"no kind":           {"kind: Service\n---\na: b\n", "f:3:1: this is no object"},
		"a tab":             {"kind: x\n\ta: b\n", "f:2:1: this is not YAML: there is a tab"},
		"a control byte":    {"kind: x\na: é\x01\n", "f:2:6: there is a control character, U+0001"},
		"Latin-1":           {"kind: x\na: \xe9\n", "f:2:4: byte 0xe9 is not UTF-8"},
		"an unclosed quote": {"kind: 'x\n", "this is not YAML"},
		"an unknown anchor": {"kind: x\na: *b\n", "this is not YAML"},
		"nested Lists":      {strings.Repeat("{kind: List, items: [", 12) + strings.Repeat("]}", 12), "too many Lists"},
	} {
		t.Run(name, func(t *testing.T) {
			err := NewSet().Read("f", []byte(c.data))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Position.Line == 0 || syntax.Position.Col == 0 {
				t.Errorf("%v has no position", err)
			}
		})
	}
}

// TestProblems has objects that are read and not used.
func TestProblems(t *testing.T) {
	bomb := "kind: Ingress\nmetadata: {name: a}\na0: &a0 [xxxxxxxxxxxxxxxxxxxxxxxx]\n"
	for i := range 12 {
		n, m := string(rune('a'+i)), string(rune('b'+i))
		if i == 0 {
			n = "a0"
		}
		bomb += m + ": &" + m + " [" + strings.Repeat("*"+n+", ", 10) + "x]\n"
	}
	merges := "kind: Ingress\nmetadata: {name: a}\na: &a {x: y}\n"
	for i := range 8 {
		merges += string(rune('b'+i)) + ": &" + string(rune('b'+i)) + " {<<: [" + strings.Repeat("*"+string(rune('a'+i))+", ", 50) + "]}\n"
	}
	for name, c := range map[string]struct{ data, want string }{
		"too many merges":    {merges, "there are too many merge keys"},
		"a number":           {"kind: Ingress\nmetadata: {name: a, annotations: {b: 1}}", "f:2:38: manifest-value: metadata.annotations[b] is not a string: put it in single quotes"},
		"a boolean":          {"kind: Ingress\nmetadata: {name: a, annotations: {b: on}}", "f:2:38: manifest-value"},
		"n":                  {"kind: Ingress\nmetadata: {name: a, annotations: {b: n}}", "f:2:38: manifest-value"},
		"Y":                  {"kind: Ingress\nmetadata: {name: a, annotations: {b: Y}}", "f:2:38: manifest-value"},
		"no base64":          {"kind: Ingress\nmetadata: {name: a, annotations: {b: !!binary '?'}}", "f:2:38: manifest-value"},
		"a label":            {"kind: Ingress\nmetadata: {name: a, labels: {b: 1}}", "f:2:33: manifest-value"},
		"the second":         {"kind: Ingress\nmetadata: {name: a}\n---\nkind: Ingress\nmetadata: {name: a, namespace: default}", "f:4:1: manifest-duplicate: there is one at f:1:1 already"},
		"a key twice":        {"kind: Ingress\nmetadata: {name: a}\nspec: {a: 1, a: 2}", `f:3:14: manifest-object: "a" is there twice`},
		"a template":         {"kind: Ingress\nmetadata: {name: a}\nspec:\n  a: {{ .b }}", "f:4:7: manifest-object: a key is no text: write a name, or render the template"},
		"an alias in itself": {"kind: Ingress\nmetadata: {name: a}\nspec: &s {a: [*s]}", "manifest-object"},
		"too many aliases":   {bomb, "aliases make this object too large"},
		"an infinity":        {"kind: Ingress\nmetadata: {name: a}\nspec: {a: .inf}", "f:3:11: manifest-object: this is no number that JSON has"},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewSet()
			err := s.Read("f", []byte(c.data))
			got := ""
			for _, p := range s.Problems {
				got += p.Position.String() + ": " + string(p.Code) + ": " + p.Detail + "\n"
			}
			if err != nil {
				got += err.Error()
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// TestStrings has annotations that YAML has other types for and Kubernetes takes
// for strings.
func TestStrings(t *testing.T) {
	for value, want := range map[string]string{
		"2020-01-01":           "2020-01-01",
		"2020-01-01T10:00:00Z": "2020-01-01T10:00:00Z",
		"!!binary L2FwaQ==":    "/api",
		"'y'":                  "y",
		"!!str n":              "n",
		"1:30":                 "1:30",
	} {
		s := NewSet()
		if err := s.Read("f", []byte("kind: Ingress\nmetadata: {name: a, annotations: {b: "+value+"}}")); err != nil {
			t.Fatal(err)
		}
		o := s.Objects[0]
		if len(s.Problems) > 0 || o.Annotations["b"] != want || !strings.Contains(string(o.JSON), `"b":"`+want+`"`) {
			t.Errorf("%s is %q in %s, %v, want %q", value, o.Annotations["b"], o.JSON, s.Problems, want)
		}
	}
	s := NewSet()
	if err := s.Read("f", []byte("kind: Ingress\nmetadata: {name: a, annotations: {b: !!binary L2FwaQ==}}")); err != nil {
		t.Fatal(err)
	}
	source := ingress.Source{Kind: "Ingress", Namespace: "default", Name: "a", Rule: -1, Path: -1}
	if at := s.Locate(source, rewrite.Origin{Key: "b", Offset: 2}).String(); at != "f:2:38+2" {
		t.Errorf("byte 2 of a decoded value is at %s, want f:2:38+2", at)
	}
}

// TestDocument has files with a document, and what is around it.
func TestDocument(t *testing.T) {
	for data, want := range map[string]string{
		"":                            "null",
		"a: 1\n":                      `{"a":1}`,
		"---\na: 1\n---\n":            `{"a":1}`,
		"# c\n---\n---\na: 1\n...\n":  `{"a":1}`,
		"a: 1\n---\n# c\n---\nb: 1\n": "f:5:1: this is a second document",
		"a: 1\n---\n[\n":              "this is not YAML",
	} {
		d, err := ReadDocument("f", []byte(data))
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", data, err, want)
			}
			continue
		}
		var v struct{ A int }
		if err := d.Decode(&v); err != nil || string(d.JSON) != want || v.A == 0 && want != "null" {
			t.Errorf("%q: %s, %+v, %v, want %s", data, d.JSON, v, err, want)
		}
	}
}

// TestUnusable wants the smallest part that cannot be decoded.
func TestUnusable(t *testing.T) {
	for name, c := range map[string]struct{ spec, want string }{
		"a list":          {"rules: 3", `f:3:15: "3" is a number: write a list`},
		"a number":        {"rules: [{}, {http: {paths: [{backend: {service: {port: {number: x}}}}]}}]", `f:3:72: "x" is a text: write a whole number`},
		"an object":       {"rules: [{http: [1]}]", "f:3:23: this is a list: write an object"},
		"a text":          {"ingressClassName: [a]", "f:3:26: this is a list: write a text, in quotes"},
		"the first fault": {"rules: [{host: 1}, {host: 2}]", `f:3:23: "1" is a number`},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewSet()
			if err := s.Read("f", []byte("kind: Ingress\nmetadata: {name: a}\nspec: {"+c.spec+"}")); err != nil {
				t.Fatal(err)
			}
			in := new(ingress.Ingress)
			err := s.Objects[0].Decode(in)
			if err == nil {
				t.Fatal("it can be decoded")
			}
			s.Unusable(s.Objects[0], in, err)
			p := s.Problems[0]
			if got := p.Position.String() + ": " + p.Detail; !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestLocate(t *testing.T) {
	s := NewSet()
	err := s.Read("f", []byte(strings.TrimPrefix(`
kind: Ingress
metadata:
  name: a
  annotations:
    key: 'value'
spec:
  rules:
  - host: h
    http:
      paths:
      - path: /a
        backend: {service: {name: web}}
---
kind: Service
metadata:
  name: web
  annotations: {on: service}
---
kind: HTTPRoute
metadata: {name: r}
spec:
  rules:
  - matches: [{path: {value: /x}}]
    filters: [{type: URLRewrite}]
`, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	in := func(rule, path int) ingress.Source {
		return ingress.Source{Kind: "Ingress", Namespace: "default", Name: "a", Rule: rule, Path: path}
	}
	r := ingress.Source{Kind: "HTTPRoute", Namespace: "default", Name: "r", Rule: 0, Path: 0}
	for _, c := range []struct {
		source ingress.Source
		origin rewrite.Origin
		want   string
	}{
		{in(-1, -1), rewrite.Origin{}, "f:1:1"},
		{in(0, -1), rewrite.Origin{}, "f:8:5"},
		{in(0, 0), rewrite.Origin{}, "f:11:9"},
		{in(7, 7), rewrite.Origin{}, "f:1:1"},
		{in(0, 0), rewrite.Origin{Key: "key", Offset: 2}, "f:5:13"},
		{in(0, 0), rewrite.Origin{Key: "key", Offset: -1}, "f:5:10"},
		{in(0, 0), rewrite.Origin{Key: "path", Offset: 1}, "f:11:16"},
		{in(0, 0), rewrite.Origin{Key: "on"}, "f:17:21"},
		{in(0, 0), rewrite.Origin{Key: "nothing"}, "f:11:9"},
		{r, rewrite.Origin{Key: "spec.rules[0].filters[0].type"}, "f:24:22"},
		{r, rewrite.Origin{Key: "spec.rules[0].filters[0].urlRewrite.path"}, "f:24:15"},
		{r, rewrite.Origin{Key: "spec.rules[0].matches[0].path.value", Offset: 1}, "f:23:31"},
		{ingress.Source{Kind: "Ingress", Name: "nobody"}, rewrite.Origin{}, ""},
	} {
		if got := s.Locate(c.source, c.origin).String(); got != c.want {
			t.Errorf("Locate(%v, %+v) = %s, want %s", c.source, c.origin, got, c.want)
		}
	}
	for _, c := range []struct {
		source ingress.Source
		key    string
		want   string
	}{
		{in(0, 0), "key", "f:5:5"},
		{in(0, 0), "on", "f:17:17"},
		{in(0, 0), "path", "f:11:9"},
		{r, "spec.rules[0].filters[0].type", "f:24:16"},
		{r, "spec.rules[0].filters[0]", "f:24:15"},
		{r, "spec.rules[0].filters[0].urlRewrite", "f:24:15"},
	} {
		if got := s.LocateKey(c.source, rewrite.Origin{Key: c.key}).String(); got != c.want {
			t.Errorf("LocateKey(%v, %s) = %s, want %s", c.source, c.key, got, c.want)
		}
	}
}

// FuzzRead wants no input to be worse than an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("kind: List\nitems: [&a {kind: Ingress, metadata: {annotations: {a: |\n  b\n}}}, *a]")) // a List with an alias
	f.Add([]byte("kind: Ingress\nmetadata: {<<: {name: a}}\r\n--- \n"))                                  // a merge key
	f.Fuzz(func(t *testing.T, data []byte) {
		s := NewSet()
		if s.Read("f", data) != nil {
			return
		}
		for _, o := range s.Objects {
			for key, value := range o.Annotations {
				for _, offset := range []int{-1, 0, len(value), len(value) + 1} {
					s.Locate(ingress.Source{Kind: o.Ref.Kind, Namespace: o.Ref.Namespace, Name: o.Ref.Name}, rewrite.Origin{Key: key, Offset: offset})
				}
			}
		}
	})
}
