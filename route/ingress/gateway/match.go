package gateway

// Matches: which requests a rule is about.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// maxPath is the number of characters that the API allows a path to have.
const maxPath = 1024

// A match is a Match in the terms of a table.
type match struct {
	index int // in the rule's list; 0 if that is empty
	path  string
	kind  route.PathType
	when  route.Conditions

	headers, params []int // where the conditions stand in the manifest's lists
}

// matches returns the matches of a rule, without those that are wrong.
func (t *translator) matches(r *Rule, key string) []match {
	if len(r.Matches) == 0 {
		return []match{{path: "/"}}
	}
	list := bounded(t, r.Matches, maxMatches, key+".matches")
	out := make([]match, 0, len(list))
	for i := range list {
		if m, ok := t.match(&list[i], index(key+".matches", i)); ok {
			m.index = i
			out = append(out, m)
		}
	}
	return out
}

func (t *translator) match(from *Match, key string) (match, bool) {
	ok := true
	fault := func(field, format string, args ...any) {
		t.report(ingress.Error, CodeMatch, key+"."+field, format, args...)
		ok = false
	}
	for _, name := range from.Unread {
		fault(name, "the field is not known or empty, and without it the match would have more requests: it is left out")
	}
	m := match{path: from.Path.Value}
	if m.path == "" {
		m.path = "/"
	}
	switch from.Path.Type {
	case matchExact:
		m.kind = route.Exact
	case matchPrefix, "":
		m.kind = route.Prefix
	case matchRegex:
		m.kind = route.Regex
		if n := utf8.RuneCountInString(m.path); n > maxPath {
			fault("path.value", "%d characters long: at most %d can be", n, maxPath)
			break
		}
		ok = t.expression(m.path, key+".path.value") && ok
		m.path = pcre.Whole(m.path)
	default:
		fault("path.type", "%.64q is no type: write Exact, PathPrefix or RegularExpression", from.Path.Type)
	}
	if m.kind != route.Regex {
		if err := checkPath(m.path); err != nil {
			fault("path.value", "%.64q: %v", m.path, err)
		}
	}
	if from.Method != "" {
		if !isMethod(from.Method) {
			fault("method", "%.64q is no method: write one such as GET, in upper case", from.Method)
		}
		m.when.Methods = []string{from.Method}
	}
	equal := func(a, b string) bool { return a == b }
	m.when.Headers, m.headers = t.conditions(from.Headers, maxHeader, strings.EqualFold, key+".headers", &ok)
	m.when.Query, m.params = t.conditions(from.QueryParams, maxParam, equal, key+".queryParams", &ok)
	if ok && (m.kind == route.Regex || len(m.when.Headers)+len(m.when.Query) > 0) {
		ok = t.compile(&m, key)
	}
	return m, ok
}

// compile reports what package route has to say against a match that has more
// than a path.
func (t *translator) compile(m *match, key string) bool {
	faults := judge.Route(route.Pattern{Path: m.path, Type: m.kind}, m.when, t.c)
	for _, f := range faults {
		t.out.Problems = append(t.out.Problems, ingress.Problem{
			Code: CodeMatch, Source: t.at, Origin: rewrite.Origin{Key: key + "." + m.field(f.Field)}, Detail: f.Err.Error(), Err: f,
		})
	}
	return len(faults) == 0
}

// field returns the manifest's name of a field of a route.
func (m *match) field(name string) string {
	for _, list := range []struct {
		ours, theirs string
		places       []int
	}{{"When.Headers[", "headers", m.headers}, {"When.Query[", "queryParams", m.params}} {
		rest, ok := strings.CutPrefix(name, list.ours)
		number, field, _ := strings.Cut(rest, "]")
		if i, err := strconv.Atoi(number); ok && err == nil && i < len(list.places) {
			return index(list.theirs, list.places[i]) + strings.ToLower(field)
		}
	}
	if name == "Pattern.Path" {
		return "path.value"
	}
	return name
}

// expression reports what is wrong with a regular expression.
func (t *translator) expression(text, key string) (ok bool) {
	detail, offset, bad := pcre.Fault(text)
	if bad {
		t.out.Problems = append(t.out.Problems, ingress.Problem{
			Code: CodeMatch, Source: t.at, Origin: rewrite.Origin{Key: key, Offset: offset}, Detail: detail,
		})
	}
	return !bad
}

// conditions returns the conditions of list, whose values have at most so many
// characters, and where in it they stand. Of several with one name the first
// counts, as the API says, and the others are reported. What is wrong is too, and
// makes ok false.
func (t *translator) conditions(list []ValueMatch, most int, equal func(a, b string) bool, key string, ok *bool) (out []route.Condition, places []int) {
	if len(list) > maxRefs {
		t.report(ingress.Error, CodeMatch, key, "%d items: at most %d can be", len(list), maxRefs)
		*ok = false
		return nil, nil
	}
	for i, v := range list {
		if err := checkValue(v.Name, v.Value, most); err != nil {
			t.report(ingress.Error, CodeMatch, index(key, i)+err.field, "%s", err.detail)
			*ok = false
		}
		c := route.Condition{Name: v.Name, Value: v.Value}
		switch v.Type {
		case matchExact, "":
		case matchRegex:
			c.Test = route.Matches
			*ok = t.expression(v.Value, index(key, i)+".value") && *ok
		default:
			t.report(ingress.Error, CodeMatch, index(key, i)+".type", "%.64q is no type: write Exact or RegularExpression", v.Type)
			*ok = false
		}
		if slices.ContainsFunc(out, func(o route.Condition) bool { return equal(o.Name, v.Name) }) {
			t.sameName(index(key, i) + ".name")
			continue
		}
		out, places = append(out, c), append(places, i)
	}
	return out, places
}

// sameName reports an item whose name one before it has.
func (t *translator) sameName(key string) {
	t.report(ingress.Warning, CodeSameName, key, "an item before it has this name, and the first counts: leave one of them out")
}

func isMethod(s string) bool {
	switch s {
	case "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH":
		return true
	}
	return false
}

// checkPath reports what the API forbids in the value of an Exact or PathPrefix
// match.
func checkPath(p string) error {
	switch {
	case len(p) > maxPath:
		return fmt.Errorf("%d bytes long: at most %d can be", len(p), maxPath)
	case p[0] != '/':
		return errors.New(`a path begins with "/"`)
	case strings.Contains(p, "//"):
		return errors.New(`"//" cannot be in a path to match: write "/"`)
	}
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '%':
			octet, ok := escape.Octet(p, i)
			if !ok {
				return fmt.Errorf(`"%%" begins no escape at offset %d: write %%25`, i)
			}
			if octet == '/' {
				return fmt.Errorf("an escaped slash at offset %d cannot be in a path to match", i)
			}
		case escape.Class[c]&escape.Path == 0 || c == '[' || c == ']':
			_, size := utf8.DecodeRuneInString(p[i:])
			var escaped []byte
			for _, c := range []byte(p[i : i+size]) {
				escaped = escape.Append(escaped, c)
			}
			return fmt.Errorf("%q cannot be in a path to match, at offset %d: write %s", p[i:i+size], i, escaped)
		}
	}
	for seg := range strings.SplitSeq(p, "/") {
		if escape.DotSegment(seg) != escape.NoDot {
			return fmt.Errorf("a segment %q cannot be in a path to match", seg)
		}
	}
	return nil
}
