package bfe

// The language of BFE's conditions: text to a tree.

import (
	"iter"
	"strconv"
	"strings"
)

// An expr is a node of a condition: a primitive, or '!', '&' or '|' of others.
type expr struct {
	op   byte // 'p' for a primitive
	args []*expr
	primitive
}

// A primitive is a call such as req_host_in("a.com").
type primitive struct {
	name   string
	at     int // offset of the name in the condition
	values []value
}

// A value is an argument: the text of a string, or a word or number.
type value struct {
	text     string
	isString bool
	at       int // offset of the first byte of the text
}

// A condError is a fault of a condition.
type condError struct {
	at     int // offset in the condition
	detail string
}

// maxParens is how deep parentheses may nest.
const maxParens = 64

// parseCond parses a condition.
func parseCond(text string) (*expr, *condError) {
	p := condParser{text: text}
	x := p.or(0)
	if p.space(); p.fault == nil && p.at < len(text) {
		p.fail(p.at, "there is "+quote(text[p.at:])+" behind the condition: write && or || before it, or remove it")
	}
	if p.fault != nil {
		return nil, p.fault
	}
	return x, nil
}

// A condParser reads from text[at:] on. Once there is a fault it reads nothing.
type condParser struct {
	text  string
	at    int
	fault *condError
}

func (p *condParser) fail(at int, detail string) {
	if p.fault == nil {
		p.fault = &condError{at, detail}
	}
}

func (p *condParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// eat takes a token, if it comes next.
func (p *condParser) eat(token string) bool {
	p.space()
	if p.fault == nil && strings.HasPrefix(p.text[p.at:], token) {
		p.at += len(token)
		return true
	}
	return false
}

func (p *condParser) or(depth int) *expr  { return p.list("||", '|', depth, p.and) }
func (p *condParser) and(depth int) *expr { return p.list("&&", '&', depth, p.unary) }

// list reads one or more operands with an operator between them.
func (p *condParser) list(operator string, op byte, depth int, operand func(int) *expr) *expr {
	x := operand(depth)
	if !p.eat(operator) {
		return x
	}
	list := &expr{op: op, args: []*expr{x, operand(depth)}}
	for p.eat(operator) {
		list.args = append(list.args, operand(depth))
	}
	return list
}

func (p *condParser) unary(depth int) *expr {
	not := false
	for p.eat("!") {
		not = !not
	}
	var x *expr
	if p.eat("(") {
		if depth == maxParens {
			p.fail(p.at-1, "there are too many parentheses inside each other: remove some")
		}
		if x = p.or(depth + 1); !p.eat(")") {
			p.fail(p.at, "a closing parenthesis is missing: write )")
		}
	} else {
		x = p.call()
	}
	if not {
		x = &expr{op: '!', args: []*expr{x}}
	}
	return x
}

// call reads a primitive and its arguments.
func (p *condParser) call() *expr {
	x := &expr{op: 'p'}
	if x.name, x.at = p.word(); x.name == "" {
		p.fail(p.at, "there is no primitive: write one, such as req_host_in(\"a.com\")")
	}
	if !p.eat("(") {
		p.fail(p.at, "a parenthesis is missing: write "+quote(x.name+"(…)"))
	}
	for p.fault == nil && !p.eat(")") {
		if len(x.values) > 0 && !p.eat(",") {
			p.fail(p.at, "write a comma or a closing parenthesis")
		}
		x.values = append(x.values, p.value())
	}
	return x
}

// word reads letters, digits and underscores.
func (p *condParser) word() (word string, at int) {
	p.space()
	at = p.at
	for p.fault == nil && p.at < len(p.text) {
		if c := p.text[p.at]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') {
			break
		}
		p.at++
	}
	return p.text[at:p.at], at
}

// value reads an argument. An escape in double quotes stays as it is.
func (p *condParser) value() value {
	p.space()
	for _, quotes := range []string{`"`, "`"} {
		open := p.at
		if !p.eat(quotes) {
			continue
		}
		for p.at < len(p.text) {
			switch c := p.text[p.at]; {
			case c == quotes[0]:
				p.at++
				return value{p.text[open+1 : p.at-1], true, open + 1}
			case c == '\\' && quotes == `"`:
				p.at++
			}
			p.at++
		}
		p.at = len(p.text)
		p.fail(p.at, "the string that begins at offset "+strconv.Itoa(open)+" does not end: write "+quotes)
		return value{}
	}
	word, at := p.word()
	if word == "" {
		p.fail(at, "there is no argument: write a string in quotes, true or false")
	}
	return value{word, false, at}
}

// list yields the alternatives that "|" separates in a string, and their
// offsets.
func (v *value) list() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		at := v.at
		for text := range strings.SplitSeq(v.text, "|") {
			if !yield(at, text) {
				return
			}
			at += len(text) + 1
		}
	}
}
