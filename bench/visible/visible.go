// Package visible measures which entry of a mesh a client sees: package
// visibility beside the obvious way, a map of slices whose candidates are
// filtered and compared each time (the floor), and its label selectors beside
// those of k8s.io/apimachinery.
package visible

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/readdress/readdress/visibility"
)

// A World is a mesh. A tenth of its entries are wildcards. A third have a host
// of their own, the others share it with a dozen on average, and some with
// everybody. One namespace in ten is Public, the others keep their entries to
// themselves.
type World struct {
	Name       string
	Namespaces map[string]map[string]string
	Entries    []visibility.Entry
	Queries    []Query
}

// A Query is a host that a client in a namespace asks for.
type Query struct{ Host, Client string }

const shared = "api.everybody.example.com"

// Worlds returns a small, a middle and a large mesh.
func Worlds() []*World {
	return []*World{
		newWorld("S", 100, 1_000, 50),
		newWorld("M", 1_000, 20_000, 500),
		newWorld("L", 10_000, 100_000, 1_000),
	}
}

func newWorld(name string, namespaces, entries, hot int) *World {
	random := rand.New(rand.NewPCG(1, 2))
	w := &World{Name: name, Namespaces: make(map[string]map[string]string)}
	for i := range namespaces {
		labels := map[string]string{"kubernetes.io/metadata.name": namespace(i), "team": fmt.Sprint("t", i%50)}
		if i%10 == 0 {
			labels["level"] = "PUBLIC"
		}
		w.Namespaces[namespace(i)] = labels
	}
	for i := range entries {
		host := fmt.Sprintf("api-%d.partner.example.com", random.IntN(entries/20))
		switch {
		case i < hot:
			host = shared
		case i%3 == 0:
			host = fmt.Sprintf("db-%d.prod.example.net", i)
		}
		if i >= hot && i%10 == 1 {
			host = "*." + host
		}
		w.Entries = append(w.Entries, visibility.Entry{
			Ref:     visibility.Ref{Namespace: namespace(i % namespaces), Name: fmt.Sprint("entry-", i)},
			Hosts:   []string{host},
			Created: int64(random.IntN(1_000_000)),
		})
	}
	for range 1 << 12 {
		e := &w.Entries[random.IntN(entries)]
		q := Query{strings.Replace(e.Hosts[0], "*", "eu", 1), e.Namespace}
		if random.IntN(2) == 0 {
			q.Client = namespace(random.IntN(namespaces))
		}
		w.Queries = append(w.Queries, q)
	}
	return w
}

func namespace(i int) string { return fmt.Sprint("namespace-", i) }

// Index returns the library's index of the mesh.
func (w *World) Index(tb testing.TB) *visibility.Index {
	tb.Helper()
	c := visibility.NamespaceOnly()
	c.Policies = []visibility.Policy{{
		Visibility: visibility.Public,
		MatchingRules: []visibility.MatchRule{{NamespaceSelector: &visibility.LabelSelector{
			MatchLabels: map[string]string{"level": "PUBLIC"},
		}}},
	}}
	r, err := visibility.Compile(c)
	if err != nil {
		tb.Fatal(err)
	}
	x, err := visibility.NewIndex(r, w.Namespaces, w.Entries, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

// A Scan is entries by host, and which namespaces are Public.
type Scan struct {
	hosts  map[string][]*visibility.Entry
	public map[string]bool
}

// NewScan returns the Scan of a mesh.
func NewScan(w *World) *Scan {
	s := &Scan{make(map[string][]*visibility.Entry), make(map[string]bool)}
	for name, labels := range w.Namespaces {
		s.public[name] = labels["level"] == "PUBLIC"
	}
	for i := range w.Entries {
		for _, host := range w.Entries[i].Hosts {
			s.hosts[host] = append(s.hosts[host], &w.Entries[i])
		}
	}
	return s
}

// LookupHost returns what a client sees: the exact host before wildcards, the
// longer before the shorter.
func (s *Scan) LookupHost(host, client string) (visibility.Ref, bool) {
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

func (s *Scan) best(host, client string) *visibility.Entry {
	var best *visibility.Entry
	for _, e := range s.hosts[host] {
		if e.Namespace != client && !s.public[e.Namespace] {
			continue
		}
		if best == nil || before(e, best, client) {
			best = e
		}
	}
	return best
}

// before reports whether e comes before f for a client that sees both: its own
// first, then the oldest.
func before(e, f *visibility.Entry, client string) bool {
	if own := e.Namespace == client; own != (f.Namespace == client) {
		return own
	}
	if e.Created != f.Created {
		return e.Created < f.Created
	}
	return e.Ref.Compare(f.Ref) < 0
}
