package nginx

// Snippet redirects: rewrite lines that answer some requests.

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

// redirectLine adds a rewrite that is a redirect: of all requests, of one path
// or, once, of those whose URL matches.
func (sr *snippetReader) redirectLine(d *directive, tree *syntax.Regexp, to *target, status int) {
	s := sr.s
	if isUniversal(tree) {
		if s.redirect != nil {
			sr.refuse(CodeSnippet, "%s: an entry has one redirect, and another line has it", d)
			return
		}
		s.redirect, s.always = to.redirect(status, d.args[0], true, s.name), true
		return
	}
	if path, ok := exactText(tree); ok && !to.whole && s.redirect == nil {
		s.exact = append(s.exact, exactRedirect{path, to.redirect(status, "", true, s.name)})
		return
	}
	if s.redirect != nil {
		sr.refuse(CodeSnippet, "%s: an entry has one redirect, and another line has it", d)
		return
	}
	expr, template, ok := urlPattern(tree, to)
	if !ok {
		sr.refuse(CodeSnippet, "%s: a redirect of some requests that has a query, $scheme or anchors inside of it cannot be said", d)
		return
	}
	s.redirect = &ingress.Redirect{Status: status, Pattern: expr, Template: template}
}

// isUniversal reports whether every path matches re: "^", "^/", "(.*)" and so
// on.
func isUniversal(re *syntax.Regexp) bool {
	subs := flat(re)
	if len(subs) > 0 && subs[0].Op == syntax.OpBeginText {
		subs = subs[1:]
	}
	if len(subs) > 0 && isSlash(subs[0]) {
		subs = subs[1:]
	}
	switch len(subs) {
	case 0:
		return true
	case 1:
		return isAny(subs[0], nil)
	}
	return len(subs) == 2 && isAny(subs[0], nil) && subs[1].Op == syntax.OpEndText
}

// flat returns the parts of which re is made, without those that match nothing
// but the empty text everywhere.
func flat(re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpConcat:
		return re.Sub
	case syntax.OpEmptyMatch:
		return nil
	}
	return []*syntax.Regexp{re}
}

// exactText returns the only path that re matches: ^/text$.
func exactText(re *syntax.Regexp) (string, bool) {
	subs := flat(re)
	if len(subs) != 3 || subs[0].Op != syntax.OpBeginText || subs[2].Op != syntax.OpEndText ||
		subs[1].Op != syntax.OpLiteral || subs[1].Flags&syntax.FoldCase != 0 {
		return "", false
	}
	text := string(subs[1].Rune)
	return text, isPlainPrefix(text)
}

// urlPattern returns the regular expression on a whole URL, and the template,
// that do to it what re and to do to its path. Its groups are the authority,
// the path, those of re, and the query.
func urlPattern(re *syntax.Regexp, to *target) (expr, template string, ok bool) {
	if to.hasQuery || to.absolute && (to.scheme == "" || to.host == "") {
		return "", "", false
	}
	subs := flat(re)
	begin, end := `[^?#]*?`, `[^?#]*`
	if len(subs) > 0 && subs[0].Op == syntax.OpBeginText {
		begin, subs = "", subs[1:]
	}
	if n := len(subs); n > 0 && subs[n-1].Op == syntax.OpEndText {
		end, subs = "", subs[:n-1]
	}
	var b strings.Builder
	for _, sub := range subs {
		inner, ok := withoutQuery(sub)
		if !ok {
			return "", "", false
		}
		b.WriteString("(?:" + inner.String() + ")")
	}
	expr = `^(https?://[^/?#]*)(` + begin + b.String() + end + `)(\?.*)?$`
	var out strings.Builder
	if to.absolute {
		out.WriteString(strings.ReplaceAll(to.scheme+"://"+to.host, "$", "$$"))
	} else {
		out.WriteString("${1}")
	}
	for _, p := range to.path {
		if p.group > 0 {
			fmt.Fprintf(&out, "${%d}", p.group+2)
		} else {
			out.WriteString(strings.ReplaceAll(p.text, "$", "$$"))
		}
	}
	if to.whole {
		out.WriteString("${2}")
	}
	if !to.dropArgs || to.whole {
		fmt.Fprintf(&out, "${%d}", re.MaxCap()+3)
	}
	return expr, out.String(), true
}

// withoutQuery returns re as it is on a path, for use on a URL: nothing in it
// matches a question mark. ok is false if it has anchors or a literal one.
func withoutQuery(re *syntax.Regexp) (out *syntax.Regexp, ok bool) {
	clone := *re
	switch re.Op {
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nil, false
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r == '?' || r == '#' {
				return nil, false
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		clone = syntax.Regexp{Op: syntax.OpCharClass, Rune: without([]rune{0, '\U0010FFFF'}, '#', '?')}
	case syntax.OpCharClass:
		clone.Rune = without(re.Rune, '#', '?')
	}
	clone.Sub = nil
	for _, sub := range re.Sub {
		inner, ok := withoutQuery(sub)
		if !ok {
			return nil, false
		}
		clone.Sub = append(clone.Sub, inner)
	}
	return &clone, true
}

// without returns the class, pairs of runes from lowest to highest, without
// some runes.
func without(class []rune, runes ...rune) []rune {
	for _, r := range runes {
		var out []rune
		for i := 0; i+1 < len(class); i += 2 {
			low, high := class[i], class[i+1]
			if r < low || high < r {
				out = append(out, low, high)
				continue
			}
			if low < r {
				out = append(out, low, r-1)
			}
			if r < high {
				out = append(out, r+1, high)
			}
		}
		class = out
	}
	return class
}
