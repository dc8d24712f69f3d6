package route

// The builder: from routes to an index, in time linear in their text but for
// sorting the routes of one host.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

type builder struct {
	opts Options
	at   int // route
	errs RouteErrors

	text    []byte
	hosts   []host
	hostIDs map[string]uint32 // by name, and by other spellings of it
	paths   map[string]uint32 // offsets in text
	exprs   []expression
	exprIDs map[string]uint32
	when    []conditions
	whenIDs map[string]uint32
	items   []item

	lastHost string // of the route before, which is often the same
	lastID   uint32
}

// An item is a route on its way into the index.
type item struct {
	key   uint64 // orders the items of a host; equal for equal patterns
	path  uint32 // as record.path
	size  uint32 // as record.size
	route uint32
	when  uint32
	host  uint32
}

// newBuilder returns a builder for so many routes.
func newBuilder(routes int, opts *Options) *builder {
	b := &builder{
		items:   make([]item, 0, routes),
		hostIDs: map[string]uint32{},
		paths:   make(map[string]uint32, routes/2),
		exprIDs: map[string]uint32{},
		when:    make([]conditions, 1),
		whenIDs: map[string]uint32{},
	}
	if opts != nil {
		b.opts = *opts
	}
	return b
}

func (b *builder) fail(field string, err error) {
	b.errs = append(b.errs, &RouteError{b.at, field, err})
}

func (b *builder) failf(field, format string, args ...any) {
	b.fail(field, fmt.Errorf(format, args...))
}

// add adds a route, or its faults.
func (b *builder) add(i int, p *Pattern, w *Conditions) {
	b.at = i
	faults := len(b.errs)
	if i >= maxIndex {
		b.failf("Pattern", "too many routes: at most %d", maxIndex)
		return
	}
	it := item{route: uint32(i), host: b.host(p.Host)}
	switch {
	case !p.Type.valid():
		b.failf("Pattern.Type", "unknown %v: write Prefix, Exact, TextPrefix, Regex or RegexFirst", p.Type)
	case p.Type.isRegex():
		b.regex(&it, p)
	default:
		path, err := canonicalPath(p.Path, p.Type)
		if err == nil {
			it.path, err = b.intern(path)
		}
		if err != nil {
			b.fail("Pattern.Path", err)
		}
		it.size = uint32(len(path))<<typeBits | uint32(p.Type)
		it.key = pathKey(&it, p.Type, len(path))
	}
	it.when = b.conditions(w)
	if len(b.errs) == faults {
		b.items = append(b.items, it)
	}
}

// The classes of item keys, in order of precedence.
const (
	exactKey = iota << 62
	regexFirstKey
	prefixKey // both kinds
	regexKey
)

// pathKey returns the key of a path of n bytes: exact ones first, then long
// ones, then Prefix. "/" has one byte, although as a Prefix none is left of it.
func pathKey(it *item, t PathType, n int) uint64 {
	key := uint64(it.path)
	if t == Exact {
		return exactKey | key
	}
	if t == TextPrefix {
		key |= 1 << 32
	}
	return prefixKey | uint64(1<<28-max(n, 1))<<33 | key
}

// host returns the index of a host, which is new if its name is.
func (b *builder) host(spelling string) uint32 {
	if len(b.hosts) > 0 && spelling == b.lastHost {
		return b.lastID
	}
	id, ok := b.hostIDs[spelling]
	if !ok {
		name, err := canonicalHost(spelling)
		if err == nil {
			id, err = b.newHost(name)
		}
		if err != nil {
			b.fail("Pattern.Host", err)
			return 0
		}
		b.hostIDs[spelling] = id
	}
	b.lastHost, b.lastID = spelling, id
	return id
}

// newHost returns the index of the host with a canonical name.
func (b *builder) newHost(name string) (uint32, error) {
	key := name
	if name != "" && name[0] == '.' {
		key = "*" + name
	}
	if id, ok := b.hostIDs[key]; ok {
		return id, nil
	}
	at, err := b.append(name)
	if err != nil {
		return 0, err
	}
	id := uint32(len(b.hosts))
	b.hosts = append(b.hosts, host{name: at, sizes: uint32(len(name))})
	b.hostIDs[key] = id
	return id, nil
}

// intern returns the offset of a path in the text.
func (b *builder) intern(path string) (uint32, error) {
	at, ok := b.paths[path]
	if !ok {
		var err error
		if at, err = b.append(path); err != nil {
			return 0, err
		}
		b.paths[path] = at
	}
	return at, nil
}

func (b *builder) append(s string) (uint32, error) {
	if uint64(len(b.text))+uint64(len(s)) > math.MaxUint32 {
		return 0, errors.New("the names and paths of the table have more than 4 GiB")
	}
	b.text = append(b.text, s...)
	return uint32(len(b.text) - len(s)), nil
}

// regex fills in an item whose path is a regular expression. Its key is set
// when the host is built, for it depends on the other routes of the host.
func (b *builder) regex(it *item, p *Pattern) {
	it.size, it.key = uint32(p.Type), regexKey
	if p.Type == RegexFirst {
		it.key = regexFirstKey
	}
	text := p.Path
	id, ok := b.exprIDs[text]
	if !ok {
		if text != "" && text[0] != '/' {
			b.fail("Pattern.Path", noSlashExpr(text))
			return
		}
		e, err := compilePath(text, b.opts.Regexp)
		if err != nil {
			b.fail("Pattern.Path", err)
			return
		}
		id = uint32(len(b.exprs))
		b.exprIDs[text] = id
		b.exprs = append(b.exprs, e)
	}
	it.path = id
}

// build fills in the index.
func (b *builder) build(x *index) {
	*x = index{text: string(b.text), exprs: b.exprs, when: b.when, anyHost: -1, seed: rand.Uint64(),
		anyDepth: b.opts.AnyDepthWildcard, tryNext: b.opts.TryNextHost}
	x.hosts = append(make([]host, 0, len(b.hosts)+1), b.hosts...)
	x.hosts = append(x.hosts, host{})
	x.records = make([]record, 0, len(b.items))
	items, ends := b.byHost()
	from := 0
	for h := range b.hosts {
		x.addHost(h, items[from:ends[h]])
		from = ends[h]
	}
	x.hosts[len(b.hosts)].first = uint32(len(x.records))
	if x.groups != nil {
		x.groups = append(x.groups, uint32(len(x.members)))
	}
	x.records = slices.Clip(x.records)
	slices.SortFunc(x.clashes, func(a, b clash) int { return cmp.Compare(a.loser, b.loser) })
	x.hashHosts()
	x.hashPaths()
}

// byHost returns the items sorted by host, in the order of declaration within
// one, and where those of each host end.
func (b *builder) byHost() (items []item, ends []int) {
	ends = make([]int, len(b.hosts)+1)
	for i := range b.items {
		ends[b.items[i].host+1]++
	}
	for h := range b.hosts {
		ends[h+1] += ends[h]
	}
	items = make([]item, len(b.items))
	for i := range b.items {
		at := &ends[b.items[i].host]
		items[*at] = b.items[i]
		*at++
	}
	return items, ends[:len(b.hosts)]
}

// addHost adds the records of a host.
func (x *index) addHost(h int, items []item) {
	var firsts map[uint64]uint32 // of a class and an expression: the first route that has both
	for i := range items {
		if it := &items[i]; it.key == regexKey || it.key == regexFirstKey {
			if firsts == nil {
				firsts = map[uint64]uint32{}
			}
			both := it.key | uint64(it.path)
			if _, ok := firsts[both]; !ok {
				firsts[both] = it.route
			}
			it.key |= uint64(firsts[both])
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(a.route, b.route)
	})
	host := &x.hosts[h]
	host.first = uint32(len(x.records))
	host.regex = host.first
	longest := uint32(0)
	for len(items) > 0 {
		n := 1
		for n < len(items) && items[n].key == items[0].key {
			n++
		}
		x.addRecord(items[:n])
		if items[0].key < regexKey {
			host.regex = uint32(len(x.records))
			longest = max(longest, items[0].size>>typeBits)
		}
		items = items[n:]
	}
	host.sizes |= longest << nameBits
}

// addRecord adds the record of a pattern with its routes, in the order of their
// declaration, and notes those that can never be chosen.
func (x *index) addRecord(items []item) {
	r := record{path: items[0].path, size: items[0].size, to: items[0].route}
	if n := r.size >> typeBits; n >= 4 {
		r.tail = load32(x.text, int(r.path+n-4))
	}
	if len(items) > 1 || items[0].when != 0 {
		first := len(x.members)
		winners := map[uint32]uint32{}
		for _, it := range items {
			if winner, ok := winners[it.when]; ok {
				x.clashes = append(x.clashes, clash{winner, it.route, uint32(len(x.records)), it.when})
				continue
			}
			winners[it.when] = it.route
			x.members = append(x.members, member{it.route, it.when})
		}
		members := x.members[first:]
		slices.SortStableFunc(members, func(a, b member) int {
			switch {
			case x.when[a.when].outranks(&x.when[b.when]):
				return -1
			case x.when[b.when].outranks(&x.when[a.when]):
				return 1
			}
			return 0
		})
		if len(members) == 1 && members[0].when == 0 {
			x.members = x.members[:first]
		} else {
			r.to = grouped | uint32(len(x.groups))
			x.groups = append(x.groups, uint32(first))
		}
	}
	x.records = append(x.records, r)
}

// hashHosts makes the hash table of the hosts.
func (x *index) hashHosts() {
	x.names = newHashed(int(x.hostCount()) + 1) // a slot is always free
	for h := range x.hostCount() {
		if len(x.run(h)) == 0 {
			continue // all of its routes are at fault
		}
		name := x.nameOf(h)
		if name == "" {
			x.anyHost = h
			continue
		}
		if name[0] == '.' {
			x.wildcards.add(len(name))
		}
		x.names.insert(hashHost(name, x.seed), uint32(h))
	}
}
