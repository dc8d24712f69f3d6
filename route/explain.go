package route

// Explain: every route that had a chance, and why it lost.

import (
	"fmt"
	"iter"

	"github.com/readdress/readdress/rewrite"
)

// A Code says what became of a candidate.
type Code string

const (
	Chosen       Code = "chosen"   // it is what Match finds
	LostPath     Code = "path"     // the path does not match
	LostScheme   Code = "scheme"   // another scheme
	LostMethod   Code = "method"   // none of the methods, or no Request
	LostHeader   Code = "header"   // a condition on a header does not hold
	LostCookie   Code = "cookie"   // a condition on a cookie does not hold
	LostQuery    Code = "query"    // a condition on the query does not hold
	LostRank     Code = "rank"     // it matches, and a better one does too
	LostHost     Code = "host"     // it matches, and a better host keeps the request from it
	LostConflict Code = "conflict" // an earlier route has the same pattern and conditions
	LostBudget   Code = "budget"   // a regular expression could take too long: the lookup ends here, if not before
	LostEnd      Code = "end"      // it matches, and the lookup ended before
)

// A Candidate is a route that the host of a request meets.
type Candidate struct {
	Route   int     // index in the slice given to NewTable
	Pattern Pattern // as requests are compared with it
	Code    Code
	Detail  string // what did not hold, or which route won; may be empty
}

// String returns the candidate in one line.
func (c Candidate) String() string {
	s := fmt.Sprintf("route %d %v: %s", c.Route, c.Pattern, c.Code)
	if c.Detail != "" {
		s += ": " + c.Detail
	}
	return s
}

// Explain returns every route of every host that u meets, best first, with the
// reason why it was not chosen. The one that is Chosen, if any, is what Match
// finds. It is for tools: it allocates, and takes time linear in the routes of
// these hosts.
func (t *Table[T]) Explain(u *rewrite.URL, r Request) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if t.empty() || u == nil || u.Path == "" || u.Path[0] != '/' {
			return
		}
		e := explainer{x: &t.index, path: u.Path, req: request{u.Scheme, u.RawQuery, r}, yield: yield}
		if len(e.x.clashes) > 0 {
			e.losers = map[uint32][]uint32{}
			for _, c := range e.x.clashes {
				e.losers[c.winner] = append(e.losers[c.winner], c.loser)
			}
		}
		var s hostSearch
		for h := e.x.firstHost(&s, u.Host); h >= 0; h = e.x.nextHost(&s) {
			if !e.host(h) {
				return
			}
			e.behind = !e.x.tryNext
		}
	}
}

// An explainer is one Explain.
type explainer struct {
	x      *index
	path   string
	req    request
	yield  func(Candidate) bool
	behind bool                // the host is not the best, and that is the only one asked
	code   Code                // of what matches from now on: LostRank or LostEnd; empty: Chosen
	detail string              // of that
	losers map[uint32][]uint32 // of conflicts, by winner
}

// host yields the routes of a host and reports whether to go on.
func (e *explainer) host(h int32) bool {
	for i := range e.x.run(h) {
		r := &e.x.run(h)[i]
		pattern := e.x.pattern(h, r)
		matched, err := e.x.matches(r, e.path)
		for _, m := range e.x.routes(r) {
			c := Candidate{Route: int(m.route), Pattern: pattern, Code: LostPath}
			if matched || err != nil {
				c.Code, c.Detail = e.judge(&m, err)
			}
			if !e.yield(c) || !e.conflicts(m.route, pattern) {
				return false
			}
		}
	}
	return true
}

// judge returns what becomes of a route whose path matches, or could not be
// matched because of err.
func (e *explainer) judge(m *member, err error) (Code, string) {
	c := &e.x.when[m.when]
	var lost Code
	at := 0
	if err == nil {
		lost, at, err = e.x.holds(c, &e.req)
	}
	switch {
	case err != nil:
		if e.code == "" && !e.behind {
			e.code, e.detail = LostEnd, fmt.Sprintf("route %d ended the lookup", m.route)
		}
		return LostBudget, err.Error()
	case lost != "":
		return lost, c.detail(lost, at, &e.req)
	case e.code != "":
		return e.code, e.detail
	case e.behind:
		return LostHost, "a better host is in the table, and Options.TryNextHost is not set"
	}
	e.code, e.detail = LostRank, fmt.Sprintf("route %d comes before it", m.route)
	return Chosen, ""
}

// conflicts yields the routes that conflict with a better one.
func (e *explainer) conflicts(winner uint32, pattern Pattern) bool {
	for _, loser := range e.losers[winner] {
		detail := fmt.Sprintf("route %d has the same pattern and conditions", winner)
		if !e.yield(Candidate{int(loser), pattern, LostConflict, detail}) {
			return false
		}
	}
	return true
}

// detail says what did not hold.
func (c *conditions) detail(lost Code, at int, req *request) string {
	switch lost {
	case LostScheme:
		return fmt.Sprintf("%q is not %s", req.scheme, c.scheme)
	case LostMethod:
		if req.r == nil {
			return "there is no Request"
		}
		return fmt.Sprintf("%s is none of %q", quote(req.r.Method()), c.methods)
	}
	list := c.query
	switch lost {
	case LostHeader:
		list = c.headers
	case LostCookie:
		list = c.cookies
	}
	if lost != LostQuery && req.r == nil {
		return list[at].String() + ": there is no Request"
	}
	return list[at].String()
}
