package annotation

// The value of an annotation: a list of items, each for one hook.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// hookNames are the hooks as "when" has them.
var hookNames = [...]string{"BeforeLocation", "AfterLocation", "Forward"}

// hookItems are, for each of hookNames, the item that is for it, and where the
// item says so.
type hookItems [len(hookNames)]struct {
	used  bool
	index int
	at    int
}

// value reads the value of one annotation.
func (p *parser) value(a annotation, word *keyword) {
	p.annotation, p.word, p.index, p.hooks = a, word, -1, hookItems{}
	example := `[{"params": ` + word.example + `}]`
	if len(a.value) > maxValue {
		p.fail(-1, CodeLimit, strconv.Itoa(len(a.value))+" bytes long: at most "+strconv.Itoa(maxValue)+", so remove something")
		return
	}
	if strings.HasPrefix(a.value, "\uFEFF") {
		p.fail(0, CodeText, "byte-order mark: remove it")
		return
	}
	r := reader{text: a.value, p: p}
	if c := r.peek(); r.pos == len(r.text) {
		p.fail(r.pos, CodeEmpty, "empty: write a list, such as "+example)
		return
	} else if c != '[' {
		p.fail(r.pos, CodeType, "no list: write one, such as "+example)
		return
	}
	ok := r.list(func(i int) bool {
		p.index = i
		if r.peek() == '{' {
			return p.item(&r)
		}
		return p.wrongType(&r, "an object, such as "+example[1:len(example)-1], false)
	})
	if !ok {
		return
	}
	if p.index < 0 {
		p.fail(r.pos-1, CodeEmpty, "empty list: write an item, such as "+example+", or remove the annotation")
	}
	p.index = -1
	r.end()
}

// item reads one item, an object that configures one hook.
func (p *parser) item(r *reader) bool {
	p.first = len(p.drafts)
	hook, order := "AfterLocation", 0
	hookAt, loose := -1, false
	seen, left := 0, fields // left: the fields that may still come
	ok := r.object(func(name str) bool {
		if name.bad >= 0 {
			loose = true
			p.fail(r.offset(name.bad), CodeText, name.why)
			return r.skip()
		}
		field := -1
		for i, f := range left {
			if f == name.text && f != "" {
				field = i
			}
		}
		if field < 0 {
			loose = true
			p.noField(r, name, left[:])
			return r.skip()
		}
		seen |= 1 << field
		left[field] = ""
		good, ok := true, true
		switch 1 << field {
		case fieldParams:
			ok = p.params(r)
		case fieldWhen:
			hook, hookAt, good, ok = p.when(r)
		case fieldOrder:
			order, good, ok = p.order(r)
		}
		loose = loose || !good
		return ok
	})
	loose = loose || !ok // fields may be missing
	if ok {
		shut := r.offset(r.pos - 1)
		if seen&fieldParams == 0 {
			p.fail(shut, CodeMissing, `no "params": write one, such as "params": `+p.word.example)
		}
		if hookAt < 0 {
			hookAt = shut
		}
		loose = loose || !p.claim(hook, hookAt)
	}
	for i := p.first; i < len(p.drafts); i++ {
		d := &p.drafts[i]
		d.loose = loose
		if !loose {
			d.rule.Order = order
			d.rule.Hook = hookNamed(hook)
		}
	}
	return ok
}

// noField reports a name that is no field, or none any more.
func (p *parser) noField(r *reader, name str, left []string) {
	for _, f := range fields {
		if f == name.text {
			p.fail(r.locate(name, 0), CodeDuplicateField, strconv.Quote(f)+" is there twice: remove one")
			return
		}
	}
	at := r.locate(name, diverges(name.text, left))
	advice := instead(name.text, "params, when or order", fields[:])
	if near := nearest(name.text, fields[:]); near != "" && !slices.Contains(left, near) {
		advice = near + " is there already, so remove it"
	}
	p.fail(at, CodeUnknownField, "unknown field "+quote(name.text)+": "+advice)
}

// when reads the hook of an item and returns where its name begins.
func (p *parser) when(r *reader) (name string, at int, good, ok bool) {
	s, good, ok := p.string(r, "the name of a hook, or remove the field for AfterLocation")
	if !good {
		return "", 0, false, ok
	}
	if i := diverges(s.text, hookNames[:]); i < len(s.text) || hookRow(s.text) < 0 {
		code, detail := CodeUnknownHook, "unknown hook "+quote(s.text)+": "+instead(s.text, "BeforeLocation, AfterLocation or Forward", hookNames[:])
		if s.text == "" {
			code, detail = CodeEmpty, "empty: write BeforeLocation, AfterLocation or Forward, or remove the field for AfterLocation"
		}
		p.fail(r.locate(s, i), code, detail)
		return "", 0, false, true
	}
	return s.text, r.offset(s.open + 1), true, true
}

// claim notes that the item is for a hook. It fails if another is already.
func (p *parser) claim(hook string, at int) bool {
	h := &p.hooks[hookRow(hook)]
	if h.used {
		p.fault(&Error{
			Key: p.key, Index: p.index, Offset: at, Code: CodeDuplicateHook,
			Detail:  "a second item for " + hook + `: write another "when", or one item for both`,
			Related: []rewrite.Origin{{Key: p.key, Index: h.index, Offset: h.at}},
		})
		return false
	}
	h.used, h.index, h.at = true, p.index, at
	return true
}

func hookRow(name string) int {
	for i, n := range hookNames {
		if n == name {
			return i
		}
	}
	return -1
}

func hookNamed(name string) rewrite.Hook { return rewrite.Hooks()[hookRow(name)] }

// order reads the order of an item.
func (p *parser) order(r *reader) (n int, good, ok bool) {
	const want = "a whole number from -2147483648 to 2147483647, without quotes"
	c := r.peek()
	at := r.offset(r.pos)
	switch {
	case c == '"':
		s, ok := r.string()
		if ok && r.ended() {
			detail := "a string: write " + want
			if n, bad := wholeNumber(s.text, math.MinInt32); bad < 0 {
				detail = "write " + strconv.Itoa(n) + ", not " + quote(s.text)
			}
			p.fail(at, CodeType, detail)
		}
		return 0, false, ok
	case c == '-' || isDigit(c):
		return p.number(r, math.MinInt32, want)
	}
	return 0, false, p.wrongType(r, want, false)
}

// number reads a whole number, which is at least least.
func (p *parser) number(r *reader, least int64, want string) (n int, good, ok bool) {
	start, text := r.pos, r.word()
	n, bad := wholeNumber(text, least)
	detail := quote(text) + ": write " + want
	if !isNumber(text) {
		if bad < 0 && int64(n) >= least {
			detail = "leading zero: write " + strconv.Itoa(n)
		}
		if end := numberLen(text); bad < 0 || end < bad { // behind a leading zero
			bad = end
		}
	}
	if least > 0 && text[0] == '0' {
		bad = 0
	}
	if !isNumber(text) {
		r.pos += bad
		return 0, false, r.syntax(detail)
	}
	r.pos += len(text)
	if bad >= 0 {
		p.fail(r.offset(start+bad), CodeNumber, detail)
	}
	return n, bad < 0, true
}

// wholeNumber returns the number that text is, and the first byte that no
// number from least to the largest int32 could have there; -1: there is none.
// Leading zeros are for the caller to judge.
func wholeNumber(text string, least int64) (n, bad int) {
	sign, value := int64(1), int64(0)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '-' && i == 0 && least < 0:
			sign = -1
		case !isDigit(c):
			return 0, i
		default:
			value = value*10 + sign*int64(c-'0')
			if value > math.MaxInt32 || value < math.MinInt32 {
				return 0, i
			}
		}
	}
	if text == "-" || text == "" {
		return 0, len(text)
	}
	return int(value), -1
}
