// Package regexlimit knows what a regular expression may be and cost where
// options say nothing.
package regexlimit

// Limits are those of rewrite.RegexpLimits, which can be converted.
type Limits struct {
	PatternBytes int // length of an expression
	Instructions int // of the compiled one
	Budget       int // instructions × (bytes of the text + 1) × searches
}

// The defaults. Rewrite's doc comments have the numbers too.
var defaults = Limits{PatternBytes: 512, Instructions: 200, Budget: 1 << 18}

// OrDefaults returns l with the default of each field that is 0 or less.
func (l Limits) OrDefaults() Limits {
	if l.PatternBytes <= 0 {
		l.PatternBytes = defaults.PatternBytes
	}
	if l.Instructions <= 0 {
		l.Instructions = defaults.Instructions
	}
	if l.Budget <= 0 {
		l.Budget = defaults.Budget
	}
	return l
}
