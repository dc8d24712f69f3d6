package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// Fusing a chain of path actions rests on one fact: whatever the chain has
// done so far, the path is a constant followed by a rest of what the chain
// began with (the base). So the chain is run at compile time, on that form.
// Actions that only see the constant cost nothing at run time; one that has to
// look at the rest becomes an instruction that branches, and the chain goes on
// separately behind each outcome. At the end the two pieces are joined, once.

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
	maxText = 8 << 20 // bytes of constants in forms
)

// A fuser compiles the steps of one hook.
type fuser struct {
	prog  *hookProgram
	steps []step

	memo map[place]int32
	text int
	over bool // a bound was exceeded
}

// A place is a point in the chain: before parameter arg of step, with a form.
type place struct {
	step, arg int
	form      form
}

// emit appends an instruction and returns its index.
func (f *fuser) emit(in inst) int32 {
	if len(f.prog.code) >= maxCode {
		f.over = true
		return 0
	}
	f.prog.code = append(f.prog.code, in)
	return int32(len(f.prog.code) - 1)
}

// from compiles the chain from p on and returns where that code begins.
func (f *fuser) from(p place) int32 {
	if pc, ok := f.memo[p]; ok {
		return pc
	}
	f.text += len(p.form.text)
	if f.text > maxText {
		f.over = true
	}
	if f.over {
		return 0
	}
	pc := f.compile(p)
	f.memo[p] = pc
	return pc
}

// compile is from without the memory.
func (f *fuser) compile(p place) int32 {
	if p.step == len(f.steps) {
		return f.emit(f.end(p.form))
	}
	s := &f.steps[p.step]
	next := place{step: p.step + 1, form: p.form}
	switch s.op {
	case OpSetHost, OpSetHostname, OpSetPort, OpReplaceHostSuffix, OpSetScheme:
		return f.then(inst{op: hostCode[s.op], text: s.args[0], more: s.args[len(s.args)-1]}, next)
	case OpSetPath:
		next.form = form{text: s.args[0], opaque: true}
		return f.from(next)
	case OpAddPathPrefix:
		next.form.text = s.args[0] + p.form.text
		return f.from(next)
	case OpTrimPathPrefix, OpReplacePathPrefix, OpTrimPathText, OpReplacePathText:
		return f.prefix(s, p)
	case OpStripPathSegments:
		return f.strip(s, p)
	case OpHostFromPathPrefix:
		return f.hostFromPath(p)
	case OpRewritePath, OpReplacePathRegex:
		return f.regexp(s, p)
	default:
		return f.from(next) // a query action, or nothing
	}
}

// then emits an instruction that is always followed by next.
func (f *fuser) then(in inst, next place) int32 {
	pc := f.emit(in)
	to := f.from(next)
	if !f.over {
		f.prog.code[pc].next = [4]int32{to, to, to, to}
	}
	return pc
}

// branch emits an instruction and the chain behind each of its outcomes.
func (f *fuser) branch(in inst, to [4]place) int32 {
	pc := f.emit(in)
	for i, p := range to {
		at := f.from(p)
		if f.over {
			return 0
		}
		f.prog.code[pc].next[i] = at
	}
	return pc
}

// prefix compiles the comparison with one prefix of s after the other.
func (f *fuser) prefix(s *step, p place) int32 {
	next := place{step: p.step + 1, form: p.form}
	if p.arg == len(s.match) {
		return f.from(next)
	}
	other := place{step: p.step, arg: p.arg + 1, form: p.form} // if this one does not match
	segment := s.op == OpTrimPathPrefix || s.op == OpReplacePathPrefix
	prefix, text := s.match[p.arg], p.form.text

	n, left, ok := matchConst(text, prefix, s.fold)
	switch {
	case !ok, left != "" && p.form.tail == noTail:
		return f.from(other)
	case left == "" && (n < len(text) || p.form.tail == noTail || prefix == ""):
		// The constant decides.
		rest := form{text[n:], p.form.tail, p.form.opaque}
		if segment && !rest.onBoundary(s.exact == needsSlash) {
			return f.from(other)
		}
		next.form = s.replaced(rest)
		return f.from(next)
	case left == "" && segment:
		// The constant is the prefix, the tail begins with a slash or a word.
		if p.form.tail == wordTail {
			return f.from(other)
		}
		next.form = s.replaced(form{"", p.form.tail, p.form.opaque})
		return f.from(next)
	case left == "":
		next.form = s.replaced(form{"", p.form.tail, p.form.opaque})
		return f.from(next)
	}

	outcome := func(t tail) place {
		next := next
		next.form = s.replaced(form{"", t, p.form.opaque})
		return next
	}
	in := inst{op: codeText, text: left, fold: s.fold}
	to := [4]place{onNo: other, onEmpty: outcome(noTail), onSlash: outcome(slashTail), onWord: outcome(wordTail)}
	if segment {
		in.op, to[onWord] = codeTrim, other
		in.word, in.mask = shortWord(left, s.fold)
		if s.exact == needsSlash {
			in.flag, to[onEmpty] = true, other
		}
	}
	return f.branch(in, to)
}

// shortWord returns what the first eight bytes of a path are, under a mask, if
// it begins with prefix and a slash. The mask is 0 if that takes more.
func shortWord(prefix string, fold bool) (word, mask uint64) {
	if len(prefix) > 7 || fold {
		return 0, 0
	}
	for i := range len(prefix) + 1 {
		mask |= 0xFF << (8 * i)
	}
	return load64(prefix+"/\x00\x00\x00\x00\x00\x00\x00", 0), mask
}

// onBoundary reports whether a prefix that ends before rest ends a segment.
func (rest form) onBoundary(needsSlash bool) bool {
	if rest.text != "" {
		return rest.text[0] == '/'
	}
	return rest.tail == slashTail || rest.tail == noTail && !needsSlash
}

// replaced returns the path after a prefix action whose prefix matched and
// left rest.
func (s *step) replaced(rest form) form {
	with := ""
	if len(s.args) > 0 {
		with = s.args[0]
	}
	empty := rest.text == "" && rest.tail == noTail
	slash := rest.text == "" && rest.tail == slashTail || rest.text != "" && rest.text[0] == '/'
	switch {
	case empty:
		if with == "" {
			with = "/"
		}
	case s.exact == putSlash:
		with = "/"
	case slash:
		with = strings.TrimSuffix(with, "/")
	case with == "":
		with = "/"
	}
	rest.text = with + rest.text
	return rest
}

// matchConst compares the constant text with a canonical prefix. ok is false
// if they differ. Else n bytes of text were taken, and left is what the prefix
// has beyond text: if it is not empty, text was taken whole.
func matchConst(text, prefix string, fold bool) (n int, left string, ok bool) {
	for n < len(text) && prefix != "" {
		unit := text[n : n+1]
		if text[n] == '%' {
			unit = text[n : n+3]
		}
		canon := canonical(unit)
		if fold && len(canon) == 1 {
			canon = strings.ToLower(canon)
		}
		if !strings.HasPrefix(prefix, canon) {
			return n, prefix, false
		}
		n += len(unit)
		prefix = prefix[len(canon):]
	}
	return n, prefix, true
}

// strip compiles StripPathSegments.
func (f *fuser) strip(s *step, p place) int32 {
	next := place{step: p.step + 1, form: p.form}
	text, rest := p.form.text, p.form.tail
	at, n := 0, s.n
	for ; n > 0 && at < len(text); n-- {
		if text[at:] == "/" && rest == noTail {
			return f.from(next) // fewer segments
		}
		end := strings.IndexByte(text[at+1:], '/')
		if end < 0 && rest == wordTail {
			return f.stripTail(n, true, p, next)
		}
		if end < 0 {
			at = len(text)
		} else {
			at += 1 + end
		}
	}
	if n > 0 {
		if rest == noTail {
			return f.from(next)
		}
		return f.stripTail(n, false, p, next)
	}
	next.form.text = text[at:]
	if next.form.text == "" && rest == noTail {
		next.form.text = "/"
	}
	return f.from(next)
}

// stripTail compiles the removal of n segments from the tail. word: the first
// of them began in the constant.
func (f *fuser) stripTail(n int, word bool, p, fewer place) int32 {
	empty, slash := fewer, fewer
	empty.form = form{"/", noTail, p.form.opaque}
	slash.form = form{"", slashTail, p.form.opaque}
	return f.branch(inst{op: codeStrip, n: n, flag: word},
		[4]place{onNo: fewer, onEmpty: empty, onSlash: slash, onWord: fewer})
}

// hostFromPath compiles HostFromPathPrefix.
func (f *fuser) hostFromPath(p place) int32 {
	next := place{step: p.step + 1, form: p.form}
	text, rest := p.form.text, p.form.tail
	if text != "" {
		host, end := text[1:], strings.IndexByte(text[1:], '/')
		if end < 0 && rest == slashTail {
			end = len(host)
		}
		if end >= 0 {
			host = host[:end]
			if !hostAllowed(host, f.prog.hosts) {
				return f.emit(inst{op: codeFail})
			}
			next.form.text = text[1+end:]
			return f.then(inst{op: codeSetHost, text: host}, next)
		}
		if rest == noTail {
			return f.from(next)
		}
	}
	found := next
	found.form = form{"", slashTail, p.form.opaque}
	in := inst{op: codeHost, flag: rest == wordTail}
	if text != "" {
		in.text = text[1:]
	}
	return f.branch(in, [4]place{onNo: next, onEmpty: next, onSlash: found, onWord: next})
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
		matched.step++
	}
	in := inst{op: codeRegex, text: p.form.text, flag: p.form.tail == noTail, n: p.step, re: &re}
	return f.branch(in, [4]place{onNo: next, onEmpty: next, onSlash: matched, onWord: next})
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

// compile fills in what the rules in hook.steps become.
func (hook *hookProgram) compile() error {
	for i := range hook.steps {
		hook.aims |= opInfo[hook.steps[i].action.op].aims
		if re := hook.steps[i].re; re != nil && re.template.hasQuery {
			hook.aims |= QueryChanged
		}
	}
	if hook.aims == 0 {
		return nil
	}
	var atStar []step
	for _, s := range hook.steps {
		if opInfo[s.action.op].aims&(PathChanged|QueryChanged) == 0 {
			atStar = append(atStar, s)
		}
	}
	hook.query = compileQuery(hook.steps)
	if len(hook.query) == 1 {
		hook.pass = &hook.query[0].pass
	}
	steps := withoutDead(hook.steps)
	if !hook.liftHost(steps) {
		hook.general = true
	}
	first, over := hook.fuse(steps)
	if over {
		return errTooComplex(hook.steps)
	}
	star, _ := hook.fuse(atStar)
	hook.first, hook.star = &hook.code[first], &hook.code[star]
	return nil
}

// liftHost looks for a scheme and a host that do not depend on the request. It
// takes the steps that set them out of the code, and reports whether what is
// left are prefixes of the path and one pass over the query.
func (hook *hookProgram) liftHost(steps []step) bool {
	var lifted []*step
	scheme, host := "", ""
	for i := range steps {
		s := &steps[i]
		switch s.op {
		case OpSetHost:
			host = s.args[0]
			lifted = append(lifted, s)
		case OpSetScheme:
			scheme = s.args[0]
			lifted = append(lifted, s)
		case OpSetHostname, OpSetPort, OpReplaceHostSuffix, OpHostFromPathPrefix, OpRewritePath, OpReplacePathRegex:
			return false
		}
	}
	for _, s := range lifted {
		s.op = 0
	}
	hook.target = authority{scheme, host}
	return true
}

// fuse compiles steps and returns where their code begins, or over if that
// exceeds a bound.
func (hook *hookProgram) fuse(steps []step) (pc int32, over bool) {
	f := fuser{prog: hook, steps: steps, memo: map[place]int32{}}
	pc = f.from(place{form: form{tail: slashTail}})
	return pc, f.over
}

// withoutDead replaces steps whose outcome a later one overwrites, and which
// can neither fail nor touch anything else, by nothing.
func withoutDead(steps []step) []step {
	steps = slices.Clone(steps)
	host, path := false, false // overwritten by what follows
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		dead := false
		switch s.op {
		case OpSetHost:
			dead, host = host, true
		case OpSetHostname, OpSetPort:
			dead = host
		case OpReplaceHostSuffix:
			host = false
		case OpSetPath:
			dead, path = path, true
		case OpAddPathPrefix, OpTrimPathPrefix, OpStripPathSegments, OpReplacePathPrefix, OpTrimPathText, OpReplacePathText:
			dead = path
		case OpHostFromPathPrefix, OpRewritePath, OpReplacePathRegex:
			path = false
		}
		if dead {
			s.op = 0
		}
	}
	return steps
}

// errTooComplex is the error of the last rule of a hook that exceeds a bound.
func errTooComplex(steps []step) error {
	return fmt.Errorf("the %d path actions of this hook depend on each other in too many ways: "+
		"merge prefixes into one TrimPathPrefix, or set shorter paths", len(steps))
}
