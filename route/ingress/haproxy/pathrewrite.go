package haproxy

// path-rewrite: regular expressions that are searched for in the path, and the
// prefix actions that most of them are.

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A rewriteLine is one line of path-rewrite.
type rewriteLine struct {
	replacement
	anchored bool   // the expression begins with ^
	prefix   string // the text that every match begins with
	rest     rest   // what the expression has behind prefix
	with     string // the text of the format, if it is that and the last group of rest
	plain    bool   // it is; and prefix is one that a prefix action can have
}

// A rest is what a regular expression has behind its text.
type rest int8

const (
	other    rest = iota
	anything      // (.*)
	slash         // (.*) behind a final slash, which prefix lacks
	optional      // /?(.*)
	segment       // (/|$)(.*)
	below         // (/.*)?
)

// rests are the expressions behind a text, in the form that package syntax has
// them, and the groups with what is behind the prefix.
var rests = func() (list []knownRest) {
	for _, r := range []struct {
		expression string
		rest       rest
		group      int
	}{{"(.*)", anything, 1}, {"/?(.*)", optional, 1}, {"(/|$)(.*)", segment, 2}, {"(/.*)?", below, 1}} {
		for _, end := range []string{"", "$"} {
			if tree, err := syntax.Parse("x"+r.expression+end, syntax.Perl); err == nil {
				list = append(list, knownRest{r.rest, r.group, tree.Sub[1:]})
			}
		}
	}
	return list
}()

type knownRest struct {
	rest  rest
	group int
	subs  []*syntax.Regexp
}

// pathRewrite returns the lines of path-rewrite. Of lines that are the same the
// controller makes one rule, where the first is.
func (r *reading) pathRewrite() []rewriteLine {
	a, ok := r.found["path-rewrite"]
	if !ok {
		return nil
	}
	var list []rewriteLine
	before := make(map[[2]string]bool)
	rest := lines(a.Value, func(line string, offset int) {
		regex, format := "(.*)", line
		to := offset
		switch fields := strings.Fields(line); len(fields) {
		case 1:
		case 2:
			regex, format = fields[0], fields[1]
			to += strings.LastIndex(line, format)
		default:
			r.lose(CodeValue, a, offset, "a line has %d fields: write a replacement, or a regular expression and a replacement", len(fields))
			return
		}
		if before[[2]string{regex, format}] {
			r.warn(CodeDead, r.source, a.Origin(offset), "it does nothing: the same line is there before it, and the controller runs that one alone")
			return
		}
		before[[2]string{regex, format}] = true
		p, fault := r.replacement(r.source, a, offset, regex, a, to, format)
		if fault != nil {
			r.lose(fault.code, fault.a, fault.offset, "%s", fault.detail)
			return
		}
		list = append(list, makeLine(p))
	})
	if rest >= 0 {
		r.lose(CodeValue, a, rest, "there are more than %d lines", maxLines)
	}
	return list
}

func makeLine(p replacement) rewriteLine {
	l := rewriteLine{replacement: p}
	tree, err := syntax.Parse(p.written, syntax.Perl)
	if err != nil {
		return l
	}
	subs := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		subs = tree.Sub
	}
	if l.anchored = subs[0].Op == syntax.OpBeginText; l.anchored {
		subs = subs[1:]
	}
	if len(subs) > 0 && subs[0].Op == syntax.OpLiteral && subs[0].Flags&syntax.FoldCase == 0 {
		l.prefix, subs = string(subs[0].Rune), subs[1:]
	}
	group := 0
	for _, known := range rests {
		if slices.EqualFunc(subs, known.subs, (*syntax.Regexp).Equal) {
			l.rest, group = known.rest, known.group
		}
	}
	if n := len(l.prefix); l.rest == anything && n > 1 && l.prefix[n-1] == '/' {
		l.prefix, l.rest = l.prefix[:n-1], slash
	}
	switch n := len(p.pieces); {
	case l.rest == other:
		return l
	case n == 1 && p.pieces[0].group == group:
	case n == 2 && p.pieces[0].group < 0 && p.pieces[1].group == group:
		l.with = p.pieces[0].text
	default:
		return l
	}
	l.plain = isPlain(l.prefix) && (l.with == "" || l.with == "/" || isPlain(strings.TrimSuffix(l.with, "/")))
	return l
}

// isPlain reports whether p is an absolute path without a final slash, empty
// and dot-segments, and escapes, which no prefix action would read otherwise.
func isPlain(p string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	for _, segment := range strings.Split(p[1:], "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	for i := range len(p) {
		if c := p[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && strings.IndexByte("/-._~!&',;=@:", c) < 0 {
			return false
		}
	}
	return true
}

// rewrites returns the rules of all lines for one path. Only the first line that
// may change a path is sure to see one of the route.
func (r *reading) rewrites(lines []rewriteLine, p *ingress.PathRule) []rewrite.Rule {
	var rules []rewrite.Rule
	for i := range lines {
		l := &lines[i]
		first := len(rules) == 0
		if first && l.elsewhere(p) {
			if !r.compat {
				r.warn(CodeScope, p.Source, l.origin, "%.64q is not on this path, so the line is not for it: begin it with .* to rewrite in the middle of a path", l.prefix)
				continue
			}
			r.warn(CodeScope, p.Source, l.origin, "%.64q is not on this path, and is looked for in the middle of it; in Strict the line is not for it", l.prefix)
		}
		action := l.action()
		if first {
			action = r.shortest(l, p)
		}
		rules = append(rules, rewrite.Rule{Action: action, Origin: l.origin})
	}
	return rules
}

// elsewhere reports whether no path of p begins with l's text.
func (l *rewriteLine) elsewhere(p *ingress.PathRule) bool {
	if l.anchored || !strings.HasPrefix(l.prefix, "/") {
		return false
	}
	path := routed(p)
	text := l.prefix
	if l.rest == slash {
		text += "/"
	}
	switch {
	case strings.HasPrefix(path, l.prefix):
		return false
	case p.Type == "Prefix":
		return !strings.HasPrefix(text, path+"/")
	case p.Type == "Exact":
		return true
	}
	return !strings.HasPrefix(text, path)
}

// shortest returns the simplest action that does to the paths of p what l does.
func (r *reading) shortest(l *rewriteLine, p *ingress.PathRule) rewrite.Action {
	if !l.plain {
		return l.anchor(p)
	}
	replace := func() rewrite.Action {
		if l.with == "" || l.with == "/" {
			return rewrite.TrimPathPrefix(l.prefix)
		}
		return rewrite.ReplacePathPrefix(l.prefix, strings.TrimSuffix(l.with, "/"))
	}
	under := bySegment(p, l.prefix)
	switch l.rest {
	case slash:
		if !strings.HasSuffix(l.with, "/") {
			break
		}
		if strings.HasPrefix(routed(p), l.prefix+"/") {
			return replace()
		}
		if p.Type != "Exact" && routed(p) == l.prefix {
			if !r.compat {
				r.warn(CodeSlash, p.Source, l.origin, "HAProxy forwards %s itself as it is; here the prefix is replaced by segment: write %s(/.*)? to say so", l.prefix, l.prefix)
				return replace()
			}
			r.warn(CodeSlash, p.Source, l.origin, "%s itself is forwarded as it is; in Strict the prefix is replaced by segment: write %s(/.*)? to say so", l.prefix, l.prefix)
		}
	case segment:
		if under && l.with == "/" {
			return replace()
		}
	case below:
		if under && !strings.HasSuffix(l.with, "/") {
			return replace()
		}
	case optional:
		if l.with != "/" {
			break
		}
		if under {
			return replace()
		}
		if byText(p, l.prefix) {
			return rewrite.TrimPathText(l.prefix)
		}
	case anything:
		switch {
		case strings.HasSuffix(l.with, "/") || !byText(p, l.prefix):
		case under:
			return replace()
		case l.with == "":
			return rewrite.TrimPathText(l.prefix)
		default:
			return rewrite.ReplacePathText(l.prefix, l.with)
		}
	}
	return l.anchor(p)
}

// anchor returns l's own action, with ^ where the paths of p have a match at
// their beginning or none.
func (l *rewriteLine) anchor(p *ingress.PathRule) rewrite.Action {
	switch l.rest {
	case anything:
		if l.prefix == "" {
			return l.whole()
		}
		if !byText(p, l.prefix) {
			return l.action()
		}
	case optional:
		if !byText(p, l.prefix) {
			return l.action()
		}
	case slash, segment, below:
		if !bySegment(p, l.prefix) {
			return l.action()
		}
	default:
		return l.action()
	}
	regex := l.regex
	if !l.anchored {
		regex = "^" + regex
	}
	return rewrite.RewritePath(regex, l.template)
}

// whole returns the action of an expression that matches every path.
func (l *rewriteLine) whole() rewrite.Action {
	pieces := l.pieces
	switch {
	case len(pieces) == 1 && pieces[0].group < 0 && isPlain(pieces[0].text):
		return rewrite.SetPath(pieces[0].text)
	case len(pieces) == 1 && pieces[0].text == "/":
		return rewrite.SetPath("/")
	case len(pieces) == 2 && isPlain(pieces[0].text) && pieces[1].group >= 0 && pieces[1].group < 2:
		return rewrite.AddPathPrefix(pieces[0].text)
	}
	return l.action()
}
