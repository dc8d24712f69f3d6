package gateway_test

// What Translate makes of rules that are right.

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

// A request of a test; its header fields are in canonical form.
type request struct {
	method string
	header map[string]string
}

func (r request) Method() string { return r.method }

func (r request) Header(name string) (string, bool) {
	v, ok := r.header[name]
	return v, ok
}

// decode decodes a route of which only the spec is given.
func decode(t testing.TB, name, spec string) *gateway.HTTPRoute {
	t.Helper()
	r := &gateway.HTTPRoute{}
	require.NoError(t, json.Unmarshal([]byte(`{"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute","metadata":{"name":"`+name+`"},"spec":`+spec+`}`), r))
	return r
}

// find returns the entry that a table finds for a URL.
func find(t testing.TB, entries []ingress.Entry, c *ingress.Cluster, url string, r route.Request) *ingress.Entry {
	t.Helper()
	table, problems := ingress.Build(entries, c, func(e *ingress.Entry, _ *ingress.Compiled) (*ingress.Entry, error) { return e, nil })
	for _, p := range problems {
		assert.Equal(t, ingress.CodeShadowed, p.Code, p.Error())
	}
	u, err := rewrite.Parse(url)
	require.NoError(t, err)
	e, _ := table.Match(&u, r)
	return e
}

// apply returns what the rules of an entry make of a path.
func apply(t testing.TB, e *ingress.Entry, path string) string {
	t.Helper()
	u := rewrite.URL{Scheme: "http", Host: "h", Path: path}
	_, err := rewrite.MustCompile(e.Rules, nil).Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	return u.Path
}

func prefixRule(match, replacement string) string {
	return `{"rules": [{"matches": [{"path": {"type": "PathPrefix", "value": "` + match + `"}}],
		"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "` + replacement + `"}}}],
		"backendRefs": [{"name": "web", "port": 80}]}]}`
}

// The table in the API's description of ReplacePrefixMatch, all of its rows.
func TestReplacePrefixMatchTable(t *testing.T) {
	for _, c := range []struct{ path, match, replacement, want string }{
		{"/foo/bar", "/foo", "/xyz", "/xyz/bar"},
		{"/foo/bar", "/foo", "/xyz/", "/xyz/bar"},
		{"/foo/bar", "/foo/", "/xyz", "/xyz/bar"},
		{"/foo/bar", "/foo/", "/xyz/", "/xyz/bar"},
		{"/foo", "/foo", "/xyz", "/xyz"},
		{"/foo/", "/foo", "/xyz", "/xyz/"},
		{"/foo/bar", "/foo", "", "/bar"},
		{"/foo/", "/foo", "", "/"},
		{"/foo", "/foo", "", "/"},
		{"/foo/", "/foo", "/", "/"},
		{"/foo", "/foo", "/", "/"},
	} {
		t.Run(c.path+" "+c.match+" "+c.replacement, func(t *testing.T) {
			got := result(decode(t, "web", prefixRule(c.match, c.replacement)))
			require.Empty(t, got.Problems)
			assert.Equal(t, c.want, apply(t, find(t, got.Entries, cluster, "http://h"+c.path, nil), c.path))
		})
	}
}

// gateway-api#3592 and #4660: implementations make /xyzfoo of this.
func TestReport33MatchRoot(t *testing.T) {
	got := result(decode(t, "web", prefixRule("/", "/xyz")))
	assert.Equal(t, "/xyz/foo", apply(t, &got.Entries[0], "/foo"))
	assert.Equal(t, "/xyz/", apply(t, &got.Entries[0], "/"))
}

// envoy gateway#2976, envoy#26055, consul PR 23035, apisix PR 2597, agentgateway
// PR 430: //bar, /onetwo, or no match at all.
func TestReport34ReplaceByRoot(t *testing.T) {
	got := result(decode(t, "web", prefixRule("/foo", "/")))
	assert.Equal(t, "/bar", apply(t, &got.Entries[0], "/foo/bar"))
	got = result(decode(t, "web", prefixRule("/prefix/one", "/one")))
	assert.Equal(t, "/one/two", apply(t, &got.Entries[0], "/prefix/one/two"))
}

// A prefix that is cut is an instruction, and Entry.StripPrefix knows it.
func TestInstructions(t *testing.T) {
	for _, c := range []struct{ match, replacement string }{{"/foo", "/"}, {"/foo/", ""}, {"/foo", "/bar"}} {
		t.Run(c.match+" "+c.replacement, func(t *testing.T) {
			got := result(decode(t, "web", prefixRule(c.match, c.replacement)))
			dump := rewrite.MustCompile(got.Entries[0].Rules, nil).String()
			assert.Contains(t, dump, `trim "/foo"`)
			assert.NotContains(t, dump, "regex")
			prefix, ok := got.Entries[0].StripPrefix()
			assert.Equal(t, c.replacement != "/bar", ok)
			if ok {
				assert.Equal(t, c.match, prefix)
			}
		})
	}
	assert.Empty(t, result(decode(t, "web", prefixRule("/", "/"))).Entries[0].Rules)
}

func TestTranslate(t *testing.T) {
	r := decode(t, "shop", `{
		"hostnames": ["a.example.com", "*.b.example.com", "A.example.com"],
		"rules": [{
			"matches": [
				{"path": {"value": "/x"}, "method": "GET", "headers": [{"name": "X-A", "value": "1"}]},
				{"path": {"type": "Exact", "value": "/y"}, "queryParams": [{"type": "RegularExpression", "name": "q", "value": "[0-9]+"}]},
				{"path": {"type": "RegularExpression", "value": "/z/[a-z]+"}}
			],
			"filters": [
				{"type": "URLRewrite", "urlRewrite": {"hostname": "Internal.example", "path": {"type": "ReplaceFullPath", "replaceFullPath": "/full"}}},
				{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": [{"name": "A", "value": "1"}], "add": [{"name": "B", "value": "2"}], "remove": ["C"]}},
				{"type": "ResponseHeaderModifier", "responseHeaderModifier": {"set": [{"name": "D", "value": "4"}]}}
			],
			"backendRefs": [
				{"name": "one", "port": 80, "weight": 9},
				{"name": "two", "port": 8080}
			]
		}]
	}`)
	got := result(r)
	assert.Empty(t, got.Problems)
	require.Len(t, got.Entries, 6)

	e := got.Entries[1]
	assert.Equal(t, ingress.Source{Kind: "HTTPRoute", Namespace: "default", Name: "shop", Rule: 0, Path: 0, Part: "*.b.example.com"}, e.Source)
	assert.Equal(t, route.Pattern{Host: "*.b.example.com", Path: "/x"}, e.Pattern)
	assert.Equal(t, route.Conditions{Methods: []string{"GET"}, Headers: []route.Condition{{Name: "X-A", Value: "1"}}}, e.When)
	assert.Equal(t, []rewrite.Rule{
		{Action: rewrite.SetHost("internal.example"), Origin: rewrite.Origin{Key: "spec.rules[0].filters[0].urlRewrite.hostname"}},
		{Action: rewrite.SetPath("/full"), Origin: rewrite.Origin{Key: "spec.rules[0].filters[0].urlRewrite.path.replaceFullPath"}},
	}, e.Rules)
	assert.Equal(t, []ingress.HeaderOp{{Name: "A", Value: "1"}, {Op: ingress.AddHeader, Name: "B", Value: "2"}, {Op: ingress.RemoveHeader, Name: "C"}}, e.RequestHeaders)
	assert.Equal(t, []ingress.HeaderOp{{Name: "D", Value: "4"}}, e.ResponseHeaders)
	require.Len(t, e.Backends, 2)
	assert.Equal(t, "one.default.svc.cluster.local:80", e.Backends[0].Upstream)
	assert.Equal(t, []uint32{9, 1}, []uint32{e.Backends[0].Weight, e.Backends[1].Weight})

	assert.Equal(t, route.Exact, got.Entries[2].Pattern.Type)
	assert.Equal(t, []route.Condition{{Name: "q", Test: route.Matches, Value: "[0-9]+"}}, got.Entries[2].When.Query)
	assert.NotNil(t, find(t, got.Entries, cluster, "http://a.example.com/z/q", nil))
	assert.Nil(t, find(t, got.Entries, cluster, "http://a.example.com/z/q/1", nil), "the expression is about the whole path")
	assert.NotNil(t, find(t, got.Entries, cluster, "http://x.y.b.example.com/z/q", nil), "a wildcard stands for any depth")
}

func TestForwardFilters(t *testing.T) {
	got := result(decode(t, "web", `{"rules": [{
		"matches": [{"path": {"value": "/a"}}],
		"backendRefs": [
			{"name": "one", "port": 80},
			{"name": "two", "port": 80, "filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": "two.example", "path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}]}
		]}]}`))
	require.Empty(t, got.Problems)
	e := got.Entries[0]
	assert.Empty(t, e.Backends[0].Rules)
	u := rewrite.URL{Host: "h", Path: "/a/b"}
	_, err := rewrite.MustCompile(e.Backends[1].Rules, nil).Apply(rewrite.Forward, &u, nil)
	require.NoError(t, err)
	assert.Equal(t, rewrite.URL{Host: "two.example", Path: "/b"}, u)

	got = result(decode(t, "web", `{"rules": [{"backendRefs": [{"name": "one", "port": 80, "filters": [
		{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": [{"name": "Host", "value": "one.example:81"}, {"name": "A", "value": "b"}]}}]}]}]}`))
	require.Empty(t, got.Problems)
	assert.Empty(t, got.Entries[0].RequestHeaders)
	assert.Equal(t, []ingress.HeaderOp{{Name: "A", Value: "b"}}, got.Entries[0].Backends[0].RequestHeaders)
	assert.Equal(t, rewrite.SetHost("one.example:81"), got.Entries[0].Backends[0].Rules[0].Action)
}

// Older routes first, then namespace and name, then the order of rules.
func TestPrecedence(t *testing.T) {
	spec := `{"rules": [{"backendRefs": [{"name": "%s", "port": 80}]}, {"backendRefs": [{"name": "second", "port": 80}]}]}`
	made := func(name string, created time.Time) *gateway.HTTPRoute {
		r := decode(t, name, spec)
		r.Created = created
		r.Rules[0].BackendRefs[0].Name = name
		return r
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	young, old, other := made("a", start.Add(time.Hour)), made("c", start), made("b", start)
	routes := []*gateway.HTTPRoute{young, old, nil, other}
	got := result(routes...)
	var names []string
	for _, e := range got.Entries {
		names = append(names, e.Backends[0].Service.Name)
	}
	assert.Equal(t, []string{"b", "second", "c", "second", "a", "second"}, names)
	assert.Equal(t, "b", find(t, got.Entries, cluster, "http://h/", nil).Backends[0].Service.Name)
	assert.Same(t, young, routes[0], "the slice is not changed")

	one, two := made("a", start), made("b", start)
	one.Namespace, two.Namespace = "shop", "shop-eu"
	got = result(one, two)
	assert.Equal(t, "b", got.Entries[0].Backends[0].Service.Name, "shop-eu/b is before shop/a, as text")
}

// The order of the API between matches: method, headers, query parameters.
func TestMatchPrecedence(t *testing.T) {
	got := result(decode(t, "web", `{"rules": [
		{"backendRefs": [{"name": "bare", "port": 80}]},
		{"matches": [{"queryParams": [{"name": "a", "value": "1"}, {"name": "b", "value": "1"}]}], "backendRefs": [{"name": "query", "port": 80}]},
		{"matches": [{"headers": [{"name": "A", "value": "1"}]}], "backendRefs": [{"name": "header", "port": 80}]},
		{"matches": [{"method": "GET"}], "backendRefs": [{"name": "method", "port": 80}]}
	]}`))
	require.Empty(t, got.Problems)
	header := map[string]string{"A": "1"}
	for _, c := range []struct {
		url  string
		r    request
		want string
	}{
		{"http://h/?a=1&b=1", request{"GET", header}, "method"},
		{"http://h/?a=1&b=1", request{"PUT", header}, "header"},
		{"http://h/?a=1&b=1", request{"PUT", nil}, "query"},
		{"http://h/?a=1", request{"PUT", nil}, "bare"},
	} {
		assert.Equal(t, c.want, find(t, got.Entries, cluster, c.url, c.r).Backends[0].Service.Name, "%v", c)
	}
}
