package rewrite

// The text form of an action, such as TrimPathPrefix("/a", "/b"), and the checks
// that it shares with the JSON form.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// opNamed maps the names of the constructors to ops.
var opNamed = func() map[string]Op {
	m := make(map[string]Op, numOps)
	for op := Op(1); op < numOps; op++ {
		m[opInfo[op].name] = op
	}
	return m
}()

// makeAction is an Action from data: it checks the number and the kind of the
// arguments, which constructors cannot get wrong.
func makeAction(op Op, args []string) (Action, error) {
	info := &opInfo[op]
	switch {
	case info.list && len(args) == 0:
		return Action{}, fmt.Errorf("%s takes one or more strings", info.name)
	case !info.list && len(args) != len(info.params):
		return Action{}, fmt.Errorf("%s takes %s, not %d arguments", info.name, countArgs(info.params), len(args))
	}
	return newAction(op, args...), nil
}

// checkWhole returns what is wrong with s as the number of an action.
func checkWhole(s string) error {
	if s == "" {
		return errors.New("write a whole number, without quotes")
	}
	if n, err := strconv.Atoi(s); err != nil || strconv.Itoa(n) != s {
		return notWhole(s, err)
	}
	return nil
}

// notWhole is the error for s, of which strconv.Atoi has said err.
func notWhole(s string, err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is out of range: write a number that an int can hold", quote(s))
	}
	return fmt.Errorf("write a whole number, not %s", quote(s))
}

func countArgs(params []string) string {
	if len(params) == 0 {
		return "no arguments"
	}
	return fmt.Sprintf("%d (%s)", len(params), strings.Join(params, ", "))
}

// MarshalText implements encoding.TextMarshaler with the form of String. The
// zero Action and arguments that are not UTF-8 are errors.
func (a Action) MarshalText() ([]byte, error) {
	if err := a.encodable(); err != nil {
		return nil, err
	}
	return []byte(a.String()), nil
}

func (a Action) encodable() error {
	if a.op == 0 || a.op >= numOps {
		return errors.New("rewrite: the zero Action has no text form")
	}
	if opInfo[a.op].list && len(a.args) == 0 {
		return fmt.Errorf("rewrite: %v without arguments has no text form", a.op)
	}
	for i, arg := range a.args {
		if !utf8.ValidString(arg) {
			return fmt.Errorf("rewrite: %v: %s is not UTF-8: %s", a.op, a.op.param(i), quote(arg))
		}
	}
	return nil
}

// UnmarshalText implements encoding.TextUnmarshaler: it reads what String
// writes, with Go's string literals, and spaces, tabs and line ends between
// tokens. It checks the form; Compile checks the meaning. On error a is
// unchanged, and the error names the byte offset.
func (a *Action) UnmarshalText(text []byte) error {
	r := textReader{s: string(text)}
	action, err := r.action()
	if err != nil {
		return fmt.Errorf("rewrite: at offset %d: %w", r.at, err)
	}
	*a = action
	return nil
}

// A textReader reads the text form of an action; at is where it is, or where
// the fault is.
type textReader struct {
	s  string
	at int
}

func (r *textReader) space() {
	for r.at < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.at]) >= 0 {
		r.at++
	}
}

// eat takes the byte c, if it comes next.
func (r *textReader) eat(c byte) bool {
	r.space()
	if r.at < len(r.s) && r.s[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *textReader) action() (Action, error) {
	r.space()
	start := r.at
	for r.at < len(r.s) && isLetter(r.s[r.at]) {
		r.at++
	}
	name := r.s[start:r.at]
	op := opNamed[name]
	if op == 0 {
		r.at = start
		return Action{}, unknownAction(name)
	}
	if !r.eat('(') {
		return Action{}, fmt.Errorf("write %s(…)", name)
	}
	var args []string
	for !r.eat(')') {
		if len(args) > 0 && !r.eat(',') {
			return Action{}, errors.New("write a comma or a closing parenthesis")
		}
		arg, err := r.arg(opInfo[op].numeric)
		if err != nil {
			return Action{}, err
		}
		args = append(args, arg)
	}
	if r.space(); r.at < len(r.s) {
		return Action{}, errors.New("text behind the action")
	}
	action, err := makeAction(op, args)
	if err != nil {
		r.at = start
	}
	return action, err
}

// arg reads a Go string literal or a whole number.
func (r *textReader) arg(numeric bool) (string, error) {
	r.space()
	if numeric {
		end := r.at
		for end < len(r.s) && (r.s[end] == '-' || '0' <= r.s[end] && r.s[end] <= '9') {
			end++
		}
		n := r.s[r.at:end]
		if err := checkWhole(n); err != nil {
			return "", err
		}
		r.at = end
		return n, nil
	}
	literal, err := strconv.QuotedPrefix(r.s[r.at:])
	if err != nil || literal[0] == '\'' {
		return "", errors.New("write a string in quotes")
	}
	arg, err := strconv.Unquote(literal)
	if err != nil {
		return "", errors.New("write a string in quotes")
	}
	if i := notUTF8(literal); i >= 0 || !utf8.ValidString(arg) {
		r.at += max(i, 0)
		return "", errors.New("write UTF-8")
	}
	r.at += len(literal)
	return arg, nil
}

// notUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func notUTF8(s string) int {
	for i, c := range s {
		if c == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// unknownAction is the error for a name that is no constructor's. A name in
// the wrong letter case is told so.
func unknownAction(name string) error {
	for known := range opNamed {
		if strings.EqualFold(known, name) {
			return fmt.Errorf("unknown action %s: write %s", quote(name), known)
		}
	}
	return fmt.Errorf("unknown action %s: write the name of a constructor, such as TrimPathPrefix", quote(name))
}
