package rewritetest

// Generated URLs in which given rules find what they look for.

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// CleanURLFor returns a URL as CleanURL does, in which three times in four some
// of the rules find what they look for: up to two of their prefixes, or a text
// that one of their regular expressions matches, before the path, with a boundary
// behind it or not; one of their names in the query; a name below the suffix of
// ReplaceHostSuffix. One in five of these has a letter escaped. A property test of
// one's own rules needs it, because CleanURL does not know their words. Without
// rules, and for rules that do not compile, it is CleanURL.
func CleanURLFor(r *rand.Rand, rules []rewrite.Rule) rewrite.URL {
	plain := CleanURL(r)
	if oneIn(r, 4) || plain.Path == "*" {
		return plain
	}
	w := wordsOf(r, rules)
	u := plain
	if len(w.prefixes) > 0 {
		first := r.IntN(len(w.prefixes))
		u.Path = before(r, w.prefixes[first], pick(r, []string{"", "", "x"})+u.Path)
		if first > 0 && oneIn(r, 3) { // what an earlier rule takes stands before it
			u.Path = before(r, w.prefixes[r.IntN(first)], u.Path)
		}
	}
	if len(w.wholes) > 0 && oneIn(r, 2) {
		u.Path = pick(r, w.wholes)
	}
	if len(w.names) > 0 && !oneIn(r, 4) {
		pair := spelt(r, pick(r, w.names)) + pick(r, []string{"", "=", "=1", "=a%20b"})
		if u.RawQuery != "" {
			pair = pick(r, []string{pair + "&" + u.RawQuery, u.RawQuery + "&" + pair})
		}
		u.RawQuery, u.ForceQuery = pair, false
	}
	if len(w.suffixes) > 0 && !oneIn(r, 4) {
		u.Host = pick(r, []string{"", "w.", "a.b."}) + pick(r, w.suffixes) + pick(r, []string{"", "", ".", ":8080"})
	}
	// The words are as people write them, and need not be fit for a URL.
	if new(rewrite.Input).Clean(&u, nil) != nil {
		return plain
	}
	return u
}

// words is what rules look for, in the order of the rules.
type words struct {
	prefixes []string // of paths
	wholes   []string // paths
	names    []string // of the query, escaped
	suffixes []string // of hosts
}

func wordsOf(r *rand.Rand, rules []rewrite.Rule) (w words) {
	for _, rule := range rules {
		args := rule.Action.Args()
		if len(args) == 0 {
			continue
		}
		switch rule.Action.Op() {
		case rewrite.OpTrimPathPrefix, rewrite.OpTrimPathText:
			for _, prefix := range args {
				w.prefixes = append(w.prefixes, rooted(prefix))
			}
		case rewrite.OpReplacePathPrefix, rewrite.OpReplacePathText:
			w.prefixes = append(w.prefixes, rooted(args[0]))
		case rewrite.OpRewritePath, rewrite.OpReplacePathRegex:
			if re, err := syntax.Parse(args[0], syntax.Perl); err == nil {
				w.wholes = append(w.wholes, rooted(matching(r, re.Simplify())))
			}
		case rewrite.OpSetQuery, rewrite.OpRenameQuery, rewrite.OpAddQuery:
			w.names = append(w.names, nameEscaper.Replace(args[0]))
		case rewrite.OpDeleteQuery, rewrite.OpKeepQuery:
			for _, name := range args {
				w.names = append(w.names, nameEscaper.Replace(name))
			}
		case rewrite.OpReplaceHostSuffix:
			w.suffixes = append(w.suffixes, strings.TrimPrefix(args[0], "."))
		}
	}
	return w
}

// nameEscaper escapes what would end a name, or be decoded.
var nameEscaper = strings.NewReplacer("%", "%25", "&", "%26", "=", "%3D", "+", "%2B", "#", "%23", " ", "+")

// before puts a prefix before a path, whose slash makes its final one go.
func before(r *rand.Rand, prefix, path string) string {
	return spelt(r, strings.TrimSuffix(prefix, "/")) + path
}

// rooted returns s with one slash in front.
func rooted(s string) string { return "/" + strings.TrimLeft(s, "/") }

// spelt escapes a letter of one word in five.
func spelt(r *rand.Rand, word string) string {
	if oneIn(r, 5) {
		return escapeOneLetter(r, word)
	}
	return word
}

// matching returns a text that re matches at its beginning, as far as a path can
// have it: of a class one of its bytes, of a repetition none to two more than it
// asks for.
func matching(r *rand.Rand, re *syntax.Regexp) string {
	var b strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteByte(oneOf(r, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(pick(r, []byte("ab1/")))
	case syntax.OpAlternate:
		return matching(r, pick(r, re.Sub))
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpCapture, syntax.OpConcat:
		times := 1
		switch re.Op {
		case syntax.OpStar:
			times = r.IntN(3)
		case syntax.OpPlus:
			times = 1 + r.IntN(3)
		case syntax.OpQuest:
			times = r.IntN(2)
		}
		for range times {
			for _, sub := range re.Sub {
				b.WriteString(matching(r, sub))
			}
		}
	}
	return b.String()
}

// oneOf returns a byte of a class, which is pairs of its first and last runes: a
// letter, a digit or a hyphen if there is one.
func oneOf(r *rand.Rand, class []rune) byte {
	const likely = alphanumeric + "-_."
	start := r.IntN(len(likely))
	for i := range len(likely) {
		c := rune(likely[(start+i)%len(likely)])
		for j := 0; j+1 < len(class); j += 2 {
			if class[j] <= c && c <= class[j+1] {
				return byte(c)
			}
		}
	}
	return '/'
}
