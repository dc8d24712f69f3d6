package route

// Conditions from what the caller wrote to what is compiled: every fault, and
// one text for conditions that are equal.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
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
		if !isToken(m) {
			b.failf(fmt.Sprintf("When.Methods[%d]", i), "%s: write the name of a method, such as GET", quote(m))
		}
	}
	c.methods = slices.Compact(slices.Sorted(slices.Values(w.Methods)))
	c.headers = b.list("When.Headers", w.Headers, isToken, headerName)
	c.cookies = b.list("When.Cookies", w.Cookies, isToken, asIs)
	c.query = b.list("When.Query", w.Query, func(s string) bool { return s != "" }, asIs)

	key := fmt.Sprintf("%q %q %q %q %q", c.scheme, c.methods, keys(c.headers), keys(c.cookies), keys(c.query))
	i, ok := b.whenIDs[key]
	if !ok {
		i = uint32(len(b.when))
		b.whenIDs[key] = i
		b.when = append(b.when, c)
	}
	return i
}

// list compiles one of the lists.
func (b *builder) list(field string, in []Condition, valid func(string) bool, name func(string) string) []condition {
	var out []condition
	for i, c := range in {
		field := fmt.Sprintf("%s[%d]", field, i)
		if !valid(c.Name) {
			b.failf(field+".Name", "%s: write the name of what the condition is about", quote(c.Name))
		}
		done := condition{Condition: Condition{name(c.Name), c.Test, c.Value}}
		switch c.Test {
		case Equals, BeginsWith:
		case Matches:
			var err error
			if done.expr, err = compileExpression(`\A(?:`, c.Value, `)\z`, b.opts.Regexp); err != nil {
				b.fail(field+".Value", err)
			}
		case Present, Absent:
			if c.Value != "" {
				b.failf(field+".Value", "%s: %s compares no value: leave it empty", quote(c.Value), c.Test)
			}
		default:
			b.fail(field+".Test", errors.New("unknown "+c.Test.String()+": write Equals, BeginsWith, Matches, Present or Absent"))
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

func asIs(s string) string { return s }

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

// isToken reports whether s is a token of RFC 9110 section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}
