package annotation

// What only package rewrite knows: whether an action compiles.

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
)

// judge reports the actions that do not compile. Most are seen to be right at
// a glance; rewrite.Compile, which would cost more than all that Parse does,
// is asked about the others only. (It also bounds what a hook compiles to, far
// beyond what the few path actions of this grammar can reach.)
func (p *parser) judge() {
	opts := p.opts.rewrite()
	var rules []rewrite.Rule
	var drafts []*draft // of rules
	for i := range p.drafts {
		if d := &p.drafts[i]; !d.surelyRight(opts) {
			rules = append(rules, d.rule)
			drafts = append(drafts, d)
		}
	}
	if len(rules) == 0 && (opts == nil || len(opts.AllowedHosts) == 0) {
		return
	}
	_, err := rewrite.Compile(rules, opts)
	faults, _ := errors.AsType[rewrite.RuleErrors](err)
	for _, f := range faults {
		if f.Index < 0 {
			p.fault(&Error{Index: -1, Offset: -1, Code: CodeOptions, Detail: cutQuoted("Options.Rewrite." + f.Param + ": " + f.Err.Error()), Err: f.Err})
			continue
		}
		d := drafts[f.Index]
		o := d.rule.Origin
		e := &Error{Key: o.Key, Index: o.Index, Offset: o.Offset, Code: CodeParam, Detail: d.detail(f), Err: f.Err}
		if d.param.shut > 0 {
			r := reader{text: p.found[keywordNamed(d.word.name)].value}
			e.Offset = r.locate(d.param, max(f.Offset, 0))
		}
		p.fault(e)
	}
}

// detail says what package rewrite does, to people who write annotations: with
// their names for things, and without the offset, which the Error has.
func (d *draft) detail(f *rewrite.RuleError) string {
	if f.Op == rewrite.OpHostFromPathPrefix {
		return "lets the request choose the host: ask the operator of the gateway to allow it"
	}
	text := d.param.text
	if host, ok := errors.AsType[*hostname.Error](f.Err); ok {
		return cutQuoted(quote(text) + ": " + host.Reason)
	}
	// Its message is the parameter, quoted, and the error that it wraps.
	rest := cmp.Or(errors.Unwrap(f.Err), f.Err).Error()
	rest = strings.Replace(rest, " at offset "+strconv.Itoa(f.Offset), "", 1)
	rest = strings.Replace(rest, "with AddQuery or SetQuery", "with query-add", 1)
	return cutQuoted(quote(text) + " " + rest)
}

// surelyRight reports whether it is plain that the action compiles.
func (d *draft) surelyRight(opts *rewrite.Options) bool {
	switch d.word.op {
	case rewrite.OpSetHost:
		_, err := hostname.Parse(d.names[0])
		return err == nil
	case rewrite.OpHostFromPathPrefix:
		return opts != nil && opts.AllowAnyHost
	case rewrite.OpSetPath, rewrite.OpAddPathPrefix, rewrite.OpTrimPathPrefix:
		return plainPath(d.names[0])
	}
	return true // numbers and names have been checked where they were read
}

// plainPath reports whether a path is of the simplest kind: letters, digits,
// "-", "_" and "." in segments that do not begin with a dot.
func plainPath(path string) bool {
	before := byte(0)
	for i := range len(path) {
		c := path[i]
		switch {
		case i == 0 && c != '/', c == '/' && before == '/', c == '.' && before == '/':
			return false
		case !isDigit(c) && c|0x20-'a' >= 26 && strings.IndexByte("/._-", c) < 0:
			return false
		}
		before = c
	}
	return path != ""
}
