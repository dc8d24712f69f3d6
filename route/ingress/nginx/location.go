package nginx

// Location: one path of an Ingress as a route with its rewrite.

import (
	"cmp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// A location is a path of an ordinary Ingress, or one of the two that the
// controller makes of it.
type location struct {
	o       *object
	p       *ingress.PathRule
	part    string
	text    string // the path
	pattern route.Pattern
	literal string         // what every path begins with that the pattern matches
	weight  string         // by which it is ordered, by length first
	rank    route.PathType // and then by this
	slot    int            // place among all locations
	expr    string         // its regular expression with "^"; "" if it is none
	groups  int            // of expr
	rewrite []rewrite.Action
	to      *ingress.Redirect  // of an absolute rewrite-target
	request []ingress.HeaderOp // x-forwarded-prefix
	canary  *canaryPath        // nil: none
	dropped bool
	// fallback: it is the default location. Only its redirects are entries.
	fallback bool
	// hidden: another one, if that is not nil, gets all of its requests, because of
	// why. Only what it adds to its host counts.
	hidden  bool
	earlier *location
	why     string
	// branches are snippets whose redirects are routes before this one.
	branches []*snippet
}

// locate makes the locations of all paths.
func (t *translation) locate() {
	t.claimAliases()
	for _, s := range t.servers {
		s.enforceDefault(t.compat)
	}
	for _, o := range t.objects {
		if o.dropped || o.canary != nil {
			continue
		}
		for i := range o.paths {
			t.locatePath(o, &o.paths[i])
		}
		for i := range o.paths {
			t.locateDefault(o, &o.paths[i])
		}
		if t.compat && len(o.paths) > 0 {
			t.report(o.in.Source(), ingress.Note, CodeNormalises, pathField, 0, "the controller merges slashes, resolves dot-segments and decodes the path before it looks for one; rewrite.Input says what is done here")
		}
	}
	t.hostWide()
	t.hostGuards()
}

// locatePath makes those of one path. In Compat only the first Ingress has it.
func (t *translation) locatePath(o *object, p *ingress.PathRule) {
	s := t.server(p)
	if first := s.paths[pathKey{path: p.Path, exact: p.Type == "Exact"}]; t.compat && first != p && !p.Default {
		t.report(p.Source, ingress.Warning, ingress.CodeShadowed, pathField, 0, "an earlier Ingress has the same host, path and pathType, and gets all requests")
		t.relate(first.Source)
		return
	}
	for _, l := range t.split(o, p) {
		n := t.place(l)
		if l.dropped {
			return // so is what else the path is split into
		}
		l.slot = t.count
		t.count++
		if o.to != nil && o.to.captures() && !p.Default {
			if o.rewritten && n != o.groups {
				t.report(p.Source, ingress.Warning, CodeOneTarget, rewriteTarget, 0,
					"this path has %s and another of the Ingress %s, and they share one target: write an Ingress for each", groups(n), groups(o.groups))
			}
			o.rewritten, o.groups = true, n
		}
		t.branchOff(l)
		t.hide(l)
		o.places = append(o.places, l)
		s.places = append(s.places, l)
	}
}

// split returns the locations that the controller makes of a path: two of a
// Prefix that is not rewritten, on a host with regular expressions, and
// otherwise one.
func (t *translation) split(o *object, p *ingress.PathRule) []*location {
	l := &location{o: o, p: p, text: p.Path}
	s := t.server(p)
	if !t.compat || !s.regex || p.Type == "Exact" || p.Path == "/" || enforcesRegex(o, p) && (o.useRegex || o.target != p.Path) {
		return []*location{l}
	}
	l.text = strings.TrimSuffix(p.Path, "/") + "/"
	exact := &location{o: o, p: p, text: p.Path, part: "exact"}
	if l.text == exact.text || s.paths[pathKey{path: p.Path, exact: true}] != nil {
		return []*location{l}
	}
	return []*location{l, exact}
}

// place gives l its pattern and its rewrite, and returns the number of groups
// of its regular expression.
func (t *translation) place(l *location) int {
	p, o := l.p, l.o
	asked := !p.Default && (o.useRegex || o.target != "")
	plain := p.Type == "Exact" || p.Type == "Prefix" || p.Type == "" && t.validate
	refused := t.validate && !isPlainPath(p.Path) || !t.compat && asked && looksRegex(p.Path)
	if plain && refused && !p.Default {
		t.report(p.Source, ingress.Error, CodePathType, pathField, 0,
			"path %.64s cannot be used with pathType %s: write ImplementationSpecific", p.Path, cmp.Or(p.Type, "Prefix"))
		t.cannotPlace(l, pcre.Beginning(l.text))
		return 0
	}
	if t.compat && !t.server(p).regex || !t.compat && !(asked && looksRegex(p.Path)) {
		t.placeLiteral(l, asked)
		return 0
	}
	tree, f := parseRegex(l.text)
	if f == nil && t.compat && strings.HasPrefix(l.text[1:], "{") {
		f = &faultText{offset: 1, text: "the first slash cannot be repeated"}
	}
	if f != nil {
		if f.advice != "" {
			f.text += "; " + f.advice
		}
		t.report(p.Source, ingress.Error, CodeRegex, pathField, f.offset, "path %.128s: %s", l.text, f.text)
		t.cannotPlace(l, pcre.Beginning(l.text))
		return 0
	}
	s, shaped := shapeOf(tree)
	t.placeRegex(l, tree, s, shaped)
	if err := t.placeFault(l); err != nil {
		t.report(p.Source, ingress.Error, CodeRegex, pathField, 0, "%v", err)
		t.cannotPlace(l, pcre.Beginning(l.text))
		return l.groups
	}
	matches := t.judgePath(l, tree, s, shaped, asked)
	if t.closed(l) {
		if !matches {
			t.cannotPlace(l, pcre.Beginning(l.text)) // for to the controller there are such paths
		}
		return l.groups
	}
	if o.target != "" && !p.Default && t.changes(l) {
		t.rewriteRegex(l, tree, s, shaped)
	}
	return l.groups
}

// judgePath warns of what a path that is a regular expression may match, or not
// match, otherwise than meant. It returns false if a part of it never matches.
func (t *translation) judgePath(l *location, tree *syntax.Regexp, s shape, shaped, asked bool) bool {
	warn := func(code ingress.Code, offset int, format string, args ...any) {
		t.report(l.p.Source, ingress.Warning, code, pathField, offset, format, args...)
	}
	if pcre.HasAlternatives(l.text) {
		warn(CodeAlternation, 0, "path %.64s: nginx anchors only the first alternative, and all begin at the beginning of the path here: write a path for each", l.text)
	}
	r, escapes := neverRaw(tree)
	if !escapes {
		r, escapes = rawOutside(l.text)
	}
	if escapes {
		warn(CodeEscapes, max(0, strings.IndexRune(l.text, r)), "a path is compared with its escapes and without the query, so %q matches nothing: write %s", r, escaped(string(r)))
	}
	if asked && looksRegex(l.text) {
		t.quirk(l.p.Source, CodeRegexPrefix, pathField, "it is compared without letter case, and has no end unless it ends in $", "letter case counts")
	}
	if shaped && s.tail == maybeTail {
		warn(CodeOptionalSlash, 0, "path %.64s also matches %selse: write %s(/|$)(.*) and $2", l.text, s.prefix, s.prefix)
	}
	if shaped && s.tail == optionalTail && !s.end {
		warn(CodeOptionalSlash, 0, "path %.64s also matches %selse in nginx, and not here: write $ at its end", l.text, s.prefix)
	}
	return !escapes
}

// isEscaped reports whether a path has r only as an escape.
func isEscaped(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"#<>?\\^`{|}", r) }

// rawOutside returns the first of the controls, spaces and characters that are
// not ASCII in the text of a regular expression, if it is in no class.
func rawOutside(text string) (r rune, found bool) {
	i := strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f })
	if i < 0 || strings.LastIndexByte(text[:i], '[') > strings.LastIndexByte(text[:i], ']') {
		return 0, false
	}
	r, _ = utf8.DecodeRuneInString(text[i:])
	return r, true
}

// neverRaw returns the first character that tree asks for and that a path has
// only as an escape.
func neverRaw(tree *syntax.Regexp) (r rune, found bool) {
	switch tree.Op {
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			if isEscaped(r) {
				return r, true
			}
		}
	case syntax.OpCharClass:
		for i := 0; i+1 < len(tree.Rune); i += 2 {
			for r := tree.Rune[i]; r <= min(tree.Rune[i+1], 0x7f); r++ {
				if !isEscaped(r) {
					return 0, false
				}
			}
		}
		if len(tree.Rune) > 0 {
			return tree.Rune[0], true
		}
	}
	for _, sub := range tree.Sub {
		if r, found := neverRaw(sub); found {
			return r, true
		}
	}
	return 0, false
}

// placeLiteral is place for a path that is no regular expression.
func (t *translation) placeLiteral(l *location, rewritten bool) {
	pattern := route.Pattern{Host: l.p.Host, Path: l.text}
	if l.p.Type == "Exact" {
		pattern.Type = route.Exact
	}
	l.setPrefix(pattern)
	if err := t.placeFault(l); err != nil {
		if looksRegex(l.text) {
			t.report(l.p.Source, ingress.Error, CodePathType, pathField, 0, "path %.64s looks like a regular expression, and is no path as text: write use-regex: \"true\" and pathType ImplementationSpecific; Pattern.Path: %v", l.text, err)
			t.cannotPlace(l, pcre.Beginning(l.text))
		} else {
			t.report(l.p.Source, ingress.Error, ingress.CodeBadEntry, pathField, 0, "Pattern.Path: %v", err)
			t.cannotPlace(l, "/"+strings.TrimPrefix(l.literal, "/"))
		}
		return
	}
	if looksRegex(l.text) && !l.p.Default {
		t.report(l.p.Source, ingress.Warning, CodePathType, pathField, 0, "path %.64s looks like a regular expression, and is text: write use-regex: \"true\" and pathType ImplementationSpecific", l.text)
	}
	if rewritten && l.o.target != "" && !t.closed(l) && t.changes(l) && !t.compat {
		t.rewriteLiteral(l)
	}
}

// placeFault is pathFault for l, at no cost for what most paths are.
func (t *translation) placeFault(l *location) error {
	// So many bytes every table takes. Without a counted repetition a byte is at
	// most two of the instructions that a regular expression can have.
	const short, shortRegex = 1024, 64
	path, opts := l.pattern.Path, t.table()
	switch {
	case l.pattern.Type != route.Regex:
		if len(path) <= short && isPlainPrefix(path) {
			return nil
		}
	case opts == nil || opts.Regexp == (rewrite.RegexpLimits{}):
		if len(path) <= shortRegex && len(path) > 1 && path[0] == '/' && strings.IndexByte("*+?", path[1]) < 0 && !strings.ContainsAny(path, `{%\`) {
			return nil
		}
	}
	return t.pathFault(l.pattern)
}

// placeRegex gives l the pattern of a regular expression: in Strict that of its
// shape, if it has one.
func (t *translation) placeRegex(l *location, tree *syntax.Regexp, s shape, shaped bool) {
	path := l.text
	if shaped && s.tail == optionalTail && !s.end {
		path += "$"
	}
	l.expr, l.groups = anchored(path), tree.MaxCap()
	switch {
	case t.compat:
		l.expr = "(?i)" + l.expr
		l.pattern = route.Pattern{Host: l.p.Host, Path: folded(path), Type: route.Regex}
		l.weight = l.p.Path
	case shaped:
		l.setPrefix(s.pattern(l.p.Host))
	default:
		l.pattern = route.Pattern{Host: l.p.Host, Path: l.text, Type: route.Regex}
		l.literal, l.weight, l.rank = literalOf(tree), l.text, route.Regex
	}
}

// literalOf returns the text that every match of tree begins with.
func literalOf(tree *syntax.Regexp) string {
	switch tree.Op {
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 {
			return string(tree.Rune)
		}
	case syntax.OpCapture:
		return literalOf(tree.Sub[0])
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range tree.Sub {
			if sub.Op != syntax.OpLiteral || sub.Flags&syntax.FoldCase != 0 {
				break
			}
			b.WriteString(string(sub.Rune))
		}
		return b.String()
	}
	return ""
}

// hostWide tells the Ingresses of a host that another one makes regular
// expressions of their paths.
func (t *translation) hostWide() {
	for _, o := range t.objects {
		for _, l := range o.places {
			s := t.server(l.p)
			if !s.regex || s.told == o || l.p.Default || enforcesRegex(o, l.p) {
				continue
			}
			s.told = o
			detail := "another path of this host has use-regex or rewrite-target, which the controller lets make a regular expression of this one too; here it is what its pathType says"
			if t.compat {
				detail = "another path of this host has use-regex or rewrite-target, so this one is a regular expression, whatever its pathType; in Strict it is what its pathType says"
			}
			t.report(l.p.Source, ingress.Warning, CodeHostWide, pathField, 0, "%s", detail)
			t.relate(s.cause.in.Source())
		}
	}
}
