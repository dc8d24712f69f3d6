// The bounds on what Compile takes and what a Program does, at their edges.

package rewrite_test

import (
	"fmt"
	"math"
	"regexp/syntax"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

func TestMaxLength(t *testing.T) {
	for given, want := range map[int]int{0: 2 << 20, -1: 2 << 20, math.MinInt: 2 << 20, 1: 1, math.MaxInt: math.MaxInt} {
		p := rewrite.MustCompile(nil, &rewrite.Options{MaxLength: given})
		if got := p.MaxLength(); got != want {
			t.Errorf("%d: %d, want %d", given, got, want)
		}
	}
}

// instructionCount is what the limits of regular expressions are about.
func instructionCount(t *testing.T, expr string) int {
	t.Helper()
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		t.Fatal(err)
	}
	return len(prog.Inst)
}

func TestRegexpLimits(t *testing.T) {
	class := func(n int) string { return "[" + strings.Repeat("a", n-2) + "]" } // n bytes, few instructions
	word := func(n int) string { return strings.Repeat("a", n-2) }              // n instructions
	if n := instructionCount(t, word(200)); n != 200 {
		t.Fatalf("%d instructions", n)
	}
	deep := strings.Repeat("(", 1001) + strings.Repeat(")", 1001)
	for _, tt := range []struct {
		expr   string
		limits rewrite.RegexpLimits
		says   string // empty: compiles
	}{
		{class(512), rewrite.RegexpLimits{}, ""},
		{class(513), rewrite.RegexpLimits{}, "512"},
		{class(513), rewrite.RegexpLimits{PatternBytes: 513}, ""},
		{class(9), rewrite.RegexpLimits{PatternBytes: 8}, "Options.Regexp.PatternBytes"},
		{class(512), rewrite.RegexpLimits{PatternBytes: -1, Instructions: -1, Budget: -1}, ""},
		{word(200), rewrite.RegexpLimits{}, ""},
		{word(201), rewrite.RegexpLimits{}, "200"},
		{word(201), rewrite.RegexpLimits{Instructions: 201}, ""},
		{word(9), rewrite.RegexpLimits{Instructions: 8}, "Options.Regexp.Instructions"},
		{"(.*){1,1000}", rewrite.RegexpLimits{Instructions: 1000}, "smaller repeats"},
		{deep, rewrite.RegexpLimits{PatternBytes: 1 << 20, Instructions: 1 << 20}, "nests too deeply"},
		{"(?P<name>a)", rewrite.RegexpLimits{}, ""},
	} {
		rules := []rewrite.Rule{{Action: rewrite.RewritePath(tt.expr, "/")}, {Action: rewrite.ReplacePathRegex(tt.expr, "/")}}
		_, err := rewrite.Compile(rules, &rewrite.Options{Regexp: tt.limits})
		faults, _ := err.(rewrite.RuleErrors)
		want := []string{"0 RewritePath regex", "1 ReplacePathRegex regex"}
		if tt.says == "" {
			want = nil
		}
		if !slices.Equal(places(faults), want) || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%.40s with %+v: %v, want %q", tt.expr, tt.limits, err, tt.says)
		}
	}
}

// instructions × (bytes of path + 1) × searches is what the budget bounds.
func TestRegexpBudget(t *testing.T) {
	const path = "/a-a-a"
	for _, tt := range []struct {
		action rewrite.Action
		cost   int // times instructions
		want   string
	}{
		{rewrite.RewritePath("(a)-(a)", "/b"), len(path) + 1, "/b"},
		{rewrite.RewritePath("(b)-(b)", "/b"), len(path) + 1, path},
		{rewrite.ReplacePathRegex("(a)", "b"), 3 * (len(path) + 1), "/b-b-b"},
		{rewrite.ReplacePathRegex("(b)", "b"), len(path) + 1, path},
	} {
		cost := tt.cost * instructionCount(t, tt.action.Args()[0])
		for budget, want := range map[int]error{cost: nil, cost - 1: rewrite.ErrBudget, 1: rewrite.ErrBudget} {
			p := rewrite.MustCompile([]rewrite.Rule{{Action: tt.action}}, &rewrite.Options{Regexp: rewrite.RegexpLimits{Budget: budget}})
			u, _, err := judge(t, p, rewrite.AfterLocation, rewrite.URL{Path: path})
			if err != want || err == nil && u.Path != tt.want || err != nil && u.Path != path {
				t.Errorf("%v with a budget of %d: %s, %v; want %s, %v", tt.action, budget, u.Path, err, tt.want, want)
			}
		}
	}
	// The default: 2 instructions less than the constant text, and the path.
	const n, budget = 200, 262144
	p := program(rewrite.RewritePath(strings.Repeat("a", n-2), "/b"))
	for length, want := range map[int]error{budget/n - 1: nil, budget / n: rewrite.ErrBudget} {
		if _, _, err := judge(t, p, rewrite.AfterLocation, withPath("/"+strings.Repeat("b", length-1))); err != want {
			t.Errorf("a path of %d bytes: %v, want %v", length, err, want)
		}
	}
}

// A list of prefixes that is too long for a program is told so, whatever rules
// come before and behind it.
func TestTooManyPrefixes(t *testing.T) {
	prefixes := make([]string, 100_000)
	for i := range prefixes {
		prefixes[i] = fmt.Sprint("/p", i)
	}
	rules := []rewrite.Rule{
		{Action: rewrite.DropQuery()}, {Action: rewrite.TrimPathText(prefixes...)}, {Action: rewrite.AddQuery("a", "1")}, {Order: -1, Action: rewrite.SetPort("")},
	}
	_, err := rewrite.Compile(rules, nil)
	faults, _ := err.(rewrite.RuleErrors)
	if len(faults) != 1 || faults[0].Op != rewrite.OpTrimPathText || !strings.Contains(err.Error(), "prefixes") || len(err.Error()) > 1024 {
		t.Errorf("%v", err)
	}
}

// What costs time for each request, or memory for each program, is bounded for
// a hook.
func TestBoundsOfAHook(t *testing.T) {
	regexps := func(n int) (list []rewrite.Action) {
		for i := range n {
			list = append(list, rewrite.RewritePath(fmt.Sprintf("^/[a-z]%d", i), "/y"))
		}
		return list
	}
	adds := func(n int) (list []rewrite.Action) {
		for range n {
			list = append(list, rewrite.AddQuery("a", strings.Repeat("v", 60_000)))
		}
		return list
	}
	for _, c := range []struct {
		list  []rewrite.Action
		fault string
	}{
		{regexps(64), ""},
		{regexps(65), "64 regular expressions"},
		{adds(100), ""},
		{adds(200), "pairs that are added"},
	} {
		_, err := rewrite.Compile(rulesOf(c.list...), nil)
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%d %v: %.200v", len(c.list), c.list[0].Op(), err)
		}
	}
	// Prefixes in disguise are not counted, and every hook has its own.
	rules := rulesOf(regexps(64)...)
	for i := range 64 {
		rules = append(rules, rewrite.Rule{Hook: rewrite.Forward, Action: regexps(64)[i]}, rewrite.Rule{Action: rewrite.RewritePath("^/p(.*)", "/$1")})
	}
	if _, err := rewrite.Compile(rules, nil); err != nil {
		t.Error(err)
	}
}

// However many rules a hook has, compiling them takes a bounded stack: Go ends a
// program whose stack exceeds its bound.
func TestStackOfManyRules(t *testing.T) {
	const n = 50_000
	defer debug.SetMaxStack(debug.SetMaxStack(4 << 20))
	list := make([]rewrite.Action, n)
	for title, action := range map[string]func(i int) rewrite.Action{
		"decided by the constant": func(int) rewrite.Action { return rewrite.AddPathPrefix("/") },
		"of the query":            func(int) rewrite.Action { return rewrite.DropQuery() },
		"without effect":          func(int) rewrite.Action { return rewrite.SetHost("x.com") },
		"a chain of names":        func(i int) rewrite.Action { return rewrite.RenameQuery(fmt.Sprint("n", i), fmt.Sprint("n", i+1)) },
	} {
		for i := range list {
			list[i] = action(i)
		}
		inTime(t, title, func() {
			u := rewrite.URL{Host: "x.com", Path: "/a"}
			if _, err := program(append(list, rewrite.AddPathPrefix("/b"))...).Apply(rewrite.AfterLocation, &u, nil); err != nil || u.Path != "/b/a" {
				t.Errorf("%s: %v, %v", title, u, err)
			}
		})
	}
}

// What prefixes put before the result of a regular expression is bounded before
// it is made.
func TestBoundBehindARegexp(t *testing.T) {
	list := actions(rewrite.RewritePath("x(.)", "/$1"))
	for range 12_000 {
		list = append(list, rewrite.AddPathPrefix("/"+strings.Repeat("a", 1000)))
	}
	inTime(t, "compiling", func() {
		_, err := rewrite.Compile(rulesOf(list...), nil)
		if err == nil || !strings.Contains(err.Error(), "AddPathPrefix: the path actions of this hook become more than") {
			t.Errorf("%.200v", err)
		}
	})
}

func TestZeroRuleErrorHasText(t *testing.T) {
	if s := (&rewrite.RuleError{}).Error(); s != "rule 0" {
		t.Errorf("%q", s)
	}
}
