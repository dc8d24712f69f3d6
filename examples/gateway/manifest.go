package main

// The manifest reader: YAML documents to objects that know their lines.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A manifest is what a file says.
type manifest struct {
	file      string
	ingresses []*ingress.Ingress
	problems  []ingress.Problem
	nodes     map[ingress.Source]*yaml.Node // of all objects, by Source.Object
	others    map[ingress.ObjectRef][]byte  // the JSON of other objects, without their Group
}

// readManifest reads the objects of all documents of data, those inside a List
// too. An object that cannot be decoded is a problem; nothing can be read behind
// a fault of the YAML, which is an error.
func readManifest(file string, data []byte) (*manifest, error) {
	m := &manifest{file: file, nodes: make(map[ingress.Source]*yaml.Node), others: make(map[ingress.ObjectRef][]byte)}
	if line := illegalByte(data); line > 0 {
		return nil, fmt.Errorf("%s:%d: control byte or invalid UTF-8", file, line)
	}
	for dec := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document yaml.Node
		switch err := dec.Decode(&document); {
		case err == io.EOF:
			if len(m.nodes) == 0 {
				return nil, fmt.Errorf("%s: there is no object in this manifest", file)
			}
			return m, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := m.add(document.Content[0]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, document.Content[0].Line, err)
		}
	}
}

// An object is any Kubernetes object, or a list of them.
type object struct {
	Kind     string
	Metadata struct {
		Namespace, Name string
		Annotations     map[string]yaml.Node
	}
	Items []yaml.Node
}

func (m *manifest) add(n *yaml.Node) error {
	var o object
	if err := n.Decode(&o); err != nil {
		return err
	}
	if o.Kind == "List" || strings.HasSuffix(o.Kind, "List") && o.Items != nil {
		for i := range o.Items {
			if err := m.add(&o.Items[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if o.Kind == "" {
		return nil // an empty document
	}
	at := ingress.Source{Kind: o.Kind, Namespace: cmp.Or(o.Metadata.Namespace, "default"), Name: o.Metadata.Name, Rule: -1, Path: -1}
	if m.nodes[at] == nil {
		m.nodes[at] = n
	}
	text, err := toJSON(n)
	if o.Kind != "Ingress" {
		m.others[ingress.ObjectRef{Kind: at.Kind, Namespace: at.Namespace, Name: at.Name}] = text
		return nil
	}
	if err == nil {
		in := new(ingress.Ingress)
		if err = json.Unmarshal(text, in); err == nil {
			m.ingresses = append(m.ingresses, in)
			return nil
		}
	}
	p := ingress.Problem{Code: "manifest", Source: at, Detail: err.Error(), Err: err}
	for key, value := range o.Metadata.Annotations {
		if value.Kind == yaml.AliasNode {
			value = *value.Alias
		}
		if value.ShortTag() != "!!str" && value.ShortTag() != "!!null" {
			p.Origin = rewrite.Origin{Key: key}
			p.Detail = "the value is not a string: put it in single quotes"
		}
	}
	m.problems = append(m.problems, p)
	return nil
}

// toJSON returns a YAML value as JSON, in which manifests are defined.
func toJSON(n *yaml.Node) ([]byte, error) {
	var value any
	if err := n.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// object finds an object that an Ingress refers to.
func (m *manifest) object(ref ingress.ObjectRef) ([]byte, bool) {
	ref.Group = ""
	text, ok := m.others[ref]
	return text, ok
}

// describe returns a problem with the file and the line it is at, and draws
// where in an annotation it is.
func (m *manifest) describe(p *ingress.Problem) string {
	line := 0
	n := m.nodes[p.Source.Object()]
	if n != nil {
		line = n.Line
	}
	value := field(field(field(n, "metadata"), "annotations"), p.Origin.Key)
	place := item(field(field(item(field(field(n, "spec"), "rules"), p.Source.Rule), "http"), "paths"), p.Source.Path)
	switch {
	case p.Origin.Key != "" && value != nil:
		line = value.Line
	case place != nil:
		line = place.Line
	}
	text := fmt.Sprintf("%s:%d: %s", m.file, line, p.Error())
	if e, ok := errors.AsType[*annotation.Error](p.Err); ok && e.Offset >= 0 && value != nil { // YAML may put a value on several lines
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		text += strings.ReplaceAll(strings.TrimSuffix("\n"+e.Caret(value.Value), "\n"), "\n", "\n\t")
	}
	return text
}

// field returns the value of a key of a mapping, nil if there is none.
func field(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// item returns an item of a sequence, nil if there is none.
func item(n *yaml.Node, i int) *yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode || i < 0 || i >= len(n.Content) {
		return nil
	}
	return n.Content[i]
}

// illegalByte returns the line of the first byte that YAML does not allow,
// which package yaml reports without a line; 0 if there is none.
func illegalByte(data []byte) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(line) || bytes.ContainsFunc(line, func(r rune) bool {
			return r < ' ' && r != '\t' && r != '\r' || r == 0x7f
		}) {
			return i + 1
		}
	}
	return 0
}
