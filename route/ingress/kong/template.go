package kong

// konghq.com/rewrite: its own small language of templates.

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/route/ingress"
)

// A template is text and captures in turns: the texts are one more than the
// captures.
type template struct {
	texts    []string
	captures []int
	offsets  []int // of the captures
}

// parseTemplate reads $1, $12 and so on as captures and \$ as a dollar sign. On an
// error offset is where it goes wrong.
func parseTemplate(s string) (t *template, offset int, err error) {
	t = &template{}
	var text strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i == len(s) {
				return nil, len(s), errors.New("unexpected end of string: write a path without a final backslash")
			}
			if s[i] != '$' {
				return nil, i, fmt.Errorf("unexpected %q at pos %d: behind a backslash write $", firstRune(s[i:]), i)
			}
			text.WriteByte('$')
		case '$':
			end := i + 1
			for end < len(s) && '0' <= s[end] && s[end] <= '9' {
				end++
			}
			if end == len(s) && end == i+1 {
				return nil, len(s), errors.New("unexpected end of string: write the number of a capture behind $, or \\$ for a dollar sign")
			}
			if end == i+1 {
				return nil, i + 1, fmt.Errorf("unexpected %q at pos %d: write the number of a capture behind $, or \\$ for a dollar sign", firstRune(s[i+1:]), i+1)
			}
			n, err := strconv.Atoi(s[i+1 : end])
			if err != nil {
				return nil, i + 1, fmt.Errorf("%.24s at pos %d is more than any number of captures", s[i+1:end], i+1)
			}
			t.texts, t.captures, t.offsets = append(t.texts, text.String()), append(t.captures, n), append(t.offsets, i)
			text.Reset()
			i = end - 1
		default:
			text.WriteByte(s[i])
		}
	}
	t.texts = append(t.texts, text.String())
	return t, 0, nil
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// readRewrite reads the annotation.
func (t *translation) readRewrite(s *settings) {
	value, found := t.value(s, "rewrite")
	if !found {
		return
	}
	if value == "" {
		value = "/"
	}
	tmpl, offset, err := parseTemplate(value)
	if err == nil {
		offset = strings.IndexAny(value, "?#")
		if offset >= 0 {
			err = fmt.Errorf("%q cannot be in a path: write %%%02X, or leave the query to the request, which keeps it", value[offset], value[offset])
		} else if value[0] != '/' && (len(tmpl.captures) == 0 || tmpl.texts[0] != "") {
			offset, err = 0, fmt.Errorf("%.64q is no path: write a slash before it", value)
		}
	}
	if err != nil {
		t.report(ingress.Error, CodeRewrite, "rewrite", max(offset, 0), "%v: the Ingress is not served", err)
		s.lost = true
		return
	}
	if s.stripPath == "true" {
		t.report(ingress.Warning, CodeOverridden, "strip-path", 0, "%srewrite replaces the whole path, so nothing is stripped: leave out one of them", prefix)
	}
	s.rewrite = tmpl
}

// constant returns the path that a template without captures makes.
func (tm *template) constant() string { return strings.Join(tm.texts, "") }

// within returns the template with the empty text for the captures that are none
// of a path's groups, which it reports, and one slash where such a capture stood
// between two.
func (t *translation) within(tm *template, path string, groups int) *template {
	out := &template{}
	text := []byte(tm.texts[0])
	for i, n := range tm.captures {
		next := tm.texts[i+1]
		if 1 <= n && n <= groups {
			out.texts, out.captures, out.offsets = append(out.texts, string(text)), append(out.captures, n), append(out.offsets, tm.offsets[i])
			text = append(text[:0], next...)
			continue
		}
		t.report(ingress.Warning, CodeNoGroup, "rewrite", tm.offsets[i], "path %.64q has no group %d, so $%d is empty", path, n, n)
		if len(text) > 0 && text[len(text)-1] == '/' {
			next = strings.TrimPrefix(next, "/")
		}
		text = append(text, next...)
	}
	out.texts = append(out.texts, string(text))
	return out
}

// forRegex returns the template in the language of rewrite.RewritePath for an
// expression, and warns of captures that it does not have or that are not safe.
func (t *translation) forRegex(tm *template, expression string) string {
	groups, count := captureGroups(expression), captures(expression)
	if len(groups) != count { // an expression that is not understood
		groups = make([]group, count)
	}
	tm = t.within(tm, expression, count)
	var b strings.Builder
	for i, text := range tm.texts {
		b.WriteString(strings.ReplaceAll(text, "$", "$$"))
		if i == len(tm.captures) {
			break
		}
		n := tm.captures[i]
		if before, safe := groups[n-1].behind(expression); !safe && strings.HasSuffix(text, "/") {
			if strings.HasSuffix(before, "/?") {
				t.report(ingress.Warning, CodeOptionalSlash, "rewrite", tm.offsets[i], "in path %.64q the slash before $%d is optional, so more than is meant may match: write (/|$)", expression, n)
			} else {
				t.report(ingress.Warning, CodeCapture, "rewrite", tm.offsets[i], "$%d of path %.64q may begin with a slash or a dot: let the group begin behind a slash", n, expression)
			}
		}
		if n <= 9 {
			fmt.Fprintf(&b, "$%d", n)
		} else {
			fmt.Fprintf(&b, "${%d}", n)
		}
	}
	return b.String()
}

// captures returns how many captures an expression has that compiles.
func captures(expression string) int {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	return re.MaxCap()
}

// A group is the place of a capture in an expression.
type group struct{ start, end int }

// captureGroups returns the captures of an expression that compiles, in order.
func captureGroups(expression string) []group {
	var list []group
	var stack []int // of open parentheses: index in list, -1 for those that capture nothing
	class := false
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\':
			if strings.HasPrefix(expression[i:], `\Q`) {
				end := strings.Index(expression[i:], `\E`)
				if end < 0 {
					return list
				}
				i += end
			}
			i++
		case class && strings.HasPrefix(expression[i:], "[:"):
			if end := strings.Index(expression[i+2:], ":]"); end >= 0 {
				i += end + 3
			}
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if rest := strings.TrimPrefix(expression[i+1:], "^"); strings.HasPrefix(rest, "]") {
				i = len(expression) - len(rest)
			}
		case c == '(':
			captures := !strings.HasPrefix(expression[i:], "(?") || strings.HasPrefix(expression[i:], "(?P<") || strings.HasPrefix(expression[i:], "(?<")
			if !captures {
				stack = append(stack, -1)
				continue
			}
			stack = append(stack, len(list))
			list = append(list, group{start: i})
		case c == ')' && len(stack) > 0:
			if top := stack[len(stack)-1]; top >= 0 {
				list[top].end = i
			}
			stack = stack[:len(stack)-1]
		}
	}
	return list
}

// behind returns what stands before a group, and whether the group begins behind
// a slash or cannot begin with a slash or a dot.
func (g group) behind(expression string) (before string, safe bool) {
	before = expression[:g.start]
	for _, slash := range []string{"/", "(/|$)", "(?:/|$)"} {
		if strings.HasSuffix(before, slash) {
			return before, true
		}
	}
	if g.end <= g.start {
		return before, false
	}
	inner := expression[g.start+1 : g.end]
	return before, !begins(inner, '/') && !begins(inner, '.')
}

// begins reports whether a text that begins with r may match an expression, or
// whether it is not known.
func begins(expression string, r rune) bool {
	re, err := syntax.Parse(expression, syntax.Perl)
	return err != nil || mayBegin(re, r)
}

// mayBegin is begins for an expression that compiles.
func mayBegin(re *syntax.Regexp, r rune) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune) == 0 || re.Rune[0] == r
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= r && r <= re.Rune[i+1] {
				return true
			}
		}
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return mayBegin(re.Sub[0], r)
	case syntax.OpConcat:
		return mayBegin(re.Sub[0], r)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if mayBegin(sub, r) {
				return true
			}
		}
		return false
	}
	return true
}
