package rewrite

// From rules to steps: every parameter is checked, and brought into the form in
// which it is written or compared.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
)

// A step is a rule that was found right, with its parameters in the form in
// which they are written or compared.
type step struct {
	rule   int // index into the rules given to Compile
	action Action
	origin Origin

	op    Op       // RewritePath that is a prefix rewrite in disguise has the op of that
	args  []string // as written into a URL
	match []string // prefixes in canonical form, as compared; names in plain text
	n     int      // StripPathSegments
	fold  bool     // compare prefixes without ASCII letter case
	exact textMode // variants of the text prefix that only regular expressions have
	re    *pattern // RewritePath and ReplacePathRegex
}

// A textMode refines OpTrimPathText and OpTrimPathPrefix.
type textMode uint8

const (
	plainText  textMode = iota
	putSlash            // a slash goes before what is left, even if it begins with one
	needsSlash          // the prefix must be followed by a slash
)

// maxParam is the longest parameter that Compile takes, in bytes.
const maxParam = 64 << 10

// A preparer turns rules into steps and collects what is wrong with them.
type preparer struct {
	opts  Options
	hosts *hostname.AllowList
	errs  RuleErrors

	rule *Rule
	at   int // index of rule
}

func (p *preparer) fail(param string, err error) {
	e := &RuleError{Index: p.at, Param: param, Offset: -1, Err: err}
	if at, ok := errors.AsType[*textError](err); ok {
		e.Offset = at.offset
	} else if host, ok := errors.AsType[*hostname.Error](err); ok {
		e.Offset = host.Offset
	}
	if p.rule != nil {
		e.Origin, e.Op = p.rule.Origin, p.rule.Action.op
	}
	p.errs = append(p.errs, e)
}

func (p *preparer) failf(param, format string, args ...any) {
	p.fail(param, fmt.Errorf(format, args...))
}

// options checks what does not belong to a rule.
func (p *preparer) options() {
	p.at = -1
	if len(p.opts.AllowedHosts) > 0 {
		hosts, errs := hostname.NewAllowList(p.opts.AllowedHosts)
		for i, entry := range p.opts.AllowedHosts {
			param := "AllowedHosts[" + strconv.Itoa(i) + "]"
			if len(errs) > 0 && errs[0].Index == i {
				p.failf(param, "%s: %w", quote(entry), errs[0].Err)
				errs = errs[1:]
				continue
			}
			host, _ := hostname.Parse(entry)
			if name, _ := hostname.Split(host); hostname.IsIP(name) {
				p.failf(param, "%s: an IP address is never taken from a path: write the name of a host", quote(entry))
			}
		}
		if !p.opts.AllowAnyHost {
			p.hosts = hosts
		}
	}
}

// step checks one rule. What it returns is of use only if nothing failed.
func (p *preparer) step(i int, r *Rule) step {
	p.at, p.rule = i, r
	a := r.Action
	s := step{rule: i, action: a, origin: r.Origin, op: a.op}
	if !r.Hook.Valid() {
		p.failf("", "unknown hook %d: write BeforeLocation, AfterLocation or Forward", int8(r.Hook))
	}
	if a.op == 0 || a.op >= numOps {
		p.failf("", "no action: make one with a constructor, such as rewrite.SetPath")
		return s
	}
	info := &opInfo[a.op]
	if info.list && len(a.args) == 0 {
		if a.op == OpKeepQuery {
			p.failf("", "no names: write DropQuery() to delete the whole query")
		} else {
			p.failf("", "no %s given: write at least one", info.params[0])
		}
		return s
	}
	p.params(&s)
	return s
}

// arg returns parameter i, if it is what every parameter must be.
func (p *preparer) arg(i int) (arg string, ok bool) {
	arg = p.rule.Action.args[i]
	param := p.rule.Action.op.param(i)
	if len(arg) > maxParam {
		p.failf(param, "%d bytes long: at most %d", len(arg), maxParam)
		return "", false
	}
	if i := notUTF8(arg); i >= 0 {
		p.fail(param, &textError{fmt.Sprintf("byte %#02x, which is not UTF-8,", arg[i]), i, fmt.Sprintf("UTF-8, or %%%02X in a path", arg[i])})
		return "", false
	}
	return arg, true
}

// params fills in what the op of s needs.
func (p *preparer) params(s *step) {
	args := s.action.args
	switch s.op {
	case OpSetHost:
		s.args = []string{p.host(0, hostname.Parse)}
	case OpSetHostname:
		s.args = []string{p.host(0, hostname.ParseName)}
	case OpSetPort:
		if port, ok := p.arg(0); ok && port != "" {
			if err := hostname.ParsePort(port); err != nil {
				p.failf("port", "%s: %w", quote(port), err)
			}
		}
		s.args = args
	case OpReplaceHostSuffix:
		s.args = []string{p.suffix(0), p.suffix(1)}
	case OpHostFromPathPrefix:
		if len(p.opts.AllowedHosts) == 0 && !p.opts.AllowAnyHost {
			p.failf("", "lets the request choose the host: list what it may choose in Options.AllowedHosts, or set AllowAnyHost")
		}
	case OpSetPath:
		s.args = []string{p.path(0, 0)}
	case OpAddPathPrefix:
		s.args = []string{strings.TrimRight(p.path(0, supplySlash), "/")}
	case OpTrimPathPrefix:
		for i := range args {
			s.match = append(s.match, canonicalPrefix(p.path(i, supplySlash)))
		}
	case OpStripPathSegments:
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 {
			p.failf("n", "%s: write a number of segments, 1 or more", quote(args[0]))
		}
		s.n = n
	case OpReplacePathPrefix:
		s.match = []string{canonicalPrefix(p.path(0, 0))}
		s.args = []string{strings.TrimRight(p.path(1, mayBeEmpty), "/")}
	case OpTrimPathText:
		for i := range args {
			s.match = append(s.match, canonical(p.path(i, 0)))
		}
		s.args = []string{""}
	case OpReplacePathText:
		s.match = []string{canonical(p.path(0, 0))}
		s.args = []string{p.path(1, mayBeEmpty)}
	case OpRewritePath, OpReplacePathRegex:
		p.regexp(s)
	case OpAddQuery, OpSetQuery:
		p.name(0)
		p.arg(1)
		s.match = args[:1]
		s.args = []string{queryText(args[0]), queryText(args[1])}
	case OpRenameQuery:
		p.name(0)
		p.name(1)
		s.match = args
		s.args = []string{queryText(args[0]), queryText(args[1])}
	case OpDeleteQuery, OpKeepQuery:
		for i := range args {
			p.name(i)
		}
		s.match = args
	case OpSetScheme:
		if scheme, ok := p.arg(0); ok && scheme != "http" && scheme != "https" {
			p.failf("scheme", "%s: write http or https, in lower case", quote(scheme))
		}
		s.args = args
	}
}

// host returns parameter i as parse makes it.
func (p *preparer) host(i int, parse func(string) (string, error)) string {
	arg, ok := p.arg(i)
	if !ok {
		return ""
	}
	h, err := parse(arg)
	if err != nil {
		p.failf(p.rule.Action.op.param(i), "%s: %w", quote(arg), err)
	}
	return h
}

// suffix returns parameter i, a host without a port, without one leading dot.
func (p *preparer) suffix(i int) string {
	arg, ok := p.arg(i)
	if !ok {
		return ""
	}
	labels := strings.TrimPrefix(arg, ".")
	name, err := hostname.ParseName(labels)
	if fault, ok := errors.AsType[*hostname.Error](err); ok {
		err = fault.At(len(arg) - len(labels))
	} else if hostname.IsIP(name) {
		err = errors.New("an IP address has no suffix: write the last labels of a name, such as example.com")
	}
	if err != nil {
		p.failf(p.rule.Action.op.param(i), "%s: %w", quote(arg), err)
	}
	return name
}

// name checks parameter i, a query name.
func (p *preparer) name(i int) {
	if name, ok := p.arg(i); ok && name == "" {
		p.failf(p.rule.Action.op.param(i), "empty: write the name of a query parameter")
	}
}

// What a path parameter may be beside a path that begins with a slash.
const (
	supplySlash = 1 << iota // a missing leading slash is supplied
	mayBeEmpty
)

// path checks parameter i, URL text, and returns it escaped.
func (p *preparer) path(i int, allow int) string {
	s, ok := p.arg(i)
	if !ok {
		return "/"
	}
	if s == "" && allow&mayBeEmpty != 0 {
		return s
	}
	if err := checkPath(s); err != nil {
		p.failf(p.rule.Action.op.param(i), "%s %w", quote(s), err)
		return "/"
	}
	if s[0] != '/' {
		if allow&supplySlash == 0 {
			p.failf(p.rule.Action.op.param(i), "%s %w", quote(s), &textError{"no slash", 0, quote("/" + s)})
		}
		s = "/" + s
	}
	return string(escape.AppendPath(nil, s))
}

// A textError is a fault of a parameter that is URL text.
type textError struct {
	what   string
	offset int
	write  string // instead
}

func (e *textError) Error() string {
	return fmt.Sprintf("has %s at offset %d: write %s", e.what, e.offset, e.write)
}

// checkPath returns what is wrong with s as URL text for a path.
func checkPath(s string) error {
	if s == "" {
		return errors.New(`is empty: write a path, such as "/"`)
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		return &textError{"a question mark", i, "%3F for one in the path, and set a query with AddQuery or SetQuery"}
	}
	if err := checkBytes(s, 0); err != nil {
		return err
	}
	if i := strings.Index(s, "://"); i > 0 && !strings.Contains(s[:i], "/") {
		return &textError{"a scheme", 0, "the path alone"}
	}
	if i := strings.Index(s, "//"); i >= 0 {
		return &textError{"an empty segment", i + 1, "one slash"}
	}
	at := 0
	for seg := range strings.SplitSeq(s, "/") {
		if escape.DotSegment(seg) != escape.NoDot {
			return &textError{"the dot-segment " + quote(seg), at, "the path that it leads to"}
		}
		at += len(seg) + 1
	}
	return nil
}

// checkBytes returns which byte of s may not stand in URL text. base is the
// offset of s in what the user wrote.
func checkBytes(s string, base int) error {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '%':
			if _, ok := escape.Octet(s, i); !ok {
				return &textError{"a % without two hexadecimal digits", base + i, "%25 for a percent sign"}
			}
		case c == '#':
			return &textError{"a #", base + i, "%23"}
		case c < ' ' || c == 0x7F:
			return &textError{"a control byte", base + i, fmt.Sprintf("%%%02X, or remove it", c)}
		}
	}
	return nil
}

// canonical returns an escaped path in the form that prefixes are compared in.
func canonical(path string) string {
	return string(escape.AppendNormal(nil, path, true))
}

// canonicalPrefix is canonical for a prefix by segment: without final slash,
// so "/" is the empty prefix, which matches everything.
func canonicalPrefix(path string) string {
	return strings.TrimSuffix(canonical(path), "/")
}

func queryText(s string) string { return string(escape.AppendQuery(nil, s)) }
