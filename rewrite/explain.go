package rewrite

// Explain: what each rule does to a URL, by running the rules one by one.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
)

// A StepCode says what one rule did to a URL.
type StepCode string

const (
	StepChanged   StepCode = "changed"   // it changed the URL
	StepUnchanged StepCode = "unchanged" // it ran, and nothing differs
	StepNoMatch   StepCode = "no-match"  // its prefix, expression or name did not match
	StepSkipped   StepCode = "skipped"   // path and query rules at the path "*"
	StepGuard     StepCode = "guard"     // extra leading slashes were dropped
	StepRefused   StepCode = "refused"   // it, or the check of the result, refused the URL
)

// A Step is one rule's part in what became of a URL.
type Step struct {
	Rule          int // index into the rules given to Compile; -1: the check of the result
	Action        Action
	Origin        Origin
	Before, After URL
	Code          StepCode
	Err           error // if Code is StepRefused
}

// Explain runs the rules of one hook on u, one after the other, and returns
// what each did, in the order in which they run. The Result and the error are
// those of Apply; where Apply refuses, the last Step is the refusal. A last
// Step with Rule -1 tells of the check of the result, if that did something.
// There are no steps where Apply has nothing to run.
//
// Explain is for people and tools: it allocates and takes its time.
func (p *Program) Explain(h Hook, u URL) ([]Step, Result, error) {
	after := u
	result, err := p.Apply(h, &after, nil)
	if p == nil || !h.Valid() {
		return nil, result, err
	}
	hook := &p.hooks[h.index()]
	if hook.aims == 0 {
		return nil, result, err
	}
	e := explainer{hook: hook, most: p.MaxLength(), input: u, url: u, pairs: splitQuery(u.RawQuery)}
	e.run()
	if err != nil {
		e.refuse(err)
	}
	return e.trace, result, err
}

// An explainer runs the rules of a hook one by one, in the obvious way. It is
// what the fused program is tested against, so it shares no more with that
// than the checked parameters and the regular expressions.
type explainer struct {
	hook  *hookProgram
	most  int
	input URL
	url   URL
	pairs []string // of the query
	trace []Step

	regexed bool // a regular expression has replaced the path
}

// refuse makes the last step the refusal that Apply gives: where there are two
// reasons, the rules run one by one may meet the other one first.
func (e *explainer) refuse(err error) {
	if last := &e.trace[len(e.trace)-1]; last.Err != nil {
		last.Err = err
		return
	}
	e.trace = append(e.trace, Step{Rule: -1, Before: e.url, After: e.url, Code: StepRefused, Err: err})
}

func splitQuery(query string) []string {
	if query == "" {
		return nil
	}
	return strings.Split(query, "&")
}

func (e *explainer) run() {
	if e.hook.aims&PathChanged != 0 && e.url.Path != "*" && !strings.HasPrefix(e.url.Path, "/") {
		e.trace = append(e.trace, Step{Rule: -1, Before: e.url, After: e.url, Code: StepRefused, Err: ErrPath})
		return
	}
	for i := range e.hook.steps {
		s := &e.hook.steps[i]
		before := e.url
		matched, err := e.step(s)
		t := Step{Rule: s.rule, Action: s.action, Origin: s.origin, Before: before, After: e.url, Code: StepNoMatch}
		switch {
		case err != nil:
			t.Code, t.Err, t.After = StepRefused, err, before
		case e.input.Path == "*" && opInfo[s.action.op].aims&(PathChanged|QueryChanged) != 0:
			t.Code = StepSkipped
		case e.url != before:
			t.Code = StepChanged
		case matched:
			t.Code = StepUnchanged
		}
		e.trace = append(e.trace, t)
		if err != nil {
			return
		}
	}
	before := e.url
	err := e.guard()
	switch {
	case err != nil:
		e.trace = append(e.trace, Step{Rule: -1, Before: before, After: before, Code: StepRefused, Err: err})
	case e.url != before:
		e.trace = append(e.trace, Step{Rule: -1, Before: before, After: e.url, Code: StepGuard})
	}
}

// guard checks the result as a whole.
func (e *explainer) guard() error {
	path := e.url.Path
	if path != e.input.Path && !doubleSlash(e.input.Path) && doubleSlash(path) {
		path = "/" + strings.TrimLeft(path, `/\`)
	}
	if e.regexed && !legal(path) {
		return ErrPath
	}
	one, two := escape.CountDots(path)
	mayOne, mayTwo := escape.CountDots(e.input.Path)
	if path != e.input.Path && (one > mayOne || two > mayTwo) {
		return ErrDotSegment
	}
	if path != e.input.Path && len(path) > e.most || e.url.RawQuery != e.input.RawQuery && len(e.url.RawQuery) > e.most {
		return ErrTooLong
	}
	e.url.Path = path
	return nil
}

// step runs one action on e.url and reports whether it found what it was to
// act on.
func (e *explainer) step(s *step) (matched bool, err error) {
	u := &e.url
	if u.Path == "*" && opInfo[s.action.op].aims&(PathChanged|QueryChanged) != 0 {
		return false, nil
	}
	switch s.op {
	case OpSetHost:
		u.Host = s.args[0]
		return true, nil
	case OpSetHostname, OpSetPort, OpReplaceHostSuffix:
		in := inst{op: hostCode[s.op], text: s.args[0], more: s.args[len(s.args)-1]}
		host, ok := in.setHost(u.Host, u.Scheme, nil)
		if !ok {
			return true, ErrHost
		}
		name, _ := hostname.Split(u.Host)
		_, found := cutHostSuffix(name, s.args[0])
		u.Host = host
		return found || s.op != OpReplaceHostSuffix, nil
	case OpSetScheme:
		u.Scheme = s.args[0]
		return true, nil
	case OpHostFromPathPrefix:
		parts := strings.SplitN(u.Path, "/", 3)
		if len(parts) < 3 {
			return false, nil
		}
		if !hostAllowed(parts[1], e.hook.hosts) {
			return true, ErrHost
		}
		u.Host, u.Path = parts[1], "/"+parts[2]
		return true, nil
	case OpSetPath:
		u.Path = s.args[0]
		return true, nil
	case OpAddPathPrefix:
		u.Path = s.args[0] + u.Path
		return true, nil
	case OpStripPathSegments:
		segments := strings.Split(u.Path[1:], "/")
		count := len(segments)
		if segments[count-1] == "" {
			count--
		}
		if count < s.n {
			return false, nil
		}
		u.Path = "/" + strings.Join(segments[s.n:], "/")
		return true, nil
	case OpTrimPathPrefix, OpReplacePathPrefix, OpTrimPathText, OpReplacePathText:
		return e.prefix(s), nil
	case OpRewritePath, OpReplacePathRegex:
		return e.regexp(s)
	default:
		return e.query(s), nil
	}
}

// prefix runs an action on the first of its prefixes that matches.
func (e *explainer) prefix(s *step) bool {
	segment := s.op == OpTrimPathPrefix || s.op == OpReplacePathPrefix
	for _, prefix := range s.match {
		rest, ok := cutUnits(e.url.Path, prefix, s.fold)
		if !ok || segment && rest != "" && rest[0] != '/' || s.exact == needsSlash && rest == "" {
			continue
		}
		with := ""
		if len(s.args) > 0 {
			with = s.args[0]
		}
		switch {
		case s.exact == putSlash:
			with = "/"
		case strings.HasSuffix(with, "/") && strings.HasPrefix(rest, "/"):
			with = with[:len(with)-1]
		}
		e.url.Path = with + rest
		if !strings.HasPrefix(e.url.Path, "/") {
			e.url.Path = "/" + e.url.Path
		}
		return true
	}
	return false
}

// cutUnits cuts a prefix off path, one character or escape after the other.
func cutUnits(path, prefix string, fold bool) (rest string, ok bool) {
	for prefix != "" {
		if path == "" {
			return "", false
		}
		p, q := unit(path), unit(prefix)
		a, b := canonical(p), canonical(q)
		if fold && len(a) == 1 && len(b) == 1 {
			a, b = strings.ToLower(a), strings.ToLower(b)
		}
		if a != b {
			return "", false
		}
		path, prefix = path[len(p):], prefix[len(q):]
	}
	return path, true
}

// unit returns the escape or the byte that s begins with.
func unit(s string) string {
	if _, ok := escape.Octet(s, 0); ok {
		return s[:3]
	}
	return s[:1]
}

func (e *explainer) regexp(s *step) (matched bool, err error) {
	if s.re == nil {
		return e.prefix(s), nil
	}
	out, query, ok, err := s.re.rewrite(e.url.Path, intermediate(e.most), nil)
	if err != nil || !ok {
		return false, err
	}
	e.url.Path, e.regexed = out, true
	if s.re.template.hasQuery {
		own := e.pairs
		if s.re.template.dropOwn {
			own = nil
		}
		e.pairs = append(splitQuery(query), own...)
		e.url.RawQuery = strings.Join(e.pairs, "&")
	}
	return true, nil
}

// query runs a query action on the list of pairs.
func (e *explainer) query(s *step) (matched bool) {
	remove := func(gone func(pair, key string, ok bool) bool) {
		before := len(e.pairs)
		e.pairs = slices.DeleteFunc(slices.Clone(e.pairs), func(pair string) bool {
			raw, _, _ := strings.Cut(pair, "=")
			key, ok := decodeKey(raw)
			if !ok {
				key = raw
			}
			return gone(pair, key, ok)
		})
		matched = matched || len(e.pairs) < before
	}
	switch s.op {
	case OpDeleteQuery, OpSetQuery:
		remove(func(_, key string, _ bool) bool { return slices.Contains(s.match, key) })
	case OpKeepQuery:
		matched = true
		remove(func(pair, key string, ok bool) bool {
			return pair == "" || !ok || !slices.Contains(s.match, key)
		})
	case OpDropQuery:
		matched = true
		remove(func(string, string, bool) bool { return true })
	case OpRenameQuery:
		e.pairs = slices.Clone(e.pairs)
		for i, pair := range e.pairs {
			raw, _, _ := strings.Cut(pair, "=")
			if key, ok := decodeKey(raw); ok && key == s.match[0] {
				e.pairs[i] = s.args[1] + pair[len(raw):]
				matched = true
			}
		}
	}
	if s.op == OpAddQuery || s.op == OpSetQuery {
		e.pairs = append(e.pairs, s.args[0]+"="+s.args[1])
		matched = true
	}
	e.url.RawQuery = strings.Join(e.pairs, "&")
	return matched
}

// decodeKey decodes the key of a pair. ok is false if an escape is broken.
func decodeKey(raw string) (key string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '+':
			b.WriteByte(' ')
		case '%':
			o, ok := escape.Octet(raw, i)
			if !ok {
				return "", false
			}
			b.WriteByte(o)
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}
