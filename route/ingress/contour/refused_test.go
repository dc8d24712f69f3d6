package contour_test

// What Contour refuses, and what it makes of cases at the edge.

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

// An include that cannot be followed does not leave its requests to a shorter
// prefix; one without conditions is for nothing that others are not for.
func TestIncludeThatCannotBeFollowed(t *testing.T) {
	objects := []*contour.HTTPProxy{
		decode(t, "root", `{"virtualhost": {"fqdn": "h", "tls": {"secretName": "s"}}, "routes": [{`+service+`, "permitInsecure": true}], "includes": [
			{"name": "child", "conditions": [{"prefix": "/c"}]}, {"name": "far", "namespace": "gone", "conditions": [{"prefix": "/far"}, {"header": {"name": "X-A", "present": true}}]},
			{"name": "other", "conditions": [{"prefix": "/o"}]}, {"name": "missing"}, {"name": "missing", "conditions": [{"exact": "/e"}]}
		]}`),
		decode(t, "child", `{"includes": [{"name": "missing", "conditions": [{"prefix": "/m"}]}, {"name": "child", "conditions": [{"prefix": "/loop"}]}]}`),
		decode(t, "other", `{"virtualhost": {"fqdn": "other"}, "routes": [{`+service+`}]}`),
	}
	got := contour.Translate(objects, nil)
	for path, want := range map[string]string{
		"/c/m/x": "500", "/c/mx": "500", "/m": "http://h/m", "/c/x": "http://h/c/x", "/c/loop": "http://h/c/loop",
		"/o/x": "500", "/far": "500", "/e": "http://h/e", "/": "http://h/",
	} {
		assert.Equal(t, want, ask(t, got.Entries, "http://h"+path, headers{"X-A": "1"}), path)
	}
	assert.Equal(t, "http://h/far", ask(t, got.Entries, "http://h/far", nil))
	told := 0
	for _, p := range got.Problems {
		require.Equal(t, contour.CodeInclude, p.Code, p.Error())
		told++
	}
	assert.Equal(t, 6, told)
	seen := make(map[ingress.Source]bool)
	for _, e := range got.Entries {
		assert.False(t, seen[e.Source], "%v", e.Source)
		seen[e.Source] = true
	}
}

func TestRefusedRoutes(t *testing.T) {
	for name, c := range map[string]struct {
		route, url, want string
		code             ingress.Code
		key              string
	}{
		"a replacement for another prefix on an exact path": {
			`{"conditions": [{"exact": "/a"}], "pathRewritePolicy": {"replacePrefix": [{"prefix": "/b", "replacement": "/c"}]}, ` + service + `}`,
			"http://h/a", "500", contour.CodeMustHavePrefix, "pathRewritePolicy"},
		"a rewrite beside a redirect": {
			`{"pathRewritePolicy": {"replacePrefix": [{"replacement": "/c"}]}, "requestRedirectPolicy": {"hostname": "o"}}`,
			"http://h/a", "302 http://o/a", contour.CodeUnsupported, "pathRewritePolicy"},
		"a response beside services": {
			`{"directResponsePolicy": {"statusCode": 403}, ` + service + `}`,
			"http://h/a", "500", contour.CodeRoute, "directResponsePolicy"},
		"a response beside a redirect": {
			`{"directResponsePolicy": {"statusCode": 403}, "requestRedirectPolicy": {"hostname": "o"}}`,
			"http://h/a", "500", contour.CodeRoute, "directResponsePolicy"},
		"a Host of a response": {
			`{"responseHeadersPolicy": {"set": [{"name": "hOST", "value": "x"}]}, ` + service + `}`,
			"http://h/a", "http://h/a", contour.CodeUnsupported, "responseHeadersPolicy.set[0]"},
		"two values of a field": {
			`{"conditions": [{"header": {"name": "X-A", "exact": "1"}}, {"prefix": "/a"}, {"header": {"name": "x-a", "exact": "2"}}], ` + service + `}`,
			"http://h/a", "404", contour.CodeCondition, "conditions"},
		"a field that is there and is not": {
			`{"conditions": [{"header": {"name": "x-a", "notpresent": true}}, {"header": {"name": "X-A", "present": true}}], ` + service + `}`,
			"http://h/a", "404", contour.CodeCondition, "conditions"},
		"two values of a parameter": {
			`{"conditions": [{"queryParameter": {"name": "a", "exact": "1"}}, {"queryParameter": {"name": "a", "exact": "2"}}], ` + service + `}`,
			"http://h/a?a=1", "404", contour.CodeCondition, "conditions"},
	} {
		got := contour.Translate([]*contour.HTTPProxy{root(t, c.route)}, nil)
		assert.Equal(t, c.want, ask(t, got.Entries, c.url, headers{"X-A": "1"}), name)
		require.NotEmpty(t, got.Problems, name)
		last := got.Problems[len(got.Problems)-1]
		for _, p := range got.Problems {
			if p.Code == c.code {
				last = p
			}
		}
		assert.Equal(t, c.code, last.Code, name)
		assert.Equal(t, "spec.routes[0]."+c.key, last.Origin.Key, name)
	}
	fits := root(t, `{"conditions": [{"header": {"name": "X-A", "exact": "1"}}, {"header": {"name": "X-A", "present": true}},
		{"header": {"name": "X-A", "exact": "1"}}, {"queryParameter": {"name": "a", "exact": "1"}}, {"queryParameter": {"name": "A", "exact": "2"}}], `+service+`}`)
	got := contour.Translate([]*contour.HTTPProxy{fits}, nil)
	assert.Empty(t, got.Problems)
	assert.Equal(t, "http://h/x?a=1&A=2", ask(t, got.Entries, "http://h/x?a=1&A=2", headers{"X-A": "1"}))
}

// What an include asks for is seen, too.
func TestContradictionOfAnInclude(t *testing.T) {
	got := contour.Translate([]*contour.HTTPProxy{
		decode(t, "root", `{"virtualhost": {"fqdn": "h"}, "includes": [{"name": "child", "conditions": [{"header": {"name": "X-A", "exact": "1"}}]}]}`),
		decode(t, "child", `{"routes": [{"conditions": [{"header": {"name": "X-A", "exact": "2"}}], `+service+`}]}`),
	}, nil)
	assert.Empty(t, got.Entries)
	require.Equal(t, []ingress.Code{contour.CodeCondition}, codes(got.Problems))
	assert.Equal(t, "child", got.Problems[0].Source.Name)
	assert.Contains(t, got.Problems[0].Detail, "X-A")
}

// Only the variables that Contour knows are variables.
func TestPercentSigns(t *testing.T) {
	for value, want := range map[string]string{
		"50%OFF%": "50%OFF%", "%START_TIME(%s)%": "%START_TIME(%s)%", "%REQUEST%": "%REQUEST%", "%REQ(%": "%REQ(%", "100%": "100%", "%%": "%%",
		"%PROTOCOL%%": "", "a %HOSTNAME%": "", "%REQ(X-A?:path):12%": "", "%CONTOUR_SERVICE_NAME%": "", "%CONTOUR_NAMESPACE%": "default",
		"%UPSTREAM_REMOTE_ADDRESS%": "", "%DOWNSTREAM_LOCAL_ADDRESS%": "", "%protocol%": "%protocol%",
	} {
		got := contour.Translate([]*contour.HTTPProxy{root(t, `{"requestHeadersPolicy": {"set": [{"name": "A", "value": "`+value+`"}]}, `+service+`}`)}, nil)
		if want == "" {
			assert.Equal(t, []ingress.Code{contour.CodeDynamic}, codes(got.Problems), value)
			assert.Empty(t, got.Entries[0].RequestHeaders, value)
			continue
		}
		assert.Empty(t, got.Problems, value)
		assert.Equal(t, []ingress.HeaderOp{{Name: "A", Value: want}}, got.Entries[0].RequestHeaders)
	}
}

// A redirect to https needs http, and request-timeout is an old name.
func TestAnnotationsTogether(t *testing.T) {
	got := rewriteOne(made("/", "Prefix", map[string]string{
		"ingress.kubernetes.io/force-ssl-redirect": "true", "kubernetes.io/ingress.allow-http": "false", "projectcontour.io/request-timeout": "5s",
	}), nil)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, contour.CodeIgnored, got.Problems[0].Code)
	assert.Equal(t, "301 https://h/x", ask(t, got.Entries, "http://h/x", nil))
	assert.Equal(t, "https://h/x", ask(t, got.Entries, "https://h/x", nil))
}

func TestProtocolsOfOnePort(t *testing.T) {
	for _, c := range []struct{ tls, h2c, h2, want string }{
		{"", "", "443", "https"}, {"", "443", "", "http"}, {"", "443", "443", "http"}, {"443", "443", "443", "https"}, {"80", "81", " https ,443", "https"}, {"80", "https", "443", "http"},
	} {
		cluster := &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
			return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 443, Name: "https"}}, Annotations: map[string]string{
				"projectcontour.io/upstream-protocol.tls": c.tls, "projectcontour.io/upstream-protocol.h2c": c.h2c, "projectcontour.io/upstream-protocol.h2": c.h2,
			}}, true
		}}
		got := rewriteOne(made("/", "Prefix", nil), cluster)
		assert.Equal(t, c.want, got.Entries[0].Backends[0].Scheme, "%+v", c)
	}
}
