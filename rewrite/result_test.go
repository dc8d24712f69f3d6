// What a Result says, and how Results combine.

package rewrite_test

import (
	"math/rand/v2"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

func TestResultSplice(t *testing.T) {
	for _, c := range []struct {
		name     string
		list     []rewrite.Action
		in, out  string
		cut, put int
		ok       bool
	}{
		{"trimmed", actions(rewrite.TrimPathPrefix("/api")), "/api/v1", "/v1", 4, 0, true},
		{"trimmed, escaped", actions(rewrite.TrimPathPrefix("/api")), "/%61pi/v1", "/v1", 6, 0, true},
		{"trimmed of everything", actions(rewrite.TrimPathPrefix("/app")), "/app", "/", 4, 1, true},
		{"added", actions(rewrite.AddPathPrefix("/v2")), "/api", "/v2/api", 0, 3, true},
		{"replaced", actions(rewrite.ReplacePathPrefix("/api", "/v2")), "/api/x", "/v2/x", 4, 3, true},
		{"stripped", actions(rewrite.StripPathSegments(2)), "/a/b/c", "/c", 4, 0, true},
		{"text trimmed", actions(rewrite.TrimPathText("/p")), "/pfoo", "/foo", 2, 1, true},
		{"host taken", actions(rewrite.HostFromPathPrefix()), "/backend.example.com/x", "/x", 20, 0, true},
		{"chain", actions(rewrite.TrimPathPrefix("/api"), rewrite.AddPathPrefix("/v2"), rewrite.StripPathSegments(2)), "/api/a/b", "/b", 6, 0, true},
		{"idiom", actions(rewrite.RewritePath("^/api/(.*)$", "/$1")), "/api/v1", "/v1", 4, 0, true},

		{"no match", actions(rewrite.TrimPathPrefix("/api")), "/apix", "/apix", 0, 0, true},
		{"expression without a match", actions(rewrite.RewritePath("^/x.y$", "/z")), "/a", "/a", 0, 0, true},
		{"other components", actions(rewrite.SetHost("x.com"), rewrite.DropQuery()), "/a", "/a", 0, 0, true},
		{"asterisk", actions(rewrite.SetPath("/x")), "*", "*", 0, 0, true},

		{"set", actions(rewrite.SetPath("/x")), "/a", "/x", 0, 0, false},
		{"set to what it was", actions(rewrite.SetPath("/a")), "/a", "/a", 0, 0, false},
		{"set, then spliced", actions(rewrite.SetPath("/x/y"), rewrite.StripPathSegments(1)), "/a", "/y", 0, 0, false},
		{"spliced, then set", actions(rewrite.AddPathPrefix("/b"), rewrite.SetPath("/x")), "/a", "/x", 0, 0, false},
		{"expression", actions(rewrite.ReplacePathRegex("a+", "b")), "/aa/c", "/b/c", 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, r, err := judge(t, program(c.list...), rewrite.AfterLocation, withPath(c.in))
			if err != nil || u.Path != c.out {
				t.Fatalf("%s, %v; want %s", u.Path, err, c.out)
			}
			if cut, put, ok := r.Splice(); cut != c.cut || put != c.put || ok != c.ok {
				t.Errorf("Splice is %d, %d, %t; want %d, %d, %t", cut, put, ok, c.cut, c.put, c.ok)
			}
		})
	}
}

// The splice is of the final path, which loses extra slashes: then there is
// more than one way to tell it, and all that counts is that it holds.
func TestResultSpliceBehindTheGuard(t *testing.T) {
	for in, list := range map[string][]rewrite.Action{
		"/a//b":   actions(rewrite.TrimPathPrefix("/a")),
		"/a///b/": actions(rewrite.StripPathSegments(2)),
		"/a/":     actions(rewrite.ReplacePathText("/a", "/")),
		"/a//":    actions(rewrite.TrimPathPrefix("/a")),
		"/a/b":    actions(rewrite.RewritePath("^/a(.*)$", "/$1")),
	} {
		t.Run(in, func(t *testing.T) {
			u, r, err := judge(t, program(list...), rewrite.AfterLocation, withPath(in))
			if cut, put, ok := r.Splice(); err != nil || !ok || u.Path[:put]+in[cut:] != u.Path {
				t.Errorf("%s, %v with splice %d, %d, %t", u.Path, err, cut, put, ok)
			}
		})
	}
}

// Changed lists what differs, not what was aimed at.
func TestResultChanged(t *testing.T) {
	all := program(rewrite.SetScheme("https"), rewrite.SetHost("x.com"), rewrite.SetPath("/x"), rewrite.AddQuery("a", "1"))
	for _, c := range []struct {
		name string
		p    *rewrite.Program
		in   rewrite.URL
		want rewrite.Changes
	}{
		{"all", all, usual, rewrite.SchemeChanged | rewrite.HostChanged | rewrite.PathChanged | rewrite.QueryChanged},
		{"all but two", all, rewrite.URL{Scheme: "https", Host: "x.com", Path: "/"}, rewrite.PathChanged | rewrite.QueryChanged},
		{"asterisk", all, rewrite.URL{Scheme: "http", Path: "*"}, rewrite.SchemeChanged | rewrite.HostChanged},
		{"set to what it was", program(rewrite.SetScheme("http"), rewrite.SetHost(usual.Host), rewrite.SetPath(usual.Path)), usual, 0},
		{"there and back", program(rewrite.AddPathPrefix("/a"), rewrite.TrimPathPrefix("/a")), usual, 0},
		{"query there and back", program(rewrite.AddQuery("a", "1"), rewrite.DeleteQuery("a")), usual, 0},
		{"refused", program(rewrite.SetHost("x.com"), rewrite.TrimPathText("/a")), withPath("/a.."), 0},
		{"no rules", nil, usual, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, r, _ := judge(t, c.p, rewrite.AfterLocation, c.in); r.Changed() != c.want {
				t.Errorf("%v, want %v", r.Changed(), c.want)
			}
		})
	}
}

func TestResultZero(t *testing.T) {
	var r rewrite.Result
	if cut, put, ok := r.Splice(); r.Changed() != 0 || cut != 0 || put != 0 || !ok {
		t.Errorf("changed %v, splice %d, %d, %t", r.Changed(), cut, put, ok)
	}
}

// Then says of two runs what Splice says of one, whatever the programs.
func TestResultThen(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	compile := func() *rewrite.Program {
		rules := rewritetest.Rules(r, 1+r.IntN(3))
		for i := range rules {
			rules[i].Hook = rewrite.AfterLocation
		}
		return rewrite.MustCompile(rules, anyHost)
	}
	spliced := 0
	for range 20_000 {
		var results [3]rewrite.Result
		before := rewritetest.CleanURL(r)
		after, refused := before, false
		changed, splices := rewrite.Changes(0), true
		for i := range results {
			var err error
			results[i], err = compile().Apply(rewrite.AfterLocation, &after, nil)
			refused = refused || err != nil
			changed |= results[i].Changed()
			_, _, ok := results[i].Splice()
			splices = splices && ok
		}
		if refused {
			continue
		}
		all := results[0].Then(results[1]).Then(results[2])
		if again := results[0].Then(results[1].Then(results[2])); again != all {
			t.Fatalf("%+v: the order of Then makes a difference: %+v, %+v", results, all, again)
		}
		if all.Changed() != changed {
			t.Fatalf("%+v: changed %v, want %v", results, all.Changed(), changed)
		}
		cut, put, ok := all.Splice()
		if ok != splices || ok && after.Path[:put]+before.Path[cut:] != after.Path {
			t.Fatalf("%+v: %d, %d, %t for %q, which became %q", results, cut, put, ok, before.Path, after.Path)
		}
		if ok && cut+put > 0 {
			spliced++
		}
		for _, same := range []rewrite.Result{all.Then(rewrite.Result{}), rewrite.Result{}.Then(all)} {
			if same != all {
				t.Fatalf("with the zero Result %+v becomes %+v", all, same)
			}
		}
	}
	if spliced < 2000 {
		t.Errorf("only %d paths were spliced", spliced)
	}
}

func TestChangesString(t *testing.T) {
	for want, c := range map[string]rewrite.Changes{
		"none":                   0,
		"scheme":                 rewrite.SchemeChanged,
		"host|path":              rewrite.HostChanged | rewrite.PathChanged,
		"query":                  rewrite.QueryChanged,
		"scheme|host|path|query": rewrite.SchemeChanged | rewrite.HostChanged | rewrite.PathChanged | rewrite.QueryChanged,
	} {
		if got := c.String(); got != want {
			t.Errorf("%d is %q, want %q", c, got, want)
		}
	}
}
