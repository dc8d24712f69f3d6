package ingress_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "0": 0, "1": 1, "1k": 1 << 10, "1K": 1 << 10, "100M": 100 << 20, "100m": 100 << 20, "2g": 2 << 30, "2G": 2 << 30,
		"9223372036854775807": math.MaxInt64, "8589934591g": 8589934591 << 30,
	} {
		n, err := ingress.ParseSize(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, n, text)
	}
	for _, text := range []string{"-1", "+1", "1.5m", "m", "1t", "1 m", "1mb", "0x10", "1_0", "9223372036854775808", "8589934592g", "٣"} {
		_, err := ingress.ParseSize(text)
		assert.Error(t, err, text)
	}
}

func TestStripPrefix(t *testing.T) {
	rule := func(a rewrite.Action) rewrite.Rule { return rewrite.Rule{Action: a} }
	for _, test := range []struct {
		name  string
		rules []rewrite.Rule
		want  string
		ok    bool
	}{
		{"nothing", nil, "", false},
		{"one prefix", []rewrite.Rule{rule(rewrite.TrimPathPrefix("/api"))}, "/api", true},
		{"beside the host and the query", []rewrite.Rule{rule(rewrite.SetHost("h")), rule(rewrite.TrimPathPrefix("/api")), rule(rewrite.DeleteQuery("a"))}, "/api", true},
		{"two prefixes", []rewrite.Rule{rule(rewrite.TrimPathPrefix("/a", "/b"))}, "", false},
		{"twice", []rewrite.Rule{rule(rewrite.TrimPathPrefix("/a")), rule(rewrite.TrimPathPrefix("/b"))}, "", false},
		{"and another path action", []rewrite.Rule{rule(rewrite.TrimPathPrefix("/a")), rule(rewrite.AddPathPrefix("/b"))}, "", false},
		{"before location", []rewrite.Rule{{Hook: rewrite.BeforeLocation, Action: rewrite.TrimPathPrefix("/a")}}, "", false},
	} {
		prefix, ok := (&ingress.Entry{Rules: test.rules}).StripPrefix()
		assert.Equal(t, test.ok, ok, test.name)
		assert.Equal(t, test.want, prefix, test.name)
	}
}

// TestDekubeEntry decodes an entry of seed 003.
func TestDekubeEntry(t *testing.T) {
	var e ingress.Entry
	require.NoError(t, json.Unmarshal([]byte(`{
		"host": "app.example.com", "path": "/api", "upstream": "app:8080", "scheme": "https",
		"server_ca_secret": "ca", "server_sni": "app.internal", "strip_prefix": "/api",
		"response_headers": {"X-Frame-Options": "DENY", "Access-Control-Allow-Origin": "*"},
		"max_body_size": "100M", "extra_directives": ["encode gzip"]
	}`), &e))
	assert.Equal(t, route.Pattern{Host: "app.example.com", Path: "/api"}, e.Pattern)
	assert.Equal(t, []ingress.Backend{{Upstream: "app:8080", Scheme: "https", CASecret: "ca", SNI: "app.internal", Weight: 1}}, e.Backends)
	strip, ok := e.StripPrefix()
	assert.True(t, ok)
	assert.Equal(t, "/api", strip)
	assert.Equal(t, []ingress.HeaderOp{{Name: "X-Frame-Options", Value: "DENY"}, {Name: "Access-Control-Allow-Origin", Value: "*"}}, e.ResponseHeaders, "in the order of the text")
	assert.EqualValues(t, 100<<20, e.MaxBodySize)
	assert.Equal(t, []string{"encode gzip"}, e.ExtraDirectives)

	text, err := json.Marshal(e)
	require.NoError(t, err)
	assert.Equal(t, `{"host":"app.example.com","path":"/api","upstream":"app:8080","scheme":"https","server_ca_secret":"ca","server_sni":"app.internal",`+
		`"strip_prefix":"/api","response_headers":{"X-Frame-Options":"DENY","Access-Control-Allow-Origin":"*"},"max_body_size":"100m","extra_directives":["encode gzip"]}`, string(text))
}

// TestNullEntry: null is the same as nothing, of a header field too.
func TestNullEntry(t *testing.T) {
	var e ingress.Entry
	require.NoError(t, json.Unmarshal([]byte(`{
		"host": "h", "path": "/", "upstream": "app:80", "scheme": "http", "server_ca_secret": null, "server_sni": null, "strip_prefix": null,
		"response_headers": {"A": null, "B": "", "C": "c"}, "request_headers": null, "max_body_size": null, "extra_directives": null
	}`), &e))
	assert.Equal(t, ingress.Entry{
		Pattern: route.Pattern{Host: "h", Path: "/"}, Backends: []ingress.Backend{{Upstream: "app:80", Scheme: "http", Weight: 1}},
		ResponseHeaders: []ingress.HeaderOp{{Name: "B"}, {Name: "C", Value: "c"}},
	}, e)
}

// TestEntryWeights: a backend gets nothing only if the text says so.
func TestEntryWeights(t *testing.T) {
	var e ingress.Entry
	require.NoError(t, json.Unmarshal([]byte(`{"host": "h", "path": "/", "backends": [
		{"upstream": "a:1"}, {"upstream": "b:1", "weight": null}, {"upstream": "c:1", "weight": 0}, {"upstream": "d:1", "weight": 3}
	]}`), &e))
	var got []uint32
	for _, b := range e.Backends {
		got = append(got, b.Weight)
	}
	assert.Equal(t, []uint32{1, 1, 0, 3}, got)
}

func TestEntryJSON(t *testing.T) {
	full := ingress.Entry{
		Source:  ingress.Source{Kind: "Ingress", Namespace: "a", Name: "b", Rule: -1, Path: -1, Part: "c"},
		Pattern: route.Pattern{Host: "*.example.com", Path: "/x", Type: route.Exact},
		When: route.Conditions{
			Scheme: "https", Methods: []string{"GET"},
			Headers: []route.Condition{{Name: "X-A", Test: route.Matches, Value: "b|c"}},
			Cookies: []route.Condition{{Name: "d", Test: route.Absent}},
			Query:   []route.Condition{{Name: "e", Value: "f"}},
		},
		Backends: []ingress.Backend{
			{Service: ingress.Service{Namespace: "a", Name: "s", Port: 80, PortName: "http"}, Upstream: "s:80", Scheme: "http", Weight: 70},
			{Scheme: "http", Weight: 30, Invalid: true, ResponseHeaders: []ingress.HeaderOp{{Name: "a", Value: "b"}}},
			{Upstream: "z:80", Scheme: "https", SNI: "z", CASecret: "ca", Rules: []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost("z")}}},
		},
		Redirect: &ingress.Redirect{Status: 308, StatusOther: 307, FromQuery: "to", Hosts: []string{"a.b"}},
		Rules:    []rewrite.Rule{{Hook: rewrite.BeforeLocation, Order: 2, Action: rewrite.SetHost("h")}, {Action: rewrite.TrimPathPrefix("/x")}},
		RequestHeaders: []ingress.HeaderOp{
			{Name: "A", Value: "1"}, {Op: ingress.AddHeader, Name: "A", Value: "2"}, {Op: ingress.RemoveHeader, Name: "B"},
		},
		MaxBodySize: -1,
		Back:        []rewrite.Mapping{{Kind: rewrite.MapCookiePath, From: "/", To: "/x"}},
	}
	lone := func(b ingress.Backend) ingress.Entry { return ingress.Entry{Backends: []ingress.Backend{b}} }
	for name, e := range map[string]ingress.Entry{
		"zero":                 {},
		"full":                 full,
		"lone of weight 1":     lone(ingress.Backend{Upstream: "a:1", Scheme: "http", Weight: 1, Rules: []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost("z")}}}),
		"lone without address": lone(ingress.Backend{Scheme: "http", Weight: 1, CASecret: "c"}),
		"lone with headers":    lone(ingress.Backend{Upstream: "a:1", Scheme: "http", Weight: 1, RequestHeaders: []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "a"}}}),
		"lone of weight 0":     lone(ingress.Backend{Upstream: "a:1", Scheme: "http"}),
		"lone and invalid":     lone(ingress.Backend{Scheme: "http", Weight: 1, Invalid: true, Service: ingress.Service{Name: "gone"}}),
		"same field twice":     {ResponseHeaders: []ingress.HeaderOp{{Name: "a", Value: "1"}, {Name: "A", Value: "2"}}},
		"rule with order":      {Rules: []rewrite.Rule{{Order: 1, Action: rewrite.TrimPathPrefix("/x")}}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(e)
			require.NoError(t, err)
			var back ingress.Entry
			require.NoError(t, json.Unmarshal(text, &back), string(text))
			assert.Equal(t, e, back, string(text))
		})
	}
}

func TestEntryJSONFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"hots": "a"}`:             "hots",
		`{"path_type": "Suffix"}`:   `path_type: "Suffix" is unknown: write one of Prefix, Exact`,
		`{"max_body_size": "1.5m"}`: "max_body_size",
		`{"max_body_size": {}}`:     "max_body_size",
		`{"response_headers": "x"}`: "header fields",
		`{"response_headers": [{"op": "add", "name": "a", "valeu": "b"}]}`:          `unknown field "valeu"`,
		`{"response_headers": {"a": 5}}`:                                            `header field "a"`,
		`{"response_headers": [{"op": "drop", "name": "a"}]}`:                       `op: "drop" is unknown: write one of set, add, remove`,
		`{"when": {"headers": [{"name": "a", "test": "Is"}]}}`:                      `test: "Is" is unknown: write one of Equals`,
		`{"upstream": "a:1", "backends": [{"weight": 1}]}`:                          "exclude each other",
		`{"host": "h", "scheme": "https", "server_sni": "x"}`:                       "there is none",
		`{"backends": [{"upstream": "a:1", "weight": 1}], "server_ca_secret": "c"}`: "there is none",
		`{"rules": [{"action": {"nope": 1}}]}`:                                      "nope",
	} {
		e := ingress.Entry{Pattern: route.Pattern{Host: "kept"}}
		err := json.Unmarshal([]byte(text), &e)
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), want, text)
		}
		assert.Equal(t, "kept", e.Pattern.Host, text)
	}
}
