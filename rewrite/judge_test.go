// How the tests of this directory judge an Apply.

package rewrite_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// judge applies p to in with every kind of Scratch, and fails unless all
// agree, Explain's steps lead to the same end and the guarantees hold.
func judge(t testing.TB, p *rewrite.Program, h rewrite.Hook, in rewrite.URL) (rewrite.URL, rewrite.Result, error) {
	t.Helper()
	out := in
	result, err := p.Apply(h, &out, nil)
	if err := rewritetest.Check(p, h, in, out, result, err); err != nil {
		t.Errorf("%v\n%v", err, p)
	}
	if err := explained(p, h, in, out, result, err); err != nil {
		t.Errorf("%v\n%v", err, p)
	}
	reused := new(rewrite.Scratch)
	for _, s := range []*rewrite.Scratch{new(rewrite.Scratch), reused, reused} {
		reused.Reuse()
		again := in
		result2, err2 := p.Apply(h, &again, s)
		if again != out || result2 != result || err2 != err {
			t.Errorf("without a Scratch %#v, %v, %v; with one %#v, %v, %v\n%v", out, result, err, again, result2, err2, p)
		}
		if err := rewritetest.Check(p, h, in, again, result2, err2); err != nil {
			t.Errorf("with a Scratch: %v\n%v", err, p)
		}
	}
	return out, result, err
}

// explained reports where Explain, which runs the rules one by one, leads to
// another end than Apply did. The last word is the steps': Explain returns the
// Result of an Apply of its own.
func explained(p *rewrite.Program, h rewrite.Hook, in, out rewrite.URL, result rewrite.Result, err error) error {
	steps, result2, err2 := p.Explain(h, in)
	if result2 != result || err2 != err {
		return fmt.Errorf("Apply returned %v, %v, Explain %v, %v for %#v", result, err, result2, err2, in)
	}
	at, refusal := in, error(nil)
	for i, step := range steps {
		if step.Before != at {
			return fmt.Errorf("step %d begins with %#v, the one before ended with %#v", i, step.Before, at)
		}
		at, refusal = step.After, step.Err
	}
	if refusal != nil {
		at = in
	}
	if at != out || refusal != err {
		return fmt.Errorf("of %#v\nApply made   %#v, %v\nthe steps to %#v, %v", in, out, err, at, refusal)
	}
	return nil
}

// errorNames are the names under which test data knows the run-time errors.
var errorNames = map[error]string{
	rewrite.ErrTarget:     "ErrTarget",
	rewrite.ErrDotSegment: "ErrDotSegment",
	rewrite.ErrPath:       "ErrPath",
	rewrite.ErrHost:       "ErrHost",
	rewrite.ErrQuery:      "ErrQuery",
	rewrite.ErrTooLong:    "ErrTooLong",
	rewrite.ErrBudget:     "ErrBudget",
}

// makeAction makes the action that has the op and the arguments. It does
// not know the op 0, nor a wrong number of arguments.
func makeAction(op rewrite.Op, args ...string) (rewrite.Action, error) {
	lists := map[rewrite.Op]func(...string) rewrite.Action{
		rewrite.OpTrimPathPrefix: rewrite.TrimPathPrefix,
		rewrite.OpTrimPathText:   rewrite.TrimPathText,
		rewrite.OpDeleteQuery:    rewrite.DeleteQuery,
		rewrite.OpKeepQuery:      rewrite.KeepQuery,
	}
	pairs := map[rewrite.Op]func(_, _ string) rewrite.Action{
		rewrite.OpReplaceHostSuffix: rewrite.ReplaceHostSuffix,
		rewrite.OpReplacePathPrefix: rewrite.ReplacePathPrefix,
		rewrite.OpReplacePathText:   rewrite.ReplacePathText,
		rewrite.OpRewritePath:       rewrite.RewritePath,
		rewrite.OpReplacePathRegex:  rewrite.ReplacePathRegex,
		rewrite.OpAddQuery:          rewrite.AddQuery,
		rewrite.OpSetQuery:          rewrite.SetQuery,
		rewrite.OpRenameQuery:       rewrite.RenameQuery,
	}
	singles := map[rewrite.Op]func(string) rewrite.Action{
		rewrite.OpSetHost:       rewrite.SetHost,
		rewrite.OpSetHostname:   rewrite.SetHostname,
		rewrite.OpSetPort:       rewrite.SetPort,
		rewrite.OpSetPath:       rewrite.SetPath,
		rewrite.OpAddPathPrefix: rewrite.AddPathPrefix,
		rewrite.OpSetScheme:     rewrite.SetScheme,
		rewrite.OpStripPathSegments: func(s string) rewrite.Action {
			n, _ := strconv.Atoi(s) // no number: 0, which does not compile
			return rewrite.StripPathSegments(n)
		},
	}
	none := map[rewrite.Op]func() rewrite.Action{
		rewrite.OpHostFromPathPrefix: rewrite.HostFromPathPrefix,
		rewrite.OpDropQuery:          rewrite.DropQuery,
	}
	switch {
	case lists[op] != nil:
		return lists[op](args...), nil
	case pairs[op] != nil && len(args) == 2:
		return pairs[op](args[0], args[1]), nil
	case singles[op] != nil && len(args) == 1:
		return singles[op](args[0]), nil
	case none[op] != nil && len(args) == 0:
		return none[op](), nil
	}
	return rewrite.Action{}, errors.New("no such action")
}
