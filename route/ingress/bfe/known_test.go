package bfe

// What is said to be known of a path is so, on every path, after any actions.

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

func TestKnownHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	texts := []string{"/", "/a", "/a/", "/ab", "/a/b", "/a/b/", "/b", "/%61", "/a%20b", "/b/a/b", "/a.com/b"}
	pick := func() string { return texts[rng.IntN(len(texts))] }
	actions := func() rewrite.Action {
		return []rewrite.Action{
			rewrite.SetPath(pick()), rewrite.AddPathPrefix(pick()), rewrite.TrimPathPrefix(pick()), rewrite.TrimPathPrefix(pick(), pick()),
			rewrite.TrimPathText(pick()), rewrite.StripPathSegments(1 + rng.IntN(2)), rewrite.HostFromPathPrefix(), rewrite.SetHost("x.com"),
			rewrite.ReplacePathPrefix(pick(), "/b"), rewrite.AddQuery("a", "b"),
		}[rng.IntN(10)]
	}
	useful := 0
	for range 20000 {
		p := route.Pattern{Path: pick(), Type: route.PathType(rng.IntN(3))}
		table, err := route.NewTable([]route.Route[bool]{{Pattern: p}}, nil)
		require.NoError(t, err)
		u := rewrite.URL{Scheme: "http", Host: "h", Path: pick() + strings.TrimPrefix(pick(), "/")}
		if _, ok := table.Lookup(u.Host, u.Path); !ok || strings.Contains(u.Path, "//") {
			continue
		}
		k := knownOf(p)
		for range 4 {
			path := canonical(u.Path)
			if !assert.True(t, strings.HasPrefix(path, k.path) && (path == k.path || !k.exact && path[len(k.path)] == '/'), "%+v of %s", k, u.Path) {
				return
			}
			trim := strings.TrimSuffix(canonical(pick()), "/")
			if trim != "" && k.trimsSegments(trim) && strings.HasPrefix(path, trim) {
				useful++
				rest := path[len(trim):]
				require.True(t, rest == "" || rest[0] == '/', "%s of %s, of which %+v is known", trim, path, k)
			}
			if n := 1 + rng.IntN(3); true {
				if prefix, ok := k.segments(n); ok {
					require.Equal(t, n, strings.Count(prefix, "/"))
					require.True(t, strings.HasPrefix(path, prefix))
				}
			}
			a := actions()
			program, err := rewrite.Compile([]rewrite.Rule{{Action: a}}, &rewrite.Options{AllowAnyHost: true})
			require.NoError(t, err)
			if _, err := program.Apply(rewrite.AfterLocation, &u, nil); err != nil {
				break
			}
			k = k.after(a)
		}
	}
	assert.Greater(t, useful, 1000)
}
