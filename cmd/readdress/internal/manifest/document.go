package manifest

// Document: a YAML file that is no Kubernetes object.

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Document is the one document of a file.
type Document struct {
	JSON []byte
	file *File
	node *yaml.Node
}

// ReadDocument reads a file with one document; an empty one is null. The error
// is a *SyntaxError.
func ReadDocument(name string, data []byte) (*Document, error) {
	d := &Document{file: NewFile(name, data), JSON: []byte("null")}
	if err := d.file.check(); err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, d.file.syntaxError(err)
	}
	if len(document.Content) == 0 {
		return d, nil
	}
	d.node = document.Content[0]
	text, err := toJSON(d.node, jsonLimit(data))
	if err != nil {
		return nil, &SyntaxError{d.file.nodePosition(err.node), err.detail}
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
			bases = append(bases, n)
		}
	}
	n, _ := follow(bases, path)
	if n == nil {
		n = bases[len(bases)-1]
	}
	return d.file.nodePosition(n)
}

var typedLine = regexp.MustCompile(`^line (\d+): `)

// Decode decodes the document into v, strictly: a field that v does not have is
// an error. Each is a *SyntaxError.
func (d *Document) Decode(v any) error {
	dec := yaml.NewDecoder(bytes.NewReader(d.file.Data))
	dec.KnownFields(true)
	err := dec.Decode(v)
	typed, ok := errors.AsType[*yaml.TypeError](err)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return nil
	case !ok:
		return d.file.syntaxError(err)
	}
	var faults []error
	for _, text := range typed.Errors {
		fault := &SyntaxError{Position{File: d.file.Name, Line: 1, Col: 1}, text}
		if m := typedLine.FindStringSubmatch(text); m != nil {
			line, _ := strconv.Atoi(m[1]) // digits
			fault.Position = d.file.firstText(line)
			fault.Detail = text[len(m[0]):]
		}
		if what, _, ok := strings.Cut(fault.Detail, " not found in type "); ok {
			fault.Detail = what + " is unknown: correct its name, or remove it"
		}
		faults = append(faults, fault)
	}
	return errors.Join(faults...)
}
