// Small worlds full of conflicts, made of bytes so that they can be fuzzed and
// shrunk, and the index held against the reference in them.

package visibility_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

var (
	namesOfSmallWorld = []string{"a", "b", "c", "d"}
	hostsOfSmallWorld = []string{
		"x.example.com", "*.example.com", "*.com", "example.com", "*.x.example.com",
		"db.a.svc.cluster.local", "*.svc.cluster.local", "other.net",
	}
	queriesOfSmallWorld = []string{
		"x.example.com", "y.x.example.com", "y.example.com", "example.com", "EXAMPLE.com.", "com",
		"db.a.svc.cluster.local", "q.svc.cluster.local", "other.net", "absent.net",
	}
	prefixesOfSmallWorld  = parsePrefixes("10.0.0.1", "10.0.0.0/24", "10.0.0.0/16", "0.0.0.0/0", "10.0.0.2", "fd00::1", "fd00::/64", "fd00::/48", "::/0")
	addressesOfSmallWorld = parseAddresses("10.0.0.1", "10.0.0.2", "10.0.1.1", "11.0.0.1", "fd00::1", "fd00::2", "fd00:0:0:1::", "fe00::")
)

func parsePrefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		p, err := visibility.ParseAddress(text)
		if err != nil {
			panic(err)
		}
		list[i] = p
	}
	return list
}

func parseAddresses(texts ...string) []netip.Addr {
	list := make([]netip.Addr, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParseAddr(text)
	}
	return list
}

// A stream deals out choices; behind its end every choice is the first.
type stream []byte

func (s *stream) below(n int) int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b) % n
}

// subset returns up to most of the items, of which there may be none.
func subset[T any](s *stream, items []T, most int) []T {
	var list []T
	for range s.below(most + 1) {
		list = append(list, items[s.below(len(items))])
	}
	return list
}

func (s *stream) labels() map[string]string {
	return []map[string]string{nil, {}, {"level": "NONE"}, {"level": "NAMESPACE"}, {"level": "PUBLIC"}}[s.below(5)]
}

func (s *stream) entry() visibility.Entry {
	e := visibility.Entry{
		Ref: visibility.Ref{
			Kind:      visibility.Kind(s.below(8) / 7), // Services are rare
			Namespace: namesOfSmallWorld[s.below(3)],
			Name:      fmt.Sprint("e", s.below(5)),
		},
		Created:   int64(s.below(3)),
		Hosts:     subset(s, hostsOfSmallWorld, 3),
		Addresses: subset(s, prefixesOfSmallWorld, 3),
	}
	if s.below(2) == 1 {
		e.ExportTo = subset(s, []string{"*", ".", "~", "a", "b", "c", "d"}, 3)
	}
	return e
}

func (s *stream) changes() visibility.Changes {
	c := visibility.Changes{Namespaces: make(map[string]map[string]string)}
	for range s.below(3) {
		c.Namespaces[namesOfSmallWorld[s.below(4)]] = s.labels()
	}
	for range s.below(4) {
		c.Remove = append(c.Remove, s.entry().Ref)
	}
	seen := make(map[visibility.Ref]bool)
	for range s.below(6) {
		if e := s.entry(); !seen[e.Ref] {
			seen[e.Ref] = true
			c.Set = append(c.Set, e)
		}
	}
	return c
}

// apply is what With does, to plain data.
func (f *reference) apply(c visibility.Changes) {
	maps.Copy(f.namespaces, c.Namespaces)
	gone := slices.Clone(c.Remove)
	for _, e := range c.Set {
		gone = append(gone, e.Ref)
	}
	f.entries = slices.DeleteFunc(slices.Clone(f.entries), func(e visibility.Entry) bool { return slices.Contains(gone, e.Ref) })
	f.entries = append(f.entries, c.Set...)
}

// checkSmallWorld makes a world and changes it several times. After each change
// the changed index, one that is made anew and the reference must agree.
func checkSmallWorld(t *testing.T, data []byte) {
	s := stream(data)
	config := &visibility.Config{ApplyToSidecars: s.below(2) == 1, DefaultVisibility: visibility.Level(s.below(4))}
	for _, l := range []visibility.Level{visibility.None, visibility.Namespace, visibility.Public} {
		config.Policies = append(config.Policies, visibility.Policy{Visibility: l, MatchingRules: []visibility.MatchRule{
			{NamespaceSelector: &visibility.LabelSelector{MatchLabels: map[string]string{"level": l.String()}}},
		}})
	}
	resolver, err := visibility.Compile(config)
	require.NoError(t, err)
	if s.below(16) == 15 {
		resolver = visibility.Off()
	}
	f := &reference{
		resolver:   resolver,
		namespaces: make(map[string]map[string]string),
		opts:       visibility.IndexOptions{DataPlane: visibility.DataPlane(s.below(3)), Unknown: visibility.Unknown(s.below(3))},
	}
	x, err := visibility.NewIndex(resolver, nil, nil, &f.opts)
	require.NoError(t, err)
	for range 1 + s.below(5) {
		c := s.changes()
		was := &reference{f.resolver, maps.Clone(f.namespaces), f.entries, f.opts}
		f.apply(c)
		old := x
		described := describe(old)
		x, err = old.With(c)
		require.NoError(t, err)
		require.Equal(t, described, describe(old), "With has changed its receiver")
		rebuilt, err := visibility.NewIndex(resolver, f.namespaces, f.entries, &f.opts)
		require.NoError(t, err)
		require.Equal(t, describe(rebuilt), describe(x), "With differs from NewIndex")
		require.Empty(t, visibility.Diff(rebuilt, x))
		f.check(t, x)
		checkDiff(t, visibility.Diff(old, x), was, f)
	}
}

// check holds an index against the reference.
func (f *reference) check(t *testing.T, x *visibility.Index) {
	t.Helper()
	for _, client := range append(namesOfSmallWorld, "") {
		for _, host := range queriesOfSmallWorld {
			ref, ok := x.LookupHost(host, client)
			want, pattern := f.host(host, client, false)
			require.Equal(t, want, ref, "LookupHost(%q, %q)", host, client)
			require.Equal(t, pattern != "", ok)
			checkExplanation(t, x, host, client)
			ref, ok = x.LookupDNS(host, client)
			want, pattern = f.host(host, client, true)
			require.Equal(t, want, ref, "LookupDNS(%q, %q)", host, client)
			require.Equal(t, pattern != "", ok)
		}
		for _, addr := range addressesOfSmallWorld {
			ref, ok := x.LookupAddr(addr, client)
			want, prefix := f.address(addr, client)
			require.Equal(t, want, ref, "LookupAddr(%v, %q)", addr, client)
			require.Equal(t, prefix.IsValid(), ok)
		}
		visible := x.VisibleFrom(client)
		for i := range f.entries {
			e := &f.entries[i]
			require.Equal(t, f.visible(e, client), slices.Contains(visible, e.Ref), "VisibleFrom(%q) %v", client, e.Ref)
			audience, ok := x.Audience(e.Ref)
			require.True(t, ok)
			if client != "" {
				require.Equal(t, f.visible(e, client), audience.Allows(client))
			}
		}
	}
}

// checkExplanation holds Explain to LookupHost and to Audience.
func checkExplanation(t *testing.T, x *visibility.Index, host, client string) {
	t.Helper()
	e := x.Explain(host, client)
	ref, ok := x.LookupHost(host, client)
	require.Equal(t, ok, e.Found, "Explain(%q, %q)", host, client)
	visible := x.VisibleFrom(client)
	switch {
	case ok:
		require.Equal(t, ref, e.Ref)
		require.Contains(t, []visibility.Reason{visibility.OwnNamespace, visibility.Canonical, visibility.ExportTo, visibility.ClientUnknown}, e.Reason)
	case len(e.Hidden) > 0:
		require.Equal(t, e.Hidden[0].Reason, e.Reason)
	default:
		require.Equal(t, visibility.Absent, e.Reason)
	}
	for _, c := range e.Hidden {
		require.NotContains(t, visible, c.Ref)
		require.Contains(t, []visibility.Reason{visibility.HiddenNamespace, visibility.HiddenNone, visibility.ExportTo, visibility.ClientUnknown}, c.Reason)
	}
	for _, c := range e.Shadowed {
		require.Contains(t, visible, c.Ref)
		require.Equal(t, visibility.ShadowedBy, c.Reason)
		require.Equal(t, e.Ref, c.By)
	}
}

// describe says everything that an index answers.
func describe(x *visibility.Index) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	say("%v", x)
	for host, ref := range x.All() {
		say("%s %v", host, ref)
	}
	for _, ref := range x.Refs() {
		e, _ := x.Entry(ref)
		l, policy := x.Level(ref)
		audience, _ := x.Audience(ref)
		say("%v %v %d %v %v", e, l, policy, audience, x.Conditions(ref, visibility.Waypoint{Namespace: "a"}))
	}
	for _, client := range append(namesOfSmallWorld, "") {
		for _, host := range queriesOfSmallWorld {
			ref, _ := x.LookupDNS(host, client)
			say("%s from %q: %+v, DNS %v", host, client, x.Explain(host, client), ref)
		}
		for _, addr := range addressesOfSmallWorld {
			ref, _ := x.LookupAddr(addr, client)
			say("%v from %q: %v", addr, client, ref)
		}
	}
	return list
}

func TestSmallWorlds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	worlds := 300
	if testing.Short() {
		worlds = 30
	}
	for range worlds {
		checkSmallWorld(t, randomBytes(random, 400))
	}
}

func randomBytes(random *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

func FuzzIndex(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 11))
	for n := range 20 { // from no change at all to several large ones
		f.Add(randomBytes(random, 20*n))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkSmallWorld(t, data) })
}

// One change and the inverse one are no change, whatever they are.
func TestChangesCanBeUndone(t *testing.T) {
	properties := gopter.NewProperties(nil)
	properties.Property("removing what was added leaves what was there", prop.ForAll(func(base, more []byte) bool {
		s := stream(base)
		c := s.changes()
		x, err := visibility.NewIndex(byLabel(t), c.Namespaces, c.Set, nil)
		require.NoError(t, err)
		s = stream(more)
		added := s.changes()
		back := visibility.Changes{}
		for _, e := range added.Set {
			back.Remove = append(back.Remove, e.Ref)
			if old, ok := x.Entry(e.Ref); ok {
				back.Set = append(back.Set, old)
			}
		}
		y, err := x.With(visibility.Changes{Set: added.Set})
		require.NoError(t, err)
		y, err = y.With(back)
		require.NoError(t, err)
		return assert.ObjectsAreEqual(describe(x), describe(y)) && len(visibility.Diff(x, y)) == 0
	}, gen.SliceOf(gen.UInt8()), gen.SliceOf(gen.UInt8())))
	properties.TestingRun(t)
}
