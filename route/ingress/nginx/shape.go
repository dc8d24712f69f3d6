package nginx

// Shape: path regular expressions that are a prefix and a tail, and what a
// target makes of them without a regular expression.

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// A tail is what follows the literal text of a shape.
type tail int8

const (
	noTail       tail = iota // nothing, or nothing but what is dropped
	endTail                  // $
	boundTail                // (/|$)(.*), or either of the two parts
	optionalTail             // (/.*)?
	maybeTail                // /?(.*)
	restTail                 // (.*)
)

// A shape is a path regular expression of the form prefix, tail.
type shape struct {
	prefix   string
	tail     tail
	end      bool           // there is a "$" at the end of an optionalTail
	slash    int            // number of the group with the slash, 0: none
	rest     int            // number of the group with the rest, 0: none
	literals map[int]string // groups of literal text in the prefix
}

// shapeOf returns the shape of tree; ok is false if it has none.
func shapeOf(tree *syntax.Regexp) (s shape, ok bool) {
	subs := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		subs = tree.Sub
	}
	var text strings.Builder
	for len(subs) > 0 {
		re, group := subs[0], 0
		if re.Op == syntax.OpCapture {
			re, group = re.Sub[0], re.Cap
		}
		if re.Op != syntax.OpLiteral || re.Flags&syntax.FoldCase != 0 {
			break
		}
		if group > 0 {
			if s.literals == nil {
				s.literals = make(map[int]string)
			}
			s.literals[group] = string(re.Rune)
		}
		text.WriteString(string(re.Rune))
		subs = subs[1:]
	}
	s.prefix = text.String()
	if n := len(subs); n > 0 && subs[n-1].Op == syntax.OpEndText {
		s.end, subs = true, subs[:n-1]
	}
	return s, isPlainPrefix(s.prefix) && s.setTail(subs)
}

// setTail sets the tail that subs are; it reports false if they are none.
func (s *shape) setTail(subs []*syntax.Regexp) bool {
	deeper := !strings.HasSuffix(s.prefix, "/")
	switch {
	case len(subs) == 0 && s.end:
		s.tail = endTail
		return true
	case len(subs) == 0:
		s.tail = noTail
		return true
	case len(subs) == 1 && isAny(subs[0], &s.rest):
		s.tail = restTail
		return true
	case len(subs) == 1 && deeper && !s.end && isSlashOrEnd(subs[0], &s.slash):
		s.tail = boundTail
		return true
	case len(subs) == 1 && deeper && isSlashRest(subs[0], &s.rest):
		s.tail = optionalTail
		return true
	case len(subs) == 2 && deeper && isSlashOrEnd(subs[0], &s.slash) && isAny(subs[1], &s.rest):
		s.tail = boundTail
		return true
	case len(subs) == 2 && deeper && isMaybeSlash(subs[0], &s.slash) && isAny(subs[1], &s.rest):
		s.tail = maybeTail
		return true
	}
	return false
}

// inside returns what a capture captures and the number of its group; re and 0
// if it is none.
func inside(re *syntax.Regexp) (*syntax.Regexp, int) {
	if re.Op == syntax.OpCapture {
		return re.Sub[0], re.Cap
	}
	return re, 0
}

func isSlash(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && len(re.Rune) == 1 && re.Rune[0] == '/'
}

// The following set group, if it is what they look for, to the number of the
// group that captures it, 0 if none does. A nil group is not set.

// isAny: .* or (.*), greedy
func isAny(re *syntax.Regexp, group *int) bool {
	re, n := inside(re)
	return setGroup(group, n, re.Op == syntax.OpStar && re.Flags&syntax.NonGreedy == 0 && re.Sub[0].Op == syntax.OpAnyCharNotNL)
}

// isSlashOrEnd: (/|$) or (?:/|$)
func isSlashOrEnd(re *syntax.Regexp, group *int) bool {
	re, n := inside(re)
	return setGroup(group, n, re.Op == syntax.OpAlternate && len(re.Sub) == 2 && isSlash(re.Sub[0]) && re.Sub[1].Op == syntax.OpEndText)
}

// isSlashRest: (/.*)? or (?:/.*)?
func isSlashRest(re *syntax.Regexp, group *int) bool {
	if re.Op != syntax.OpQuest || re.Flags&syntax.NonGreedy != 0 {
		return false
	}
	re, n := inside(re.Sub[0])
	none := 0
	return setGroup(group, n, re.Op == syntax.OpConcat && len(re.Sub) == 2 && isSlash(re.Sub[0]) && isAny(re.Sub[1], &none) && none == 0)
}

// isMaybeSlash: /?, (/)? or (/?)
func isMaybeSlash(re *syntax.Regexp, group *int) bool {
	re, outer := inside(re)
	if re.Op != syntax.OpQuest || re.Flags&syntax.NonGreedy != 0 {
		return false
	}
	re, inner := inside(re.Sub[0])
	return setGroup(group, max(outer, inner), isSlash(re))
}

func setGroup(group *int, n int, ok bool) bool {
	if ok && group != nil {
		*group = n
	}
	return ok
}

// isPlainPrefix reports whether p is a path of unreserved and sub-delimiter
// characters without dot-segments and empty segments.
func isPlainPrefix(p string) bool {
	if !strings.HasPrefix(p, "/") || strings.Contains(p, "//") {
		return false
	}
	for i := range len(p) {
		if c := p[i]; c != '/' && strings.IndexByte("!$&'()*+,;=", c) < 0 && !escape.IsUnreserved(c) {
			return false
		}
	}
	one, two := escape.CountDots(p)
	return one == 0 && two == 0
}

// trimmed returns the prefix without a final slash, "" for "/".
func (s *shape) trimmed() string { return strings.TrimSuffix(s.prefix, "/") }

// pattern returns the route of the shape, with letter case.
func (s *shape) pattern(host string) route.Pattern {
	p := route.Pattern{Host: host, Path: s.prefix}
	switch s.tail {
	case endTail:
		p.Type = route.Exact
	case maybeTail:
		p.Type = route.TextPrefix
	case noTail, restTail:
		if s.prefix != "/" {
			p.Type = route.TextPrefix
		}
	}
	return p
}

// constant returns parts with the text of literal groups in their place. ok is
// false if that is too much text.
func (s *shape) constant(parts []part) (out []part, ok bool) {
	var text []byte
	flush := func() {
		if len(text) > 0 {
			out, text = append(out, part{text: string(text)}), nil
		}
	}
	for _, p := range parts {
		literal, constant := s.literals[p.group]
		if p.group > 0 && !constant {
			flush()
			out = append(out, p)
			continue
		}
		if text = append(append(text, p.text...), literal...); len(text) > maxTarget {
			return nil, false
		}
	}
	flush()
	return out, true
}

// actions returns what turns a path of the shape into parts, if that needs no
// regular expression but those that package rewrite knows to be prefixes. fold:
// without letter case.
func (s *shape) actions(parts []part, fold bool) ([]rewrite.Action, bool) {
	if !fold {
		var ok bool
		if parts, ok = s.constant(parts); !ok {
			return nil, false
		}
	}
	text := ""
	if len(parts) > 0 && parts[0].group == 0 {
		text, parts = "/"+strings.TrimPrefix(parts[0].text, "/"), parts[1:]
	}
	only := len(parts) == 1 && s.rest > 0 && parts[0].group == s.rest
	both := len(parts) == 2 && s.slash > 0 && parts[0].group == s.slash && s.rest > 0 && parts[1].group == s.rest
	ends := strings.HasSuffix(text, "/")
	p, slash := s.trimmed(), strings.HasSuffix(s.prefix, "/")
	idiom := func(tail, template string) []rewrite.Action {
		expr := "^" + regexp.QuoteMeta(p) + tail
		if fold {
			expr = "(?i)" + expr
		}
		return []rewrite.Action{rewrite.RewritePath(expr, template)}
	}
	trim := func() []rewrite.Action {
		if fold {
			return idiom("(/|$)(.*)", "/$2")
		}
		return []rewrite.Action{rewrite.TrimPathPrefix(p)}
	}
	then := func(actions []rewrite.Action) ([]rewrite.Action, bool) {
		if text != "/" {
			actions = append(actions, rewrite.AddPathPrefix(text))
		}
		return actions, true
	}
	switch {
	case s.tail == boundTail && only && ends:
		return then(trim())
	case s.tail == boundTail && both && text == "":
		return trim(), true
	case s.tail == optionalTail && only && (text == "" || text == "/"):
		if fold {
			return idiom("(/.*)?$", "$1"), true
		}
		return trim(), true
	case !fold && (s.tail == boundTail && both || s.tail == optionalTail && only) && !ends:
		return []rewrite.Action{rewrite.ReplacePathPrefix(p, text)}, true
	case s.tail == maybeTail && only && ends:
		if fold {
			return then(idiom("/?(.*)", "/$1"))
		}
		return then([]rewrite.Action{rewrite.TrimPathText(p)})
	case s.tail == restTail && only && slash && p == "" && (ends || text == ""):
		if text == "" {
			text = "/"
		}
		return then(nil)
	case s.tail == restTail && only && slash && p != "" && (ends || text == "" && !fold):
		if text == "" {
			text = "/"
		}
		if fold {
			return then(idiom("/(.*)$", "/$1"))
		}
		return then(trim())
	case s.tail == restTail && only && !slash && text == "/":
		return idiom("(.*)$", "/$1"), true
	case s.tail == restTail && only && !slash && !fold && text == "":
		return []rewrite.Action{rewrite.TrimPathText(p)}, true
	case s.tail == restTail && only && !fold && text != "" && s.prefix != "/":
		return []rewrite.Action{rewrite.ReplacePathText(s.prefix, text)}, true
	}
	return nil, false
}
