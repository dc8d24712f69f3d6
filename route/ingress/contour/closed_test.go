package contour_test

// What cannot be done as it is written is not served in another way.

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

// The shorter prefix does not serve what a longer one cannot.
func TestClosed(t *testing.T) {
	replace := func(with string) string {
		return service + `, "pathRewritePolicy": {"replacePrefix": [{"replacement": "` + with + `"}]}`
	}
	for name, c := range map[string]struct {
		route string
		code  ingress.Code
		key   string
	}{
		"relative":       {replace("bar"), contour.CodeReplacement, "pathRewritePolicy.replacePrefix[0].replacement"},
		"query":          {replace("/a?b"), contour.CodeReplacement, "pathRewritePolicy.replacePrefix[0].replacement"},
		"dot-segment":    {replace("/x/../y"), contour.CodeReplacement, "pathRewritePolicy.replacePrefix[0].replacement"},
		"authority":      {replace("//x"), contour.CodeReplacement, "pathRewritePolicy.replacePrefix[0].replacement"},
		"escape":         {replace("/a%zz"), contour.CodeReplacement, "pathRewritePolicy.replacePrefix[0].replacement"},
		"CA":             {`"services": [{"name": "web", "port": 80, "validation": {"caSecret": "c a"}}]`, ingress.CodeBadEntry, ""},
		"subject":        {`"services": [{"name": "web", "port": 80, "validation": {"subjectName": "x y"}}]`, ingress.CodeBadEntry, ""},
		"replaceRegex":   {service + `, "pathRewritePolicy": {"replaceRegex": {}}`, contour.CodeUnknown, "pathRewritePolicy.replaceRegex"},
		"ReplacePrefix":  {service + `, "pathRewritePolicy": {"replacePrefix": [{"replacement": "/", "regex": "x"}]}`, contour.CodeUnknown, "pathRewritePolicy.replacePrefix[0].regex"},
		"stripQuery":     {`"requestRedirectPolicy": {"path": "/x", "stripQuery": true}`, contour.CodeUnknown, "requestRedirectPolicy.stripQuery"},
		"Host":           {`"services": [{"name": "web", "port": 80, "requestHeadersPolicy": {"set": [{"name": "Host", "value": "a b"}]}}]`, contour.CodeHost, "services[0].requestHeadersPolicy.set[0]"},
		"no Host":        {`"services": [{"name": "web", "port": 80, "requestHeadersPolicy": {"set": [{"name": "Host", "value": ""}]}}]`, contour.CodeHost, "services[0].requestHeadersPolicy.set[0]"},
		"no route Host":  {service + `, "requestHeadersPolicy": {"set": [{"name": "Host", "value": ""}]}`, contour.CodeHost, "requestHeadersPolicy.set[0]"},
		"two Hosts":      {service + `, "requestHeadersPolicy": {"set": [{"name": "Host", "value": "a.example"}, {"name": "host", "value": "b.example"}]}`, contour.CodeUnsupported, "requestHeadersPolicy.set[1]"},
		"Host, redirect": {`"requestRedirectPolicy": {"path": "/x"}, "requestHeadersPolicy": {"set": [{"name": "Host", "value": "a b"}]}`, contour.CodeHost, "requestHeadersPolicy.set[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			got := contour.Translate([]*contour.HTTPProxy{root(t, `{"conditions": [{"prefix": "/adm"}], `+c.route+`}, {`+service+`}`)}, nil)
			require.Len(t, got.Problems, 1)
			p := got.Problems[0]
			assert.Equal(t, ingress.Error, p.Severity)
			assert.Equal(t, c.code, p.Code)
			if c.key != "" {
				assert.Equal(t, "spec.routes[0]."+c.key, p.Origin.Key)
			}
			assert.Equal(t, "500", ask(t, got.Entries, "http://h/adm/x", nil))
			assert.Equal(t, "http://h/x", ask(t, got.Entries, "http://h/x", nil))
		})
	}
}

// A request has a Host: what removes it is told, and the path is served.
func TestRemovedHost(t *testing.T) {
	got := contour.Translate([]*contour.HTTPProxy{root(t, `{"services": [{"name": "web", "port": 80}], "requestHeadersPolicy": {"remove": ["host", "X-A"]}}`)}, nil)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "spec.routes[0].requestHeadersPolicy.remove[0]", got.Problems[0].Origin.Key)
	require.Len(t, got.Entries, 1)
	assert.Equal(t, []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "X-A"}}, got.Entries[0].RequestHeaders)
}

// A condition with a field that is not known leaves its route out.
func TestUnknownConditions(t *testing.T) {
	for condition, key := range map[string]string{
		`{"header": {"name": "A", "exact": "1", "invert": true}}`:         "header.invert",
		`{"queryParameter": {"name": "A", "exact": "1", "invert": true}}`: "queryParameter.invert",
		`{"prefixes": ["/a"]}`: "prefixes",
	} {
		got := contour.Translate([]*contour.HTTPProxy{root(t, `{"conditions": [`+condition+`], `+service+`}`)}, nil)
		require.Len(t, got.Problems, 1, condition)
		assert.Equal(t, contour.CodeCondition, got.Problems[0].Code)
		assert.Equal(t, "spec.routes[0].conditions[0]."+key, got.Problems[0].Origin.Key)
		assert.Empty(t, got.Entries)
	}
}

// Other fields that are not known are told, at any depth.
func TestUnknownFields(t *testing.T) {
	for spec, want := range map[string]string{
		`{"virtualhost": {"fqdn": "h", "tls": {"other": 1}}, "routes": [{` + service + `}]}`:                                                                 "spec.virtualhost.tls.other",
		`{"virtualhost": {"fqdn": "h"}, "routes": [{` + service + `}], "includes": [{"name": "b", "other": 1}]}`:                                             "spec.includes[0].other",
		`{"virtualhost": {"fqdn": "h"}, "routes": [{` + service + `, "requestHeadersPolicy": {"add": []}}]}`:                                                 "spec.routes[0].requestHeadersPolicy.add",
		`{"virtualhost": {"fqdn": "h"}, "routes": [{` + service + `, "responseHeadersPolicy": {"set": [{"name": "a", "value": "b", "other": 1}]}}]}`:         "spec.routes[0].responseHeadersPolicy.set[0].other",
		`{"virtualhost": {"fqdn": "h"}, "routes": [{"services": [{"name": "web", "port": 80, "validation": {"caSecret": "ca", "other": 1}}]}]}`:              "spec.routes[0].services[0].validation.other",
		`{"virtualhost": {"fqdn": "h"}, "routes": [{` + service + `, "cookieRewritePolicies": [{"name": "a", "pathRewrite": {"value": "/", "other": 1}}]}]}`: "spec.routes[0].cookieRewritePolicies[0].pathRewrite.other",
	} {
		got := contour.Translate([]*contour.HTTPProxy{decode(t, "root", spec), decode(t, "b", `{}`)}, nil)
		var keys []string
		for _, p := range got.Problems {
			if p.Code == contour.CodeUnknown {
				keys = append(keys, p.Origin.Key)
			}
		}
		assert.Equal(t, []string{want}, keys, spec)
		assert.NotEmpty(t, got.Entries)
	}
	// Of an included object too.
	got := contour.Translate([]*contour.HTTPProxy{
		decode(t, "root", `{"virtualhost": {"fqdn": "h", "tls": {"secretName": "s", "minimumProtocolVersion": "1.3"}}, "includes": [{"name": "b"}]}`),
		decode(t, "b", `{"other": 1}`),
	}, nil)
	require.Len(t, got.Problems, 2)
	assert.Equal(t, contour.CodeIgnored, got.Problems[0].Code)
	assert.Equal(t, "spec.other", got.Problems[1].Origin.Key)
}

// Certificates of clients keep requests out.
func TestClientValidation(t *testing.T) {
	p := decode(t, "root", `{"virtualhost": {"fqdn": "h", "tls": {"secretName": "s", "clientValidation": {"caSecret": "ca"}}}, "routes": [{`+service+`}]}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, []ingress.Code{contour.CodeGuard}, codes(got.Problems))
	assert.Equal(t, "500", ask(t, got.Entries, "https://h/", nil))
	got = (&contour.Options{Handled: []string{"clientValidation"}}).Translate([]*contour.HTTPProxy{p}, nil)
	assert.Empty(t, got.Problems)
	assert.Equal(t, "https://h/", ask(t, got.Entries, "https://h/", nil))
}

func TestValidation(t *testing.T) {
	for validation, want := range map[string]struct {
		ca, sni string
		codes   []ingress.Code
	}{
		`{"caSecret": "ca", "subjectName": "a.example"}`:                                             {"ca", "a.example", nil},
		`{"caSecret": "default/ca", "subjectNames": ["a.example"]}`:                                  {"ca", "a.example", nil},
		`{"caSecret": "other/ca", "subjectName": "a.example", "subjectNames": ["a.example"]}`:        {"other/ca", "a.example", nil},
		`{"caSecret": "ca", "subjectName": "a.example", "subjectNames": ["a.example", "b.example"]}`: {"ca", "a.example", []ingress.Code{contour.CodeUnsupported}},
	} {
		got := contour.Translate([]*contour.HTTPProxy{root(t, `{"services": [{"name": "web", "port": 80, "protocol": "tls", "validation": `+validation+`}]}`)}, nil)
		assert.Equal(t, want.codes, codes(got.Problems), validation)
		require.Len(t, got.Entries, 1)
		b := got.Entries[0].Backends[0]
		assert.Equal(t, []string{want.ca, want.sni}, []string{b.CASecret, b.SNI}, validation)
		assert.Equal(t, "https://h/", ask(t, got.Entries, "https://h/", nil))
	}
}

// Faults of expressions have the offset in the expression.
func TestConditionOffsets(t *testing.T) {
	for _, field := range []string{"header", "queryParameter"} {
		got := contour.Translate([]*contour.HTTPProxy{root(t, `{"conditions": [{"`+field+`": {"name": "A", "regex": "ab(?!c)"}}], `+service+`}`)}, nil)
		require.Len(t, got.Problems, 1)
		assert.Equal(t, "spec.routes[0].conditions[0]."+field+".regex", got.Problems[0].Origin.Key)
		assert.Equal(t, 2, got.Problems[0].Origin.Offset)
	}
}

// A parameter may have a line feed before or behind what it contains.
func TestLineFeedInParameter(t *testing.T) {
	for _, test := range []string{"contains", "prefix", "suffix"} {
		got := contour.Translate([]*contour.HTTPProxy{root(t, `{"conditions": [{"queryParameter": {"name": "q", "`+test+`": "b"}}], `+service+`}`)}, nil)
		query := map[string]string{"contains": "%0ab%0a", "prefix": "b%0a", "suffix": "%0ab"}[test]
		assert.Equal(t, "http://h/?q="+query, ask(t, got.Entries, "http://h/?q="+query, nil), test)
	}
}

func TestRedirectGlues(t *testing.T) {
	got := contour.Translate([]*contour.HTTPProxy{root(t, `{"conditions": [{"prefix": "/old/"}], "requestRedirectPolicy": {"prefix": "/new"}}`)}, nil)
	assert.Equal(t, []ingress.Code{contour.CodeGlues}, codes(got.Problems))
	assert.Equal(t, "302 http://h/newx", ask(t, got.Entries, "http://h/old/x", nil))
}

func TestEqualCookiePolicies(t *testing.T) {
	got := contour.Translate([]*contour.HTTPProxy{root(t, `{`+service+`, "cookieRewritePolicies": [
		{"name": "a", "pathRewrite": {"value": "/x"}}, {"name": "b", "pathRewrite": {"value": "/x"}}]}`)}, nil)
	require.Len(t, got.Entries, 1)
	assert.Len(t, got.Entries[0].Back, 1)
}
