package nginx_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// one translates an Ingress of one path and returns its entry.
func one(t *testing.T, mode nginx.Mode, path, target string) *ingress.Entry {
	t.Helper()
	in := &ingress.Ingress{
		Name: "web", ClassName: "nginx", Annotations: map[string]string{prefix + "rewrite-target": target},
		Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
			{Path: path, Type: "ImplementationSpecific", Backend: &ingress.BackendRef{Service: "web", Port: 80}},
		}}},
	}
	got := nginx.New(&nginx.Options{Mode: mode}).Rewrite([]*ingress.Ingress{in}, nil)
	require.Len(t, got.Entries, 1, "%v", got.Problems)
	return &got.Entries[0]
}

// TestIdiomsArePrefixes: paths that are prefixes in disguise become prefix
// routes in Strict and, in both modes, instructions that run no regular
// expression.
func TestIdiomsArePrefixes(t *testing.T) {
	for _, c := range []struct {
		path, target string
		pattern      string // Strict
		actions      string // Strict
	}{
		{"/p(/|$)(.*)", "/$2", "h/p Prefix", `TrimPathPrefix("/p")`},
		{"/p(?:/|$)(.*)", "/$1", "h/p Prefix", `TrimPathPrefix("/p")`},
		{"/p(/|$)(.*)", "$1$2", "h/p Prefix", `TrimPathPrefix("/p")`},
		{"/p(/|$)(.*)$", "/$2", "h/p Prefix", `TrimPathPrefix("/p")`},
		{"/p/(.*)", "/$1", "h/p/ TextPrefix", `TrimPathPrefix("/p")`},
		{"/p/(.*)$", "/$1", "h/p/ TextPrefix", `TrimPathPrefix("/p")`},
		{"/p/q/(.*)", "/$1", "h/p/q/ TextPrefix", `TrimPathPrefix("/p/q")`},
		{"/p/?(.*)", "/$1", "h/p TextPrefix", `TrimPathText("/p")`},
		{"/p(/?)(.*)", "/$2", "h/p TextPrefix", `TrimPathText("/p")`},
		{"/p(/.*)?", "$1", "h/p Prefix", `TrimPathPrefix("/p")`},
		{"/p(/.*)?$", "$1", "h/p Prefix", `TrimPathPrefix("/p")`},
		{"/p(.*)", "/$1", "h/p TextPrefix", `RewritePath("^/p(.*)$", "/$1")`},
		{"/(.*)", "/$1", "h/ Prefix", ""},
		{"/(.*)", "/v2/$1", "h/ Prefix", `AddPathPrefix("/v2/")`},
		{"/p(/|$)(.*)", "/v2/$2", "h/p Prefix", `TrimPathPrefix("/p") AddPathPrefix("/v2/")`},
		{"/p/(.*)", "/v2/$1", "h/p/ TextPrefix", `TrimPathPrefix("/p") AddPathPrefix("/v2/")`},
		{"/v1\\.0/(.*)", "/$1", "h/v1.0/ TextPrefix", `TrimPathPrefix("/v1.0")`},
	} {
		t.Run(c.path+" "+c.target, func(t *testing.T) {
			for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
				e := one(t, mode, c.path, c.target)
				dump := rewrite.MustCompile(e.Rules, nil).String()
				assert.NotContains(t, dump, "regex", "%v: %v", mode, e.Rules)
				assert.NotContains(t, dump, "rewrite", "%v: %v", mode, e.Rules)
				if mode == nginx.Compat {
					continue
				}
				assert.Equal(t, c.pattern, e.Pattern.String())
				assert.Equal(t, c.actions, actions(e.Rules))
			}
		})
	}
}

// TestNoPlainPrefix: text that a prefix route or action would not take stays a
// regular expression.
func TestNoPlainPrefix(t *testing.T) {
	for _, path := range []string{`/\./(.*)`, `/\.\./(.*)`, "/p//(.*)", `/\x{e9}/(.*)`, "/p%20/(.*)", `/\?/(.*)`, "/(?i)p/(.*)", "/socket.io/(.*)"} {
		assert.Equal(t, route.Regex, one(t, nginx.Strict, path, "/$1").Pattern.Type, path)
	}
}

func actions(rules []rewrite.Rule) string {
	list := make([]string, len(rules))
	for i, r := range rules {
		list[i] = r.Action.String()
	}
	return strings.Join(list, " ")
}

// TestShapesAreTheirRegularExpressions runs every shape, and what is nearly one,
// with every target on all short paths: its route takes those that the regular
// expression matches for which it stands, and makes of them what that makes. Where the two differ, the expression would have made a path that
// begins with "//" or, inside, has a double slash at the joint.
func TestShapesAreTheirRegularExpressions(t *testing.T) {
	paths := []string{
		"/p(/|$)(.*)", "/p(?:/|$)(.*)", "/p/(.*)", "/p/q/(.*)", "/p/?(.*)", "/p(/?)(.*)", "/p(/.*)?$", "/p(.*)",
		"/(.*)", "/(p)/(.*)", "/p(/|$)", "/p$", "/p/q(/|$)(.*)", "/p(/(.*))?$", "/[pq](/|$)(.*)",
		"/p[pq](.*)", "/p(q|p)(.*)", "/p(/|q)(.*)", "/p(/.+)?$", "/p(.+)", "/p/(.+)", "/p(/?)(.+)", "/p(/|$)(.+)",
		"/p/??(.*)", "/p(/.*)??$", "/p(.*?)", "/p(/|$)", "/p(/|$)q", "/p/?", "/p/*(.*)", "/(p|q)/(.*)", "/p/(/|$)(.*)", "/p/(/.*)?$", "/p//(.*)",
	}
	targets := []string{
		"/", "/x", "/$1", "/$2", "$1", "$2", "/x/$1", "/x/$2", "/x$1", "/x$2", "$1$2", "/x$1$2", "/$1/$2", "/$2/x", "/x/$1$2", "/$2$1",
	}
	inputs := slices.DeleteFunc(texts("/pq", 6), func(s string) bool { return len(s) == 6 && s[:2] != "/p" })
	for _, path := range paths {
		re := regexp.MustCompile("^" + path)
		for _, target := range targets {
			for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
				e := one(t, mode, path, target)
				program := rewrite.MustCompile(e.Rules, nil)
				table, err := route.NewTable([]route.Route[bool]{{Pattern: e.Pattern, Value: true}}, nil)
				require.NoError(t, err)
				for _, input := range inputs {
					m := re.FindStringSubmatchIndex(input)
					if found, _ := table.Lookup("h", input); found != (m != nil) {
						t.Fatalf("%v, path %s: %v takes %s: %v; want %v", mode, path, e.Pattern, input, found, m != nil)
					}
					if m == nil {
						continue
					}
					want := string(re.ExpandString(nil, braced(target), input, m))
					u := rewrite.URL{Path: input}
					_, err := program.Apply(rewrite.AfterLocation, &u, nil)
					require.NoError(t, err)
					if !same(u.Path, want) {
						t.Fatalf("%v, path %s, target %s: %s becomes %s; want %s", mode, path, target, input, u.Path, want)
					}
				}
			}
		}
	}
}

// braced writes $1x as ${1}x, which package regexp reads as nginx reads $1x.
func braced(target string) string {
	return capture.ReplaceAllString(target, "$${$1}")
}

var capture = regexp.MustCompile(`\$([1-9])`)

// same compares paths as far as slashes count.
func same(got, want string) bool {
	return strings.HasPrefix(got, "/") && merged(got) == merged("/"+want)
}

// merged returns a path with one slash for each run of them.
func merged(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// texts returns all paths of up to n bytes of the alphabet.
func texts(alphabet string, n int) []string {
	list := []string{"/"}
	for from := 0; n > 1; n-- {
		to := len(list)
		for _, s := range list[from:to] {
			for _, c := range alphabet {
				list = append(list, s+string(c))
			}
		}
		from = to
	}
	return list
}

func TestForeignConstructs(t *testing.T) {
	for _, c := range []struct {
		path      string
		construct string // "" if RE2 has it
		offset    int
	}{
		{"/a(?=b)", "lookahead", 2},
		{"/a/(?!b).*", "negative lookahead", 3},
		{"/a(?<=b)", "lookbehind", 2},
		{"/a(?<!b)", "negative lookbehind", 2},
		{"/a(?>b)", "atomic group", 2},
		{"/a(?|b)", "branch reset", 2},
		{"/a(?#b)", "comment", 2},
		{"/a(?R)", "recursion", 2},
		{"/a(b)(?1)", "recursion", 5},
		{"/a(?P=n)", "back-reference", 2},
		{`/(a)\1`, "back-reference", 4},
		{`/(?<n>a)\k<n>`, "back-reference", 8},
		{"/(a)?(?(1)b)", "condition", 5},
		{"/a(*FAIL)", "verb", 2},
		{"/a++", "possessive", 2},
		{"/a*+", "possessive", 2},
		{"/a?+", "possessive", 2},
		{"/a{2,}+", "possessive", 5},
		{`/a\h`, "escape", 2},
		{`/a\K`, "escape", 2},
		{`/a\++`, "", 0},
		{"/a[(?=]+", "", 0},
		{"/a[*+]", "", 0},
		{`/[]\d]`, "", 0},
		{"/[[:alpha:]]+", "", 0},
		{"/(?:a|b)", "", 0},
		{"/a(", "missing closing", 0},
		{"/a**", "invalid nested repetition", 2},
	} {
		t.Run(c.path, func(t *testing.T) {
			in := &ingress.Ingress{
				Name: "web", ClassName: "nginx", Annotations: map[string]string{prefix + "use-regex": "true"},
				Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
					{Path: c.path, Type: "ImplementationSpecific", Backend: &ingress.BackendRef{Service: "web", Port: 80}},
				}}},
			}
			for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
				got := nginx.New(&nginx.Options{Mode: mode}).Rewrite([]*ingress.Ingress{in}, nil)
				if c.construct == "" {
					assert.Len(t, got.Entries, 1, "%v", got.Problems)
					continue
				}
				assert.Empty(t, got.Entries)
				p := find(t, got.Problems, nginx.CodeRegex)
				assert.Contains(t, p.Detail, c.construct)
				assert.Equal(t, rewrite.Origin{Key: "path", Offset: c.offset}, p.Origin)
				assert.Equal(t, ingress.Error, p.Severity)
			}
		})
	}
}

// find returns the first problem with a code.
func find(t *testing.T, list []ingress.Problem, code ingress.Code) ingress.Problem {
	t.Helper()
	for _, p := range list {
		if p.Code == code {
			return p
		}
	}
	require.Fail(t, "no problem "+string(code), fmt.Sprint(list))
	return ingress.Problem{}
}

// TestExclusions: for the idiom that excludes literal texts, the problem says
// which routes to write.
func TestExclusions(t *testing.T) {
	for path, routes := range map[string][]string{
		"/api/((?!admin|debug).*)":             {"/api/(.*)", "/api/admin and /api/debug"},
		"/((?!health).*)":                      {"/(.*)", "own, /health,"},
		"/api/(?!admin)(.*)":                   {"/api/(.*)", "own, /api/admin,"},
		"/((?!api/v1|api/v2|ws).*)$":           {"/(.*)", "/api/v1, /api/v2 and /ws"},
		`/((?!a\.js$|b).*)`:                    {"/(.*)", "/a.js and /b"},
		"/([a-z]+)/((?!admin).*)":              nil,
		"/api/((?![0-9]+).*)":                  nil,
		"/api/((?!admin":                       nil,
		"/((?!a|b|c|d|e|f|g|h|i|j|k|l|m|n).*)": {"/j and so on"},
	} {
		t.Run(path, func(t *testing.T) {
			in := &ingress.Ingress{
				Name: "web", ClassName: "nginx", Annotations: map[string]string{prefix + "rewrite-target": "/$1"},
				Rules: []ingress.Rule{{Paths: []ingress.Path{
					{Path: path, Type: "ImplementationSpecific", Backend: &ingress.BackendRef{Service: "web", Port: 80}},
				}}},
			}
			p := find(t, nginx.New(nil).Rewrite([]*ingress.Ingress{in}, nil).Problems, nginx.CodeRegex)
			assert.Contains(t, p.Detail, "negative lookahead")
			if routes == nil {
				assert.NotContains(t, p.Detail, "write the path")
			}
			for _, r := range routes {
				assert.Contains(t, p.Detail, r)
			}
		})
	}
}
