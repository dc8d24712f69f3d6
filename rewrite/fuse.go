package rewrite

// Fusing a chain of path actions rests on one fact: whatever the chain has
// done so far, the path is a constant followed by a rest of what the chain
// began with (the base). So the chain is run at compile time, on that form.
// Actions that only see the constant cost nothing at run time; one that has to
// look at the rest becomes an instruction that branches, and the chain goes on
// separately behind each outcome. At the end the two pieces are joined, once.

import (
	"fmt"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// A tail is what is known of the rest of the base.
type tail uint8

const (
	noTail    tail = iota // there is none: the constant is the whole path
	slashTail             // not empty, begins with a slash
	wordTail              // not empty, begins otherwise
)

// A form is what is known of the path between two actions.
type form struct {
	text string // constant
	tail tail
	// opaque: SetPath or a regular expression decided the path, so the base is
	// not the path that Apply was given.
	opaque bool
}

// Bounds on what one hook may compile to.
const (
	maxCode = 1 << 13 // instructions
	maxText = 8 << 20 // bytes of constants in forms, and of added pairs
	// maxRegexps is how many expressions package regexp may have to run for one
	// request: each has the whole budget.
	maxRegexps = 64
)

// A fuser compiles the steps of one hook.
type fuser struct {
	prog  *hookProgram
	steps []step

	memo map[place]int32
	text int
	over int // the step at which a bound was exceeded; negative: none
}

// A place is a point in the chain: before parameter arg of step, with a form.
type place struct {
	step, arg int
	form      form
}

// emit appends an instruction for a step and returns its index.
func (f *fuser) emit(in inst, step int) int32 {
	if len(f.prog.code) >= maxCode {
		f.exceed(step)
		return 0
	}
	f.prog.code = append(f.prog.code, in)
	return int32(len(f.prog.code) - 1)
}

func (f *fuser) exceed(step int) {
	if f.over < 0 {
		f.over = min(step, len(f.steps)-1)
	}
}

// from compiles the chain from p on and returns where that code begins. Steps
// that the form decides are passed in a loop: there may be any number of them.
func (f *fuser) from(p place) int32 {
	var passed []place // that lead to the same code
	for {
		pc, known := f.memo[p]
		if !known {
			f.text += len(p.form.text)
			if f.text > maxText {
				f.exceed(p.step)
			}
			if f.over >= 0 {
				return 0
			}
			passed = append(passed, p)
			if pc, p = f.compile(p); pc == noCode {
				continue
			}
		}
		for _, p := range passed {
			f.memo[p] = pc
		}
		return pc
	}
}

// noCode is what compile and its parts return instead of the index of an
// instruction where the form decides a step: then next is where the chain goes
// on.
const noCode = -1

// compile compiles the chain from p on, up to the first step that needs code.
func (f *fuser) compile(p place) (pc int32, next place) {
	if p.step == len(f.steps) {
		return f.emit(f.end(p.form), p.step), p
	}
	s := &f.steps[p.step]
	next = place{step: p.step + 1, form: p.form}
	switch s.op {
	case OpSetHost, OpSetHostname, OpSetPort, OpReplaceHostSuffix, OpSetScheme:
		return f.then(inst{op: hostCode[s.op], text: s.args[0], more: s.args[len(s.args)-1]}, next), p
	case OpSetPath:
		next.form = form{text: s.args[0], opaque: true}
	case OpAddPathPrefix:
		next.form.text = s.args[0] + p.form.text
	case OpTrimPathPrefix, OpReplacePathPrefix, OpTrimPathText, OpReplacePathText:
		return f.prefix(s, p)
	case OpStripPathSegments:
		return f.strip(s, p)
	case OpHostFromPathPrefix:
		return f.hostFromPath(p)
	case OpRewritePath, OpReplacePathRegex:
		return f.regexp(s, p), p
	}
	return noCode, next // query actions, and nothing, too
}

// then emits an instruction that is always followed by next.
func (f *fuser) then(in inst, next place) int32 {
	pc := f.emit(in, next.step-1)
	to := f.from(next)
	if f.over < 0 {
		f.prog.code[pc].next = [4]int32{to, to, to, to}
	}
	return pc
}

// branch emits an instruction and the chain behind each of its outcomes.
func (f *fuser) branch(in inst, step int, to [4]place) int32 {
	pc := f.emit(in, step)
	for i, p := range to {
		at := f.from(p)
		if f.over >= 0 {
			return 0
		}
		f.prog.code[pc].next[i] = at
	}
	return pc
}

// strip compiles StripPathSegments.
func (f *fuser) strip(s *step, p place) (pc int32, next place) {
	next = place{step: p.step + 1, form: p.form}
	text, rest := p.form.text, p.form.tail
	at, n := 0, s.n
	for ; n > 0 && at < len(text); n-- {
		if text[at:] == "/" && rest == noTail {
			return noCode, next // fewer segments
		}
		end := strings.IndexByte(text[at+1:], '/')
		if end < 0 && rest == wordTail {
			return f.stripTail(n, true, p, next), p
		}
		if end < 0 {
			at = len(text)
		} else {
			at += 1 + end
		}
	}
	if n > 0 {
		if rest == noTail {
			return noCode, next
		}
		return f.stripTail(n, false, p, next), p
	}
	next.form.text = text[at:]
	if next.form.text == "" && rest == noTail {
		next.form.text = "/"
	}
	return noCode, next
}

// stripTail compiles the removal of n segments from the tail. word: the first
// of them began in the constant.
func (f *fuser) stripTail(n int, word bool, p, fewer place) int32 {
	empty, slash := fewer, fewer
	empty.form = form{"/", noTail, p.form.opaque}
	slash.form = form{"", slashTail, p.form.opaque}
	return f.branch(inst{op: codeStrip, n: n, flag: word}, p.step,
		[4]place{onNo: fewer, onEmpty: empty, onSlash: slash, onWord: fewer})
}

// hostFromPath compiles HostFromPathPrefix.
func (f *fuser) hostFromPath(p place) (pc int32, next place) {
	next = place{step: p.step + 1, form: p.form}
	text, rest := p.form.text, p.form.tail
	if text != "" {
		host, end := text[1:], strings.IndexByte(text[1:], '/')
		if end < 0 && rest == slashTail {
			end = len(host)
		}
		if end >= 0 {
			host = host[:end]
			if !hostAllowed(host, f.prog.hosts) {
				return f.emit(inst{op: codeFail}, p.step), p
			}
			next.form.text = text[1+end:]
			return f.then(inst{op: codeSetHost, text: host}, next), p
		}
		if rest == noTail {
			return noCode, next
		}
	}
	found := next
	found.form = form{"", slashTail, p.form.opaque}
	in := inst{op: codeHost, flag: rest == wordTail}
	if text != "" {
		in.text = text[1:]
	}
	return f.branch(in, p.step, [4]place{onNo: next, onEmpty: next, onSlash: found, onWord: next}), p
}

// regexp compiles an action that package regexp has to run. What follows a
// match begins anew, with its result as the base.
func (f *fuser) regexp(s *step, p place) int32 {
	next := place{step: p.step + 1, form: p.form}
	matched := next
	matched.form = form{"", slashTail, true}
	re := *s.re
	for matched.step < len(f.steps) && f.steps[matched.step].op == OpAddPathPrefix {
		re.lead = f.steps[matched.step].args[0] + re.lead
		if f.text += len(re.lead); f.text > maxText {
			f.exceed(matched.step)
			return 0
		}
		matched.step++
	}
	in := inst{op: codeRegex, text: p.form.text, flag: p.form.tail == noTail, n: p.step, re: &re}
	return f.branch(in, p.step, [4]place{onNo: next, onEmpty: next, onSlash: matched, onWord: next})
}

// end returns the instruction that makes a path of a form.
func (f *fuser) end(at form) inst {
	in := inst{op: codeEnd, text: at.text, flag: at.tail == noTail, opaque: at.opaque}
	whole := at.text
	if at.tail == wordTail {
		i := strings.LastIndexByte(at.text, '/')
		whole = at.text[:max(i, 0)]
		if part := at.text[i+1:]; part == "" || escape.DotSegment(part) != escape.NoDot {
			in.n = len(part)
			in.check = checkJoint
		}
	}
	if one, two := escape.CountDots(whole); one+two > 0 {
		in.dotted, in.check = true, checkAll
	} else if at.opaque && at.tail != noTail {
		in.check = checkAll
	}
	return in
}

var (
	errTooManyRegexps = fmt.Errorf("more than %d regular expressions at this hook, each of which costs time for every byte of a path: "+
		"write prefixes, or alternatives in one expression", maxRegexps)
	errAddsTooMuch = fmt.Errorf("the pairs that are added at this hook have more than %d bytes: add fewer or shorter ones", maxText)
)

var errTooComplex = fmt.Errorf("the path actions of this hook become more than %d instructions or %d bytes: "+
	"write fewer or shorter prefixes, or fewer actions that depend on each other", maxCode, maxText)
