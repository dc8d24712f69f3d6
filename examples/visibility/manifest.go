package main

// The manifest reader: YAML documents to a configuration and a registry.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/visibility"
)

// A manifest is what a file says: how visibility is configured, and for what.
type manifest struct {
	file       string
	configured bool // there is a configuration, though it may be one of nothing
	config     *visibility.Config
	exportTo   []string // of what has none, if visibility is not configured
	namespaces map[string]map[string]string
	entries    []visibility.Entry
	lines      []int // of the entries
}

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
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := m.add(n.Content[0]); err != nil {
			return nil, err
		}
	}
}

// An object is what is read of Kubernetes objects of all kinds.
type object struct {
	Kind     string
	Items    []yaml.Node
	Metadata struct {
		Name, Namespace   string
		Labels            map[string]string
		Annotations       map[string]string
		CreationTimestamp time.Time `yaml:"creationTimestamp"`
	}
	Data map[string]string
	Spec struct {
		Hosts      []string
		Addresses  []string
		ExportTo   []string `yaml:"exportTo"`
		ClusterIP  string   `yaml:"clusterIP"`
		ClusterIPs []string `yaml:"clusterIPs"`
	}
}

// add reads one object, or the items of a list. Kinds that say nothing about
// visibility are skipped.
func (m *manifest) add(n *yaml.Node) error {
	if n.ShortTag() == "!!null" {
		return nil
	}
	var o object
	var head struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
	}
	if err := n.Decode(&head); err != nil {
		return m.fault(n, err)
	}
	group, _, named := strings.Cut(head.APIVersion, "/")
	switch head.Kind {
	case "", "IstioOperator":
		return m.configure(n)
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
	if err := n.Decode(&o); err != nil {
		return m.fault(n, err)
	}
	switch o.Kind {
	case "ConfigMap":
		mesh, ok := o.Data["mesh"]
		if !ok {
			return nil
		}
		var inner yaml.Node
		if err := yaml.Unmarshal([]byte(mesh), &inner); err != nil {
			return m.fault(n, fmt.Errorf("data.mesh: %w", err))
		}
		return m.configure(&inner)
	case "List":
		for i := range o.Items {
			if err := m.add(&o.Items[i]); err != nil {
				return err
			}
		}
	case "Namespace":
		m.label(o.Metadata.Name, o.Metadata.Labels)
	default:
		e, err := o.entry()
		if err != nil {
			return m.fault(n, err)
		}
		m.label(e.Namespace, nil)
		m.entries = append(m.entries, e)
		m.lines = append(m.lines, n.Line)
	}
	return nil
}

// configure reads the one configuration that a file may have.
func (m *manifest) configure(n *yaml.Node) error {
	if m.configured {
		return m.fault(n, errors.New("there is a configuration already: keep one"))
	}
	m.configured = true
	var value any
	if err := n.Decode(&value); err != nil {
		return m.fault(n, err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return m.fault(n, err)
	}
	if m.config, err = visibility.ParseConfig(text); err != nil {
		return m.fault(n, err)
	}
	if m.exportTo, err = visibility.ParseDefaultExportTo(text); err != nil {
		return m.fault(n, err)
	}
	return nil
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

func (m *manifest) fault(n *yaml.Node, err error) error {
	return fmt.Errorf("%s:%d: %w", m.file, n.Line, err)
}

// entry makes an entry of a ServiceEntry or a Service.
func (o *object) entry() (visibility.Entry, error) {
	e := visibility.Entry{
		Ref:      visibility.Ref{Namespace: o.Metadata.Namespace, Name: o.Metadata.Name},
		Hosts:    o.Spec.Hosts,
		ExportTo: o.Spec.ExportTo,
	}
	if e.Namespace == "" {
		e.Namespace = "default"
	}
	if !o.Metadata.CreationTimestamp.IsZero() {
		e.Created = o.Metadata.CreationTimestamp.Unix()
	}
	addresses := o.Spec.Addresses
	if o.Kind == "Service" {
		e.Kind = visibility.Service
		e.Hosts = []string{e.Name + "." + e.Namespace + ".svc.cluster.local"}
		if list := o.Metadata.Annotations["networking.istio.io/exportTo"]; list != "" {
			for name := range strings.SplitSeq(list, ",") {
				e.ExportTo = append(e.ExportTo, strings.TrimSpace(name))
			}
		}
		addresses = o.Spec.ClusterIPs
		if len(addresses) == 0 && o.Spec.ClusterIP != "" {
			addresses = []string{o.Spec.ClusterIP}
		}
	}
	for _, text := range addresses {
		if text == "None" { // a headless Service
			continue
		}
		address, err := visibility.ParseAddress(text)
		if err != nil {
			return e, err
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
			return nil, fmt.Errorf("%s: %w", m.file, err)
		}
	}
	for _, w := range resolver.Warnings() {
		fmt.Fprintf(stderr, "%s: warning: %v\n", m.file, w)
	}
	x, err := visibility.NewIndex(resolver, m.namespaces, m.entries, opts)
	if err != nil {
		return nil, m.entryFaults(err)
	}
	return x, nil
}

// entryFaults adds to the faults of entries the lines where these begin.
func (m *manifest) entryFaults(err error) error {
	var faults visibility.Errors
	if !errors.As(err, &faults) {
		return err
	}
	list := make([]error, len(faults))
	for i, fault := range faults {
		line, entry := 0, 0
		if _, err := fmt.Sscanf(fault.Path, "entries[%d]", &entry); err == nil {
			line = m.lines[entry]
		}
		list[i] = fmt.Errorf("%s:%d: %w", m.file, line, fault)
	}
	return errors.Join(list...)
}
