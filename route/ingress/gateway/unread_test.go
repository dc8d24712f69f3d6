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
		require.Len(t, got.Problems, 1)
		p := got.Problems[0]
		assert.Equal(t, "spec.rules[0].matches[0]."+key, p.Origin.Key)
		assert.Equal(t, 2, p.Origin.Offset)
		assert.Contains(t, p.Detail, "lookahead")
	}
	got := result(decode(t, "web", `{"rules": [{"matches": [{"headers": [{"name": "a", "value": "1"}, {"name": "A", "value": "2"}, {"name": "b c", "value": "3"}]}],
		"backendRefs": [{"name": "web", "port": 80}]}]}`))
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "spec.rules[0].matches[0].headers[2].name", got.Problems[0].Origin.Key)
}
