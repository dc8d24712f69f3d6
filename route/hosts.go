package route

// Which hosts of the table the host of a request meets, best first, without a
// string made of it.

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// A hostSearch goes through the hosts that a request meets.
type hostSearch struct {
	name string // without port and final dot
	at   int    // of name: the next dot to look behind; beyond name: "" is left, or nothing
	done bool
}

// maxName is how many bytes the name of a host has at most: RFC 1035 section
// 2.3.4. A longer one in a request is not looked at.
const maxName = 253

// firstHost returns the best host for host[:port], -1 if there is none.
func (x *index) firstHost(s *hostSearch, hostport string) int32 {
	name, _ := hostname.Split(hostport)
	name = strings.TrimSuffix(name, ".")
	s.name = name
	if name == "" || len(name) > maxName {
		return x.lastHost(s)
	}
	if name[0] == '[' {
		return x.firstIPv6(s)
	}
	hash, ascii := hashName(name, x.seed)
	if !ascii {
		return x.lastHost(s)
	}
	if name[0] != '.' { // which begins no name, but the key of a wildcard
		if h := x.findHost(name, hash); h >= 0 {
			return h
		}
	}
	return x.nextHost(s)
}

// firstIPv6 is firstHost for an IPv6 address in any of its spellings.
func (x *index) firstIPv6(s *hostSearch) int32 {
	name := s.name
	s.name = "" // no wildcard is for an address
	if !hostname.Check(name) {
		return x.lastHost(s) // package netip would allocate an error
	}
	addr, err := netip.ParseAddr(name[1 : len(name)-1])
	if err != nil {
		return x.lastHost(s)
	}
	var buf [len("[0000:0000:0000:0000:0000:0000:0000:0000]")]byte
	text := append(addr.AppendTo(append(buf[:0], '[')), ']')
	slots := x.names.slots
	for at := uint32(hashIPv6(addr, x.seed)); ; at++ {
		slot := slots[at&uint32(len(slots)-1)]
		if slot.ref == 0 {
			return x.lastHost(s)
		}
		if h := int32(slot.ref - 1); x.nameOf(h) == string(text) {
			return h
		}
	}
}

// nextHost returns the next best host, -1 if there is none.
func (x *index) nextHost(s *hostSearch) int32 {
	for s.at < len(s.name) {
		i := strings.IndexByte(s.name[s.at:], '.')
		if i < 0 {
			break
		}
		i += s.at
		s.at = i + 1
		if !x.anyDepth {
			s.at = len(s.name)
		}
		suffix := s.name[i:]
		if i == 0 || !x.wildcards.has(len(suffix)) {
			continue
		}
		hash, _ := hashName(suffix, x.seed)
		if h := x.findHost(suffix, hash); h >= 0 {
			return h
		}
	}
	return x.lastHost(s)
}

// lastHost returns the host "" the first time, -1 if there is none.
func (x *index) lastHost(s *hostSearch) int32 {
	s.at = len(s.name)
	if s.done {
		return -1
	}
	s.done = true
	return x.anyHost
}

// lengths is the set of the lengths of names: up to maxName.
type lengths [(maxName + 64) / 64]uint64

func (l *lengths) has(n int) bool { return l[n/64]>>(n%64)&1 != 0 }

func (l *lengths) add(n int) { l[n/64] |= 1 << (n % 64) }

// findHost returns the host of a name, or of a wildcard, with its hash; -1 if
// there is none.
func (x *index) findHost(name string, hash uint64) int32 {
	slots := x.names.slots
	tag := uint32(hash >> 32)
	for at := uint32(hash); ; at++ {
		s := slots[at&uint32(len(slots)-1)]
		if s.ref == 0 {
			return -1
		}
		if s.tag == tag {
			h := int32(s.ref - 1)
			if lower := x.nameOf(h); name == lower || equalFold(name, lower) {
				return h
			}
		}
	}
}

// equalFold reports whether s in ASCII lower case is lower.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

const (
	foldBits  = 0x2020202020202020 // upper case to lower; other pairs of bytes it makes equal are told apart later
	highBits  = 0x8080808080808080
	multiply1 = 0x9E3779B97F4A7C15 // no ASCII text, so that it is never made zero
	multiply2 = 0xD6E8FEB86659FD93
)

// hashName returns a hash of name without letter case, and whether name is
// ASCII.
func hashName(name string, seed uint64) (hash uint64, ascii bool) {
	h := seed ^ uint64(len(name))*multiply2
	if len(name) < 8 {
		var w uint64
		for i := range len(name) {
			w = w<<8 | uint64(name[i])
		}
		return mix(h^(w|foldBits), multiply1), w&highBits == 0
	}
	var seen uint64
	for i := 0; i+16 < len(name); i += 16 {
		v, w := load64(name, i), load64(name, i+8)
		seen |= v | w
		h = mix(h^(v|foldBits), multiply1^(w|foldBits))
	}
	v, w := load64(name, max(len(name)-16, 0)), load64(name, len(name)-8)
	return mix(h^(v|foldBits), multiply1^(w|foldBits)), (seen|v|w)&highBits == 0
}

// hashHost returns the hash of the name of a host of the table.
func hashHost(name string, seed uint64) uint64 {
	if name[0] == '[' {
		if addr, err := netip.ParseAddr(name[1 : len(name)-1]); err == nil {
			return hashIPv6(addr, seed)
		}
	}
	hash, _ := hashName(name, seed)
	return hash
}

func hashIPv6(addr netip.Addr, seed uint64) uint64 {
	b := addr.As16()
	return mix(seed^binary.LittleEndian.Uint64(b[:8]), multiply1^binary.LittleEndian.Uint64(b[8:]))
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func load64(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load32(s string, i int) uint32 {
	s = s[i : i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
