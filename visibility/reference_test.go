// The rules, straight from the specification and linear in everything, which
// the index is held against.

package visibility_test

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/readdress/readdress/visibility"
)

// A reference answers what an Index answers.
type reference struct {
	resolver   *visibility.Resolver
	namespaces map[string]map[string]string
	entries    []visibility.Entry
	opts       visibility.IndexOptions
}

// host also returns the host of the entry, as entries write it.
func (f *reference) host(name, client string, dns bool) (ref visibility.Ref, pattern string) {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	patterns := []string{name}
	for i, c := range name {
		if c == '.' {
			patterns = append(patterns, "*"+name[i:])
		}
	}
	for _, pattern := range patterns {
		list := f.having(func(e *visibility.Entry) bool { return slices.Contains(e.Hosts, pattern) })
		if dns && !strings.HasSuffix(pattern, ".svc.cluster.local") {
			list = slices.DeleteFunc(list, func(e *visibility.Entry) bool { return len(e.Addresses) == 0 })
		}
		if e, _ := f.choose(list, client); e != nil {
			return e.Ref, pattern
		}
	}
	return visibility.Ref{}, ""
}

// address also returns the prefix of the entry, which is not valid if there is
// none.
func (f *reference) address(addr netip.Addr, client string) (visibility.Ref, netip.Prefix) {
	exact := netip.PrefixFrom(addr, addr.BitLen())
	at := func(p netip.Prefix) (*visibility.Entry, bool) {
		return f.choose(f.having(func(e *visibility.Entry) bool { return slices.Contains(e.Addresses, p) }), client)
	}
	if e, _ := at(exact); e != nil {
		return e.Ref, exact
	}
	var longest visibility.Ref
	var of netip.Prefix
	for bits := addr.BitLen() - 1; bits >= 0; bits-- {
		p := netip.PrefixFrom(addr, bits).Masked()
		e, own := at(p)
		if own {
			return e.Ref, p
		}
		if e != nil && !of.IsValid() {
			longest, of = e.Ref, p
		}
	}
	return longest, of
}

// having returns the entries for which a data plane is configured and has
// holds, in order.
func (f *reference) having(has func(*visibility.Entry) bool) []*visibility.Entry {
	var list []*visibility.Entry
	for i := range f.entries {
		if e := &f.entries[i]; has(e) && f.somebody(e) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *visibility.Entry) int {
		if before(a, b, "") {
			return -1
		}
		return 1
	})
	if f.opts.DataPlane == visibility.Ambient { // one winner a namespace
		var winners []*visibility.Entry
		for _, e := range list {
			if !slices.ContainsFunc(winners, func(w *visibility.Entry) bool { return w.Namespace == e.Namespace }) {
				winners = append(winners, e)
			}
		}
		return winners
	}
	return list
}

// choose filters, then prefers the own namespace, then takes the first. own
// says that the second step decided.
func (f *reference) choose(list []*visibility.Entry, client string) (e *visibility.Entry, own bool) {
	var visible []*visibility.Entry
	for _, e := range list {
		if f.visible(e, client) {
			visible = append(visible, e)
		}
	}
	for _, e := range visible {
		if e.Namespace != client {
			continue
		}
		if f.opts.DataPlane != visibility.Gateway || !f.public(e) {
			return e, true
		}
		if e.Kind == visibility.Service {
			break // what is behind it does not come before it for not being public
		}
	}
	if client == "" { // what everyone sees first
		for _, e := range visible {
			if f.public(e) {
				return e, false
			}
		}
	}
	if len(visible) == 0 {
		return nil, false
	}
	return visible[0], false
}

func (f *reference) level(e *visibility.Entry) visibility.Level {
	if e.Kind == visibility.Service {
		return visibility.Public
	}
	l, _ := f.resolver.Resolve(f.namespaces[e.Namespace])
	return l
}

func (f *reference) allows(e *visibility.Entry, client string) bool {
	if f.opts.DataPlane == visibility.Ambient {
		return f.level(e).VisibleTo(e.Namespace, client)
	}
	return f.resolver.Scope(f.level(e), e.Namespace, e.ExportTo).Allows(client)
}

func (f *reference) public(e *visibility.Entry) bool { return f.allows(e, "nobody-else") }

// somebody reports whether any client may see e.
func (f *reference) somebody(e *visibility.Entry) bool {
	for _, client := range append([]string{"nobody-else", e.Namespace}, e.ExportTo...) {
		if f.allows(e, client) {
			return true
		}
	}
	return slices.ContainsFunc(namesOfSmallWorld, func(client string) bool { return f.allows(e, client) })
}

func (f *reference) visible(e *visibility.Entry, client string) bool {
	if client != "" {
		return f.allows(e, client)
	}
	switch f.opts.Unknown {
	case visibility.UnknownPublic:
		return f.public(e)
	case visibility.UnknownAll:
		return f.somebody(e)
	}
	return false
}
