package kong_test

// What Kong's controller makes of annotations that meet.

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/kong"
)

// force-ssl-redirect is protocols https with another status, where protocols say
// nothing else.
func TestForceHTTPS(t *testing.T) {
	const force = "ingress.kubernetes.io/force-ssl-redirect"
	for _, c := range []struct {
		force, protocols, status string
		want                     int // the status of the redirect; 0: http is served
		code                     ingress.Code
		key                      string
	}{
		{"true", "", "", 302, "", force},
		{"true", "", "308", 308, "", force},
		{"true", "https", "", 302, "", "konghq.com/protocols"},
		{"true", "grpcs", "301", 301, "", "konghq.com/protocols"},
		{"true", "http,https", "", 0, kong.CodeOverridden, force},
		{"true", "tcp", "", 302, kong.CodeValue, force},
		{"false", "", "", 0, "", ""},
		{"True", "", "", 0, kong.CodeValue, force},
		{"", "https", "", 426, "", "konghq.com/protocols"},
	} {
		annotations := make(map[string]string)
		for key, value := range map[string]string{force: c.force, "konghq.com/protocols": c.protocols, "konghq.com/https-redirect-status-code": c.status} {
			if value != "" {
				annotations[key] = value
			}
		}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/x", "Prefix", annotations)}, nil)
		if c.code == "" {
			assert.Empty(t, got.Problems, "%+v", c)
		} else {
			require.Len(t, got.Problems, 1, "%+v", c)
			assert.Equal(t, c.code, got.Problems[0].Code)
		}
		if c.want == 0 {
			require.Len(t, got.Entries, 1, "%+v", c)
			assert.Nil(t, got.Entries[0].Redirect)
			continue
		}
		require.Len(t, got.Entries, 2, "%+v", c)
		assert.Equal(t, c.want, got.Entries[0].Redirect.Status, "%+v", c)
		assert.Equal(t, c.key, got.Entries[0].Redirect.Rules[0].Origin.Key)
		assert.Equal(t, "http", got.Entries[0].When.Scheme)
	}
}

// The aliases of a rule without a host are all the hosts that it has.
func TestHostAliasesAlone(t *testing.T) {
	for aliases, want := range map[string][]string{
		"a.example,B.example": {"a.example", "b.example"}, "a.example,a_/b": {"a.example"}, "a_/b": nil, "": {""}, " , ": {""},
	} {
		in := made("/x", "Prefix", map[string]string{"konghq.com/host-aliases": aliases})
		in.Rules[0].Host = ""
		in.Default = &ingress.BackendRef{Service: "web", Port: 80}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
		count := make(map[string]int)
		for _, e := range got.Entries {
			count[e.Pattern.Host]++
		}
		require.Len(t, count, len(want), aliases)
		for _, host := range want {
			assert.Equal(t, 2, count[host], "the rule and the default backend")
		}
	}
}

// Each of several values may be an expression.
func TestHeaderValues(t *testing.T) {
	for _, c := range []struct {
		value    string
		mode     kong.Mode
		yes, not []string
	}{
		{"one,~*^t[wx]o$", kong.Strict, []string{"one", "two", "TXO"}, []string{"ONE", "stwo", "~*^t[wx]o$"}},
		{"one,~*two", kong.Compat, []string{"ONE", "a two b"}, []string{"oneb"}},
		{"~*a|b,c.d", kong.Strict, []string{"xay", "xby", "c.d"}, []string{"cxd"}},
		{"~*two", kong.Strict, []string{"a TWO b"}, []string{"to"}},
	} {
		got := kong.New(&kong.Options{Mode: c.mode}).Rewrite([]*ingress.Ingress{made("/", "Prefix", map[string]string{"konghq.com/headers.x-a": c.value})}, nil)
		require.Empty(t, got.Problems, c.value)
		table, problems := ingress.Build(got.Entries, nil, func(*ingress.Entry, *ingress.Compiled) (bool, error) { return true, nil })
		require.Empty(t, problems)
		u, err := rewrite.Parse("http://h/x")
		require.NoError(t, err)
		for _, v := range c.yes {
			assert.True(t, matches(table, &u, v), "%s %s", c.value, v)
		}
		for _, v := range c.not {
			assert.False(t, matches(table, &u, v), "%s %s", c.value, v)
		}
	}
	got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/", "Prefix", map[string]string{"konghq.com/headers.x-a": "one, ~*(?=two)"})}, nil)
	assert.Empty(t, got.Entries)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, len("one, ~*"), got.Problems[0].Origin.Offset)
	got = kong.New(nil).Rewrite([]*ingress.Ingress{made("/", "Prefix", map[string]string{"konghq.com/headers.hosT": "h"})}, nil)
	assert.Empty(t, got.Entries)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, kong.CodeCondition, got.Problems[0].Code)
	assert.Contains(t, got.Problems[0].Detail, "host-aliases")
}

func matches(table *route.Table[bool], u *rewrite.URL, value string) bool {
	_, ok := table.Match(u, field(value))
	return ok
}

// A field is the value of X-A.
type field string

func (field) Method() string { return "GET" }

func (f field) Header(name string) (string, bool) { return string(f), name == "X-A" || name == "x-a" }

// Kong keeps the path of gRPC, which is the name of a method.
func TestGRPCPaths(t *testing.T) {
	for _, c := range []struct {
		protocols, protocol string
		rules, problems     int
	}{
		{"grpc,grpcs", "grpc", 0, 2}, {"grpcs", "", 1, 1}, {"grpc,http", "", 1, 0}, {"", "grpcs", 1, 1}, {"", "https", 1, 0},
	} {
		onService := map[string]string{"konghq.com/path": "/base"}
		if c.protocol != "" {
			onService["konghq.com/protocol"] = c.protocol
		}
		cluster := &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
			return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: onService}, true
		}}
		annotations := map[string]string{"konghq.com/strip-path": "true"}
		if c.protocols != "" {
			annotations["konghq.com/protocols"] = c.protocols
		}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/a", "Prefix", annotations)}, cluster)
		assert.Len(t, got.Entries[len(got.Entries)-1].Rules, c.rules, "%+v", c)
		require.Len(t, got.Problems, c.problems, "%+v", c)
		for _, p := range got.Problems {
			assert.Equal(t, kong.CodeOverridden, p.Code)
		}
	}
}
