package engine

// Visibility: may a client in a namespace see what the request is for.

import (
	"errors"
	"math"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/visibility"
)

// A Visibility is the decision about one host.
type Visibility struct {
	Host    string `json:"host"`
	Client  string `json:"client"` // its namespace; "": unknown
	Visible bool   `json:"visible"`
	Entry   string `json:"entry,omitempty"` // what was found, or hidden
	Level   string `json:"level,omitempty"`
	Policy  string `json:"policy,omitempty"` // what decided the level
	Reason  string `json:"reason"`           // visibility.Reason
}

// A Mesh is a visibility configuration, and the entries it is about.
type Mesh struct {
	Resolver *visibility.Resolver
	index    *visibility.Index
}

// NewMesh reads a configuration, which is JSON, and the Namespaces, Services and
// ServiceEntries of set. Faults of these are problems of the set.
func NewMesh(config []byte, set *manifest.Set) (*Mesh, error) {
	parsed, err := visibility.ParseConfig(config)
	if err != nil {
		return nil, err
	}
	exportTo, err := visibility.ParseDefaultExportTo(config)
	if err != nil {
		return nil, err
	}
	m := &Mesh{Resolver: visibility.Off(exportTo...)}
	if parsed != nil {
		if m.Resolver, err = visibility.Compile(parsed); err != nil {
			return nil, err
		}
	}
	namespaces := make(map[string]map[string]string)
	for _, o := range set.Of("Namespace") {
		labels := map[string]string{"kubernetes.io/metadata.name": o.Ref.Name}
		for k, v := range o.Labels {
			labels[k] = v
		}
		namespaces[o.Ref.Name] = labels
	}
	var entries []visibility.Entry
	var objects []*manifest.Object // of the entries
	for _, o := range set.Of("Service") {
		objects = append(objects, o)
		entries = append(entries, visibility.Entry{
			Ref:   visibility.Ref{Kind: visibility.Service, Namespace: o.Ref.Namespace, Name: o.Ref.Name},
			Hosts: []string{o.Ref.Name + "." + o.Ref.Namespace + ".svc.cluster.local"},
		})
	}
	for _, o := range set.Of("ServiceEntry") {
		if e, ok := m.entry(set, o); ok {
			entries, objects = append(entries, e), append(objects, o)
			if faults, ok := errors.AsType[visibility.Errors](visibility.ValidateExportTo(o.Ref.Namespace, e.ExportTo)); ok {
				for _, f := range faults {
					set.Fault(o, "spec."+f.Path, f.Err)
				}
			}
		}
	}
	m.index, err = visibility.NewIndex(m.Resolver, namespaces, entries, nil)
	if faults, ok := errors.AsType[visibility.Errors](err); ok {
		for _, f := range faults {
			if i, field := entryPath(f.Path); i < len(objects) {
				set.Fault(objects[i], "spec."+field, f.Err)
			}
		}
	}
	return m, nil
}

// entryPath splits a path such as entries[3].hosts[0].
func entryPath(path string) (index int, field string) {
	number, field, _ := strings.Cut(strings.TrimPrefix(path, "entries["), "]")
	index, err := strconv.Atoi(number)
	if err != nil {
		return math.MaxInt, ""
	}
	return index, strings.TrimPrefix(field, ".")
}

func (m *Mesh) entry(set *manifest.Set, o *manifest.Object) (visibility.Entry, bool) {
	var from struct {
		Spec struct {
			Hosts, Addresses, ExportTo []string
		}
	}
	if err := o.Decode(&from); err != nil {
		set.Unusable(o, &from, err)
		return visibility.Entry{}, false
	}
	e := visibility.Entry{
		Ref:   visibility.Ref{Kind: visibility.ServiceEntry, Namespace: o.Ref.Namespace, Name: o.Ref.Name},
		Hosts: from.Spec.Hosts, ExportTo: from.Spec.ExportTo,
	}
	for i, text := range from.Spec.Addresses {
		prefix, err := visibility.ParseAddress(text)
		if err != nil {
			set.Fault(o, "spec.addresses["+strconv.Itoa(i)+"]", err)
			return visibility.Entry{}, false
		}
		e.Addresses = append(e.Addresses, prefix)
	}
	return e, true
}

// Explain adds to x whether a client may see the host that was asked for and
// the hosts of the backends.
func (m *Mesh) Explain(x *Explanation, host string, addresses []string, client string) {
	seen := make(map[string]bool)
	for _, h := range append([]string{host}, addresses...) {
		if name, _, err := net.SplitHostPort(h); err == nil {
			h = name
		}
		if h == "" || seen[h] {
			continue
		}
		seen[h] = true
		if addr, err := netip.ParseAddr(h); err == nil {
			ref, ok := m.index.LookupAddr(addr, client)
			v := Visibility{Host: h, Client: client, Visible: ok, Reason: string(visibility.Absent)}
			if ok {
				v.Entry, v.Reason = ref.String(), "address"
			}
			x.Visibility = append(x.Visibility, v)
			continue
		}
		e := m.index.Explain(h, client)
		v := Visibility{Host: h, Client: client, Visible: e.Found, Reason: string(e.Reason)}
		if e.Ref != (visibility.Ref{}) {
			v.Entry, v.Level, v.Policy = e.Ref.String(), e.Level.String(), policy(e)
		}
		x.Visibility = append(x.Visibility, v)
	}
}

// policy names what decided the level of an entry.
func policy(e visibility.Explanation) string {
	switch {
	case e.Policy >= 0:
		return "policies[" + strconv.Itoa(e.Policy) + "]"
	case e.Ref.Kind == visibility.Service:
		return "Services are public"
	}
	return "defaultVisibility"
}
