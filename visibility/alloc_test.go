// Lookups make no garbage.

package visibility_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/visibility"
)

func TestLookupsDoNotAllocate(t *testing.T) {
	w := newWorld(50, 3_000, 50)
	x := w.index(t)
	r := mustCompile(t, visibility.RootNamespace("root"))
	labels := w.namespaces[nsName(1)]
	v4, v6 := netip.MustParseAddr("10.0.2.9"), netip.MustParseAddr("2001:db8::1%eth0")
	long := strings.Repeat("A", 60) + "." + strings.Repeat("long.", 20) + hotHost
	upper, decorated := strings.ToUpper(hotHost), hotHost+".:443"
	scope := visibility.Off().Scope(visibility.Public, "a", []string{".", "b"})
	ref := w.entries[0].Ref
	client := nsName(3)
	for name, f := range map[string]func(){
		"own":            func() { x.LookupHost(hotHost, client) },
		"canonical":      func() { x.LookupHost(hotHost, "elsewhere") },
		"upper case":     func() { x.LookupHost(upper, client) },
		"long and upper": func() { x.LookupHost(long, client) },
		"absent":         func() { x.LookupHost("a.b.c.d.e.f.g.absent.example", client) },
		"port and dot":   func() { x.LookupHost(decorated, client) },
		"DNS":            func() { x.LookupDNS(hotHost, client) },
		"queries": func() {
			for i := range w.queries {
				x.LookupHost(w.queries[i].host, w.queries[i].client)
				x.LookupAddr(w.queries[i].addr, w.queries[i].client)
			}
		},
		"IPv4":         func() { x.LookupAddr(v4, client) },
		"IPv6":         func() { x.LookupAddr(v6, client) },
		"Entry":        func() { x.Entry(ref) },
		"BindWaypoint": func() { _ = x.BindWaypoint(ref, "a") },
		"Resolve":      func() { r.Resolve(labels) },
		"Allows":       func() { scope.Allows("b") },
	} {
		assert.Zero(t, testing.AllocsPerRun(100, f), name)
	}
}
