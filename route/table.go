package route

// Table: the questions that a request asks.

import (
	"iter"

	"github.com/readdress/readdress/rewrite"
)

// A Route is a pattern, conditions, and what the caller wants to know about the
// requests that match both.
type Route[T any] struct {
	Pattern Pattern
	When    Conditions
	Value   T
}

// Options are what a table can do another way. A nil *Options is the zero
// Options.
type Options struct {
	// AnyDepthWildcard lets a wildcard host stand for every name below its own,
	// however deep, as the Gateway API says. Ingress says: one label.
	AnyDepthWildcard bool
	// TryNextHost goes on with the next best host when no route of the best
	// matches. Ingress does not.
	TryNextHost bool
	// Regexp bounds regular expressions, of paths and of conditions.
	Regexp rewrite.RegexpLimits
}

// A Table finds the route of a request. It is immutable and safe for concurrent
// use: swap whole tables through an atomic.Pointer. A nil *Table and the zero
// Table find nothing.
//
// A lookup does not allocate, regular expressions apart, which take memory from
// pools. Its cost grows with the shorter of the path and the longest path of
// the host, and with what is tried one by one: the conditions of the routes
// whose path matches, until some hold, and the regular expressions of the host.
// It does not grow with the number of routes. A condition on a cookie or on the
// query reads all of them. Options.TryNextHost can make it the cost of several
// hosts: one for each label of the request's at most.
//
// A regular expression on a text so long that it could cost more than
// Options.Regexp.Budget ends the lookup: it finds nothing, because another
// answer would let a client choose its route by the length of a path.
type Table[T any] struct {
	index  index
	values []T
}

// empty reports whether there is nothing to find.
func (t *Table[T]) empty() bool { return t == nil || len(t.values) == 0 }

// NewTable makes a table. It copies what it keeps. The order of routes counts
// where nothing else decides; routes that an earlier one of equal pattern and
// conditions keeps from being chosen are what Conflicts returns, and no error.
//
// The error is a RouteErrors with every fault of every route; the table is
// never nil and has the routes without a fault. A nil opts is the zero Options.
//
// It takes time linear in the text of the routes, but for sorting those of one
// host, and keeps at most 64 bytes a route beside their text and values; each
// different regular expression and list of conditions is kept once more.
func NewTable[T any](routes []Route[T], opts *Options) (*Table[T], error) {
	t := &Table[T]{values: make([]T, len(routes))}
	b := newBuilder(len(routes), opts)
	for i := range routes {
		b.add(i, &routes[i].Pattern, &routes[i].When)
		t.values[i] = routes[i].Value
	}
	b.build(&t.index)
	if len(b.errs) > 0 {
		return t, b.errs
	}
	return t, nil
}

// Lookup returns the value of the best route without conditions for host[:port]
// and an escaped path, as they stand in a clean URL: letter case, port and one
// final dot of the host do not count. It is Match for a request of which no
// condition holds: a host that has only routes with conditions still keeps its
// requests from the next best host.
func (t *Table[T]) Lookup(host, path string) (value T, ok bool) {
	if t.empty() {
		return value, false
	}
	i, _ := t.index.find(host, path, nil)
	if i < 0 {
		return value, false
	}
	return t.values[i], true
}

// Match returns the value of the best route for u, which Input.Clean has
// accepted, and r, which may be nil. A nil u and the path "*" match nothing.
func (t *Table[T]) Match(u *rewrite.URL, r Request) (value T, ok bool) {
	value, err := t.match(u, r)
	return value, err == nil
}

func (t *Table[T]) match(u *rewrite.URL, r Request) (value T, err error) {
	if t.empty() || u == nil {
		return value, ErrNoRoute
	}
	req := request{u.Scheme, u.RawQuery, r}
	i, err := t.index.find(u.Host, u.Path, &req)
	switch {
	case err != nil:
		return value, err
	case i < 0:
		return value, ErrNoRoute
	}
	return t.values[i], nil
}

// Route is Match with the BeforeLocation hook: it matches, applies the program
// that before returns for what it found, and, if that changed u, matches once
// more. The rules that the second route has for BeforeLocation are not run. The
// Result is that of the hook. A nil before, and one that returns nil, leave u
// alone.
//
// The error is ErrNoRoute, to be answered with 404, or one that matches
// rewrite.ErrRefused, to be answered with 400; rewrite.ErrBudget is one of
// these. On error u is as it was.
func (t *Table[T]) Route(u *rewrite.URL, r Request, before func(T) *rewrite.Program, s *rewrite.Scratch) (T, rewrite.Result, error) {
	var none T
	value, err := t.match(u, r)
	if err != nil {
		return none, rewrite.Result{}, err
	}
	if before == nil {
		return value, rewrite.Result{}, nil
	}
	was := *u
	result, err := before(value).Apply(rewrite.BeforeLocation, u, s)
	if err != nil {
		return none, rewrite.Result{}, err
	}
	if result.Changed() == 0 {
		return value, result, nil
	}
	if value, err = t.match(u, r); err != nil {
		*u = was
		return none, rewrite.Result{}, err
	}
	return value, result, nil
}

// All returns the routes but for the losers of conflicts, with their patterns
// as requests are compared with them: hosts as they were first declared, and
// those of one host in order of precedence.
func (t *Table[T]) All() iter.Seq2[Pattern, T] {
	return func(yield func(Pattern, T) bool) {
		if t == nil {
			return
		}
		for h := range t.index.hostCount() {
			for i := range t.index.run(h) {
				r := &t.index.run(h)[i]
				for _, m := range t.index.routes(r) {
					if !yield(t.index.pattern(h, r), t.values[m.route]) {
						return
					}
				}
			}
		}
	}
}

// find returns the best route for a request; -1 if there is none. A nil req: no
// condition holds.
func (x *index) find(host, path string, req *request) (int32, error) {
	if path == "" || path[0] != '/' {
		return -1, nil
	}
	var s hostSearch
	for h := x.firstHost(&s, host); h >= 0; h = x.nextHost(&s) {
		if i, err := x.inHost(h, path, req); i >= 0 || err != nil || !x.tryNext {
			return i, err
		}
	}
	return -1, nil
}

// hostCount returns the number of hosts, without the one that ends the last.
func (x *index) hostCount() int32 { return int32(len(x.hosts) - 1) }
