package nginx

// Snippet order: rewrite lines in an order in which all of them can be run, each
// on what the one before has left, where nginx ends at the first of some that
// matches.

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// A rewriteLine is a rewrite that is no redirect.
type rewriteLine struct {
	regex string
	tree  *syntax.Regexp // of regex
	to    *target
	flag  string
	at    int // its offset
	hook  rewrite.Hook
	ends  bool // if it matches, the lines behind it are not run

	// The following see finds.
	re     *regexp.Regexp
	begin  string // every path that it matches begins with; "" if that is not known
	only   bool   // begin is the only one
	result string // what it makes begins with; "" if that is not known
	whole  bool   // result is all of it
}

// see finds what a line matches and makes, as far as that is plain.
func (l *rewriteLine) see() {
	l.re, _ = regexp.Compile(l.regex)
	if text, ok := exactText(l.tree); ok {
		l.begin, l.only = text, true
	} else if subs := flat(l.tree); len(subs) > 0 && subs[0].Op == syntax.OpBeginText {
		l.begin = plain(literalOf(&syntax.Regexp{Op: syntax.OpConcat, Sub: subs[1:]}))
	}
	if len(l.to.path) > 0 && l.to.path[0].group == 0 {
		l.result = plain("/" + strings.TrimLeft(l.to.path[0].text, "/"))
		l.whole = l.result != "" && len(l.to.path) == 1
	}
}

// plain returns text if it stands in a path as it is, and "" if not.
func plain(text string) string {
	if isPlainPrefix(text) {
		return text
	}
	return ""
}

// overlaps reports whether there may be a path that both match.
func (l *rewriteLine) overlaps(m *rewriteLine) bool {
	switch {
	case l.only:
		return m.re.MatchString(l.begin)
	case m.only:
		return l.re.MatchString(m.begin)
	}
	return strings.HasPrefix(l.begin, m.begin) || strings.HasPrefix(m.begin, l.begin)
}

// feeds reports whether m may match what l makes.
func (l *rewriteLine) feeds(m *rewriteLine) bool {
	if l.whole {
		return m.re.MatchString(l.result)
	}
	return strings.HasPrefix(m.begin, l.result) || !m.only && strings.HasPrefix(l.result, m.begin)
}

// order puts a line that would match what an earlier one makes that ends the lines
// behind it before that one, if it has no paths in common with those that it
// passes, and makes none of them. The others stay where they are, and fed is told
// of each line that one of them feeds.
func order(lines []rewriteLine, fed func(by *rewriteLine)) []rewriteLine {
	if len(lines) < 2 {
		return lines
	}
	for i := range lines {
		lines[i].see()
	}
	ordered := make([]rewriteLine, 0, len(lines))
	for i := range lines {
		l := &lines[i]
		feeds := func(k rewriteLine) bool { return k.ends && k.feeds(l) }
		at := slices.IndexFunc(ordered, feeds)
		if at < 0 {
			ordered = append(ordered, *l)
			continue
		}
		if !slices.ContainsFunc(ordered[at:], func(k rewriteLine) bool {
			return k.hook != l.hook || k.overlaps(l) || l.feeds(&k) || !k.ends && k.feeds(l)
		}) {
			ordered = slices.Insert(ordered, at, *l)
			continue
		}
		for k := at; k < len(ordered); k++ {
			if feeds(ordered[k]) {
				fed(&ordered[k])
			}
		}
		ordered = append(ordered, *l)
	}
	return ordered
}
