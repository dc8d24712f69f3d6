package gateway

// Paths: what rules make of the paths that an entry gets, in the one form that
// the API has: a text in place of the prefix, or of all.

import (
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
)

// A path is what is known of the paths that an entry gets, or of what its rules
// have made of them: text, and behind it, if it is open, nothing or "/" and
// anything. Of an open path an empty text and nothing behind it are "/".
type path struct {
	text    string // canonical; of an open path without a final slash
	open    bool
	root    bool   // behind the text there always is a slash: the prefix is "/"
	unknown bool   // nothing is known
	doubled bool   // behind the text there may be a slash too many, which the end of the hook drops
	note    string // how what is written differs, or empty

	chain []rewrite.Action // of a path that is not open: what is yet to be done to text
}

// canonical returns the text in which paths are compared.
func canonical(p string) string {
	return string(escape.AppendNormal(nil, string(escape.AppendPath(nil, p)), true))
}

// prefixText returns the canonical text of a prefix that is compared by segment.
func prefixText(p string) string {
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return strings.TrimRight(canonical(p), "/")
}

// cut returns what follows the prefix q in p's text, compared by segment. maybe
// means that it depends on what is behind the text.
func (p path) cut(q string) (rest string, ok, maybe bool) {
	if rest, ok = strings.CutPrefix(p.text, q); ok && (rest == "" || rest[0] == '/') {
		return rest, true, false
	}
	below := strings.HasPrefix(q, p.text) && q[len(p.text)] == '/'
	return "", false, p.open && below
}

// differs notes how what is written differs.
func (p *path) differs(note string) {
	switch {
	case note == "" || strings.Contains(p.note, note):
	case p.note == "":
		p.note = note
	default:
		p.note += "; " + note
	}
}

// atPrefix notes what becomes of the path that is the prefix itself.
func (p *path) atPrefix(ours, theirs string) {
	if !p.root {
		p.differs("the path that is the prefix itself becomes " + theirs + " instead of " + ours)
	}
}

// do applies one action. ok is false if what it makes has not the form.
func (p *path) do(a rewrite.Action) (ok bool) {
	args := a.Args()
	switch {
	case a.Op() == rewrite.OpSetPath:
		*p = path{text: canonical(args[0]), note: p.note}
		return true
	case p.unknown, p.doubled:
		return false
	case !p.open:
		p.chain = append(p.chain, a)
		return touchesPathAlone(a)
	}
	switch a.Op() {
	case rewrite.OpAddPathPrefix:
		return p.replace("", args[0])
	case rewrite.OpTrimPathPrefix:
		for _, arg := range args {
			q := prefixText(arg)
			rest, match, maybe := p.cut(q)
			if maybe {
				return false
			}
			if match {
				p.text = rest
				return true
			}
		}
		return true
	case rewrite.OpReplacePathPrefix:
		return p.replace(prefixText(args[0]), args[1])
	case rewrite.OpStripPathSegments:
		return p.strip(args[0])
	case rewrite.OpTrimPathText:
		for _, arg := range args {
			if done, ok := p.replaceText(arg, ""); done || !ok {
				return ok
			}
		}
		return true
	case rewrite.OpReplacePathText:
		_, ok := p.replaceText(args[0], args[1])
		return ok
	case rewrite.OpRewritePath:
		return p.regex(args[0], args[1])
	}
	return false
}

// touchesPathAlone reports whether an action is about the path, and compiles.
func touchesPathAlone(a rewrite.Action) bool {
	program, err := rewrite.Compile([]rewrite.Rule{{Action: a}}, nil)
	return err == nil && program.Touches(rewrite.AfterLocation) == rewrite.PathChanged
}

// finish does what is yet to be done.
func (p *path) finish() (ok bool) {
	if len(p.chain) == 0 {
		return true
	}
	rules := make([]rewrite.Rule, len(p.chain))
	for i, a := range p.chain {
		rules[i].Action = a
	}
	program, err := rewrite.Compile(rules, nil)
	if err != nil {
		return false
	}
	u := rewrite.URL{Path: p.text}
	if _, err := program.Apply(rewrite.AfterLocation, &u, nil); err != nil || strings.Contains(u.Path, "//") {
		return false
	}
	p.text, p.chain = u.Path, nil
	return true
}

func (p *path) replace(match, with string) bool {
	rest, ok, maybe := p.cut(match)
	if ok {
		with = prefixText(with)
		if match == "" && rest == "" && with != "" {
			p.atPrefix(with+"/", with)
		}
		p.text = with + rest
	}
	return !maybe
}

func (p *path) strip(number string) bool {
	n, err := strconv.Atoi(number)
	rest := p.text
	for ; n > 0 && err == nil; n-- {
		if rest == "" {
			return false
		}
		if i := strings.IndexByte(rest[1:], '/'); i >= 0 {
			rest = rest[1+i:]
		} else {
			rest = ""
		}
	}
	p.text = rest
	return err == nil
}

// replaceText replaces a prefix wherever in a segment it ends. done means that
// the text begins with it.
func (p *path) replaceText(prefix, with string) (done, ok bool) {
	q, with := canonical(prefix), canonical(with)
	rest, ok := strings.CutPrefix(p.text, q)
	if !ok {
		return false, !strings.HasPrefix(q, p.text)
	}
	if strings.HasSuffix(with, "/") && (rest == "" || rest[0] == '/') {
		if rest == "" && with != "/" {
			p.atPrefix(with, with[:len(with)-1])
		}
		with = with[:len(with)-1]
	}
	text := with + rest
	if text != "" && text[0] != '/' {
		text = "/" + text
	}
	p.text = text
	return true, true
}

// regex applies a RewritePath whose expression is a prefix, literally, with or
// without what follows it.
func (p *path) regex(expression, template string) bool {
	expression, fold := cutFold(expression)
	expression, anchored := strings.CutPrefix(expression, "^")
	form, literal := splitExpression(expression)
	rest, ok, _ := p.cut(literal)
	if !anchored || literal == "" || !ok || strings.ContainsAny(template, "?{") || strings.Count(template, "$") > 1 {
		return false
	}
	put, group, captures := strings.Cut(template, "$")
	if !captures {
		*p = path{text: canonical("/" + strings.TrimPrefix(template, "/")), note: p.note}
	} else {
		slash := strings.HasSuffix(put, "/")
		if form == nil || group != form.group || slash != form.slash && put != "/" || form.slash && !slash {
			return false
		}
		with := prefixText(put)
		if form.slash && with != "" && rest == "" && form.note != noteNeedsSlash {
			p.atPrefix(with+"/", with)
		}
		p.text, p.doubled = with+rest, slash && !form.slash
	}
	if form != nil && rest == "" {
		p.differs(form.note)
	}
	if fold {
		p.differs(noteFold)
	}
	return true
}

// An expressionForm is how an expression goes on behind a literal prefix.
type expressionForm struct {
	suffix string
	group  string // the number of the group that has the rest
	slash  bool   // the rest is without its first slash
	note   string // how it differs from a prefix by segment, or empty
}

const (
	noteNeedsSlash = "the path that is the prefix itself, without a slash behind it, is matched too"
	noteOpenEnd    = "paths that go on in the segment in which the prefix ends are not matched"
	noteFold       = "letter case counts"
)

var expressionForms = [...]expressionForm{
	{`(/|$)(.*)`, "2", true, ""},
	{`(?:/|$)(.*)`, "1", true, ""},
	{`(/|$).*`, "", true, ""},
	{`(/|$)`, "", true, ""},
	{`(/.*)?`, "1", false, ""},
	{`/(.*)`, "1", true, noteNeedsSlash},
	{`/.*`, "", true, noteNeedsSlash},
	{`/?(.*)`, "1", true, noteOpenEnd},
	{`/?.*`, "", true, noteOpenEnd},
	{`(.*)`, "1", false, noteOpenEnd},
	{`.*`, "", false, noteOpenEnd},
}

// cutFold returns an expression without a flag for any letter case before its
// text.
func cutFold(expression string) (rest string, fold bool) {
	for _, before := range []string{"", "^", "/", "^/"} {
		if rest, fold = strings.CutPrefix(expression, before+"(?i)"); fold {
			return before + rest, true
		}
	}
	return expression, false
}

// splitExpression returns the literal path with which an expression begins, and
// the form of what follows; nil if nothing does. Without a literal it is "".
func splitExpression(expression string) (*expressionForm, string) {
	body, ended := strings.CutSuffix(expression, "$")
	for i := range expressionForms {
		form := &expressionForms[i]
		if form.suffix == `(/.*)?` && !ended || form.suffix == `(/|$)` && ended {
			continue
		}
		if prefix, ok := strings.CutSuffix(body, form.suffix); ok {
			if literal := literalPath(prefix); literal != "" {
				return form, literal
			}
		}
	}
	return nil, literalPath(expression)
}

// literalPath returns the canonical path that is all an expression matches, or
// "" if that is none or ends in a slash.
func literalPath(expression string) string {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil || re.Op != syntax.OpLiteral || re.Flags&syntax.FoldCase != 0 {
		return ""
	}
	text := string(re.Rune)
	if len(text) < 2 || strings.HasSuffix(text, "/") || checkPath(text) != nil {
		return ""
	}
	return canonical(text)
}

// prefixOf returns the prefix that a table's expression, which is anchored at
// the beginning only, matches by segment, and how it differs from that.
func prefixOf(expression string) (prefix, note string, ok bool) {
	expression, fold := cutFold(expression)
	form, literal := splitExpression(strings.TrimPrefix(expression, "^"))
	if literal == "" {
		return "", "", false
	}
	p := path{}
	if form == nil {
		p.differs(noteOpenEnd)
	} else {
		p.differs(form.note)
	}
	if fold {
		p.differs(noteFold)
	}
	return literal, p.note, true
}
