package route

// What NewTable and Route return as errors.

import (
	"errors"
	"fmt"

	"github.com/readdress/readdress/internal/errlist"
)

// ErrNoRoute is what Route returns when no route matches: answer 404 Not
// Found. Every other error of Route is rewrite.ErrRefused by errors.Is: answer
// 400 Bad Request.
var ErrNoRoute = errors.New("route: no route matches")

// A RouteError is one fault of one route.
type RouteError struct {
	Index int    // of the route in the slice given to NewTable
	Field string // such as "Pattern.Host" or "When.Headers[1].Value"
	Err   error  // what is wrong and what to write instead
}

// Error returns one line that names the route and the field.
func (e *RouteError) Error() string {
	return fmt.Sprintf("route %d: %s: %v", e.Index, e.Field, e.Err)
}

// Unwrap returns e.Err.
func (e *RouteError) Unwrap() error { return e.Err }

// RouteErrors is every fault of a list of routes, ordered by route. NewTable
// returns it as its error, beside the table of the routes without a fault.
type RouteErrors []*RouteError

// Error returns one line per fault.
func (l RouteErrors) Error() string { return errlist.Lines("", l) }

// Unwrap returns the faults, for errors.Is and errors.As.
func (l RouteErrors) Unwrap() []error { return errlist.Unwrap(l) }
