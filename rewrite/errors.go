package rewrite

// What Clean, Apply and Compile return as errors.

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/errlist"
	"github.com/readdress/readdress/internal/quoted"
)

// ErrRefused is what every run-time error of this package is, by errors.Is:
// the request must be answered with 400 Bad Request.
var ErrRefused = errors.New("rewrite: request refused")

// The run-time errors. They are preallocated, so refusing costs no memory,
// and each of them matches ErrRefused with errors.Is.
var (
	// ErrTarget: the request target is not in origin-form or absolute-form.
	ErrTarget error = &refusal{"request target is not a path or an absolute http URL"}
	// ErrDotSegment: the path has, or a rewrite would create, a segment "." or
	// ".." in any spelling.
	ErrDotSegment error = &refusal{"path has a dot-segment"}
	// ErrPath: the path is empty, relative, or has a byte or an escape that no
	// request target may have.
	ErrPath error = &refusal{"path is malformed"}
	// ErrHost: the host is, or would become, something that is not a host or
	// is not allowed.
	ErrHost error = &refusal{"host is malformed or not allowed"}
	// ErrQuery: the query has a byte that no request target may have.
	ErrQuery error = &refusal{"query is malformed"}
	// ErrTooLong: the path or the query is, or would become, longer than allowed.
	ErrTooLong error = &refusal{"path or query is too long"}
	// ErrBudget: matching a regular expression against this path could cost
	// more than allowed.
	ErrBudget error = &refusal{"path is too long for the regular expression of a rule"}
)

type refusal struct{ msg string }

func (e *refusal) Error() string        { return "rewrite: " + e.msg }
func (e *refusal) Is(target error) bool { return target == ErrRefused }

// A RuleError is one fault of one rule.
type RuleError struct {
	Index  int    // of the rule in the slice given to Compile; -1: Options
	Origin Origin // copied from the rule
	Op     Op     // of the rule's action; the zero Op: none
	Param  string // name of the faulty parameter, such as "prefix[1]"; empty: the whole rule
	Offset int    // byte of the parameter at which it goes wrong; -1: the whole of it
	Err    error  // what is wrong and what to write instead
}

// Error returns one line that names the rule, the action and the parameter.
func (e *RuleError) Error() string {
	var b strings.Builder
	if e.Index < 0 {
		b.WriteString("options")
	} else {
		b.WriteString("rule " + strconv.Itoa(e.Index))
		if e.Origin != (Origin{}) {
			b.WriteString(" (" + e.Origin.String() + ")")
		}
	}
	if e.Op != 0 {
		b.WriteString(": " + e.Op.String())
	}
	if e.Param != "" {
		b.WriteString(": " + e.Param)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *RuleError) Unwrap() error { return e.Err }

// RuleErrors is every fault of a rule list, ordered by rule and within a rule
// by parameter. Compile and Program.Invertible return it as their error.
type RuleErrors []*RuleError

// Error returns one line per fault.
func (l RuleErrors) Error() string { return errlist.Lines("rewrite: ", l) }

// Unwrap makes errors.Is and errors.As look at every fault.
func (l RuleErrors) Unwrap() []error { return errlist.Unwrap(l) }

// err returns l, sorted, as an error, or nil if it is empty.
func (l RuleErrors) err() error {
	if len(l) == 0 {
		return nil
	}
	slices.SortStableFunc(l, func(a, b *RuleError) int { return a.Index - b.Index })
	return l
}

// mostQuoted is how many bytes of a value a message has.
const mostQuoted = 64

// quote quotes a value for a message and cuts long ones.
func quote(s string) string { return quoted.Text(s, mostQuoted) }
