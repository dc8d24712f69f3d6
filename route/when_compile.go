package route

// Conditions from what the caller wrote to what is compiled: every fault, and
// one text for conditions that are equal.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/token"
)

// conditions compiles w and returns its index, equal for equal conditions.
func (b *builder) conditions(w *Conditions) uint32 {
	if w.Scheme == "" && len(w.Methods)+len(w.Headers)+len(w.Cookies)+len(w.Query) == 0 {
		return 0
	}
	c := conditions{scheme: w.Scheme}
	if w.Scheme != "" && w.Scheme != "http" && w.Scheme != "https" {
		b.failf("When.Scheme", "%s: write http or https, in lower case", quote(w.Scheme))
	}
	for i, m := range w.Methods {
		if err := checkToken(m, "a method", "GET"); err != nil {
			b.fail(fmt.Sprintf("When.Methods[%d]", i), err)
		}
	}
	c.methods = slices.Compact(slices.Sorted(slices.Values(w.Methods)))
	c.headers = b.list("Headers", w.Headers)
	c.cookies = b.list("Cookies", w.Cookies)
	c.query = b.list("Query", w.Query)

	key := fmt.Sprintf("%q %q %q %q %q", c.scheme, c.methods, keys(c.headers), keys(c.cookies), keys(c.query))
	i, ok := b.whenIDs[key]
	if !ok {
		i = uint32(len(b.when))
		b.whenIDs[key] = i
		b.when = append(b.when, c)
	}
	return i
}

// list compiles one of the lists: Headers, Cookies or Query.
func (b *builder) list(name string, in []Condition) []condition {
	var out []condition
	for i, c := range in {
		field := fmt.Sprintf("When.%s[%d]", name, i)
		what := "header"
		switch name {
		case "Headers":
			if err := checkToken(c.Name, "a header", "X-Canary"); err != nil {
				b.fail(field+".Name", err)
			}
			c.Name = headerName(c.Name)
		case "Cookies":
			what = "cookie"
			if err := checkToken(c.Name, "a cookie", "session"); err != nil {
				b.fail(field+".Name", err)
			}
		case "Query":
			what = "query pair"
			if c.Name == "" {
				b.failf(field+".Name", "the name is empty: write that of a query pair, decoded, such as debug")
			}
		}
		done := condition{Condition: c}
		switch c.Test {
		case Equals, BeginsWith:
		case Matches:
			var err error
			if done.expr, err = compileValue(c.Value, b.opts.Regexp); err != nil {
				b.fail(field+".Value", err)
			}
			done.tooLong = &budgetError{what + " " + quote(c.Name)}
		case Present, Absent:
			if c.Value != "" {
				b.failf(field+".Value", "%s: %s compares no value: leave it empty", quote(c.Value), c.Test)
			}
		default:
			b.failf(field+".Test", "unknown %v: write Equals, BeginsWith, Matches, Present or Absent", c.Test)
		}
		out = append(out, done)
	}
	slices.SortFunc(out, func(a, b condition) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Test, b.Test), strings.Compare(a.Value, b.Value))
	})
	return slices.CompactFunc(out, func(a, b condition) bool { return a.Condition == b.Condition })
}

func keys(list []condition) (out []string) {
	for _, c := range list {
		out = append(out, c.Condition.String(), c.Value) // String shortens the value
	}
	return out
}

// headerName returns name in the form of package net/http, such as X-Canary.
func headerName(name string) string {
	b := []byte(name)
	first := true
	for i, c := range b {
		switch {
		case first && 'a' <= c && c <= 'z':
			b[i] = c &^ 0x20
		case !first && 'A' <= c && c <= 'Z':
			b[i] = c | 0x20
		}
		first = c == '-'
	}
	return string(b)
}

// checkToken reports why s is not a token, such as example, which the name of
// what must be.
func checkToken(s, what, example string) error {
	if s == "" {
		return fmt.Errorf("the name is empty: write that of %s, such as %s", what, example)
	}
	if i := token.Bad(s); i >= 0 {
		return fmt.Errorf("%s is not the name of %s, which has no %+q (offset %d): write one such as %s", quote(s), what, s[i], i, example)
	}
	return nil
}
