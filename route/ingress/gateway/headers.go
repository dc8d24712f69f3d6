package gateway

// Header modifiers, and what the API allows of names and values.

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// What the API allows, in characters.
const (
	maxFieldName = 256  // the name of a header field or of a query parameter
	maxHeader    = 4096 // the value of a header field
	maxParam     = 1024 // the value of a query parameter
)

// checkValue reports what the API forbids in a name and its value, of at most so
// many characters. The field of the error is ".name" or ".value".
func checkValue(name, value string, most int) *filterError {
	length := utf8.RuneCountInString(value)
	switch {
	case name == "":
		return &filterError{field: ".name", detail: "the name is empty: write one"}
	case utf8.RuneCountInString(name) > maxFieldName:
		return &filterError{field: ".name", detail: fmt.Sprintf("the name has %d characters: at most %d can be", utf8.RuneCountInString(name), maxFieldName)}
	case !token.Is(name):
		return &filterError{field: ".name", detail: fmt.Sprintf("%.64q is no name: write letters, digits and !#$%%&'*+-.^_`|~", name)}
	case value == "":
		return &filterError{field: ".value", detail: "the value is empty or absent: write one"}
	case length > most:
		return &filterError{field: ".value", detail: fmt.Sprintf("the value has %d characters: at most %d can be", length, most)}
	}
	return nil
}

// requestHeaders translates a RequestHeaderModifier. The Host field is a part of
// the URL, so setting it is a rule.
func (f *filters) requestHeaders(m *HeaderModifier, key string, hook rewrite.Hook) *filterError {
	ops, err := f.headerOps(m, key, ".requestHeaderModifier")
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

// headerOps returns what m, the field of that name of the filter at key, does, in
// the API's order. Of several items of one name in a list the first counts, letter
// case apart; the others are noted, but for fields to remove, which is done once.
func (f *filters) headerOps(m *HeaderModifier, key, field string) ([]ingress.HeaderOp, *filterError) {
	ops := make([]ingress.HeaderOp, 0, len(m.Set)+len(m.Add)+len(m.Remove))
	add := func(op ingress.HeaderAction, list []HeaderValue) *filterError {
		field := field + "." + op.String()
		if len(list) > maxFilters {
			return &filterError{field: field, detail: fmt.Sprintf("%d header fields: at most %d can be", len(list), maxFilters)}
		}
		first := len(ops)
		for i, h := range list {
			if err := checkHeader(op, h); err != nil {
				err.field = index(field, i) + err.field
				return err
			}
			same := func(o ingress.HeaderOp) bool { return strings.EqualFold(o.Name, h.Name) }
			switch {
			case !slices.ContainsFunc(ops[first:], same):
				ops = append(ops, ingress.HeaderOp{Op: op, Name: h.Name, Value: h.Value})
			case op != ingress.RemoveHeader:
				f.sameNames = append(f.sameNames, key+index(field, i)+".name")
			}
		}
		return nil
	}
	removed := make([]HeaderValue, len(m.Remove))
	for i, name := range m.Remove {
		removed[i].Name = name
	}
	err := add(ingress.SetHeader, m.Set)
	if err == nil {
		err = add(ingress.AddHeader, m.Add)
	}
	if err == nil {
		err = add(ingress.RemoveHeader, removed)
	}
	if err != nil {
		return nil, err
	}
	return ops, nil
}

// checkHeader reports what is wrong with an item of a modifier, which to remove a
// field has a name only.
func checkHeader(op ingress.HeaderAction, h HeaderValue) *filterError {
	if op == ingress.RemoveHeader {
		if err := token.CheckField(h.Name, ""); err != nil {
			return &filterError{detail: err.Error()}
		}
		return nil
	}
	if err := checkValue(h.Name, h.Value, maxHeader); err != nil {
		return err
	}
	if err := token.CheckField(h.Name, h.Value); err != nil {
		return &filterError{field: ".value", detail: err.Error()}
	}
	return nil
}
