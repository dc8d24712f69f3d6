package main

// The manifest reader: YAML documents to Ingresses that know their lines.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/annotation"
)

// An ingress is what the gateway reads of an Ingress of networking.k8s.io/v1.
type ingress struct {
	Line       int  `yaml:"-"`
	APIVersion text `yaml:"apiVersion"`
	Metadata   struct {
		Name, Namespace string
		Annotations     map[string]yaml.Node
	}
	Spec struct {
		DefaultBackend yaml.Node `yaml:"defaultBackend"`
		Rules          []ingressRule
	}
}

type ingressRule struct {
	Host text
	HTTP struct{ Paths []ingressPath }
}

type ingressPath struct {
	Path     text
	PathType text `yaml:"pathType"`
	Backend  struct {
		Service struct {
			Name text
			Port struct {
				Name   text
				Number int
			}
		}
	}
}

// hasService reports whether a path of in leads to the service.
func (in *ingress) hasService(name string) bool {
	return slices.ContainsFunc(in.Spec.Rules, func(rule ingressRule) bool {
		return slices.ContainsFunc(rule.HTTP.Paths, func(p ingressPath) bool {
			return p.Backend.Service.Name.Value == name
		})
	})
}

// values returns the annotations whose values are strings. Others are faults
// if the gateway would read them.
func (in *ingress) values(fs *faults) map[string]string {
	values := make(map[string]string)
	for key, n := range in.Metadata.Annotations {
		line := n.Line
		if n.Kind == yaml.AliasNode {
			n = *n.Alias
		}
		if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
			values[key] = n.Value
		} else if strings.HasPrefix(key, annotation.DefaultPrefix) || key == weightKey {
			fs.addf(line, key, "the value is not a string: put it in single quotes")
		}
	}
	return values
}

// A text is a string that remembers its line; 0 means that it is absent.
type text struct {
	Value string
	Line  int
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (t *text) UnmarshalYAML(n *yaml.Node) error {
	t.Line = n.Line
	return n.Decode(&t.Value)
}

// A fault is one error of a manifest and where it is.
type fault struct {
	file  string
	line  int
	where string // the annotation or field; may be empty
	err   error
}

func (f *fault) Error() string {
	if f.where == "" {
		return fmt.Sprintf("%s:%d: %v", f.file, f.line, f.err)
	}
	return fmt.Sprintf("%s:%d: %s: %v", f.file, f.line, f.where, f.err)
}

func (f *fault) Unwrap() error { return f.err }

// faults collects every fault of one manifest. Warnings are faults with which
// it can be served.
type faults struct {
	file     string
	list     []*fault
	warnings []*fault
}

func (fs *faults) add(line int, where string, err error) {
	fs.list = append(fs.list, &fault{fs.file, line, where, err})
}

func (fs *faults) addf(line int, where, format string, args ...any) {
	fs.add(line, where, fmt.Errorf(format, args...))
}

func (fs *faults) warnf(line int, where, format string, args ...any) {
	fs.warnings = append(fs.warnings, &fault{fs.file, line, where, fmt.Errorf("warning: "+format, args...)})
}

// addAnnotation adds a fault of an annotation of in, and draws where it is in
// the value.
func (fs *faults) addAnnotation(in *ingress, values map[string]string, e *annotation.Error) {
	spot := ""
	if e.Offset >= 0 { // YAML may put a value on several lines
		spot = strings.ReplaceAll(strings.TrimSuffix("\n"+e.Caret(values[e.Key]), "\n"), "\n", "\n\t")
	}
	fs.addf(cmp.Or(in.Metadata.Annotations[e.Key].Line, in.Line), "", "%w%s", e, spot)
}

// err joins the faults in the order of their lines; nil if there are none.
func (fs *faults) err() error {
	slices.SortStableFunc(fs.list, func(a, b *fault) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.where, b.where))
	})
	errs := make([]error, len(fs.list))
	for i, f := range fs.list {
		errs[i] = f
	}
	return errors.Join(errs...)
}

// readManifest returns the Ingresses of all documents of data, those inside a
// List too, and skips every other kind. A document with a fault does not hide
// those of the others, but nothing can be read behind a YAML syntax fault.
func readManifest(data []byte, fs *faults) []*ingress {
	if line := illegalByte(data); line > 0 {
		fs.addf(line, "", "control byte or invalid UTF-8")
		return nil
	}
	var out []*ingress
	for dec := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document yaml.Node
		switch err := dec.Decode(&document); {
		case err == io.EOF:
			return out
		case err != nil:
			fs.addYAML(err, data)
			return out
		}
		out = append(out, readObject(&document, fs)...)
	}
}

// An object is any Kubernetes object, or a list of them.
type object struct {
	Kind  string
	Items []yaml.Node
}

func readObject(n *yaml.Node, fs *faults) []*ingress {
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	var o object
	if err := n.Decode(&o); err != nil {
		fs.addYAML(err, nil)
		return nil
	}
	var out []*ingress
	switch o.Kind {
	case "Ingress":
		in := &ingress{Line: n.Line}
		if err := n.Decode(in); err != nil {
			fs.addYAML(err, nil)
			return nil
		}
		out = append(out, in)
	case "List", "IngressList":
		for i := range o.Items {
			out = append(out, readObject(&o.Items[i], fs)...)
		}
	}
	return out
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

var (
	yamlLine   = regexp.MustCompile(`^line (\d+): (.*)`)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
	// Package yaml counts the lines of these faults from 0, of others from 1.
	yamlFromZero = regexp.MustCompile(`^did not find expected (key|node content|'-' indicator|',' or .*|<document start>)$`)
)

// addYAML adds the faults that err reports, which has their lines in its
// text, or none where the line is the first; data is the manifest, if err is
// about its syntax.
func (fs *faults) addYAML(err error, data []byte) {
	messages := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	if typed, ok := errors.AsType[*yaml.TypeError](err); ok {
		messages = typed.Errors
	}
	for _, message := range messages {
		line := 1
		if m := yamlLine.FindStringSubmatch(message); m != nil {
			line, _ = strconv.Atoi(m[1])
			message = m[2]
			if yamlFromZero.MatchString(message) {
				line++
			}
		} else if m := yamlAnchor.FindStringSubmatch(message); m != nil {
			before, _, _ := bytes.Cut(data, []byte("*"+m[1]))
			line += bytes.Count(before, []byte("\n"))
		}
		fs.addf(line, "", "YAML: %s", message)
	}
}
