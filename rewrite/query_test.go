package rewrite_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/rewrite"
)

// The query actions of a hook work on one list of pairs, which a template with
// a query part does not split anew: a list of one empty pair stays one.
func TestOneListOfPairs(t *testing.T) {
	const noMatch, match = `^/nomatch[0-9]`, `^/p$`
	for _, c := range []struct {
		query   string
		actions []rewrite.Action
		want    string
	}{
		{"a=1&", actions(rewrite.DeleteQuery("a"), rewrite.AddQuery("c", "2")), "&c=2"},
		{"a=1&", actions(rewrite.DeleteQuery("a"), rewrite.RewritePath(noMatch, "/y?x=1"), rewrite.AddQuery("c", "2")), "&c=2"},
		{"a=1", actions(rewrite.DeleteQuery("a"), rewrite.RewritePath(noMatch, "/y?x=1"), rewrite.AddQuery("c", "2")), "c=2"},
		{"a=1&", actions(rewrite.DeleteQuery("a"), rewrite.RewritePath(match, "/y?x=1")), "x=1&"},
		{"a=1", actions(rewrite.DeleteQuery("a"), rewrite.RewritePath(match, "/y?x=1")), "x=1"},
		{"a=1&", actions(rewrite.DeleteQuery("a"), rewrite.RewritePath(match, "/y?x=1?")), "x=1"},
		{"a=1&", actions(rewrite.RewritePath(match, "/y?"), rewrite.AddQuery("c", "2")), "c=2"},
	} {
		p := program(c.actions...)
		out, _, err := judge(t, p, rewrite.AfterLocation, rewrite.URL{Host: "x.com", Path: "/p", RawQuery: c.query})
		if out.RawQuery != c.want || err != nil {
			t.Errorf("%q through %v is %q, %v; want %q", c.query, c.actions, out.RawQuery, err, c.want)
		}
	}
}

// Only what a hook changed is judged by its length, and only as it is left.
func TestMaxLengthOfTheResult(t *testing.T) {
	opts := &rewrite.Options{MaxLength: 5}
	for _, c := range []struct {
		in, want string // want "": ErrTooLong
		actions  []rewrite.Action
	}{
		{"/p?x=1&a=b", "/p?x=1&a=b", actions(rewrite.SetQuery("a", "b"))},
		{"/p?a=b&a=1", "/p?a=b", actions(rewrite.SetQuery("a", "b"))},
		{"/p?a=1&a=b", "", actions(rewrite.DeleteQuery("x"), rewrite.RenameQuery("a", "x"), rewrite.AddQuery("a", "b"))},
		{"/p?c=1&a=b", "", actions(rewrite.DeleteQuery("c"), rewrite.AddQuery("a", "b"))},
		{"/p?x=1&y=2&a=b", "/p?x=1&y=2&a=b", actions(rewrite.DeleteQuery("c"), rewrite.SetPort("81"), rewrite.SetQuery("a", "b"))},
		{"/p?x=1&y=2", "/p?x=1&y=2", actions(rewrite.DeleteQuery("c"), rewrite.RenameQuery("x", "x"), rewrite.KeepQuery("x", "y"))},
		{"/abcdefgh", "/abcdefgh", actions(rewrite.RewritePath("^/([a-z]*)$", "/$1"))},
		{"/abcdefgh", "/abcdefgh", actions(rewrite.ReplacePathRegex("b", "b"))},
		{"/a?long=query", "/b?long=query", actions(rewrite.RewritePath("^/a(.*)$", "/b?$1"))},
		{"/", "/a", actions(rewrite.RewritePath("^/$", "/a"), rewrite.AddPathPrefix("/abc"), rewrite.StripPathSegments(1))},
		{"/x?b", "/?a", actions(rewrite.AddQuery("long", "query"), rewrite.RewritePath("^/n[x]", "/?z?"), rewrite.RewritePath("^", "/?a?"))},
		{"/p?a", "", actions(rewrite.AddQuery("long", "query"))},
		{"/p", "", actions(rewrite.AddQuery("long", "query"))},
		{"/p", "", actions(rewrite.SetPath("/abcdef"))},
		{"/p", "", actions(rewrite.RewritePath("(p)", "/abcd$1"))},
	} {
		p := rewrite.MustCompile(rulesOf(c.actions...), opts)
		in, err := rewrite.ParseTarget("http", "x.com", c.in)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := judge(t, p, rewrite.AfterLocation, in)
		got := string(out.AppendTarget(nil))
		if c.want == "" {
			if err != rewrite.ErrTooLong {
				t.Errorf("%s through %v: %v, want ErrTooLong", c.in, c.actions, err)
			}
		} else if got != c.want || err != nil {
			t.Errorf("%s through %v is %s, %v; want %s", c.in, c.actions, got, err, c.want)
		}
	}
}

// Compiling query actions takes time linear in the names, however they are
// chained. The bound is generous; what was quadratic took seconds.
func TestManyQueryActionsCompile(t *testing.T) {
	const n = 20_000
	name := func(i int) string { return "a" + strconv.Itoa(i) }
	for title, action := range map[string]func(i int) rewrite.Action{
		"set":    func(i int) rewrite.Action { return rewrite.SetQuery(name(i), "v") },
		"rename": func(i int) rewrite.Action { return rewrite.RenameQuery(name(i), name(i+1)) },
		"circle": func(i int) rewrite.Action { return rewrite.RenameQuery(name(i%7), name((i+3)%7)) },
	} {
		rules := []rewrite.Rule{{Action: rewrite.AddQuery(name(0), strings.Repeat("v", 60_000))}}
		for i := range n {
			rules = append(rules, rewrite.Rule{Action: action(i)})
		}
		var p *rewrite.Program
		var err error
		if took := gate.Took(func() { p, err = rewrite.Compile(rules, nil) }); err != nil || took > 3*time.Second {
			t.Errorf("%s: %v after %v", title, err, took)
		}
		if title == "rename" {
			out := rewrite.URL{Path: "/", RawQuery: "a7=1&b=2"}
			_, err := p.Apply(rewrite.AfterLocation, &out, nil)
			if want := "a20000=1&b=2&a20000=v"; err != nil || !strings.HasPrefix(out.RawQuery, want) {
				t.Errorf("%.40s, %v", out.RawQuery, err)
			}
		}
	}
}

// Names that do not decode cost a request no more if there are many of them.
func TestManyNamesThatDoNotDecode(t *testing.T) {
	names := make([]string, 20_000)
	for i := range names {
		names[i] = fmt.Sprintf("%%z%04d", i)
	}
	p := program(rewrite.DeleteQuery(names...))
	query := strings.Repeat("%zabcd&", 200_000)
	inTime(t, "a query of such keys", func() {
		out := rewrite.URL{Path: "/", RawQuery: query + names[7] + "=1"}
		if _, err := p.Apply(rewrite.AfterLocation, &out, nil); err != nil || out.RawQuery != query[:len(query)-1] {
			t.Errorf("%.40s, %v", out.RawQuery, err)
		}
	})
}

// Names that are sought so that a hash table is no use cost a request little
// more than others, and are found all the same.
func TestNamesThatCollide(t *testing.T) {
	const n, tableSize = 2_000, 4_096
	var collide, others []string
	for i := 0; len(collide) < n; i++ {
		name := "k" + strconv.Itoa(i)
		h := uint32(2166136261) // FNV-1a
		for j := range len(name) {
			h = (h ^ uint32(name[j])) * 16777619
		}
		if h%tableSize == 0 {
			collide = append(collide, name)
		} else if len(others) < n {
			others = append(others, name)
		}
	}
	absent := strings.Repeat(collide[n-1]+"&", 20_000)
	fastest := func(names []string) time.Duration {
		p := program(rewrite.DeleteQuery(names...))
		best := time.Hour
		for range 3 {
			out := rewrite.URL{Path: "/", RawQuery: absent}
			start := time.Now()
			if r, err := p.Apply(rewrite.AfterLocation, &out, nil); err != nil || r.Changed() != 0 {
				t.Fatalf("changed %v, error %v", r.Changed(), err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	if slow, usual := fastest(collide[:n-1]), fastest(others); slow > 40*usual {
		t.Errorf("%v, and %v for other names", slow, usual)
	}

	p := program(rewrite.DeleteQuery(collide[:n-1]...))
	gone := make(map[string]bool)
	for _, name := range collide[:n-1] {
		gone[name] = true
	}
	var query, want []string
	for i := range n - 1 {
		query = append(query, collide[i]+"=1", others[i]+"=2", "%6B"+collide[i][1:], collide[i]+"0", collide[i][:1]+"+"+collide[i][1:])
		want = append(want, others[i]+"=2")
		for _, key := range []string{collide[i] + "0", collide[i][:1] + "+" + collide[i][1:]} {
			if !gone[key] {
				want = append(want, key)
			}
		}
	}
	out := rewrite.URL{Path: "/", RawQuery: strings.Join(query, "&")}
	if _, err := p.Apply(rewrite.AfterLocation, &out, nil); err != nil || out.RawQuery != strings.Join(want, "&") {
		t.Errorf("got %.80s, error %v; want %.80s", out.RawQuery, err, strings.Join(want, "&"))
	}
}
