// Package given is what the readers of annotations have in common: an annotation
// that is there, and advice about one that there is not.
package given

import (
	"github.com/readdress/readdress/internal/names"
	"github.com/readdress/readdress/rewrite"
)

// An Annotation is one of an object's, or the zero Annotation for none.
type Annotation struct{ Key, Value string }

// Origin returns the origin of what stands at a byte of the value.
func (a Annotation) Origin(offset int) rewrite.Origin {
	return rewrite.Origin{Key: a.Key, Offset: offset}
}

// maxAdvice is how many names an Advice compares with those that there are.
const maxAdvice = 8

// An Advice says what to write instead of unknown names. The zero Advice is
// ready.
type Advice struct{ asked int }

// Instead returns the end of a message about name, which is not among known: ""
// if none of them is near it, or for every name after the first maxAdvice.
func (a *Advice) Instead(name string, known []string) string {
	if a.asked++; a.asked > maxAdvice {
		return ""
	}
	if near := names.Nearest(name, known); near != "" {
		return ": write " + near
	}
	return ""
}
