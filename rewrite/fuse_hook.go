package rewrite

// What the rules of one hook become: a name and its port become one host, the
// rules that the others make pointless go, a host and a scheme that do not
// depend on the request go aside, and the rest is fused.

import (
	"slices"

	"github.com/readdress/readdress/internal/hostname"
)

// compile fills in what the rules in hook.steps become. If that is too much it
// returns the step at which it became so.
func (hook *hookProgram) compile() (guilty *step, err error) {
	regexps, added := 0, 0
	for i := range hook.steps {
		hook.aims |= opInfo[hook.steps[i].action.op].aims
		s := &hook.steps[i]
		if s.re != nil {
			if s.re.template.hasQuery {
				hook.aims |= QueryChanged
			}
			if regexps++; regexps > maxRegexps {
				return s, errTooManyRegexps
			}
		}
		if s.op == OpAddQuery || s.op == OpSetQuery {
			if added += len(s.args[0]) + len(s.args[1]); added > maxText {
				return s, errAddsTooMuch
			}
		}
	}
	if hook.aims == 0 {
		return nil, nil
	}
	hook.query = compileQuery(hook.steps)
	steps := slices.Clone(hook.steps)
	simplify(steps)
	if !hook.liftHost(steps) {
		hook.general = true
	}
	first, at := hook.fuse(steps)
	if at >= 0 {
		return &hook.steps[at], errTooComplex
	}
	atStar := slices.DeleteFunc(slices.Clone(hook.steps), func(s step) bool {
		return opInfo[s.action.op].aims&(PathChanged|QueryChanged) != 0
	})
	simplify(atStar)
	star, _ := hook.fuse(atStar)
	hook.first, hook.star = &hook.code[first], &hook.code[star]
	return nil, nil
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

// fuse compiles steps and returns where their code begins. If they exceed a
// bound, over is the index of the step that does, else it is negative.
func (hook *hookProgram) fuse(steps []step) (pc int32, over int) {
	f := fuser{prog: hook, steps: steps, memo: map[place]int32{}, over: -1}
	return f.from(place{form: form{tail: slashTail}}), f.over
}

// simplify makes steps do the same with less.
func simplify(steps []step) {
	joinHosts(steps)
	dropDead(steps)
}

// joinHosts makes one SetHost of a step that sets the name and one behind it
// that sets a port, unless a scheme has that port for its own.
func joinHosts(steps []step) {
	named := -1 // the step that decides the name
	for i := range steps {
		s := &steps[i]
		switch s.op {
		case OpSetHost, OpSetHostname:
			named = i
		case OpReplaceHostSuffix, OpHostFromPathPrefix:
			named = -1
		case OpSetPort:
			port := s.args[0]
			if named < 0 || port == "80" || port == "443" {
				continue
			}
			host, _ := hostname.Split(steps[named].args[0])
			if port != "" {
				host += ":" + port
			}
			steps[named].op = 0
			s.op, s.args, named = OpSetHost, []string{host}, i
		}
	}
}

// dropDead replaces steps whose outcome a later one overwrites, and which can
// neither fail nor touch anything else, by nothing.
func dropDead(steps []step) {
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
}
