package route

// Which record of a host matches a path, by trying each. Hosts with more than
// fewRecords leave it to a large.

import (
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
)

// fewRecords is how many records of a host are scanned.
const fewRecords = 64

// inHost returns the route of a host for path; -1 if it has none. A nil req is
// a lookup without conditions.
func (x *index) inHost(h int32, path string, req *request) (int32, error) {
	host := &x.hosts[h]
	records := x.run(h)
	if host.large != 0 {
		route, err := x.inLarge(&x.large[host.large-1], host.longest(), path, req)
		if route >= 0 || err != nil {
			return route, err
		}
		return x.scanSlow(x.records[host.regex:x.hosts[h+1].first], path, req)
	}
	// An escape behind the longest path is none that a record has, regular
	// expressions aside.
	if hasEscape(path[:min(len(path), int(host.longest()))]) {
		return x.scanSlow(records, path, req)
	}
	for i := range records {
		r := &records[i]
		n := int(r.size >> typeBits)
		if n > len(path) || n >= 4 && load32(path, n-4) != r.tail {
			continue // most end here, so that the next branches are foreseen
		}
		switch r.size & typeMask {
		case uint32(Exact):
			if n != len(path) {
				continue
			}
		case uint32(Prefix):
			if n < len(path) && path[n] != '/' {
				continue
			}
		case uint32(RegexFirst):
			if route, err := x.scanSlow(records[i:i+1], path, req); route >= 0 || err != nil {
				return route, err
			}
			continue
		case uint32(Regex):
			return x.scanSlow(records[i:], path, req)
		}
		if path[:n] != x.pathOf(r) {
			continue
		}
		if r.to&grouped == 0 {
			return int32(r.to), nil
		}
		if route, err := x.choose(r.to, req); route >= 0 || err != nil {
			return route, err
		}
	}
	return -1, nil
}

// scanSlow is the scan of inHost for any record and any path.
func (x *index) scanSlow(records []record, path string, req *request) (int32, error) {
	for i := range records {
		ok, err := x.matches(&records[i], path)
		if err != nil {
			return -1, err
		}
		if !ok {
			continue
		}
		if route, err := x.choose(records[i].to, req); route >= 0 || err != nil {
			return route, err
		}
	}
	return -1, nil
}

// hasEscape reports whether path has a "%". Paths are short: eight bytes at a
// time cost less than a call.
func hasEscape(path string) bool {
	if len(path) < 8 || len(path) > 64 {
		return strings.IndexByte(path, '%') >= 0
	}
	const ones, highs, percents = 0x0101010101010101, 0x8080808080808080, '%' * 0x0101010101010101
	var found uint64
	for i := 0; i+8 < len(path); i += 8 {
		w := load64(path, i) ^ percents
		found |= (w - ones) &^ w
	}
	w := load64(path, len(path)-8) ^ percents
	return (found|(w-ones)&^w)&highs != 0
}

// matches reports whether the path of one record matches.
func (x *index) matches(r *record, path string) (bool, error) {
	switch r.pathType() {
	case Prefix:
		_, ok := escape.CutSegments(path, x.pathOf(r), false)
		return ok, nil
	case Exact:
		n, ok := escape.CutPrefix(path, x.pathOf(r), false)
		return ok && n == len(path), nil
	case TextPrefix:
		_, ok := escape.CutPrefix(path, x.pathOf(r), false)
		return ok, nil
	}
	e := &x.exprs[r.path]
	if e.every {
		return true, nil
	}
	if !e.affords(path) { // no match instead would let the path choose the route
		return false, rewrite.ErrBudget
	}
	if !hasEscapedLetter(path) {
		return e.re.MatchString(path), nil
	}
	buf := x.buffer()
	*buf = escape.AppendNormal((*buf)[:0], path, false)
	ok := e.re.Match(*buf)
	x.buffers.Put(buf)
	return ok, nil
}

// hasEscapedLetter reports whether the normal form of path is another text.
func hasEscapedLetter(path string) bool {
	for i := strings.IndexByte(path, '%'); i >= 0 && i < len(path); i++ {
		if c, ok := escape.Octet(path, i); ok && escape.IsUnreserved(c) {
			return true
		}
	}
	return false
}
