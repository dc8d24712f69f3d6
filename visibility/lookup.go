package visibility

// Which entry a name or an address is for a client.

import (
	"net/netip"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// maxName is how many bytes a name has at most: RFC 1035 section 2.3.4. Longer
// ones are not looked at.
const maxName = 253

// LookupHost returns the entry that a host name is for a client in the
// namespace clientNS. A port and a final dot are ignored, and so is case.
//
// Of the entries with this name that the client may see it is the one of its
// own namespace, else the canonical one: Kubernetes Services first, then the
// oldest, then by namespace and name. If it may see none, those of the longest
// wildcard are asked in the same way, then those of the next. A wildcard is for
// names at any depth below it and not for the name itself.
//
// false means that the name is absent, not that it is forbidden: forward the
// query upstream as if no entry were there. The unknown client is "", see
// [Unknown]. It allocates nothing, and the cost does not depend on the
// number of entries that are hidden.
func (x *Index) LookupHost(host, clientNS string) (Ref, bool) {
	return x.byName(host, clientNS, false).ref()
}

// LookupDNS is LookupHost for a name that is to be answered with an address:
// it also passes over entries without one, unless the name of the entry ends in
// .svc. and the cluster domain, where having none is an answer.
func (x *Index) LookupDNS(name, clientNS string) (Ref, bool) {
	return x.byName(name, clientNS, true).ref()
}

// LookupAddr returns the entry that an address is for a client in the namespace
// clientNS. Entries with the address itself come first, chosen as by
// [Index.LookupHost]. Then those with a prefix: the one of the client's own
// namespace with the longest prefix, else, by the longest prefix, the canonical
// one. An IPv4 address mapped into IPv6 is the IPv4 address; zones are ignored.
// Hosts do not matter: an entry is found by its address also where another of its
// namespace has its host, so that ztunnel is not told of it.
//
// false means unknown traffic, to be passed through to where it was going. It
// allocates nothing; the cost depends on how many lengths of prefix there are.
func (x *Index) LookupAddr(addr netip.Addr, clientNS string) (Ref, bool) {
	return x.byAddress(addr, clientNS).ref()
}

func (r *record) ref() (Ref, bool) {
	if r == nil {
		return Ref{}, false
	}
	return r.Ref, true
}

// sees reports whether there is anything that the client could see.
func (x *Index) sees(client string) bool {
	return x != nil && x.entries != nil && (client != "" || x.unknown != UnknownDeny)
}

func (x *Index) byName(host, client string, dns bool) *record {
	name, ok := searchName(host)
	if !ok || !x.sees(client) {
		return nil
	}
	for i := range len(name) {
		if 'A' <= name[i] && name[i] <= 'Z' {
			var buf [maxName]byte
			return find(x, lower(buf[:0], name), client, dns)
		}
	}
	return find(x, name, client, dns)
}

// searchName returns the name in host[:port] as it is to be searched, but for
// its case.
func searchName(host string) (string, bool) {
	name, _ := hostname.Split(host)
	name = strings.TrimSuffix(name, ".")
	return name, name != "" && len(name) <= maxName && name[0] != '.' // which begins the key of a wildcard
}

func lower(dst []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// find searches a name in lower case, and then what begins with each of its
// dots as a wildcard. It takes bytes for names that had to be put in lower
// case, of which no string is made.
func find[T string | []byte](x *Index, name T, client string, dns bool) *record {
	hash := x.hashName(client)
	for i := 0; i < len(name); i++ {
		if i > 0 && (name[i] != '.' || !x.wildcards.has(len(name)-i)) {
			continue
		}
		s := hostSlotOf(x, name[i:])
		if s == nil {
			continue
		}
		if r, _ := s.viewOf(dns).pick(client, hash, x.unknown == UnknownAll); r != nil {
			return r
		}
	}
	return nil
}

func hostSlotOf[T string | []byte](x *Index, name T) *hostSlot {
	if name, ok := any(name).([]byte); ok {
		return x.hostBytes(name)
	}
	return x.host(string(name))
}

func (x *Index) byAddress(addr netip.Addr, client string) *record {
	if !addr.IsValid() || !x.sees(client) {
		return nil
	}
	addr = addr.Unmap()
	return x.at(netip.PrefixFrom(addr, addr.BitLen()), client) // which has no zone
}

// at returns what a client gets of the addresses in a canonical prefix for
// which no entry has a longer one.
func (x *Index) at(p netip.Prefix, client string) *record {
	hash := x.hashName(client)
	all := x.unknown == UnknownAll
	if p.IsSingleIP() {
		if s := x.address(p); s != nil {
			if r, _ := s.view.pick(client, hash, all); r != nil {
				return r
			}
		}
	}
	var longest *record
	for _, bits := range x.lengthsOf(p).desc {
		if bits > p.Bits() {
			continue
		}
		s := x.address(netip.PrefixFrom(p.Addr(), bits).Masked())
		if s == nil {
			continue
		}
		r, own := s.view.pick(client, hash, all)
		if own {
			return r
		}
		if longest == nil {
			longest = r
		}
	}
	return longest
}

// lengthsOf returns the lengths of the prefixes of p's family.
func (x *Index) lengthsOf(p netip.Prefix) *lengths {
	if p.Addr().Is4() {
		return &x.prefixes[0]
	}
	return &x.prefixes[1]
}
