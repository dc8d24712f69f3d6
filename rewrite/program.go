package rewrite

// Program: rules compiled, hook by hook, and Apply, which runs those of one.

import (
	"cmp"
	"slices"

	"github.com/readdress/readdress/internal/hostname"
)

// A Program is a compiled list of rules. It is immutable and safe for
// concurrent use: swap whole programs through an atomic.Pointer.
//
// A nil *Program and the zero Program have no rules: Apply does nothing.
type Program struct {
	hooks [numHooks]hookProgram
	max   int // Options.MaxLength in effect
}

// MaxLength returns the number of bytes that a changed path or query may have.
func (p *Program) MaxLength() int {
	if p == nil || p.max <= 0 {
		return defaultMaxLength
	}
	return p.max
}

// Touches returns the components that the actions of a hook aim at. Apply
// never changes any other. An unknown hook touches nothing.
func (p *Program) Touches(h Hook) Changes {
	if p == nil || !h.Valid() {
		return 0
	}
	return p.hooks[h.index()].aims
}

// Apply runs the rules of one hook on u, which Input.Clean has accepted. New
// strings come from s, or from the heap if s is nil; u's strings may also be
// substrings of what they were and constants of p.
//
// Apply decides first and then writes: on error u is as it was, and the
// request must be answered with 400. The errors are ErrDotSegment, ErrPath,
// ErrHost, ErrTooLong and ErrBudget, all of which match ErrRefused.
//
//   - A component that does not change keeps the very same string, and what an
//     action does not touch keeps its bytes.
//   - The path stays non-empty, begins with "/", and is legal on the wire. A
//     result that would begin with "//" loses the extra slashes, unless u.Path
//     began so; one with more dot-segments than u.Path is ErrDotSegment.
//   - What is added to path and query is escaped, and the host is a host.
//   - A path "*" is left alone, and so is its query.
//
// The cost is linear in the bytes read and written, whatever the number of
// rules. Regular expressions that are no prefix rewrite in disguise are the
// exception: each costs what package regexp allocates, and time within
// Options.Regexp.Budget. All else allocates nothing if s is reused. A Program
// without rules for h, an unknown h, a nil p and a nil u do nothing and check
// nothing.
func (p *Program) Apply(h Hook, u *URL, s *Scratch) (Result, error) {
	if p == nil || u == nil || h.index() >= numHooks {
		return Result{}, nil
	}
	hook := &p.hooks[h.index()]
	if hook.aims == 0 {
		return Result{}, nil
	}
	// Decide about every component before one is written.
	before := u.Path
	base, off := before, 0 // the path is in.text and base[off:], once in is the end
	in, target := hook.first, &hook.target
	var m *machine
	if hook.general || before == "" || before[0] != '/' {
		m = &machine{hook: hook, s: s, base: before}
		if err := m.run(u); err != nil {
			return Result{}, err
		}
		in, base, off, target = m.end, m.base, m.off, &m.to
	} else if in.op != codeEnd {
		if in.mask != 0 && len(before) >= 8 && load64(before, 0)&in.mask == in.word {
			in, off = &hook.code[in.next[onSlash]], len(in.text) // the usual prefix
		}
		if in.op != codeEnd {
			in, off = in.walk(hook.code, before, off)
		}
	}

	var r Result
	text, path := in.text, ""
	if off != 0 || text != "" || in.opaque { // the path was touched
		if !in.flag {
			path = base[off:]
		}
		if in.check != noCheck || doubleSlash2(text, path) {
			var err error
			if text, path, err = in.verify(text, path, before); err != nil {
				return Result{}, err
			}
		}
		if !in.opaque {
			r.cut, r.put = len(base)-len(path), len(text)
		}
		r.opaque = in.opaque
		n := len(text) + len(path)
		if n != len(before) || before[:len(text)] != text || before[len(text):] != path {
			if n > hook.max {
				return Result{}, ErrTooLong
			}
			r.changed = PathChanged
		}
	}
	if hook.aims&QueryChanged != 0 {
		query, ok := u.RawQuery, true
		if m == nil {
			query, _, ok = hook.query[0].pass.run(query, query == "", hook.max, s)
		} else {
			query, ok = m.runQuery(query)
		}
		changed := query != u.RawQuery
		if !ok || changed && len(query) > hook.max {
			return Result{}, ErrTooLong
		}
		if changed {
			r.changed |= QueryChanged
			u.RawQuery = query
		}
	}
	if r.changed&PathChanged != 0 {
		u.Path = s.concat(text, path)
	}
	if hook.aims&(HostChanged|SchemeChanged) != 0 {
		r.changed |= u.setAuthority(target)
	}
	return r, nil
}

// An authority is a scheme and a host to set; empty: leave it as it is.
type authority struct{ scheme, host string }

func (u *URL) setAuthority(to *authority) (changed Changes) {
	if to.host != "" && to.host != u.Host {
		u.Host = to.host
		changed = HostChanged
	}
	if to.scheme != "" && to.scheme != u.Scheme {
		u.Scheme = to.scheme
		changed |= SchemeChanged
	}
	return changed
}

// hookProgram is what the rules of one hook compile to.
type hookProgram struct {
	aims    Changes
	general bool      // it needs a machine
	max     int       // bytes of a changed path or query
	first   *inst     // of code: all rules
	star    *inst     // of code: those about host and scheme alone, for the path "*"
	target  authority // unless general
	code    []inst
	query   []queryStage        // the first is not behind an expression, unless general
	hosts   *hostname.AllowList // of HostFromPathPrefix; nil: any name
	steps   []step              // as checked, for Explain and Invertible
}

// Compile checks rules and turns those of each hook into one short program.
// The order within a hook is that of Rule.Order, then that of the slice. It
// copies what it keeps. A nil opts is the safe defaults.
//
// A parameter has at most 64 KiB, and the rules of a hook become at most 8,192
// instructions with 8 MiB of constants, and run at most 64 regular expressions
// that are no prefix rewrite in disguise.
//
// The error is a RuleErrors with every fault of every rule.
func Compile(rules []Rule, opts *Options) (*Program, error) {
	p := preparer{}
	if opts != nil {
		p.opts = *opts
	}
	p.options()
	steps := make([]step, 0, len(rules))
	for i := range rules {
		steps = append(steps, p.step(i, &rules[i]))
	}
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		x, y := &rules[a.rule], &rules[b.rule]
		return cmp.Or(cmp.Compare(x.Hook.index(), y.Hook.index()), cmp.Compare(x.Order, y.Order))
	})

	prog := &Program{max: p.opts.MaxLength}
	for _, h := range Hooks() {
		hook := &prog.hooks[h.index()]
		hook.hosts, hook.max = p.hosts, prog.MaxLength()
		n := 0
		for n < len(steps) && rules[steps[n].rule].Hook == h {
			n++
		}
		hook.steps, steps = steps[:n:n], steps[n:]
		if guilty, err := hook.compile(); err != nil {
			p.at, p.rule = guilty.rule, &rules[guilty.rule]
			p.fail("", err)
		}
	}
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return prog, nil
}

// MustCompile is Compile for rules that are known to be right, in tests and in
// variable declarations. It panics on error.
func MustCompile(rules []Rule, opts *Options) *Program {
	p, err := Compile(rules, opts)
	if err != nil {
		panic(err)
	}
	return p
}
