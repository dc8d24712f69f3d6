package main

// The manifest reader: YAML documents to a configuration and a registry.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/visibility"
)

// A manifest is what a file says: how visibility is configured, and for what.
type manifest struct {
	file       string
	configured place // of the configuration, which may be one of nothing; zero: there is none
	config     *visibility.Config
	exportTo   []string // of what has none, if visibility is not configured
	namespaces map[string]map[string]string
	entries    []visibility.Entry
	places     []place // of the entries
}

// A place is where something begins in a file.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

func (m *manifest) at(line int) place { return place{m.file, line} }

// read reads a file, or the demonstration.
func read(file string, embedded bool) (*manifest, error) {
	data := demo
	if !embedded {
		var err error
		if data, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	m := &manifest{file: file, namespaces: make(map[string]map[string]string)}
	for dec := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var n yaml.Node
		switch err := dec.Decode(&n); {
		case err == io.EOF:
			return m, nil
		case err != nil:
			return nil, m.fault(m.at(syntaxLine(err)), err)
		}
		if err := m.add(n.Content[0]); err != nil {
			return nil, err
		}
	}
}

// syntaxLine returns the line of a fault of YAML, which tells it unless it is the
// first.
func syntaxLine(err error) int {
	line := 1
	fmt.Sscanf(err.Error(), "yaml: line %d:", &line)
	return line
}

// An object is what is read of Kubernetes objects of all kinds.
type object struct {
	Kind     string
	Items    []yaml.Node
	Metadata objectMeta
	Data     map[string]yaml.Node
	Spec     objectSpec
}

type objectMeta struct {
	Name, Namespace   string
	Labels            map[string]string
	Annotations       map[string]string
	CreationTimestamp string `yaml:"creationTimestamp"`
}

type objectSpec struct {
	Hosts      []string
	Addresses  []string
	ExportTo   []string `yaml:"exportTo"`
	ClusterIP  string   `yaml:"clusterIP"`
	ClusterIPs []string `yaml:"clusterIPs"`
}

// add reads one object, or the items of a list. Kinds that say nothing about
// visibility are skipped.
func (m *manifest) add(n *yaml.Node) error {
	if n.ShortTag() == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return m.fault(m.at(n.Line), errors.New("this is no object: write one with apiVersion, kind and metadata, or a configuration"))
	}
	var head struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
	}
	if err := m.decode(n, &head); err != nil {
		return err
	}
	group, _, named := strings.Cut(head.APIVersion, "/")
	switch head.Kind {
	case "":
		if head.APIVersion != "" {
			return m.fault(m.at(n.Line), errors.New("the object has an apiVersion and no kind: write its kind"))
		}
		return m.configure(n, m.at(n.Line))
	case "IstioOperator":
		return m.configure(n, m.at(n.Line))
	case "Namespace", "Service", "ConfigMap", "List":
		if named { // such as the Service of serving.knative.dev
			return nil
		}
	case "ServiceEntry":
		if named && group != "networking.istio.io" {
			return nil
		}
	default:
		return nil
	}
	var o object
	if err := m.decode(n, &o); err != nil {
		return err
	}
	switch o.Kind {
	case "ConfigMap":
		mesh, ok := o.Data["mesh"]
		switch {
		case !ok:
			return nil
		case mesh.Kind != yaml.ScalarNode:
			return m.fault(m.at(mesh.Line), errors.New("data.mesh is the text of a configuration: write | before it"))
		}
		var inner yaml.Node
		if err := yaml.Unmarshal([]byte(mesh.Value), &inner); err != nil {
			return m.fault(m.at(mesh.Line), fmt.Errorf("data.mesh: %w", err))
		}
		if !inner.IsZero() {
			moveDown(&inner, mesh.Line)
		}
		return m.configure(&inner, m.at(mesh.Line))
	case "List":
		for i := range o.Items {
			if err := m.add(&o.Items[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if o.Metadata.Name == "" {
		return m.fault(m.at(n.Line), fmt.Errorf("the %s has no name: write metadata.name", o.Kind))
	}
	if o.Kind == "Namespace" {
		m.label(o.Metadata.Name, o.Metadata.Labels)
		return nil
	}
	e, err := o.entry()
	if err != nil {
		return m.fault(m.at(n.Line), err)
	}
	m.label(e.Namespace, nil)
	m.entries = append(m.entries, e)
	m.places = append(m.places, m.at(n.Line))
	return nil
}

// configure reads the one configuration that a file may have.
func (m *manifest) configure(n *yaml.Node, at place) error {
	if m.configured != (place{}) {
		return m.fault(at, fmt.Errorf("there is a configuration already, in line %d: keep one", m.configured.line))
	}
	m.configured = at
	asJSON(n)
	var value any
	if err := m.decode(n, &value); err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return m.fault(at, err)
	}
	if m.config, err = visibility.ParseConfig(text); err != nil {
		return m.fault(at, err)
	}
	if m.exportTo, err = visibility.ParseDefaultExportTo(text); err != nil {
		return m.fault(at, err)
	}
	return nil
}

// moveDown gives the lines of a text inside a file the numbers that they have there,
// if the text begins behind the line of its field, as it mostly does.
func moveDown(n *yaml.Node, lines int) {
	n.Line += lines
	for _, child := range n.Content {
		moveDown(child, lines)
	}
}

// asJSON makes text of what YAML has and JSON does not, as Kubernetes does: dates,
// and keys that are no text.
func asJSON(n *yaml.Node) {
	if n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode && child.ShortTag() != "!!merge" {
			child.Tag = "!!str"
		}
		asJSON(child)
	}
}

// label notes the labels of a namespace, and the one that Kubernetes gives it.
func (m *manifest) label(name string, labels map[string]string) {
	all := m.namespaces[name]
	if all == nil {
		all = map[string]string{"kubernetes.io/metadata.name": name}
		m.namespaces[name] = all
	}
	for key, value := range labels {
		all[key] = value
	}
}

// expect tells of a namespace that the file does not have: it may be misspelt.
func (m *manifest) expect(namespace string, stderr io.Writer) {
	if m.namespaces[namespace] == nil {
		fmt.Fprintf(stderr, "%s: note: there is no namespace %q in it\n", m.file, namespace)
	}
}

// decode reads a node into a value.
func (m *manifest) decode(n *yaml.Node, into any) error {
	err := n.Decode(into)
	if typ, ok := err.(*yaml.TypeError); ok {
		list := make([]error, len(typ.Errors))
		for i, text := range typ.Errors {
			line := n.Line
			if before, what, ok := strings.Cut(strings.TrimPrefix(text, "line "), ": "); ok {
				line, _ = strconv.Atoi(before)
				text = inYAML.Replace(what)
			}
			list[i] = m.fault(m.at(line), errors.New(text))
		}
		return errors.Join(list...)
	}
	if err != nil {
		return m.fault(m.at(n.Line), err)
	}
	return nil
}

// inYAML says in the words of YAML what cannot be read as which type of Go.
var inYAML = strings.NewReplacer(
	"cannot unmarshal !!map into ", "this is an object: write ",
	"cannot unmarshal !!seq into ", "this is a list: write ",
	"cannot unmarshal !!str ", "this is the text ",
	"cannot unmarshal !!", "this is the ",
	" into ", ": write ",
	"[]string", "a list of text", "[]yaml.Node", "a list of objects",
	"map[string]string", "an object of text", "map[string]yaml.Node", "an object of text",
	"main.objectMeta", "an object", "main.objectSpec", "an object", "string", "text",
)

// fault says where faults are, each in a line of its own: at a place, or where
// the entry is that they are about.
func (m *manifest) fault(at place, err error) error {
	var faults visibility.Errors
	if !errors.As(err, &faults) {
		return fmt.Errorf("%v: %w", at, err)
	}
	list := make([]error, len(faults))
	for i, fault := range faults {
		entry := 0
		if _, err := fmt.Sscanf(fault.Path, "entries[%d]", &entry); err == nil {
			at = m.places[entry]
		}
		list[i] = fmt.Errorf("%v: %w", at, fault)
	}
	return errors.Join(list...)
}

// entry makes an entry of a ServiceEntry or a Service.
func (o *object) entry() (visibility.Entry, error) {
	e := visibility.Entry{
		Ref:      visibility.Ref{Namespace: cmp.Or(o.Metadata.Namespace, "default"), Name: o.Metadata.Name},
		Hosts:    o.Spec.Hosts,
		ExportTo: o.Spec.ExportTo,
	}
	if text := o.Metadata.CreationTimestamp; text != "" {
		created, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return e, fmt.Errorf("metadata.creationTimestamp: %q is no time: write one like 2026-03-01T00:00:00Z", text)
		}
		e.Created = created.Unix()
	}
	addresses, field := o.Spec.Addresses, "addresses"
	if o.Kind == "Service" {
		e.Kind = visibility.Service
		e.Hosts = []string{e.Name + "." + e.Namespace + ".svc.cluster.local"}
		if list := o.Metadata.Annotations["networking.istio.io/exportTo"]; list != "" {
			for name := range strings.SplitSeq(list, ",") {
				e.ExportTo = append(e.ExportTo, strings.TrimSpace(name))
			}
		}
		addresses, field = o.Spec.ClusterIPs, "clusterIPs"
		if len(addresses) == 0 && o.Spec.ClusterIP != "" {
			addresses, field = []string{o.Spec.ClusterIP}, "clusterIP"
		}
	} else if len(e.Hosts) == 0 {
		return e, errors.New("the ServiceEntry has no hosts: write spec.hosts")
	}
	for _, text := range addresses {
		if text == "None" { // a headless Service
			continue
		}
		address, err := visibility.ParseAddress(text)
		if err != nil {
			return e, fmt.Errorf("spec.%s: %w", field, err)
		}
		e.Addresses = append(e.Addresses, address)
	}
	return e, nil
}

// index makes the index of a manifest and says what is surprising in it.
func (m *manifest) index(opts *visibility.IndexOptions, stderr io.Writer) (*visibility.Index, error) {
	resolver := visibility.Off(m.exportTo...)
	if m.config != nil {
		var err error
		if resolver, err = visibility.Compile(m.config); err != nil {
			return nil, m.fault(m.configured, err)
		}
	}
	for _, w := range resolver.Warnings() {
		fmt.Fprintf(stderr, "%v: warning: %v\n", m.configured, w)
	}
	for i := range m.entries {
		e := &m.entries[i]
		var faults visibility.Errors
		if e.Kind == visibility.ServiceEntry && errors.As(visibility.ValidateExportTo(e.Namespace, e.ExportTo), &faults) {
			for _, fault := range faults {
				fmt.Fprintf(stderr, "%v: warning: Istio refuses %v: %s: %v\n", m.places[i], e.Ref, fault.Path, fault.Err)
			}
		}
	}
	x, err := visibility.NewIndex(resolver, m.namespaces, m.entries, opts)
	if err != nil {
		return nil, m.fault(place{}, err)
	}
	return x, nil
}
