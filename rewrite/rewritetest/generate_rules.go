package rewritetest

// Generated actions and rules.

import (
	"math/rand/v2"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// Rules returns n rules with actions from Action. Half of them are at
// AfterLocation; orders are -1, 0 or 1, so that ties and swaps are common.
// They compile with AllowAnyHost or AllowedHosts.
func Rules(r *rand.Rand, n int) []rewrite.Rule {
	rules := make([]rewrite.Rule, n)
	for i := range rules {
		hook := rewrite.AfterLocation
		if r.IntN(2) > 0 {
			hook = pick(r, []rewrite.Hook{rewrite.BeforeLocation, rewrite.Forward})
		}
		rules[i] = rewrite.Rule{Hook: hook, Order: r.IntN(3) - 1, Action: Action(r)}
	}
	return rules
}

// Action returns an action that compiles; HostFromPathPrefix, one in twenty,
// does so with AllowAnyHost or AllowedHosts only. Half of the actions are
// about the path, three in ten about the query. Prefixes, names and hosts are from
// the sets that CleanURL draws on, in other spellings too. The regular
// expressions are prefix rewrites in disguise, with and without (?i), and ones
// that are not, with captures in path and query.
func Action(r *rand.Rand) rewrite.Action {
	switch n := r.IntN(20); {
	case n < 10:
		return pathAction(r)
	case n < 16:
		return queryAction(r)
	case n == 16:
		return rewrite.HostFromPathPrefix()
	case n == 17:
		return rewrite.SetScheme(pick(r, []string{"http", "https"}))
	default:
		return hostAction(r)
	}
}

func pathAction(r *rand.Rand) rewrite.Action {
	switch r.IntN(10) {
	case 0:
		return rewrite.SetPath(prefix(r))
	case 1:
		return rewrite.AddPathPrefix(prefix(r))
	case 2:
		return rewrite.TrimPathPrefix(several(r, prefix)...)
	case 3:
		return rewrite.StripPathSegments(1 + r.IntN(3))
	case 4:
		return rewrite.ReplacePathPrefix(prefix(r), replacement(r))
	case 5:
		return rewrite.TrimPathText(several(r, textPrefix)...)
	case 6:
		return rewrite.ReplacePathText(textPrefix(r), replacement(r))
	case 7:
		p := pick(r, idioms)
		literal := "/" + pick(r, []string{"a", "api", "api/v1", "a.b"})
		return rewrite.RewritePath(strings.Replace(p[0], "P", quoteDots(literal), 1), p[1])
	case 8:
		p := pick(r, patterns)
		return rewrite.RewritePath(p[0], p[1])
	default:
		p := pick(r, replacements)
		return rewrite.ReplacePathRegex(p[0], p[1])
	}
}

// idioms are the prefix rewrites that operators write as regular expressions,
// and a few that nearly are; P is the prefix.
var idioms = [][2]string{
	{"^P(/|$)(.*)", "/$2"}, {"^P(/.*)?$", "$1"}, {"^P/?(.*)", "/$1"}, {"^P(.*)$", "/$1"}, {"^P/(.*)$", "/$1"},
	{"(?i)^P(/|$)(.*)", "/$2"}, {"(?i)^P/?(.*)", "/$1"}, {"(?i)^P(.*)$", "/$1"},
	{"P(/|$)(.*)", "/$2"}, {"^P(/|$)(.*)", "/$1"}, {"^P(.*)", "$1"}, {"^P/(.+)$", "/$1"},
}

// patterns are templates that no prefix rewrite can express.
var patterns = [][2]string{
	{"^/([^/]+)/(.*)$", "/$2/$1"}, {"^/(.*)$", "$1"}, {"(.*)", "/b$1"}, {"^/(.)(.*)$", "/$10$2x"},
	{"^/api(.*)$", "/v1$1"}, {"/((.*))$", "/$1$2"}, {"b", ""}, {"^/a(/|$)", "/$$1/${1}"},
	{"^/a/(.*)$", "/b?q=$1"}, {"^/(a|b)(.*)$", "/x$2?from=$1&k"}, {"^/([^/]*)", "/?$1=1"}, {"a", "/b?"}, {"^/b", "/a?x=1?"},
}

var replacements = [][2]string{
	{"a", "b"}, {"/+", "/"}, {"(a)(b?)", "$2$1"}, {"%2[Ff]", "/"}, {"^/a", ""}, {"$", "/b"}, {"a(.)", "$1$1"},
	{"", "b"}, {"/(.)", "$1/"}, {"(?i)API", "/"}, {"[^/]+", "b"}, {"zzz", "a"},
}

func quoteDots(s string) string { return strings.ReplaceAll(s, ".", `\.`) }

// prefix returns a parameter that matches by segment or sets a path.
func prefix(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(2) {
		segment := pick(r, plainSegments)
		switch r.IntN(12) {
		case 0:
			segment = escapeOneLetter(r, segment)
		case 1:
			segment = pick(r, []string{"café", "a b", "a%2Fb", "..;", "%2561", "caf%c3%a9", "a;v=1"})
		}
		b.WriteString("/" + segment)
	}
	switch r.IntN(8) {
	case 0, 1:
		b.WriteByte('/')
	case 2:
		return "/"
	}
	return b.String()
}

// textPrefix returns a prefix that may end within a segment.
func textPrefix(r *rand.Rand) string {
	if oneIn(r, 3) {
		return pick(r, []string{"/ap", "/api/v", "/a.", "/api.", "/caf", "/%61p", "/api../"})
	}
	return prefix(r)
}

func replacement(r *rand.Rand) string {
	if oneIn(r, 4) {
		return pick(r, []string{"", "/"})
	}
	return prefix(r)
}

func queryAction(r *rand.Rand) rewrite.Action {
	name := func(r *rand.Rand) string { return pick(r, queryNames) }
	text := pick(r, []string{"", "1", "x y", "a&b=c", "é", "%41", "#?"})
	switch r.IntN(12) {
	case 0, 1:
		return rewrite.AddQuery(name(r), text)
	case 2, 3:
		return rewrite.SetQuery(name(r), text)
	case 4, 5, 6:
		return rewrite.DeleteQuery(several(r, name)...)
	case 7, 8, 9:
		return rewrite.RenameQuery(name(r), name(r))
	case 10:
		return rewrite.KeepQuery(several(r, name)...)
	default:
		return rewrite.DropQuery()
	}
}

func hostAction(r *rand.Rand) rewrite.Action {
	name := pick(r, []string{"x.com", "y.org", "A.Example", "bücher.example", "127.0.0.1", "[::1]", "a_b"})
	port := pick(r, []string{"80", "443", "8080"})
	switch r.IntN(5) {
	case 0:
		return rewrite.SetHost(name)
	case 1:
		return rewrite.SetHost(name + ":" + port)
	case 2:
		return rewrite.SetHostname(name)
	case 3:
		return rewrite.SetPort(pick(r, []string{"", port}))
	default:
		return rewrite.ReplaceHostSuffix(pick(r, []string{"x.com", ".x.com", "com", "org", "y.org"}), pick(r, []string{"y.org", ".internal", "x.com", "b"}))
	}
}

// several returns one to three of what draw returns.
func several(r *rand.Rand, draw func(*rand.Rand) string) []string {
	list := make([]string, 1+r.IntN(3))
	for i := range list {
		list[i] = draw(r)
	}
	return list
}
