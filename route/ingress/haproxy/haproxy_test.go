// What the cases of testdata cannot say: who claims what, what rules compile
// to, what is kept where something is lost, and what comes of any input.

package haproxy_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/ingresstest"
)

func TestMatch(t *testing.T) {
	known := &ingress.Cluster{Known: []string{"nginx", "haproxy", "haproxy-ingress"}, Classes: map[string]string{"edge": "haproxy"}}
	stray := map[string]string{"haproxy.org/path-rewrite": "/"}
	for _, c := range []struct {
		name        string
		class       string
		annotations map[string]string
		want        bool
	}{
		{"its class", "haproxy", nil, true},
		{"in another letter case", "HAProxy", nil, true},
		{"the other controller's class", "haproxy-ingress", nil, true},
		{"a class that is mapped", "edge", nil, true},
		{"no class", "", nil, true},
		{"no class, and annotations of another dialect", "", map[string]string{"nginx.ingress.kubernetes.io/rewrite-target": "/"}, true},
		{"another known class", "nginx", nil, false},
		{"another known class beats a stray annotation", "nginx", stray, false},
		{"an unknown class", "internal", nil, false},
		{"an unknown class and an annotation", "internal", stray, true},
		{"an unknown class and one of haproxy-ingress", "internal", map[string]string{"haproxy-ingress.github.io/app-root": "/"}, true},
		{"the bare prefix claims nothing", "internal", map[string]string{"ingress.kubernetes.io/rewrite-target": "/"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, haproxy.New(nil).Match(&ingress.Ingress{ClassName: c.class, Annotations: c.annotations}, known))
		})
	}
}

func TestPriority(t *testing.T) {
	r, ok := haproxy.New(nil).(interface{ Priority() int })
	require.True(t, ok)
	assert.Equal(t, ingress.FallbackPriority, r.Priority())
	assert.Equal(t, "haproxy", haproxy.New(nil).Name())
}

// Every way to strip a prefix is a prefix instruction, and no expression.
func TestStripsArePrefixInstructions(t *testing.T) {
	const tech, community = "haproxy.org/path-rewrite", "haproxy-ingress.github.io/rewrite-target"
	for _, c := range []struct {
		key, value, at, pathType string
		mode                     haproxy.Mode
		trim                     string // the instruction, and the prefix that Entry.StripPrefix returns
		strip                    bool
	}{
		{tech, `/api/(.*) /\1`, "/api", "Prefix", haproxy.Strict, `trim "/api"`, true},
		{tech, `/api/(.*) /\1`, "/api", "Prefix", haproxy.Compat, `trim "/api"`, false},
		{tech, `/api/(.*) /\1`, "/api", "ImplementationSpecific", haproxy.Strict, `trim "/api"`, true},
		{tech, `/api/(.*) /\1`, "/api/", "ImplementationSpecific", haproxy.Strict, `trim "/api"`, true},
		{tech, `/api/(.*) /\1`, "/api/v1", "Prefix", haproxy.Compat, `trim "/api"`, true},
		{tech, `^/api/(.*)$ /\1`, "/", "Prefix", haproxy.Compat, `trim "/api"`, false},
		{tech, `/api(/|$)(.*) /\2`, "/api", "Prefix", haproxy.Compat, `trim "/api"`, true},
		{tech, `^/api(/|$)(.*) /\2`, "/", "Prefix", haproxy.Compat, `trim "/api"`, false},
		{tech, `/api(/.*)? \1`, "/api", "Prefix", haproxy.Compat, `trim "/api"`, true},
		{tech, `/api/?(.*) /\1`, "/api", "Prefix", haproxy.Compat, `trim "/api"`, true},
		{tech, `/api/?(.*) /\1`, "/api", "ImplementationSpecific", haproxy.Compat, `text "/api"`, false},
		{tech, `/api(.*) /\1`, "/api", "Prefix", haproxy.Compat, `text "/api"`, false},
		{tech, `/api(.*) \1`, "/api", "ImplementationSpecific", haproxy.Compat, `text "/api"`, false},
		{tech, `/api/(.*) /v2/\1`, "/api", "Prefix", haproxy.Strict, `trim "/api"`, false},
		{tech, `/api(.*) /v2\1`, "/api", "ImplementationSpecific", haproxy.Compat, `text "/api"`, false},
		{community, "/", "/api", "Prefix", haproxy.Strict, `trim "/api"`, true},
		{community, "/", "/api", "ImplementationSpecific", haproxy.Strict, `text "/api"`, false},
		{community, "/v2", "/api", "Prefix", haproxy.Strict, `trim "/api"`, false},
		{community, "/v2", "/api", "ImplementationSpecific", haproxy.Strict, `text "/api"`, false},
	} {
		t.Run(c.value+" on "+c.at+" "+c.pathType+" "+c.mode.String(), func(t *testing.T) {
			e := entryOf(t, c.mode, map[string]string{c.key: c.value}, c.at, c.pathType)
			program, err := rewrite.Compile(e.Rules, nil)
			require.NoError(t, err)
			assert.Contains(t, program.String(), c.trim)
			assert.NotContains(t, program.String(), "regex")
			prefix, ok := e.StripPrefix()
			assert.Equal(t, c.strip, ok)
			if c.strip {
				assert.Equal(t, "/api", prefix)
			}
		})
	}
}

func backend(service string) *ingress.BackendRef {
	return &ingress.BackendRef{Service: service, Port: 80}
}

// A fault loses the paths that it is about, names them, and leaves the default
// backend alone, which no rewrite is for.
func TestWhatIsLost(t *testing.T) {
	in := &ingress.Ingress{
		Name: "web", ClassName: "haproxy", Annotations: map[string]string{"haproxy.org/path-rewrite": "/a b c\n/x %[src]"},
		Default: backend("default"),
		Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
			{Path: "/a", Type: "Prefix", Backend: backend("a")}, {Path: "/b", Type: "Prefix", Backend: backend("b")},
		}}},
	}
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	require.Len(t, got.Entries, 2)
	for _, e := range got.Entries {
		assert.Equal(t, "default-backend", e.Source.Part)
		assert.Empty(t, e.Rules)
	}
	var errs []ingress.Problem
	for _, p := range got.Problems {
		if p.Severity == ingress.Error {
			errs = append(errs, p)
		}
	}
	require.Len(t, errs, 2)
	assert.Equal(t, haproxy.CodeValue, errs[0].Code)
	assert.Equal(t, haproxy.CodeExpression, errs[1].Code)
	for i, offset := range []int{0, 10} {
		assert.Equal(t, rewrite.Origin{Key: "haproxy.org/path-rewrite", Offset: offset}, errs[i].Origin)
		assert.Equal(t, []ingress.Source{in.At(0, 0, ""), in.At(0, 1, "")}, errs[i].Related)
	}
}

// A Mode that is neither is Strict, in all that a Mode decides.
func TestUnknownMode(t *testing.T) {
	in := &ingress.Ingress{
		Name: "web", ClassName: "haproxy", TLS: []ingress.TLS{{}},
		Annotations: map[string]string{"haproxy.org/path-rewrite": "/p/(.*) /\\1\n/q/(.*) /\\1"},
		Rules: []ingress.Rule{{Paths: []ingress.Path{
			{Path: "/p", Type: "Prefix", Backend: backend("p")}, {Path: "/q/", Type: "ImplementationSpecific", Backend: backend("q")},
		}}},
	}
	list := []*ingress.Ingress{in}
	strict := haproxy.New(nil).Rewrite(list, nil)
	assert.Equal(t, strict, haproxy.New(&haproxy.Options{Mode: 7}).Rewrite(list, nil))
	assert.NotEqual(t, strict, haproxy.New(&haproxy.Options{Mode: haproxy.Compat}).Rewrite(list, nil))
}

// There is a bound on lines, because each is there for every path.
func TestTooManyLines(t *testing.T) {
	for _, c := range []struct {
		key, line string
		entries   int
	}{
		{"haproxy.org/path-rewrite", "/a /b\n", 0},
		{"haproxy.org/request-set-header", "X-A b\n", 1},
	} {
		for _, n := range []int{64, 65} {
			in := &ingress.Ingress{
				Name: "web", ClassName: "haproxy", Annotations: map[string]string{c.key: strings.Repeat(c.line, n)},
				Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{{Path: "/a", Type: "Exact", Backend: backend("web")}}}},
			}
			got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
			errs := slices.DeleteFunc(got.Problems, func(p ingress.Problem) bool { return p.Severity != ingress.Error })
			if n == 64 {
				assert.Len(t, got.Entries, 1)
				assert.Empty(t, errs)
				continue
			}
			assert.Len(t, got.Entries, c.entries)
			require.Len(t, errs, 1)
			assert.Equal(t, rewrite.Origin{Key: c.key, Offset: len(c.line) * 64}, errs[0].Origin)
		}
	}
}

// What a Service says about itself counts more than what its Ingress does.
func TestServiceAnnotations(t *testing.T) {
	services := map[string]map[string]string{
		"secure":  {"haproxy.org/server-ssl": "true", "ingress.kubernetes.io/server-ssl": "false", "haproxy.org/server-ca": "ns/ca", "haproxy.org/server-sni": "secure"},
		"plain":   {"haproxy.org/server-ssl": "false"},
		"limited": {"haproxy.org/route-acl": "rand(100) lt 25"},
		"silent":  nil,
	}
	c := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		annotations, ok := services[name]
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: annotations}, ok
	}}
	in := &ingress.Ingress{Name: "web", ClassName: "haproxy", Annotations: map[string]string{"haproxy.org/server-ssl": "true"}}
	for _, name := range slices.Sorted(maps.Keys(services)) {
		in.Rules = append(in.Rules, ingress.Rule{Host: name, Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend(name)}}})
	}
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, c)
	require.Len(t, got.Entries, 3)
	assert.Equal(t, "http", got.Entries[0].Backends[0].Scheme, "plain")
	assert.Equal(t, "https", got.Entries[1].Backends[0].Scheme, "secure")
	assert.Equal(t, "ca", got.Entries[1].Backends[0].CASecret)
	assert.Equal(t, "secure", got.Entries[1].Backends[0].SNI)
	assert.Equal(t, "https", got.Entries[2].Backends[0].Scheme, "silent")
	require.Len(t, got.Problems, 3)
	assert.Equal(t, haproxy.CodeACL, got.Problems[0].Code)
	assert.Equal(t, in.At(0, 0, ""), got.Problems[0].Source)
	assert.Equal(t, haproxy.CodeDuplicate, got.Problems[1].Code)
	assert.Equal(t, haproxy.CodeTLS, got.Problems[2].Code, "the namespace of the Secret")
}

// Under two prefixes the first of them counts, whichever is read first.
func TestDuplicates(t *testing.T) {
	for _, other := range []string{"haproxy.com/", "ingress.kubernetes.io/"} {
		in := &ingress.Ingress{Name: "web", ClassName: "haproxy", Annotations: map[string]string{"haproxy.org/set-host": "a", other + "set-host": "b"}}
		got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
		i := slices.IndexFunc(got.Problems, func(p ingress.Problem) bool { return p.Code == haproxy.CodeDuplicate })
		require.GreaterOrEqual(t, i, 0)
		assert.Equal(t, "set-host is written under two prefixes: haproxy.org/set-host counts", got.Problems[i].Detail)
	}
}

func TestBodySize(t *testing.T) {
	for value, want := range map[string]int64{"unlimited": -1, "8m": 8 << 20, "x": 0} {
		e := entryOf(t, haproxy.Strict, map[string]string{"haproxy-ingress.github.io/proxy-body-size": value}, "/", "Prefix")
		assert.Equal(t, want, e.MaxBodySize, value)
	}
}

// An alias stands beside a host: a rule for every host needs none.
func TestAliasOfNoHost(t *testing.T) {
	in := &ingress.Ingress{
		Name: "web", ClassName: "haproxy", Annotations: map[string]string{"haproxy-ingress.github.io/server-alias": "alias"},
		Rules: []ingress.Rule{{Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend("web")}}}},
	}
	assert.Len(t, haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil).Entries, 1)
}

func TestNearest(t *testing.T) {
	in := &ingress.Ingress{Name: "web", ClassName: "haproxy", Annotations: map[string]string{
		"haproxy.org/path-rewrites": "/", "haproxy.org/something-else-altogether": "/", "haproxy.org/": "x",
	}}
	got := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	var details []string
	for _, p := range got.Problems {
		if p.Code == haproxy.CodeUnknown {
			details = append(details, p.Detail)
		}
	}
	assert.Equal(t, []string{
		`there is no annotation ""`,
		`there is no annotation "path-rewrites": write path-rewrite`,
		`there is no annotation "something-else-altogether"`,
	}, details)
}

// What the caller sees to itself is neither read nor reported.
func TestHandled(t *testing.T) {
	in := &ingress.Ingress{
		Name: "web", ClassName: "haproxy",
		Annotations: map[string]string{"haproxy.org/allow-list": "10.0.0.0/8", "haproxy.org/set-host": "%[src]"},
		Rules:       []ingress.Rule{{Host: "h", Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: backend("web")}}}},
	}
	closed := haproxy.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	require.Len(t, closed.Entries, 1)
	assert.True(t, closed.Entries[0].Backends[0].Invalid)
	got := haproxy.New(&haproxy.Options{Handled: []string{"allow-list", "haproxy.org/set-host"}}).Rewrite([]*ingress.Ingress{in}, nil)
	assert.Len(t, got.Entries, 1)
	assert.Empty(t, got.Problems)
}

func TestConformance(t *testing.T) {
	for class, key := range map[string]string{"haproxy": "haproxy.org/timeout-server", "haproxy-ingress": "haproxy-ingress.github.io/timeout-server"} {
		t.Run(class, func(t *testing.T) {
			ingresstest.Run(t, haproxy.New(nil), &ingresstest.Options{Class: class, Annotations: map[string]string{key: "5s"}, Classless: true})
		})
	}
}

func TestNil(t *testing.T) {
	r := haproxy.New(nil)
	assert.False(t, r.Match(nil, nil))
	assert.Empty(t, r.Rewrite([]*ingress.Ingress{nil, {}}, nil).Entries)
	assert.Equal(t, "Mode(7)", haproxy.Mode(7).String())
}

// FuzzRewrite: whatever the annotations are, each entry of a Result compiles,
// what is not served is an error, and the input stays as it was.
func FuzzRewrite(f *testing.F) {
	for _, seed := range [][2]string{
		{"haproxy.org/path-rewrite", "/api/(.*) /\\1\n(?!x) %[src]"}, {"haproxy.org/path-rewrite", `\\/?(.*) \9`},
		{"haproxy.org/request-redirect", "https://h/x"}, {"haproxy.org/request-set-header", "Host \"\""},
		{"haproxy-ingress.github.io/rewrite-target", "/\\1"}, {"haproxy-ingress.github.io/server-alias", "a,*.b,,"},
		{"haproxy-ingress.github.io/app-root", "//x"}, {"haproxy-ingress.github.io/redirect-from", "*.x"},
	} {
		f.Add(seed[0], seed[1], "/api", "Prefix")
		f.Add(seed[0], seed[1], "/api(/|$)(.*)", "ImplementationSpecific")
	}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, key, value, path, pathType string) {
		annotations := map[string]string{key: value, "haproxy.org/ssl-redirect": "true"}
		if strings.HasPrefix(key, "haproxy-ingress") {
			annotations["haproxy-ingress.github.io/path-type"] = "regex"
		}
		in := &ingress.Ingress{
			Name: "web", ClassName: "haproxy", Annotations: maps.Clone(annotations), TLS: []ingress.TLS{{}},
			Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{{Path: path, Type: pathType, Backend: backend("web")}}}},
		}
		r := d.Dispatch([]*ingress.Ingress{in}, nil)
		_, problems := ingress.Build(r.Entries, nil, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
		for _, p := range problems {
			assert.Equal(t, ingress.CodeShadowed, p.Code, p.Error())
		}
		served := slices.ContainsFunc(r.Entries, func(e ingress.Entry) bool { return e.Source == in.At(0, 0, "") })
		faulty := slices.ContainsFunc(r.Problems, func(p ingress.Problem) bool { return p.Severity == ingress.Error })
		assert.True(t, served || faulty, "the path is not served, and nothing says so: %v", r.Problems)
		assert.Equal(t, annotations, in.Annotations)
		assert.False(t, slices.ContainsFunc(r.Problems, func(p ingress.Problem) bool { return p.Code == ingress.CodeRewriter }), "%v", r.Problems)
	})
}
