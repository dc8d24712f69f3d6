package visibility

// How an Index changes.

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// Changes are what happened to the entries and namespaces of an Index.
type Changes struct {
	// Namespaces are those that are new, relabelled or, with nil labels, gone.
	Namespaces map[string]map[string]string
	// Remove are entries that are gone. Refs that are not known are ignored.
	Remove []Ref
	// Set are entries that are new or changed. One with the Ref of an entry
	// takes its place, also if it is in Remove.
	Set []Entry
}

// With returns the index after the changes. It equals one that NewIndex makes
// of everything: an entry whose winner is removed is found again. x is not
// changed, and both may be used; swap them through an atomic.Pointer.
//
// Faults are as with [NewIndex]: the error has all of them and the index beside
// it is made of the rest, so that an entry whose replacement has a fault is
// gone.
//
// The cost depends on what changes: on the hosts and addresses of the entries
// in question, which are those in a relabelled namespace if that changes their
// visibility, and on how many others have the same ones. How many entries are in
// the namespace does not count, and those of the index only as one slice header
// to copy for some 64 of them.
func (x *Index) With(c Changes) (*Index, error) {
	if x == nil || x.entries == nil {
		return NewIndex(nil, c.Namespaces, c.Set, nil)
	}
	y := *x
	e := edit{Index: &y, gone: make(map[*record]bool)}
	e.begin()
	fresh := e.parse(c.Set)
	for _, ref := range c.Remove {
		e.remove(ref)
	}
	for i := range c.Set {
		e.remove(c.Set[i].Ref)
	}
	for name, labels := range c.Namespaces {
		e.relabel(name, labels)
	}
	for _, r := range fresh {
		y.judge(r, e.known(r.Namespace))
		e.fresh = append(e.fresh, r)
	}
	e.apply(c.Namespaces)
	return &y, e.errs.err()
}

// An edit makes one Index of another.
type edit struct {
	*Index
	errs  Errors
	gone  map[*record]bool
	fresh []*record
}

func (e *edit) begin() {
	e.namespaces = e.namespaces.edit()
	e.entries = e.entries.edit()
	e.hosts = e.hosts.edit()
	e.addresses = e.addresses.edit()
	e.wildcards = e.wildcards.edit()
	for i := range e.prefixes {
		e.prefixes[i] = e.prefixes[i].edit()
	}
}

// parse returns the entries without a fault.
func (e *edit) parse(entries []Entry) []*record {
	list := make([]*record, 0, len(entries))
	seen := make(map[Ref]int, len(entries))
	for i := range entries {
		path := fmt.Sprintf("entries[%d]", i)
		if first, twice := seen[entries[i].Ref]; twice {
			e.errs.addf(path, "%v is entries[%d] too: remove one", entries[i].Ref, first)
			continue
		}
		seen[entries[i].Ref] = i
		if r, ok := parseEntry(&entries[i], path, &e.errs); ok {
			list = append(list, r)
		}
	}
	return list
}

func (e *edit) remove(ref Ref) {
	if r := e.record(ref); r != nil {
		e.gone[r] = true
	}
}

// relabel gives a namespace labels. If that changes the visibility of its
// entries, they are replaced.
func (e *edit) relabel(name string, labels map[string]string) {
	before := e.known(name)
	after := &namespace{name: name, labels: maps.Clone(labels), records: before.records}
	after.level, after.policy = e.resolver.Resolve(labels)
	e.namespaces.replace(e.hashName(name), before, after)
	if after.level == before.level && after.policy == before.policy {
		return
	}
	for r := range before.records.all {
		if r.Kind == Service || e.gone[r] {
			continue
		}
		replacement := *r
		e.judge(&replacement, after)
		e.gone[r] = true
		e.fresh = append(e.fresh, &replacement)
	}
}

// known returns a namespace, which is made if it is not known.
func (e *edit) known(name string) *namespace {
	ns := e.namespace(name)
	if ns == nil {
		ns = &namespace{name: name, records: newTable[record]()}
		ns.level, ns.policy = e.resolver.Resolve(nil)
		e.namespaces.replace(e.hashName(name), nil, ns)
	}
	return ns
}

// apply takes out what is gone and puts in what is fresh.
func (e *edit) apply(relabelled map[string]map[string]string) {
	hosts := make(map[string][]*record)
	addresses := make(map[netip.Prefix][]*record)
	namespaces := make(map[string]*namespace)
	for r := range e.gone {
		hash := e.hashRef(r.Ref)
		e.entries.replace(hash, r, nil)
		e.editNamespace(namespaces, r.Namespace).records.replace(hash, r, nil)
		touch(hosts, r.hosts...)
		touch(addresses, r.addresses...)
	}
	for _, r := range e.fresh {
		hash := e.hashRef(r.Ref)
		e.entries.replace(hash, nil, r)
		e.editNamespace(namespaces, r.Namespace).records.replace(hash, nil, r)
		touchWith(hosts, r, r.hosts...)
		touchWith(addresses, r, r.addresses...)
	}
	for name, labels := range relabelled {
		if labels == nil {
			e.editNamespace(namespaces, name)
		}
	}
	for name, ns := range namespaces {
		if ns.labels == nil && ns.records.len == 0 {
			e.namespaces.replace(e.hashName(name), ns, nil)
		}
	}
	for key, fresh := range hosts {
		e.applyHost(key, fresh)
	}
	for key, fresh := range addresses {
		e.applyAddress(key, fresh)
	}
	e.wildcards.done()
	for i := range e.prefixes {
		e.prefixes[i].done()
	}
}

func touch[K comparable](m map[K][]*record, keys ...K) {
	for _, key := range keys {
		if _, ok := m[key]; !ok {
			m[key] = nil
		}
	}
}

func touchWith[K comparable](m map[K][]*record, r *record, keys ...K) {
	for _, key := range keys {
		m[key] = append(m[key], r)
	}
}

// merge returns, in order, the records of before that are not gone and the
// fresh ones.
func (e *edit) merge(before, fresh []*record) []*record {
	list := make([]*record, 0, len(before)+len(fresh))
	for _, r := range before {
		if !e.gone[r] {
			list = append(list, r)
		}
	}
	list = append(list, fresh...)
	slices.SortFunc(list, (*record).compare)
	return list
}

// editNamespace returns the copy of a namespace that this edit changes.
func (e *edit) editNamespace(edited map[string]*namespace, name string) *namespace {
	if ns := edited[name]; ns != nil {
		return ns
	}
	before := e.known(name)
	after := *before
	after.records = before.records.edit()
	e.namespaces.replace(e.hashName(name), before, &after)
	edited[name] = &after
	return &after
}

func (e *edit) applyHost(key string, fresh []*record) {
	before := e.host(key)
	var candidates []*record
	if before != nil {
		candidates = before.candidates
	}
	candidates = e.merge(candidates, fresh)
	var after *hostSlot
	if len(candidates) > 0 {
		after = &hostSlot{key, e.newSlot(candidates, strings.HasSuffix(key, e.cluster))}
	}
	e.hosts.replace(e.hashName(key), before, after)
	if strings.HasPrefix(key, ".") {
		e.wildcards.replace(len(key), before != nil, after != nil)
	}
}

func (e *edit) applyAddress(key netip.Prefix, fresh []*record) {
	before := e.address(key)
	var candidates []*record
	if before != nil {
		candidates = before.candidates
	}
	candidates = e.merge(candidates, fresh)
	var after *addressSlot
	if len(candidates) > 0 {
		after = &addressSlot{key, e.newSlot(candidates, true)}
	}
	e.addresses.replace(e.hashPrefix(key), before, after)
	if !key.IsSingleIP() {
		e.lengthsOf(key).replace(key.Bits(), before != nil, after != nil)
	}
}
