package haproxy

// Annotations that set header fields, one a line.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

// token has the bytes of the name of a header field, RFC 9110 section 5.6.2.
const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// setHeaders reads lines of a name and a value, which may be in quotes. A line
// with an expression is left out and reported, and the others stay.
func (r *reading) setHeaders(annotation string) []ingress.HeaderOp {
	return r.headers(annotation, func(line string) (name, value string) {
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return line, ""
		}
		value = strings.TrimSpace(line[i:])
		if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' {
			value = value[1 : n-1]
		}
		return line[:i], value
	})
}

func (r *reading) headers(annotation string, split func(line string) (name, value string)) []ingress.HeaderOp {
	a, ok := r.found[annotation]
	if !ok {
		return nil
	}
	var list []ingress.HeaderOp
	rest := a.lines(func(line string, offset int) {
		name, format := split(line)
		bad := func(code ingress.Code, at int, detail string) {
			r.report(ingress.Error, code, r.in.Source(), a.origin(offset+at), "%s; the header field is not set", detail)
		}
		if name == "" || strings.Trim(name, token) != "" {
			bad(CodeValue, 0, "there is no name of a header field: write a name and a value")
			return
		}
		value, at, err := literal(format)
		if err != nil {
			bad(formatCode(err), len(line)-len(format)+at, err.Error())
			return
		}
		if i := strings.IndexFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }); i >= 0 {
			bad(CodeValue, len(line)-len(format)+i, "the value has a control byte")
			return
		}
		list = append(list, ingress.HeaderOp{Op: ingress.SetHeader, Name: name, Value: value})
	})
	if rest >= 0 {
		r.report(ingress.Error, CodeValue, r.in.Source(), a.origin(rest), "there are more than %d lines: the header fields from here on are not set", maxLines)
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
