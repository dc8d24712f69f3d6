package rewritetest_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// Check is for the tests of code that rewrites: here of one's own rules, on
// many URLs, of which enough have what the rules look for.
func ExampleCheck() {
	rules := []rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/shop")},
		{Action: rewrite.DeleteQuery("token")},
	}
	p := rewrite.MustCompile(rules, nil)
	r := rand.New(rand.NewPCG(1, 2))
	trimmed, deleted := 0, 0
	for range 1000 {
		in := rewritetest.CleanURLFor(r, rules)
		out := in
		result, err := p.Apply(rewrite.AfterLocation, &out, nil)
		if err := rewritetest.Check(p, rewrite.AfterLocation, in, out, result, err); err != nil {
			fmt.Println(err)
			return
		}
		if result.Changed()&rewrite.PathChanged != 0 {
			trimmed++
		}
		if result.Changed()&rewrite.QueryChanged != 0 {
			deleted++
		}
	}
	fmt.Println("every guarantee holds", trimmed > 300, deleted > 300)
	// Output: every guarantee holds true true
}

// What Check says of an outcome that is not one of Apply.
func ExampleCheck_violation() {
	p := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.SetPath("/b")}}, nil)
	in := rewrite.URL{Path: "/a"}
	out := in
	result, err := p.Apply(rewrite.AfterLocation, &out, nil)
	out.Path = "//evil.example/.."
	fmt.Println(rewritetest.Check(p, rewrite.AfterLocation, in, out, result, err))
	// Output:
	// rewritetest: AfterLocation took "/a" to "//evil.example/.."
	// G3: the path is "//evil.example/.."
	// G4: the path had 0 segments "." and 0 "..", now 0 and 1
	// G10: the URL is no longer clean under the zero Input
}

func ExampleCleanURL() {
	u := rewritetest.CleanURL(rand.New(rand.NewPCG(1, 2)))
	before := u
	err := new(rewrite.Input).Clean(&u, nil)
	fmt.Println(u == before, err)
	// Output: true <nil>
}

func ExampleURL() {
	refused := 0
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		u := rewritetest.URL(r)
		if new(rewrite.Input).Clean(&u, nil) != nil {
			refused++
		}
	}
	fmt.Println(refused > 300, refused < 700)
	// Output: true true
}

func ExampleRules() {
	rules := rewritetest.Rules(rand.New(rand.NewPCG(1, 2)), 5)
	_, err := rewrite.Compile(rules, &rewrite.Options{AllowAnyHost: true})
	fmt.Println(len(rules), err)
	// Output: 5 <nil>
}

func ExampleAction() {
	a := rewritetest.Action(rand.New(rand.NewPCG(1, 2)))
	_, err := rewrite.Compile([]rewrite.Rule{{Action: a}}, &rewrite.Options{AllowAnyHost: true})
	fmt.Println(err)
	// Output: <nil>
}
