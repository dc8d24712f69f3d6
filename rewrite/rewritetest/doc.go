// Package rewritetest helps to test code that rewrites URLs with package
// rewrite: Check states what Apply guarantees as code, and URL, CleanURL,
// Action and Rules generate input that reaches the hard cases.
//
// A property test of one's own configuration is a loop, which has to put the
// prefixes and names of that configuration where the rules look for them, because
// CleanURL does not know them:
//
//	r := rand.New(rand.NewPCG(1, 2))
//	for range 10_000 {
//		in := rewritetest.CleanURL(r)
//		if in.Path != "*" {
//			in.Path = []string{"", "/shop", "/%73hop"}[r.IntN(3)] + in.Path
//		}
//		out := in
//		result, err := program.Apply(rewrite.AfterLocation, &out, nil)
//		if err := rewritetest.Check(program, rewrite.AfterLocation, in, out, result, err); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// Package rewritegen has the same generators for gopter.
package rewritetest
