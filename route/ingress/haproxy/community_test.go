// What haproxy-ingress reads on Services, and what it makes of hosts.

package haproxy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

// communityOf returns an Ingress of haproxy-ingress with a path "/" for each host,
// whose Service has the host's name.
func communityOf(annotations map[string]string, hosts ...string) *ingress.Ingress {
	in := &ingress.Ingress{Name: "web", ClassName: "haproxy-ingress", Annotations: make(map[string]string)}
	for name, value := range annotations {
		in.Annotations[communityPrefix+name] = value
	}
	for _, host := range hosts {
		name, _, _ := strings.Cut(strings.TrimPrefix(host, "*."), ".")
		in.Rules = append(in.Rules, ingress.Rule{Host: host, Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend(name)}}})
	}
	return in
}

// what returns code, severity, offset and place of each problem but notes about
// rules and backends.
func what(list []ingress.Problem) []string {
	var out []string
	for _, p := range list {
		if strings.HasPrefix(string(p.Code), "haproxy-") {
			out = append(out, fmt.Sprintf("%s %s %d %s", p.Code, strings.TrimPrefix(p.Origin.Key, communityPrefix), p.Origin.Offset, p.Source))
		}
	}
	return out
}

// The annotations of a Service count more than those of an Ingress, for the paths
// that it serves.
func TestCommunityServices(t *testing.T) {
	services := map[string]map[string]string{
		"secure":    {communityPrefix + "secure-backends": "true", communityPrefix + "proxy-body-size": "1k"},
		"target":    {communityPrefix + "rewrite-target": "/v2"},
		"elsewhere": {communityPrefix + "redirect-to": "https://e.org/", communityPrefix + "redirect-to-code": "301"},
		"guarded":   {"ingress.kubernetes.io/auth-url": "http://auth"},
		"odd":       {communityPrefix + "rewrite-target": "  /a%[x]", communityPrefix + "app-root": "/x", communityPrefix + "nothing": "x"},
		"lost":      {communityPrefix + "redirect-to": "a b"},
		"silent":    {"nginx.ingress.kubernetes.io/rewrite-target": "/"},
	}
	c := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		annotations, ok := services[name]
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: annotations}, ok
	}}
	in := communityOf(map[string]string{"rewrite-target": "/own", "proxy-body-size": "x"}, "secure", "target", "elsewhere", "guarded", "odd", "lost", "silent")
	in.Rules[0].Paths = append(in.Rules[0].Paths, ingress.Path{Path: "/more", Type: "Prefix", Backend: backend("guarded")})
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, c)
	var list []string
	for _, e := range got.Entries {
		line := fmt.Sprint(e.Pattern.Host, e.Pattern.Path, " ", e.Backends[0].Scheme, " ", e.Backends[0].Invalid, " ", e.MaxBodySize)
		for _, r := range e.Rules {
			line += " " + r.Action.String()
		}
		if e.Redirect != nil {
			line += fmt.Sprint(" ", e.Redirect.Status, " ", e.Redirect.Location)
		}
		list = append(list, line)
	}
	assert.Equal(t, []string{
		`secure/ https false 1024 AddPathPrefix("/own")`,
		`secure/more  true 0`,
		`target/ http false 0 AddPathPrefix("/v2")`,
		`elsewhere/ http false 0 301 https://e.org/`,
		`guarded/  true 0`,
		`silent/ http false 0 AddPathPrefix("/own")`,
	}, list)
	assert.Equal(t, []string{
		"haproxy-value proxy-body-size 0 Ingress default/web",
		"haproxy-access ingress.kubernetes.io/auth-url 0 Ingress default/web rules[0].paths[1]",
		"haproxy-unknown nothing 0 Ingress default/web rules[4].paths[0]",
		"haproxy-dead app-root 0 Ingress default/web rules[4].paths[0]",
		"haproxy-expression rewrite-target 4 Ingress default/web rules[4].paths[0]",
		"haproxy-value redirect-to 0 Ingress default/web rules[5].paths[0]",
	}, what(got.Problems))
	for _, p := range got.Problems {
		if p.Code == haproxy.CodeAccess {
			assert.Contains(t, p.Detail, "on Service guarded: ")
			assert.Equal(t, []ingress.Source{in.At(0, 1, ""), in.At(3, 0, "")}, p.Related)
		}
	}
}

// A default backend is to haproxy-ingress a path "/" like any other.
func TestCommunityDefault(t *testing.T) {
	annotations := map[string]string{"rewrite-target": "/v2", "headers": "X-A: b", "proxy-body-size": "1k"}
	in := communityOf(annotations)
	in.Default = backend("default")
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	require.Len(t, got.Entries, 1)
	e := got.Entries[0]
	assert.Equal(t, `AddPathPrefix("/v2")`, e.Rules[0].Action.String())
	assert.Equal(t, []ingress.HeaderOp{{Name: "X-A", Value: "b"}}, e.RequestHeaders)
	assert.EqualValues(t, 1024, e.MaxBodySize)

	in.Annotations = map[string]string{communityPrefix + "redirect-to": "https://e.org/"}
	got = haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	require.Len(t, got.Entries, 1)
	assert.Equal(t, "https://e.org/", got.Entries[0].Redirect.Location)

	in.Annotations = map[string]string{communityPrefix + "app-root": "/x", communityPrefix + "server-alias": "a", communityPrefix + "redirect-from": "b"}
	got = haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	assert.Len(t, got.Entries, 1)
	assert.ElementsMatch(t, []string{
		"haproxy-dead app-root 0 Ingress default/web", "haproxy-dead server-alias 0 Ingress default/web", "haproxy-dead redirect-from 0 Ingress default/web",
	}, what(got.Problems))
}

// A Host among the headers is what the backend is asked for: net/http ignores a
// header field of that name.
func TestCommunityHostHeader(t *testing.T) {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
	require.NoError(t, err)
	in := communityOf(map[string]string{"headers": "host: a.internal\nX-A: b\nHost: b.internal:81", "rewrite-target": "/v2"}, "h")
	got := d.Dispatch([]*ingress.Ingress{in}, nil)
	require.Len(t, got.Entries, 1, "%v", got.Problems)
	e := got.Entries[0]
	assert.Equal(t, []ingress.HeaderOp{{Name: "X-A", Value: "b"}}, e.RequestHeaders)
	u := rewrite.URL{Scheme: "http", Host: "h", Path: "/p"}
	_, err = rewrite.MustCompile(e.Rules, nil).Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	assert.Equal(t, "b.internal:81", u.Host)

	in.Annotations[communityPrefix+"headers"] = "Host: a b"
	got = d.Dispatch([]*ingress.Ingress{in}, nil)
	assert.Empty(t, got.Entries)
	assert.Equal(t, []string{"haproxy-value headers 0 Ingress default/web"}, what(got.Problems))
}

// An alias has the default backend that its host has.
func TestAliasOfDefault(t *testing.T) {
	in := communityOf(map[string]string{"server-alias": "alias"}, "h")
	in.Rules[0].Paths[0].Path = "/app"
	in.Default = backend("default")
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) { return e.Backends[0].Service.Name, nil })
	require.Empty(t, problems)
	for _, host := range []string{"h", "alias", "other"} {
		name, _ := table.Lookup(host, "/x")
		assert.Equal(t, "default", name, host)
	}
}

// redirect-from is for requests that no other path gets, whoever has it.
func TestRedirectFromComesLast(t *testing.T) {
	older := communityOf(map[string]string{"redirect-from": "served"}, "h", "k")
	served := communityOf(map[string]string{"path-type": "regex"}, "served")
	served.Name = "served"
	served.Rules[0].Paths = []ingress.Path{
		{Path: "/a", Type: "Prefix", Backend: backend("served")}, {Path: "/[b]", Type: "ImplementationSpecific", Backend: backend("served")},
	}
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{older, served}, nil)
	table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (bool, error) { return e.Redirect != nil, nil })
	require.Empty(t, problems)
	for path, want := range map[string]bool{"/a": false, "/b": false, "/c": true} {
		redirected, ok := table.Lookup("served", path)
		require.True(t, ok, path)
		assert.Equal(t, want, redirected, path)
	}
	assert.Equal(t, []string{"haproxy-dead redirect-from 0 Ingress default/web rules[1].paths[0]"}, what(got.Problems))
}

// Offsets are those of the annotation, with the spaces before its value.
func TestOffsets(t *testing.T) {
	for name, c := range map[string]struct {
		value string
		at    int
	}{
		"rewrite-target": {"  /a%[x]", 4}, "redirect-to": {"  a b", 2}, "app-root": {" a b", 1}, "redirect-from": {" a b", 1},
		"server-alias": {"ok,  a b", 5}, "headers": {"X-A:  a%[x]", 7},
	} {
		got := haproxy.New(nil).Rewrite([]*ingress.Ingress{communityOf(map[string]string{name: c.value}, "h")}, nil)
		require.NotEmpty(t, got.Problems, name)
		assert.Equal(t, rewrite.Origin{Key: communityPrefix + name, Offset: c.at}, got.Problems[0].Origin)
	}
	in := &ingress.Ingress{Name: "web", ClassName: "haproxy", Annotations: map[string]string{"haproxy.org/request-set-header": "X-A  \"a%[x]\""}}
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	i := slices.IndexFunc(got.Problems, func(p ingress.Problem) bool { return p.Code == haproxy.CodeExpression })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, 7, got.Problems[i].Origin.Offset)
}

// A path that no table takes is one problem, however many entries it would have.
func TestBadPathIsReportedOnce(t *testing.T) {
	for _, class := range []string{"haproxy", "haproxy-ingress"} {
		for _, bad := range []struct{ host, path, field string }{{"h", "/a/../b", "Pattern.Path"}, {"h", "a", "Pattern.Path"}, {"h h", "/", "Pattern.Host"}} {
			in := &ingress.Ingress{Name: "web", ClassName: class, TLS: []ingress.TLS{{}}, Rules: []ingress.Rule{{Host: bad.host, Paths: []ingress.Path{
				{Path: bad.path, Type: "Prefix", Backend: backend("web")}, {Path: bad.path, Type: "", Backend: backend("web")},
			}}}}
			d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
			require.NoError(t, err)
			got := d.Dispatch([]*ingress.Ingress{in}, nil)
			assert.Empty(t, got.Entries)
			require.Len(t, got.Problems, 2, bad)
			for i, p := range got.Problems {
				assert.Equal(t, ingress.CodeBadEntry, p.Code)
				assert.Contains(t, p.Detail, bad.field)
				assert.Equal(t, in.At(0, i, ""), p.Source)
			}
		}
	}
}

// Which hosts have a certificate is what Ingress.HasTLS says.
func TestHostsWithTLS(t *testing.T) {
	hosts := []string{"h", "a.h", "a.b.h", "*.h", "x.org", "A.H", "org"}
	for _, tls := range [][]string{{}, {"h"}, {"*.h"}, {"A.h", "x.org"}, {"*.h", "h"}, {"*.b.H"}, nil} {
		in := communityOf(nil, hosts...)
		if tls != nil {
			in.TLS = []ingress.TLS{{Hosts: tls}}
		}
		got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
		for _, host := range hosts {
			has := slices.ContainsFunc(got.Entries, func(e ingress.Entry) bool { return e.Pattern.Host == host && e.When.Scheme == "http" })
			assert.Equal(t, in.HasTLS(host), has, "%s in %v", host, tls)
		}
	}
}

// Plain requests are redirected by rules, which no limit of expressions is for.
func TestHTTPSWithoutExpressions(t *testing.T) {
	in := &ingress.Ingress{
		Name: "web", ClassName: "haproxy", Annotations: map[string]string{"haproxy.org/ssl-redirect": "true", "haproxy.org/ssl-redirect-port": "443"},
		Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend("web")}}}},
	}
	c := &ingress.Cluster{Rewrite: &rewrite.Options{Regexp: rewrite.RegexpLimits{Instructions: 3}}}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(&haproxy.Options{Mode: haproxy.Compat})})
	require.NoError(t, err)
	got := d.Dispatch([]*ingress.Ingress{in}, c)
	require.Len(t, got.Entries, 2)
	redirect, err := ingress.CompileRedirect(got.Entries[0].Redirect, c.Rewrite)
	require.NoError(t, err)
	path := "/" + strings.Repeat("a", 8_500)
	status, location, err := redirect.Answer(ingress.RedirectRequest{URL: rewrite.URL{Scheme: "http", Host: "h", Path: path}})
	require.NoError(t, err)
	assert.Equal(t, 302, status)
	assert.Equal(t, "https://h"+path, location)
}

// What is about paths does nothing for an Ingress that has none.
func TestDefaultAlone(t *testing.T) {
	in := &ingress.Ingress{
		Name: "web", ClassName: "haproxy", Default: backend("web"),
		Annotations: map[string]string{"haproxy.org/path-rewrite": "/", "haproxy.org/request-set-header": "X-A b"},
	}
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	assert.Len(t, got.Entries, 1)
	assert.Equal(t, []string{"haproxy-dead haproxy.org/path-rewrite 0 Ingress default/web", "haproxy-dead haproxy.org/request-set-header 0 Ingress default/web"}, what(got.Problems))
}
