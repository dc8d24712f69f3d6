package rewrite

// The instructions that the path and host rules of a hook compile to, and their
// text.

import (
	"fmt"
	"strconv"
	"strings"
)

// An opcode says what an inst does. The path and host rules of a hook compile
// to a flat array of them, run by inst.walk and machine.run with a handful of registers:
// the base (the path, or what a regular expression made), the offset of what is
// left of it, the host and the scheme.
type opcode uint8

const (
	codeEnd        opcode = iota // the path is text and what is left of the base
	codeFail                     // refuse: no host, or not allowed
	codeTrim                     // take the prefix text from what is left, by segment
	codeText                     // take the prefix text from what is left
	codeStrip                    // take n segments from what is left
	codeHost                     // take the first segment from what is left as host
	codeRegex                    // run re on text and what is left
	codeSetHost                  // host = text
	codeSetName                  // name of host = text
	codeSetPort                  // port of host = text
	codeHostSuffix               // suffix text of host becomes more
	codeScheme                   // scheme = text
)

var codeNames = [...]string{
	codeEnd: "end", codeFail: "fail", codeTrim: "trim", codeText: "text", codeStrip: "strip", codeHost: "host-from-path",
	codeRegex: "regex", codeSetHost: "host", codeSetName: "hostname", codeSetPort: "port", codeHostSuffix: "host-suffix", codeScheme: "scheme",
}

// hostCode maps the ops that become one instruction as they are.
var hostCode = [numOps]opcode{
	OpSetHost: codeSetHost, OpSetHostname: codeSetName, OpSetPort: codeSetPort,
	OpReplaceHostSuffix: codeHostSuffix, OpSetScheme: codeScheme,
}

// The outcomes of an instruction, indices into inst.next.
const (
	onNo    = iota // nothing taken
	onEmpty        // taken, nothing is left
	onSlash        // taken, what is left begins with a slash
	onWord         // taken, what is left begins otherwise
)

// An inst is one instruction.
type inst struct {
	op     opcode
	check  check
	fold   bool // codeTrim, codeText: compare without ASCII letter case
	flag   bool // codeEnd, codeRegex: without what is left; codeTrim: a slash must follow; codeStrip, codeHost: the first segment began in text
	opaque bool // codeEnd: the path has no splice
	dotted bool // codeEnd: text has a dot-segment
	n      int  // codeStrip: segments; codeRegex: index of the step; checkJoint: bytes of text in the segment
	next   [4]int32
	text   string
	word   uint64 // codeTrim: text and a slash, if they fit into mask
	mask   uint64
	more   string
	re     *pattern
}

// A check says what codeEnd has to look for before the path is accepted.
type check uint8

const (
	noCheck    check = iota // every segment is whole: of the input, or checked when compiled
	checkJoint              // the segment at the joint may have become a dot-segment
	checkAll                // anything may have become one
)

// String returns the instructions of every hook, one a line, for people and
// golden tests. The format may change.
func (p *Program) String() string {
	var b strings.Builder
	for _, h := range Hooks() {
		if p == nil || p.hooks[h.index()].aims == 0 {
			continue
		}
		hook := &p.hooks[h.index()]
		fmt.Fprintf(&b, "%v: %v\n", h, hook.aims)
		for pc := range hook.code {
			if hook.aims&^QueryChanged == 0 {
				break
			}
			in := &hook.code[pc]
			if in == hook.star && in.op == codeEnd {
				continue // nothing to do at the path "*"
			}
			mark := " "
			switch in {
			case hook.first:
				mark = ">"
			case hook.star:
				mark = "*"
			}
			fmt.Fprintf(&b, "%s%3d  %v\n", mark, pc, in)
		}
		for i := range hook.query {
			fmt.Fprintf(&b, "  query %v\n", &hook.query[i])
		}
	}
	return b.String()
}

// String returns one line.
func (in *inst) String() string {
	var b strings.Builder
	b.WriteString(codeNames[in.op])
	arg := func(format string, args ...any) { fmt.Fprintf(&b, " "+format, args...) }
	switch in.op {
	case codeEnd:
		switch {
		case in.flag:
			arg("%q", in.text)
		case in.text == "":
			arg("rest")
		default:
			arg("%q + rest", in.text)
		}
		if in.check == checkJoint {
			arg("check-joint")
		} else if in.check == checkAll {
			arg("check-all")
		}
		if in.opaque {
			arg("opaque")
		}
		return b.String()
	case codeFail:
		return b.String()
	case codeStrip:
		arg("%d", in.n)
		if in.flag {
			arg("from-word")
		}
	case codeRegex:
		arg("%q", in.re.re)
		if in.text != "" {
			arg("on %q", in.text)
		}
		if in.re.lead != "" {
			arg("lead %q", in.re.lead)
		}
	case codeHostSuffix:
		arg("%q %q", in.text, in.more)
	case codeHost:
		if in.flag {
			arg("%q + rest", in.text)
		}
	default:
		arg("%q", in.text)
	}
	if in.fold {
		arg("fold")
	}
	switch in.op {
	case codeTrim, codeText:
		arg("no:%d empty:%d slash:%d", in.next[onNo], in.next[onEmpty], in.next[onSlash])
		if in.op == codeText {
			arg("word:%d", in.next[onWord])
		}
	case codeStrip:
		arg("no:%d empty:%d slash:%d", in.next[onNo], in.next[onEmpty], in.next[onSlash])
	case codeHost, codeRegex:
		arg("no:%d yes:%d", in.next[onNo], in.next[onSlash])
	default:
		b.WriteString(" -> " + strconv.Itoa(int(in.next[onSlash])))
	}
	return b.String()
}
