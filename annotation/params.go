package annotation

// The "params" of an item: each form of them to actions.

import (
	"strconv"

	"github.com/readdress/readdress/rewrite"
)

// params reads the params of an item.
func (p *parser) params(r *reader) bool {
	switch p.word.form {
	case formText:
		return p.text(r)
	case formTrue:
		return p.onlyTrue(r)
	case formCount:
		return p.count(r)
	case formPairs:
		return p.either(r, '{', p.pairs)
	case formNames, formNameOrNames:
		return p.either(r, '[', p.names)
	}
	return r.skip()
}

// text reads one string.
func (p *parser) text(r *reader) bool {
	want := "a string, such as " + p.word.example
	s, good, ok := p.string(r, want)
	if good && p.notEmpty(r, s, want) {
		p.emit(r.offset(s.open), s, s.text)
	}
	return ok
}

// onlyTrue reads true or "true".
func (p *parser) onlyTrue(r *reader) bool {
	const want = "true, or remove the annotation"
	at := r.offset(r.pos)
	switch r.peek() {
	case '"':
		s, good, ok := p.string(r, want)
		if !good || !p.notEmpty(r, s, want) {
			return ok
		}
		if s.text != "true" {
			p.fail(r.locate(s, diverges(s.text, []string{"true"})), CodeType, quote(s.text)+": write "+want)
			return true
		}
	case 't':
		if word := r.word(); word != "true" {
			r.pos += diverges(word, []string{"true"})
			return r.syntax(quote(word) + ": write " + want)
		}
		r.pos += len("true")
	default:
		return p.wrongType(r, want, false)
	}
	p.emit(at, str{})
	return true
}

// count reads a whole number from 1, or its digits in a string.
func (p *parser) count(r *reader) bool {
	const want = "a whole number from 1 to 2147483647"
	c := r.peek()
	at := r.offset(r.pos)
	var n int
	var good, ok bool
	switch {
	case c == '"':
		var s str
		if s, good, ok = p.string(r, want); !good || !p.notEmpty(r, s, want) {
			return ok
		}
		var bad int
		n, bad = wholeNumber(s.text, 1)
		detail := quote(s.text) + ": write " + want
		if s.text[0] == '0' {
			if n > 0 && bad < 0 {
				detail = "leading zero: write " + strconv.Itoa(n)
			}
			bad = 0
		}
		if good = bad < 0; !good {
			p.fail(r.locate(s, bad), CodeNumber, detail)
		}
	case c == '-' || isDigit(c):
		n, good, ok = p.number(r, 1, want)
	default:
		return p.wrongType(r, want, false)
	}
	if good {
		p.emit(at, str{}, strconv.Itoa(n))
	}
	return ok
}

// either reads a value that begins with a bracket, or a string that holds one.
func (p *parser) either(r *reader, bracket byte, read func(*reader) bool) bool {
	want := "an object, such as " + p.word.example
	if bracket == '[' {
		want = "a list of strings, such as " + p.word.example
	}
	c := r.peek()
	if c == bracket {
		return read(r)
	}
	if c != '"' {
		return p.wrongType(r, want, p.word.form == formNameOrNames)
	}
	s, good, ok := p.string(r, want)
	if !good || !p.notEmpty(r, s, want) {
		return ok
	}
	in := reader{text: s.text, depth: r.depth, p: p}
	if in.peek() != bracket && p.word.form == formNameOrNames {
		p.emit(r.offset(s.open), s, s.text)
		return true
	}
	in.at = r.offsets(s)
	if in.peek() != bracket {
		p.fail(in.offset(in.pos), CodeType, quote(s.text)+": write "+want)
	} else if read(&in) {
		in.end()
	} else {
		p.drafts = p.drafts[:p.first] // pairs, with which nothing can be wrong
	}
	return true
}

// pairs reads an object from string to string and makes an action of each.
func (p *parser) pairs(r *reader) bool {
	var seen nameSet
	empty := true
	ok := r.object(func(name str) bool {
		empty = false
		s, good, ok := p.string(r, "a string")
		if !p.name(r, name) {
			return ok
		}
		if !seen.add(name.text) {
			p.fail(r.offset(name.shut), CodeDuplicateField, quote(name.text)+" is there twice: remove one")
			return ok
		}
		if good && (s.text != "" || p.word.op == rewrite.OpAddQuery || p.notEmpty(r, s, "the new name of the parameter")) {
			p.emit(r.offset(name.open), str{}, name.text, s.text)
		}
		return ok
	})
	if ok && empty {
		p.fail(r.offset(r.pos-1), CodeEmpty, "empty object: write a pair, such as "+r.written(p.word.example))
	}
	return ok
}

// names reads a list of strings and makes one action of them.
func (p *parser) names(r *reader) bool {
	var names []string
	at, good := r.offset(r.pos), true
	ok := r.list(func(int) bool {
		s, textOK, ok := p.string(r, "a name as a string")
		good = textOK && p.notEmpty(r, s, "the name of a query parameter, or remove it") && good
		names = append(names, s.text)
		return ok
	})
	if ok && len(names) == 0 && good {
		p.fail(r.offset(r.pos-1), CodeEmpty, "empty list: write a name, such as "+r.written(p.word.example))
	} else if ok && good {
		p.emit(at, str{}, names...)
	}
	return ok
}

// string reads a string of text, and reports what is not. good is false if
// it is no use; ok is false after a fault of syntax.
func (p *parser) string(r *reader, want string) (s str, good, ok bool) {
	if r.peek() != '"' {
		return s, false, p.wrongType(r, want, true)
	}
	if s, ok = r.string(); !ok || !r.ended() {
		return s, false, ok
	}
	if s.bad >= 0 {
		p.fail(r.offset(s.bad), CodeText, s.why)
		return s, false, true
	}
	return s, true, true
}

// notEmpty reports a string that is empty, and what to write instead.
func (p *parser) notEmpty(r *reader, s str, want string) bool {
	if s.text == "" {
		p.fail(r.offset(s.shut), CodeEmpty, "empty string: write "+want)
	}
	return s.text != ""
}

// name reports a name in an object that is not text or empty.
func (p *parser) name(r *reader, name str) bool {
	if name.bad >= 0 {
		p.fail(r.offset(name.bad), CodeText, name.why)
		return false
	}
	return p.notEmpty(r, name, "the name of a query parameter")
}

// wrongType reads a value and reports it for what it is. text: what is wanted
// may be a string.
func (p *parser) wrongType(r *reader, want string, text bool) bool {
	c := r.peek()
	start := r.pos
	report := func() {
		is := map[byte]string{'{': "an object", '[': "a list", '"': "a string", 't': "true", 'f': "false", 'n': "null"}[c]
		if is == "" {
			is = "a number"
		}
		p.fail(r.offset(start), CodeType, is+": write "+want)
	}
	if c == '{' || c == '[' {
		report() // a fault of syntax may be far away
		return r.skip()
	}
	if c != '"' && !r.scalar() {
		return r.noValue(want, text)
	}
	if !r.skip() {
		return false
	}
	if c != '"' || r.ended() {
		report()
	}
	return true
}

// emit makes an action of the item. One more than a hook may have is enough to
// see that there are too many.
func (p *parser) emit(at int, param str, args ...string) {
	if len(p.drafts)-p.first > maxActions {
		return
	}
	p.drafts = append(p.drafts, draft{
		rule: rewrite.Rule{
			Action: action(p.word.op, args),
			Origin: rewrite.Origin{Key: p.key, Index: p.index, Offset: at},
		},
		word: p.word, names: args, param: param,
	})
}

// action makes the action of a row of keywords.
func action(op rewrite.Op, args []string) rewrite.Action {
	switch op {
	case rewrite.OpSetHost:
		return rewrite.SetHost(args[0])
	case rewrite.OpHostFromPathPrefix:
		return rewrite.HostFromPathPrefix()
	case rewrite.OpSetPath:
		return rewrite.SetPath(args[0])
	case rewrite.OpAddPathPrefix:
		return rewrite.AddPathPrefix(args[0])
	case rewrite.OpTrimPathPrefix:
		return rewrite.TrimPathPrefix(args[0])
	case rewrite.OpStripPathSegments:
		n, _ := strconv.Atoi(args[0])
		return rewrite.StripPathSegments(n)
	case rewrite.OpAddQuery:
		return rewrite.AddQuery(args[0], args[1])
	case rewrite.OpDeleteQuery:
		return rewrite.DeleteQuery(args...)
	case rewrite.OpRenameQuery:
		return rewrite.RenameQuery(args[0], args[1])
	default:
		return rewrite.KeepQuery(args...)
	}
}

// A nameSet is a set of names, most of which are small.
type nameSet struct {
	few  []string
	many map[string]struct{}
}

const fewNames = 8

// add reports whether name was not there yet.
func (s *nameSet) add(name string) bool {
	if s.has(name) {
		return false
	}
	if len(s.few) < fewNames {
		s.few = append(s.few, name)
		return true
	}
	if s.many == nil {
		s.many = make(map[string]struct{})
	}
	s.many[name] = struct{}{}
	return true
}

func (s *nameSet) has(name string) bool {
	for _, n := range s.few {
		if n == name {
			return true
		}
	}
	_, ok := s.many[name]
	return ok
}
