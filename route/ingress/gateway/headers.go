package gateway

// Header modifiers.

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// requestHeaders translates a RequestHeaderModifier. The Host field is a part of
// the URL, so setting it is a rule.
func (f *filters) requestHeaders(m *HeaderModifier, key string, hook rewrite.Hook) *filterError {
	ops, err := headerOps(m)
	if err != nil {
		return err
	}
	for _, op := range ops {
		if !strings.EqualFold(op.Name, "Host") {
			f.request = append(f.request, op)
			continue
		}
		if op.Op != ingress.SetHeader {
			return &filterError{field: ".requestHeaderModifier", detail: "there is always one Host: it can only be set"}
		}
		if err := f.setHost(op.Value, key, ".requestHeaderModifier.set", hook); err != nil {
			return err
		}
	}
	return nil
}

// headerOps returns what m does, in the API's order. Of several items of one
// name in a list the first counts, letter case apart.
func headerOps(m *HeaderModifier) ([]ingress.HeaderOp, *filterError) {
	if n := max(len(m.Set), len(m.Add), len(m.Remove)); n > maxFilters {
		return nil, &filterError{detail: fmt.Sprintf("%d header fields in one list: at most %d can be", n, maxFilters)}
	}
	ops := make([]ingress.HeaderOp, 0, len(m.Set)+len(m.Add)+len(m.Remove))
	add := func(op ingress.HeaderAction, name, value string) *filterError {
		for _, o := range ops {
			if o.Op == op && strings.EqualFold(o.Name, name) {
				return nil
			}
		}
		if !isToken(name) {
			return &filterError{detail: fmt.Sprintf("%.64q is no name of a header field", name)}
		}
		if i := strings.IndexFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }); i >= 0 {
			return &filterError{detail: fmt.Sprintf("the value of %s has a control byte at offset %d", name, i)}
		}
		if !utf8.ValidString(value) {
			return &filterError{detail: fmt.Sprintf("the value of %s is not UTF-8", name)}
		}
		ops = append(ops, ingress.HeaderOp{Op: op, Name: name, Value: value})
		return nil
	}
	for _, h := range m.Set {
		if err := add(ingress.SetHeader, h.Name, h.Value); err != nil {
			return nil, err
		}
	}
	for _, h := range m.Add {
		if err := add(ingress.AddHeader, h.Name, h.Value); err != nil {
			return nil, err
		}
	}
	for _, name := range m.Remove {
		if err := add(ingress.RemoveHeader, name, ""); err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// isToken reports whether s is a token: RFC 9110, section 5.6.2.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
