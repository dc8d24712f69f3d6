package kong

// Paths: the entries of one path of an Ingress.

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// A location is one path as it is matched.
type location struct {
	pattern    route.Pattern
	written    string // as the manifest has it
	expression string // of a regular expression, without what makes it one; else ""
}

// path makes the entries of p.
func (t *translation) path(p *ingress.PathRule, s *settings) {
	t.at = p.Source
	loc, ok := t.locate(p, s)
	if !ok {
		return
	}
	up := t.upstream(p, s)
	e := ingress.Entry{Source: p.Source, Pattern: loc.pattern, When: s.when, Backends: []ingress.Backend{up.backend}}
	if s.guarded || up.guarded { // whatever else is wrong, no shorter path gets these requests
		e.Backends[0] = ingress.Backend{Service: up.backend.Service, Weight: 1, Invalid: true}
		t.emit(e, s)
		return
	}
	if s.lost {
		return
	}
	if e.Rules, ok = t.rules(s, &loc, &up); !ok {
		return
	}
	if pattern, action, differs := wholePath(s, &loc, &up); differs {
		whole := e
		whole.Source.Part = part(e.Source, "whole")
		whole.Pattern = pattern
		whole.Rules = []rewrite.Rule{{Action: action, Origin: origin("path")}}
		t.emit(whole, s)
	}
	t.emit(e, s)
}

// part adds a word to a Source's Part.
func part(at ingress.Source, word string) string {
	if at.Part == "" {
		return word
	}
	return at.Part + " " + word
}

// emit adds an entry, for each host, and before it what sends http to https.
func (t *translation) emit(e ingress.Entry, s *settings) {
	hosts := append([]string{e.Pattern.Host}, s.aliases...)
	for i, host := range hosts {
		if i > 0 && strings.EqualFold(host, e.Pattern.Host) || host == "" && s.aliased {
			continue
		}
		e := e
		e.Pattern.Host = host
		if i > 0 {
			e.Source.Part = part(e.Source, host)
		}
		if s.upgrade != 0 {
			to := e
			to.Source.Part = part(e.Source, "https")
			to.When.Scheme = "http"
			to.Backends, to.Rules = nil, nil
			at := rewrite.Origin{Key: s.upgradeKey}
			to.Redirect = &ingress.Redirect{Status: s.upgrade, Rules: []rewrite.Rule{
				{Action: rewrite.SetScheme("https"), Origin: at}, {Action: rewrite.SetPort(""), Origin: at},
			}}
			t.made = append(t.made, made{entry: to, priority: s.priority})
		}
		t.made = append(t.made, made{entry: e, priority: s.priority})
	}
}

// locate returns how a path is matched. ok is false if it cannot be.
func (t *translation) locate(p *ingress.PathRule, s *settings) (loc location, ok bool) {
	loc.pattern, loc.written = route.Pattern{Host: p.Host, Path: p.Path}, p.Path
	isRegex := strings.HasPrefix(p.Path, s.regexPrefix)
	switch {
	case p.Type == "Prefix" || p.Type == "Exact":
		if isRegex {
			t.report(ingress.Warning, CodePathType, "", 0, "%.64q is text, because pathType is %s: write ImplementationSpecific", p.Path, p.Type)
		}
		if p.Type == "Exact" {
			return t.exact(p, loc)
		}
	case isRegex:
		loc.expression = cmp.Or(p.Path[len(s.regexPrefix):], "/") // which match alike
		if detail, offset, bad := pcre.Fault(loc.expression); bad {
			t.report(ingress.Error, CodeRegex, "", len(s.regexPrefix)+offset, "%s; the path is left out", detail)
			return loc, false
		}
		if !begins(strings.TrimPrefix(loc.expression, "^"), '/') {
			t.report(ingress.Error, CodeRegex, "", len(s.regexPrefix), "the expression of %.64q begins without a slash, as no path does: write one before it; the path is left out", p.Path)
			return loc, false
		}
		loc.pattern.Type, loc.pattern.Path = route.Regex, pcre.Begin(loc.expression)
	case p.Path != "/":
		loc.pattern.Type = route.TextPrefix
		if strings.ContainsAny(p.Path, `()[]{}*+?^$|\`) {
			t.report(ingress.Warning, CodeLiteral, "", 0, "%.64q is text: write %s before it to make it a regular expression", p.Path, s.regexPrefix)
		}
	}
	return loc, true
}

// exact: Kong makes ~/path$ of it, and escapes nothing.
func (t *translation) exact(p *ingress.PathRule, loc location) (location, bool) {
	loc.pattern.Type = route.Exact
	if re, err := syntax.Parse(p.Path, syntax.Perl); err == nil && re.Op == syntax.OpLiteral || !t.compat {
		return loc, true
	}
	if detail, offset, bad := pcre.Fault(p.Path); bad {
		t.report(ingress.Error, CodeRegex, "", offset, "%s; the path is left out", detail)
		return loc, false
	}
	t.report(ingress.Warning, CodeExactRegex, "", 0, "Kong takes %.64q for a regular expression: Strict takes it literally", p.Path)
	loc.pattern.Type, loc.pattern.Path = route.Regex, pcre.Whole(p.Path)
	return loc, true
}

// rules returns what becomes of the path. ok is false if it cannot be had, which
// is reported.
func (t *translation) rules(s *settings, loc *location, up *upstream) (rules []rewrite.Rule, ok bool) {
	if s.rewrite != nil {
		return t.rewriteRules(s.rewrite, loc, up)
	}
	add := func(name string, a rewrite.Action) {
		rules = append(rules, rewrite.Rule{Action: a, Origin: origin(name)})
	}
	path, base := loc.pattern.Path, strings.TrimRight(up.base, "/")
	switch whole := up.whole(loc.written); {
	case !up.strip && loc.pattern.Type == route.Exact && path == "/" && base != "":
		add("path", rewrite.SetPath(whole))
	case !up.strip:
		if base != "" {
			add("path", rewrite.AddPathPrefix(base))
		}
	case loc.expression != "":
		add("strip-path", rewrite.ReplacePathRegex(anchored(loc.expression), ""))
		if base != "" {
			add("path", rewrite.AddPathPrefix(base))
		}
	case loc.pattern.Type == route.Regex, loc.pattern.Type == route.Exact && base != "":
		add("strip-path", rewrite.SetPath(whole)) // all of an Exact path is stripped
	case loc.pattern.Type == route.TextPrefix && base == "":
		add("strip-path", rewrite.TrimPathText(path))
	case loc.pattern.Type == route.TextPrefix:
		add("strip-path", rewrite.ReplacePathText(path, base+"/"))
	case base != "":
		add("strip-path", rewrite.ReplacePathPrefix(path, base))
	case strings.Trim(path, "/") != "":
		add("strip-path", rewrite.TrimPathPrefix(path))
	}
	return rules, true
}

// wholePath returns what becomes of requests of which the path matches all, if
// the rules would make something else of them: without a final slash in the path
// there is none in the result.
func wholePath(s *settings, loc *location, up *upstream) (pattern route.Pattern, action rewrite.Action, ok bool) {
	base := strings.TrimRight(up.base, "/")
	if s.rewrite != nil || base == "" {
		return pattern, action, false
	}
	pattern = loc.pattern
	switch path := pattern.Path; {
	case loc.expression != "" && up.strip:
		slash := "^.+?(/?)$" // but for "/" alone
		if base != up.base {
			slash = "^.*?(/?)$"
		}
		pattern.Path = pcre.Whole(loc.expression)
		return pattern, rewrite.RewritePath(slash, strings.ReplaceAll(base, "$", "$$")+"$1"), true
	case loc.expression != "":
		re, err := regexp.Compile(anchored(loc.expression))
		pattern.Path = pcre.Whole("/")
		return pattern, rewrite.SetPath(base), base == up.base && err == nil && re.MatchString("/")
	case pattern.Type == route.Prefix:
		ok = strings.Trim(path, "/") == "" && base == up.base
	case pattern.Type == route.TextPrefix:
		ok = up.strip && !strings.HasSuffix(path, "/")
	}
	pattern.Type = route.Exact
	return pattern, rewrite.SetPath(base), ok
}

// whole returns what becomes of a path of which all is stripped.
func (up *upstream) whole(path string) string {
	base := strings.TrimRight(up.base, "/")
	if base == "" || strings.HasSuffix(path, "/") && (path != "/" || base != up.base) {
		base += "/"
	}
	return base
}

// rewriteRules are those of konghq.com/rewrite, which replaces the whole path.
func (t *translation) rewriteRules(tm *template, loc *location, up *upstream) (rules []rewrite.Rule, ok bool) {
	if strings.Trim(up.base, "/") != "" {
		t.report(ingress.Warning, CodeOverridden, "path", 0, "%srewrite replaces the whole path, and with it that of the Service: leave out one of them", prefix)
	}
	var action rewrite.Action
	switch {
	case len(tm.captures) == 0:
		action = rewrite.SetPath(tm.constant())
		if loc.pattern.Type != route.Exact {
			t.report(ingress.Warning, CodeNoCapture, "rewrite", 0, "every path below %.64q becomes %.64q: write a regular expression with a capture, and $1", loc.written, tm.constant())
		}
	case loc.expression == "":
		path := t.within(tm, loc.written, 0).constant()
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		action = rewrite.SetPath(path)
	default:
		action = rewrite.RewritePath(anchored(loc.expression), t.forRegex(tm, loc.expression))
	}
	if fault := judge.Action(action, t.cluster); fault != nil {
		t.report(ingress.Error, CodeRewrite, "rewrite", 0, "%v: the path is left out", fault.Err)
		return nil, false
	}
	return []rewrite.Rule{{Action: action, Origin: origin("rewrite")}}, true
}

// anchored returns an expression at the beginning of a path, where a location is
// matched.
func anchored(expression string) string {
	expression = strings.TrimPrefix(expression, "^")
	if strings.Contains(expression, "|") && !slices.Contains([]string{"(/|$)", "(?:/|$)"}, alternation(expression)) {
		return "^(?:" + expression + ")"
	}
	return "^" + expression
}

// alternation returns the parenthesis around the only "|" of an expression, or "".
func alternation(expression string) string {
	i := strings.IndexByte(expression, '|')
	if strings.Count(expression, "|") != 1 {
		return ""
	}
	start, end := strings.LastIndexByte(expression[:i], '('), strings.IndexByte(expression[i:], ')')
	if start < 0 || end < 0 {
		return ""
	}
	return expression[start : i+end+1]
}
