// Package errlist is what lists of errors have in common.
package errlist

import "strings"

// Lines returns the text of every error, each on a line of its own behind prefix.
func Lines[E error](prefix string, list []E) string {
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(prefix)
		b.WriteString(e.Error())
	}
	return b.String()
}

// Unwrap returns the errors as errors.Is and errors.As want them.
func Unwrap[E error](list []E) []error {
	errs := make([]error, len(list))
	for i, e := range list {
		errs[i] = e
	}
	return errs
}
