package nginx

// URL patterns: redirects of some of a location's paths as regular expressions
// on the whole URL, where they cannot be branches.

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

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
	slash, group, ok := leadingSlash(subs, begin == "", to.path)
	if !ok {
		return "", "", false
	}
	var b strings.Builder
	for _, sub := range subs {
		inner, ok := withoutQuery(sub)
		if !ok {
			return "", "", false
		}
		if group > 0 && sub.Op == syntax.OpCapture && sub.Cap == group {
			b.WriteString("/?")
		}
		b.WriteString("(?:" + inner.String() + ")")
	}
	authority := `(https?://(?:\[[^]/?#]*\]|[^/?#:]*))[^/?#]*` // $1 is without the port
	expr = `^` + authority + `(` + begin + b.String() + end + `)(\?.*)?$`
	var out strings.Builder
	if to.absolute {
		out.WriteString(strings.ReplaceAll(to.scheme+"://"+to.host, "$", "$$"))
	} else {
		out.WriteString("${1}")
	}
	out.WriteString(slash)
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

// leadingSlash returns the slash that is to stand between an authority and path,
// "" if it begins with one, so that nothing of a request becomes part of a host.
// group is that of a capture which gets none of the slashes before it. subs are
// matched at the beginning of a path if anchored. ok is false if it depends on
// the request whether there must be a slash.
func leadingSlash(subs []*syntax.Regexp, anchored bool, path []part) (slash string, group int, ok bool) {
	if len(path) == 0 {
		return "", 0, true
	}
	if path[0].group == 0 {
		if strings.HasPrefix(path[0].text, "/") {
			return "", 0, true
		}
		return "/", 0, true
	}
	var b beginnings
	for i, sub := range subs {
		if capture := captureOf(sub, path[0].group); capture != nil {
			b = beginningsOf(capture)
			b.empty = b.empty || capture != sub // what is around it may leave it out
			switch {
			case anchored && i == 0 && capture == sub:
				b.other = false // a path begins with a slash
			case b.slash && b.other && isAny(sub, &group):
				b.slash = false
			}
		}
	}
	if b.slash && b.other {
		return "", 0, false
	}
	if b.other {
		slash = "/"
	}
	follows := len(path) > 1
	withSlash := follows && strings.HasPrefix(path[1].text, "/")
	return slash, group, !b.empty || !follows || withSlash == (slash == "")
}

// captureOf returns the capture of a group in re, nil if there is none.
func captureOf(re *syntax.Regexp, group int) *syntax.Regexp {
	if re.Op == syntax.OpCapture && re.Cap == group {
		return re
	}
	for _, sub := range re.Sub {
		if c := captureOf(sub, group); c != nil {
			return c
		}
	}
	return nil
}

// beginnings are what the texts that a regular expression matches begin with.
type beginnings struct{ slash, other, empty bool }

func beginningsOf(re *syntax.Regexp) beginnings {
	switch re.Op {
	case syntax.OpLiteral:
		return beginnings{slash: re.Rune[0] == '/', other: re.Rune[0] != '/'}
	case syntax.OpCharClass:
		rest := without(re.Rune, '/')
		return beginnings{slash: !slices.Equal(rest, re.Rune), other: len(rest) > 0}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return beginnings{slash: true, other: true}
	case syntax.OpCapture, syntax.OpPlus:
		return beginningsOf(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest, syntax.OpRepeat:
		b := beginningsOf(re.Sub[0])
		b.empty = b.empty || re.Op != syntax.OpRepeat || re.Min == 0
		return b
	case syntax.OpConcat, syntax.OpAlternate:
		all := beginnings{empty: re.Op == syntax.OpConcat}
		for _, sub := range re.Sub {
			b := beginningsOf(sub)
			all.slash, all.other = all.slash || b.slash, all.other || b.other
			if re.Op == syntax.OpAlternate {
				all.empty = all.empty || b.empty
			} else if all.empty = b.empty; !b.empty {
				break
			}
		}
		return all
	}
	return beginnings{empty: true}
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
