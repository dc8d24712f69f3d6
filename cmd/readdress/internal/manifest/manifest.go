// Package manifest reads Kubernetes manifests as YAML or JSON and knows the file,
// line and column of everything in them.
package manifest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/route/ingress"
)

// A Set is what one or more files say.
type Set struct {
	Files    []*File   // that have objects
	Objects  []*Object // in the order of the files, those of Lists among them
	Problems []Problem // of objects that cannot be used as they are

	byRef map[ingress.ObjectRef]*Object // without the group
}

// A File is the text of a file. Nodes of its documents point into it.
type File struct {
	Name  string
	Data  []byte
	lines []int      // offsets at which lines begin, as editors count them
	nodes []lineMark // lines as package yaml counts them
	runes []int      // offset of each runeStep-th character
}

// An Object is any object of a document.
type Object struct {
	File        *File
	Node        *yaml.Node
	Ref         ingress.ObjectRef
	Labels      map[string]string
	Annotations map[string]string
	JSON        []byte // nil if it has none, which is a Problem

	annotations map[string]pair // by key: there can be as many problems as annotations
}

// A Problem is a fault of an object.
type Problem struct {
	Severity ingress.Severity
	Code     ingress.Code
	Position Position
	Object   string
	Detail   string
}

// Codes of this package.
const (
	// CodeValue: a value of a type that Kubernetes refuses, such as an annotation
	// that is a number to YAML. The object is not used. Put the value in single
	// quotes.
	CodeValue ingress.Code = "manifest-value"
	// CodeObject: an object that cannot be read as what its kind says. It is not
	// used. Write the field that the detail names as the API has it.
	CodeObject ingress.Code = "manifest-object"
	// CodeDuplicate: a second object of one kind, namespace and name. The first
	// is used. Remove one, or give it another name.
	CodeDuplicate ingress.Code = "manifest-duplicate"
	// CodeKind: an object of a kind that the tool has no use for. There is
	// nothing to do if it is not about routing.
	CodeKind ingress.Code = "manifest-kind"
)

// NewSet returns an empty Set.
func NewSet() *Set { return &Set{byRef: make(map[ingress.ObjectRef]*Object)} }

const noObject = "there is no object in this file: write one with kind and metadata.name"

// IsEmpty reports whether an error of Read says that there is no object, only
// comments at most.
func IsEmpty(err error) bool {
	syntax, ok := errors.AsType[*SyntaxError](err)
	return ok && syntax.Detail == noObject
}

// Read adds the objects of all documents in data. The error, a *SyntaxError,
// says why nothing of the file can be used.
func (s *Set) Read(name string, data []byte) error {
	f := NewFile(name, data)
	documents, err := f.documents()
	if err != nil {
		return err
	}
	found := len(s.Objects) + len(s.Problems)
	for _, n := range documents {
		if err := s.add(f, n, 0); err != nil {
			return err
		}
	}
	if found == len(s.Objects)+len(s.Problems) {
		return &SyntaxError{Position{File: name, Line: 1, Col: 1}, noObject}
	}
	s.Files = append(s.Files, f)
	return nil
}

// maxNesting is how deep Lists may be in Lists.
const maxNesting = 8

func (s *Set) add(f *File, n *yaml.Node, depth int) error {
	n = resolve(n)
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return nil
	}
	kind := text(Field(n, "kind"))
	if n.Kind != yaml.MappingNode || kind == "" {
		return &SyntaxError{f.nodePosition(n), "this is no object: write apiVersion, kind and metadata"}
	}
	if items := Field(n, "items"); items != nil && strings.HasSuffix(kind, "List") {
		if depth == maxNesting {
			return &SyntaxError{f.nodePosition(n), "there are too many Lists in Lists: write one"}
		}
		for _, item := range resolve(items).Content {
			if err := s.add(f, item, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	metadata := Field(n, "metadata")
	group, _, ok := strings.Cut(text(Field(n, "apiVersion")), "/")
	if !ok {
		group = ""
	}
	o := &Object{File: f, Node: n, Ref: ingress.ObjectRef{
		Group: group, Kind: kind, Name: text(Field(metadata, "name")),
		Namespace: cmp.Or(text(Field(metadata, "namespace")), defaultNamespace(kind)),
	}}
	o.Labels = stringMap(Field(metadata, "labels"))
	o.Annotations = stringMap(Field(metadata, "annotations"))
	o.annotations = nodeMap(Field(metadata, "annotations"))
	s.Objects = append(s.Objects, o)
	key := o.key()
	if first := s.byRef[key]; first != nil && o.Ref.Name != "" {
		s.report(o, ingress.Error, CodeDuplicate, f.nodePosition(n), "there is one at %s already", first.Position())
		return nil
	}
	s.byRef[key] = o
	if s.badValues(o, "annotations") || s.badValues(o, "labels") {
		return nil
	}
	data, err := toJSON(n, jsonLimit(f.Data))
	if err != nil {
		s.report(o, ingress.Error, CodeObject, f.nodePosition(err.node), "%s", err.detail)
		return nil
	}
	o.JSON = data
	return nil
}

// defaultNamespace is where objects without a namespace are.
func defaultNamespace(kind string) string {
	switch kind {
	case "Namespace", "IngressClass", "GatewayClass":
		return ""
	}
	return "default"
}

// badValues reports the values under metadata.annotations or labels that are
// no strings.
func (s *Set) badValues(o *Object, field string) bool {
	bad := false
	for _, p := range pairs(Field(Field(o.Node, "metadata"), field)) {
		if v := resolve(p.value); !isString(v) && v.ShortTag() != "!!null" {
			bad = true
			s.report(o, ingress.Error, CodeValue, o.File.nodePosition(p.value), "metadata.%s[%s] is not a string: put it in single quotes", field, p.key.Value)
		}
	}
	return bad
}

func (s *Set) report(o *Object, severity ingress.Severity, code ingress.Code, at Position, format string, args ...any) {
	s.Problems = append(s.Problems, Problem{severity, code, at, o.Name(), fmt.Sprintf(format, args...)})
}

// Fault reports what is wrong with a field of an object.
func (s *Set) Fault(o *Object, field string, err error) {
	at, _ := follow([]*yaml.Node{o.Node}, field)
	if at.value == nil {
		at.value = o.Node
	}
	s.report(o, ingress.Error, CodeObject, o.File.nodePosition(at.value), "%s: %v", field, err)
}

// UnknownKind reports that the tool has no use for an object.
func (s *Set) UnknownKind(o *Object) {
	kind := o.Ref.Kind
	if o.IsForeign() {
		kind += " of " + o.Ref.Group
	}
	s.report(o, ingress.Note, CodeKind, o.Position(), "it is not read: nothing here depends on a %.128s", kind)
}

// groups are the API groups of the kinds that the tool knows.
var groups = map[string][]string{
	"Service": {""}, "Namespace": {""}, "Ingress": {"networking.k8s.io", "extensions"}, "IngressClass": {"networking.k8s.io"},
	"HTTPRoute": {"gateway.networking.k8s.io"}, "ReferenceGrant": {"gateway.networking.k8s.io"}, "HTTPProxy": {"projectcontour.io"},
	"Middleware": {"traefik.io", "traefik.containo.us"}, "TraefikService": {"traefik.io", "traefik.containo.us"}, "ServiceEntry": {"networking.istio.io"},
}

// IsForeign reports whether another API has a kind of the same name, such as
// Knative's Service.
func (o *Object) IsForeign() bool {
	known, ok := groups[o.Ref.Kind]
	return ok && o.Ref.Group != "" && !slices.Contains(known, o.Ref.Group)
}

// Find returns an object, nil if there is none. The group does not matter, and
// the kind may be in lower case.
func (s *Set) Find(kind, namespace, name string) *Object {
	return s.byRef[ingress.ObjectRef{Kind: strings.ToLower(kind), Namespace: namespace, Name: name}]
}

// Lookup is for ingress.Cluster's Object.
func (s *Set) Lookup(ref ingress.ObjectRef) ([]byte, bool) {
	o := s.Find(ref.Kind, ref.Namespace, ref.Name)
	if o == nil || o.JSON == nil || ref.Group != "" && o.Ref.Group != ref.Group {
		return nil, false
	}
	return o.JSON, true
}

// Of returns the usable objects of a kind, in the order of the files.
func (s *Set) Of(kind string) []*Object {
	var list []*Object
	for _, o := range s.Objects {
		if o.Ref.Kind == kind && o.JSON != nil && !o.IsForeign() {
			list = append(list, o)
		}
	}
	return list
}

func (o *Object) key() ingress.ObjectRef {
	kind := strings.ToLower(o.Ref.Kind)
	if o.IsForeign() {
		kind += "." + o.Ref.Group
	}
	return ingress.ObjectRef{Kind: kind, Namespace: o.Ref.Namespace, Name: o.Ref.Name}
}

// Name returns kind, namespace and name, as in "Ingress default/web".
func (o *Object) Name() string {
	if o.Ref.Namespace == "" {
		return o.Ref.Kind + " " + o.Ref.Name
	}
	return o.Ref.Kind + " " + o.Ref.Namespace + "/" + o.Ref.Name
}

// Decode decodes the object's JSON.
func (o *Object) Decode(v any) error { return json.Unmarshal(o.JSON, v) }
