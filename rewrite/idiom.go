package rewrite

// Regular expressions that are prefix rewrites in disguise.

import (
	"regexp/syntax"
	"unicode"

	"github.com/readdress/readdress/internal/escape"
)

// recognise reports whether a regular expression with its template is a prefix
// rewrite in disguise, and if so gives s the op and the parameters of that.
// With p a literal prefix, the idioms are
//
//	^/p(/|$)(.*)  /$2   TrimPathPrefix(/p)
//	^/p(/.*)?$    $1    TrimPathPrefix(/p)
//	^/p/?(.*)     /$1   TrimPathText(/p)
//	^/p(.*)$      /$1   TrimPathText(/p), with a slash put before every rest
//	^/p/(.*)$     /$1   TrimPathPrefix(/p), only where a slash follows
//
// where a final $ behind (.*) may be there or not, because (.*) takes
// everything to the end. (?i) around letters compares without case. Each of
// these covers the whole path with its only match, so it is the same for
// RewritePath and ReplacePathRegex.
func recognise(s *step, tree *syntax.Regexp, t template) bool {
	if t.hasQuery || tree.Op != syntax.OpConcat || len(tree.Sub) < 3 || tree.Sub[0].Op != syntax.OpBeginText {
		return false
	}
	prefix, fold, rest, ok := literalPrefix(tree.Sub[1:])
	if !ok {
		return false
	}
	if n := len(rest); n > 0 && isEnd(rest[n-1]) && n > 1 && isRest(rest[n-2]) {
		rest = rest[:n-1]
	}
	slash := len(prefix) > 1 && prefix[len(prefix)-1] == '/'
	if slash {
		prefix = prefix[:len(prefix)-1]
	}
	if !isPlainPrefix(prefix) {
		return false
	}
	switch {
	case !slash && len(rest) == 2 && isSlashOrEnd(rest[0]) && isRest(rest[1]) && t.is("/", 2):
		s.op = OpTrimPathPrefix
	case !slash && len(rest) == 2 && isSlashRest(rest[0]) && isEnd(rest[1]) && t.is("", 1):
		s.op = OpTrimPathPrefix
	case !slash && len(rest) == 2 && isMaybeSlash(rest[0]) && isRest(rest[1]) && t.is("/", 1):
		s.op = OpTrimPathText
	case !slash && len(rest) == 1 && isRest(rest[0]) && t.is("/", 1):
		s.op, s.exact = OpTrimPathText, putSlash
	case slash && len(rest) == 1 && isRest(rest[0]) && t.is("/", 1):
		s.op, s.exact = OpTrimPathPrefix, needsSlash
	default:
		return false
	}
	s.match, s.args, s.fold = []string{prefix}, []string{""}, fold
	return true
}

// literalPrefix returns the text of the literals that subs begin with and the
// subs behind them. fold says that letters match in either case; ok is false
// if only some do.
func literalPrefix(subs []*syntax.Regexp) (prefix string, fold bool, rest []*syntax.Regexp, ok bool) {
	var text []rune
	exact := false
	for len(subs) > 0 && subs[0].Op == syntax.OpLiteral {
		for _, r := range subs[0].Rune {
			if r >= 0x80 {
				return "", false, nil, false
			}
			if unicode.IsLetter(r) {
				if subs[0].Flags&syntax.FoldCase != 0 {
					fold = true
				} else {
					exact = true
				}
			}
			text = append(text, r)
		}
		subs = subs[1:]
	}
	if fold {
		for i, r := range text {
			text[i] = unicode.ToLower(r)
		}
	}
	return string(text), fold, subs, !(fold && exact)
}

// isPlainPrefix reports whether p is /segment/segment of unreserved and
// sub-delimiter characters, without dot-segments.
func isPlainPrefix(p string) bool {
	if len(p) < 2 || p[0] != '/' || checkPath(p) != nil || p[len(p)-1] == '/' {
		return false
	}
	for i := range len(p) {
		switch c := p[i]; c {
		case '/', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=':
		default:
			if !escape.IsUnreserved(c) {
				return false
			}
		}
	}
	return true
}

// is reports whether the template is text followed by one capture.
func (t *template) is(text string, group int) bool {
	parts := t.path
	if text != "" {
		if len(parts) == 0 || parts[0].group != 0 || parts[0].text != text {
			return false
		}
		parts = parts[1:]
	}
	return len(parts) == 1 && parts[0].group == group
}

func isEnd(re *syntax.Regexp) bool { return re.Op == syntax.OpEndText }

func isSlash(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && len(re.Rune) == 1 && re.Rune[0] == '/'
}

// isAny: .* in its greedy form.
func isAny(re *syntax.Regexp) bool {
	return re.Op == syntax.OpStar && re.Flags&syntax.NonGreedy == 0 && re.Sub[0].Op == syntax.OpAnyCharNotNL
}

// isRest: (.*)
func isRest(re *syntax.Regexp) bool { return re.Op == syntax.OpCapture && isAny(re.Sub[0]) }

// isSlashOrEnd: (/|$)
func isSlashOrEnd(re *syntax.Regexp) bool {
	if re.Op != syntax.OpCapture || re.Sub[0].Op != syntax.OpAlternate {
		return false
	}
	alt := re.Sub[0].Sub
	return len(alt) == 2 && isSlash(alt[0]) && isEnd(alt[1])
}

// isSlashRest: (/.*)?
func isSlashRest(re *syntax.Regexp) bool {
	if re.Op != syntax.OpQuest || re.Flags&syntax.NonGreedy != 0 || re.Sub[0].Op != syntax.OpCapture {
		return false
	}
	cat := re.Sub[0].Sub[0]
	return cat.Op == syntax.OpConcat && len(cat.Sub) == 2 && isSlash(cat.Sub[0]) && isAny(cat.Sub[1])
}

// isMaybeSlash: /?
func isMaybeSlash(re *syntax.Regexp) bool {
	return re.Op == syntax.OpQuest && re.Flags&syntax.NonGreedy == 0 && isSlash(re.Sub[0])
}
