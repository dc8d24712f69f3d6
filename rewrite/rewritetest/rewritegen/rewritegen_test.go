package rewritegen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
	"github.com/readdress/readdress/rewrite/rewritetest/rewritegen"
)

// seeded makes a run reproducible.
func seeded(runs int) *gopter.TestParameters {
	p := gopter.DefaultTestParametersWithSeed(1)
	p.MinSuccessfulTests = runs
	return p
}

func TestGuarantees(t *testing.T) {
	properties := gopter.NewProperties(seeded(5000))
	holds := func(c rewritegen.Compiled, in rewrite.URL) (bool, error) {
		for _, h := range rewrite.Hooks() {
			out := in
			result, err := c.Apply(h, &out, nil)
			if err := rewritetest.Check(c.Program, h, in, out, result, err); err != nil {
				return false, err
			}
		}
		return true, nil
	}
	properties.Property("any program on any URL", prop.ForAll(holds, rewritegen.Program(8, nil), rewritegen.URL()))
	properties.Property("any program on a clean URL", prop.ForAll(holds, rewritegen.Program(8, nil), rewritegen.CleanURL()))
	properties.TestingRun(t)
}

// Clean and Apply are each done once the first time.
func TestIdempotence(t *testing.T) {
	properties := gopter.NewProperties(seeded(5000))
	properties.Property("Clean", prop.ForAll(func(u rewrite.URL) bool {
		if new(rewrite.Input).Clean(&u, nil) != nil {
			return true
		}
		again := u
		return new(rewrite.Input).Clean(&again, nil) == nil && again == u
	}, rewritegen.URL()))
	// The rest of a query without the deleted keys has none of them.
	properties.Property("DeleteQuery", prop.ForAll(func(a rewrite.Action, u rewrite.URL) bool {
		if op := a.Op(); op != rewrite.OpDeleteQuery && op != rewrite.OpKeepQuery && op != rewrite.OpDropQuery {
			return true
		}
		p := rewrite.MustCompile([]rewrite.Rule{{Action: a}}, nil)
		if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil {
			return true
		}
		result, err := p.Apply(rewrite.AfterLocation, &u, nil)
		return err == nil && result.Changed() == 0
	}, rewritegen.Action(), rewritegen.CleanURL()))
	properties.TestingRun(t)
}

// Shrinking ends at the one rule, the one segment and the one pair that make
// a property fail.
func TestShrinking(t *testing.T) {
	deletes := func(c rewritegen.Compiled) bool {
		return strings.Contains(c.String(), "DeleteQuery")
	}
	fails := prop.ForAll(func(c rewritegen.Compiled, u rewrite.URL) bool {
		return !(deletes(c) && strings.Contains(u.Path, "/a.b") && strings.Contains(u.RawQuery, "n%61me"))
	}, rewritegen.Program(8, nil), rewritegen.CleanURL())
	p := seeded(100_000)
	p.MaxSize = 8
	result := fails.Check(p)
	if result.Status != gopter.TestFailed {
		t.Fatalf("%v: the property should fail", result.Status)
	}
	c, u := result.Args[0].Arg.(rewritegen.Compiled), result.Args[1].Arg.(rewrite.URL)
	if len(c.Rules) != 1 || c.Rules[0].Hook != rewrite.AfterLocation || c.Rules[0].Order != 0 || len(c.Rules[0].Action.Args()) != 1 {
		t.Errorf("the program shrank to %v", c.Rules)
	}
	if strings.Count(u.Path, "/") != 1 || strings.Contains(u.RawQuery, "&") || u.Host != "" || u.Scheme != "" {
		t.Errorf("the URL shrank to %#v", u)
	}
}

func ExampleProgram() {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("every guarantee holds", prop.ForAll(
		func(c rewritegen.Compiled, in rewrite.URL) (bool, error) {
			out := in
			result, err := c.Apply(rewrite.AfterLocation, &out, nil)
			err = rewritetest.Check(c.Program, rewrite.AfterLocation, in, out, result, err)
			return err == nil, err
		},
		rewritegen.Program(5, nil), rewritegen.URL(),
	))
	properties.Run(gopter.NewFormatedReporter(false, 75, &firstLine{}))
	// Output: + every guarantee holds: OK, passed 100 tests.
}

// firstLine prints the first line of what is written: the second is a time.
type firstLine struct{ done bool }

func (w *firstLine) Write(p []byte) (int, error) {
	if !w.done {
		line, _, _ := strings.Cut(string(p), "\n")
		fmt.Println(line)
		w.done = true
	}
	return len(p), nil
}

func (w *firstLine) Close() error { return nil }
