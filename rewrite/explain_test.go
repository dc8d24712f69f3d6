// What Explain tells of each rule.

package rewrite_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

func TestExplainCodes(t *testing.T) {
	const (
		changed, unchanged, noMatch = rewrite.StepChanged, rewrite.StepUnchanged, rewrite.StepNoMatch
	)
	covered := map[rewrite.Op]bool{}
	for _, c := range []struct {
		action rewrite.Action
		in     rewrite.URL
		want   rewrite.StepCode
	}{
		{rewrite.SetHost("x.com"), usual, changed},
		{rewrite.SetHost(usual.Host), usual, unchanged},
		{rewrite.SetHostname("x.com"), usual, changed},
		{rewrite.SetPort("8080"), usual, changed},
		{rewrite.SetPort("80"), usual, unchanged},
		{rewrite.HostFromPathPrefix(), withPath("/x.com/"), changed},
		{rewrite.HostFromPathPrefix(), withPath("/x.com"), noMatch},
		{rewrite.ReplaceHostSuffix("example.com", "internal"), usual, changed},
		{rewrite.ReplaceHostSuffix("example.com", "example.com"), usual, unchanged},
		{rewrite.ReplaceHostSuffix("ample.com", "internal"), usual, noMatch},
		{rewrite.SetScheme("https"), usual, changed},
		{rewrite.SetScheme("http"), usual, unchanged},

		{rewrite.SetPath("/x"), usual, changed},
		{rewrite.SetPath(usual.Path), usual, unchanged},
		{rewrite.AddPathPrefix("/x"), usual, changed},
		{rewrite.AddPathPrefix("/"), usual, unchanged},
		{rewrite.TrimPathPrefix("/api"), usual, changed},
		{rewrite.TrimPathPrefix("/"), usual, unchanged},
		{rewrite.TrimPathPrefix("/ap"), usual, noMatch},
		{rewrite.StripPathSegments(2), usual, changed},
		{rewrite.StripPathSegments(6), usual, noMatch},
		{rewrite.ReplacePathPrefix("/api", "/v2"), usual, changed},
		{rewrite.ReplacePathPrefix("/api", "/api"), usual, unchanged},
		{rewrite.ReplacePathPrefix("/ap", "/v2"), usual, noMatch},
		{rewrite.TrimPathText("/ap"), usual, changed},
		{rewrite.TrimPathText("/apx"), usual, noMatch},
		{rewrite.ReplacePathText("/ap", "/x"), usual, changed},
		{rewrite.ReplacePathText("/ap", "/ap"), usual, unchanged},
		{rewrite.ReplacePathText("/apx", "/x"), usual, noMatch},
		{rewrite.RewritePath("^/api/(.*)$", "/$1"), usual, changed},
		{rewrite.RewritePath("^/ap/(.*)$", "/$1"), usual, noMatch},
		{rewrite.RewritePath("^(/api)(.*)$", "$1$2"), usual, unchanged},
		{rewrite.RewritePath("^/a.c$", "/x"), usual, noMatch},
		{rewrite.ReplacePathRegex("[0-9]+", "n"), usual, changed},
		{rewrite.ReplacePathRegex("([0-9])", "$1"), usual, unchanged},
		{rewrite.ReplacePathRegex("[A-Z]", "n"), usual, noMatch},

		{rewrite.AddQuery("a", "1"), usual, changed},
		{rewrite.SetQuery("a", "1"), withQuery("a=2"), changed},
		{rewrite.SetQuery("a", "1"), withQuery("a=1"), unchanged},
		{rewrite.DeleteQuery("user"), usual, changed},
		{rewrite.DeleteQuery("use"), usual, noMatch},
		{rewrite.RenameQuery("user", "uid"), usual, changed},
		{rewrite.RenameQuery("user", "user"), usual, unchanged},
		{rewrite.RenameQuery("use", "uid"), usual, noMatch},
		{rewrite.KeepQuery("user"), usual, changed},
		{rewrite.KeepQuery("user"), withQuery("user=bob"), unchanged},
		{rewrite.DropQuery(), usual, changed},
		{rewrite.DropQuery(), withQuery(""), unchanged},
	} {
		covered[c.action.Op()] = true
		t.Run(c.action.String(), func(t *testing.T) {
			p := rewrite.MustCompile(rulesOf(c.action), anyHost)
			judge(t, p, rewrite.AfterLocation, c.in)
			steps, _, err := p.Explain(rewrite.AfterLocation, c.in)
			if err != nil || len(steps) != 1 {
				t.Fatalf("steps %+v, error %v", steps, err)
			}
			s := steps[0]
			if s.Code != c.want || s.Err != nil || (s.After != s.Before) != (c.want == changed) {
				t.Errorf("%v: %q, error %v, %v to %v; want %q", c.in, s.Code, s.Err, s.Before, s.After, c.want)
			}
		})
	}
	for op := rewrite.OpSetHost; op <= rewrite.OpSetScheme; op++ {
		if !covered[op] {
			t.Errorf("no case for %v", op)
		}
	}
}

// Steps come in the order in which rules run; each begins where the one before
// ended and has the index, the action and the origin of its rule.
func TestExplainSteps(t *testing.T) {
	rules := []rewrite.Rule{
		{Order: 1, Action: rewrite.AddPathPrefix("/v2"), Origin: rewrite.Origin{Key: "add"}},
		{Hook: rewrite.Forward, Action: rewrite.SetPath("/x")},
		{Action: rewrite.TrimPathPrefix("/api"), Origin: rewrite.Origin{Key: "trim", Index: 3, Offset: 14}},
		{Action: rewrite.DeleteQuery("token")},
	}
	trimmed, added := usual, usual
	trimmed.Path = strings.TrimPrefix(usual.Path, "/api")
	added.Path = "/v2" + trimmed.Path
	want := []rewrite.Step{
		{Rule: 2, Action: rules[2].Action, Origin: rules[2].Origin, Before: usual, After: trimmed, Code: rewrite.StepChanged},
		{Rule: 3, Action: rules[3].Action, Before: trimmed, After: trimmed, Code: rewrite.StepNoMatch},
		{Rule: 0, Action: rules[0].Action, Origin: rules[0].Origin, Before: trimmed, After: added, Code: rewrite.StepChanged},
	}
	wantSteps(t, rewrite.MustCompile(rules, nil), usual, want, nil)
}

// wantSteps compares all that Explain returns.
func wantSteps(t *testing.T, p *rewrite.Program, in rewrite.URL, want []rewrite.Step, wantErr error) {
	t.Helper()
	judge(t, p, rewrite.AfterLocation, in)
	got, _, err := p.Explain(rewrite.AfterLocation, in)
	if err != wantErr {
		t.Errorf("error %v, want %v", err, wantErr)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// A path that would begin with "//" loses slashes at the end, and a step says so.
func TestExplainGuard(t *testing.T) {
	trim, set := rewrite.TrimPathPrefix("/a"), rewrite.SetScheme("https")
	in := rewrite.URL{Path: "/a//b"}
	cut := rewrite.URL{Path: "//b"}
	secure := rewrite.URL{Scheme: "https", Path: "//b"}
	wantSteps(t, program(trim, set), in, []rewrite.Step{
		{Rule: 0, Action: trim, Before: in, After: cut, Code: rewrite.StepChanged},
		{Rule: 1, Action: set, Before: cut, After: secure, Code: rewrite.StepChanged},
		{Rule: -1, Before: secure, After: rewrite.URL{Scheme: "https", Path: "/b"}, Code: rewrite.StepGuard},
	}, nil)
}

// Rules about path and query do nothing at the path "*".
func TestExplainAsterisk(t *testing.T) {
	list := actions(rewrite.SetPath("/x"), rewrite.SetHost("x.com"), rewrite.HostFromPathPrefix(), rewrite.AddQuery("a", "1"))
	in := rewrite.URL{Host: "y.com", Path: "*"}
	out := rewrite.URL{Host: "x.com", Path: "*"}
	wantSteps(t, program(list...), in, []rewrite.Step{
		{Rule: 0, Action: list[0], Before: in, After: in, Code: rewrite.StepSkipped},
		{Rule: 1, Action: list[1], Before: in, After: out, Code: rewrite.StepChanged},
		{Rule: 2, Action: list[2], Before: out, After: out, Code: rewrite.StepSkipped},
		{Rule: 3, Action: list[3], Before: out, After: out, Code: rewrite.StepSkipped},
	}, nil)
}

// The last step of a refusal has the error: it is the rule's own step where
// one rule is to blame, and that of the check of the result otherwise.
func TestExplainRefusals(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		name string
		list []rewrite.Action
		opts rewrite.Options
		in   string
		want error
		rule int
	}{
		{"host not allowed", actions(rewrite.AddQuery("a", "1"), rewrite.HostFromPathPrefix(), rewrite.SetHost("x.com")),
			rewrite.Options{AllowedHosts: []string{"x.com"}}, "/evil.example/x", rewrite.ErrHost, 1},
		{"host too long", actions(rewrite.ReplaceHostSuffix("example.com", strings.Repeat("a.", 125)+"com")),
			rewrite.Options{}, "/", rewrite.ErrHost, 0},
		{"budget", actions(rewrite.SetHost("x.com"), rewrite.RewritePath("^/.*x$", "/")),
			rewrite.Options{Regexp: rewrite.RegexpLimits{Budget: 100}}, "/" + long, rewrite.ErrBudget, 1},
		{"dot-segment", actions(rewrite.TrimPathText("/a")), rewrite.Options{}, "/a../b", rewrite.ErrDotSegment, -1},
		{"dot-segment of an expression", actions(rewrite.ReplacePathRegex("x", "")), rewrite.Options{}, "/.x./a", rewrite.ErrDotSegment, -1},
		{"escape cut in two", actions(rewrite.ReplacePathRegex("F", "")), rewrite.Options{}, "/a%2F", rewrite.ErrPath, -1},
		{"path too long", actions(rewrite.AddPathPrefix("/b")), rewrite.Options{MaxLength: 202}, "/" + long, rewrite.ErrTooLong, -1},
		{"query too long", actions(rewrite.AddQuery("a", long)), rewrite.Options{MaxLength: 100}, "/", rewrite.ErrTooLong, -1},
		{"no path", actions(rewrite.SetPath("/x")), rewrite.Options{}, "", rewrite.ErrPath, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := rewrite.MustCompile(rulesOf(c.list...), &c.opts)
			in := rewrite.URL{Host: "www.example.com", Path: c.in}
			judge(t, p, rewrite.AfterLocation, in)
			steps, r, err := p.Explain(rewrite.AfterLocation, in)
			if err != c.want || !errors.Is(err, rewrite.ErrRefused) || r != (rewrite.Result{}) {
				t.Errorf("error %v, result %+v; want %v", err, r, c.want)
			}
			for i, s := range steps {
				if last := i == len(steps)-1; last != (s.Code == rewrite.StepRefused) || last != (s.Err != nil) {
					t.Errorf("step %d of %d: %q, error %v", i+1, len(steps), s.Code, s.Err)
				}
			}
			if s := steps[len(steps)-1]; s.Err != c.want || s.Rule != c.rule || s.After != s.Before {
				t.Errorf("last step %+v, want %v of rule %d", s, c.want, c.rule)
			}
		})
	}
}

func TestExplainWithoutRules(t *testing.T) {
	for name, p := range map[string]*rewrite.Program{"nil": nil, "zero": {}, "other hook": program(rewrite.SetPath("/x"))} {
		for _, h := range []rewrite.Hook{rewrite.Forward, 5, -2} {
			if steps, r, err := p.Explain(h, rewrite.URL{}); steps != nil || r != (rewrite.Result{}) || err != nil {
				t.Errorf("%s at %v: %v, %v, %v", name, h, steps, r, err)
			}
		}
	}
}

// Whatever the rules, Explain's steps lead to what Apply makes, and only a
// step that changed something says so.
func TestExplainIsApply(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range randomRuns(t) {
		p := rewrite.MustCompile(rewritetest.Rules(r, 1+r.IntN(6)), anyHost)
		in := rewritetest.URL(r)
		for _, h := range rewrite.Hooks() {
			out := in
			result, err := p.Apply(h, &out, nil)
			if err := explained(p, h, in, out, result, err); err != nil {
				t.Fatalf("%v\n%v", err, p)
			}
			steps, _, _ := p.Explain(h, in)
			for _, s := range steps {
				if (s.Before != s.After) != (s.Code == rewrite.StepChanged || s.Code == rewrite.StepGuard) {
					t.Fatalf("%+v\n%v", s, p)
				}
			}
		}
	}
}

// So it is for URLs that Clean refuses or changes.
func TestExplainIsApplyToUncleanURLs(t *testing.T) {
	for _, c := range []struct {
		list []rewrite.Action
		in   rewrite.URL
	}{
		{actions(rewrite.SetPort(""), rewrite.SetPort("")), rewrite.URL{Host: "::1", Path: "/"}},
		{actions(rewrite.SetPort(""), rewrite.SetPort("81")), rewrite.URL{Host: ":80", Path: "/"}},
		{actions(rewrite.StripPathSegments(1)), withPath(`/a/\./b`)},
		{actions(rewrite.StripPathSegments(1)), withPath(`/a/\/../b`)},
		{actions(rewrite.TrimPathText("/a")), withPath(`/a\../b`)},
	} {
		p, out := program(c.list...), c.in
		result, err := p.Apply(rewrite.AfterLocation, &out, nil)
		if err := explained(p, rewrite.AfterLocation, c.in, out, result, err); err != nil {
			t.Errorf("%v on %v: %v", c.list, c.in, err)
		}
	}
}
