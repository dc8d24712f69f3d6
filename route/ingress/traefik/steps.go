package traefik

// What each middleware does, in words of none.

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
	"github.com/readdress/readdress/route/ingress/internal/judge"
	"github.com/readdress/readdress/route/ingress/internal/manifest"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// A step is what one middleware does, independent of the path that it is for.
// Exactly one of the fields behind origin is set, but for headers.
type step struct {
	what   string // for messages
	origin rewrite.Origin

	prefixes []string          // the first of these texts is trimmed
	regex    *replacement      // every match is replaced
	action   rewrite.Action    // this is done to the path
	scheme   *ingress.Redirect // other schemes are redirected; the rules are the last ones
	from     string            // of scheme: the scheme of the requests that are
	redirect *ingress.Redirect // matching URLs are redirected
	host     string            // the Host field is set
	request  []ingress.HeaderOp
	response []ingress.HeaderOp
	maxBody  int64
}

// changesURL reports whether what comes after s sees another URL.
func (s *step) changesURL() bool {
	return len(s.prefixes) > 0 || s.regex != nil || s.action.Op() != 0 || s.host != ""
}

// steps returns what the middlewares do, in an order that an entry can have.
func (r *reading) steps() []step {
	list, ok := r.middlewares()
	if !ok {
		return nil
	}
	a := r.found["router.middlewares"]
	steps := make([]step, 0, len(list))
	for i := range list {
		m := &list[i]
		s := step{what: m.String(), origin: m.origin}
		err := r.step(&s, &m.middleware)
		if fault, ok := err.(*fault); ok {
			r.lose(fault.code, a, m.origin.Offset, "%v: %s", m, fault.detail)
			continue
		}
		if err != nil {
			r.lose(CodeMiddleware, a, m.origin.Offset, "%v: %v", m, err)
			continue
		}
		steps = append(steps, s)
	}
	r.checkOrder(steps, a)
	return steps
}

// checkOrder refuses what redirects behind something that a redirect comes
// before in an entry.
func (r *reading) checkOrder(steps []step, a given.Annotation) {
	var changed, scheme, redirect *step
	for i := range steps {
		s := &steps[i]
		switch {
		case s.redirect != nil && changed != nil:
			r.lose(CodeOrder, a, s.origin.Offset, "%s: it sees the URL that %s has left: put it before that", s.what, changed.what)
		case s.redirect != nil && redirect != nil:
			r.lose(CodeOrder, a, s.origin.Offset, "%s: there can be one redirectRegex, and %s is another: write one expression", s.what, redirect.what)
		case s.scheme != nil && redirect != nil:
			r.lose(CodeOrder, a, s.origin.Offset, "%s: put it before %s", s.what, redirect.what)
		case s.scheme != nil && scheme != nil:
			r.lose(CodeOrder, a, s.origin.Offset, "%s: there can be one redirectScheme, and %s is another: leave one out", s.what, scheme.what)
		}
		switch {
		case s.changesURL():
			changed = s
		case s.scheme != nil:
			scheme = s
		case s.redirect != nil:
			redirect = s
		}
	}
}

// A fault is why a middleware cannot be translated, with its code.
type fault struct {
	code   ingress.Code
	detail string
}

func (f *fault) Error() string { return f.detail }

func faultf(code ingress.Code, format string, args ...any) error {
	return &fault{code, fmt.Sprintf(format, args...)}
}

// parse returns the tree of an expression, or the fault for which package regexp
// does not take it.
func parse(expression string) (*syntax.Regexp, error) {
	if detail, _, bad := pcre.Fault(expression); bad {
		return nil, faultf(CodeRegexp, "%s", detail)
	}
	return syntax.Parse(expression, syntax.Perl)
}

// decode reads the configuration of m, of which v has the fields read, into v.
func (r *reading) decode(s *step, m *middleware, v any, read ...string) error {
	unread, err := manifest.Decode(m.config, v, read...)
	r.unknownFields(s.what, s.origin, unread)
	return err
}

// unknownFields reports fields that no version of Traefik has.
func (r *reading) unknownFields(what string, origin rewrite.Origin, fields []string) {
	for _, field := range fields {
		r.warn(CodeUnknown, r.in.Source(), origin, "%s: there is no field %.64q", what, field)
	}
}

func (r *reading) step(s *step, m *middleware) error {
	switch m.kind {
	case "stripPrefix":
		return r.stripPrefix(s, m)
	case "stripPrefixRegex":
		return r.stripPrefixRegex(s, m)
	case "addPrefix":
		var config struct{ Prefix string }
		if err := r.decode(s, m, &config, "prefix"); err != nil {
			return err
		}
		if config.Prefix == "" {
			return faultf(CodeValue, "prefix is empty: write what to add")
		}
		s.action = rewrite.AddPathPrefix(config.Prefix)
		return r.judged(s.action)
	case "replacePath":
		var config struct{ Path string }
		if err := r.decode(s, m, &config, "path"); err != nil {
			return err
		}
		s.action = rewrite.SetPath(config.Path)
		return r.judged(s.action)
	case "replacePathRegex":
		var config struct{ Regex, Replacement string }
		if err := r.decode(s, m, &config, "regex", "replacement"); err != nil {
			return err
		}
		config.Regex = strings.TrimSpace(config.Regex)
		if isAnchored(config.Regex) && neverBegins(config.Regex) {
			r.warn(CodeNeverMatches, r.in.Source(), s.origin, "%s: no path begins with %.64q: write a slash behind ^", s.what, config.Regex)
		}
		r.checkEscapes(s.what+": ", r.in.Source(), s.origin, config.Regex)
		made, err := r.replacement(s, config.Regex, strings.TrimSpace(config.Replacement))
		s.regex = made
		return err
	case "redirectScheme":
		return r.redirectScheme(s, m)
	case "redirectRegex":
		return r.redirectRegex(s, m)
	case "headers":
		return r.headers(s, m)
	case "buffering":
		var config struct{ MaxRequestBodyBytes int64 }
		err := r.decode(s, m, &config,
			"maxRequestBodyBytes", "memRequestBodyBytes", "maxResponseBodyBytes", "memResponseBodyBytes", "retryExpression")
		s.maxBody = max(0, config.MaxRequestBodyBytes)
		return err
	}
	return faultf(CodeRefused, "it has no translation")
}

// judged returns the fault of an action that does not compile.
func (r *reading) judged(a rewrite.Action) error {
	fault := judge.Action(a, r.c)
	switch {
	case fault == nil:
		return nil
	case fault.Param == "regex":
		return faultf(CodeRegexp, "%v", fault.Err)
	}
	return faultf(CodeValue, "%v", fault.Err)
}

func (r *reading) stripPrefix(s *step, m *middleware) error {
	var config struct {
		Prefixes   []string
		ForceSlash *bool
	}
	if err := r.decode(s, m, &config, "prefixes", "forceSlash"); err != nil {
		return err
	}
	s.prefixes = []string{}
	for i, p := range config.Prefixes {
		p = strings.TrimSpace(p)
		if p == "" {
			r.warn(CodeDead, r.in.Source(), s.origin, "%s: every path begins with prefixes[%d], which is empty: nothing is stripped, and what follows it is not tried: leave it out", s.what, i)
			break
		}
		if strings.Contains(p, "%") {
			r.warn(CodeNeverMatches, r.in.Source(), s.origin, "%s: prefixes[%d], %.64q, is compared with the path without its escapes: write the characters themselves", s.what, i, p)
			p = strings.ReplaceAll(p, "%", "%25")
		}
		if !strings.HasPrefix(p, "/") {
			r.warn(CodeNeverMatches, r.in.Source(), s.origin, "%s: no path begins with prefixes[%d], %.64q: write /%.64s", s.what, i, p, p)
			continue
		}
		s.prefixes = append(s.prefixes, p)
	}
	if len(s.prefixes) == 0 {
		return nil
	}
	return r.judged(rewrite.TrimPathText(s.prefixes...))
}

// stripPrefixRegex: the first expression that matches at the beginning decides,
// and an expression without operators is a prefix.
func (r *reading) stripPrefixRegex(s *step, m *middleware) error {
	var config struct{ Regex []string }
	if err := r.decode(s, m, &config, "regex"); err != nil {
		return err
	}
	if len(config.Regex) == 0 {
		return nil
	}
	var texts, expressions []string
	groups := 0
	for i, expression := range config.Regex {
		expression = strings.TrimSpace(expression)
		tree, err := parse(expression)
		if err != nil {
			return faultf(CodeRegexp, "regex[%d]: %v", i, err)
		}
		if text, ok := literal(strings.TrimPrefix(expression, "^")); ok && strings.HasPrefix(text, "/") {
			texts = append(texts, text)
		} else {
			r.checkEscapes(fmt.Sprintf("%s: regex[%d]: ", s.what, i), r.in.Source(), s.origin, expression)
		}
		if i+1 < len(config.Regex) && matchesNothing(expression) {
			return faultf(CodeValue, "regex[%d]: it matches the empty text, which strips nothing and hides regex[%d]: write one that does not", i, i+1)
		}
		if neverBegins(expression) {
			r.warn(CodeNeverMatches, r.in.Source(), s.origin, "%s: no path begins with regex[%d], %.64q: write a slash before it", s.what, i, expression)
		}
		groups += tree.MaxCap()
		expressions = append(expressions, "(?:"+expression+")")
	}
	if len(texts) == len(config.Regex) {
		s.prefixes = texts
		return r.judged(rewrite.TrimPathText(texts...))
	}
	s.action = rewrite.RewritePath("^(?:"+strings.Join(expressions, "|")+")(.*)$", fmt.Sprintf("${%d}", groups+1))
	return r.judged(s.action)
}

// matchesNothing reports whether an expression matches the empty text.
func matchesNothing(expression string) bool {
	re, err := regexp.Compile("^(?:" + expression + ")$")
	return err == nil && re.MatchString("")
}

// neverBegins reports whether an expression plainly matches no beginning of a path,
// which has a slash there.
func neverBegins(expression string) bool {
	re, err := regexp.Compile(strings.TrimPrefix(expression, "^"))
	if err != nil {
		return false
	}
	text, _ := re.LiteralPrefix()
	return text != "" && text[0] != '/'
}

// checkEscapes reports a character that an expression has as it is, and a path as
// an escape.
func (r *reading) checkEscapes(where string, at ingress.Source, origin rewrite.Origin, expression string) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return
	}
	for list := []*syntax.Regexp{tree}; len(list) > 0; list = list[1:] {
		if list[0].Op == syntax.OpLiteral {
			i := slices.IndexFunc(list[0].Rune, func(c rune) bool { return c <= ' ' || c >= 0x7f })
			if i >= 0 {
				c := string(list[0].Rune[i])
				r.warn(CodeNeverMatches, at, origin, "%s%q matches nothing, because an expression sees a path with its escapes: write %%%s", where, c, strings.ReplaceAll(fmt.Sprintf("% X", c), " ", "%"))
				return
			}
		}
		list = append(list, list[0].Sub...)
	}
}

// literal returns the text that an expression without operators matches.
func literal(expression string) (text string, ok bool) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil || tree.Op != syntax.OpLiteral || tree.Flags&syntax.FoldCase != 0 {
		return "", false
	}
	return string(tree.Rune), true
}
