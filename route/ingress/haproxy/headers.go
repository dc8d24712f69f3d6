package haproxy

// Annotations that set header fields, one a line.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/route/ingress"
)

// setHeaders reads haproxytech's lines of a name, white space and a value, which
// may be in quotes.
func (r *reading) setHeaders(annotation string) []ingress.HeaderOp {
	return r.headers(annotation, func(line string) (name, value string, at int) {
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return "", "", 0
		}
		value, at = trim(line[i:])
		if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' {
			value = value[1 : n-1]
			at++
		}
		return line[:i], value, i + at
	})
}

// colonHeaders reads haproxy-ingress's lines of a name and a value, with a colon,
// white space or both between them.
func (r *reading) colonHeaders(annotation string) []ingress.HeaderOp {
	return r.headers(annotation, func(line string) (name, value string, at int) {
		i := strings.IndexAny(line, ": \t")
		if i < 0 {
			return "", "", 0
		}
		value = strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(line[i:], " \t"), ":"))
		return line[:i], value, len(line) - len(value)
	})
}

// headers reads lines that split takes apart; at is the offset of the value. A
// line without a name and a value, or with an expression, is left out and
// reported, and the others stay.
func (r *reading) headers(annotation string, split func(line string) (name, value string, at int)) []ingress.HeaderOp {
	a, ok := r.found[annotation]
	if !ok {
		return nil
	}
	var list []ingress.HeaderOp
	rest := lines(a.Value, func(line string, offset int) {
		name, format, from := split(line)
		bad := func(code ingress.Code, at int, detail string) {
			r.report(ingress.Error, code, r.source, a.Origin(offset+at), "%s; the header field is not set", detail)
		}
		if !token.Is(name) {
			bad(CodeValue, 0, "a line is the name of a header field and its value: write both")
			return
		}
		value, at, err := literal(format)
		if err != nil {
			bad(formatCode(err), from+at, err.Error())
			return
		}
		if i := strings.IndexFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }); i >= 0 {
			bad(CodeValue, from+i, "the value has a control byte")
			return
		}
		list = append(list, ingress.HeaderOp{Op: ingress.SetHeader, Name: name, Value: value})
	})
	if rest >= 0 {
		r.report(ingress.Error, CodeValue, r.source, a.Origin(rest), "there are more than %d lines: the header fields from here on are not set", maxLines)
	}
	return slices.Clip(list)
}

// lastHost returns the index of the last operation on Host, or -1.
func lastHost(list []ingress.HeaderOp) int {
	for i := len(list) - 1; i >= 0; i-- {
		if strings.EqualFold(list[i].Name, "Host") {
			return i
		}
	}
	return -1
}

// withoutHost returns list without the operations on Host, which the rules do.
func withoutHost(list []ingress.HeaderOp) []ingress.HeaderOp {
	return slices.DeleteFunc(list, func(h ingress.HeaderOp) bool { return strings.EqualFold(h.Name, "Host") })
}
