package gateway_test

// What Translate refuses, and what then becomes of the rule.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

// A filter that cannot be done is never skipped: the requests are answered 500.
func TestFilterFaults(t *testing.T) {
	const prefix = `{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/x"}}}`
	const full = `{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplaceFullPath", "replaceFullPath": "%s"}}}`
	const redirect = `{"type": "RequestRedirect", "requestRedirect": {%s}}`
	for name, c := range map[string]struct{ rule, key, detail string }{
		"mirror":            {`"filters": [{"type": "RequestMirror", "requestMirror": {}}]`, "filters[0].type", `"RequestMirror" is not supported`},
		"CORS":              {`"filters": [{"type": "CORS"}]`, "filters[0].type", `"CORS"`},
		"extension":         {`"filters": [{"type": "ExtensionRef", "extensionRef": {"name": "x"}}]`, "filters[0].type", `"ExtensionRef"`},
		"no type":           {`"filters": [{}]`, "filters[0].type", "absent"},
		"no field":          {`"filters": [{"type": "URLRewrite"}]`, "filters[0]", "absent"},
		"no redirect":       {`"filters": [{"type": "RequestRedirect"}]`, "filters[0]", "absent"},
		"no headers":        {`"filters": [{"type": "RequestHeaderModifier"}]`, "filters[0]", "absent"},
		"no response":       {`"filters": [{"type": "ResponseHeaderModifier"}]`, "filters[0]", "absent"},
		"removed name":      {`"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"remove": ["b", "a:"]}}]`, "filters[0].requestHeaderModifier.remove[1]", "a:"},
		"many fields":       {`"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"remove": [` + strings.TrimSuffix(strings.Repeat(`"a",`, 17), ",") + `]}}]`, "filters[0].requestHeaderModifier.remove", "16"},
		"long type":         {`"filters": [{"type": "` + strings.Repeat("x", 100) + `"}]`, "filters[0].type", strings.Repeat("x", 64) + `"`},
		"redirect prefix":   {`"matches": [{"path": {"type": "Exact", "value": "/a"}}], "filters": [` + fmt.Sprintf(redirect, `"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}`) + `]`, "filters[0].requestRedirect.path.type", "exactly one"},
		"twice":             {`"filters": [` + prefix + `,` + prefix + `]`, "filters[1]", "stands twice"},
		"both":              {`"filters": [` + prefix + `,` + fmt.Sprintf(redirect, `"scheme": "https"`) + `]`, "filters[1]", "exclude each other"},
		"redirect+backends": {`"filters": [` + fmt.Sprintf(redirect, `"scheme": "https"`) + `], "backendRefs": [{"name": "web", "port": 80}]`, "backendRefs", "excludes"},
		"two matches":       {`"matches": [{"path": {"value": "/a"}}, {"path": {"value": "/b"}}], "filters": [` + prefix + `]`, "filters[0].urlRewrite.path.type", "exactly one match"},
		"exact match":       {`"matches": [{"path": {"type": "Exact", "value": "/a"}}], "filters": [` + prefix + `]`, "filters[0].urlRewrite.path.type", "exactly one match"},
		"relative":          {`"filters": [` + fmt.Sprintf(full, "x") + `]`, "filters[0].urlRewrite.path.replaceFullPath", "/x"},
		"dot-segment":       {`"filters": [` + fmt.Sprintf(full, "/a/../b") + `]`, "filters[0].urlRewrite.path.replaceFullPath", ".."},
		"query":             {`"filters": [` + fmt.Sprintf(full, "/a?b") + `]`, "filters[0].urlRewrite.path.replaceFullPath", "?"},
		"too long":          {`"filters": [` + fmt.Sprintf(full, "/"+strings.Repeat("a", 1024)) + `]`, "filters[0].urlRewrite.path", "1024"},
		"path type":         {`"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplaceRegex"}}}]`, "filters[0].urlRewrite.path.type", "ReplaceFullPath"},
		"wildcard host":     {`"filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": "*.x.y"}}]`, "filters[0].urlRewrite.hostname", "wildcard"},
		"address":           {`"filters": [` + fmt.Sprintf(redirect, `"hostname": "10.0.0.1"`) + `]`, "filters[0].requestRedirect.hostname", "IP address"},
		"scheme":            {`"filters": [` + fmt.Sprintf(redirect, `"scheme": "ftp"`) + `]`, "filters[0].requestRedirect.scheme", "http"},
		"port":              {`"filters": [` + fmt.Sprintf(redirect, `"port": 70000`) + `]`, "filters[0].requestRedirect.port", "65535"},
		"status":            {`"filters": [` + fmt.Sprintf(redirect, `"statusCode": 418`) + `]`, "filters[0].requestRedirect.statusCode", "308"},
		"header name":       {`"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": [{"name": "a b", "value": "c"}]}}]`, "filters[0].requestHeaderModifier.set[0].name", "a b"},
		"header no value":   {`"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": [{"name": "a", "value": "b"}, {"name": "b"}]}}]`, "filters[0].requestHeaderModifier.set[1].value", "absent"},
		"header long name":  {`"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"add": [{"name": "` + strings.Repeat("a", 257) + `", "value": "b"}]}}]`, "filters[0].requestHeaderModifier.add[0].name", "256"},
		"header long value": {`"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"add": [{"name": "a", "value": "` + strings.Repeat("b", 4097) + `"}]}}]`, "filters[0].requestHeaderModifier.add[0].value", "4096"},
		"mirror twice":      {`"filters": [{"type": "RequestMirror"}, {"type": "RequestMirror"}]`, "filters[0].type", `"RequestMirror" is not supported`},
		"underscore":        {`"filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": "a_b.example"}}]`, "filters[0].urlRewrite.hostname", "underscore"},
		"header value":      {`"filters": [{"type": "ResponseHeaderModifier", "responseHeaderModifier": {"add": [{"name": "a", "value": "b\nc"}]}}]`, "filters[0].responseHeaderModifier.add[0].value", "control byte"},
		"host added":        {`"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"add": [{"name": "host", "value": "x"}]}}]`, "filters[0].requestHeaderModifier", "only be set"},
		"host twice": {`"filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": "x.y"}},
			{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": [{"name": "host", "value": "x"}]}}]`, "filters[1].requestHeaderModifier.set", "twice"},
		"too many": {`"filters": [` + strings.Repeat(`{"type": "x"},`, 16) + prefix + `]`, "filters[0].type", "not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			rule := c.rule
			if !strings.Contains(rule, "backendRefs") && !strings.Contains(rule, "RequestRedirect") {
				rule += `, "backendRefs": [{"name": "web", "port": 80}]`
			}
			got := result(decode(t, "web", `{"rules": [{`+rule+`}]}`))
			require.NotEmpty(t, got.Problems)
			p := got.Problems[0]
			if p.Code == gateway.CodeLimit {
				p = got.Problems[1]
			}
			assert.Equal(t, gateway.CodeFilter, p.Code)
			assert.Equal(t, ingress.Error, p.Severity)
			assert.Equal(t, "spec.rules[0]."+c.key, p.Origin.Key)
			assert.Contains(t, p.Detail, c.detail)
			require.NotEmpty(t, got.Entries)
			for _, e := range got.Entries {
				assert.Equal(t, []ingress.Backend{{Weight: 1, Invalid: true}}, e.Backends)
				assert.Empty(t, e.Rules)
				assert.Nil(t, e.Redirect)
			}
			find(t, got.Entries, cluster, "http://h/", nil)
		})
	}
}

// A match that is wrong is left out, and the others of its rule serve.
func TestMatchFaults(t *testing.T) {
	for name, c := range map[string]struct {
		match, key, detail string
		offset             int
	}{
		"relative":      {`{"path": {"value": "a"}}`, "path.value", "begins with", 0},
		"slashes":       {`{"path": {"value": "/a//b"}}`, "path.value", "//", 0},
		"dot-segment":   {`{"path": {"type": "Exact", "value": "/a/.."}}`, "path.value", "..", 0},
		"escaped slash": {`{"path": {"value": "/a%2fb"}}`, "path.value", "escaped slash at offset 2", 0},
		"fragment":      {`{"path": {"value": "/a#b"}}`, "path.value", "%23", 0},
		"bare percent":  {`{"path": {"value": "/a%"}}`, "path.value", "%25", 0},
		"too long":      {`{"path": {"value": "/` + strings.Repeat("a", 1024) + `"}}`, "path.value", "1024", 0},
		"type":          {`{"path": {"type": "Regex", "value": "/a"}}`, "path.type", "RegularExpression", 0},
		"lookahead":     {`{"path": {"type": "RegularExpression", "value": "/api/(?!v1|v2)"}}`, "path.value", "/api/v1 and /api/v2", 5},
		"no expression": {`{"path": {"type": "RegularExpression", "value": "/a(b"}}`, "path.value", "missing closing", 0},
		"method":        {`{"method": "get"}`, "method", "GET", 0},
		"header type":   {`{"headers": [{"type": "Prefix", "name": "a", "value": "b"}]}`, "headers[0].type", "RegularExpression", 0},
		"header regex":  {`{"headers": [{"type": "RegularExpression", "name": "a", "value": "("}]}`, "headers[0].value", "missing closing", 0},
		"header name":   {`{"headers": [{"name": "a b", "value": "b"}]}`, "headers[0].name", "a b", 0},
		"header value":  {`{"headers": [{"name": "a"}]}`, "headers[0].value", "absent", 0},
		"long header":   {`{"headers": [{"name": "b", "value": "c"}, {"name": "a", "value": "` + strings.Repeat("b", 4097) + `"}]}`, "headers[1].value", "4096", 0},
		"no query name": {`{"queryParams": [{"value": "b"}]}`, "queryParams[0].name", "empty", 0},
		"query name":    {`{"queryParams": [{"name": "a b", "value": "b"}]}`, "queryParams[0].name", "a b", 0},
		"query value":   {`{"queryParams": [{"name": "a", "value": ""}]}`, "queryParams[0].value", "empty", 0},
		"long query":    {`{"queryParams": [{"name": "a", "value": "` + strings.Repeat("b", 1025) + `"}]}`, "queryParams[0].value", "1024", 0},
		"not ASCII":     {`{"path": {"value": "/é"}}`, "path.value", `"é" cannot be in a path to match, at offset 1: write %C3%A9`, 0},
		"query type":    {`{"queryParams": [{"type": "x", "name": "a", "value": "b"}]}`, "queryParams[0].type", "RegularExpression", 0},
		"long regex":    {`{"path": {"type": "RegularExpression", "value": "/` + strings.Repeat("a", 1024) + `"}}`, "path.value", "1025 characters", 0},
		"unknown field": {`{"cookies": []}`, "cookies", "not known", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := result(decode(t, "web", `{"rules": [{"matches": [`+c.match+`, {"path": {"value": "/good"}}], "backendRefs": [{"name": "web", "port": 80}]}]}`))
			require.Len(t, got.Problems, 1)
			p := got.Problems[0]
			assert.Equal(t, gateway.CodeMatch, p.Code)
			assert.Equal(t, "spec.rules[0].matches[0]."+c.key, p.Origin.Key)
			assert.Equal(t, c.offset, p.Origin.Offset)
			assert.Contains(t, p.Detail, c.detail)
			require.Len(t, got.Entries, 1)
			assert.Equal(t, "/good", got.Entries[0].Pattern.Path)
			assert.Equal(t, 1, got.Entries[0].Source.Path)
		})
	}
}

func TestBackends(t *testing.T) {
	c := &ingress.Cluster{
		Service: func(namespace, name string) (ingress.ServiceInfo, bool) {
			return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}}, name != "missing"
		},
		Grant: func(from, to ingress.ObjectRef) bool {
			return from == ingress.ObjectRef{Group: "gateway.networking.k8s.io", Kind: "HTTPRoute", Namespace: "default"} &&
				to == ingress.ObjectRef{Kind: "Service", Namespace: "granted", Name: "web"}
		},
	}
	for name, c1 := range map[string]struct {
		ref     string
		weight  uint32
		invalid bool
		code    ingress.Code
	}{
		"good":            {`{"name": "web", "port": 80}`, 1, false, ""},
		"zero":            {`{"name": "web", "port": 80, "weight": 0}`, 0, false, ""},
		"most":            {`{"name": "web", "port": 80, "weight": 1000000}`, 1000000, false, ""},
		"explicit kind":   {`{"group": "", "kind": "Service", "name": "web", "port": 80}`, 1, false, ""},
		"own namespace":   {`{"namespace": "default", "name": "web", "port": 80}`, 1, false, ""},
		"granted":         {`{"namespace": "granted", "name": "web", "port": 80, "weight": 3}`, 3, false, ""},
		"kind":            {`{"kind": "Bucket", "name": "web", "port": 80, "weight": 5}`, 5, true, gateway.CodeBackend},
		"group":           {`{"group": "example.com", "name": "web", "port": 80}`, 1, true, gateway.CodeBackend},
		"no port":         {`{"name": "web"}`, 1, true, gateway.CodeBackend},
		"not granted":     {`{"namespace": "other", "name": "web", "port": 80, "weight": 7}`, 7, true, gateway.CodeGrant},
		"no Service":      {`{"name": "missing", "port": 80, "weight": 2}`, 2, true, ingress.CodeUnknownService},
		"unknown port":    {`{"name": "web", "port": 81}`, 1, true, ingress.CodeUnknownPort},
		"too heavy":       {`{"name": "web", "port": 80, "weight": 1000001}`, 0, true, gateway.CodeWeight},
		"negative":        {`{"name": "web", "port": 80, "weight": -1}`, 0, true, gateway.CodeWeight},
		"filter":          {`{"name": "web", "port": 80, "filters": [{"type": "RequestMirror"}]}`, 1, true, gateway.CodeFilter},
		"redirect filter": {`{"name": "web", "port": 80, "filters": [{"type": "RequestRedirect", "requestRedirect": {}}]}`, 1, true, gateway.CodeFilter},
	} {
		t.Run(name, func(t *testing.T) {
			r := decode(t, "web", `{"rules": [{"backendRefs": [`+c1.ref+`, {"name": "other", "port": 80, "weight": 4}]}]}`)
			got := gateway.Translate([]*gateway.HTTPRoute{r}, c)
			require.Len(t, got.Entries, 1)
			b := got.Entries[0].Backends
			require.Len(t, b, 2)
			assert.Equal(t, c1.weight, b[0].Weight)
			assert.Equal(t, c1.invalid, b[0].Invalid)
			assert.Equal(t, uint32(4), b[1].Weight)
			assert.False(t, b[1].Invalid)
			if c1.code == "" {
				assert.Empty(t, got.Problems)
				return
			}
			require.Len(t, got.Problems, 1)
			assert.Equal(t, c1.code, got.Problems[0].Code)
			assert.True(t, strings.HasPrefix(got.Problems[0].Origin.Key, "spec.rules[0].backendRefs[0]"), got.Problems[0].Origin.Key)
		})
	}
}

// The URL of a request can be rewritten for all backends, or for one.
func TestRewrittenTwice(t *testing.T) {
	const filter = `"filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": "x.y"}}]`
	got := result(decode(t, "web", `{"rules": [{`+filter+`, "backendRefs": [{"name": "one", "port": 80, `+filter+`}, {"name": "two", "port": 80}]}]}`))
	require.Len(t, got.Problems, 1)
	assert.Equal(t, gateway.CodeFilter, got.Problems[0].Code)
	assert.Equal(t, "spec.rules[0].backendRefs[0].filters", got.Problems[0].Origin.Key)
	assert.True(t, got.Entries[0].Backends[0].Invalid)
	assert.False(t, got.Entries[0].Backends[1].Invalid)
}

func TestRuleProblems(t *testing.T) {
	ten := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for name, c := range map[string]struct {
		spec     string
		code     ingress.Code
		severity ingress.Severity
		entries  int
	}{
		"no backend":         {`{"rules": [{}]}`, gateway.CodeNoBackend, ingress.Warning, 1},
		"no rules":           {`{}`, gateway.CodeNoBackend, ingress.Warning, 1},
		"timeouts":           {`{"rules": [{"timeouts": {}, "backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeIgnored, ingress.Note, 1},
		"unknown field":      {`{"rules": [{"other": 1, "backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeUnknownField, ingress.Warning, 1},
		"hostname":           {`{"hostnames": ["a_b..c", "x.y"], "rules": [{"backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeHostname, ingress.Error, 1},
		"hostname address":   {`{"hostnames": ["10.0.0.1"], "rules": [{"backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeHostname, ingress.Error, 0},
		"long wildcard":      {`{"hostnames": ["*.` + strings.Repeat("ab.", 83) + `abc"], "rules": [{"backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeHostname, ingress.Error, 0},
		"longest wildcard":   {`{"hostnames": ["*.` + strings.Repeat("ab.", 83) + `ab"], "rules": [{}]}`, gateway.CodeNoBackend, ingress.Warning, 1},
		"too many hostnames": {`{"hostnames": [` + ten(17, `"x.y"`) + `], "rules": [{"backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeLimit, ingress.Error, 1},
		"too many rules":     {`{"rules": [` + ten(17, `{"backendRefs": [{"name": "web", "port": 80}]}`) + `]}`, gateway.CodeLimit, ingress.Error, 16},
		"too many matches":   {`{"rules": [{"matches": [` + ten(65, `{}`) + `], "backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeLimit, ingress.Error, 64},
		"too many in all":    {`{"rules": [` + ten(3, `{"matches": [`+ten(60, `{}`)+`], "backendRefs": [{"name": "web", "port": 80}]}`) + `]}`, gateway.CodeLimit, ingress.Error, 120},
		"too many, default":  {`{"rules": [` + ten(2, `{"matches": [`+ten(64, `{}`)+`], "backendRefs": [{"name": "web", "port": 80}]}`) + `, {"backendRefs": [{"name": "web", "port": 80}]}]}`, gateway.CodeLimit, ingress.Error, 128},
		"too many backends":  {`{"rules": [{"backendRefs": [` + ten(17, `{"name": "web", "port": 80}`) + `]}]}`, gateway.CodeLimit, ingress.Error, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := result(decode(t, "web", c.spec))
			require.Len(t, got.Problems, 1)
			assert.Equal(t, c.code, got.Problems[0].Code)
			assert.Equal(t, c.severity, got.Problems[0].Severity)
			assert.Len(t, got.Entries, c.entries)
		})
	}
	r := decode(t, "web", `{"rules": [{"backendRefs": [{"name": "web", "port": 80}]}]}`)
	got := result(r, r)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, gateway.CodeDuplicate, got.Problems[0].Code)
	assert.Len(t, got.Entries, 1)
}

// Of items of one name the first counts, and the others are named.
func TestSameNames(t *testing.T) {
	type found struct {
		when    route.Conditions
		request []ingress.HeaderOp
		at      []string
	}
	a1 := []route.Condition{{Name: "a", Value: "1"}}
	modifier := func(fields string) string {
		return `"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {` + fields + `}}]`
	}
	for rule, want := range map[string]found{
		`"matches": [{"headers": [{"name": "a", "value": "1"}, {"name": "A", "value": "2"}, {"name": "a", "value": "3"}]}]`: {
			when: route.Conditions{Headers: a1}, at: []string{"matches[0].headers[1].name", "matches[0].headers[2].name"},
		},
		`"matches": [{"queryParams": [{"name": "a", "value": "1"}, {"name": "A", "value": "2"}, {"name": "a", "value": "3"}]}]`: {
			when: route.Conditions{Query: append(a1, route.Condition{Name: "A", Value: "2"})}, at: []string{"matches[0].queryParams[2].name"},
		},
		modifier(`"set": [{"name": "X-A", "value": "1"}, {"name": "x-a", "value": "2"}]`): {
			request: []ingress.HeaderOp{{Name: "X-A", Value: "1"}}, at: []string{"filters[0].requestHeaderModifier.set[1].name"},
		},
		modifier(`"set": [{"name": "a", "value": "1"}], "add": [{"name": "A", "value": "2"}, {"name": "a", "value": "3"}]`): {
			request: []ingress.HeaderOp{{Name: "a", Value: "1"}, {Op: ingress.AddHeader, Name: "A", Value: "2"}},
			at:      []string{"filters[0].requestHeaderModifier.add[1].name"},
		},
		modifier(`"remove": ["a", "A"]`): {request: []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "a"}}},
	} {
		t.Run(rule, func(t *testing.T) {
			got := result(decode(t, "web", `{"rules": [{`+rule+`, "backendRefs": [{"name": "web", "port": 80}]}]}`))
			require.Len(t, got.Entries, 1)
			assert.Equal(t, want.when, got.Entries[0].When)
			assert.Equal(t, want.request, got.Entries[0].RequestHeaders)
			var at []string
			for _, p := range got.Problems {
				assert.Equal(t, gateway.CodeSameName, p.Code)
				assert.Equal(t, ingress.Warning, p.Severity)
				at = append(at, strings.TrimPrefix(p.Origin.Key, "spec.rules[0]."))
			}
			assert.Equal(t, want.at, at)
		})
	}
	got := result(decode(t, "web", `{"rules": [{"backendRefs": [{"name": "web", "port": 80, "filters": [
		{"type": "ResponseHeaderModifier", "responseHeaderModifier": {"add": [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}]}}]}]}]}`))
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "spec.rules[0].backendRefs[0].filters[0].responseHeaderModifier.add[1].name", got.Problems[0].Origin.Key)
}

func TestDecodeFaults(t *testing.T) {
	for _, text := range []string{
		`{"kind": "Ingress"}`,
		`{"spec": {"rules": [null]}}`,
		`{"spec": {"rules": [{"matches": [null]}]}}`,
		`{"spec": {"rules": [{"filters": [null]}]}}`,
		`{"spec": {"rules": [{"backendRefs": [null]}]}}`,
		`{"spec": {"rules": [{"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplaceFullPath", "replacePrefixMatch": "/"}}}]}]}}`,
		`{"spec": {"rules": [{"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch"}}}]}]}}`,
		`{"spec": {"rules": [{"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {}}}]}]}}`,
		`{"spec": {"rules": [{"filters": [{"type": "RequestRedirect", "requestRedirect": {"path": {"type": ""}}}]}]}}`,
		`{"spec": {"hostnames": 1}}`,
		`[]`,
	} {
		r := gateway.HTTPRoute{Name: "kept"}
		assert.Error(t, json.Unmarshal([]byte(text), &r), text)
		assert.Equal(t, gateway.HTTPRoute{Name: "kept"}, r)
	}
	for text, place := range map[string]string{
		`{"spec": {"rules": [{}, {"backendRefs": [null]}, null]}}`:  "spec.rules[1]: ",
		`{"spec": {"rules": [{"backendRefs": [{"weight": 1.5}]}]}}`: "spec.rules[0]: ",
		`{"spec": {"rules": [{}, null]}}`:                           "spec.rules[1]: ",
		`{"spec": {"rules": [{}], "hostnames": 1}}`:                 "spec: ",
	} {
		assert.ErrorContains(t, json.Unmarshal([]byte(text), new(gateway.HTTPRoute)), "gateway: "+place, text)
	}
	for _, text := range []string{`{}`, `{"metadata": null, "spec": null}`, `{"spec": {"rules": null, "hostnames": null, "parentRefs": null}}`,
		`{"spec": {"rules": [{"matches": null, "filters": null, "timeouts": null}]}}`,
		`{"spec": {"rules": [{"matches": [{"path": null, "headers": null}], "filters": [{"type": "URLRewrite", "urlRewrite": {"path": null}}]}]}}`} {
		var r gateway.HTTPRoute
		assert.NoError(t, json.Unmarshal([]byte(text), &r), text)
		result(&r)
	}
}
