package bfe

// The primitives of BFE's conditions, as alternatives.

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/readdress/readdress/route"
)

// primitives has, for each primitive, what its arguments are: s for a string, b
// for true or false.
var primitives = map[string]struct {
	args string
	make func(b *brancher, p *primitive, not bool) ([]alternative, *condError)
}{
	"default_t":                  {"", defaultTrue},
	"req_host_in":                {"s", hostIn},
	"req_host_suffix_in":         {"s", hostSuffixIn},
	"req_host_regmatch":          {"s", hostMatches},
	"req_path_in":                {"sb", pathIn(route.Exact)},
	"req_path_prefix_in":         {"sb", pathIn(route.TextPrefix)},
	"req_path_element_prefix_in": {"sb", pathIn(route.Prefix)},
	"req_header_key_in":          {"s", headerKeyIn},
	"req_header_value_in":        {"ssb", valueIn(false, route.Equals)},
	"req_header_value_prefix_in": {"ssb", valueIn(false, route.BeginsWith)},
	"req_header_value_regmatch":  {"ss", valueMatches(false)},
	"req_cookie_key_in":          {"s", cookieKeyIn},
	"req_cookie_value_in":        {"ssb", valueIn(true, route.Equals)},
	"req_cookie_value_prefix_in": {"ssb", valueIn(true, route.BeginsWith)},
	"req_cookie_value_regmatch":  {"ss", valueMatches(true)},
}

// call returns the alternatives of a primitive, or of its negation.
func (b *brancher) call(p *primitive, not bool) ([]alternative, *condError) {
	known, ok := primitives[p.name]
	if !ok {
		return nil, &condError{p.at, quote(p.name) + " cannot be said by an entry: write conditions on the host, the path, header fields and cookies"}
	}
	if len(p.values) != len(known.args) {
		return nil, &condError{p.at, p.name + " takes " + [...]string{"no arguments", "1 argument", "2 arguments", "3 arguments"}[len(known.args)]}
	}
	for i, v := range p.values {
		switch {
		case known.args[i] == 's' && !v.isString:
			return nil, &condError{v.at, quote(v.text) + " is no string: write it in quotes"}
		case known.args[i] == 'b' && (v.isString || v.text != "true" && v.text != "false"):
			return nil, &condError{v.at, quote(v.text) + ": write true or false, without quotes"}
		}
	}
	return known.make(b, p, not)
}

func defaultTrue(_ *brancher, _ *primitive, not bool) ([]alternative, *condError) {
	if not {
		return nil, nil
	}
	return []alternative{{}}, nil
}

// noNegation is why a primitive on hosts or paths cannot stand behind "!".
func noNegation(p *primitive) *condError {
	return &condError{p.at, `"!" before ` + p.name + " cannot be said by an entry: write rules for what is meant, the more specific ones first"}
}

func hostIn(_ *brancher, p *primitive, not bool) ([]alternative, *condError) {
	if not {
		return nil, noNegation(p)
	}
	var out []alternative
	for at, host := range p.values[0].list() {
		if strings.ContainsAny(host, ":*") || host == "" {
			return nil, &condError{at, quote(host) + " is no name that BFE compares a host with: write one without a port"}
		}
		out = append(out, alternative{pattern: route.Pattern{Host: strings.ToLower(host)}})
	}
	return out, nil
}

func hostSuffixIn(b *brancher, p *primitive, not bool) ([]alternative, *condError) {
	if not {
		return nil, noNegation(p)
	}
	var out []alternative
	warning, place := "", 0 // the first
	for at, suffix := range p.values[0].list() {
		name, dotted := strings.CutPrefix(strings.ToLower(suffix), ".")
		if name == "" || strings.ContainsAny(name, ":*") {
			return nil, &condError{at, quote(suffix) + " is no end of a host: write the last labels of a name"}
		}
		text := ""
		if !dotted {
			out = append(out, alternative{pattern: route.Pattern{Host: name}})
			text = quote(suffix) + " matches every host that ends so in BFE, such as " + quote("x"+name) + ": it is read as that name and the names below it"
		} else if !b.deep {
			text = quote(suffix) + " matches names of any depth in BFE: it is read as one label before it, unless the table has AnyDepthWildcard"
		}
		if warning == "" {
			warning, place = text, at
		}
		out = append(out, alternative{pattern: route.Pattern{Host: "*." + name}, deep: true})
	}
	if warning != "" {
		b.warn(place, CodeHostSuffix, warning)
	}
	return out, nil
}

// hostMatches reads what Write writes for a wildcard.
func hostMatches(_ *brancher, p *primitive, not bool) ([]alternative, *condError) {
	if not {
		return nil, noNegation(p)
	}
	re := p.values[0].text
	quoted, ok := strings.CutPrefix(re, wildcard)
	quoted, end := strings.CutSuffix(quoted, "$")
	name := strings.ReplaceAll(quoted, `\.`, ".")
	if !ok || !end || name == "" || regexp.QuoteMeta(name) != quoted {
		return nil, &condError{p.values[0].at, "a regular expression on the host cannot be said by an entry: write `" + wildcard + "example\\.com$` for one label before a name, or req_host_in"}
	}
	return []alternative{{pattern: route.Pattern{Host: "*." + strings.ToLower(name)}}}, nil
}

func pathIn(t route.PathType) func(*brancher, *primitive, bool) ([]alternative, *condError) {
	return func(_ *brancher, p *primitive, not bool) ([]alternative, *condError) {
		if not {
			return nil, noNegation(p)
		}
		var out []alternative
		for at, path := range p.values[0].list() {
			if path == "" || path[0] != '/' {
				return nil, &condError{at, quote(path) + " is no path, and no request has it: write a leading slash"}
			}
			pattern := route.Pattern{Path: encodePath(path), Type: t}
			if p.values[1].text == "true" {
				if i := strings.IndexFunc(path, hasCases); i >= 0 {
					r, _ := utf8.DecodeRuneInString(path[i:])
					return nil, &condError{at + i, "the letter case of " + quote(string(r)) + " cannot be left aside, because a path has it in escapes: write every spelling, with false"}
				}
				pattern = foldedPath(pattern)
			}
			out = append(out, alternative{pattern: pattern})
		}
		return out, nil
	}
}

// hasCases reports whether r is no ASCII letter and has upper and lower case.
func hasCases(r rune) bool { return r >= utf8.RuneSelf && unicode.SimpleFold(r) != r }

// foldedPath returns the pattern without regard to letter case, of which only
// ASCII letters have any.
func foldedPath(p route.Pattern) route.Pattern {
	path, end := canonical(p.Path), ""
	switch p.Type {
	case route.Exact:
		end = "$"
	case route.Prefix:
		if path = strings.TrimSuffix(path, "/"); path == "" {
			return p
		}
		end = "(?:/|$)"
	}
	return route.Pattern{Path: "/(?i:" + regexp.QuoteMeta(path[1:]) + ")" + end, Type: route.Regex}
}

// A header field that is absent is empty to BFE; a cookie that is absent makes
// its primitives false.

func headerKeyIn(b *brancher, p *primitive, not bool) ([]alternative, *condError) {
	var out []alternative
	if not {
		out = []alternative{{}}
	}
	for _, name := range p.values[0].list() {
		if !not {
			out = append(out, oneValue(false, name, route.Matches, "(?s:.+)"))
			continue
		}
		var err *condError
		empty := []alternative{oneValue(false, name, route.Absent, ""), oneValue(false, name, route.Equals, "")}
		if out, err = b.and(out, empty, &expr{op: 'p', primitive: *p}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func cookieKeyIn(b *brancher, p *primitive, not bool) ([]alternative, *condError) {
	var out []alternative
	all := alternative{}
	for _, name := range p.values[0].list() {
		out = append(out, oneValue(true, name, route.Present, ""))
		all.when.Cookies = append(all.when.Cookies, route.Condition{Name: name, Test: route.Absent})
	}
	if not {
		return []alternative{all}, nil
	}
	return out, nil
}

func valueIn(cookie bool, test route.Test) func(*brancher, *primitive, bool) ([]alternative, *condError) {
	return func(b *brancher, p *primitive, not bool) ([]alternative, *condError) {
		name, fold := p.values[0].text, p.values[2].text == "true"
		var values []string
		takesEmpty := false
		for _, v := range p.values[1].list() {
			values = append(values, v)
			takesEmpty = takesEmpty || v == ""
		}
		absent := oneValue(cookie, name, route.Absent, "")
		if test == route.BeginsWith && takesEmpty { // every value
			if !cookie {
				return defaultTrue(nil, nil, not)
			}
			if not {
				return []alternative{absent}, nil
			}
		}
		var out []alternative
		if not {
			if err := b.spend(16*len(values), p.at); err != nil { // each is a regular expression
				return nil, err
			}
			out = append(out, noneOf(cookie, name, test, values, fold))
		} else {
			out = append(out, anyOf(cookie, name, test, values, fold))
		}
		if absentHolds := takesEmpty && !cookie; absentHolds != not {
			out = append(out, absent)
		}
		return out, nil
	}
}

// anyOf is the alternative of a value that is, or begins with, one of values.
func anyOf(cookie bool, name string, test route.Test, values []string, fold bool) alternative {
	if len(values) == 1 && !fold {
		return oneValue(cookie, name, test, values[0])
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = regexp.QuoteMeta(v)
	}
	re := openGroup(fold) + strings.Join(quoted, "|") + ")"
	if test == route.BeginsWith {
		re += "(?s:.*)"
	}
	return oneValue(cookie, name, route.Matches, re)
}

// noneOf is the alternative of a value that is, and begins with, none of values.
func noneOf(cookie bool, name string, test route.Test, values []string, fold bool) alternative {
	var all alternative
	for _, v := range values {
		one := oneValue(cookie, name, route.Matches, openGroup(fold)+"(?s:"+differs(v, test)+"))")
		all.when.Headers = append(all.when.Headers, one.when.Headers...)
		all.when.Cookies = append(all.when.Cookies, one.when.Cookies...)
	}
	return all
}

// differs returns a regular expression, in which "." is any character, for what
// is not v or does not begin with it: it ends too soon, or has another
// character, or is v and more.
func differs(v string, test route.Test) string {
	var b strings.Builder
	depth := 0
	for _, r := range v {
		c := regexp.QuoteMeta(string(r))
		if depth > 0 {
			b.WriteString("(?:")
		}
		depth++
		if strings.ContainsRune("^-", r) {
			c = `\` + string(r)
		}
		b.WriteString("|[^" + c + "].*|" + regexp.QuoteMeta(string(r)))
	}
	if test == route.Equals {
		b.WriteString(".+")
	} else {
		b.WriteString("[^\\x00-\\x{10FFFF}]")
	}
	for range depth - 1 {
		b.WriteByte(')')
	}
	return b.String()
}

// openGroup begins a group of a regular expression.
func openGroup(fold bool) string {
	if fold {
		return "(?i:"
	}
	return "(?:"
}

func valueMatches(cookie bool) func(*brancher, *primitive, bool) ([]alternative, *condError) {
	return func(_ *brancher, p *primitive, not bool) ([]alternative, *condError) {
		name, text, at := p.values[0].text, p.values[1].text, p.values[1].at
		re, err := regexp.Compile(text)
		switch {
		case err != nil:
			return nil, &condError{at, err.Error()}
		case not:
			return nil, &condError{p.at, `"!" before ` + p.name + " cannot be said by an entry: write the expression for what is meant"}
		}
		whole, ok := strings.CutPrefix(text, "^(?:")
		whole, end := strings.CutSuffix(whole, ")$")
		if _, err := regexp.Compile(whole); !ok || !end || err != nil {
			whole = wrapped("(?s:.*)(?:", text, ")(?s:.*)")
		}
		out := []alternative{oneValue(cookie, name, route.Matches, whole)}
		if !cookie && re.MatchString("") {
			out = append(out, oneValue(cookie, name, route.Absent, ""))
		}
		return out, nil
	}
}

// oneValue is the alternative of one condition.
func oneValue(cookie bool, name string, test route.Test, value string) (a alternative) {
	list := []route.Condition{{Name: name, Test: test, Value: value}}
	if cookie {
		a.when.Cookies = list
	} else {
		a.when.Headers = list
	}
	return a
}
