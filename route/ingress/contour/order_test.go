package contour_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

// In Compat expressions come before prefixes, the longest first, and behind Exact.
func TestRegexFirst(t *testing.T) {
	p := decode(t, "root", `{"virtualhost": {"fqdn": "h", "tls": {"secretName": "s"}}, "routes": [
		{"conditions": [{"prefix": "/a/long/prefix"}], "requestRedirectPolicy": {"path": "/prefix"}},
		{"conditions": [{"regex": "/a/.*"}], "requestRedirectPolicy": {"path": "/short"}},
		{"conditions": [{"regex": "/a/x[0-9]+"}], "requestRedirectPolicy": {"path": "/long"}},
		{"conditions": [{"regex": "/a/.*"}, {"header": {"name": "X-A", "present": true}}], "requestRedirectPolicy": {"path": "/header"}},
		{"conditions": [{"exact": "/a/x1"}], "requestRedirectPolicy": {"path": "/exact"}}]}`)
	for mode, want := range map[contour.Mode]map[string]string{
		contour.Strict: {"/a/long/prefix": "/prefix", "/a/x2": "/short", "/a/x1": "/exact", "/a/y": "/short"},
		contour.Compat: {"/a/long/prefix": "/short", "/a/x2": "/long", "/a/x1": "/exact", "/a/y": "/short"},
	} {
		got := (&contour.Options{Mode: mode}).Translate([]*contour.HTTPProxy{p}, nil)
		for path, to := range want {
			assert.Equal(t, "302 https://h"+to, ask(t, got.Entries, "https://h"+path, nil), "%v %s", mode, path)
			assert.Equal(t, "301 https://h"+path, ask(t, got.Entries, "http://h"+path, nil), "%v %s", mode, path)
		}
		assert.Equal(t, "302 https://h/header", ask(t, got.Entries, "https://h/a/y", headers{"X-A": "1"}))
		if mode == contour.Strict {
			assert.Empty(t, got.Problems)
			continue
		}
		require.Equal(t, []ingress.Code{contour.CodeRegexFirst, contour.CodeRegexFirst, contour.CodeRegexFirst}, codes(got.Problems))
		assert.Equal(t, "spec.routes[1].conditions", got.Problems[0].Origin.Key)
		assert.Equal(t, 1, got.Problems[0].Source.Rule)
	}
}

// Over all Ingresses, but for default backends.
func TestRegexFirstOfIngresses(t *testing.T) {
	list := []*ingress.Ingress{made("/a/b", "Prefix", nil), made("/a/.*", "", nil), made("/a/[a-z]+/c", "", nil)}
	for i, in := range list {
		in.Name = string(rune('a' + i))
	}
	list[0].Default = &ingress.BackendRef{Service: "other", Port: 80}
	for mode, want := range map[contour.Mode]map[string]string{
		contour.Strict: {"/a/b/c": "a", "/a/x/c": "b", "/a/x": "b"},
		contour.Compat: {"/a/b/c": "c", "/a/x/c": "c", "/a/x": "b"},
	} {
		rewriter := contour.New(&contour.Options{Mode: mode})
		assert.Equal(t, "contour", rewriter.Name())
		got := rewriter.Rewrite(list, nil)
		table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) { return e.Source.Name, nil })
		require.Empty(t, problems)
		for path, name := range want {
			found, ok := table.Lookup("h", path)
			assert.True(t, ok)
			assert.Equal(t, name, found, "%v %s", mode, path)
		}
		found, _ := table.Lookup("else", "/a/b/c")
		assert.Equal(t, "a", found, "the default backend")
		assert.Len(t, got.Problems, map[contour.Mode]int{contour.Strict: 1, contour.Compat: 3}[mode], "of the default backend, and of both expressions")
	}
	alone := contour.New(&contour.Options{Mode: contour.Compat}).Rewrite(list[1:2], nil)
	assert.Empty(t, alone.Problems, "there is nothing that it could come before")
}
