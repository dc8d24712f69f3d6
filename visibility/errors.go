package visibility

// What is wrong with a configuration or an entry, and where.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/errlist"
	"github.com/readdress/readdress/internal/names"
	"github.com/readdress/readdress/internal/quoted"
)

// An Error is one fault and its place.
type Error struct {
	// Path names the field as the configuration writes it, such as
	// policies[0].matchingRules[1].namespaceSelector.matchLabels["a b"], or
	// entries[3].hosts[0] of a list of entries. "": the input as a whole.
	Path string
	Err  error // what is wrong and what to write instead
}

// Error returns one line that names the path.
func (e *Error) Error() string {
	if e.Path == "" {
		return "visibility: " + e.Err.Error()
	}
	return "visibility: " + e.Path + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Errors is every fault of one input, in the order of the input; keys of a
// map, which have none, are sorted.
type Errors []*Error

// Error returns one line per fault.
func (l Errors) Error() string { return errlist.Lines("", l) }

// Unwrap returns the faults, for errors.Is and errors.As.
func (l Errors) Unwrap() []error { return errlist.Unwrap(l) }

// err returns l as an error, nil if it is empty.
func (l Errors) err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

func (l *Errors) add(path string, err error) {
	*l = append(*l, &Error{path, err})
}

func (l *Errors) addf(path, format string, args ...any) {
	l.add(path, fmt.Errorf(format, args...))
}

// unknownName says that s is none of names, and what to write instead.
func unknownName(s string, names []string) error {
	return fmt.Errorf("%s is unknown: %s", quote(s), suggest(s, names))
}

// suggest says which of names s may have been meant to be.
func suggest(s string, names []string) string {
	if near, ok := nearest(s, names); ok {
		return "write " + near
	}
	return "write " + oneOf(names)
}

func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// quote returns s as it stands in a message: quoted, and not without end.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		return fmt.Sprintf("%q… (%d bytes)", quoted.Beginning(s, most), len(s))
	}
	return strconv.Quote(s)
}

// nearest returns the name that s is a misspelling of, if there is one.
func nearest(s string, candidates []string) (string, bool) {
	const longest = 40 // bytes of s: what is longer is no misspelling of a name
	if len(s) > longest {
		return "", false
	}
	best, least := "", 3 // edits
	for _, name := range candidates {
		if strings.EqualFold(name, s) {
			return name, true
		}
		if d := names.Edits(strings.ToLower(s), strings.ToLower(name)); d < least && d < len(name)/2 {
			best, least = name, d
		}
	}
	return best, best != ""
}
