package gateway_test

// What Write makes of entries, and what it says of the rest.

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

// entry returns an entry of one backend.
func entry(p route.Pattern, actions ...rewrite.Action) ingress.Entry {
	e := ingress.Entry{
		Source: ingress.Source{Kind: "Ingress", Namespace: "shop", Name: "web", Rule: 0, Path: 0}, Pattern: p,
		Backends: []ingress.Backend{{Service: ingress.Service{Namespace: "shop", Name: "web", Port: 80}, Upstream: "web.shop.svc.cluster.local:80", Scheme: "http", Weight: 1}},
	}
	for _, a := range actions {
		e.Rules = append(e.Rules, rewrite.Rule{Action: a, Origin: rewrite.Origin{Key: "x/rewrite"}})
	}
	return e
}

func codes(problems []ingress.Problem) (list []ingress.Code) {
	for _, p := range problems {
		list = append(list, p.Code)
	}
	return list
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// Paths, as the match and the path of the filter that are written.
func TestWritePaths(t *testing.T) {
	prefix := func(p string) route.Pattern { return route.Pattern{Path: p} }
	regex := func(p string) route.Pattern { return route.Pattern{Path: p, Type: route.Regex} }
	text := func(p string) route.Pattern { return route.Pattern{Path: p, Type: route.TextPrefix} }
	exact := func(p string) route.Pattern { return route.Pattern{Path: p, Type: route.Exact} }
	const approximate = gateway.CodeApproximate
	for _, c := range []struct {
		pattern route.Pattern
		actions []rewrite.Action
		want    string
		codes   []ingress.Code
	}{
		{prefix("/app"), nil, "PathPrefix /app", nil},
		{prefix("/app"), []rewrite.Action{rewrite.TrimPathPrefix("/app")}, "PathPrefix /app ReplacePrefixMatch /", nil},
		{prefix("/app/"), []rewrite.Action{rewrite.TrimPathPrefix("app/")}, "PathPrefix /app/ ReplacePrefixMatch /", nil},
		{prefix("/app"), []rewrite.Action{rewrite.TrimPathPrefix("/other", "/app")}, "PathPrefix /app ReplacePrefixMatch /", nil},
		{prefix("/app/v1"), []rewrite.Action{rewrite.TrimPathPrefix("/app")}, "PathPrefix /app/v1 ReplacePrefixMatch /v1", nil},
		{prefix("/app/v1"), []rewrite.Action{rewrite.ReplacePathPrefix("/app", "/x/")}, "PathPrefix /app/v1 ReplacePrefixMatch /x/v1", nil},
		{prefix("/app"), []rewrite.Action{rewrite.ReplacePathPrefix("/app", "/x")}, "PathPrefix /app ReplacePrefixMatch /x", nil},
		{prefix("/app"), []rewrite.Action{rewrite.ReplacePathPrefix("/", "/x")}, "PathPrefix /app ReplacePrefixMatch /x/app", nil},
		{prefix("/app"), []rewrite.Action{rewrite.AddPathPrefix("/x")}, "PathPrefix /app ReplacePrefixMatch /x/app", nil},
		{prefix("/"), []rewrite.Action{rewrite.AddPathPrefix("/x")}, "PathPrefix / ReplacePrefixMatch /x", nil},
		{prefix("/"), []rewrite.Action{rewrite.ReplacePathPrefix("/", "/x")}, "PathPrefix / ReplacePrefixMatch /x", nil},
		{prefix("/app"), []rewrite.Action{rewrite.TrimPathPrefix("/app"), rewrite.AddPathPrefix("/x")}, "PathPrefix /app ReplacePrefixMatch /x", []ingress.Code{approximate}},
		{prefix("/a/b/c"), []rewrite.Action{rewrite.StripPathSegments(2)}, "PathPrefix /a/b/c ReplacePrefixMatch /c", nil},
		{prefix("/a"), []rewrite.Action{rewrite.SetPath("/full")}, "PathPrefix /a ReplaceFullPath /full", nil},
		{prefix("/a"), []rewrite.Action{rewrite.SetPath("/full/x"), rewrite.TrimPathPrefix("/full"), rewrite.AddPathPrefix("/y")}, "PathPrefix /a ReplaceFullPath /y/x", nil},
		{prefix("/app"), []rewrite.Action{rewrite.TrimPathText("/app")}, "PathPrefix /app ReplacePrefixMatch /", nil},
		{prefix("/app"), []rewrite.Action{rewrite.ReplacePathText("/a", "/b")}, "PathPrefix /app ReplacePrefixMatch /bpp", nil},
		{prefix("/app"), []rewrite.Action{rewrite.ReplacePathText("/app", "/b/")}, "PathPrefix /app ReplacePrefixMatch /b", []ingress.Code{approximate}},
		{prefix("/app"), []rewrite.Action{rewrite.RewritePath("^/app(/|$)(.*)", "/$2")}, "PathPrefix /app ReplacePrefixMatch /", nil},
		{prefix("/app"), []rewrite.Action{rewrite.RewritePath("^/app(/.*)?$", "$1")}, "PathPrefix /app ReplacePrefixMatch /", nil},
		{prefix("/app"), []rewrite.Action{rewrite.RewritePath("^/app(/.*)?$", "/x$1")}, "PathPrefix /app ReplacePrefixMatch /x", nil},
		{prefix("/app"), []rewrite.Action{rewrite.RewritePath("^/app(/|$)(.*)", "/x/$2")}, "PathPrefix /app ReplacePrefixMatch /x", []ingress.Code{approximate}},
		{prefix("/app"), []rewrite.Action{rewrite.RewritePath("^/app", "/x")}, "PathPrefix /app ReplaceFullPath /x", nil},
		{exact("/a/b"), []rewrite.Action{rewrite.TrimPathPrefix("/a")}, "Exact /a/b ReplaceFullPath /b", nil},
		{exact("/a/b"), []rewrite.Action{rewrite.RewritePath("^/(a)/(b)$", "/$2/$1")}, "Exact /a/b ReplaceFullPath /b/a", nil},
		{regex("/app(/|$)(.*)"), []rewrite.Action{rewrite.RewritePath("^/app(/|$)(.*)", "/$2")}, "PathPrefix /app ReplacePrefixMatch /", nil},
		{regex("/v1\\.0(/|$)(.*)"), []rewrite.Action{rewrite.RewritePath("^/v1\\.0(/|$)(.*)", "/$2")}, "PathPrefix /v1.0 ReplacePrefixMatch /", nil},
		{regex("/app(/|$)(.*)"), []rewrite.Action{rewrite.TrimPathPrefix("/app")}, "PathPrefix /app ReplacePrefixMatch /", nil},
		{regex("/app(/|$)"), nil, "PathPrefix /app", nil},
		{regex("/app(/.*)?$"), nil, "PathPrefix /app", nil},
		{regex("/app/(.*)"), []rewrite.Action{rewrite.RewritePath("^/app/(.*)", "/$1")}, "PathPrefix /app ReplacePrefixMatch /", []ingress.Code{approximate}},
		{regex("/app/?(.*)"), []rewrite.Action{rewrite.RewritePath("^/app/?(.*)", "/$1")}, "PathPrefix /app ReplacePrefixMatch /", []ingress.Code{approximate}},
		{regex("/app(.*)"), []rewrite.Action{rewrite.RewritePath("^/app(.*)", "/$1")}, "PathPrefix /app ReplacePrefixMatch /", []ingress.Code{approximate}},
		{regex("/app(.*)"), []rewrite.Action{rewrite.RewritePath("^/app(.*)", "/x$1")}, "PathPrefix /app ReplacePrefixMatch /x", []ingress.Code{approximate}},
		{regex("/(?i)app(/|$)(.*)"), []rewrite.Action{rewrite.RewritePath("(?i)^/app(/|$)(.*)", "/$2")}, "PathPrefix /app ReplacePrefixMatch /", []ingress.Code{approximate}},
		{regex("/(?i)app(/|$)(.*)"), []rewrite.Action{rewrite.RewritePath("^(?i)/app(/|$)(.*)", "/$2")}, "PathPrefix /app ReplacePrefixMatch /", []ingress.Code{approximate}},
		{regex("/(?i)app(/|$)(.*)"), []rewrite.Action{rewrite.RewritePath("^/(?i)app(/|$)(.*)", "/$2")}, "PathPrefix /app ReplacePrefixMatch /", []ingress.Code{approximate}},
		{regex("/(?i)app(/|$)(.*)"), nil, "RegularExpression /(?i)app(/|$)(.*).*", []ingress.Code{approximate}},
		{regex("^/app(/|$)"), nil, "PathPrefix /app", nil},
		{text("/app"), []rewrite.Action{rewrite.TrimPathText("/app")}, "PathPrefix /app ReplacePrefixMatch /", []ingress.Code{approximate}},
		{text("/app/"), []rewrite.Action{rewrite.TrimPathText("/app")}, "PathPrefix /app/ ReplacePrefixMatch /", []ingress.Code{approximate}},
		{text("/"), []rewrite.Action{rewrite.AddPathPrefix("/x")}, "PathPrefix / ReplacePrefixMatch /x", nil},
		{text("/app"), nil, "RegularExpression /app.*", []ingress.Code{approximate}},
		{regex("/a/[0-9]+"), nil, "RegularExpression /a/[0-9]+.*", []ingress.Code{approximate}},
		{regex("/a/[0-9]+"), []rewrite.Action{rewrite.SetPath("/x")}, "RegularExpression /a/[0-9]+.* ReplaceFullPath /x", []ingress.Code{approximate}},
	} {
		t.Run(fmt.Sprint(c.pattern, c.actions), func(t *testing.T) {
			routes, problems := gateway.Write([]ingress.Entry{entry(c.pattern, c.actions...)}, nil)
			assert.Equal(t, c.codes, codes(problems), "%v", problems)
			require.Len(t, routes, 1)
			rule := routes[0].Rules[0]
			m := gateway.PathMatch{Type: "PathPrefix", Value: "/"}
			if len(rule.Matches) > 0 {
				m = rule.Matches[0].Path
			}
			got := m.Type + " " + m.Value
			for _, f := range rule.Filters {
				got += " " + f.URLRewrite.Path.Type + " " + f.URLRewrite.Path.Value
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// ingress2gateway writes the literal path /$2 of this.
func TestReport39CapturesBecomePrefix(t *testing.T) {
	routes, problems := gateway.Write([]ingress.Entry{
		entry(route.Pattern{Host: "h", Path: "/something(/|$)(.*)", Type: route.Regex}, rewrite.RewritePath("^/something(/|$)(.*)", "/$2")),
	}, nil)
	assert.Empty(t, problems)
	assert.JSONEq(t, `[{"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "metadata": {"namespace": "shop", "name": "web-h"},
		"spec": {"hostnames": ["h"], "rules": [{
			"matches": [{"path": {"type": "PathPrefix", "value": "/something"}}],
			"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}],
			"backendRefs": [{"name": "web", "port": 80}]}]}}]`, jsonOf(t, routes))
}

// envoy gateway#4725: there is no word for it, and it is not written as if there
// were.
func TestReport38RegexTemplate(t *testing.T) {
	const path = "/(benchmark|estimation|predictive)/api/(.*)"
	routes, problems := gateway.Write([]ingress.Entry{
		entry(route.Pattern{Path: path, Type: route.Regex}, rewrite.RewritePath("^"+path, "/$1/$2")),
	}, nil)
	assert.Empty(t, routes)
	assert.Contains(t, codes(problems), gateway.CodeUnsayable)
}

func TestUnsayable(t *testing.T) {
	with := func(change func(*ingress.Entry)) ingress.Entry {
		e := entry(route.Pattern{Host: "h", Path: "/a"})
		change(&e)
		return e
	}
	redirect := func(r ingress.Redirect) ingress.Entry {
		return with(func(e *ingress.Entry) { e.Redirect = &r })
	}
	rule := func(hook rewrite.Hook, actions ...rewrite.Action) ingress.Entry {
		return with(func(e *ingress.Entry) {
			for _, a := range actions {
				e.Rules = append(e.Rules, rewrite.Rule{Hook: hook, Action: a})
			}
		})
	}
	for name, e := range map[string]ingress.Entry{
		"hook":               rule(rewrite.BeforeLocation, rewrite.SetPath("/x")),
		"query":              rule(rewrite.AfterLocation, rewrite.SetQuery("a", "b")),
		"drop query":         rule(rewrite.AfterLocation, rewrite.DropQuery()),
		"host from path":     rule(rewrite.AfterLocation, rewrite.HostFromPathPrefix()),
		"host with port":     rule(rewrite.AfterLocation, rewrite.SetHost("x.y:81")),
		"port":               rule(rewrite.AfterLocation, rewrite.SetPort("81")),
		"address":            rule(rewrite.AfterLocation, rewrite.SetHost("10.0.0.1")),
		"suffix of another":  rule(rewrite.AfterLocation, rewrite.ReplaceHostSuffix("x", "y")),
		"trim below":         rule(rewrite.AfterLocation, rewrite.TrimPathPrefix("/a/b")),
		"replace below":      rule(rewrite.AfterLocation, rewrite.ReplacePathPrefix("/a/b", "/x")),
		"text below":         rule(rewrite.AfterLocation, rewrite.TrimPathText("/ab")),
		"trim twice":         rule(rewrite.AfterLocation, rewrite.TrimPathPrefix("/a"), rewrite.TrimPathPrefix("/a")),
		"too many segments":  rule(rewrite.AfterLocation, rewrite.StripPathSegments(2)),
		"every match":        rule(rewrite.AfterLocation, rewrite.ReplacePathRegex("a", "b")),
		"not anchored":       rule(rewrite.AfterLocation, rewrite.RewritePath("/a(/|$)(.*)", "/$2")),
		"group":              rule(rewrite.AfterLocation, rewrite.RewritePath("^/a(/|$)(.*)", "/$1")),
		"capture in the mid": rule(rewrite.AfterLocation, rewrite.RewritePath("^/a(/|$)(.*)", "/$2/x")),
		"double slash":       rule(rewrite.AfterLocation, rewrite.RewritePath("^/a(.*)", "/x/$1")),
		"redirect query":     redirect(ingress.Redirect{FromQuery: "to", Hosts: []string{"x.y"}}),
		"redirect pattern":   redirect(ingress.Redirect{Pattern: "a", Template: "b"}),
		"location query":     redirect(ingress.Redirect{Location: "https://x.y/?a"}),
		"location relative":  redirect(ingress.Redirect{Location: "x"}),
		"location address":   redirect(ingress.Redirect{Location: "https://10.0.0.1/"}),
		"redirect regex":     redirect(ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.RewritePath("^/a/([0-9]+)", "/$1")}}}),
		"redirect address":   redirect(ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetHostname("10.0.0.1")}}}),
		"cookie":             with(func(e *ingress.Entry) { e.When.Cookies = []route.Condition{{Name: "a"}} }),
		"absent":             with(func(e *ingress.Entry) { e.When.Headers = []route.Condition{{Name: "a", Test: route.Absent}} }),
		"empty value":        with(func(e *ingress.Entry) { e.When.Query = []route.Condition{{Name: "a"}} }),
		"method":             with(func(e *ingress.Entry) { e.When.Methods = []string{"PURGE"} }),
		"scheme":             with(func(e *ingress.Entry) { e.When.Scheme = "http" }),
		"host":               with(func(e *ingress.Entry) { e.Pattern.Host = "10.0.0.1" }),
		"path":               with(func(e *ingress.Entry) { e.Pattern.Path = "/a%2Fb" }),
		"no Service":         with(func(e *ingress.Entry) { e.Backends[0].Service = ingress.Service{} }),
		"many backends":      with(func(e *ingress.Entry) { e.Backends = make([]ingress.Backend, 17) }),
		"rewritten twice": with(func(e *ingress.Entry) {
			e.Rules = []rewrite.Rule{{Action: rewrite.SetHost("x.y")}}
			e.Backends[0].Rules = []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost("z.y")}}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			good := entry(route.Pattern{Host: "h", Path: "/good"})
			routes, problems := gateway.Write([]ingress.Entry{e, good}, nil)
			require.Equal(t, []ingress.Code{gateway.CodeUnsayable}, codes(problems), "%v", problems)
			assert.Equal(t, ingress.Error, problems[0].Severity)
			assert.Equal(t, e.Source, problems[0].Source)
			require.Len(t, routes, 1)
			assert.Len(t, routes[0].Rules, 1, "the other entry is written")
		})
	}
}

func TestWriteWarnings(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ingress.Entry)
		code   ingress.Code
		detail string
	}{
		"body": {func(e *ingress.Entry) { e.MaxBodySize = 1 }, gateway.CodeElsewhere, "body"},
		"back": {func(e *ingress.Entry) { e.Back = make([]rewrite.Mapping, 1) }, gateway.CodeElsewhere, "Set-Cookie"},
		//lint:ignore SA1019 what is not written has to be said
		"directives": {func(e *ingress.Entry) { e.ExtraDirectives = []string{"x"} }, gateway.CodeElsewhere, "directives"},
		"TLS":        {func(e *ingress.Entry) { e.Backends[0].Scheme = "https" }, gateway.CodeElsewhere, "BackendTLSPolicy"},
		"namespace":  {func(e *ingress.Entry) { e.Backends[0].Service.Namespace = "other" }, gateway.CodeElsewhere, "ReferenceGrant"},
		"scheme":     {func(e *ingress.Entry) { e.Rules = []rewrite.Rule{{Action: rewrite.SetScheme("https")}} }, gateway.CodeElsewhere, "scheme"},
		"add after": {func(e *ingress.Entry) {
			e.RequestHeaders = []ingress.HeaderOp{{Name: "a", Value: "1"}, {Op: ingress.AddHeader, Name: "A", Value: "2"}}
		}, gateway.CodeElsewhere, "added after it was set"},
		"many headers": {func(e *ingress.Entry) { e.RequestHeaders = headers(17) }, gateway.CodeElsewhere, "h16 is one too many"},
		"invalid":      {func(e *ingress.Entry) { e.Backends[0].Invalid = true }, gateway.CodeApproximate, "stays closed"},
		"one invalid": {func(e *ingress.Entry) {
			e.Backends = append(e.Backends, e.Backends[0])
			e.Backends[0].Invalid = true
		}, gateway.CodeApproximate, "anew"},
		"hostname": {func(e *ingress.Entry) { e.Rules = []rewrite.Rule{{Action: rewrite.SetHostname("x.y")}} }, gateway.CodeApproximate, "port"},
		"status": {func(e *ingress.Entry) {
			e.Redirect = &ingress.Redirect{Status: 300, ListenerPort: true, Rules: []rewrite.Rule{{Action: rewrite.SetPath("/x")}}}
		}, gateway.CodeApproximate, "300"},
		"other status": {func(e *ingress.Entry) {
			e.Redirect = &ingress.Redirect{StatusOther: 308, ListenerPort: true, Rules: []rewrite.Rule{{Action: rewrite.SetPath("/x")}}}
		}, gateway.CodeApproximate, "308"},
		"location": {func(e *ingress.Entry) { e.Redirect = &ingress.Redirect{Location: "https://x.y:81/z"} }, gateway.CodeApproximate, "query"},
		"drop query": {func(e *ingress.Entry) {
			e.Redirect = &ingress.Redirect{ListenerPort: true, Rules: []rewrite.Rule{{Action: rewrite.SetPath("/x")}, {Action: rewrite.DropQuery()}}}
		}, gateway.CodeApproximate, "query"},
		"redirect port": {func(e *ingress.Entry) {
			e.Redirect = &ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetPath("/x")}}}
		}, gateway.CodeApproximate, "listener"},
		"redirect scheme": {func(e *ingress.Entry) {
			e.Redirect = &ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetScheme("https")}}}
		}, gateway.CodeApproximate, "https"},
		"port before scheme": {func(e *ingress.Entry) {
			e.Redirect = &ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetPort("443")}, {Action: rewrite.SetScheme("http")}}}
		}, gateway.CodeApproximate, "port 443 is set before the scheme"},
		"wildcard": {func(e *ingress.Entry) { e.Pattern.Host = "*.x.y" }, gateway.CodeApproximate, "any depth"},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry(route.Pattern{Host: "h", Path: "/a"})
			c.change(&e)
			routes, problems := gateway.Write([]ingress.Entry{e}, nil)
			require.Equal(t, []ingress.Code{c.code}, codes(problems), "%v", problems)
			assert.Equal(t, ingress.Warning, problems[0].Severity)
			assert.Contains(t, problems[0].Detail, c.detail)
			require.Len(t, routes, 1)
			assert.Len(t, routes[0].Rules, 1)
		})
	}
}

// What is undone later in the list is not written.
func TestWriteHeaders(t *testing.T) {
	e := entry(route.Pattern{Host: "h", Path: "/a"})
	e.RequestHeaders = []ingress.HeaderOp{
		{Op: ingress.AddHeader, Name: "A", Value: "1"}, {Name: "a", Value: "2"}, {Name: "B", Value: "3"}, {Op: ingress.RemoveHeader, Name: "b"},
		{Op: ingress.RemoveHeader, Name: "C"}, {Name: "C", Value: "4"},
	}
	routes, problems := gateway.Write([]ingress.Entry{e}, nil)
	assert.Empty(t, problems)
	assert.Equal(t, &gateway.HeaderModifier{
		Set: []gateway.HeaderValue{{Name: "a", Value: "2"}, {Name: "C", Value: "4"}}, Add: []gateway.HeaderValue{}, Remove: []string{"b"},
	}, routes[0].Rules[0].Filters[0].RequestHeaderModifier)
}

func TestWriteConditions(t *testing.T) {
	e := entry(route.Pattern{Host: "h", Path: "/a"})
	e.When.Headers = []route.Condition{{Name: "A", Test: route.Present}, {Name: "B", Test: route.BeginsWith, Value: "x."}, {Name: "C", Test: route.Matches, Value: "y+"}}
	e.When.Query = []route.Condition{{Name: "q", Value: "z"}}
	routes, problems := gateway.Write([]ingress.Entry{e}, nil)
	assert.Empty(t, problems)
	m := routes[0].Rules[0].Matches[0]
	assert.Equal(t, []gateway.ValueMatch{
		{Type: "RegularExpression", Name: "A", Value: ".*"}, {Type: "RegularExpression", Name: "B", Value: `x\..*`}, {Type: "RegularExpression", Name: "C", Value: "y+"},
	}, m.Headers)
	assert.Equal(t, []gateway.ValueMatch{{Type: "Exact", Name: "q", Value: "z"}}, m.QueryParams)
}

// The end of a host is replaced where the whole host is known.
func TestWriteHosts(t *testing.T) {
	for host, want := range map[string]string{"a.old.example": "a.new.example", "old.example": "new.example", "aold.example": "", "*.old.example": "", "": ""} {
		routes, problems := gateway.Write([]ingress.Entry{entry(route.Pattern{Host: host, Path: "/a"}, rewrite.ReplaceHostSuffix(".old.example", "new.example"))}, nil)
		if want == "" {
			assert.Contains(t, codes(problems), gateway.CodeUnsayable, host)
			continue
		}
		require.Len(t, routes, 1, host)
		assert.Equal(t, want, routes[0].Rules[0].Filters[0].URLRewrite.Hostname)
	}
}

func headers(n int) (ops []ingress.HeaderOp) {
	for i := range n {
		ops = append(ops, ingress.HeaderOp{Name: fmt.Sprint("h", i), Value: "1"})
	}
	return ops
}

// The redirects of an Ingress: a scheme, a place, an application's root.
func TestWriteRedirects(t *testing.T) {
	for name, c := range map[string]struct {
		redirect ingress.Redirect
		want     string
	}{
		"https": {
			ingress.Redirect{Status: 308, Rules: []rewrite.Rule{{Action: rewrite.SetScheme("https")}, {Action: rewrite.SetPort("")}}},
			`{"scheme": "https", "statusCode": 308}`,
		},
		"https with port": {
			ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetScheme("https")}, {Action: rewrite.SetPort("8443")}}},
			`{"scheme": "https", "port": 8443}`,
		},
		"place": {
			ingress.Redirect{Status: 301, Location: "https://x.y:81/z"},
			`{"scheme": "https", "hostname": "x.y", "port": 81, "path": {"type": "ReplaceFullPath", "replaceFullPath": "/z"}, "statusCode": 301}`,
		},
		"root": {
			ingress.Redirect{ListenerPort: true, Rules: []rewrite.Rule{{Action: rewrite.SetPath("/app")}}},
			`{"path": {"type": "ReplaceFullPath", "replaceFullPath": "/app"}}`,
		},
		"prefix": {
			ingress.Redirect{ListenerPort: true, Rules: []rewrite.Rule{{Action: rewrite.ReplacePathPrefix("/a", "/b")}}},
			`{"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/b"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry(route.Pattern{Host: "h", Path: "/a"})
			e.Redirect = &c.redirect
			routes, _ := gateway.Write([]ingress.Entry{e}, nil)
			require.Len(t, routes, 1)
			require.Len(t, routes[0].Rules[0].Filters, 1)
			assert.Empty(t, routes[0].Rules[0].BackendRefs)
			assert.JSONEq(t, `{"type": "RequestRedirect", "requestRedirect": `+c.want+`}`, jsonOf(t, routes[0].Rules[0].Filters[0]))
		})
	}
}
