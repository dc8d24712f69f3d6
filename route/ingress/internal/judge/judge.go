// Package judge tells a dialect what of an entry will not compile, before it
// makes the entry: by the cluster's options, as ingress.Build will.
package judge

import (
	"errors"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// Options returns the options of c for package rewrite; nil if there are none.
func Options(c *ingress.Cluster) *rewrite.Options {
	if c == nil {
		return nil
	}
	return c.Rewrite
}

// Route returns the faults that a table finds in a route; nil if it takes it.
func Route(pattern route.Pattern, when route.Conditions, c *ingress.Cluster) route.RouteErrors {
	var opts *route.Options
	if c != nil {
		opts = c.Table
	}
	_, err := route.NewTable([]route.Route[struct{}]{{Pattern: pattern, When: when}}, opts)
	faults, _ := errors.AsType[route.RouteErrors](err)
	return faults
}

// Pattern returns the first fault that a table finds in a pattern, or nil.
func Pattern(p route.Pattern, c *ingress.Cluster) *route.RouteError {
	if faults := Route(p, route.Conditions{}, c); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// Action returns the first fault of an action, or nil.
func Action(a rewrite.Action, c *ingress.Cluster) *rewrite.RuleError {
	_, err := rewrite.Compile([]rewrite.Rule{{Action: a}}, Options(c))
	fault, _ := errors.AsType[*rewrite.RuleError](err)
	return fault
}

// Reason returns what is wrong with one rule, without its place.
func Reason(err error) error {
	if fault, ok := errors.AsType[*rewrite.RuleError](err); ok {
		return fault.Err
	}
	return err
}
