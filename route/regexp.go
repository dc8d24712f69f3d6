package route

// Regular expressions: the limits that a configured one must keep, and the
// budget of a lookup.

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"

	"github.com/readdress/readdress/internal/quoted"
	"github.com/readdress/readdress/internal/regexlimit"
	"github.com/readdress/readdress/rewrite"
)

// A budgetError is rewrite.ErrBudget for a text that is not the path. It says
// what is too long.
type budgetError struct{ what string }

func (e *budgetError) Error() string {
	return "route: " + e.what + " is too long for the regular expression of a condition"
}

func (e *budgetError) Unwrap() error { return rewrite.ErrBudget }

// An expression is a compiled regular expression.
type expression struct {
	text  string // as configured
	re    *regexp.Regexp
	allow int  // budget / instructions: bytes + 1
	every bool // it matches every path, so that re need not be asked
}

// affords reports whether matching s is within the budget.
func (e *expression) affords(s string) bool { return len(s) < e.allow }

// compilePath compiles the path of a Regex or RegexFirst.
func compilePath(text string, limits rewrite.RegexpLimits) (expression, error) {
	e, err := compileExpression(text, limits, func(text string) (string, error) {
		text, err := eitherCase(text)
		return "^(?:" + text + ")", err
	})
	e.every = err == nil && matchesEveryPath(text)
	return e, err
}

// compileValue compiles the value of a Matches.
func compileValue(text string, limits rewrite.RegexpLimits) (expression, error) {
	return compileExpression(text, limits, func(text string) (string, error) {
		return `\A(?:` + text + `)\z`, nil
	})
}

// compileExpression judges text, a configured expression, and compiles what
// whole makes of it.
func compileExpression(text string, limits rewrite.RegexpLimits, whole func(string) (string, error)) (expression, error) {
	most := regexlimit.Limits(limits).OrDefaults()
	if len(text) > most.PatternBytes {
		return expression{}, fmt.Errorf("%s is %d bytes long: at most %d; write a shorter expression (Options.Regexp.PatternBytes)", quote(text), len(text), most.PatternBytes)
	}
	if _, err := syntax.Parse(text, syntax.Perl); err != nil { // by itself, or ")(" would pass
		if e, ok := errors.AsType[*syntax.Error](err); ok && len(e.Expr) > mostQuoted {
			err = &syntax.Error{Code: e.Code, Expr: quoted.Beginning(e.Expr, mostQuoted) + "..."}
		}
		return expression{}, fmt.Errorf("%s: %w: write a regular expression of Go's package regexp", quote(text), err)
	}
	body := text
	if _, err := syntax.Parse("(?:"+text+")", syntax.Perl); err != nil {
		body += `\E` // of a \Q that would quote what whole puts behind it
	}
	expr, err := whole(body)
	if err != nil {
		return expression{}, err
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return expression{}, fmt.Errorf("%s: %w: write a simpler expression", quote(text), err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return expression{}, fmt.Errorf("%s: %w", quote(text), err)
	}
	if len(prog.Inst) > most.Instructions {
		return expression{}, fmt.Errorf("%s compiles to %d instructions: at most %d, because each costs time for every byte; "+
			"write a simpler expression or smaller repeats (Options.Regexp.Instructions)", quote(text), len(prog.Inst), most.Instructions)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return expression{}, fmt.Errorf("%s: %w", quote(text), err)
	}
	return expression{text: text, re: re, allow: most.Budget / len(prog.Inst)}, nil
}

// matchesEveryPath reports whether expr plainly matches at the start of every
// text that begins with a slash. If false it may do so all the same.
func matchesEveryPath(expr string) bool {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return false
	}
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	if first := parts[0]; first.Op == syntax.OpLiteral && string(first.Rune) == "/" {
		parts = parts[1:]
	}
	return !slices.ContainsFunc(parts, needsText)
}

// needsText reports whether re may fail to match the empty text, wherever that
// stands.
func needsText(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return false
	case syntax.OpRepeat:
		return re.Min > 0 && needsText(re.Sub[0])
	case syntax.OpCapture, syntax.OpPlus:
		return needsText(re.Sub[0])
	case syntax.OpConcat:
		return slices.ContainsFunc(re.Sub, needsText)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !needsText(sub) {
				return false
			}
		}
	}
	return true
}

// buffer returns memory for a text that an expression is to see. It is to be
// given back to x.buffers.
func (x *index) buffer() *[]byte {
	if b, ok := x.buffers.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}
