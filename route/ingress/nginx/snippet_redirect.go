package nginx

// Snippet redirects: rewrite lines that answer some requests.

import (
	"regexp"
	"regexp/syntax"
	"slices"

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
		sr.compile(d, s.redirect)
		return
	}
	if path, ok := exactText(tree); ok && !to.whole && s.redirect == nil {
		s.exact = append(s.exact, exactRedirect{path, to.redirect(status, "", true, s.name)})
		sr.compile(d, s.exact[len(s.exact)-1].to)
		return
	}
	if s.redirect != nil {
		sr.refuse(CodeSnippet, "%s: an entry has one redirect, and another line has it", d)
		return
	}
	s.some, _ = regexp.Compile(d.args[0])
	s.branch = sr.branchOf(d.args[0], tree, to, status)
	expr, template, ok := urlPattern(tree, to)
	switch {
	case ok:
		s.redirect = &ingress.Redirect{Status: status, Pattern: expr, Template: template}
		sr.compile(d, s.redirect)
	case s.branch != nil:
		s.redirect, s.onlyBranch = s.branch.to, true
	default:
		sr.refuse(CodeSnippet, "%s: %s", d, noPattern)
	}
}

// redirects reports whether s redirects path, alone or with others.
func (s *snippet) redirects(path string) bool {
	return s.always || slices.ContainsFunc(s.exact, func(e exactRedirect) bool { return e.path == path }) ||
		s.some != nil && s.some.MatchString(escaped(path))
}

// noPattern is why a redirect of some requests is no pattern on the URL.
const noPattern = "a redirect of some requests that has a query, $scheme or anchors inside of it, or a path that may begin without a slash, cannot be said"

// compile refuses a redirect that does not compile.
func (sr *snippetReader) compile(d *directive, to *ingress.Redirect) {
	if err := sr.redirectFault(to); err != nil {
		sr.refuse(CodeSnippet, "%s: %v", d, err)
	}
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
