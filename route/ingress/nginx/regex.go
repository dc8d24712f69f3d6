package nginx

// Regex: PCRE, in which the controller's paths are written, as RE2.

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// constructs are what PCRE has behind "(?" and RE2 has not.
var constructs = []struct{ begin, name string }{
	{"(?=", "lookahead"},
	{"(?!", "negative lookahead"},
	{"(?<=", "lookbehind"},
	{"(?<!", "negative lookbehind"},
	{"(?>", "atomic group"},
	{"(?|", "branch reset"},
	{"(?#", "comment"},
	{"(?R", "recursion"},
	{"(?&", "recursion"},
	{"(?P>", "recursion"},
	{"(?P=", "back-reference"},
	{"(?(", "condition"},
	{"(?'", "group named in quotes"},
	{"(*", "verb"},
}

// parseRegex returns the tree of a regular expression, or which construct RE2
// does not have and where.
func parseRegex(text string) (*syntax.Regexp, *faultText) {
	if f := foreignConstruct(text); f != nil {
		return nil, f
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		offset := 0
		if e, ok := errors.AsType[*syntax.Error](err); ok {
			offset = max(0, strings.Index(text, e.Expr))
			err = fmt.Errorf("%s: %.64q", e.Code, e.Expr)
		}
		return nil, &faultText{offset: offset, text: fmt.Sprintf("it is no regular expression of RE2: %v", err)}
	}
	return tree, nil
}

// A faultText is what is wrong at an offset.
type faultText struct {
	offset int
	text   string
	advice string // on a path, or ""
}

// longest is more than the bytes of the longest name of a class and of a
// repetition, so that looking for their ends takes constant time.
const longest = 16

// foreignConstruct returns the first construct of PCRE that RE2 does not have.
func foreignConstruct(text string) *faultText {
	class := false // inside brackets
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if name := foreignEscape(text[i+1], class); name != "" {
				return &faultText{offset: i, text: fmt.Sprintf("RE2 has no %s: %s at offset %d", name, text[i:i+2], i)}
			}
			i++
		case class:
			if strings.HasPrefix(text[i:], "[:") {
				if end := strings.Index(text[i:min(i+longest, len(text))], ":]"); end > 0 {
					i += end + 1
				}
			} else if c == ']' {
				class = false
			}
		case c == '[':
			class = true
			if strings.HasPrefix(text[i+1:], "^") {
				i++
			}
			if strings.HasPrefix(text[i+1:], "]") {
				i++ // the first is itself
			}
		case c == '(':
			if f := foreignGroup(text, i); f != nil {
				return f
			}
		case c == '+' && i > 0 && isPossessive(text, i):
			return &faultText{offset: i - 1, text: fmt.Sprintf("RE2 has no possessive quantifier: %s at offset %d; write %s", text[i-1:i+1], i-1, text[i-1:i])}
		}
	}
	return nil
}

// foreignEscape names what a backslash and c are in PCRE, if RE2 does not have
// it.
func foreignEscape(c byte, class bool) string {
	switch {
	case strings.IndexByte("hHRXNKGZce", c) >= 0:
		return "escape"
	case class:
		return ""
	case '1' <= c && c <= '9' || c == 'k' || c == 'g':
		return "back-reference"
	}
	return ""
}

// isPossessive reports whether the "+" at i follows a quantifier, which is not
// itself escaped.
func isPossessive(text string, i int) bool {
	switch text[i-1] {
	case '*', '+', '?':
		backslashes := 0
		for j := i - 2; j >= 0 && text[j] == '\\'; j-- {
			backslashes++
		}
		return backslashes%2 == 0
	case '}':
		begin := text[max(0, i-longest) : i-1]
		open := strings.LastIndexByte(begin, '{')
		return open >= 0 && strings.Trim(begin[open+1:], "0123456789,") == ""
	}
	return false
}

// foreignGroup is foreignConstruct for the parenthesis at i.
func foreignGroup(text string, i int) *faultText {
	for _, c := range constructs {
		if !strings.HasPrefix(text[i:], c.begin) {
			continue
		}
		f := &faultText{offset: i, text: fmt.Sprintf("RE2 has no %s: %s at offset %d", c.name, c.begin, i)}
		if c.begin == "(?!" {
			f.advice = exclusion(text, i)
		}
		return f
	}
	if n := i + 2; n < len(text) && text[i+1] == '?' && '0' <= text[n] && text[n] <= '9' {
		return &faultText{offset: i, text: fmt.Sprintf("RE2 has no recursion: %s at offset %d", text[i:n+1], i)}
	}
	return nil
}

// exclusion returns what routes to write instead of an exclusion, which is a
// negative lookahead at i for one of several literal texts behind a literal
// path: /p/((?!a|b).*). "" if it is none.
func exclusion(text string, i int) string {
	end := strings.IndexByte(text[i:], ')')
	before := strings.TrimRight(text[:i], "(")
	if end < 0 || looksRegex(before) {
		return ""
	}
	list := text[i+len("(?!") : i+end]
	list = strings.TrimSuffix(strings.TrimPrefix(list, "(?:"), "$")
	var paths []string
	for alternative := range strings.SplitSeq(list, "|") {
		alternative = strings.TrimSuffix(alternative, "$")
		alternative = strings.ReplaceAll(strings.TrimSuffix(alternative, ".*"), `\.`, ".")
		if alternative == "" || looksRegex(alternative) {
			return ""
		}
		path := before + alternative
		if len(paths) == maxAdvice {
			paths = append(paths, "so on")
			break
		}
		paths = append(paths, path)
	}
	last := len(paths) - 1
	names := paths[last]
	if last > 0 {
		names = strings.Join(paths[:last], ", ") + " and " + names
	}
	return fmt.Sprintf("write the path %s(.*) here, and for what it excludes routes of their own, %s, which win because they are longer: give them the backend that is to have these requests, or one that answers 404", before, names)
}

// maxAdvice is the most routes that a problem lists.
const maxAdvice = 10

// anchored returns text with "^" in front, for all of its alternatives.
func anchored(text string) string {
	if pcre.HasAlternatives(text) {
		return "^(?:" + text + ")"
	}
	return "^" + strings.TrimPrefix(text, "^")
}

// folded returns a path regular expression that compares without letter case,
// and still begins with "/", as a route's must.
func folded(path string) string {
	n := 1
	for n < len(path) && strings.IndexByte("*+?", path[n]) >= 0 {
		n++
	}
	return path[:n] + "(?i)" + path[n:]
}
