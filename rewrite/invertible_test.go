// Which rules Invertible names.

package rewrite_test

import (
	"errors"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

func TestInvertible(t *testing.T) {
	invertible := map[rewrite.Op]bool{}
	for _, c := range []struct {
		action rewrite.Action
		want   bool
	}{
		{rewrite.SetHost("x.com"), true},
		{rewrite.SetHostname("x.com"), true},
		{rewrite.SetPort("8080"), true},
		{rewrite.HostFromPathPrefix(), true},
		{rewrite.ReplaceHostSuffix("example.com", "internal"), true},
		{rewrite.SetPath("/a"), false},
		{rewrite.AddPathPrefix("/a"), true},
		{rewrite.TrimPathPrefix("/a", "/b"), true},
		{rewrite.StripPathSegments(2), true},
		{rewrite.ReplacePathPrefix("/a", "/b"), true},
		{rewrite.TrimPathText("/a"), false},
		{rewrite.ReplacePathText("/a", "/b"), false},
		{rewrite.RewritePath("^/a(/|$)(.*)", "/$2"), true},
		{rewrite.RewritePath("(?i)^/a(/.*)?$", "$1"), true},
		{rewrite.RewritePath("^/a/(.*)$", "/$1"), true},
		{rewrite.RewritePath("^/a(.*)$", "/$1"), false},
		{rewrite.RewritePath("^/a/?(.*)", "/$1"), false},
		{rewrite.RewritePath("^/(.*)$", "/a/$1"), false},
		{rewrite.ReplacePathRegex("^/a(/|$)(.*)", "/$2"), true},
		{rewrite.ReplacePathRegex("a", "b"), false},
		{rewrite.AddQuery("a", "1"), true},
		{rewrite.SetQuery("a", "1"), true},
		{rewrite.DeleteQuery("a"), true},
		{rewrite.RenameQuery("a", "b"), true},
		{rewrite.KeepQuery("a"), true},
		{rewrite.DropQuery(), true},
		{rewrite.SetScheme("https"), true},
	} {
		invertible[c.action.Op()] = c.want
		t.Run(c.action.String(), func(t *testing.T) {
			p := rewrite.MustCompile(rulesOf(c.action), anyHost)
			if err := p.Invertible(); (err == nil) != c.want {
				t.Errorf("got %v, want invertible %t", err, c.want)
			}
		})
	}
	for op := rewrite.OpSetHost; op <= rewrite.OpSetScheme; op++ {
		if _, ok := invertible[op]; !ok {
			t.Errorf("no case for %v", op)
		}
	}
}

// Every such rule of every hook is named, in the order of the rules.
func TestInvertibleNamesEveryRule(t *testing.T) {
	p := rewrite.MustCompile([]rewrite.Rule{
		{Hook: rewrite.Forward, Action: rewrite.SetPath("/a"), Origin: rewrite.Origin{Key: "first"}},
		{Order: 1, Action: rewrite.TrimPathText("/a")},
		{Action: rewrite.TrimPathPrefix("/a")},
		{Action: rewrite.RewritePath("^/a(.*)$", "/$1"), Origin: rewrite.Origin{Key: "fourth", Index: 2, Offset: 7}},
		{Hook: rewrite.BeforeLocation, Action: rewrite.ReplacePathRegex("a", "b")},
	}, nil)
	err := p.Invertible()
	var errs rewrite.RuleErrors
	if !errors.As(err, &errs) {
		t.Fatalf("got %v, want RuleErrors", err)
	}
	want := []rewrite.RuleError{
		{Index: 0, Origin: rewrite.Origin{Key: "first"}, Op: rewrite.OpSetPath},
		{Index: 1, Op: rewrite.OpTrimPathText},
		{Index: 3, Origin: rewrite.Origin{Key: "fourth", Index: 2, Offset: 7}, Op: rewrite.OpRewritePath},
		{Index: 4, Op: rewrite.OpReplacePathRegex},
	}
	if len(errs) != len(want) {
		t.Fatalf("got %d rules, want %d:\n%v", len(errs), len(want), err)
	}
	for i, e := range errs {
		if e.Err == nil {
			t.Errorf("rule %d: no reason", e.Index)
		}
		if got := (rewrite.RuleError{Index: e.Index, Origin: e.Origin, Op: e.Op, Param: e.Param}); got != want[i] {
			t.Errorf("fault %d is of %+v, want %+v", i, got, want[i])
		}
	}
}

func TestInvertibleWithoutRules(t *testing.T) {
	var none *rewrite.Program
	for name, p := range map[string]*rewrite.Program{"nil": none, "zero": {}, "no rules": rewrite.MustCompile(nil, nil)} {
		if err := p.Invertible(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
