// Order ties: which pairs of actions may run in either order.

package annotation_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/internal/texts"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// worldParams are params of each key out of a small world: prefixes that are
// each other's beginnings or powers, one that is a host, the identity; names
// that meet or do not, one of which does not decode when it is a key.
var worldParams = map[string][]string{
	"host":                    {`"y.org"`},
	"host-from-path-prefix":   {`true`},
	"path":                    {`"/"`, `"/a"`, `"/a/b/"`},
	"path-prefix-add":         {`"/"`, `"/a"`, `"b"`, `"/a/"`, `"/a/a"`, `"/a/b"`, `"/x.com"`, `"/%2Fa"`},
	"path-prefix-trim":        {`"/"`, `"/a"`, `"b"`, `"/a/"`, `"/a/a"`, `"/a/b"`, `"/x.com"`, `"/%2fa"`},
	"path-prefix-strip":       {`1`, `2`},
	"query-add":               {`{"a": "1"}`, `{"b": ""}`, `{"%zz": "&"}`},
	"query-delete":            {`["a"]`, `["b"]`, `["%zz"]`, `["a", "b"]`, `["a", "%zz"]`, `["a", "b", "%zz"]`, `["c"]`},
	"query-rename":            {`{"a": "a"}`, `{"a": "b"}`, `{"a": "%zz"}`, `{"b": "a"}`, `{"%zz": "a"}`, `{"%zz": "%zz"}`, `{"c": "b"}`},
	"query-delete-all-except": {`"a"`, `"b"`, `"%zz"`, `["a", "b"]`, `["a", "%zz"]`, `["a", "b", "%zz"]`, `"c"`},
}

var worldKeys = []string{
	"host", "host-from-path-prefix", "path", "path-prefix-add", "path-prefix-trim", "path-prefix-strip",
	"query-add", "query-delete", "query-rename", "query-delete-all-except",
}

// worldURLs has every path of up to four segments and every query of up to
// three pairs of a small world, and random clean URLs.
func worldURLs(random int) []rewrite.URL {
	var urls []rewrite.URL
	add := func(path, query string) {
		urls = append(urls, rewrite.URL{Scheme: "http", Host: "x.com", Path: path, RawQuery: query})
	}
	for _, path := range texts.UpTo("", []string{"/a", "/b", "/x.com", "/%2Fa", "/"}, 4) {
		if path != "" {
			add(path, "a=1&&b")
		}
	}
	for _, query := range texts.UpTo("", []string{"&", "&a=1", "&%61", "&b=", "&%zz=2", "&%25zz", "&c"}, 3) {
		add("/a/b", strings.TrimPrefix(query, "&"))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range random {
		urls = append(urls, rewritetest.CleanURL(r))
	}
	return urls
}

// The table of what commutes is exact: where it says that two actions do, all
// URLs agree, and where it says that they do not, there is one that shows it.
// The second half also shows that the table is not stricter than it must be.
func TestCommuteIsExact(t *testing.T) {
	random := 2000
	if testing.Short() {
		random = 100
	}
	urls := worldURLs(random)
	for _, hosts := range []*rewrite.Options{{AllowAnyHost: true}, {AllowedHosts: []string{"x.com"}}} {
		opts := &annotation.Options{Rewrite: hosts}
		pairs, ties := 0, 0
		for i, keyA := range worldKeys {
			for _, keyB := range worldKeys[i+1:] {
				for _, paramsA := range worldParams[keyA] {
					for _, paramsB := range worldParams[keyB] {
						m := prefixed(map[string]string{keyA: `[{"params": ` + paramsA + `}]`, keyB: `[{"params": ` + paramsB + `}]`})
						plan, err := annotation.Parse(m, opts)
						tie := false
						if err != nil {
							e := list(t, err)
							if e[0].Code == annotation.CodeConflict {
								continue
							}
							require.Len(t, e, 1, err)
							require.Equal(t, annotation.CodeOrderTie, e[0].Code, err)
							tie = true
							ties++
							plan, err = annotation.Parse(m, &annotation.Options{TableOrder: true, Rewrite: hosts})
							require.NoError(t, err)
						}
						pairs++
						witness, differ := firstDifference(t, plan.Rules, hosts, urls)
						switch {
						case differ && !tie:
							t.Errorf("%v said to commute, but not for %v", m, witness)
						case tie && !differ:
							t.Errorf("%v said not to commute, but no URL shows it", m)
						}
					}
				}
			}
		}
		assert.Greater(t, pairs, 800)
		assert.Greater(t, ties, 100)
	}
}

// firstDifference returns a URL on which two rules differ by their order.
func firstDifference(t *testing.T, rules []rewrite.Rule, opts *rewrite.Options, urls []rewrite.URL) (rewrite.URL, bool) {
	t.Helper()
	require.Len(t, rules, 2)
	ab, err := rewrite.Compile(rules, opts)
	require.NoError(t, err)
	ba, err := rewrite.Compile([]rewrite.Rule{rules[1], rules[0]}, opts)
	require.NoError(t, err)
	for _, u := range urls {
		u1, u2 := u, u
		_, err1 := ab.Apply(rewrite.AfterLocation, &u1, nil)
		_, err2 := ba.Apply(rewrite.AfterLocation, &u2, nil)
		if err1 != err2 || u1 != u2 {
			return u, true
		}
	}
	return rewrite.URL{}, false
}

func TestOrderTie(t *testing.T) {
	m := prefixed(map[string]string{
		"query-add":        `[{"params": {"a": "1", "k": "2", "b": "3"}, "order": 4}]`,
		"query-delete":     `[{"params": ["k", "b"], "order": 4}]`,
		"path-prefix-add":  `[{"params": "/a"}, {"params": "/b", "when": "Forward"}]`,
		"path-prefix-trim": `[{"when": "Forward", "params": "/c"}]`,
	})
	_, err := annotation.Parse(m, nil)
	e := list(t, err)
	require.Len(t, e, 2, err)

	p := annotation.DefaultPrefix
	assert.Equal(t, annotation.CodeOrderTie, e[0].Code)
	assert.Equal(t, rewrite.Origin{Key: p + "path-prefix-trim", Index: 0, Offset: 31}, rewrite.Origin{Key: e[0].Key, Index: e[0].Index, Offset: e[0].Offset})
	assert.Equal(t, []rewrite.Origin{{Key: p + "path-prefix-add", Index: 1, Offset: 30}}, e[0].Related)
	assert.Contains(t, e[0].Detail, "runs at Forward with order 0, as "+p+"path-prefix-add does")

	// One error for two annotations: the first pair of actions that matters.
	assert.Equal(t, rewrite.Origin{Key: p + "query-delete", Index: 0, Offset: 12}, rewrite.Origin{Key: e[1].Key, Index: e[1].Index, Offset: e[1].Offset})
	assert.Equal(t, []rewrite.Origin{{Key: p + "query-add", Index: 0, Offset: 23}}, e[1].Related)

	// With TableOrder they are warnings, and the table of keys decides.
	plan, err := annotation.Parse(m, &annotation.Options{TableOrder: true})
	require.NoError(t, err)
	require.Len(t, plan.Warnings, 2)
	for i, w := range plan.Warnings {
		assert.Equal(t, annotation.CodeOrderTie, w.Code)
		assert.Equal(t, e[i].Related, w.Related)
		assert.Contains(t, w.Detail, "it runs second")
	}
	assert.Equal(t, append(append(after(0, rewrite.AddPathPrefix("/a")),
		after(4, rewrite.AddQuery("a", "1"), rewrite.AddQuery("k", "2"), rewrite.AddQuery("b", "3"), rewrite.DeleteQuery("k", "b"))...),
		at(rewrite.Forward, 0, rewrite.AddPathPrefix("/b"), rewrite.TrimPathPrefix("/c"))...), plain(plan.Rules))
}

// What is in one annotation, at another hook or of another order is no tie.
func TestNoTie(t *testing.T) {
	for name, m := range map[string]map[string]string{
		"one annotation": {"query-rename": `[{"params": {"a": "b", "b": "c"}}]`},
		"another hook":   {"path-prefix-add": `[{"params": "/a"}]`, "path-prefix-trim": `[{"params": "/a", "when": "Forward"}]`},
		"another order":  {"path-prefix-add": `[{"params": "/a"}]`, "path-prefix-trim": `[{"params": "/a", "order": 1}]`},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := annotation.Parse(prefixed(m), nil)
			require.NoError(t, err)
			assert.Len(t, plan.Rules, 2)
		})
	}
}

func TestConflicts(t *testing.T) {
	values := map[string]string{
		"host": `[{"params": "a.com"}]`, "host-from-path-prefix": `[{"params": true, "when": "Forward"}]`,
		"path": `[{"params": "/a"}]`, "path-prefix-add": `[{"params": "/b", "when": "Forward"}]`,
		"path-prefix-trim": `[{"params": "/b", "when": "Forward"}]`, "path-prefix-strip": `[{"params": 1}]`,
	}
	for _, pair := range [][2]string{
		{"host", "host-from-path-prefix"}, {"path", "path-prefix-add"}, {"path", "path-prefix-trim"}, {"path", "path-prefix-strip"},
	} {
		t.Run(pair[1], func(t *testing.T) {
			_, err := annotation.Parse(prefixed(map[string]string{pair[0]: values[pair[0]], pair[1]: values[pair[1]]}), anyHost)
			e := list(t, err)
			require.Len(t, e, 1, err)
			assert.Equal(t, annotation.CodeConflict, e[0].Code)
			assert.Equal(t, annotation.DefaultPrefix+pair[1], e[0].Key)
			assert.Equal(t, []rewrite.Origin{{Key: annotation.DefaultPrefix + pair[0], Index: -1, Offset: -1}}, e[0].Related)
		})
	}
}
