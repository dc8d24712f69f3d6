package visibility

// What would change for clients if one index took the place of another.

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
)

// A Change is what becomes of a host or an address for some clients.
type Change struct {
	// Name is a host as entries write it, such as *.example.com, an address or
	// a prefix. A wildcard stands for the names below it, and a prefix for the
	// addresses in it, that nothing more specific is for.
	Name string
	// Before and After are what it was and will be. The zero Ref: absent.
	Before, After Ref
	// Only are the client namespaces for which this is so, sorted. If it is
	// nil, it is so for all but those in Except.
	Only, Except []string
}

// Affects reports whether the change is one for clients in a namespace.
func (c *Change) Affects(client string) bool {
	if c.Only != nil {
		return slices.Contains(c.Only, client)
	}
	return !slices.Contains(c.Except, client)
}

// Diff returns what changes for clients of known namespaces when after takes
// the place of before: the audit that Istio lacks. Make both of the same
// entries and of two configurations, and it says what the second would do;
// make them of two sets of entries, and it says what a deployment does. Either
// may be nil or for another data plane. The changes are sorted by name, hosts
// first. The cost is linear in the hosts and addresses of both, each times the
// namespaces that own it or are named by exportTo.
func Diff(before, after *Index) []Change {
	both := [2]*Index{before, after}
	hosts := make(map[string]bool)
	addresses := make(map[netip.Prefix]bool)
	for i, x := range both {
		if x == nil || x.entries == nil {
			both[i], _ = NewIndex(nil, nil, nil, nil)
			continue
		}
		for s := range x.hosts.all {
			hosts[s.name] = true
		}
		for s := range x.addresses.all {
			addresses[s.prefix] = true
		}
	}
	var list []Change
	for _, key := range slices.Sorted(maps.Keys(hosts)) {
		list = append(list, diffOf(hostOf(key), both, func(x *Index) lookup {
			return lookup{
				slots: func(yield func(*slot) bool) {
					for key := range keysOf(key) {
						if s := x.host(key); s != nil && !yield(&s.slot) {
							return
						}
					}
				},
				find: func(client string) *record { return find(x, key, client, false) },
			}
		})...)
	}
	for _, p := range slices.SortedFunc(maps.Keys(addresses), netip.Prefix.Compare) {
		name := p.String()
		if p.IsSingleIP() {
			name = p.Addr().String()
		}
		list = append(list, diffOf(name, both, func(x *Index) lookup {
			return lookup{
				slots: func(yield func(*slot) bool) { x.around(p, yield) },
				find:  func(client string) *record { return x.at(p, client) },
			}
		})...)
	}
	return list
}

// A lookup is what one index makes of one name.
type lookup struct {
	slots func(yield func(*slot) bool) // all that can decide it
	find  func(client string) *record
}

// anyOther is a client that no choice is for, as it is no namespace.
const anyOther = "*"

func diffOf(name string, both [2]*Index, of func(*Index) lookup) []Change {
	type outcome struct{ before, after Ref }
	before, after := of(both[0]), of(both[1])
	find := func(client string) outcome {
		b, _ := before.find(client).ref()
		a, _ := after.find(client).ref()
		return outcome{b, a}
	}
	singled := make(map[string]bool)
	for _, l := range []lookup{before, after} {
		for s := range l.slots {
			for c := range s.view.choices.all {
				singled[c.client] = true
			}
		}
	}
	others := find(anyOther)
	var except []string
	groups := make(map[outcome][]string)
	for _, client := range slices.Sorted(maps.Keys(singled)) {
		o := find(client)
		if o == others {
			continue
		}
		except = append(except, client)
		if o.before != o.after {
			groups[o] = append(groups[o], client)
		}
	}
	var list []Change
	if others.before != others.after {
		list = append(list, Change{Name: name, Before: others.before, After: others.after, Except: except})
	}
	for _, o := range slices.SortedFunc(maps.Keys(groups), func(a, b outcome) int {
		return cmp.Or(a.before.Compare(b.before), a.after.Compare(b.after))
	}) {
		list = append(list, Change{Name: name, Before: o.before, After: o.after, Only: groups[o]})
	}
	return list
}

// around goes through the slots that can decide the addresses in p.
func (x *Index) around(p netip.Prefix, yield func(*slot) bool) {
	if s := x.address(p); s != nil && !yield(&s.slot) {
		return
	}
	for _, bits := range x.lengthsOf(p).desc {
		if bits >= p.Bits() {
			continue
		}
		if s := x.address(netip.PrefixFrom(p.Addr(), bits).Masked()); s != nil && !yield(&s.slot) {
			return
		}
	}
}
