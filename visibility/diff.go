package visibility

// What would change for clients if one index took the place of another.

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
)

// A Change is what becomes of a host or an address for some clients.
type Change struct {
	// Name is a host as entries write it, such as *.example.com, an address or
	// a prefix. A wildcard stands for the names below it, and a prefix for the
	// addresses in it, for which a client finds nothing more specific, neither
	// before nor after: what only passes an entry over is no change of it.
	Name string
	// DNS says that this is about [Index.LookupDNS], which is listed where it
	// does not change as [Index.LookupHost] does.
	DNS bool
	// Before and After are what it was and will be. The zero Ref: absent.
	Before, After Ref
	// Only are the client namespaces for which this is so, sorted. If it is
	// nil, it is so for all but those in Except.
	Only, Except []string
}

// Affects reports whether the change is one for clients in a namespace.
func (c *Change) Affects(client string) bool {
	if c.Only != nil {
		return slices.Contains(c.Only, client)
	}
	return !slices.Contains(c.Except, client)
}

// Diff returns what changes for clients of known namespaces when after takes
// the place of before: the audit that Istio lacks. Make both of the same
// entries and of two configurations, and it says what the second would do;
// make them of two sets of entries, and it says what a deployment does. Either
// may be nil or for another data plane. The changes are sorted by name, hosts
// first. The cost is linear in the hosts and addresses of both, each times the
// namespaces that own it or are named by exportTo, and in what is returned.
func Diff(before, after *Index) []Change {
	both := [2]*Index{before, after}
	hosts := make(map[string]bool)
	addresses := make(map[netip.Prefix]bool)
	for i, x := range both {
		if x == nil || x.entries == nil {
			both[i], _ = NewIndex(nil, nil, nil, nil)
			continue
		}
		for s := range x.hosts.all {
			hosts[s.name] = true
		}
		for s := range x.addresses.all {
			addresses[s.prefix] = true
		}
	}
	var list []Change
	for _, key := range slices.Sorted(maps.Keys(hosts)) {
		list = append(list, diffHost(key, both)...)
	}
	moves := make(map[netip.Prefix][]string, len(addresses))
	for p := range addresses {
		if clients := moved(p, both); len(clients) > 0 {
			moves[p] = clients
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(addresses), netip.Prefix.Compare) {
		list = append(list, diffAddress(p, both, moves)...)
	}
	return list
}

func diffHost(key string, both [2]*Index) []Change {
	name := hostOf(key)
	host := pair{[2]question{askHost(both[0], key, false), askHost(both[1], key, false)}, nil}
	clients := host.clients()
	list := changes(name, clients, host.changed)
	dns := pair{[2]question{askHost(both[0], key, true), askHost(both[1], key, true)}, nil}
	if dns.sameViews(&host) {
		return list
	}
	maps.Copy(clients, dns.clients())
	for _, c := range changes(name, clients, func(client string) (outcome, bool) {
		o, changed := dns.changed(client)
		asHost, _ := host.ask(client)
		return o, changed && o != asHost
	}) {
		c.DNS = true
		list = append(list, c)
	}
	return list
}

func diffAddress(p netip.Prefix, both [2]*Index, moves map[netip.Prefix][]string) []Change {
	q := pair{[2]question{askAddress(both[0], p), askAddress(both[1], p)}, nil}
	name := p.String()
	if p.IsSingleIP() {
		name = p.Addr().String()
	} else {
		// The clients to whom own entries for wider prefixes come first.
		q.ownFirst = make(map[string]bool)
		for bits := range p.Bits() {
			for _, client := range moves[netip.PrefixFrom(p.Addr(), bits).Masked()] {
				q.ownFirst[client] = true
			}
		}
	}
	return changes(name, q.clients(), q.changed)
}

// moved returns the clients that have an entry of their own for a prefix in one
// of the indexes only.
func moved(p netip.Prefix, both [2]*Index) []string {
	var own [2]map[string]bool
	for i, x := range both {
		own[i] = make(map[string]bool)
		if s := x.address(p); s != nil {
			for c := range s.view.choices.all {
				if c.own {
					own[i][c.client] = true
				}
			}
		}
	}
	var clients []string
	for i := range own {
		for client := range own[i] {
			if !own[1-i][client] {
				clients = append(clients, client)
			}
		}
	}
	return clients
}

// A question is what Diff asks one index about one name.
type question struct {
	index *Index
	own   *view   // of the name; nil if no entry has it
	wider []*view // of the wildcards or prefixes that are asked too
	find  func(client string) *record
}

func askHost(x *Index, key string, dns bool) question {
	q := question{index: x, find: func(client string) *record { return find(x, key, client, dns) }}
	for wider := range keysOf(key) {
		switch s := x.host(wider); {
		case s == nil:
		case wider == key:
			q.own = s.viewOf(dns)
		default:
			q.wider = append(q.wider, s.viewOf(dns))
		}
	}
	return q
}

func askAddress(x *Index, p netip.Prefix) question {
	q := question{index: x, find: func(client string) *record { return x.at(p, client) }}
	if s := x.address(p); s != nil {
		q.own = &s.view
	}
	for _, bits := range x.lengthsOf(p).desc {
		if bits >= p.Bits() {
			continue
		}
		if s := x.address(netip.PrefixFrom(p.Addr(), bits).Masked()); s != nil {
			q.wider = append(q.wider, &s.view)
		}
	}
	return q
}

// ask returns what a client gets, and whether it is of the name itself.
func (q *question) ask(client string) (ref Ref, here bool) {
	r := q.find(client)
	if r == nil {
		return Ref{}, false
	}
	if q.own != nil {
		own, _ := q.own.pick(client, q.index.hashName(client), false)
		here = own == r
	}
	return r.Ref, here
}

// canonical reports whether the name has an entry for those whom it does not
// single out.
func (q *question) canonical() bool { return q.own != nil && q.own.canonical != nil }

// An outcome is what a client gets before and after.
type outcome struct{ before, after Ref }

// A pair is the same question to both indexes.
type pair struct {
	q [2]question
	// ownFirst is not nil if own entries of wider views come before what the
	// name has for everyone. It has the clients for which these come or go.
	ownFirst map[string]bool
}

func (p *pair) ask(client string) (o outcome, here bool) {
	before, hereBefore := p.q[0].ask(client)
	after, hereAfter := p.q[1].ask(client)
	return outcome{before, after}, hereBefore || hereAfter
}

// changed returns what a client gets, and whether that is a change of this name
// rather than of a wider one.
func (p *pair) changed(client string) (o outcome, here bool) {
	o, here = p.ask(client)
	return o, here && o.before != o.after
}

// sameViews reports whether both ask the same views.
func (p *pair) sameViews(other *pair) bool {
	for i := range p.q {
		if p.q[i].own != other.q[i].own || !slices.Equal(p.q[i].wider, other.q[i].wider) {
			return false
		}
	}
	return true
}

// anyOther is a client that no choice is for, as it is no namespace.
const anyOther = "*"

// clients returns those for whom changed may say something else than for
// anyOther. The choices of wider views are among them only if they have to be:
// each of them is then a change, or an exception of one.
func (p *pair) clients() map[string]bool {
	set := make(map[string]bool)
	add := func(v *view) {
		for c := range v.choices.all {
			set[c.client] = true
		}
	}
	for i := range p.q {
		if p.q[i].own != nil {
			add(p.q[i].own)
		}
	}
	if !p.q[0].canonical() && !p.q[1].canonical() {
		return set // the others get what is of wider names
	}
	o, _ := p.ask(anyOther)
	if p.q[0].canonical() != p.q[1].canonical() || p.ownFirst != nil && o.before != o.after {
		for i := range p.q {
			for _, v := range p.q[i].wider {
				add(v)
			}
		}
	} else {
		maps.Copy(set, p.ownFirst)
	}
	return set
}

// changes returns the changes of a name. changed says what each of the clients
// gets and whether it is to be listed; the others are as anyOther.
func changes(name string, clients map[string]bool, changed func(client string) (outcome, bool)) []Change {
	others, listed := changed(anyOther)
	var except []string
	groups := make(map[outcome][]string)
	for _, client := range slices.Sorted(maps.Keys(clients)) {
		o, ok := changed(client)
		if listed && ok && o == others {
			continue
		}
		if listed {
			except = append(except, client)
		}
		if ok {
			groups[o] = append(groups[o], client)
		}
	}
	var list []Change
	if listed {
		list = append(list, Change{Name: name, Before: others.before, After: others.after, Except: except})
	}
	for _, o := range slices.SortedFunc(maps.Keys(groups), func(a, b outcome) int {
		return cmp.Or(a.before.Compare(b.before), a.after.Compare(b.after))
	}) {
		list = append(list, Change{Name: name, Before: o.before, After: o.after, Only: groups[o]})
	}
	return list
}
