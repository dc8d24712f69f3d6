package contour_test

// HTTPProxies: includes, redirects, services and what is refused.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

// decode decodes an HTTPProxy of which only name and spec are given.
func decode(t testing.TB, name, spec string) *contour.HTTPProxy {
	t.Helper()
	p := &contour.HTTPProxy{}
	require.NoError(t, json.Unmarshal([]byte(`{"apiVersion": "projectcontour.io/v1", "kind": "HTTPProxy", "metadata": {"name": "`+name+`"}, "spec": `+spec+`}`), p))
	return p
}

// root decodes a root of host h with routes.
func root(t testing.TB, routes string) *contour.HTTPProxy {
	return decode(t, "root", `{"virtualhost": {"fqdn": "h"}, "routes": [`+routes+`]}`)
}

const service = `"services": [{"name": "web", "port": 80}]`

type site struct {
	entry    *ingress.Entry
	compiled *ingress.Compiled
}

type headers map[string]string

func (headers) Method() string { return "GET" }

func (h headers) Header(name string) (string, bool) { v, ok := h[name]; return v, ok }

// ask returns what becomes of a request: a URL, a redirect or a status.
func ask(t testing.TB, entries []ingress.Entry, url string, h headers) string {
	t.Helper()
	table, problems := ingress.Build(entries, nil, func(e *ingress.Entry, c *ingress.Compiled) (site, error) { return site{e, c}, nil })
	for _, p := range problems {
		require.Equal(t, ingress.CodeShadowed, p.Code, p.Error())
	}
	u, err := rewrite.Parse(url)
	require.NoError(t, err)
	s, ok := table.Match(&u, h)
	if !ok {
		return "404"
	}
	status, location, err := s.compiled.Redirect.Answer(ingress.RedirectRequest{URL: u})
	require.NoError(t, err)
	if status != 0 {
		return fmt.Sprint(status, " ", location)
	}
	if s.entry.Backends[0].Invalid {
		return "500"
	}
	_, err = s.compiled.Program.Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	_, err = s.compiled.Forward[0].Apply(rewrite.Forward, &u, nil)
	require.NoError(t, err)
	return u.String()
}

func codes(problems []ingress.Problem) (list []ingress.Code) {
	for _, p := range problems {
		if p.Severity != ingress.Note {
			list = append(list, p.Code)
		}
	}
	return list
}

// The replacement for the whole chain of prefixes wins over the one for any.
func TestIncludes(t *testing.T) {
	objects := []*contour.HTTPProxy{
		decode(t, "root", `{"virtualhost": {"fqdn": "h"}, "routes": [{`+service+`}], "includes": [
			{"name": "child", "conditions": [{"prefix": "/v1/"}, {"header": {"name": "X-A", "exact": "1"}}]},
			{"name": "child", "conditions": [{"prefix": "/v2"}]},
			{"name": "far", "namespace": "other", "conditions": [{"prefix": "/far"}]},
			{"name": "missing"}, {"name": "other-root"}, {"name": "loop"},
			{"name": "child", "conditions": [{"exact": "/e"}]}
		]}`),
		decode(t, "child", `{"routes": [{"conditions": [{"prefix": "/api"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [
			{"prefix": "/v1/api", "replacement": "/one"}, {"replacement": "/any"}]}}]}`),
		decode(t, "far", `{"routes": [{`+service+`}]}`),
		decode(t, "other-root", `{"virtualhost": {"fqdn": "other"}, "routes": [{`+service+`}]}`),
		decode(t, "loop", `{"includes": [{"name": "loop"}]}`),
		decode(t, "orphan", `{"routes": [{`+service+`}]}`),
	}
	objects[2].Namespace = "other"
	got := contour.Translate(objects, nil)
	assert.Equal(t, []ingress.Code{
		contour.CodeInclude, contour.CodeInclude, contour.CodeInclude, contour.CodeInclude, contour.CodeOrphan,
	}, codes(got.Problems))
	assert.Equal(t, "http://h/one/x", ask(t, got.Entries, "http://h/v1/api/x", headers{"X-A": "1"}))
	assert.Equal(t, "http://h/v1/api/x", ask(t, got.Entries, "http://h/v1/api/x", nil), "the root's own route")
	assert.Equal(t, "http://h/any/x", ask(t, got.Entries, "http://h/v2/api/x", nil))
	far := got.Entries[len(got.Entries)-1]
	assert.Equal(t, "web.other.svc.cluster.local:80", far.Backends[0].Upstream, "Services are in the namespace of their object")
	assert.Equal(t, ingress.Source{Kind: "HTTPProxy", Namespace: "other", Name: "far", Rule: 0, Path: 0, Part: "h/far"}, far.Source)

	seen := make(map[ingress.Source]bool)
	for _, e := range got.Entries {
		assert.False(t, seen[e.Source], "%v", e.Source)
		seen[e.Source] = true
	}
}

// A route that is there twice, and an object that is included twice in the same
// way, have a Source each; an include below too many others is refused.
func TestIncludeDepthAndSources(t *testing.T) {
	objects := []*contour.HTTPProxy{decode(t, "p0", `{"virtualhost": {"fqdn": "h"}, "includes": [{"name": "p1"}, {"name": "p1"}]}`)}
	for i := 1; i < 40; i++ {
		objects = append(objects, decode(t, fmt.Sprintf("p%d", i), fmt.Sprintf(`{"routes": [{`+service+`}], "includes": [{"name": "p%d", "conditions": [{"regex": ""}]}]}`, i+1)))
	}
	got := contour.Translate(objects, nil)
	seen := make(map[ingress.Source]bool)
	for _, e := range got.Entries {
		assert.False(t, seen[e.Source], "%v", e.Source)
		seen[e.Source] = true
	}
	assert.Len(t, got.Entries, 64)
	require.NotEmpty(t, got.Problems)
	assert.Equal(t, contour.CodeInclude, got.Problems[0].Code)
	assert.Contains(t, got.Problems[0].Detail, "below 32 others")
}

// Includes that double at every level stop at a limit, and say so once.
func TestIncludesMultiply(t *testing.T) {
	var objects []*contour.HTTPProxy
	for i := range 30 {
		next := fmt.Sprintf("p%d", i+1)
		p := &contour.HTTPProxy{Name: fmt.Sprintf("p%d", i), Routes: []contour.Route{{Services: []contour.Service{{Name: "web", Port: 80}}}}}
		for j := range 3 {
			p.Includes = append(p.Includes, contour.Include{Name: next, Conditions: []contour.Condition{{Prefix: fmt.Sprintf("/%d", j)}}})
		}
		objects = append(objects, p)
	}
	objects[0].VirtualHost = &contour.VirtualHost{FQDN: "h"}
	got := contour.Translate(objects, nil)
	limits := 0
	for _, p := range got.Problems {
		if p.Code == contour.CodeLimit {
			limits++
		}
	}
	assert.Equal(t, 1, limits)
	assert.Less(t, len(got.Entries), 101_001, "no more entries than parts")
}

func TestConditions(t *testing.T) {
	entry := func(condition string) (route.Conditions, route.Pattern, []ingress.Code) {
		got := contour.Translate([]*contour.HTTPProxy{root(t, `{"conditions": [`+condition+`], `+service+`}`)}, nil)
		if len(got.Entries) == 0 {
			return route.Conditions{}, route.Pattern{}, codes(got.Problems)
		}
		return got.Entries[0].When, got.Entries[0].Pattern, codes(got.Problems)
	}
	for condition, want := range map[string]route.Condition{
		`{"header": {"name": "A", "present": true}}`:                   {Name: "A", Test: route.Present},
		`{"header": {"name": "A", "notpresent": true}}`:                {Name: "A", Test: route.Absent},
		`{"header": {"name": "A", "exact": "b"}}`:                      {Name: "A", Value: "b"},
		`{"header": {"name": "A", "exact": "b.", "ignoreCase": true}}`: {Name: "A", Test: route.Matches, Value: `(?i)b\.`},
		`{"header": {"name": "A", "contains": "b."}}`:                  {Name: "A", Test: route.Matches, Value: `.*b\..*`},
		`{"header": {"name": "A", "regex": "b+"}}`:                     {Name: "A", Test: route.Matches, Value: `b+`},
		`{"queryParameter": {"name": "A", "exact": "b"}}`:              {Name: "A", Value: "b"},
		`{"queryParameter": {"name": "A", "prefix": "b"}}`:             {Name: "A", Test: route.Matches, Value: `(?s)b.*`},
		`{"queryParameter": {"name": "A", "suffix": "b"}}`:             {Name: "A", Test: route.Matches, Value: `(?s).*b`},
		`{"queryParameter": {"name": "A", "regex": "b", "x": null}}`:   {Name: "A", Test: route.Matches, Value: `b`},
		`{"queryParameter": {"name": "A", "contains": "b"}}`:           {Name: "A", Test: route.Matches, Value: `(?s).*b.*`},
		`{"queryParameter": {"name": "A", "present": true}}`:           {Name: "A", Test: route.Present},
	} {
		when, _, problems := entry(condition)
		assert.Empty(t, problems, condition)
		assert.Equal(t, []route.Condition{want}, append(when.Headers, when.Query...), condition)
	}
	for condition, want := range map[string]route.Pattern{
		`{"prefix": "/a//b/"}`: {Host: "h", Path: "/a/b/", Type: route.TextPrefix},
		`{"prefix": "/"}`:      {Host: "h", Path: "/"},
		`{"exact": "/a"}`:      {Host: "h", Path: "/a", Type: route.Exact},
		`{"regex": "/a.*"}`:    {Host: "h", Path: "/a", Type: route.Regex},
		`{"regex": "/a[0-9]"}`: {Host: "h", Path: `/a[0-9]\z`, Type: route.Regex},
		`{"regex": "a|/b"}`:    {Host: "h", Path: `/{0}(?:a|/b)\z`, Type: route.Regex},
	} {
		_, pattern, problems := entry(condition)
		assert.Empty(t, problems, condition)
		assert.Equal(t, want, pattern, condition)
	}
	for _, condition := range []string{
		`{"prefix": "a"}`, `{"prefix": "/a"}, {"exact": "/b"}`, `{"regex": "/a(?!b)"}`, `{"other": 1}`,
		`{"regex": "a.*"}`, `{"regex": "^a"}`,
		`{"header": {"name": "A", "notexact": "b"}}`, `{"header": {"name": "A", "notcontains": "b"}}`, `{"header": {"name": "A"}}`,
		`{"header": {"present": true}}`, `{"header": {"name": "A", "present": true, "exact": "b"}}`, `{"header": {"name": "A", "regex": "("}}`,
		`{"header": {"name": "A", "prefix": "b"}}`, `{"header": {"name": "A", "regex": "b", "treatMissingAsEmpty": true}}`,
		strings.TrimSuffix(strings.Repeat(`{"header": {"name": "A", "present": true}},`, 65), ","),
		`{"prefix": "/` + strings.Repeat("a", 2048) + `"}`,
	} {
		_, _, problems := entry(condition)
		assert.Equal(t, []ingress.Code{contour.CodeCondition}, problems, condition)
	}
	_, _, problems := entry(`{"prefix": "/a/../b"}`)
	assert.Equal(t, []ingress.Code{ingress.CodeBadEntry}, problems)
}

func TestRedirectPolicy(t *testing.T) {
	for policy, want := range map[string]string{
		`"scheme": "https"`: "302 https://h/foo/x?q",
		`"scheme": "https", "port": 8443, "statusCode": 301`: "301 https://h:8443/foo/x?q",
		`"hostname": "other.example"`:                        "302 http://other.example/foo/x?q",
		`"path": "/new"`:                                     "302 http://h/new?q",
		`"prefix": "/new"`:                                   "302 http://h/new/x?q",
		`"prefix": "/"`:                                      "302 http://h/x?q",
		`"statusCode": 308, "scheme": "https"`:               "500",
		`"path": "/a", "prefix": "/b"`:                       "500",
		`"statusCode": 301`:                                  "500",
		`"path": "relative"`:                                 "500",
		`"scheme": "ftp"`:                                    "500",
	} {
		p := root(t, `{"conditions": [{"prefix": "/foo"}], "requestRedirectPolicy": {`+policy+`}}`)
		got := contour.Translate([]*contour.HTTPProxy{p}, nil)
		assert.Equal(t, want, ask(t, got.Entries, "http://h/foo/x?q", nil), policy)
		if want == "500" {
			assert.Equal(t, []ingress.Code{contour.CodeRedirect}, codes(got.Problems))
		}
	}
	p := root(t, `{"requestRedirectPolicy": {"path": "/a", "hostname": "bad host"}}`)
	problem := contour.Translate([]*contour.HTTPProxy{p}, nil).Problems[0]
	assert.Equal(t, "spec.routes[0].requestRedirectPolicy.hostname", problem.Origin.Key)
	assert.True(t, strings.HasPrefix(problem.Detail, `"bad host": `), problem.Detail)
	p = root(t, `{"conditions": [{"exact": "/foo"}], "requestRedirectPolicy": {"prefix": "/x"}}`)
	assert.Equal(t, []ingress.Code{contour.CodeMustHavePrefix}, codes(contour.Translate([]*contour.HTTPProxy{p}, nil).Problems))
}

// https first, but where a route permits http; and nothing of a host whose TLS
// the backend answers.
func TestTLS(t *testing.T) {
	p := decode(t, "root", `{"virtualhost": {"fqdn": "h", "tls": {"secretName": "cert"}}, "routes": [
		{"conditions": [{"prefix": "/plain"}], "permitInsecure": true, `+service+`}, {`+service+`}]}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, nil)
	require.Empty(t, got.Problems)
	assert.Equal(t, "301 https://h/x?q", ask(t, got.Entries, "http://h:8080/x?q", nil))
	assert.Equal(t, "https://h/x", ask(t, got.Entries, "https://h/x", nil))
	assert.Equal(t, "http://h/plain", ask(t, got.Entries, "http://h/plain", nil))

	p = decode(t, "root", `{"virtualhost": {"fqdn": "h", "tls": {"passthrough": true}}, "routes": [{`+service+`}], "tcpproxy": {}}`)
	got = contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, []ingress.Code{contour.CodeUnsupported}, codes(got.Problems))
	assert.Empty(t, got.Entries)

	p = decode(t, "root", `{"virtualhost": {"fqdn": "h", "tls": {}}, "routes": [{`+service+`}]}`)
	got = contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, []ingress.Code{contour.CodeUnsupported}, codes(got.Problems), "without a secretName http stays")
	assert.Equal(t, "http://h/", ask(t, got.Entries, "http://h/", nil))
}

func TestRouteFaults(t *testing.T) {
	for text, c := range map[string]struct {
		code   ingress.Code
		answer string
	}{
		`{}`: {contour.CodeRoute, "500"},
		`{"requestRedirectPolicy": {"path": "/x"}, ` + service + `}`:                                                {contour.CodeRoute, "500"},
		`{"services": [{"name": "a", "port": 80, "mirror": true}]}`:                                                 {contour.CodeMirror, "500"},
		`{"authPolicy": {}, ` + service + `}`:                                                                       {contour.CodeGuard, "500"},
		`{"ipAllowPolicy": [{}], ` + service + `}`:                                                                  {contour.CodeGuard, "500"},
		`{"rateLimitPolicy": {}, ` + service + `}`:                                                                  {contour.CodeUnsupported, "http://h/"},
		`{"someField": {}, ` + service + `}`:                                                                        {contour.CodeUnknown, "http://h/"},
		`{"services": [{"name": "a", "port": 80, "protocol": "grpc"}]}`:                                             {contour.CodeUnknown, "http://h/"},
		`{"pathRewritePolicy": {"replacePrefix": [{"replacement": "/a"}, {"replacement": "/b"}]}, ` + service + `}`: {contour.CodeReplacement, "500"},
		`{"pathRewritePolicy": {"replacePrefix": [{"prefix": "/", "replacement": "/a"}, {"prefix": "/", "replacement": "/b"}]}, ` + service + `}`: {contour.CodeReplacement, "500"},
		`{"pathRewritePolicy": {"replacePrefix": [{"replacement": ""}]}, ` + service + `}`:                                                        {contour.CodeReplacement, "500"},
		`{"conditions": [{"regex": "/.*"}], "pathRewritePolicy": {"replacePrefix": [{"replacement": "/a"}]}, ` + service + `}`:                    {contour.CodeMustHavePrefix, "500"},
	} {
		got := contour.Translate([]*contour.HTTPProxy{root(t, text)}, nil)
		require.NotEmpty(t, codes(got.Problems), text)
		assert.Equal(t, c.code, codes(got.Problems)[0], text)
		assert.Equal(t, c.answer, ask(t, got.Entries, "http://h/", nil), text)
	}
	handled := &contour.Options{Handled: []string{"authPolicy"}}
	got := handled.Translate([]*contour.HTTPProxy{root(t, `{"authPolicy": {}, "timeoutPolicy": {}, `+service+`}`)}, nil)
	assert.Empty(t, codes(got.Problems))
	assert.Equal(t, "http://h/", ask(t, got.Entries, "http://h/", nil))
}

func TestRoots(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	young, old := decode(t, "a", `{"virtualhost": {"fqdn": "H"}, "routes": [{`+service+`}]}`), decode(t, "b", `{"virtualhost": {"fqdn": "h"}, "routes": [{`+service+`}]}`)
	young.Created, old.Created = start.Add(time.Hour), start
	got := contour.Translate([]*contour.HTTPProxy{young, nil, old, old, decode(t, "c", `{"virtualhost": {"fqdn": "a b"}}`)}, nil)
	assert.Equal(t, []ingress.Code{contour.CodeDuplicate, contour.CodeHost, contour.CodeDuplicate}, codes(got.Problems))
	require.Len(t, got.Entries, 1)
	assert.Equal(t, "b", got.Entries[0].Source.Name)
	guarded := decode(t, "g", `{"virtualhost": {"fqdn": "g", "authorization": {}}, "routes": [{`+service+`}]}`)
	got = contour.Translate([]*contour.HTTPProxy{guarded}, nil)
	assert.Equal(t, "500", ask(t, got.Entries, "http://g/", nil))
}

func TestDecodeFaults(t *testing.T) {
	for _, text := range []string{
		`{"kind": "Ingress"}`, `[]`, `{"spec": []}`, `{"spec": {"routes": [null]}}`, `{"spec": {"includes": [null]}}`,
		`{"spec": {"routes": [{"conditions": [null]}]}}`, `{"spec": {"routes": [{"services": [null]}]}}`,
	} {
		p := contour.HTTPProxy{Name: "kept"}
		assert.Error(t, json.Unmarshal([]byte(text), &p), text)
		assert.Equal(t, contour.HTTPProxy{Name: "kept"}, p)
	}
	for _, text := range []string{`{}`, `{"spec": null}`, `{"metadata": null, "spec": {"virtualhost": null, "routes": null}}`} {
		var p contour.HTTPProxy
		assert.NoError(t, json.Unmarshal([]byte(text), &p), text)
	}
}
