package visibility

// What an Index is made of: entries, and the order among them.

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// A Kind is what an entry was written as.
type Kind uint8

const (
	ServiceEntry Kind = iota // of Istio; its visibility is resolved
	Service                  // of Kubernetes; always Public
)

// String returns ServiceEntry or Service.
func (k Kind) String() string {
	switch k {
	case ServiceEntry:
		return "ServiceEntry"
	case Service:
		return "Service"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Ref identifies an entry. The zero Ref is none.
type Ref struct {
	Kind            Kind
	Namespace, Name string
}

// String returns a text for people, such as "ServiceEntry team-a/github", and
// "none" for the zero Ref.
func (r Ref) String() string {
	if r == (Ref{}) {
		return "none"
	}
	return r.Kind.String() + " " + r.Namespace + "/" + r.Name
}

// Compare orders by namespace, then name, then kind.
func (r Ref) Compare(s Ref) int {
	return cmp.Or(strings.Compare(r.Namespace, s.Namespace), strings.Compare(r.Name, s.Name), cmp.Compare(r.Kind, s.Kind))
}

// An Entry makes a service known to the mesh.
type Entry struct {
	Ref
	// Hosts are names, "*.example.com" for every name below one at any depth.
	// They are compared in lower case and without a final dot. One that is not
	// ASCII, such as bücher.example, is found in the form that DNS has for it,
	// xn--bcher-kva.example, and not as it is written.
	Hosts []string
	// Addresses are virtual addresses; a single one is a prefix of full
	// length. Bits behind the length are ignored, and an IPv4 address mapped
	// into IPv6 is the IPv4 address. See [ParseAddress].
	Addresses []netip.Prefix
	// ExportTo is as the owner wrote it; see [Resolver.Scope].
	ExportTo []string
	// Created is when the entry was made, in any unit: of two entries the one
	// with the smaller number is the older.
	Created int64
}

// ParseAddress reads an address or a CIDR prefix, such as 10.0.0.1, 10.0.0.0/8
// or 2001:db8::/32. Zones are refused.
func ParseAddress(s string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Zone() == "" {
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("visibility: %s is no address: write one like 10.0.0.1, 10.0.0.0/8 or 2001:db8::/32", quote(s))
	}
	return p, nil
}

// A record is an entry in an Index, with what is computed of it. It is
// immutable.
type record struct {
	Entry
	hosts     []string // keys of hosts
	addresses []netip.Prefix
	level     Level
	policy    int   // that decided level; -1: the default, or none had to
	scope     Scope // who may see it on this data plane
}

// compare is the order in which entries compete: Kubernetes Services first,
// then the older, then by namespace and name.
func (r *record) compare(s *record) int {
	return cmp.Or(
		cmp.Compare(s.Kind, r.Kind),
		cmp.Compare(r.Created, s.Created),
		strings.Compare(r.Namespace, s.Namespace),
		strings.Compare(r.Name, s.Name),
	)
}

// parseEntry checks and copies e, and makes the keys by which it is found.
// Level, policy and scope are left.
func parseEntry(e *Entry, path string, errs *Errors) (*record, bool) {
	before := len(*errs)
	if e.Kind > Service {
		errs.addf(path+".kind", "there is no kind %d: use ServiceEntry or Service", uint8(e.Kind))
	}
	if len(e.Namespace) > maxLabelName || !isDNSLabel(e.Namespace) {
		errs.addf(path+".namespace", "%s is no name of a namespace: write the one that the entry is in", quote(e.Namespace))
	}
	if e.Name == "" {
		errs.addf(path+".name", "an entry has a name: write it")
	}
	r := &record{Entry: *e, policy: -1}
	r.Hosts, r.Addresses, r.ExportTo = slices.Clone(e.Hosts), slices.Clone(e.Addresses), slices.Clone(e.ExportTo)
	for i, host := range e.Hosts {
		key, err := hostKey(host)
		if err != nil {
			errs.addf(fmt.Sprintf("%s.hosts[%d]", path, i), "%s: %w", quote(host), err)
		}
		r.hosts = append(r.hosts, key)
	}
	slices.Sort(r.hosts)
	r.hosts = slices.Compact(r.hosts)
	for i, address := range e.Addresses {
		if !address.IsValid() {
			errs.add(fmt.Sprintf("%s.addresses[%d]", path, i), badPrefix(address))
			continue
		}
		r.addresses = append(r.addresses, canonicalPrefix(address))
	}
	slices.SortFunc(r.addresses, netip.Prefix.Compare)
	r.addresses = slices.Compact(r.addresses)
	return r, len(*errs) == before
}

// badPrefix says what is wrong with a prefix that is not valid.
func badPrefix(p netip.Prefix) error {
	if addr := p.Addr(); addr.IsValid() {
		return fmt.Errorf("the prefix of %v has no length, as one that does not fit is not kept: write one from 0 to %d", addr, addr.BitLen())
	}
	return errors.New("the zero netip.Prefix is no address: use ParseAddress")
}

// hostKey returns the key of a host: the name, and for a wildcard the name
// below which it is, with its dot.
func hostKey(host string) (string, error) {
	name, wildcard := strings.CutPrefix(host, "*.")
	if strings.Contains(name, "*") {
		return "", errors.New(`a wildcard is a whole first label with a name behind it: write one like *.example.com`)
	}
	parsed, err := hostname.ParseName(name)
	switch {
	case err != nil:
		return "", err
	case !wildcard:
		return parsed, nil
	case hostname.IsIP(parsed):
		return "", errors.New("nothing is below an IP address: write the address alone")
	case parsed == name:
		return host[1:], nil
	}
	return "." + parsed, nil
}

// hostOf returns the host that has the key.
func hostOf(key string) string {
	if strings.HasPrefix(key, ".") {
		return "*" + key
	}
	return key
}

// canonicalPrefix returns the one prefix by which p is found.
func canonicalPrefix(p netip.Prefix) netip.Prefix {
	addr, bits := p.Addr(), p.Bits()
	if addr.Is4In6() && bits >= 96 {
		addr, bits = addr.Unmap(), bits-96
	}
	return netip.PrefixFrom(addr, bits).Masked()
}
