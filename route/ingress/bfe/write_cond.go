package bfe

// The condition of an entry in BFE's words.

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// wildcard is what stands for one label in a regular expression on the host.
const wildcard = `(?i)^[^.]+\.`

// writeCondition returns the condition under which a request is e's, or why it
// cannot be said. e's pattern is one that a table takes.
func writeCondition(e *ingress.Entry, seedPrefix bool) (string, error) {
	var terms []string
	add := func(text string, err error) error {
		if text != "" {
			terms = append(terms, text)
		}
		return err
	}
	if err := add(writeHostTerm(e.Pattern.Host)); err != nil {
		return "", err
	}
	if err := add(writePathTerm(e.Pattern, seedPrefix)); err != nil {
		return "", err
	}
	w := &e.When
	switch {
	case w.Scheme != "":
		return "", errors.New("the condition on the scheme cannot be said: leave it out")
	case len(w.Methods) > 0:
		return "", errors.New("the condition on the method cannot be said: leave it out")
	case len(w.Query) > 0:
		return "", errors.New("the condition on the query cannot be said: leave it out")
	}
	for _, c := range w.Headers {
		if err := add(writeValueTerm("header", c)); err != nil {
			return "", err
		}
	}
	for _, c := range w.Cookies {
		if err := add(writeValueTerm("cookie", c)); err != nil {
			return "", err
		}
	}
	if len(terms) == 0 {
		return "default_t()", nil
	}
	return strings.Join(terms, " && "), nil
}

func writeHostTerm(host string) (string, error) {
	if host == "" {
		return "", nil
	}
	suffix, anyLabel := strings.CutPrefix(host, "*.")
	text, err := hostname.Parse(suffix)
	if err != nil {
		return "", err
	}
	switch name, port := hostname.Split(text); {
	case port != "":
		return "", errors.New("host " + quote(host) + " has a port, which BFE does not compare: leave it out")
	case strings.Contains(name, ":"):
		return "", errors.New("host " + quote(host) + " is an IPv6 address, which BFE does not compare: write a name")
	case anyLabel:
		return term("req_host_regmatch", textArg(wildcard+regexp.QuoteMeta(name)+"$"))
	default:
		return term("req_host_in", listArg(name))
	}
}

func writePathTerm(p route.Pattern, seedPrefix bool) (string, error) {
	if matchesAll(p) {
		return "", nil
	}
	name := map[route.PathType]string{route.Exact: "req_path_in", route.Prefix: "req_path_element_prefix_in", route.TextPrefix: "req_path_prefix_in"}[p.Type]
	if name == "" {
		return "", errors.New("the regular expression on the path cannot be said, because BFE's are about decoded paths: write a prefix")
	}
	path := canonical(p.Path)
	if p.Type == route.Prefix {
		if path = strings.TrimSuffix(path, "/"); path == "" {
			return "", nil
		}
		if seedPrefix {
			name = "req_path_prefix_in"
		}
	}
	decoded, fault := writeTrim(path)
	if fault != "" {
		return "", errors.New(fault)
	}
	return term(name, listArg(decoded), exactCase)
}

// matchesAll reports whether p is a regular expression that every path matches:
// the pattern of default backends.
func matchesAll(p route.Pattern) bool {
	return (p.Type == route.Regex || p.Type == route.RegexFirst) && (p.Path == "" || p.Path == "/")
}

// writeValueTerm returns the term for a condition on a header field or a
// cookie. BFE takes a header field that is not there for an empty one.
func writeValueTerm(kind string, c route.Condition) (string, error) {
	empty := c.Value == "" || c.Test == route.Present || c.Test == route.Absent
	whole := ""
	if c.Test == route.Matches {
		whole = wrapped("^(?:", c.Value, ")$")
		re, err := regexp.Compile(whole)
		empty = err != nil || re.MatchString("")
	}
	switch {
	case kind == "header" && empty:
		return "", errors.New("the condition on header " + quote(c.Name) + " cannot be said, because BFE takes one that is absent for an empty one: compare it with a value")
	case c.Test == route.Matches:
		return term("req_"+kind+"_value_regmatch", textArg(c.Name), textArg(whole))
	case c.Test == route.Equals:
		return term("req_"+kind+"_value_in", textArg(c.Name), listArg(c.Value), exactCase)
	case c.Test == route.BeginsWith:
		return term("req_"+kind+"_value_prefix_in", textArg(c.Name), listArg(c.Value), exactCase)
	case c.Test == route.Present:
		return term("req_"+kind+"_key_in", listArg(c.Name))
	}
	text, err := term("req_"+kind+"_key_in", listArg(c.Name))
	return "!" + text, err
}

// wrapped returns a regular expression with text around it, which a \Q without
// its \E would quote.
func wrapped(before, re, after string) string {
	if _, err := regexp.Compile("(?:" + re + ")"); err != nil {
		re += `\E`
	}
	return before + re + after
}

// An arg is an argument of a primitive, or why it cannot be said.
type arg struct {
	text string
	err  error
}

// exactCase is the last argument of many: letter case matters.
var exactCase = arg{text: "false"}

// term returns a primitive with its arguments.
func term(name string, args ...arg) (string, error) {
	texts := make([]string, len(args))
	for i, a := range args {
		if a.err != nil {
			return "", a.err
		}
		texts[i] = a.text
	}
	return name + "(" + strings.Join(texts, ", ") + ")", nil
}

// listArg quotes a text that BFE splits at "|".
func listArg(s string) arg {
	if i := strings.IndexByte(s, '|'); i >= 0 {
		return arg{err: errors.New(quote(s) + ` cannot be said: BFE takes the "|" at offset ` + strconv.Itoa(i) + " for the end of an alternative")}
	}
	return textArg(s)
}

// textArg quotes a text. BFE keeps escapes in double quotes as they are.
func textArg(s string) arg {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == 0x7F {
			return arg{err: errors.New(quote(s) + " cannot be said: it has a control byte at offset " + strconv.Itoa(i))}
		}
	}
	switch {
	case !utf8.ValidString(s):
		return arg{err: errors.New(quote(s) + " cannot be said: it is not UTF-8")}
	case !strings.ContainsAny(s, `"\`):
		return arg{text: `"` + s + `"`}
	case strings.Contains(s, "`"):
		return arg{err: errors.New(quote(s) + " cannot be said: it has both kinds of quotes, or a backslash beside a back-quote")}
	}
	return arg{text: "`" + s + "`"}
}
