package nginx

// Rewrite: rewrite-target and x-forwarded-prefix for one location.

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

const rewriteTarget = "rewrite-target"

// readTarget reads rewrite-target.
func (r *reader) readTarget() {
	o := r.o
	text := r.checked(rewriteTarget, pathWithCapture, "the path is not rewritten")
	if text == "" {
		return
	}
	to, f := parseTarget(text)
	if f != nil {
		r.report(o.in.Source(), ingress.Error, f.code, rewriteTarget, f.offset+o.lead(rewriteTarget), "%s; nothing of this Ingress is served", f.text)
		o.dropped = true
		return
	}
	o.target, o.to = text, to
	if !o.useRegex {
		r.quirk(o.in.Source(), CodeImpliedRegex, rewriteTarget, "it turns use-regex on", "only a path of type ImplementationSpecific may be a regular expression")
	}
}

// changes reports whether the target of l is another than its path. To the
// controller one that is not says nothing.
func (t *translation) changes(l *location) bool {
	if l.text != l.o.target {
		return true
	}
	t.report(l.p.Source, ingress.Warning, CodeNoEffect, rewriteTarget, 0, "the target is the path %.64s itself, so nothing is rewritten: remove it, or write a path with captures", l.text)
	return false
}

// rewriteLiteral rewrites a location whose path is text.
func (t *translation) rewriteLiteral(l *location) {
	to := t.within(l, l.o.to, rewriteTarget)
	t.setRewrite(l, to, to.actions("", true))
	if l.p.Type != "Exact" && !l.o.to.captures() {
		t.report(l.p.Source, ingress.Warning, CodeNoCapture, rewriteTarget, 0,
			"there is no capture in the path, so all below %.64s becomes %.64s: write %s", l.text, l.o.target, capturing(l.text))
	}
	t.forwardedPrefix(l, nil)
}

// capturing returns what to write instead of a path to keep what is below it.
func capturing(path string) string {
	if path == "/" {
		return "/(.*) and $1"
	}
	return strings.TrimSuffix(path, "/") + "(/|$)(.*) and $2"
}

// rewriteRegex rewrites a location whose path is a regular expression.
func (t *translation) rewriteRegex(l *location, tree *syntax.Regexp, s shape, shaped bool) {
	to := t.within(l, l.o.to, rewriteTarget)
	t.setRewrite(l, to, t.targetActions(l, to, s, shaped))
	t.forwardedPrefix(l, tree)
	if !to.captures() {
		if s.tail != endTail && !l.o.to.captures() {
			t.report(l.p.Source, ingress.Warning, CodeNoCapture, rewriteTarget, 0,
				"there is no capture in the target, so all that matches %.64s becomes %.64s: write a path with (/|$)(.*) and $2", l.text, l.o.target)
		}
		return
	}
	if t.compat {
		t.report(l.p.Source, ingress.Warning, CodeDecodes, rewriteTarget, 0, "the controller decodes what is captured, and %%2F becomes a slash; captures keep their escapes here")
	}
	t.judge(l, to, tree)
}

// within returns what the annotation name goes to without the groups that the
// path does not have, which it reports.
func (t *translation) within(l *location, to *target, name string) *target {
	most := to.most()
	if most <= l.groups {
		return to
	}
	if l.fallback {
		return to.without(0)
	}
	t.report(l.p.Source, ingress.Warning, CodeNoGroup, name, strings.Index(to.text, fmt.Sprintf("$%d", most))+l.o.lead(name),
		"$%d is empty: path %.64s has %s", most, l.text, groups(l.groups))
	return to.without(l.groups)
}

func groups(n int) string {
	switch n {
	case 0:
		return "no group"
	case 1:
		return "1 group"
	}
	return fmt.Sprint(n, " groups")
}

// setRewrite lets actions be l's rewrite or, if the target is absolute, its redirect.
func (t *translation) setRewrite(l *location, to *target, actions []rewrite.Action) {
	if to.absolute {
		l.to = &ingress.Redirect{Status: 302, Rules: rules(actions, rewrite.AfterLocation, rewriteTarget)}
		return
	}
	l.rewrite = actions
}

// rules returns actions as rules that the annotation name asks for.
func rules(actions []rewrite.Action, hook rewrite.Hook, name string) []rewrite.Rule {
	list := make([]rewrite.Rule, len(actions))
	for i, a := range actions {
		list[i] = rewrite.Rule{Hook: hook, Action: a, Origin: rewrite.Origin{Key: prefix + name}}
	}
	return list
}

// targetActions returns the actions of to: those of the shape, if it has them,
// else a regular expression.
func (t *translation) targetActions(l *location, to *target, s shape, shaped bool) []rewrite.Action {
	if shaped && to.captures() && !to.hasQuery && !to.whole && !to.dropArgs {
		if actions, ok := s.actions(to.path, t.compat); ok {
			return append(to.authority(), actions...)
		}
	}
	return to.actions(l.expr, true)
}

// judge warns of what captures can do to a path.
func (t *translation) judge(l *location, to *target, tree *syntax.Regexp) {
	warn := func(code ingress.Code, format string, args ...any) {
		t.report(l.p.Source, ingress.Warning, code, rewriteTarget, 0, format, args...)
	}
	subs := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		subs = tree.Sub
	}
	used := make(map[int]bool)
	to.groups(func(group int) { used[group] = true })
	last, group := subs[len(subs)-1], 0
	switch {
	case isAny(last, &group) && group > 0 && !used[group]:
		warn(CodeShiftedGroup, "$%d, which takes the rest of the path, is not in %.64s: count the groups again", group, to.text)
	case last.Op != syntax.OpEndText && !isAny(last, nil) && !isSlashRest(last, nil):
		warn(CodeDropsTail, "what follows the match of %.64s is dropped: end the path with (.*) or $", l.text)
	}
	for i, sub := range subs {
		free, group := false, 0
		switch {
		case isSlashOrEnd(sub, &group) || isSlashRest(sub, &group):
			if group > 0 && behindSlash(to.path, group) {
				warn(CodeDoubleSlash, "$%d begins with a slash and is put behind one: leave one out", group)
			}
			continue
		case isAny(sub, &group):
			free = i > 0 && !endsInSlash(subs[i-1])
		}
		if free && group > 0 && behindSlash(to.path, group) {
			warn(CodeDotSegment, "$%d does not begin behind a slash and is put behind one, so a path such as %s../x is answered with 400: write (/|$)(.*)", group, literalOf(tree))
			if i == 0 || !isMaybeSlash(subs[i-1], nil) {
				warn(CodeDoubleSlash, "$%d may begin with a slash and is put behind one: write (/|$)(.*)", group)
			}
		}
	}
}

// behindSlash reports whether the capture of group stands behind a slash.
func behindSlash(parts []part, group int) bool {
	for i := 1; i < len(parts); i++ {
		if parts[i].group == group && strings.HasSuffix(parts[i-1].text, "/") {
			return true
		}
	}
	return false
}

// endsInSlash reports whether all that re matches ends in a slash, or is empty
// at the end of the path.
func endsInSlash(re *syntax.Regexp) bool {
	re, _ = inside(re)
	if re.Op == syntax.OpLiteral {
		return len(re.Rune) > 0 && re.Rune[len(re.Rune)-1] == '/'
	}
	return isSlashOrEnd(re, nil)
}

// forwardedPrefix sets the header of x-forwarded-prefix, if its captures are
// text in the path.
func (t *translation) forwardedPrefix(l *location, tree *syntax.Regexp) {
	const name = "x-forwarded-prefix"
	value := l.o.forwardedPrefix
	if value == "" {
		return
	}
	parts, f := parseParts(value, 0)
	if f != nil {
		t.report(l.p.Source, ingress.Error, f.code, name, f.offset+l.o.lead(name), "%s: the header is not set", f.text)
		return
	}
	literals := make(map[int]string)
	if tree != nil {
		literalGroups(tree, literals)
	}
	var b strings.Builder
	offset := l.o.lead(name)
	for _, p := range parts {
		at := offset
		if offset += len(p.text); p.group > 0 {
			offset += len("$1")
		}
		text, ok := literals[p.group]
		switch {
		case p.group == 0:
			b.WriteString(p.text)
		case ok:
			if b.WriteString(text); b.Len() > maxTarget {
				t.report(l.p.Source, ingress.Error, CodeValue, name, 0, "it has more than %d bytes: the header is not set", maxTarget)
				return
			}
		case p.group <= l.groups:
			t.report(l.p.Source, ingress.Error, CodeHeaderCapture, name, at,
				"$%d depends on the request, and a header's value cannot: the header is not set; write its text", p.group)
			return
		}
	}
	l.request = append(l.request, ingress.HeaderOp{Name: "X-Forwarded-Prefix", Value: b.String()})
}

// literalGroups finds the groups of tree that match one text.
func literalGroups(tree *syntax.Regexp, found map[int]string) {
	if tree.Op == syntax.OpCapture && tree.Sub[0].Op == syntax.OpLiteral {
		found[tree.Cap] = string(tree.Sub[0].Rune)
	}
	if tree.Op == syntax.OpConcat || tree.Op == syntax.OpCapture {
		for _, sub := range tree.Sub {
			literalGroups(sub, found)
		}
	}
}
