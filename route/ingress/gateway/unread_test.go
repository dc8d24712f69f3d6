package gateway_test

// Fields that are not known, at any depth, and what cannot be done and is not
// left to a shorter path.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

func TestUnknownFields(t *testing.T) {
	const backends = `"backendRefs": [{"name": "web", "port": 80}]`
	for spec, want := range map[string]struct {
		code    ingress.Code
		key     string
		entries int
	}{
		`{"other": 1, "rules": [{` + backends + `}]}`:                                                                                                                      {gateway.CodeUnknownField, "spec.other", 1},
		`{"parentRefs": [{"name": "x", "other": 1}], "rules": [{` + backends + `}]}`:                                                                                       {gateway.CodeUnknownField, "spec.parentRefs[0].other", 1},
		`{"useDefaultGateways": "All", "rules": [{` + backends + `}]}`:                                                                                                     {gateway.CodeIgnored, "spec.useDefaultGateways", 1},
		`{"rules": [{"backendRefs": [{"name": "web", "port": 80, "wieght": 3}]}]}`:                                                                                         {gateway.CodeUnknownField, "spec.rules[0].backendRefs[0].wieght", 1},
		`{"rules": [{"matches": [{"path": {"value": "/a", "caseSensitive": false}}], ` + backends + `}]}`:                                                                  {gateway.CodeMatch, "spec.rules[0].matches[0].path.caseSensitive", 0},
		`{"rules": [{"matches": [{"headers": [{"name": "a", "value": "b"}, {"NAME": "c", "value": "d", "invert": true}]}], ` + backends + `}]}`:                            {gateway.CodeMatch, "spec.rules[0].matches[0].headers[1].invert", 0},
		`{"rules": [{"filters": [{"type": "RequestRedirect", "requestRedirect": {"scheme": "https", "query": "x"}}]}]}`:                                                    {gateway.CodeFilter, "spec.rules[0].filters[0].requestRedirect.query", 1},
		`{"rules": [{"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplaceFullPath", "replaceFullPath": "/a", "other": 1}}}], ` + backends + `}]}`:   {gateway.CodeFilter, "spec.rules[0].filters[0].urlRewrite.path.other", 1},
		`{"rules": [{"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": [{"name": "a", "value": "b", "append": true}]}}], ` + backends + `}]}`: {gateway.CodeFilter, "spec.rules[0].filters[0].requestHeaderModifier.set[0].append", 1},
		`{"rules": [{"filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": "x.y"}, "requestRedirect": {"scheme": "https"}}], ` + backends + `}]}`:                  {gateway.CodeFilter, "spec.rules[0].filters[0].requestRedirect", 1},
	} {
		t.Run(want.key, func(t *testing.T) {
			got := result(decode(t, "web", spec))
			require.Len(t, got.Problems, 1)
			assert.Equal(t, want.code, got.Problems[0].Code)
			assert.Equal(t, want.key, got.Problems[0].Origin.Key)
			require.Len(t, got.Entries, want.entries)
			if want.code == gateway.CodeFilter {
				assert.True(t, got.Entries[0].Backends[0].Invalid)
			}
		})
	}
	r := decode(t, "web", `{"rules": [{"matches": [{"path": {"value": "/a", "other": null}, "Method": "GET"}]}]}`)
	assert.Empty(t, r.Rules[0].Matches[0].Unread, "null is absent, and letter case does not count")
}

// A field that is empty, where the API asks for a text or a number, is not one
// that is absent: it would stand for more requests, or for another URL.
func TestEmptyFields(t *testing.T) {
	const backends = `"backendRefs": [{"name": "web", "port": 80}]`
	for key, rule := range map[string]string{
		"matches[0].method":                             `"matches": [{"method": ""}], ` + backends,
		"matches[0].path.value":                         `"matches": [{"path": {"type": "Exact", "value": ""}}], ` + backends,
		"matches[0].path.type":                          `"matches": [{"path": {"type": "", "value": "/a"}}], ` + backends,
		"matches[0].headers[1].type":                    `"matches": [{"headers": [{"name": "a", "value": "b"}, {"name": "c", "type": "", "value": "d"}]}], ` + backends,
		"matches[0].queryParams[0].type":                `"matches": [{"queryParams": [{"name": "a", "type": "", "value": "b"}]}], ` + backends,
		"filters[0].urlRewrite.hostname":                `"filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": ""}}], ` + backends,
		"filters[0].requestRedirect.hostname":           `"filters": [{"type": "RequestRedirect", "requestRedirect": {"hostname": ""}}]`,
		"filters[0].requestRedirect.scheme":             `"filters": [{"type": "RequestRedirect", "requestRedirect": {"scheme": "", "port": 8443}}]`,
		"filters[0].requestRedirect.port":               `"filters": [{"type": "RequestRedirect", "requestRedirect": {"scheme": "https", "port": 0}}]`,
		"filters[0].requestRedirect.statusCode":         `"filters": [{"type": "RequestRedirect", "requestRedirect": {"statusCode": 0}}]`,
		"backendRefs[0].kind":                           `"backendRefs": [{"kind": "", "name": "web", "port": 80}]`,
		"backendRefs[0].namespace":                      `"backendRefs": [{"namespace": "", "name": "web", "port": 80}]`,
		"backendRefs[0].filters[0].urlRewrite.hostname": `"backendRefs": [{"name": "web", "port": 80, "filters": [{"type": "URLRewrite", "urlRewrite": {"hostname": ""}}]}]`,
	} {
		t.Run(key, func(t *testing.T) {
			got := result(decode(t, "web", `{"rules": [{`+rule+`}]}`))
			require.Len(t, got.Problems, 1)
			assert.Equal(t, "spec.rules[0]."+key, got.Problems[0].Origin.Key)
			assert.Contains(t, got.Problems[0].Detail, "empty")
			switch got.Problems[0].Code {
			case gateway.CodeMatch:
				assert.Empty(t, got.Entries)
			case gateway.CodeFilter:
				require.Len(t, got.Entries, 1)
				assert.True(t, got.Entries[0].Backends[0].Invalid)
			default:
				assert.Equal(t, gateway.CodeUnknownField, got.Problems[0].Code)
				assert.False(t, got.Entries[0].Backends[0].Invalid)
			}
		})
	}
	got := result(decode(t, "web", `{"rules": [{"matches": [{"path": null, "method": null}], "backendRefs": [{"group": "", "name": "web", "port": 80, "weight": 0}]}]}`))
	assert.Empty(t, got.Problems, "null is absent, the group of a Service is empty, and a weight may be 0")
}

// Limits are in characters, as a schema counts them, and not in bytes.
func TestLimitsInCharacters(t *testing.T) {
	spec := func(n int) string {
		value := func(most int) string { return `"` + strings.Repeat("é", most+n) + `"` }
		set := `{"set": [{"name": "a", "value": ` + value(4096) + `}]}`
		return `{"rules": [{"matches": [{"headers": [{"name": "a", "value": ` + value(4096) + `}], "queryParams": [{"name": "a", "value": ` + value(1024) + `}]}],
			"filters": [{"type": "ResponseHeaderModifier", "responseHeaderModifier": ` + set + `},
				{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplaceFullPath", "replaceFullPath": "/` + strings.Repeat("é", 1023+n) + `"}}}],
			"backendRefs": [{"name": "web", "port": 80}]}]}`
	}
	got := result(decode(t, "web", spec(0)))
	assert.Empty(t, got.Problems)
	assert.Len(t, got.Entries, 1)
	got = result(decode(t, "web", spec(1)))
	var keys []string
	for _, p := range got.Problems {
		keys = append(keys, strings.TrimPrefix(p.Origin.Key, "spec.rules[0]."))
	}
	assert.Equal(t, []string{"matches[0].headers[0].value", "matches[0].queryParams[0].value"}, keys)
	got = result(decode(t, "web", strings.Replace(spec(1), `"matches"`, `"name": "x", "other"`, 1)))
	keys = nil
	for _, p := range got.Problems {
		keys = append(keys, strings.TrimPrefix(p.Origin.Key, "spec.rules[0]."))
	}
	assert.Equal(t, []string{"other", "filters[0].responseHeaderModifier.set[0].value", "filters[1].urlRewrite.path"}, keys)
}

// A rule that cannot be done answers 500, and not the rule for a shorter path.
func TestClosed(t *testing.T) {
	set := func(name, value string) gateway.Filter {
		return gateway.Filter{Type: "RequestHeaderModifier", RequestHeaderModifier: &gateway.HeaderModifier{Set: []gateway.HeaderValue{{Name: name, Value: value}}}}
	}
	redirect := gateway.Filter{Type: "RequestRedirect", RequestRedirect: &gateway.RequestRedirect{Scheme: "https"}}
	host := gateway.Filter{Type: "URLRewrite", URLRewrite: &gateway.URLRewrite{Hostname: "a.example"}}
	backends := []gateway.BackendRef{{Name: "web", Port: 80}}
	for name, rule := range map[string]gateway.Rule{
		"Host of a redirect": {Filters: []gateway.Filter{set("Host", "a b"), redirect}},
		"redirect, Host":     {Filters: []gateway.Filter{redirect, set("Host", "a b")}},
		"value":              {Filters: []gateway.Filter{set("a", "\xff")}, BackendRefs: backends},
		"two hosts":          {Filters: []gateway.Filter{set("Host", "b.example"), host}, BackendRefs: backends},
		"two hosts, other":   {Filters: []gateway.Filter{host, set("Host", "b.example")}, BackendRefs: backends},
	} {
		t.Run(name, func(t *testing.T) {
			rule.Matches = []gateway.Match{{Path: gateway.PathMatch{Value: "/adm"}}}
			got := gateway.Translate([]*gateway.HTTPRoute{{Name: "web", Rules: []gateway.Rule{rule, {BackendRefs: backends}}}}, nil)
			require.Len(t, got.Problems, 1)
			assert.Equal(t, gateway.CodeFilter, got.Problems[0].Code)
			e := find(t, got.Entries, nil, "http://h/adm/x", nil)
			require.NotNil(t, e)
			assert.Equal(t, []ingress.Backend{{Weight: 1, Invalid: true}}, e.Backends)
		})
	}
}

// Filters of a backend are as many as those of a rule.
func TestManyFiltersOfABackend(t *testing.T) {
	filters := make([]gateway.Filter, 50_000)
	for i := range filters {
		filters[i].Type = strings.Repeat("x", i%50+1)
	}
	got := gateway.Translate([]*gateway.HTTPRoute{{Name: "web", Rules: []gateway.Rule{{BackendRefs: []gateway.BackendRef{{Name: "web", Port: 80, Filters: filters}}}}}}, nil)
	require.Len(t, got.Problems, 1+16)
	assert.Equal(t, gateway.CodeLimit, got.Problems[0].Code)
	assert.Equal(t, "spec.rules[0].backendRefs[0].filters", got.Problems[0].Origin.Key)
	assert.True(t, got.Entries[0].Backends[0].Invalid)
	assert.Equal(t, "web", got.Entries[0].Backends[0].Service.Name)
}

// Faults of expressions in conditions have their place in the manifest.
func TestConditionOffsets(t *testing.T) {
	for field, key := range map[string]string{"headers": "headers[2].value", "queryParams": "queryParams[2].value"} {
		got := result(decode(t, "web", `{"rules": [{"matches": [{"`+field+`": [{"name": "a", "value": "1"}, {"name": "a", "value": "2"},
			{"type": "RegularExpression", "name": "b", "value": "ab(?!c)"}]}], "backendRefs": [{"name": "web", "port": 80}]}]}`))
		require.Len(t, got.Problems, 2)
		assert.Equal(t, gateway.CodeSameName, got.Problems[0].Code)
		p := got.Problems[1]
		assert.Equal(t, "spec.rules[0].matches[0]."+key, p.Origin.Key)
		assert.Equal(t, 2, p.Origin.Offset)
		assert.Contains(t, p.Detail, "lookahead")
	}
	got := result(decode(t, "web", `{"rules": [{"matches": [{"headers": [{"name": "a", "value": "1"}, {"name": "A", "value": "2"}, {"name": "b c", "value": "3"}]}],
		"backendRefs": [{"name": "web", "port": 80}]}]}`))
	require.Len(t, got.Problems, 2)
	assert.Equal(t, gateway.CodeSameName, got.Problems[0].Code)
	assert.Equal(t, "spec.rules[0].matches[0].headers[2].name", got.Problems[1].Origin.Key)
}
