// What another index would change.

package visibility_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/visibility"
)

// diff says the changes as "name: before>after" with the clients.
func diff(before, after *visibility.Index) []string {
	var list []string
	for _, c := range visibility.Diff(before, after) {
		s := fmt.Sprintf("%s: %s>%s", c.Name, c.Before.Name, c.After.Name)
		if c.DNS {
			s = "DNS " + s
		}
		if c.Only != nil {
			s += fmt.Sprint(" only ", c.Only)
		} else if c.Except != nil {
			s += fmt.Sprint(" except ", c.Except)
		}
		list = append(list, s)
	}
	return list
}

func TestDiff(t *testing.T) {
	entries := []visibility.Entry{
		at(serviceEntry("a", "a", 1, "x.net", "*.wild.net"), "10.0.0.1", "10.0.0.0/8"),
		at(serviceEntry("b", "b", 2, "x.net", "y.wild.net"), "10.0.0.0/16"),
	}
	index := func(a, b string) *visibility.Index {
		return mustIndex(t, byLabel(t), map[string]map[string]string{"a": {"level": a}, "b": {"level": b}}, nil, entries...)
	}
	public := index("PUBLIC", "PUBLIC")
	assert.Empty(t, diff(public, public))
	assert.Equal(t, []string{
		"*.wild.net: a> except [a]",
		"x.net: a>b except [a b]",
		"10.0.0.0/8: a> except [a]",
		"10.0.0.1: a>b except [a]",
	}, diff(public, index("NAMESPACE", "PUBLIC")))
	assert.Equal(t, []string{
		"*.wild.net: a> except [a]",
		"x.net: a> except [a b]",
		"y.wild.net: b> except [a b]",
		"y.wild.net: b>a only [a]",
		"10.0.0.0/8: a> except [a]",
		"10.0.0.0/16: b> except [a b]",
		"10.0.0.1: a> except [a b]",
		"10.0.0.1: a>b only [b]",
	}, diff(public, index("NAMESPACE", "NAMESPACE")))
	assert.Equal(t, []string{
		"*.wild.net: >a", "x.net: >a except [b]", "x.net: >b only [b]", "y.wild.net: >b",
		"10.0.0.0/8: >a", "10.0.0.0/16: >b except [a]", "10.0.0.1: >a",
	}, diff(nil, public))
	// Nobody sees what is of b, so that a wildcard and a prefix of a stand for it.
	assert.Equal(t, []string{
		"*.wild.net: a> only [a]", "x.net: a> only [a]", "10.0.0.0/8: a> only [a]", "10.0.0.1: a> only [a]",
	}, diff(index("NAMESPACE", "NONE"), index("NONE", "NONE")))
}

// The answer to a DNS query can change while the entry of the host does not.
func TestDiffOfDNS(t *testing.T) {
	entries := []visibility.Entry{
		serviceEntry("a", "x", 1, "h.com", "*.h.com"),
		at(serviceEntry("b", "y", 5, "h.com"), "10.0.0.1"),
		at(serviceEntry("a", "z", 0), "10.0.0.1"),
	}
	labels := map[string]map[string]string{"a": {"kubernetes.io/metadata.name": "a"}}
	before := mustIndex(t, mustCompile(t, visibility.RootNamespace("a")), labels, nil, entries...)
	after := mustIndex(t, mustCompile(t, new(visibility.Config)), labels, nil, entries...)
	assert.Equal(t, []string{"DNS h.com: >y except [b]"}, diff(before, after))
	assert.Equal(t, []string{"DNS h.com: y> except [b]"}, diff(after, before))

	// What changes for both is listed once.
	without := mustIndex(t, mustCompile(t, new(visibility.Config)), labels, nil, entries[0])
	assert.Equal(t, []string{"h.com: x>y only [b]", "DNS h.com: >y", "10.0.0.1: >z except [b]", "10.0.0.1: >y only [b]"},
		diff(without, after))
	assert.Equal(t, []string{"h.com: >y", "10.0.0.1: >y"}, diff(nil, mustIndex(t, visibility.Off(), nil, nil, entries[1])))
}

// checkDiff holds the changes to what the references say of both indexes: each
// is listed for the host or the prefix of the entry that a client gets, before
// or after, the more specific one of them.
func checkDiff(t *testing.T, changes []visibility.Change, before, after *reference) {
	t.Helper()
	find := func(name, client string, dns bool) *visibility.Change {
		var found *visibility.Change
		for i := range changes {
			if c := &changes[i]; c.Name == name && c.DNS == dns && c.Affects(client) {
				require.Nil(t, found, "%s is listed twice for %s", name, client)
				found = c
			}
		}
		return found
	}
	same := func(c *visibility.Change, b, a visibility.Ref) bool {
		return c == nil && b == a || c != nil && b != a && c.Before == b && c.After == a
	}
	for _, client := range append(namesOfSmallWorld, "somebody-else") {
		for _, host := range queriesOfSmallWorld {
			b, was := before.host(host, client, false)
			a, is := after.host(host, client, false)
			name := longer(was, is)
			require.True(t, same(find(name, client, false), b, a), "%s from %s: %v to %v is not in %+v", host, client, b, a, changes)

			b, was = before.host(host, client, true)
			a, is = after.host(host, client, true)
			name = longer(was, is)
			asHost, ofDNS := find(name, client, false), find(name, client, true)
			if ofDNS != nil {
				require.True(t, same(ofDNS, b, a), "DNS, %s from %s: %v to %v is not in %+v", host, client, b, a, changes)
				require.False(t, same(asHost, b, a), "DNS, %s from %s: listed twice in %+v", host, client, changes)
			} else if b != a {
				require.True(t, same(asHost, b, a), "DNS, %s from %s: %v to %v is not in %+v", host, client, b, a, changes)
			}
		}
		for _, addr := range addressesOfSmallWorld {
			b, was := before.address(addr, client)
			a, is := after.address(addr, client)
			if is.Bits() > was.Bits() {
				was = is
			}
			name := was.String()
			if was.IsSingleIP() {
				name = was.Addr().String()
			}
			require.True(t, same(find(name, client, false), b, a), "%v from %s: %v to %v is not in %+v", addr, client, b, a, changes)
		}
	}
}

// longer returns the more specific of two hosts that one name has.
func longer(a, b string) string {
	if strings.HasPrefix(a, "*") && !strings.HasPrefix(b, "*") && b != "" || len(b) > len(a) {
		return b
	}
	return a
}

// A wildcard and a prefix that every namespace has, and one more specific entry
// of each: neither without a change nor with one may everybody be asked about
// everything.
func TestRatioOfDiff(t *testing.T) {
	gate.Need(t)
	const few, many = 500, 4_000
	for _, tt := range []struct {
		name  string
		plane visibility.DataPlane
		entry func(e *visibility.Entry, i int)
	}{
		{"hosts", visibility.Ambient, func(e *visibility.Entry, i int) {
			e.Hosts = []string{"*.com", fmt.Sprintf("h%d.com", i)}
		}},
		{"addresses", visibility.Ambient, func(e *visibility.Entry, i int) {
			e.Addresses = []netip.Prefix{
				netip.MustParsePrefix("10.0.0.0/8"), netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), 32),
			}
		}},
		{"prefixes", visibility.Envoy, func(e *visibility.Entry, i int) {
			e.Addresses = []netip.Prefix{
				netip.MustParsePrefix("10.0.0.0/8"), netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 0}), 24),
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			worlds := make(map[int][2]*visibility.Index) // without one entry, and with it
			for _, n := range []int{few, many} {
				var entries []visibility.Entry
				for i := range n {
					e := serviceEntry(nsName(i), "x", int64(i))
					tt.entry(&e, i)
					entries = append(entries, e)
				}
				opts := &visibility.IndexOptions{DataPlane: tt.plane}
				x := mustIndex(t, byLabel(t), nil, opts, entries...)
				y, err := x.With(visibility.Changes{Remove: []visibility.Ref{entries[n/2].Ref}})
				require.NoError(t, err)
				require.NotEmpty(t, visibility.Diff(x, y))
				worlds[n] = [2]*visibility.Index{y, x}
			}
			for before, what := range []string{"one entry more", "no change"} {
				cost := func(n int) time.Duration {
					return fastest(5, func(int) { visibility.Diff(worlds[n][before], worlds[n][1]) })
				}
				ratio := float64(cost(many)) / float64(cost(few))
				t.Logf("%s: %d namespaces cost %.1f times what %d do", what, many, ratio, few)
				if ratio > 3*many/few {
					t.Errorf("%s: %.1f times the cost for %d times the namespaces", what, ratio, many/few)
				}
			}
		})
	}
}
