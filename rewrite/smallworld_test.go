// Every path of a small world through every path action.

package rewrite_test

import (
	"testing"

	"github.com/readdress/readdress/internal/texts"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// smallWorld are the symbols that the faults of path rewriting are made of:
// boundaries and what looks like one, dots in both spellings, a letter, and
// the start of a path parameter.
var smallWorld = []string{"/", ".", "a", "%2e", "%2F", "%5c", ";"}

// smallWorldActions has each path action with parameters that meet the paths
// in every way: not at all, up to a boundary, within a segment, completely.
var smallWorldActions = []rewrite.Action{
	rewrite.SetPath("/"),
	rewrite.SetPath("/a;/b"),
	rewrite.AddPathPrefix("/"),
	rewrite.AddPathPrefix("/b"),
	rewrite.AddPathPrefix("/a/"),
	rewrite.TrimPathPrefix("/"),
	rewrite.TrimPathPrefix("/a"),
	rewrite.TrimPathPrefix("/a/a", "/;", "/a"),
	rewrite.TrimPathPrefix("/a%2Fa/"),
	rewrite.TrimPathPrefix("/a%2e"),
	rewrite.StripPathSegments(1),
	rewrite.StripPathSegments(2),
	rewrite.StripPathSegments(3),
	rewrite.ReplacePathPrefix("/", "/b"),
	rewrite.ReplacePathPrefix("/a", ""),
	rewrite.ReplacePathPrefix("/a", "/"),
	rewrite.ReplacePathPrefix("/a", "/a/b/"),
	rewrite.TrimPathText("/"),
	rewrite.TrimPathText("/a"),
	rewrite.TrimPathText("/a/", "/%5C"),
	rewrite.TrimPathText("/a%2f"),
	rewrite.ReplacePathText("/", "/b"),
	rewrite.ReplacePathText("/a", ""),
	rewrite.ReplacePathText("/a", "/"),
	rewrite.ReplacePathText("/a", "/b/"),
	rewrite.RewritePath("^/a(/|$)(.*)", "/$2"),
	rewrite.RewritePath("^/a(/.*)?$", "$1"),
	rewrite.RewritePath("^/a/?(.*)", "/$1"),
	rewrite.RewritePath("^/a(.*)$", "/$1"),
	rewrite.RewritePath("^/a/(.*)$", "/$1"),
	rewrite.RewritePath("(?i)^/A(/|$)(.*)", "/$2"),
	rewrite.RewritePath("^/(.*)$", "$1"),
	rewrite.RewritePath("^/([^/]*)/(.*)$", "/$2/$1"),
	rewrite.RewritePath("^/a(.*)$", "/b?q=$1"),
	rewrite.RewritePath("[.]", ""),
	rewrite.ReplacePathRegex("a", ""),
	rewrite.ReplacePathRegex("/+", "/"),
	rewrite.ReplacePathRegex("%2F|%5c", "/"),
	rewrite.ReplacePathRegex(";", "a"),
	rewrite.ReplacePathRegex("(.)/", "$1"),
	rewrite.HostFromPathPrefix(),
}

// smallWorldChains are actions whose joints meet.
var smallWorldChains = [][]rewrite.Action{
	{rewrite.TrimPathPrefix("/a"), rewrite.AddPathPrefix("/a")},
	{rewrite.AddPathPrefix("/a"), rewrite.TrimPathText("/a/a"), rewrite.StripPathSegments(1)},
	{rewrite.StripPathSegments(1), rewrite.ReplacePathPrefix("/a", "/"), rewrite.TrimPathPrefix("/;")},
	{rewrite.ReplacePathText("/a", "/a/b"), rewrite.StripPathSegments(2), rewrite.AddPathPrefix("/a")},
	{rewrite.TrimPathText("/a"), rewrite.RewritePath("^/;(.*)$", "/a$1"), rewrite.TrimPathPrefix("/a")},
}

// Whatever the path, clean or not, the guarantees hold, and the fused program
// does what its rules do one by one.
func TestSmallWorld(t *testing.T) {
	longest := 6
	if testing.Short() || buildSetting(t, "-race") == "true" {
		longest = 4
	}
	paths := texts.UpTo("", smallWorld, longest)
	chains := smallWorldChains
	for _, a := range smallWorldActions {
		chains = append(chains, []rewrite.Action{a})
	}
	for _, actions := range chains {
		var rules []rewrite.Rule
		name := ""
		for _, a := range actions {
			rules = append(rules, rewrite.Rule{Action: a})
			name += a.String()
		}
		p := rewrite.MustCompile(rules, &rewrite.Options{AllowAnyHost: true})
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s rewrite.Scratch
			for _, path := range paths {
				in := rewrite.URL{Path: path}
				out := in
				s.Reuse()
				result, err := p.Apply(rewrite.AfterLocation, &out, &s)
				if err := rewritetest.Check(p, rewrite.AfterLocation, in, out, result, err); err != nil {
					t.Fatal(err)
				}
				if err := explained(p, rewrite.AfterLocation, in, out, result, err); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
