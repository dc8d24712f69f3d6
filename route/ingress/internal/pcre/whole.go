package pcre

// Whole, Start and Begin: an expression about the whole path, as other systems have it,
// and one about the beginning of the path, as route.Pattern has it.

import (
	"regexp/syntax"
	"strings"
)

const (
	anything = ".*"
	theEnd   = `\z`
	// Around an expression that cannot be followed by one of these as it stands.
	// A pattern begins with a slash, be it none of them.
	open, closed = "/{0}(?:", ")"
)

// Whole returns the expression by which a route.Pattern matches the paths that
// re, which compiles, matches from their beginning to their end.
func Whole(re string) string {
	if before, ok := strings.CutSuffix(re, anything); ok && isSimple(before) {
		return before
	}
	if inner, ok := unwrap(re, "(?:", closed+anything); ok {
		if strings.HasPrefix(inner, "/") {
			return inner
		}
		return open + inner + closed
	}
	if isSimple(re) {
		return re + theEnd
	}
	return open + quoted(re) + closed + theEnd
}

// Start is the inverse of Whole, for any expression of a route.Pattern: Whole
// makes of what it returns the same expression again, or one that matches the
// same.
func Start(re string) string {
	if inner, ok := unwrap(re, open, closed+theEnd); ok {
		return inner
	}
	if before, ok := strings.CutSuffix(re, theEnd); ok && isSimple(before) {
		return before
	}
	if inner, ok := unwrap(re, open, closed); ok {
		return "(?:" + inner + closed + anything
	}
	switch {
	case !isSimple(re):
		return "(?:" + quoted(re) + closed + anything
	case strings.HasSuffix(re, anything):
		return re
	}
	return re + anything
}

// Begin returns the expression by which a route.Pattern matches the paths that
// begin with what re, which compiles, matches.
func Begin(re string) string {
	if re = strings.TrimPrefix(re, "^"); strings.HasPrefix(re, "/") {
		return re
	}
	return open + quoted(re) + closed
}

// quoted returns re, which compiles, with the \E that it may lack, or its \Q
// would quote what is put behind it.
func quoted(re string) string {
	if _, err := syntax.Parse("(?:"+re+")", syntax.Perl); err != nil {
		return re + `\E`
	}
	return re
}

// isSimple reports whether re begins with a slash and means the same with more
// behind it.
func isSimple(re string) bool {
	if !strings.HasPrefix(re, "/") || strings.Contains(re, `\Q`) || HasAlternatives(re) {
		return false
	}
	_, err := syntax.Parse(re, syntax.Perl)
	return err == nil
}

// unwrap returns what stands between before and after, if that is an expression
// by itself.
func unwrap(re, before, after string) (string, bool) {
	inner, begins := strings.CutPrefix(re, before)
	inner, ends := strings.CutSuffix(inner, after)
	if !begins || !ends {
		return "", false
	}
	_, err := syntax.Parse(inner, syntax.Perl)
	return inner, err == nil
}

// HasAlternatives reports whether re, without \Q, has a "|" outside of all
// groups, so that what stands before or behind re is not for all of it.
func HasAlternatives(re string) bool {
	depth, class := 0, false
	for i := 0; i < len(re); i++ {
		switch c := re[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if rest := strings.TrimPrefix(re[i+1:], "^"); strings.HasPrefix(rest, "]") {
				i = len(re) - len(rest) // a bracket that stands first is one of the class
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			return true
		}
	}
	return false
}
