package rewrite

// Which rules can be taken back in a response.

import "errors"

// errNotInvertible is the cause of every fault that Invertible reports.
var errNotInvertible = errors.New("has no inverse")

// Invertible returns nil if what the rules of p do to host, path and scheme
// can be taken back in the Location and Set-Cookie headers of a response, by
// the Inverse that NewInverse makes of a request. Query rules do not matter for
// that. The error is a RuleErrors that names every rule without an inverse:
// SetPath, the text prefixes, and regular expressions that are no prefix rewrite
// by segment. Where such a rule decided the path, paths stay as the upstream
// wrote them, unless a Mapping says what they are. Nil and zero Programs are
// invertible.
func (p *Program) Invertible() error {
	if p == nil {
		return nil
	}
	var errs RuleErrors
	for i := range p.hooks {
		for _, s := range p.hooks[i].steps {
			var why string
			switch s.op {
			case OpSetPath:
				why = "the path of the request is lost"
			case OpTrimPathText, OpReplacePathText:
				why = "a text prefix may end within a segment; use the action by segment"
			case OpRewritePath, OpReplacePathRegex:
				why = "a regular expression that is not a prefix by segment"
			default:
				continue
			}
			errs = append(errs, &RuleError{
				Index: s.rule, Origin: s.origin, Op: s.action.op, Offset: -1,
				Err: &notInvertible{why},
			})
		}
	}
	return errs.err()
}

// A notInvertible says why a rule has no inverse.
type notInvertible struct{ why string }

func (e *notInvertible) Error() string { return errNotInvertible.Error() + ": " + e.why }
func (e *notInvertible) Unwrap() error { return errNotInvertible }
