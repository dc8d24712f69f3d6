package route

// Conditions as they are compiled, and whether they hold.

import (
	"strings"

	"github.com/readdress/readdress/internal/query"
)

// conditions is a Conditions: lists sorted, without repetition.
type conditions struct {
	scheme  string
	methods []string
	headers []condition
	cookies []condition
	query   []condition
}

type condition struct {
	Condition
	expr    expression   // of Matches
	tooLong *budgetError // for a value that expr cannot afford
}

// outranks reports whether routes with c come before those with d on one
// pattern.
func (c *conditions) outranks(d *conditions) bool {
	a, b := c.rank(), d.rank()
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

// rank returns the numbers that decide between conditions, the first first.
func (c *conditions) rank() [5]int {
	return [5]int{min(len(c.scheme), 1), min(len(c.methods), 1), len(c.headers), len(c.cookies), len(c.query)}
}

// A request is what conditions are about. It holds no pointer to the URL, which
// calls through r would send to the heap.
type request struct {
	scheme, query string
	r             Request
}

// choose returns the best of the routes that record.to says whose conditions
// hold; -1 if there is none. A nil req: none hold.
func (x *index) choose(to uint32, req *request) (int32, error) {
	if to&grouped == 0 {
		return int32(to), nil
	}
	members := x.group(to)
	for i := range members {
		m := &members[i]
		if m.when == 0 {
			return int32(m.route), nil
		}
		if req == nil {
			continue
		}
		lost, _, err := x.holds(&x.when[m.when], req)
		if err != nil {
			return -1, err
		}
		if lost == "" {
			return int32(m.route), nil
		}
	}
	return -1, nil
}

// holds returns an empty code if the conditions hold, else that of the first
// that does not and, in a list, its place there.
func (x *index) holds(c *conditions, req *request) (lost Code, at int, err error) {
	if c.scheme != "" && c.scheme != req.scheme {
		return LostScheme, 0, nil
	}
	if len(c.methods) > 0 && !c.hasMethod(req.r) {
		return LostMethod, 0, nil
	}
	for i := range c.headers {
		h := &c.headers[i]
		value, ok := header(req.r, h.Name)
		if held, err := h.holds(value, ok); err != nil || !held || req.r == nil {
			return LostHeader, i, err
		}
	}
	if len(c.cookies) > 0 {
		cookies, _ := header(req.r, "Cookie")
		for i := range c.cookies {
			value, ok := findCookie(cookies, c.cookies[i].Name)
			if held, err := c.cookies[i].holds(value, ok); err != nil || !held || req.r == nil {
				return LostCookie, i, err
			}
		}
	}
	for i := range c.query {
		raw, ok := query.Find(req.query, c.query[i].Name)
		if held, err := x.queryHolds(&c.query[i], raw, ok); err != nil || !held {
			return LostQuery, i, err
		}
	}
	return "", 0, nil
}

func (c *conditions) hasMethod(r Request) bool {
	if r == nil {
		return false
	}
	method := r.Method()
	for _, m := range c.methods {
		if m == method {
			return true
		}
	}
	return false
}

func header(r Request, name string) (value string, ok bool) {
	if r == nil {
		return "", false
	}
	return r.Header(name)
}

// findCookie returns the value of the first pair with the name.
func findCookie(cookies, name string) (value string, ok bool) {
	for cookies != "" {
		var pair string
		pair, cookies, _ = strings.Cut(cookies, ";")
		if key, value, ok := strings.Cut(strings.Trim(pair, " \t"), "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

// holds judges a value; ok is false if there is none.
func (c *condition) holds(value string, ok bool) (bool, error) {
	if !ok {
		return c.Test == Absent, nil
	}
	switch c.Test {
	case Equals:
		return value == c.Value, nil
	case BeginsWith:
		return strings.HasPrefix(value, c.Value), nil
	case Matches:
		if !c.expr.affords(value) {
			return false, c.tooLong
		}
		return c.expr.re.MatchString(value), nil
	}
	return c.Test == Present, nil
}

// queryHolds judges the value of a pair as it stands in the query.
func (x *index) queryHolds(c *condition, raw string, ok bool) (held bool, err error) {
	if !ok || c.Test == Present || c.Test == Absent || query.IsPlain(raw) {
		return c.holds(raw, ok)
	}
	if c.Test == Matches && !c.expr.affords(raw) {
		return false, c.tooLong
	}
	buf := x.buffer()
	value := query.AppendDecoded((*buf)[:0], raw)
	switch c.Test {
	case Equals:
		held = string(value) == c.Value
	case BeginsWith:
		held = len(value) >= len(c.Value) && string(value[:len(c.Value)]) == c.Value
	default:
		held = c.expr.re.Match(value)
	}
	*buf = value
	x.buffers.Put(buf)
	return held, nil
}
