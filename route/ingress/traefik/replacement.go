package traefik

// Replacements in Go's syntax, and expressions that are prefixes in disguise.

import (
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A replacement replaces every match of an expression.
type replacement struct {
	regex, template string // of rewrite.ReplacePathRegex
	prefix          string // the text that every match begins with
	rest            rest   // what the expression has behind prefix
}

// A rest is what an expression without ^ has behind its text.
type rest int8

const (
	other    rest = iota
	anything      // .* or /?.* in a group: it matches wherever the text does
	slash         // .* in a group, behind a final slash, which prefix lacks
	segment       // / or the end: it matches where a segment ends
)

// rests are the expressions behind a text, in the form that package syntax has
// them.
var rests = func() (list []struct {
	rest rest
	subs []*syntax.Regexp
}) {
	for _, r := range []struct {
		expression string
		rest       rest
	}{
		{"(.*)", anything}, {"(.*)$", anything}, {"/?(.*)", anything}, {"/?(.*)$", anything},
		{"(/|$)(.*)", segment}, {"(/|$)(.*)$", segment}, {"(/.*)?$", segment},
	} {
		if tree, err := syntax.Parse("x"+r.expression, syntax.Perl); err == nil {
			list = append(list, struct {
				rest rest
				subs []*syntax.Regexp
			}{r.rest, tree.Sub[1:]})
		}
	}
	return list
}()

// replacement translates an expression and what takes its place.
func (r *reading) replacement(s *step, expression, with string) (*replacement, error) {
	tree, err := parse(expression)
	if err != nil {
		return nil, err
	}
	t := goTemplate{names: tree.CapNames(), shift: 0}
	text := t.rewrite(with)
	out := &replacement{regex: expression, template: text}
	if t.whole {
		t.shift = 1
		out.regex, out.template = "("+expression+")", t.rewrite(with)
	}
	if t.missing != "" {
		r.noGroup(s.what+": ", t.missing, s.origin)
	}
	if fault := r.judged(rewrite.ReplacePathRegex(out.regex, out.template)); fault != nil {
		return nil, fault
	}
	if tree.Op != syntax.OpConcat || t.whole || tree.Sub[0].Op != syntax.OpLiteral || tree.Sub[0].Flags&syntax.FoldCase != 0 {
		return out, nil
	}
	for _, known := range rests {
		if slices.EqualFunc(tree.Sub[1:], known.subs, (*syntax.Regexp).Equal) {
			out.prefix, out.rest = string(tree.Sub[0].Rune), known.rest
		}
	}
	if n := len(out.prefix); out.rest == anything && n > 1 && out.prefix[n-1] == '/' {
		out.prefix, out.rest = out.prefix[:n-1], slash
	}
	return out, nil
}

// noGroup reports a name in a replacement that is no group of the expression.
func (r *reading) noGroup(where, name string, origin rewrite.Origin) {
	r.warn(CodeNoGroup, r.in.Source(), origin, "%s%.64s is the empty text: the expression has no such group; where more follows write ${1}", where, name)
}

// action returns what p does to the paths of e. Where these have a match at
// their beginning or none, the expression is put there, which lets package
// rewrite see that it is about a prefix.
func (p *replacement) action(e *ingress.Entry, first bool) rewrite.Action {
	regex := p.regex
	switch {
	case !first || p.rest == other:
	case p.rest == anything && byText(e, p.prefix), p.rest != anything && bySegment(e, p.prefix):
		regex = "^" + regex
	}
	return rewrite.ReplacePathRegex(regex, p.template)
}

// A goTemplate turns the syntax of Regexp.Expand into that of package rewrite, of
// which all but ${0} means the same in both.
type goTemplate struct {
	names   []string // of the groups; the first is that of the whole match
	shift   int      // is added to each number of a group
	whole   bool     // the template has the whole match
	missing string   // the first name that is no group's, with the dollar sign
}

func (t *goTemplate) rewrite(s string) string {
	var b strings.Builder
	for {
		text, rest, ok := strings.Cut(s, "$")
		b.WriteString(text)
		if !ok {
			return b.String()
		}
		name, after, ok := groupName(rest)
		if !ok {
			b.WriteString("$$")
			s = strings.TrimPrefix(rest, "$")
			continue
		}
		n, err := strconv.Atoi(name)
		if err != nil || len(name) > 1 && name[0] == '0' {
			n = slices.Index(t.names, name)
		}
		switch {
		case n >= 0 && n < len(t.names):
			t.whole = t.whole || n == 0
			b.WriteString("${" + strconv.Itoa(n+t.shift) + "}")
		case t.missing == "":
			t.missing = "$" + name
		}
		s = after
	}
}

// groupName reads the name behind a "$": the longest one of letters, digits and
// underscores, or one in braces.
func groupName(s string) (name, after string, ok bool) {
	braced := strings.HasPrefix(s, "{")
	if braced {
		s = s[1:]
	}
	n := strings.IndexFunc(s, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if n < 0 {
		n = len(s)
	}
	if n == 0 {
		return "", "", false
	}
	name, after = s[:n], s[n:]
	if braced {
		if !strings.HasPrefix(after, "}") {
			return "", "", false
		}
		after = after[1:]
	}
	return name, after, true
}
