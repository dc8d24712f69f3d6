// How far rules fuse: what chains fold into, and what becomes of lists that
// look as if they would grow without bound.

package rewrite_test

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// chainLength is the length of the chains that are to cost no more than one
// action does.
const chainLength = 64

// instructions returns the instructions for paths of the only hook of p, and
// its passes over the query.
func instructions(p *rewrite.Program) (code, passes []string) {
	other := false // for the path "*"
	for line := range strings.Lines(p.String()) {
		switch {
		case strings.HasPrefix(line, "  query "):
			passes = append(passes, line)
		case strings.HasPrefix(line, "*"):
			other = true
		case !other && (strings.HasPrefix(line, ">") || len(code) > 0):
			code = append(code, line[len(">  0  "):])
		}
	}
	return code, passes
}

// count returns how many instructions are of one kind.
func count(code []string, op string) (n int) {
	for _, in := range code {
		if strings.HasPrefix(in, op+" ") {
			n++
		}
	}
	return n
}

// Set, add and strip are one join where no strip reaches beyond the constant.
func TestSetAddStripIsOneInstruction(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 100 {
		var list []rewrite.Action
		segments := 0 // of the constant
		for len(list) < chainLength {
			switch prefix := strings.Repeat("/s"+strconv.Itoa(len(list)), 1+r.IntN(3)); r.IntN(10) {
			case 0:
				list = append(list, rewrite.SetPath(prefix))
				segments = strings.Count(prefix, "/")
			case 1, 2, 3, 4:
				list = append(list, rewrite.AddPathPrefix(prefix))
				segments += strings.Count(prefix, "/")
			default:
				if segments > 0 {
					n := 1 + r.IntN(segments)
					list = append(list, rewrite.StripPathSegments(n))
					segments -= n
				}
			}
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			p := program(list...)
			if code, _ := instructions(p); len(code) != 1 || !strings.HasPrefix(code[0], "end") {
				t.Errorf("%v\nbecomes\n%v", list, p)
			}
			judge(t, p, rewrite.AfterLocation, usual)
			judge(t, p, rewrite.AfterLocation, withPath("/"))
		})
	}
}

// Behind a constant that decides, a trim costs nothing; else one comparison.
func TestTrimInAChainIsOneComparison(t *testing.T) {
	var trims, turns, nested []rewrite.Action
	for i := range chainLength {
		n := strconv.Itoa(i)
		trims = append(trims, rewrite.TrimPathPrefix("/p"+n))
		turns = append(turns, rewrite.TrimPathPrefix("/p"+n), rewrite.AddPathPrefix("/q"+n))
		nested = append(nested, rewrite.AddPathPrefix("/q"), rewrite.TrimPathPrefix("/q/p"+n))
	}
	for name, c := range map[string]struct {
		list        []rewrite.Action
		comparisons int
	}{
		"one after the other":               {trims, chainLength},
		"each behind an addition":           {turns, 1},
		"of what was added and what it met": {nested, chainLength},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(c.list...)
			if code, _ := instructions(p); count(code, "trim") != c.comparisons {
				t.Errorf("want %d comparisons\n%v", c.comparisons, p)
			}
			for _, path := range []string{"/", "/p0", "/p0/p1/p2", "/p63/p0", "/%700/x", "/p1x"} {
				judge(t, p, rewrite.AfterLocation, withPath(path))
			}
		})
	}
}

// Whatever the query actions are, the pairs are read once.
func TestQueryChainIsOnePass(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 50 {
		var list []rewrite.Action
		for len(list) < chainLength {
			if a := rewritetest.Action(r); a.Op() >= rewrite.OpAddQuery && a.Op() <= rewrite.OpDropQuery {
				list = append(list, a)
			}
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			p := program(list...)
			if _, passes := instructions(p); len(passes) != 1 {
				t.Errorf("%d passes\n%v", len(passes), p)
			}
			for range 20 {
				judge(t, p, rewrite.AfterLocation, rewritetest.CleanURL(r))
			}
		})
	}
}

// A chain of path actions writes the path once, whatever the actions are.
func TestPathChainIsOneCopy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	prefixes := []string{"/a", "/b", "/a/b", "/a/a"}
	prefix := func() string { return prefixes[r.IntN(len(prefixes))] }
	for i := range 200 {
		var list []rewrite.Action
		for range 1 + r.IntN(12) {
			list = append(list, []rewrite.Action{
				rewrite.AddPathPrefix(prefix()),
				rewrite.TrimPathPrefix(prefix(), prefix()),
				rewrite.StripPathSegments(1 + r.IntN(2)),
				rewrite.ReplacePathPrefix(prefix(), prefix()),
				rewrite.TrimPathText(prefix()),
				rewrite.ReplacePathText(prefix(), prefix()),
			}[r.IntN(6)])
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			p := program(list...)
			for _, path := range []string{"/", "/a", "/ab", "/a/b", "/a/a/b", "/b/a/ab/a/", "/%61/b%2Fa"} {
				in := withPath(path)
				judge(t, p, rewrite.AfterLocation, in)
				if n := testing.AllocsPerRun(10, func() { u := in; p.Apply(rewrite.AfterLocation, &u, nil) }); n > 1 {
					t.Errorf("%v of %s: %v allocations", list, path, n)
				}
			}
		})
	}
}

// numbered returns n actions.
func numbered(n int, action func(i string) rewrite.Action) []rewrite.Action {
	list := make([]rewrite.Action, n)
	for i := range list {
		list[i] = action(strconv.Itoa(i))
	}
	return list
}

// numberedTexts returns n texts, prefix and a number.
func numberedTexts(n int, prefix string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = prefix + strconv.Itoa(i)
	}
	return list
}

// Long lists grow by about one instruction for each prefix.
func TestLongListsStaySmall(t *testing.T) {
	for name, c := range map[string]struct {
		list []rewrite.Action
		most int // instructions
		urls []rewrite.URL
	}{
		"64 trims": {
			numbered(64, func(i string) rewrite.Action { return rewrite.TrimPathPrefix("/a"+i, "/b"+i) }),
			2*64 + 2,
			[]rewrite.URL{withPath("/a0/b1/a2/a2"), withPath("/b63"), withPath("/a0"), withPath("/a64")},
		},
		"64 text trims": {
			numbered(64, func(i string) rewrite.Action { return rewrite.TrimPathText("/t" + i) }),
			2*64 + 3,
			[]rewrite.URL{withPath("/t0t1t2/t3/t4"), withPath("/t6"), withPath("/t10x"), withPath("/t1.")},
		},
		"64 replacements": {
			numbered(64, func(i string) rewrite.Action { return rewrite.ReplacePathPrefix("/a"+i, "/b"+i) }),
			3*64 + 1,
			[]rewrite.URL{withPath("/a0/x"), withPath("/a63"), withPath("/a5x"), withPath("/x")},
		},
		"64 replacements that follow each other": {
			numbered(64, func(i string) rewrite.Action { return rewrite.ReplacePathPrefix("/a"+i, "/a"+i+"/a") }),
			3*64 + 1,
			[]rewrite.URL{withPath("/a0/x"), withPath("/a63"), withPath("/a/a")},
		},
		"64 strips that may be too many": {
			numbered(64, func(string) rewrite.Action { return rewrite.StripPathSegments(2) }),
			64 + 2,
			[]rewrite.URL{withPath("/a/b/c"), withPath(strings.Repeat("/a", 128)), withPath(strings.Repeat("/a", 127))},
		},
		"200 rules": {
			append(numbered(100, func(i string) rewrite.Action { return rewrite.TrimPathPrefix("/a" + i) }),
				numbered(100, func(i string) rewrite.Action { return rewrite.SetQuery("q"+i, i) })...),
			100 + 2,
			[]rewrite.URL{withPath("/a0/a99/x"), withQuery("q0=x&q100=y&q99")},
		},
		"1,000 prefixes": {
			actions(rewrite.TrimPathPrefix(numberedTexts(1000, "/p")...)),
			1000 + 2,
			[]rewrite.URL{withPath("/p0/x"), withPath("/p999"), withPath("/p1000")},
		},
		"10,000 names": {
			actions(rewrite.DeleteQuery(numberedTexts(10_000, "n")...)),
			0,
			[]rewrite.URL{withQuery("n0=1&n10000=2&%6e9999"), withQuery("a=1&n=2")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := compiledInTime(t, rulesOf(c.list...))
			code, passes := instructions(p)
			if len(code) > c.most || len(passes) > 1 {
				t.Errorf("%d instructions and %d passes, want at most %d and 1", len(code), len(passes), c.most)
			}
			for _, u := range c.urls {
				judge(t, p, rewrite.AfterLocation, u)
			}
		})
	}
}

// compiledInTime fails if compiling takes as long as growth without bound would.
func compiledInTime(t *testing.T, rules []rewrite.Rule) *rewrite.Program {
	t.Helper()
	var p *rewrite.Program
	var err error
	if took := gate.Took(func() { p, err = rewrite.Compile(rules, anyHost) }); took > 5*time.Second {
		t.Errorf("compiling took %v", took)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Lists whose rules really depend on each other in too many ways are refused
// at once, with an error of the rule at which it is too much, that says what to
// do.
func TestTooComplexIsRefused(t *testing.T) {
	for name, list := range map[string][]rewrite.Action{
		"every trim reaches behind every addition": tangled(),
		"long constants": numbered(200, func(i string) rewrite.Action {
			return rewrite.AddPathPrefix("/" + strings.Repeat(i, 20_000))
		}),
	} {
		t.Run(name, func(t *testing.T) {
			rules := append(rulesOf(list...), rewrite.Rule{Hook: rewrite.Forward, Action: rewrite.SetPath("/x")})
			for i := range rules {
				rules[i].Origin = rewrite.Origin{Key: "file.yaml", Index: i}
			}
			var err error
			if took := gate.Took(func() { _, err = rewrite.Compile(rules, nil) }); took > 5*time.Second {
				t.Errorf("refusing took %v", took)
			}
			var errs rewrite.RuleErrors
			if !errors.As(err, &errs) || len(errs) != 1 {
				t.Fatalf("got %v, want one RuleError", err)
			}
			if e := errs[0]; e.Index >= len(list) || e.Origin.Index != e.Index || e.Op != list[e.Index].Op() || !tooComplex(e) || !strings.Contains(e.Error(), "write ") {
				t.Errorf("got %#v: %v", e, e)
			}
		})
	}
}

// Where that happens at two hooks, the faults come in the order of the rules.
func TestTooComplexAtTwoHooks(t *testing.T) {
	late, early := rulesOf(tangled()...), rulesOf(tangled()...)
	for i := range late {
		late[i].Hook, early[i].Hook = rewrite.Forward, rewrite.BeforeLocation
	}
	_, err := rewrite.Compile(append(late, early...), nil)
	var errs rewrite.RuleErrors
	if !errors.As(err, &errs) || len(errs) != 2 || errs[0].Index >= len(late) || errs[1].Index < len(late) {
		t.Errorf("got %v", err)
	}
}

// tangled returns trims that each reach behind all of the additions before it.
func tangled() (list []rewrite.Action) {
	for range 200 {
		list = append(list, rewrite.AddPathPrefix("/a"), rewrite.TrimPathPrefix(strings.Repeat("/a", 200)+"/b"))
	}
	return list
}

func tooComplex(err error) bool {
	return strings.Contains(err.Error(), "the path actions of this hook")
}

// Random lists of 200 rules at one hook compile, and do what the rules do one
// by one. SetPath is left out: all before it would be dead.
func TestRandomLists(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 20 {
		var rules []rewrite.Rule
		for len(rules) < 200 {
			if a := rewritetest.Action(r); a.Op() != rewrite.OpSetPath {
				rules = append(rules, rewrite.Rule{Action: a})
			}
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			p := compiledInTime(t, rules)
			for range 20 {
				judge(t, p, rewrite.AfterLocation, rewritetest.CleanURL(r))
			}
		})
	}
}
