// Package rewritetest helps to test code that rewrites URLs with package
// rewrite: [Check] states what Apply guarantees as code, and [URL], [CleanURL],
// [CleanURLFor], [Action] and [Rules] generate input that reaches the hard cases.
//
// A property test of one's own configuration is a loop:
//
//	r := rand.New(rand.NewPCG(1, 2))
//	for range 10_000 {
//		in := rewritetest.CleanURLFor(r, rules)
//		out := in
//		result, err := program.Apply(rewrite.AfterLocation, &out, nil)
//		if err := rewritetest.Check(program, rewrite.AfterLocation, in, out, result, err); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// Package rewritegen has the same generators for gopter.
package rewritetest
