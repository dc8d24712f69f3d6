package route

// Regular expressions: the limits that a configured one must keep, and the
// budget of a lookup.

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/readdress/readdress/rewrite"
)

// The defaults of rewrite.RegexpLimits.
const (
	defaultPatternBytes = 512
	defaultInstructions = 200
	defaultBudget       = 1 << 18
)

// errBudget ends a lookup that would have to run an expression on a text too
// long for it. Treating it as no match would let the text choose the route.
var errBudget = rewrite.ErrBudget

// An expression is a compiled regular expression.
type expression struct {
	text  string // as configured
	re    *regexp.Regexp
	allow int // budget / instructions: bytes + 1
}

// affords reports whether matching s is within the budget.
func (e *expression) affords(s string) bool { return len(s) < e.allow }

// compileExpression judges text and compiles it between before and after.
func compileExpression(before, text, after string, limits rewrite.RegexpLimits) (expression, error) {
	most := limits.PatternBytes
	if most <= 0 {
		most = defaultPatternBytes
	}
	if len(text) > most {
		return expression{}, fmt.Errorf("%d bytes long: at most %d (Options.Regexp.PatternBytes)", len(text), most)
	}
	if _, err := syntax.Parse(text, syntax.Perl); err != nil { // by itself, or ")(" would pass
		if e, ok := errors.AsType[*syntax.Error](err); ok && len(e.Expr) > mostQuoted {
			err = &syntax.Error{Code: e.Code, Expr: e.Expr[:mostQuoted] + "..."}
		}
		return expression{}, fmt.Errorf("%s: %w: write a regular expression of Go's package regexp", quote(text), err)
	}
	whole := before + text + after
	tree, err := syntax.Parse(whole, syntax.Perl)
	if err != nil {
		return expression{}, fmt.Errorf("%s: %w: write a simpler expression", quote(text), err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return expression{}, fmt.Errorf("%s: %w", quote(text), err)
	}
	instructions := limits.Instructions
	if instructions <= 0 {
		instructions = defaultInstructions
	}
	if len(prog.Inst) > instructions {
		return expression{}, fmt.Errorf("%s compiles to %d instructions: at most %d, because each costs time for every byte; "+
			"write a simpler expression or smaller repeats (Options.Regexp.Instructions)", quote(text), len(prog.Inst), instructions)
	}
	budget := limits.Budget
	if budget <= 0 {
		budget = defaultBudget
	}
	re, err := regexp.Compile(whole)
	if err != nil {
		return expression{}, fmt.Errorf("%s: %w", quote(text), err)
	}
	return expression{text, re, budget / len(prog.Inst)}, nil
}

// buffer returns memory for a text that an expression is to see. It is to be
// given back to x.buffers.
func (x *index) buffer() *[]byte {
	if b, ok := x.buffers.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}
