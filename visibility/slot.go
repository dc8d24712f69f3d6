package visibility

// Which of the entries that have the same host or address each client gets.

import "net/netip"

// A slot is the entries that have the same key. It is immutable.
type slot struct {
	view       view
	dns        *view     // the view of those with an address; nil if that is all of them
	candidates []*record // every one, hidden ones too, in the order of record.compare
}

// A hostSlot is the slot of a name, or of a wildcard by what it stands before,
// dot included.
type hostSlot struct {
	name string
	slot
}

// An addressSlot is the slot of a canonical prefix.
type addressSlot struct {
	prefix netip.Prefix
	slot
}

// A view says in advance what each client gets, so that a lookup costs the same
// however many entries are hidden from it.
type view struct {
	canonical *record // for all whom no choice is for; nil: nothing
	choices   choices // for those who get something else, or this one because it is theirs
	any       *record // the first that anybody may see
}

// viewOf returns the view for LookupHost or for LookupDNS.
func (s *slot) viewOf(dns bool) *view {
	if dns && s.dns != nil {
		return s.dns
	}
	return &s.view
}

// pick returns what a client gets, whose record is nil if that is nothing, and
// whether that is because of the client's namespace. An unknown client gets the
// canonical entry, and with all any other rather than nothing.
func (v *view) pick(client string, hash uint64, all bool) (r *record, own bool) {
	if c := v.choices.find(client, hash); c != nil {
		return c.record, c.own
	}
	if v.canonical == nil && all && client == "" {
		return v.any, false
	}
	return v.canonical, false
}

// newSlot makes the slot of the candidates, which must be in order. With
// headless, entries without an address are an answer to DNS too.
func (x *Index) newSlot(candidates []*record, headless bool) slot {
	s := slot{candidates: candidates}
	published := x.published(candidates)
	s.view = x.newView(published)
	if headless {
		return s
	}
	answers := make([]*record, 0, len(published))
	for _, r := range published {
		if len(r.addresses) > 0 {
			answers = append(answers, r)
		}
	}
	if len(answers) < len(published) {
		v := x.newView(answers)
		s.dns = &v
	}
	return s
}

// published returns the candidates that a data plane is told of: those that
// anybody may see and, as ambient has one service a host and namespace, there
// only the first of each namespace.
func (x *Index) published(candidates []*record) []*record {
	list := make([]*record, 0, len(candidates))
	var seen map[string]bool
	if x.plane == Ambient && len(candidates) > 1 {
		seen = make(map[string]bool, len(candidates))
	}
	for _, r := range candidates {
		if r.scope.nobody() || seen[r.Namespace] {
			continue
		}
		if seen != nil {
			seen[r.Namespace] = true
		}
		list = append(list, r)
	}
	return list
}

// newView says who gets which of the published candidates: the first of the
// client's own namespace, else the first that it may see.
func (x *Index) newView(published []*record) view {
	var v view
	var served map[string]bool // namespaces in which a Service comes first, though it is not preferred
	for _, r := range published {
		if v.any == nil {
			v.any = r
		}
		if r.scope.everyone {
			if v.canonical == nil {
				v.canonical = r
			}
			if x.plane != Gateway {
				v.prefer(r.Namespace, x.hashName(r.Namespace), r, true)
			} else if r.Kind == Service {
				if served == nil {
					served = make(map[string]bool)
				}
				served[r.Namespace] = true
			}
			continue
		}
		for _, client := range r.scope.names {
			own := client == r.Namespace && (r.Kind == Service || !served[client])
			if own || v.canonical == nil {
				v.prefer(client, x.hashName(client), r, own)
			}
		}
	}
	return v
}

// prefer notes that a client gets r unless an earlier choice is as good.
func (v *view) prefer(client string, hash uint64, r *record, own bool) {
	c := v.choices.find(client, hash)
	switch {
	case c == nil:
		v.choices.add(choice{hash, r, client, own})
	case own && !c.own:
		c.record, c.own = r, true
	}
}

// A choice is what one client gets.
type choice struct {
	hash   uint64 // of client
	record *record
	client string
	own    bool // the record is preferred for being of the client's namespace
}

// choices are choices by client. The usual one is at hand, and several are in a
// hash table.
type choices struct {
	only choice
	many []choice // a power of two, half of it empty
	len  int
}

func (s *choices) find(client string, hash uint64) *choice {
	if s.many == nil {
		if s.only.hash == hash && s.only.client == client && s.only.record != nil {
			return &s.only
		}
		return nil
	}
	if c := s.cell(client, hash); c.record != nil {
		return c
	}
	return nil
}

// cell returns the cell of a client, or the empty one where it would be.
func (s *choices) cell(client string, hash uint64) *choice {
	for i := int(hash); ; i++ {
		c := &s.many[i&(len(s.many)-1)]
		if c.record == nil || c.hash == hash && c.client == client {
			return c
		}
	}
}

// add adds the choice of a client that has none.
func (s *choices) add(c choice) {
	s.len++
	if s.len == 1 {
		s.only = c
		return
	}
	if 2*s.len > len(s.many) {
		old := s.many
		if old == nil {
			old = []choice{s.only}
		}
		s.many = make([]choice, max(4, 2*len(s.many)))
		for _, c := range old {
			if c.record != nil {
				*s.cell(c.client, c.hash) = c
			}
		}
	}
	*s.cell(c.client, c.hash) = c
}

// all goes through the choices in no order.
func (s *choices) all(yield func(*choice) bool) {
	if s.len == 1 {
		yield(&s.only)
		return
	}
	for i := range s.many {
		if s.many[i].record != nil && !yield(&s.many[i]) {
			return
		}
	}
}
