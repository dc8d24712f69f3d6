package rewrite

// One pass over a query: which pairs stay, go, get another name or are added.

import "strings"

// A queryPass is a fused chain of query actions.
type queryPass struct {
	names  []string        // plain
	fates  []fate          // of the names
	texts  []string        // what pairs are renamed to, as written, behind a "&"
	others fate            // of all other keys, empty pairs and keys that do not decode
	raw    map[string]bool // keys that do not decode, to be dropped
	added  string          // "&name=value" for each appended pair
	idle   bool            // no pair can change
	direct []directName
	keys   keySet
}

// A directName is a name that a key without escapes is compared with before it
// is hashed: where there are few names, most keys are one of these as it stands.
type directName struct {
	name string
	fate fate
}

// fewNames is where hashing a key starts to cost less than comparing it.
const fewNames = 4

// regexQueries are the query parts of the templates whose expressions matched.
type regexQueries struct {
	first  regexQuery
	more   []regexQuery
	filled bool
}

type regexQuery struct {
	step int
	text string
}

func (q *regexQueries) add(step int, text string) {
	if !q.filled {
		q.first, q.filled = regexQuery{step, text}, true
	} else {
		q.more = append(q.more, regexQuery{step, text})
	}
}

func (q *regexQueries) of(step int) (text string, ok bool) {
	if q.filled && q.first.step == step {
		return q.first.text, true
	}
	for _, m := range q.more {
		if m.step == step {
			return m.text, true
		}
	}
	return "", false
}

// runQuery returns what query becomes behind the path that m has run; false if
// it would become too long.
func (m *machine) runQuery(query string) (string, bool) {
	if m.star {
		return query, true
	}
	none := query == ""
	stages := m.hook.query
	most := max(intermediate(m.hook.max), len(query))
	if len(stages) == 1 && stages[0].regex < 0 {
		most = m.hook.max // nothing follows that may cut it
	}
	for i := len(stages) - 1; i > 0; i-- {
		// What a template has replaced need not be made.
		if _, ok := m.queries.of(stages[i].regex); ok && !stages[i].own {
			stages = stages[i:]
			break
		}
	}
	for i := range stages {
		stage := &stages[i]
		if text, ok := m.queries.of(stage.regex); ok {
			switch {
			case !stage.own || none:
				query, none = text, text == ""
			case text != "":
				if len(text)+1+len(query) > most {
					return "", false
				}
				var w writer
				w.begin(m.s, len(text)+1+len(query))
				w.write(text)
				w.write("&")
				w.write(query)
				query = w.end()
			}
		}
		var ok bool
		if query, none, ok = stage.pass.run(query, none, most, m.s); !ok {
			return "", false
		}
	}
	return query, true
}

// A span is a run of pairs in the result, query[from:to]. If it begins with a
// renamed pair, from is the end of that pair's key, and text, from 1 on, is
// the new name's place in queryPass.texts.
type span struct {
	from, to int
	text     fate
}

// maxSpans is how many spans are found before any is written. A query with
// more is read twice: once for the length of the result, once to write it.
const maxSpans = 6

// run returns query after the pass. none says that the list of pairs is empty;
// a query "" may also be a list of one empty pair. ok is false if the result is
// not query and has more than most bytes, as far as that shows before memory is
// taken for it.
func (p *queryPass) run(query string, none bool, most int, s *Scratch) (out string, noneLeft, ok bool) {
	if none {
		return p.alone()
	}
	if p.idle {
		return p.addTo(query, query, most, s)
	}
	start := p.keys.next(query, 0) // the first pair that may have a fate of its own
	if start > len(query) {
		if p.others == drop {
			return p.alone()
		}
		return p.addTo(query, query, most, s)
	}

	end := pairEnd(query, start)
	f, key := p.fate(query[start:end])
	if f > keep && p.texts[f-1][1:] == query[start:start+key] {
		f = keep
	}
	if end < len(query) && p.keys.next(query, end+1) <= len(query) {
		return p.runMany(query, start, most, s)
	}
	// The usual case: one pair has a fate of its own.
	var a, text, b string
	switch {
	case p.others == drop && f == drop:
		return p.alone()
	case p.others == drop && f == keep:
		a = query[start:end]
	case p.others == drop:
		text, b = p.texts[f-1][1:], query[start+key:end]
	case f == keep:
		a = query
	case f != drop:
		a, text, b = query[:start], p.texts[f-1][1:], query[start+key:]
	case end < len(query):
		a, b = query[:start], query[end+1:]
	case start > 0:
		a = query[:start-1]
	default:
		return p.alone()
	}
	switch {
	case text == "" && b == "":
		return p.addTo(a, query, most, s)
	case text == "" && a == "":
		return p.addTo(b, query, most, s)
	case a == "":
		a, text = text, ""
	}
	size := len(a) + len(text) + len(b) + len(p.added)
	if p.tooLong(size, query, most) {
		return "", false, false
	}
	if text == "" && p.added == "" {
		return s.join(a, b), false, true
	}
	var w writer
	w.begin(s, size)
	w.write(a)
	w.write(text)
	w.write(b)
	w.write(p.added)
	return w.end(), false, true
}

// runMany is run for any query.
func (p *queryPass) runMany(query string, start, most int, s *Scratch) (out string, noneLeft, ok bool) {
	var spans [maxSpans]span
	n, at := p.scan(query, 0, start, spans[:])
	if at > len(query) {
		switch {
		case n == 0:
			return p.alone()
		case n == 1 && spans[0].text == keep:
			return p.addTo(query[spans[0].from:spans[0].to], query, most, s)
		}
	}
	size := p.size(spans[:n])
	if at <= len(query) {
		size += p.sizeFrom(query, at, max(most, len(query)))
	}
	size += len(p.added) - 1 // every span brings its separator, the first has none
	if p.tooLong(size, query, most) {
		return "", false, false
	}
	var w writer
	w.begin(s, size)
	for i := range spans[:n] {
		p.write(&w, query, &spans[i], i == 0)
	}
	for at <= len(query) {
		n, at = p.scan(query, at, p.keys.next(query, at), spans[:])
		for i := range spans[:n] {
			p.write(&w, query, &spans[i], false)
		}
	}
	w.write(p.added)
	return w.end(), false, true
}

// alone is the result of run where no pair is left but those that are added.
func (p *queryPass) alone() (out string, noneLeft, ok bool) {
	if p.added == "" {
		return "", true, true
	}
	return p.added[1:], false, true
}

// tooLong reports whether a result of size bytes is too long. One that may be
// query itself is not: with fewer pairs or other keys it is not, unless pairs
// that query ends in are added.
func (p *queryPass) tooLong(size int, query string, most int) bool {
	return size > most && (size != len(query) || p.added == "" || !strings.HasSuffix(query, p.added[1:]))
}

// addTo is the result of run where pairs is left.
func (p *queryPass) addTo(pairs, query string, most int, s *Scratch) (out string, noneLeft, ok bool) {
	switch {
	case p.added == "":
		return pairs, false, true
	case p.tooLong(len(pairs)+len(p.added), query, most):
		return "", false, false
	}
	return s.concat(pairs, p.added), false, true
}

// size returns the bytes of spans with a separator before each.
func (p *queryPass) size(spans []span) int {
	n := 0
	for i := range spans {
		n += spans[i].to - spans[i].from
		if t := spans[i].text; t != keep {
			n += len(p.texts[t-1])
		} else {
			n++
		}
	}
	return n
}

// sizeFrom is size for the spans of query from at on; more than most may be
// any number above it.
func (p *queryPass) sizeFrom(query string, at, most int) int {
	size := 0
	for at <= len(query) && size <= most {
		var spans [maxSpans]span
		var n int
		n, at = p.scan(query, at, p.keys.next(query, at), spans[:])
		size += p.size(spans[:n])
	}
	return size
}

// write writes a span with a separator, or without if it is the first. That
// separator is the "&" before the span in query: only the first has none.
func (p *queryPass) write(w *writer, query string, sp *span, first bool) {
	from := sp.from
	if sp.text != keep {
		text := p.texts[sp.text-1]
		if first {
			text = text[1:]
		}
		w.write(text)
	} else if !first {
		from--
	}
	w.write(query[from:sp.to])
}

// scan finds the spans of query from at on, as many as fit, and returns how
// many there are and where to go on; that is beyond query if it is done. start
// is what keys.next says of at.
func (p *queryPass) scan(query string, at, start int, spans []span) (n, next int) {
	open, sp := false, span{} // the last span, which may go on
	for {
		if start > at && p.others == keep { // the pairs before start stay
			if !open {
				if n == len(spans) {
					return n, at
				}
				open, sp = true, span{from: at}
			}
			sp.to = start - 1
		}
		f, key, end := drop, 0, 0
		if start <= len(query) {
			end = pairEnd(query, start)
			if f, key = p.fate(query[start:end]); f > keep && p.texts[f-1][1:] == query[start:start+key] {
				f = keep
			}
		}
		if open && (f != keep || start > at && p.others == drop) {
			spans[n] = sp
			n++
			open = false
		}
		if start > len(query) {
			return n, start
		}
		if f != drop {
			if !open {
				if n == len(spans) {
					return n, start
				}
				open, sp = true, span{from: start, text: f}
				if f > keep {
					sp.from += key
				}
			}
			sp.to = end
		}
		if at = end + 1; at <= len(query) {
			start = p.keys.next(query, at)
		} else {
			start = at
		}
	}
}

// fate returns what becomes of a pair that may have a name as its key, and the
// length of that key.
func (p *queryPass) fate(pair string) (f fate, key int) {
	for i := range p.direct {
		d := &p.direct[i]
		if n := len(d.name); n < len(pair) && pair[n] == '=' && pair[:n] == d.name {
			return d.fate, n
		}
	}
	i, key := p.keys.find(pair)
	if i >= 0 {
		return p.fates[i], key
	}
	if i == badKey && p.raw[pair[:key]] {
		return drop, key
	}
	return p.others, key
}
