package manifest

// Document: a YAML file that is no Kubernetes object.

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Document is the one document of a file.
type Document struct {
	JSON   []byte
	file   *File
	node   *yaml.Node
	before int // how many empty documents are before it
}

// ReadDocument reads a file with one document; an empty one is null. The error
// is a *SyntaxError.
func ReadDocument(name string, data []byte) (*Document, error) {
	d := &Document{file: NewFile(name, data), JSON: []byte("null")}
	documents, err := d.file.documents()
	if err != nil {
		return nil, err
	}
	for _, n := range documents {
		switch {
		case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null": // there may be empty ones around it
			if d.node == nil {
				d.before++
			}
		case d.node != nil:
			return nil, &SyntaxError{d.file.nodePosition(n), "this is a second document: write one file for each"}
		default:
			d.node = n
		}
	}
	if d.node == nil {
		return d, nil
	}
	text, fault := toJSON(d.node, jsonLimit(data))
	if fault != nil {
		return nil, &SyntaxError{d.file.nodePosition(fault.node), fault.detail}
	}
	d.JSON = text
	return d, nil
}

// Locate returns the position of a field by its path, such as a.b[0].c, or of as
// much of it as there is: below the document or below one of the other fields.
func (d *Document) Locate(path string, below ...string) Position {
	if d.node == nil {
		return Position{File: d.file.Name}
	}
	bases := []*yaml.Node{d.node}
	for _, field := range below {
		if n, whole := follow([]*yaml.Node{d.node}, field); whole {
			bases = append(bases, n.value)
		}
	}
	n, _ := follow(bases, path)
	if n.value == nil {
		n.value = bases[len(bases)-1]
	}
	return d.file.nodePosition(n.value)
}

// LocateKey returns the position of the value of a key, which may have dots, in
// the mapping that a field is.
func (d *Document) LocateKey(key, field string) Position {
	n := Field(d.node, field)
	if value := Field(n, key); value != nil {
		n = value
	}
	if n == nil {
		return d.Locate(field)
	}
	return d.file.nodePosition(n)
}

var (
	typedLine = regexp.MustCompile(`^line (\d+): `)
	typed     = regexp.MustCompile("(?s)^cannot unmarshal !!(\\w+)(?: `(.*)`)? into (.+)$")
)

// Decode decodes the document into v, strictly: a field that v does not have is
// an error. Each is a *SyntaxError.
func (d *Document) Decode(v any) error {
	dec := yaml.NewDecoder(bytes.NewReader(d.file.Data))
	dec.KnownFields(true)
	for range d.before {
		if err := dec.Decode(&yaml.Node{}); err != nil {
			return d.file.syntaxError(err)
		}
	}
	err := dec.Decode(v)
	list, ok := errors.AsType[*yaml.TypeError](err)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return nil
	case !ok:
		return d.file.syntaxError(err)
	}
	var faults []error
	for _, text := range list.Errors {
		fault := &SyntaxError{Position{File: d.file.Name, Line: 1, Col: 1}, text}
		if m := typedLine.FindStringSubmatch(text); m != nil {
			line, _ := strconv.Atoi(m[1]) // digits
			fault.Position = d.file.firstText(line)
			fault.Detail = text[len(m[0]):]
			if m := typed.FindStringSubmatch(fault.Detail); m != nil {
				value := m[2]
				if n := find(d.node, line, m[1], strings.TrimSuffix(value, "...")); n != nil {
					fault.Position, value = d.file.nodePosition(n), n.Value
				}
				fault.Detail = typeAdvice(m[1], value, kindOf(m[3]))
			}
		}
		if what, typ, ok := strings.Cut(fault.Detail, " not found in type "); ok {
			fault.Detail = what + " is unknown: write one of " + strings.Join(fieldsOf(reflect.TypeOf(v), typ), ", ")
		}
		faults = append(faults, fault)
	}
	return errors.Join(faults...)
}

// find returns the first value on a line that has a tag and, if it is a scalar,
// begins with a text: package yaml says no more of a value of a wrong type.
func find(n *yaml.Node, line int, tag, text string) *yaml.Node {
	if n == nil {
		return nil
	}
	if n.Line == line && n.ShortTag() == "!!"+tag && strings.HasPrefix(n.Value, text) {
		return n
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			continue // a key
		}
		if found := find(child, line, tag, text); found != nil {
			return found
		}
	}
	return nil
}
