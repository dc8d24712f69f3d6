package gateway

// Rules: one entry, in the API's words.

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// rules returns the rules of an entry: one, or one for each method. ok is false
// if it cannot be said.
func (w *writer) rules(e *ingress.Entry) (rules []Rule, ok bool) {
	rule := Rule{}
	m, base, ok := w.match(e)
	if !ok {
		return nil, false
	}
	if e.Redirect != nil {
		ok = w.redirect(e, base, &rule)
	} else {
		ok = w.forward(e, base, &rule)
	}
	if !ok {
		return nil, false
	}
	rule.Filters = w.headers(rule.Filters, e.RequestHeaders, filterRequestHeaders)
	rule.Filters = w.headers(rule.Filters, e.ResponseHeaders, filterResponseHeaders)
	if e.MaxBodySize != 0 {
		w.elsewhere("there is no word for the size of a body: write a policy of the implementation")
	}
	if len(e.Back) > 0 {
		w.elsewhere("there is no word for mappings of Location and Set-Cookie: write a policy of the implementation")
	}
	//lint:ignore SA1019 what is not written has to be said
	if len(e.ExtraDirectives) > 0 {
		w.elsewhere("extra directives are not read, and not written")
	}
	if len(e.When.Methods) == 0 {
		rule.Matches = matches(m)
		return []Rule{rule}, true
	}
	for _, method := range e.When.Methods {
		if !isMethod(method) {
			w.unsayable(rewrite.Origin{}, "method %.64q is none of those that can be matched", method)
			return nil, false
		}
		r := rule
		m.Method = method
		r.Matches = matches(m)
		rules = append(rules, r)
	}
	return rules, true
}

// matches returns the list of a match, which is empty for what it means anyway.
func matches(m Match) []Match {
	if m.Path == (PathMatch{Type: matchPrefix, Value: "/"}) && m.Method == "" && len(m.Headers)+len(m.QueryParams) == 0 {
		return nil
	}
	return []Match{m}
}

// match returns what requests of the entry have, and what is known of their
// paths.
func (w *writer) match(e *ingress.Entry) (m Match, base path, ok bool) {
	if m.Path, base, ok = w.path(e); !ok {
		return m, base, false
	}
	switch s := e.When.Scheme; {
	case s == "":
	case s != "http" && s != "https":
		w.unsayable(rewrite.Origin{}, "scheme %.64q: write http or https", s)
		return m, base, false
	case w.opts.Sections["http"] == "" || w.opts.Sections["https"] == "":
		w.unsayable(rewrite.Origin{}, "the condition on scheme %s is said by the listeners: name those for http and for https in WriteOptions.Sections", s)
		return m, base, false
	}
	if len(e.When.Cookies) > 0 {
		w.unsayable(rewrite.Origin{}, "there are no conditions on cookies")
		return m, base, false
	}
	var err error
	if m.Headers, err = valueMatches(e.When.Headers, maxHeader, strings.EqualFold, anyText); err != nil {
		w.unsayable(rewrite.Origin{}, "a condition on a header field: %v", err)
		return m, base, false
	}
	equal := func(a, b string) bool { return a == b }
	if m.QueryParams, err = valueMatches(e.When.Query, maxParam, equal, anyLines); err != nil {
		w.unsayable(rewrite.Origin{}, "a condition on the query: %v", err)
		return m, base, false
	}
	return m, base, true
}

// path returns the match for the path of the entry, and what is known of the
// paths that it takes.
func (w *writer) path(e *ingress.Entry) (m PathMatch, base path, ok bool) {
	value := e.Pattern.Path
	if e.Pattern.Type != route.Regex && e.Pattern.Type != route.RegexFirst {
		value = string(escape.AppendPath(nil, cmp.Or(value, "/")))
	}
	switch e.Pattern.Type {
	case route.Exact:
		m, base = PathMatch{matchExact, value}, path{text: canonical(value)}
	case route.Prefix:
		m, base = w.prefix(value, value, "")
	case route.TextPrefix:
		m, base = PathMatch{matchRegex, regexp.QuoteMeta(value) + anyText}, path{unknown: true}
		switch {
		case value == "/":
			m, base = w.prefix(value, value, "")
		case !touchesPath(e):
		case strings.HasSuffix(value, "/"):
			m, base = w.prefix(value, value, noteNeedsSlash)
		default:
			m, base = w.prefix(value, value, noteOpenEnd)
		}
	case route.Regex, route.RegexFirst:
		if value == "" || value == "/" {
			m, base = w.prefix("/", "/", "")
			break
		}
		if detail, _, bad := pcre.Fault(value); bad {
			w.unsayable(rewrite.Origin{}, "path %.64q: %s", value, detail)
			return m, base, false
		}
		m, base = PathMatch{matchRegex, pcre.Start(value)}, path{unknown: true}
		if prefix, note, found := prefixOf(value); found && (note == "" || touchesPath(e)) {
			m, base = w.prefix(value, prefix, note)
		}
	default:
		w.unsayable(rewrite.Origin{}, "%v is no type of a path", e.Pattern.Type)
		return m, base, false
	}
	if m.Type == matchRegex {
		if n := utf8.RuneCountInString(m.Value); n > maxPath {
			w.unsayable(rewrite.Origin{}, "path %.64q becomes a regular expression of %d characters: at most %d can be", value, n, maxPath)
			return m, base, false
		}
		w.approximate("path %.64q becomes a regular expression on the whole path: whether it wins over other paths, and what it means, is for the implementation to say", value)
	} else if err := checkPath(m.Value); err != nil {
		w.unsayable(rewrite.Origin{}, "path %.64q: %v", value, err)
		return m, base, false
	}
	return m, base, true
}

// prefix returns the match of a prefix that stands for another kind of path.
func (w *writer) prefix(value, prefix, note string) (PathMatch, path) {
	if note != "" {
		w.approximate("path %.64q becomes a prefix by segment: %s", value, note)
	}
	text := prefixText(prefix)
	return PathMatch{matchPrefix, prefix}, path{text: text, open: true, root: text == "", note: note}
}

// Expressions that say that there is a value. One of a parameter may have line
// feeds.
const (
	anyText  = ".*"
	anyLines = "(?s:.*)"
)

// valueMatches says conditions on values of at most so many characters, and at
// most one for each name: of several the API takes the first.
func valueMatches(list []route.Condition, most int, equal func(a, b string) bool, anything string) ([]ValueMatch, error) {
	if len(list) > maxRefs {
		return nil, fmt.Errorf("there are %d: at most %d can be", len(list), maxRefs)
	}
	var out []ValueMatch
	for _, c := range list {
		if slices.ContainsFunc(out, func(m ValueMatch) bool { return equal(m.Name, c.Name) }) {
			return nil, fmt.Errorf("there are two on %.64q: one can be", c.Name)
		}
		m := ValueMatch{Type: matchExact, Name: c.Name, Value: c.Value}
		switch c.Test {
		case route.Equals:
		case route.BeginsWith:
			m.Type, m.Value = matchRegex, regexp.QuoteMeta(c.Value)+anything
		case route.Matches:
			m.Type = matchRegex
		case route.Present:
			m.Type, m.Value = matchRegex, anything
		default:
			return nil, errors.New("nothing can be required to be absent")
		}
		if !utf8.ValidString(c.Value) {
			return nil, errors.New("there is text that is not UTF-8, which no manifest can have")
		}
		if err := checkValue(m.Name, m.Value, most); err != nil {
			return nil, errors.New(err.detail)
		}
		out = append(out, m)
	}
	return out, nil
}

// touchesPath reports whether what is sent on has another path than the request.
func touchesPath(e *ingress.Entry) bool {
	lists := [][]rewrite.Rule{e.Rules}
	if e.Redirect != nil {
		lists = append(lists, e.Redirect.Rules)
	}
	for i := range e.Backends {
		lists = append(lists, e.Backends[i].Rules)
	}
	for _, rules := range lists {
		for _, r := range rules {
			switch r.Action.Op() {
			case rewrite.OpSetHost, rewrite.OpSetHostname, rewrite.OpSetPort, rewrite.OpSetScheme, rewrite.OpReplaceHostSuffix, rewrite.OpSetPath:
			default:
				return true
			}
		}
	}
	return false
}

// headers appends the filter for header operations: one for each name, because
// within a filter there is no order.
func (w *writer) headers(list []Filter, ops []ingress.HeaderOp, kind string) []Filter {
	if len(ops) == 0 {
		return list
	}
	m := &HeaderModifier{}
	done := make(map[string]ingress.HeaderAction, len(ops))
	for _, op := range ops {
		name := strings.ToLower(op.Name)
		before, twice := done[name]
		err := checkHeader(op.Op, HeaderValue{op.Name, op.Value})
		switch {
		case kind == filterRequestHeaders && name == "host":
			w.elsewhere("header field Host is the host of the URL: write a rule that sets that")
			continue
		case err != nil:
			w.elsewhere("header field %.64q cannot be %s: %s", op.Name, pastTense[op.Op], err.detail)
			continue
		case op.Op == ingress.AddHeader && twice:
			w.elsewhere("header field %.64s is added after it was %s: there is no order within a filter", op.Name, pastTense[before])
			continue
		case twice:
			m.forget(name)
		}
		if m.count(op.Op) == maxFilters {
			w.elsewhere("header field %.64s is one too many to be %s: at most %d can be", op.Name, pastTense[op.Op], maxFilters)
			continue
		}
		done[name] = op.Op
		switch op.Op {
		case ingress.SetHeader:
			m.Set = append(m.Set, HeaderValue{op.Name, op.Value})
		case ingress.AddHeader:
			m.Add = append(m.Add, HeaderValue{op.Name, op.Value})
		case ingress.RemoveHeader:
			m.Remove = append(m.Remove, op.Name)
		}
	}
	switch {
	case len(m.Set)+len(m.Add)+len(m.Remove) == 0:
		return list
	case kind == filterRequestHeaders:
		return append(list, Filter{Type: kind, RequestHeaderModifier: m})
	}
	return append(list, Filter{Type: kind, ResponseHeaderModifier: m})
}

var pastTense = map[ingress.HeaderAction]string{ingress.SetHeader: "set", ingress.AddHeader: "added", ingress.RemoveHeader: "removed"}

// count returns how many header fields m does this to.
func (m *HeaderModifier) count(op ingress.HeaderAction) int {
	switch op {
	case ingress.SetHeader:
		return len(m.Set)
	case ingress.AddHeader:
		return len(m.Add)
	}
	return len(m.Remove)
}

// forget drops what m does to a field, because what follows undoes it.
func (m *HeaderModifier) forget(name string) {
	drop := func(h HeaderValue) bool { return strings.EqualFold(h.Name, name) }
	m.Set, m.Add = slices.DeleteFunc(m.Set, drop), slices.DeleteFunc(m.Add, drop)
	m.Remove = slices.DeleteFunc(m.Remove, func(n string) bool { return strings.EqualFold(n, name) })
}
