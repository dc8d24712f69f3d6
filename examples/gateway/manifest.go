package main

// The manifest reader: YAML documents to objects that know their lines.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/route/ingress"
)

// A manifest is what a file says.
type manifest struct {
	file      string
	ingresses []*ingress.Ingress
	faults    []string                        // objects that cannot be decoded or served, with their lines
	nameless  []int                           // lines of objects without a kind
	nodes     map[ingress.Source][]*yaml.Node // of all objects, by Source.Object
	others    map[ingress.ObjectRef][]byte    // the JSON of other objects, without their Group
}

// readManifest reads the objects of all documents of data, those inside a List
// too. An object that cannot be decoded is a fault of that object; nothing can be
// read behind a fault of the YAML, which is an error, as is having no Ingress.
func readManifest(file string, data []byte) (*manifest, error) {
	m := &manifest{file: file, nodes: make(map[ingress.Source][]*yaml.Node), others: make(map[ingress.ObjectRef][]byte)}
	if line := illegalByte(data); line > 0 {
		return nil, fmt.Errorf("%s:%d: control byte or invalid UTF-8", file, line)
	}
	for dec := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document yaml.Node
		switch err := dec.Decode(&document); {
		case err == io.EOF:
			switch {
			case len(m.ingresses)+len(m.faults) > 0:
			case len(m.nodes) == 0:
				return nil, fmt.Errorf("%s: there is no object in this manifest", file)
			default:
				return nil, fmt.Errorf("%s: there is no Ingress in this manifest", file)
			}
			for _, line := range m.nameless {
				m.fault(line, "an object without a kind is not served")
			}
			return m, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		m.add(document.Content[0])
	}
}

// fault lists what is wrong with an object.
func (m *manifest) fault(line int, format string, args ...any) {
	m.faults = append(m.faults, fmt.Sprintf("%s:%d: error: ", m.file, line)+fmt.Sprintf(format, args...))
}

// add adds an object, or those of a list.
func (m *manifest) add(n *yaml.Node) {
	var o struct {
		Kind     string
		Metadata struct {
			Namespace, Name string
			Annotations     map[string]yaml.Node
		}
		Items []yaml.Node
	}
	if n.Kind == yaml.SequenceNode || n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
		m.fault(n.Line, "what is here is no object")
		return
	}
	if err := n.Decode(&o); err != nil {
		m.fault(n.Line, "an object is not served: %s", strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	switch o.Kind {
	case "":
		if len(n.Content) > 0 { // else an empty document
			m.nameless = append(m.nameless, n.Line)
		}
		return
	case "List", "IngressList":
		for i := range o.Items {
			m.add(&o.Items[i])
		}
		return
	}
	at := ingress.Source{Kind: o.Kind, Namespace: cmp.Or(o.Metadata.Namespace, "default"), Name: o.Metadata.Name, Rule: -1, Path: -1}
	m.nodes[at] = append(m.nodes[at], n)
	text, err := toJSON(n)
	switch o.Kind {
	case "Ingress":
	case "HTTPRoute", "HTTPProxy":
		m.fault(n.Line, "%v: it is not served: this gateway reads Ingresses alone", at)
		return
	default:
		m.others[ingress.ObjectRef{Kind: at.Kind, Namespace: at.Namespace, Name: at.Name}] = text
		return
	}
	if in := new(ingress.Ingress); err == nil {
		if err = json.Unmarshal(text, in); err == nil {
			m.ingresses = append(m.ingresses, in)
			return
		}
	}
	typed := false
	for _, key := range slices.Sorted(maps.Keys(o.Metadata.Annotations)) {
		value := o.Metadata.Annotations[key]
		line := value.Line
		if value.Kind == yaml.AliasNode {
			value = *value.Alias
		}
		if tag := value.ShortTag(); tag != "!!str" && tag != "!!null" {
			m.fault(line, "%v: %s: the value is not a string: put it in single quotes", at, key)
			typed = true
		}
	}
	if !typed {
		m.fault(n.Line, "%v: %v", at, err)
	}
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
	line, again := 0, ""
	var n *yaml.Node
	for i, node := range m.nodes[p.Source.Object()] {
		if i == 0 {
			n, line = node, node.Line
		} else {
			again = fmt.Sprintf(" (also at line %d)", node.Line)
		}
	}
	value := field(field(field(n, "metadata"), "annotations"), p.Origin.Key)
	place := item(field(field(item(field(field(n, "spec"), "rules"), p.Source.Rule), "http"), "paths"), p.Source.Path)
	switch {
	case p.Origin.Key != "" && value != nil:
		line = value.Line
	case place != nil:
		line = place.Line
	}
	text := fmt.Sprintf("%s:%d: %s%s", m.file, line, p.Error(), again)
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
