// What an index takes, what it refuses and what it finds.

package visibility_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

func serviceEntry(namespace, name string, created int64, hosts ...string) visibility.Entry {
	return visibility.Entry{
		Ref:     visibility.Ref{Kind: visibility.ServiceEntry, Namespace: namespace, Name: name},
		Created: created,
		Hosts:   hosts,
	}
}

func service(namespace, name string, created int64, hosts ...string) visibility.Entry {
	e := serviceEntry(namespace, name, created, hosts...)
	e.Kind = visibility.Service
	return e
}

func at(e visibility.Entry, addresses ...string) visibility.Entry {
	e.Addresses = parsePrefixes(addresses...)
	return e
}

func exported(e visibility.Entry, to ...string) visibility.Entry {
	e.ExportTo = to
	return e
}

func mustIndex(t testing.TB, r *visibility.Resolver, namespaces map[string]map[string]string, opts *visibility.IndexOptions, entries ...visibility.Entry) *visibility.Index {
	t.Helper()
	x, err := visibility.NewIndex(r, namespaces, entries, opts)
	require.NoError(t, err)
	return x
}

// host returns the name of what a client gets, "" for nothing.
func host(x *visibility.Index, name, client string) string {
	ref, ok := x.LookupHost(name, client)
	if ok == (ref == visibility.Ref{}) {
		return "found without a Ref, or a Ref not found"
	}
	return ref.Name
}

func addr(x *visibility.Index, address, client string) string {
	ref, _ := x.LookupAddr(netip.MustParseAddr(address), client)
	return ref.Name
}

func TestEntriesWithFaults(t *testing.T) {
	entries := []visibility.Entry{
		serviceEntry("a", "good", 1, "good.example.com"),
		serviceEntry("", "", 1),
		serviceEntry("a b", "x", 1),
		serviceEntry("a", "hosts", 1, "*", "*.*.com", "*foo.com", "a b", "*.10.0.0.1", "", "ok.example.com"),
		{Ref: visibility.Ref{Kind: 7, Namespace: "a", Name: "kind"}},
		{Ref: visibility.Ref{Namespace: "a", Name: "zero"}, Addresses: make([]netip.Prefix, 1)},
		serviceEntry("a", "good", 2, "twice.example.com"),
		service("a", "good", 2, "service.example.com"),
	}
	x, err := visibility.NewIndex(visibility.Off(), nil, entries, nil)
	var faults visibility.Errors
	require.ErrorAs(t, err, &faults)
	var got []string
	for _, f := range faults {
		got = append(got, f.Path)
	}
	assert.Equal(t, []string{
		"entries[1].namespace", "entries[1].name", "entries[2].namespace",
		"entries[3].hosts[0]", "entries[3].hosts[1]", "entries[3].hosts[2]", "entries[3].hosts[3]", "entries[3].hosts[4]", "entries[3].hosts[5]",
		"entries[4].kind", "entries[5].addresses[0]", "entries[6]",
	}, got)
	assert.ErrorContains(t, err, `entries[3].hosts[2]: "*foo.com": a wildcard is a whole first label with a name behind it: write one like *.example.com`)
	assert.ErrorContains(t, err, `entries[6]: ServiceEntry a/good is entries[0] too: remove one`)
	assert.ErrorContains(t, err, `entries[5].addresses[0]: the zero netip.Prefix is no address: use ParseAddress`)
	assert.Equal(t, []visibility.Ref{entries[0].Ref, entries[7].Ref}, x.Refs())
	assert.Equal(t, "good", host(x, "good.example.com", "b"))
	assert.Equal(t, "", host(x, "ok.example.com", "b"))
}

// netip.PrefixFrom keeps the address of a prefix that is none.
func TestPrefixesWithoutLength(t *testing.T) {
	e := serviceEntry("a", "x", 1)
	e.Addresses = []netip.Prefix{netip.PrefixFrom(netip.MustParseAddr("10.0.0.1"), 40)}
	_, err := visibility.NewIndex(visibility.Off(), nil, []visibility.Entry{e}, nil)
	assert.EqualError(t, err, "visibility: entries[0].addresses[0]: the prefix of 10.0.0.1 has no length, as one that does not fit is not kept: write one from 0 to 32")
}

// A lookup is for a name as it is in DNS, and so is what Explain says.
func TestNamesThatAreNotASCII(t *testing.T) {
	x := mustIndex(t, visibility.Off(), nil, nil, serviceEntry("a", "x", 1, "Bücher.example", "*.bücher.example"))
	assert.Equal(t, "", host(x, "bücher.example", "b"))
	assert.Equal(t, "x", host(x, "xn--bcher-kva.example", "b"))
	assert.Equal(t, "xn--bcher-kva.example", x.Explain("xn--bcher-kva.example", "b").Host)
	assert.Equal(t, "*.xn--bcher-kva.example", x.Explain("www.xn--bcher-kva.example", "b").Host)
	e, _ := x.Entry(visibility.Ref{Namespace: "a", Name: "x"})
	assert.Equal(t, "Bücher.example", e.Hosts[0])
}

// What the data plane is told of, which outside ambient is more than anybody
// gets.
func TestAll(t *testing.T) {
	entries := []visibility.Entry{
		serviceEntry("a", "x", 1, "h.com"), serviceEntry("a", "y", 2, "h.com"), serviceEntry("b", "z", 3, "h.com"),
		exported(serviceEntry("b", "nobody", 4, "h.com"), "~"),
	}
	for plane, want := range map[visibility.DataPlane][]string{
		visibility.Ambient: {"x", "z"}, // which ignores exportTo, and has one winner a namespace
		visibility.Envoy:   {"x", "y", "z"},
		visibility.Gateway: {"x", "y", "z"},
	} {
		var got []string
		for host, ref := range mustIndex(t, visibility.Off(), nil, &visibility.IndexOptions{DataPlane: plane}, entries...).All() {
			assert.Equal(t, "h.com", host)
			got = append(got, ref.Name)
		}
		assert.Equal(t, want, got, "%d", plane)
	}
}

func TestOptionsWithFaults(t *testing.T) {
	x, err := visibility.NewIndex(visibility.Off(), nil, nil, &visibility.IndexOptions{DataPlane: 3, Unknown: 3, ClusterDomain: "a..b"})
	assert.Nil(t, x)
	assert.EqualError(t, err, "visibility: options.dataPlane: there is no data plane 3: use Ambient, Envoy or Gateway\n"+
		"visibility: options.unknown: there is no such choice as 3: use UnknownDeny, UnknownPublic or UnknownAll\n"+
		`visibility: options.clusterDomain: "a..b": byte 2: a label is empty: write one '.' between two labels`)
}

func TestIndexesThatAreEmpty(t *testing.T) {
	entry := at(service("a", "x", 1, "x.example.com"), "10.0.0.1")
	for name, x := range map[string]*visibility.Index{
		"nil":           nil,
		"zero":          {},
		"no entries":    mustIndex(t, visibility.Off(), nil, nil),
		"nil resolver":  mustIndex(t, nil, nil, &visibility.IndexOptions{Unknown: visibility.UnknownAll}, entry),
		"zero resolver": mustIndex(t, new(visibility.Resolver), nil, &visibility.IndexOptions{DataPlane: visibility.Envoy}, entry),
	} {
		for _, client := range []string{"", "a", "b"} {
			assert.Equal(t, "", host(x, "x.example.com", client), name)
			assert.Equal(t, "", addr(x, "10.0.0.1", client), name)
			assert.Empty(t, x.VisibleFrom(client), name)
		}
		assert.False(t, x.Explain("x.example.com", "a").Found, name)
		assert.Empty(t, x.Conditions(entry.Ref), name)
		assert.Error(t, x.BindWaypoint(entry.Ref, "a"), name)
		scope, _ := x.Audience(entry.Ref)
		assert.Equal(t, "~", scope.String(), name)
		assert.Empty(t, visibility.Diff(nil, x), name)
		assert.NotEmpty(t, x.String(), name)
		y, err := x.With(visibility.Changes{Set: []visibility.Entry{entry}})
		assert.NoError(t, err)
		assert.Equal(t, []visibility.Ref{entry.Ref}, y.Refs(), name)
	}
}

func TestNames(t *testing.T) {
	x := mustIndex(t, visibility.Off(), nil, nil,
		serviceEntry("a", "exact", 1, "API.Example.com."),
		serviceEntry("a", "below", 1, "*.api.example.COM"),
		serviceEntry("a", "top", 1, "*.com"),
		serviceEntry("a", "idn", 1, "bücher.example"),
		serviceEntry("a", "ip", 1, "192.0.2.1"),
	)
	long := strings.Repeat("abcdefg.", 31) + "com"
	for name, want := range map[string]string{
		"api.example.com":                   "exact",
		"API.EXAMPLE.COM":                   "exact",
		"api.example.com.":                  "exact",
		"api.example.com:443":               "exact",
		"api.example.com.:443":              "exact",
		"api.example.com..":                 "",
		"x.api.example.com":                 "below",
		"X.Y.api.example.com":               "below",
		"xapi.example.com":                  "top",
		"com":                               "",
		".com":                              "",
		".api.example.com":                  "",
		"":                                  "",
		".":                                 "",
		"xn--bcher-kva.example":             "idn",
		"bücher.example":                    "",
		"192.0.2.1":                         "ip",
		long:                                "top",
		"a." + long:                         "top", // 253 bytes
		"ab." + long:                        "",
		strings.Repeat("a.", 1<<16) + "com": "",
	} {
		assert.Equal(t, want, host(x, name, "b"), name)
		assert.Equal(t, want != "", x.Explain(name, "b").Found, name)
	}
}

func TestAddresses(t *testing.T) {
	x := mustIndex(t, visibility.Off(), nil, nil,
		at(serviceEntry("a", "exact", 1), "10.1.2.3", "2001:db8::1"),
		at(serviceEntry("a", "unmasked", 1), "10.9.9.9/16"),
		at(serviceEntry("a", "mapped", 1), "::ffff:192.0.2.0/120", "::ffff:198.51.100.1"),
		at(serviceEntry("a", "all6", 1), "::/0"),
	)
	for address, want := range map[string]string{
		"10.1.2.3":           "exact",
		"::ffff:10.1.2.3":    "exact",
		"10.9.0.1":           "unmasked",
		"192.0.2.77":         "mapped",
		"198.51.100.1":       "mapped",
		"203.0.113.1":        "",
		"2001:db8::1":        "exact",
		"2001:db8::1%eth0":   "exact",
		"2001:db8::2":        "all6",
		"::ffff:203.0.113.1": "",
	} {
		assert.Equal(t, want, addr(x, address, "b"), address)
	}
	_, ok := x.LookupAddr(netip.Addr{}, "b")
	assert.False(t, ok)
}

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.1": "10.0.0.1/32", "10.0.0.1/8": "10.0.0.1/8", "2001:db8::": "2001:db8::/128", "::/0": "::/0",
		"": "", "10.0.0": "", "10.0.0.1/33": "", "fe80::1%eth0": "", "fe80::%eth0/64": "", "example.com": "",
	} {
		p, err := visibility.ParseAddress(text)
		if want == "" {
			assert.ErrorContains(t, err, "is no address: write one like", text)
			continue
		}
		assert.NoError(t, err, text)
		assert.Equal(t, want, p.String())
	}
}

func TestUnknownClients(t *testing.T) {
	for unknown, want := range map[visibility.Unknown][4]string{
		visibility.UnknownDeny:   {"", "", "", ""},
		visibility.UnknownPublic: {"public", "", "", "wide"},
		visibility.UnknownAll:    {"public", "hidden", "", "narrow"},
	} {
		x := mustIndex(t, byLabel(t), map[string]map[string]string{
			"a": {"level": "NAMESPACE"}, "b": {"level": "PUBLIC"}, "c": {"level": "NONE"},
		}, &visibility.IndexOptions{Unknown: unknown},
			at(serviceEntry("a", "hidden", 1, "both.net", "hidden.net"), "10.0.0.1"),
			serviceEntry("b", "public", 2, "both.net"),
			serviceEntry("c", "none", 2, "none.net"),
			at(serviceEntry("a", "narrow", 1), "10.1.0.0/16"),
			at(serviceEntry("b", "wide", 1), "10.0.0.0/8"),
		)
		got := [4]string{host(x, "both.net", ""), host(x, "hidden.net", ""), host(x, "none.net", ""), addr(x, "10.1.0.1", "")}
		assert.Equal(t, want, got)
	}
}

// The three data planes and the same four entries.
func TestDataPlanes(t *testing.T) {
	namespaces := map[string]map[string]string{"a": {"level": "NAMESPACE"}, "b": {"level": "PUBLIC"}, "c": {"level": "PUBLIC"}}
	entries := []visibility.Entry{
		exported(serviceEntry("a", "inner", 1, "x.net"), "*"),
		exported(serviceEntry("b", "public", 2, "x.net"), "*"),
		exported(serviceEntry("c", "newer", 3, "x.net"), "*"),
		exported(serviceEntry("c", "own", 4, "y.net"), "."),
		exported(serviceEntry("b", "named", 3, "y.net"), "d", "e"),
		exported(serviceEntry("b", "older", 2, "y.net"), "e"),
	}
	config := visibility.Config{DefaultVisibility: visibility.None, ApplyToSidecars: true, Policies: []visibility.Policy{
		policy(visibility.Namespace, rule("level", visibility.In, "NAMESPACE")),
		policy(visibility.Public, rule("level", visibility.In, "PUBLIC")),
	}}
	uncapped := config
	uncapped.ApplyToSidecars = false
	for _, tt := range []struct {
		name   string
		config visibility.Config
		plane  visibility.DataPlane
		x, y   map[string]string
	}{
		{"ambient", config, visibility.Ambient,
			map[string]string{"a": "inner", "b": "public", "c": "newer", "d": "public"},
			map[string]string{"a": "older", "b": "older", "c": "own", "d": "older"}},
		{"envoy", config, visibility.Envoy,
			map[string]string{"a": "inner", "b": "public", "c": "newer", "d": "public"},
			map[string]string{"a": "", "b": "", "c": "own", "d": "named", "e": "older"}},
		{"gateway", config, visibility.Gateway,
			map[string]string{"a": "inner", "b": "public", "c": "public", "d": "public"},
			map[string]string{"a": "", "b": "", "c": "own", "d": "named", "e": "older"}},
		{"envoy without applyToSidecars", uncapped, visibility.Envoy,
			map[string]string{"a": "inner", "b": "public", "c": "newer", "d": "inner"},
			map[string]string{"a": "", "c": "own", "d": "named"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := mustIndex(t, mustCompile(t, &tt.config), namespaces, &visibility.IndexOptions{DataPlane: tt.plane}, entries...)
			for client, want := range tt.x {
				assert.Equal(t, want, host(x, "x.net", client), "x.net from %s", client)
			}
			for client, want := range tt.y {
				assert.Equal(t, want, host(x, "y.net", client), "y.net from %s", client)
			}
		})
	}
}

func TestLookupDNS(t *testing.T) {
	x := mustIndex(t, visibility.Off(), nil, &visibility.IndexOptions{ClusterDomain: "Mesh.Internal."},
		serviceEntry("a", "older", 1, "x.net", "headless.a.svc.mesh.internal", "not.svc.cluster.local"),
		at(serviceEntry("b", "newer", 2, "x.net"), "10.0.0.1"),
		at(serviceEntry("a", "unpublished", 2, "y.net", "x.net"), "10.0.0.2"),
		serviceEntry("a", "wins", 1, "y.net"),
	)
	for _, tt := range []struct{ name, client, dns, host string }{
		{"x.net", "c", "newer", "older"},
		{"x.net", "a", "newer", "older"},
		{"x.net", "b", "newer", "newer"},
		{"y.net", "a", "", "wins"},
		{"headless.a.svc.mesh.internal", "c", "older", "older"},
		{"not.svc.cluster.local", "c", "", "older"},
	} {
		ref, _ := x.LookupDNS(tt.name, tt.client)
		assert.Equal(t, tt.dns, ref.Name, "%s from %s", tt.name, tt.client)
		assert.Equal(t, tt.host, host(x, tt.name, tt.client), "%s from %s", tt.name, tt.client)
	}
}

func TestWith(t *testing.T) {
	x := mustIndex(t, byLabel(t), map[string]map[string]string{"a": {"level": "PUBLIC"}, "b": {"level": "PUBLIC"}}, nil,
		serviceEntry("a", "first", 1, "x.net"),
		serviceEntry("a", "second", 2, "x.net"),
		serviceEntry("b", "third", 3, "x.net"),
	)
	with := func(x *visibility.Index, c visibility.Changes) *visibility.Index {
		t.Helper()
		y, err := x.With(c)
		require.NoError(t, err)
		return y
	}
	ref := func(namespace, name string) visibility.Ref { return visibility.Ref{Namespace: namespace, Name: name} }
	remove := func(refs ...visibility.Ref) visibility.Changes { return visibility.Changes{Remove: refs} }
	label := func(namespace, level string) visibility.Changes {
		return visibility.Changes{Namespaces: map[string]map[string]string{namespace: {"level": level}}}
	}

	y := with(x, remove(ref("a", "first"), ref("a", "unknown")))
	assert.Equal(t, "second", host(y, "x.net", "c"), "the runner-up takes over")
	assert.Equal(t, "first", host(x, "x.net", "c"), "and the old index stays")
	y = with(y, label("a", "NAMESPACE"))
	y = with(y, remove(ref("a", "second")))
	assert.Equal(t, "third", host(y, "x.net", "a"))
	// A namespace without entries keeps its labels.
	y = with(y, visibility.Changes{Set: []visibility.Entry{serviceEntry("a", "late", 9, "x.net")}})
	assert.Equal(t, "late", host(y, "x.net", "a"))
	assert.Equal(t, "third", host(y, "x.net", "c"))
	y = with(y, visibility.Changes{Set: []visibility.Entry{serviceEntry("b", "third", 3, "elsewhere.net")}})
	assert.Equal(t, "", host(y, "x.net", "c"), "the replaced entry is found by its new host only")

	y = with(x, label("a", "NONE"))
	assert.Equal(t, "third", host(y, "x.net", "a"))
	l, policy := y.Level(ref("a", "first"))
	assert.Equal(t, visibility.None, l)
	assert.Equal(t, 0, policy)
	y = with(y, visibility.Changes{Namespaces: map[string]map[string]string{"a": nil}})
	assert.Equal(t, "first", host(y, "x.net", "c"), "without labels the default decides")
	l, policy = y.Level(ref("a", "first"))
	assert.Equal(t, visibility.Public, l)
	assert.Equal(t, -1, policy)

	y, err := x.With(visibility.Changes{Set: []visibility.Entry{serviceEntry("a", "first", 1, "*")}})
	assert.ErrorContains(t, err, "entries[0].hosts[0]")
	assert.Equal(t, "second", host(y, "x.net", "c"), "an entry whose replacement has a fault is gone")
}

// What an index was made of can be changed afterwards.
func TestNewIndexKeepsNothing(t *testing.T) {
	e := exported(at(serviceEntry("a", "x", 1, "x.net"), "10.0.0.1"), "b")
	labels := map[string]map[string]string{"a": {"level": "PUBLIC"}}
	entries := []visibility.Entry{e}
	x := mustIndex(t, byLabel(t), labels, &visibility.IndexOptions{DataPlane: visibility.Envoy}, entries...)
	before := describe(x)
	e.Hosts[0], e.ExportTo[0], e.Addresses[0] = "y.net", "c", netip.Prefix{}
	labels["a"]["level"] = "NONE"
	assert.Equal(t, before, describe(x))
}
