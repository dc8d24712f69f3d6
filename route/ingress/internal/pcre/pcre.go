// Package pcre reads the regular expressions of other controllers: it names what
// they have and Go's package regexp has not, and what routes to write instead,
// where that is known.
package pcre

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
)

// Unsupported returns the first construct of pattern that package regexp lacks:
// a lookaround, an atomic group, a back-reference or a possessive quantifier. It
// returns what it is and what to write instead, and the byte offset at which it
// begins. ok is false if there is none; the pattern may then still be wrong. It
// takes time linear in pattern.
func Unsupported(pattern string) (detail string, offset int, ok bool) {
	class, quoted := false, false // inside […], \Q…\E
	plain := -1                   // index of the last byte that is no operator
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case quoted:
			if strings.HasPrefix(rest, `\E`) {
				quoted = false
				i++
			}
			plain = i
		case rest[0] == '\\' && len(rest) > 1:
			c := rest[1]
			switch {
			case c == 'Q':
				quoted = true
			case class:
			case '1' <= c && c <= '9', c == 'k', c == 'g':
				return "a back-reference, " + rest[:2] + ": write out what may stand there", i, true
			}
			i++
			if strings.IndexByte("pPx", c) >= 0 && strings.HasPrefix(rest[2:], "{") {
				i += max(strings.IndexByte(rest[2:], '}')+1, 0) // \p{Greek}, of which no brace is an operator
			}
			plain = i
		case class:
			class = rest[0] != ']'
		case rest[0] == '[':
			class = true
			if strings.HasPrefix(rest, "[^]") {
				i += 2
			} else if strings.HasPrefix(rest, "[]") {
				i++
			}
		case strings.HasPrefix(rest, "(?="), strings.HasPrefix(rest, "(?<="), strings.HasPrefix(rest, "(?<!"):
			return "a lookaround, " + rest[:strings.IndexAny(rest, "=!")+1] + ": write what is to match by itself", i, true
		case strings.HasPrefix(rest, "(?!"):
			return "a negative lookahead, (?!" + exclusion(pattern, i), i, true
		case strings.HasPrefix(rest, "(?>"):
			return "an atomic group, (?>: write (?:", i, true
		case rest[0] == '+' && i > plain+1 && strings.IndexByte("*+?}", pattern[i-1]) >= 0:
			return "a possessive quantifier, " + pattern[i-1:i+1] + ": leave out the second character", i - 1, true
		}
	}
	return "", 0, false
}

// Fault returns what is wrong with pattern, if package regexp does not take it:
// what Unsupported says, else the fault that it finds. offset is that of the
// fault, 0 where it is not known.
func Fault(pattern string) (detail string, offset int, bad bool) {
	_, err := syntax.Parse(pattern, syntax.Perl)
	if err == nil {
		return "", 0, false
	}
	if what, at, ok := Unsupported(pattern); ok {
		return "Go's package regexp, by which expressions are matched, has no such thing as " + what, at, true
	}
	fault, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return err.Error(), 0, true
	}
	return fmt.Sprintf("%s: %.64q; write an expression of Go's package regexp", fault.Code, fault.Expr),
		max(strings.LastIndex(pattern, fault.Expr), 0), true
}

// exclusion returns advice for the negative lookahead at pattern[at:]: where a
// literal alternation is excluded below a literal prefix, the routes that say so.
func exclusion(pattern string, at int) string {
	const otherwise = ": write a route for what is not to match, which wins where it is longer"
	prefix := strings.TrimSuffix(strings.TrimPrefix(pattern[:at], "^"), "(")
	body, _, closed := strings.Cut(pattern[at+len("(?!"):], ")")
	words := strings.Split(body, "|")
	if !closed || !isLiteral(prefix) || !strings.HasSuffix(prefix, "/") || len(words) > 16 {
		return otherwise
	}
	for i, w := range words {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "$"), "/")
		if w == "" || !isLiteral(w) {
			return otherwise
		}
		words[i] = prefix + w
	}
	return ": write routes of type Prefix for " + strings.Join(words, " and ") + ", to whom these requests are to go, and one for " + prefix + " without the lookahead"
}

// isLiteral reports whether s has no character with a meaning of its own.
func isLiteral(s string) bool { return !strings.ContainsAny(s, operators) }
