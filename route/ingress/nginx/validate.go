package nginx

// Validate: the values that the controller's own validation lets through.

import (
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/route/ingress"
)

// A charset is the characters that a value may have, beside letters and digits.
type charset string

// The controller's sets: parser/validators.go.
const (
	pathWithCapture charset = "-._~/:$"
	urlText         charset = "-._~/:,?&="
	regexText       charset = "-._~/:^$[](){}*+?|&=\\"
	basicText       charset = "-._~/:"
)

// outside returns the offset of the first byte of s that is not in the set, -1
// if there is none.
func (c charset) outside(s string) int {
	for i := range len(s) {
		b := s[i]
		if (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') && strings.IndexByte(string(c), b) < 0 {
			return i
		}
	}
	return -1
}

// checked returns the value of an annotation, or "" if it has a control byte or
// the controller would refuse it, which is reported with what is the case then.
func (r *reader) checked(name string, set charset, then string) string {
	value, ok := r.printable(name, then)
	if !ok || r.refused(name, set, then) {
		return ""
	}
	return value
}

// printable returns the value of an annotation, or reports a control byte in it.
func (r *reader) printable(name, then string) (value string, ok bool) {
	value = r.text(name)
	if i := strings.IndexFunc(value, isControl); i >= 0 {
		r.report(r.o.in.Source(), ingress.Error, CodeValue, name, i+r.o.lead(name), "there is a line end or another control byte in the value: %s", then)
		return "", false
	}
	return value, true
}

// dropping is checked for an annotation of which the controller, where it refuses
// it, drops the Ingress.
func (r *reader) dropping(name string, set charset, then string) string {
	if r.refused(name, set, notServed) {
		r.o.dropped = true
		return ""
	}
	value, _ := r.printable(name, then)
	return value
}

const notServed = "nothing of this Ingress is served"

// refused reports whether the controller's validation refuses the value of an
// annotation, and says so with what is the case then. White space around it counts
// too, but for that of a host and for spaces in a few others.
func (r *reader) refused(name string, set charset, then string) bool {
	if !r.validate {
		return false
	}
	judged, lead := r.written(name), 0
	switch {
	case name == "upstream-vhost":
		judged, lead = r.text(name), r.o.lead(name)
	case name == "x-forwarded-prefix" || set == basicText || strings.HasPrefix(name, "proxy-"):
		set += " "
	}
	i := set.outside(judged)
	if i >= 0 {
		r.report(r.o.in.Source(), ingress.Error, CodeValue, name, lead+i, "the controller refuses %q here: %s; Strict and SkipValidation take what can be said", judged[i], then)
	}
	return i >= 0
}

// isControl reports whether r is a control byte of ASCII, or no character.
func isControl(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }

// isPlainPath reports whether the controller takes path for a pathType that
// is no regular expression (strict-validate-path-type).
func isPlainPath(path string) bool {
	return strings.HasPrefix(path, "/") && charset("._-/").outside(path) < 0
}

// regexBytes are the bytes that make a path a regular expression. A dot alone
// does not.
const regexBytes = `\^$*+?()[]{}|`

func looksRegex(path string) bool { return strings.ContainsAny(path, regexBytes) }
