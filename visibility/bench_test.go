// What lookups cost, beside the obvious way to make them: a map of slices whose
// candidates are filtered and compared each time.

package visibility_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/readdress/readdress/visibility"
)

// A world is a mesh to measure. A tenth of its entries are wildcards, a
// twentieth have a CIDR prefix besides their address. A third have a host of
// their own; the others share it, as teams do that each make a ServiceEntry for
// the same API: with a dozen others on average, or with a thousand for the one
// host that everybody has. One namespace in ten is Public, the others keep
// their entries to themselves.
type world struct {
	namespaces map[string]map[string]string
	entries    []visibility.Entry
	queries    []query
}

type query struct {
	host, client string
	addr         netip.Addr
}

const hotHost = "api.everybody.example.com"

var worlds = []struct {
	name                     string
	namespaces, entries, hot int
}{
	{"S", 100, 1_000, 50},
	{"M", 1_000, 20_000, 500},
	{"L", 10_000, 100_000, 1_000},
}

func newWorld(namespaces, entries, hot int) *world {
	random := rand.New(rand.NewPCG(1, 2))
	w := &world{namespaces: make(map[string]map[string]string)}
	for i := range namespaces {
		labels := map[string]string{"kubernetes.io/metadata.name": nsName(i), "team": fmt.Sprint("t", i%50)}
		if i%10 == 0 {
			labels["level"] = "PUBLIC"
		}
		w.namespaces[nsName(i)] = labels
	}
	for i := range entries {
		e := visibility.Entry{
			Ref:     visibility.Ref{Namespace: nsName(i % namespaces), Name: fmt.Sprint("entry-", i)},
			Created: int64(random.IntN(1_000_000)),
			Addresses: []netip.Prefix{
				netip.PrefixFrom(netip.AddrFrom4([4]byte{240, 240, byte(i >> 8), byte(i)}), 32),
			},
		}
		switch {
		case i < hot:
			e.Hosts = []string{hotHost}
		case i%3 == 0:
			e.Hosts = []string{fmt.Sprintf("db-%d.prod.example.net", i)}
		default:
			e.Hosts = []string{fmt.Sprintf("api-%d.partner.example.com", random.IntN(entries/20))}
		}
		if i >= hot && i%10 == 1 {
			e.Hosts[0] = "*." + e.Hosts[0]
		}
		if i%20 == 2 {
			e.Addresses = append(e.Addresses, netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 0}), 16+i%9))
		}
		w.entries = append(w.entries, e)
	}
	for range 1 << 10 {
		e := &w.entries[random.IntN(entries)]
		q := query{host: strings.Replace(e.Hosts[0], "*", "eu", 1), client: e.Namespace}
		q.addr = e.Addresses[len(e.Addresses)-1].Addr()
		if random.IntN(2) == 0 {
			q.client = nsName(random.IntN(namespaces))
		}
		w.queries = append(w.queries, q)
	}
	return w
}

func nsName(i int) string { return fmt.Sprint("namespace-", i) }

func (w *world) index(t testing.TB) *visibility.Index {
	t.Helper()
	c := visibility.NamespaceOnly()
	c.Policies = []visibility.Policy{{
		Visibility: visibility.Public,
		MatchingRules: []visibility.MatchRule{{NamespaceSelector: &visibility.LabelSelector{
			MatchLabels: map[string]string{"level": "PUBLIC"},
		}}},
	}}
	r, err := visibility.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	x, err := visibility.NewIndex(r, w.namespaces, w.entries, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A scan is the obvious way: entries by host, visibility by namespace.
type scan struct {
	hosts  map[string][]*visibility.Entry
	levels map[string]visibility.Level
}

func newScan(w *world) *scan {
	s := &scan{make(map[string][]*visibility.Entry), make(map[string]visibility.Level)}
	for name, labels := range w.namespaces {
		s.levels[name] = visibility.Namespace
		if labels["level"] == "PUBLIC" {
			s.levels[name] = visibility.Public
		}
	}
	for i := range w.entries {
		for _, host := range w.entries[i].Hosts {
			s.hosts[host] = append(s.hosts[host], &w.entries[i])
		}
	}
	return s
}

func (s *scan) lookup(host, client string) (visibility.Ref, bool) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if e := s.best(host, client); e != nil {
		return e.Ref, true
	}
	for i := range len(host) {
		if host[i] == '.' {
			if e := s.best("*"+host[i:], client); e != nil {
				return e.Ref, true
			}
		}
	}
	return visibility.Ref{}, false
}

func (s *scan) best(host, client string) *visibility.Entry {
	var best *visibility.Entry
	for _, e := range s.hosts[host] {
		if !s.levels[e.Namespace].VisibleTo(e.Namespace, client) {
			continue
		}
		if best == nil || before(e, best, client) {
			best = e
		}
	}
	return best
}

// before reports whether e comes before f for a client that sees both.
func before(e, f *visibility.Entry, client string) bool {
	if own := e.Namespace == client; own != (f.Namespace == client) {
		return own
	}
	if e.Kind != f.Kind {
		return e.Kind == visibility.Service
	}
	if e.Created != f.Created {
		return e.Created < f.Created
	}
	return e.Ref.Compare(f.Ref) < 0
}

func BenchmarkLookupHost(b *testing.B) {
	for _, size := range worlds {
		w := newWorld(size.namespaces, size.entries, size.hot)
		x, s := w.index(b), newScan(w)
		run := func(name string, lookup func(host, client string) (visibility.Ref, bool)) {
			b.Run(size.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					q := &w.queries[i%len(w.queries)]
					lookup(q.host, q.client)
				}
			})
		}
		run("index", x.LookupHost)
		run("scan", s.lookup)
	}
}

func BenchmarkLookupHostOwners(b *testing.B) {
	for _, owners := range []int{1, 10, 100, 1_000} {
		w := newWorld(owners, owners, owners)
		x := w.index(b)
		b.Run(fmt.Sprint(owners), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				x.LookupHost(hotHost, w.queries[i%len(w.queries)].client)
			}
		})
	}
}

func BenchmarkLookupAddr(b *testing.B) {
	for _, size := range worlds {
		w := newWorld(size.namespaces, size.entries, size.hot)
		x := w.index(b)
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q := &w.queries[i%len(w.queries)]
				x.LookupAddr(q.addr, q.client)
			}
		})
	}
}

func BenchmarkNewIndex(b *testing.B) {
	for _, size := range worlds {
		w := newWorld(size.namespaces, size.entries, size.hot)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				w.index(b)
			}
		})
	}
}

// BenchmarkRelabel makes a namespace Public and not Public in turn.
func BenchmarkRelabel(b *testing.B) {
	for _, size := range worlds {
		w := newWorld(size.namespaces, size.entries, size.hot)
		x := w.index(b)
		b.Run(size.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				labels := map[string]string{"level": "PUBLIC"}
				if i%2 == 1 {
					labels = nil
				}
				var err error
				if x, err = x.With(visibility.Changes{Namespaces: map[string]map[string]string{nsName(1): labels}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What is measured is right: both ways find the same, also after changes.
func TestIndexAgainstScan(t *testing.T) {
	w := newWorld(100, 2_000, 50)
	x := w.index(t)
	for round := range 3 {
		s := newScan(w)
		for _, q := range w.queries {
			got, ok := x.LookupHost(q.host, q.client)
			want, found := s.lookup(q.host, q.client)
			if got != want || ok != found {
				t.Fatalf("round %d: %s from %s: %v, want %v", round, q.host, q.client, got, want)
			}
		}
		changes := visibility.Changes{Namespaces: map[string]map[string]string{}}
		for i := range 20 {
			name := nsName(7*i + round)
			w.namespaces[name] = map[string]string{"level": []string{"PUBLIC", "NAMESPACE"}[(i+round)%2]}
			changes.Namespaces[name] = w.namespaces[name]
		}
		for _, e := range w.entries[:300] {
			changes.Remove = append(changes.Remove, e.Ref)
		}
		w.entries = w.entries[300:]
		var err error
		if x, err = x.With(changes); err != nil {
			t.Fatal(err)
		}
	}
}
