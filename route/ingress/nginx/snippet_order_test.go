package nginx_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// A line is a rewrite of a snippet, with groups as package regexp writes them.
type line struct{ expr, to, flag string }

// run is what nginx makes of a path by lines, of which a break, and in a server
// a last, ends the others if it matches.
func run(lines []line, path string) string {
	for _, l := range lines {
		re := compiled(l.expr)
		if m := re.FindStringSubmatchIndex(path); m != nil {
			path = string(re.ExpandString(nil, l.to, path, m))
			if l.flag != "" {
				break
			}
		}
	}
	return path
}

// TestLinesInOrder: of random lines those that end the others do so, or a problem
// says that they do not.
func TestLinesInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	exprs := []string{"^/a$", "^/b$", "^/a/(.*)$", "^/b/(.*)$", "^/ab", "^/b", "^/(a|b)$", "^/c/(.*)$", "^/c$", "a$", "(?i)^/A/(.*)$", "^/a/b$", "^/bb$"}
	targets := []string{"/a", "/b", "/c", "/a/$1", "/b/$1", "/c/$1", "/c/a", "/bb", "/a/b", "/x$1"}
	inputs := append(texts("/ab", 4), "/c", "/c/a", "/A/b", "/c/b")
	exact, reordered := 0, 0
	for range 1500 {
		server := r.IntN(2) == 0
		name, flags := "configuration-snippet", []string{"break"}
		if server {
			name, flags = "server-snippet", []string{"break", "last", ""}
		}
		var lines []line
		snippet := ""
		for range 2 + r.IntN(3) {
			l := line{exprs[r.IntN(len(exprs))], targets[r.IntN(len(targets))], flags[r.IntN(len(flags))]}
			if strings.Contains(l.to, "$1") && !strings.Contains(l.expr, "(.*)") {
				continue
			}
			lines = append(lines, l)
			snippet += fmt.Sprintf("rewrite %s %s %s;\n", l.expr, l.to, l.flag)
		}
		if len(lines) < 2 {
			continue
		}
		got := nginx.New(nil).Rewrite([]*ingress.Ingress{made(map[string]string{name: snippet})}, nil)
		require.Len(t, got.Entries, 1)
		if slices.ContainsFunc(got.Problems, func(p ingress.Problem) bool { return p.Code == nginx.CodeSnippetChain }) {
			continue
		}
		require.Empty(t, got.Problems)
		exact++
		first := got.Entries[0].Rules[0].Action.Args()[0]
		if first != lines[0].expr {
			reordered++
		}
		program := rewrite.MustCompile(got.Entries[0].Rules, nil)
		for _, path := range inputs {
			u := rewrite.URL{Scheme: "http", Host: "h", Path: path}
			for _, hook := range []rewrite.Hook{rewrite.BeforeLocation, rewrite.AfterLocation} {
				_, err := program.Apply(hook, &u, nil)
				require.NoError(t, err)
			}
			if want := merged(run(lines, path)); merged(u.Path) != want {
				t.Fatalf("%s becomes %s; want %s\n%s", path, u.Path, want, snippet)
			}
		}
	}
	assert.Greater(t, exact, 300)
	assert.Greater(t, reordered, 50)
}
