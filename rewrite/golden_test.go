// What rules compile to: testdata/programs.golden shows the fusion, case by
// case. To renew it: go test ./rewrite -run TestGoldenPrograms -update

package rewrite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/golden"
	"github.com/readdress/readdress/rewrite"
)

// A goldenCase is a program.
type goldenCase struct {
	name  string // unique; says what the dump shows
	rules []rewrite.Rule
	times int // how often the rules are repeated; 0: once
	opts  *rewrite.Options
}

// rulesOf returns one rule for each action, at AfterLocation.
func rulesOf(actions ...rewrite.Action) []rewrite.Rule {
	list := make([]rewrite.Rule, len(actions))
	for i, a := range actions {
		list[i].Action = a
	}
	return list
}

var goldenCases = []goldenCase{
	// Single actions: path.
	{name: "set", rules: rulesOf(rewrite.SetPath("/status"))},
	{name: "add", rules: rulesOf(rewrite.AddPathPrefix("v2/"))},
	{name: "trim: one comparison", rules: rulesOf(rewrite.TrimPathPrefix("/api"))},
	{name: "trim, a list: one comparison each, the first that matches", rules: rulesOf(rewrite.TrimPathPrefix("/api/v2", "/api", "/"))},
	{name: "strip: slashes are counted", rules: rulesOf(rewrite.StripPathSegments(2))},
	{name: "replace: the new prefix is constant behind the comparison", rules: rulesOf(rewrite.ReplacePathPrefix("/api", "/v2/"))},
	{name: "replace /: every path matches, so it is an addition", rules: rulesOf(rewrite.ReplacePathPrefix("/", "/v2"))},
	{name: "trim text: the rest may begin within a segment", rules: rulesOf(rewrite.TrimPathText("/api"))},
	{name: "replace text: a joint with a whole segment needs no check", rules: rulesOf(rewrite.ReplacePathText("/api", "/v2"))},
	{name: "prefixes are compared in canonical form", rules: rulesOf(rewrite.TrimPathPrefix("/%61/b%2fc d"))},

	// Single actions: host, scheme, query.
	{name: "constant host and scheme: no instruction", rules: rulesOf(rewrite.SetHost("Backend.Internal:8080"), rewrite.SetScheme("https"))},
	{name: "the halves of a host: a constant", rules: rulesOf(rewrite.SetHostname("backend.internal"), rewrite.SetPort("8080"))},
	{name: "the halves of a host, port of a scheme", rules: rulesOf(rewrite.SetHostname("backend.internal"), rewrite.SetPort("443"))},
	{name: "the halves of a host, port first", rules: rulesOf(rewrite.SetPort("8080"), rewrite.SetHostname("[::1]"))},
	{name: "a host without its port", rules: rulesOf(rewrite.SetHost("[::1]:81"), rewrite.SetPort(""))},
	{name: "host suffix", rules: rulesOf(rewrite.ReplaceHostSuffix(".example.com", "internal"))},
	{name: "add pair", rules: rulesOf(rewrite.AddQuery("a b", "c&d"))},
	{name: "set pair: delete, then add", rules: rulesOf(rewrite.SetQuery("debug", "1"))},
	{name: "delete pairs", rules: rulesOf(rewrite.DeleteQuery("user", "token"))},
	{name: "rename pairs", rules: rulesOf(rewrite.RenameQuery("user", "uid"))},
	{name: "keep pairs", rules: rulesOf(rewrite.KeepQuery("user", "page"))},
	{name: "drop the query", rules: rulesOf(rewrite.DropQuery())},

	// Chains of path actions.
	{name: "five actions: one comparison, one join, one pass over the query", rules: rulesOf(fiveActions...)},
	{name: "64 set, add and strip: one constant", times: 16,
		rules: rulesOf(rewrite.SetPath("/a/b"), rewrite.AddPathPrefix("/c"), rewrite.StripPathSegments(2), rewrite.AddPathPrefix("/d"))},
	{name: "64 add and strip that cancel each other: nothing", times: 32,
		rules: rulesOf(rewrite.AddPathPrefix("/a/b"), rewrite.StripPathSegments(2))},
	{name: "add and strip: one join", times: 3,
		rules: rulesOf(rewrite.AddPathPrefix("/a/b"), rewrite.StripPathSegments(1))},
	{name: "a strip beyond the constant counts only what is left to strip",
		rules: rulesOf(rewrite.AddPathPrefix("/a"), rewrite.StripPathSegments(3))},
	{name: "a strip of the rest whose first segment begins in the constant",
		rules: rulesOf(rewrite.ReplacePathText("/to-", "/be-"), rewrite.StripPathSegments(2))},
	{name: "a trim of the constant: no comparison", rules: rulesOf(rewrite.AddPathPrefix("/a/b"), rewrite.TrimPathPrefix("/a"))},
	{name: "a trim that the constant rules out: no comparison", rules: rulesOf(rewrite.AddPathPrefix("/a"), rewrite.TrimPathPrefix("/b"))},
	{name: "a trim beyond the constant compares what is left of the prefix",
		rules: rulesOf(rewrite.AddPathPrefix("/a"), rewrite.TrimPathPrefix("/a/b/c"))},
	{name: "a trim after a trim: one comparison more", rules: rulesOf(rewrite.TrimPathPrefix("/a"), rewrite.TrimPathPrefix("/b"))},
	{name: "the outcomes of a trim go on together where they are the same",
		rules: rulesOf(rewrite.TrimPathPrefix("/a"), rewrite.AddPathPrefix("/b"), rewrite.TrimPathPrefix("/b"), rewrite.StripPathSegments(1))},
	{name: "64 times trim and add of the same prefix: one comparison", times: 32,
		rules: rulesOf(rewrite.TrimPathPrefix("/a"), rewrite.AddPathPrefix("/a"))},
	{name: "dead code: a later SetPath overwrites the path",
		rules: rulesOf(rewrite.TrimPathPrefix("/a"), rewrite.ReplacePathText("/b", "/c"), rewrite.SetPath("/d"), rewrite.StripPathSegments(1))},
	{name: "dead code: a later SetHost overwrites the host",
		rules: rulesOf(rewrite.SetHost("a.example"), rewrite.SetPort("81"), rewrite.SetHost("b.example"), rewrite.SetPort("82"))},
	{name: "not dead: a suffix may make the host too long, which refuses",
		rules: rulesOf(rewrite.ReplaceHostSuffix("a.example", "b.example"), rewrite.SetHost("c.example"))},

	// Host from path.
	{name: "host from path", rules: rulesOf(rewrite.HostFromPathPrefix()), opts: anyHost},
	{name: "host from a constant path: decided when compiled",
		rules: rulesOf(rewrite.AddPathPrefix("/a.example"), rewrite.HostFromPathPrefix()), opts: anyHost},
	{name: "host from a constant path, not allowed: refused",
		rules: rulesOf(rewrite.AddPathPrefix("/a.example"), rewrite.HostFromPathPrefix()), opts: &rewrite.Options{AllowedHosts: []string{"b.example"}}},
	{name: "host from half a constant", rules: rulesOf(rewrite.ReplacePathText("/to-", "/be-"), rewrite.HostFromPathPrefix()), opts: anyHost},

	// Regular expressions.
	{name: "a regular expression that is a trim", rules: rulesOf(rewrite.RewritePath("^/api(/|$)(.*)", "/$2"))},
	{name: "a regular expression that is a trim without letter case", rules: rulesOf(rewrite.ReplacePathRegex("(?i)^/API(/.*)?$", "$1"))},
	{name: "a regular expression that is a trim of text", rules: rulesOf(rewrite.RewritePath("^/api(.*)$", "/$1"))},
	{name: "a barrier: a regular expression for package regexp", rules: rulesOf(rewrite.RewritePath("^/([^/]+)/v1/(.*)$", "/$2/$1"))},
	{name: "a barrier: chains before and behind it are fused, and so is what it is matched on",
		rules: rulesOf(rewrite.TrimPathPrefix("/api"), rewrite.AddPathPrefix("/x"), rewrite.ReplacePathRegex("[0-9]+", "n"),
			rewrite.AddPathPrefix("/y"), rewrite.AddPathPrefix("/z"), rewrite.TrimPathPrefix("/z/y/x"))},

	// Chains of query actions: one pass, whatever they are.
	{name: "rename there and back: the spelling is the new one", rules: rulesOf(rewrite.RenameQuery("a", "b"), rewrite.RenameQuery("b", "a"))},
	{name: "rename in a circle", rules: rulesOf(rewrite.RenameQuery("a", "tmp"), rewrite.RenameQuery("b", "a"), rewrite.RenameQuery("tmp", "b"))},
	{name: "keep after rename", rules: rulesOf(rewrite.RenameQuery("a", "b"), rewrite.KeepQuery("b"))},
	{name: "delete after rename", rules: rulesOf(rewrite.RenameQuery("a", "b"), rewrite.DeleteQuery("b"))},
	{name: "delete after add: nothing is added", rules: rulesOf(rewrite.AddQuery("a", "1"), rewrite.DeleteQuery("a"))},
	{name: "rename after add", rules: rulesOf(rewrite.AddQuery("a", "1"), rewrite.RenameQuery("a", "b"))},
	{name: "64 query actions: one pass", times: 32, rules: rulesOf(rewrite.RenameQuery("a", "b"), rewrite.SetQuery("c", "1"))},
	{name: "add after drop: a constant", rules: rulesOf(rewrite.DropQuery(), rewrite.AddQuery("a", "1"))},
	{name: "a template with a query part: a pass before, a pass behind",
		rules: rulesOf(rewrite.DeleteQuery("a"), rewrite.RewritePath("^/item/([0-9]+)$", "/item?id=$1"), rewrite.RenameQuery("id", "item"))},

	// Hooks and order.
	{name: "each hook is a program of its own", rules: []rewrite.Rule{
		{Hook: rewrite.Forward, Action: rewrite.SetHost("a.internal")},
		{Hook: rewrite.BeforeLocation, Action: rewrite.TrimPathPrefix("/a")},
		{Action: rewrite.DropQuery()},
		{Hook: rewrite.Forward, Action: rewrite.AddPathPrefix("/b")},
	}},
	{name: "lower order first, ties as in the list", rules: []rewrite.Rule{
		{Order: 1, Action: rewrite.AddPathPrefix("/a")},
		{Action: rewrite.AddPathPrefix("/b")},
		{Order: -1, Action: rewrite.AddPathPrefix("/c")},
		{Action: rewrite.AddPathPrefix("/d")},
	}},
	{name: "no rules: nothing"},
}

var anyHost = &rewrite.Options{AllowAnyHost: true}

// text returns the case as it stands in the golden file, without its name.
func (c *goldenCase) text(p *rewrite.Program) string {
	var b strings.Builder
	if c.opts != nil {
		fmt.Fprintf(&b, "AllowAnyHost %t, AllowedHosts %q\n", c.opts.AllowAnyHost, c.opts.AllowedHosts)
	}
	if c.times > 0 {
		fmt.Fprintf(&b, "%d times\n", c.times)
	}
	for _, r := range c.rules {
		if r.Hook != rewrite.AfterLocation {
			fmt.Fprintf(&b, "%v ", r.Hook)
		}
		if r.Order != 0 {
			fmt.Fprintf(&b, "order %d ", r.Order)
		}
		fmt.Fprintln(&b, r.Action)
	}
	for line := range strings.Lines(p.String()) {
		b.WriteString("\t" + line)
	}
	return b.String()
}

func TestGoldenPrograms(t *testing.T) {
	path := filepath.Join("testdata", "programs.golden")
	file, err := os.ReadFile(path)
	if err != nil && !golden.Updating() {
		t.Error(err)
	}
	want := map[string]string{}
	for _, section := range strings.Split(string(file), "\n# ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		want[name] = text
	}
	const head = "What rules compile to, as Program.String returns it. Written by TestGoldenPrograms.\n" +
		"> marks where a hook begins, * where it does for the path \"*\"; an end joins its constant and what is left of the path.\n"
	got := head
	for i := range goldenCases {
		c := &goldenCases[i]
		text := c.text(rewrite.MustCompile(slices.Repeat(c.rules, max(c.times, 1)), c.opts))
		got += "\n# " + c.name + "\n" + text
		t.Run(c.name, func(t *testing.T) {
			if text != want[c.name] && !golden.Updating() {
				t.Errorf("got\n%s\nwant\n%s", text, want[c.name])
			}
		})
	}
	golden.File(t, path, got)
}
