package kong_test

// Instructions, templates, Services, and the contract of a rewriter.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/ingresstest"
	"github.com/readdress/readdress/route/ingress/kong"
)

func TestConformance(t *testing.T) {
	for _, mode := range []kong.Mode{kong.Strict, kong.Compat} {
		ingresstest.Run(t, kong.New(&kong.Options{Mode: mode}), &ingresstest.Options{
			Class: "kong", Annotations: map[string]string{"konghq.com/request-buffering": "true"},
		})
	}
}

func made(path, pathType string, annotations map[string]string) *ingress.Ingress {
	return &ingress.Ingress{Name: "web", ClassName: "kong", Annotations: annotations, Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
		{Path: path, Type: pathType, Backend: &ingress.BackendRef{Service: "web", Port: 80}},
	}}}}
}

// Kong KIC#631 and #78: strip-path was ignored. What is stripped is one
// instruction, with a base too.
func TestReport35StripPath(t *testing.T) {
	for _, c := range []struct {
		path, pathType, base string
		want                 rewrite.Action
		dump                 string
	}{
		{"/share", "Prefix", "", rewrite.TrimPathPrefix("/share"), `trim "/share"`},
		{"/share", "Exact", "", rewrite.TrimPathPrefix("/share"), `trim "/share"`},
		{"/share", "ImplementationSpecific", "", rewrite.TrimPathText("/share"), `text "/share"`},
		{"/share", "Prefix", "/base/", rewrite.ReplacePathPrefix("/share", "/base"), `trim "/share"`},
		{"/share", "ImplementationSpecific", "/base", rewrite.ReplacePathText("/share", "/base/"), `text "/share"`},
	} {
		t.Run(fmt.Sprint(c.path, c.pathType, c.base), func(t *testing.T) {
			annotations := map[string]string{"konghq.com/strip-path": "true"}
			if c.base != "" {
				annotations["konghq.com/path"] = c.base
			}
			got := kong.New(nil).Rewrite([]*ingress.Ingress{made(c.path, c.pathType, annotations)}, nil)
			require.NotEmpty(t, got.Entries)
			rules := got.Entries[len(got.Entries)-1].Rules
			require.Len(t, rules, 1)
			assert.Equal(t, c.want, rules[0].Action)
			assert.Equal(t, "konghq.com/strip-path", rules[0].Origin.Key)
			dump := rewrite.MustCompile(rules, nil).String()
			assert.Contains(t, dump, c.dump)
			assert.NotContains(t, dump, "regex")
		})
	}
	for _, path := range []string{"/~/app(/|$)(.*)", "/~/app(?:/|$)(.*)"} {
		target := map[string]string{"konghq.com/rewrite": "/$2"}
		if strings.Contains(path, "?:") {
			target["konghq.com/rewrite"] = "/$1"
		}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made(path, "ImplementationSpecific", target)}, nil)
		require.Empty(t, got.Problems)
		dump := rewrite.MustCompile(got.Entries[0].Rules, nil).String()
		if path == "/~/app(/|$)(.*)" {
			assert.Contains(t, dump, `trim "/app"`)
		}
	}
}

// The errors of Kong's own parser, at their offsets.
func TestTemplateFaults(t *testing.T) {
	for value, want := range map[string]struct {
		offset int
		detail string
	}{
		`/bar/${}11`:              {6, `unexpected '{' at pos 6`},
		`/bar/xxxx$`:              {10, "unexpected end of string"},
		`/bar/xxxx\`:              {10, "unexpected end of string"},
		`/bar\n`:                  {5, `unexpected 'n' at pos 5`},
		`/b$99999999999999999999`: {3, "at pos 3"},
		`/b?c`:                    {2, "query"},
		`b`:                       {0, "slash"},
	} {
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/x", "Prefix", map[string]string{"konghq.com/rewrite": value})}, nil)
		require.Len(t, got.Problems, 1, value)
		p := got.Problems[0]
		assert.Equal(t, kong.CodeRewrite, p.Code)
		assert.Equal(t, ingress.Error, p.Severity)
		assert.Equal(t, rewrite.Origin{Key: "konghq.com/rewrite", Offset: want.offset}, p.Origin, value)
		assert.Contains(t, p.Detail, want.detail)
		assert.Empty(t, got.Entries)
	}
}

// A capture behind a slash is warned of where it may begin with a slash or a dot.
func TestCaptures(t *testing.T) {
	for path, want := range map[string]ingress.Code{
		`/~/a/(.*)`:          "",
		`/~/a(/|$)(x)`:       "",
		`/~/a([0-9]+)`:       "",
		`/~/a([0-9]{2})`:     kong.CodeCapture,
		`/~/a(b|c)`:          "",
		`/~/a((?:b|c)x)`:     "",
		`/~/a(b|/c)`:         kong.CodeCapture,
		`/~/a(\.x)`:          kong.CodeCapture,
		`/~/a([^x])`:         kong.CodeCapture,
		`/~/a([a-z][0-9/])`:  "",
		`/~/a([[:alpha:]]+)`: "",
		`/~/a[(](.)`:         kong.CodeCapture,
		`/~/a[]()](b)`:       "",
		`/~/a\((b)`:          "",
		`/~/a\Q(\E(b)`:       "",
		`/~/a()`:             kong.CodeCapture,
		`/~/a/?(b)`:          "",
		`/~/a/?(.*)`:         kong.CodeOptionalSlash,
		`/~/(?P<n>a)(b)`:     "",
	} {
		target := "/x/$1"
		if strings.Contains(path, "(/|$)") || strings.Contains(path, "?P<") {
			target = "/x/$2"
		}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made(path, "ImplementationSpecific", map[string]string{"konghq.com/rewrite": target})}, nil)
		require.Len(t, got.Entries, 1, path)
		if want == "" {
			assert.Empty(t, got.Problems, path)
			continue
		}
		require.Len(t, got.Problems, 1, path)
		assert.Equal(t, want, got.Problems[0].Code, path)
		assert.Equal(t, 3, got.Problems[0].Origin.Offset)
	}
}

func TestMode(t *testing.T) {
	assert.Equal(t, "strict compat Mode(7)", fmt.Sprint(kong.Strict, kong.Compat, kong.Mode(7)))
}

func TestService(t *testing.T) {
	annotations := map[string]string{
		"konghq.com/path": "/base", "konghq.com/protocol": "https", "konghq.com/ca-certificates-secrets": "ca, other",
		"konghq.com/strip-path": "true", "konghq.com/retries": "5", "konghq.com/client-cert": "x", "other/x": "y",
	}
	c := &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 443}}, Annotations: annotations}, true
	}}
	in := made("/share", "Prefix", map[string]string{"konghq.com/path": "/not-this", "konghq.com/preserve-host": "false"})
	in.Rules[0].Paths[0].Backend.Port = 443
	in.Rules[0].Paths = append(in.Rules[0].Paths, in.Rules[0].Paths[0])
	got := kong.New(nil).Rewrite([]*ingress.Ingress{in}, c)
	var codes []ingress.Code
	for _, p := range got.Problems {
		codes = append(codes, p.Code)
	}
	assert.Equal(t, []ingress.Code{kong.CodeKind, kong.CodeUnsupported, kong.CodeIgnored}, codes, "once for each Service")
	e := got.Entries[0]
	assert.Equal(t, rewrite.ReplacePathPrefix("/share", "/base"), e.Rules[0].Action)
	b := e.Backends[0]
	assert.Equal(t, "https", b.Scheme)
	assert.Equal(t, "ca", b.CASecret)
	assert.Equal(t, rewrite.Rule{Hook: rewrite.Forward, Action: rewrite.SetHost("web.default.svc.cluster.local"), Origin: rewrite.Origin{Key: "konghq.com/preserve-host"}}, b.Rules[0])

	annotations = map[string]string{"konghq.com/plugins": "key-auth", "konghq.com/protocol": "tcp"}
	got = kong.New(nil).Rewrite([]*ingress.Ingress{made("/", "Prefix", nil)}, &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: annotations}, true
	}})
	assert.True(t, got.Entries[0].Backends[0].Invalid)
	assert.Equal(t, []ingress.Code{kong.CodeGuard, kong.CodeValue}, []ingress.Code{got.Problems[0].Code, got.Problems[1].Code})
}

// What the caller says that it handles is not read, and not spoken of.
func TestHandled(t *testing.T) {
	in := made("/share", "Prefix", map[string]string{"konghq.com/plugins": "key-auth", "konghq.com/strip-path": "true", "konghq.com/snis": "x", "konghq.com/something": "else"})
	got := kong.New(&kong.Options{Handled: []string{"plugins", "konghq.com/strip-path", "snis", "something"}}).Rewrite([]*ingress.Ingress{in}, nil)
	assert.Empty(t, got.Problems)
	require.Len(t, got.Entries, 1)
	assert.Empty(t, got.Entries[0].Rules)
	assert.False(t, got.Entries[0].Backends[0].Invalid)
}

// A default backend stays behind the expressions of its host.
func TestDefaultBackend(t *testing.T) {
	in := made("/~/a", "ImplementationSpecific", nil)
	in.Default = &ingress.BackendRef{Service: "rest", Port: 80}
	for _, mode := range []kong.Mode{kong.Strict, kong.Compat} {
		got := kong.New(&kong.Options{Mode: mode}).Rewrite([]*ingress.Ingress{in}, nil)
		table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) {
			return e.Backends[0].Service.Name, nil
		})
		require.Empty(t, problems)
		for path, want := range map[string]string{"/a": "web", "/b": "rest"} {
			name, ok := table.Lookup("h", path)
			assert.True(t, ok)
			assert.Equal(t, want, name, "%v %s", mode, path)
		}
		assert.Less(t, got.Entries[len(got.Entries)-1].Source.Path, 0)
	}
}

// Each host alias is an entry with a Source of its own.
func TestHostAliases(t *testing.T) {
	got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/", "Prefix", map[string]string{"konghq.com/host-aliases": "b.example,H,b.example,*.c.example"})}, nil)
	var hosts []string
	seen := make(map[ingress.Source]bool)
	for _, e := range got.Entries {
		hosts = append(hosts, e.Pattern.Host)
		assert.False(t, seen[e.Source])
		seen[e.Source] = true
	}
	assert.Equal(t, []string{"h", "b.example", "*.c.example"}, hosts)

	many := strings.TrimSuffix(strings.Repeat("x.example,", 40), ",")
	for i := range 40 {
		many = strings.Replace(many, "x.", fmt.Sprintf("y%d.", i), 1)
	}
	got = kong.New(nil).Rewrite([]*ingress.Ingress{made("/", "Prefix", map[string]string{"konghq.com/host-aliases": many})}, nil)
	assert.Len(t, got.Entries, 33)
	assert.Len(t, got.Problems, 1)
}

func FuzzRewrite(f *testing.F) {
	f.Add("/share", "Prefix", "/$1", "true", "/base", "a,b")
	f.Add("/~/a(.*)|/b", "ImplementationSpecific", "/x/$1$2", "", "", "")
	f.Add("/~/a[()](.*)(/|$)(.*)", "ImplementationSpecific", `\$/$12`, "false", "/", "*.x")
	f.Add("/a.b", "Exact", "", "true", "base", " ,")
	f.Add("/~^/a\\Q(", "", "/$1", "", "/a//b", "")
	f.Fuzz(func(t *testing.T, path, pathType, target, strip, base, aliases string) {
		for _, annotations := range []map[string]string{
			{"konghq.com/strip-path": strip, "konghq.com/path": base, "konghq.com/host-aliases": aliases, "konghq.com/headers.a": target},
			{"konghq.com/rewrite": target, "konghq.com/path": base, "konghq.com/protocols": strip, "konghq.com/methods": aliases, "konghq.com/host-header": base},
		} {
			for _, mode := range []kong.Mode{kong.Strict, kong.Compat} {
				in := made(path, pathType, annotations)
				other := made("/", "Prefix", nil)
				other.Name = "other"
				got := kong.New(&kong.Options{Mode: mode}).Rewrite([]*ingress.Ingress{in, other}, nil)
				seen := make(map[ingress.Source]bool)
				for _, e := range got.Entries {
					if seen[e.Source] {
						t.Fatalf("two entries of %v", e.Source)
					}
					seen[e.Source] = true
				}
				_, problems := ingress.Build(got.Entries, nil, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
				for _, p := range problems {
					if p.Source.Name == "other" && p.Code == ingress.CodeBadEntry {
						t.Fatalf("%s, of another Ingress", p.Error())
					}
				}
			}
		}
	})
}

// get_upstream_uri_v0 of Kong's router, by hand.
func kongUpstream(base, path, stripped string, strip bool) string {
	if base == "" {
		base = "/"
	}
	rest := strings.TrimPrefix(stripped, "/")
	switch {
	case strings.HasSuffix(base, "/") && !strip:
		return base + path[1:]
	case strings.HasSuffix(base, "/") && rest != "":
		return base + rest
	case strings.HasSuffix(base, "/"):
		if base == "/" || strings.HasSuffix(path, "/") {
			return base
		}
		return base[:len(base)-1]
	case strip && rest != "":
		return base + "/" + rest
	case strip && len(path) > 1 && strings.HasSuffix(path, "/"):
		return base + "/"
	case strip, path == "/":
		return base
	}
	return base + path
}

// Whatever the base, the path and what is stripped: what Kong's router makes.
func TestJoinAgreesWithKong(t *testing.T) {
	for _, base := range []string{"", "/", "/base", "/base/", "/a/b"} {
		for _, p := range []struct{ path, pathType string }{
			{"/", "Prefix"}, {"/", "ImplementationSpecific"}, {"/s", "Prefix"}, {"/s/", "Prefix"}, {"/s", "Exact"},
			{"/s", "ImplementationSpecific"}, {"/s/", "ImplementationSpecific"}, {"/", "Exact"},
			{"/~/", "ImplementationSpecific"}, {"/~", "ImplementationSpecific"}, {"/~/s", "ImplementationSpecific"}, {"/~/s$", "ImplementationSpecific"},
			{"/~/(s|x)", "ImplementationSpecific"},
		} {
			for _, strip := range []bool{false, true} {
				annotations := map[string]string{"konghq.com/strip-path": fmt.Sprint(strip)}
				if base != "" {
					annotations["konghq.com/path"] = base
				}
				got := kong.New(nil).Rewrite([]*ingress.Ingress{made(p.path, p.pathType, annotations)}, nil)
				table, _ := ingress.Build(got.Entries, nil, func(_ *ingress.Entry, c *ingress.Compiled) (*rewrite.Program, error) { return c.Program, nil })
				for _, path := range []string{"/", "/s", "/s/", "/s/x", "/s/x/", "/sx", "/x"} {
					program, ok := table.Lookup("h", path)
					if !ok {
						continue
					}
					u := rewrite.URL{Path: path}
					_, err := program.Apply(rewrite.AfterLocation, &u, nil)
					require.NoError(t, err)
					matched := strings.TrimSuffix(strings.TrimPrefix(p.path, "/~"), "$")
					if matched == "/(s|x)" {
						matched = path[:2]
					}
					if p.pathType == "Prefix" { // Kong's routes are /s/ and ~/s$
						matched = strings.TrimRight(p.path, "/")
					}
					want := kongUpstream(base, path, strings.TrimPrefix(path, matched), strip)
					assert.Equal(t, want, u.Path, "base %q, path %s %s, strip %v, request %s", base, p.path, p.pathType, strip, path)
				}
			}
		}
	}
}

func ExampleNew() {
	services := map[string]map[string]string{"web": {"konghq.com/path": "/base"}}
	cluster := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		annotations, ok := services[name]
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: annotations}, ok
	}}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: kong.New(nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := d.Dispatch([]*ingress.Ingress{{
		Name: "shop", Annotations: map[string]string{"konghq.com/strip-path": "true", "konghq.com/preserve-hosts": "false"},
		Rules: []ingress.Rule{{Host: "shop.example.com", Paths: []ingress.Path{
			{Path: "/share", Type: "Prefix", Backend: &ingress.BackendRef{Service: "web", Port: 80}},
		}}},
	}}, cluster)
	for _, e := range result.Entries {
		fmt.Println(e.Pattern, e.Rules[0].Action)
	}
	for _, p := range result.Problems {
		fmt.Println(p.Error())
	}
	// Output:
	// shop.example.com/share Prefix ReplacePathPrefix("/share", "/base")
	// warning: Ingress default/shop: konghq.com/preserve-hosts: kong-unknown: there is no such annotation: write konghq.com/preserve-host
}

func BenchmarkRewrite(b *testing.B) {
	const n = 10_000
	list := make([]*ingress.Ingress, n)
	for i := range list {
		list[i] = made("/app", "Prefix", map[string]string{"konghq.com/strip-path": "true", "konghq.com/preserve-host": "false"})
		list[i].Name, list[i].Rules[0].Host = fmt.Sprintf("web-%d", i), fmt.Sprintf("h%d.example.com", i)
	}
	rewriter := kong.New(nil)
	allocs := testing.AllocsPerRun(1, func() { rewriter.Rewrite(list, nil) })
	b.ReportAllocs()
	for b.Loop() {
		if got := rewriter.Rewrite(list, nil); len(got.Entries) != n || got.Entries[0].Pattern.Type != route.Prefix {
			b.Fatal("some are not translated")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/Ingress")
	b.ReportMetric(allocs/n, "allocs/Ingress")
}
