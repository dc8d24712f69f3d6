package kong_test

// What is wrong with annotations, what is said of it, and what is served.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/kong"
)

// serve returns what becomes of a path of host h, or "" if nothing serves it.
func serve(t testing.TB, entries []ingress.Entry, path string) string {
	t.Helper()
	table, _ := ingress.Build(entries, nil, func(_ *ingress.Entry, c *ingress.Compiled) (*rewrite.Program, error) { return c.Program, nil })
	program, ok := table.Lookup("h", path)
	if !ok {
		return ""
	}
	u := rewrite.URL{Path: path}
	_, err := program.Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	return u.Path
}

// The annotations of a Service are not silent: one could be a guard, misspelt.
func TestUnknownOnService(t *testing.T) {
	for annotation, want := range map[string]struct {
		code   ingress.Code
		detail string
	}{
		"plugin":      {kong.CodeUnknown, "konghq.com/plugins"},
		"something":   {kong.CodeUnknown, "no such annotation of a Service"},
		"methods":     {kong.CodeKind, "on the Ingress"},
		"headers.x-a": {kong.CodeKind, "on the Ingress"},
	} {
		cluster := &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
			return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: map[string]string{"konghq.com/" + annotation: "key-auth"}}, true
		}}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/", "Prefix", nil)}, cluster)
		require.Len(t, got.Problems, 1, annotation)
		assert.Equal(t, want.code, got.Problems[0].Code)
		assert.Equal(t, "konghq.com/"+annotation, got.Problems[0].Origin.Key)
		assert.Contains(t, got.Problems[0].Detail, want.detail)
		got = kong.New(&kong.Options{Handled: []string{annotation}}).Rewrite([]*ingress.Ingress{made("/", "Prefix", nil)}, cluster)
		assert.Empty(t, got.Problems)
	}
}

// In Compat an Exact path is an expression with the priority of its Ingress, and
// a priority that is none does not win.
func TestPriority(t *testing.T) {
	first := func(mode kong.Mode, exact, regex string) string {
		a := made("/b", "Exact", map[string]string{"konghq.com/regex-priority": exact})
		b := made("/~/b", "ImplementationSpecific", map[string]string{"konghq.com/regex-priority": regex})
		a.Name, b.Name = "exact", "regex"
		got := kong.New(&kong.Options{Mode: mode}).Rewrite([]*ingress.Ingress{b, a}, nil)
		table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) { return e.Source.Name, nil })
		require.Empty(t, problems)
		name, _ := table.Lookup("h", "/b")
		return name
	}
	assert.Equal(t, "exact", first(kong.Compat, "2", "1"))
	assert.Equal(t, "regex", first(kong.Compat, "1", "2"))
	assert.Equal(t, "exact", first(kong.Strict, "1", "2"))
	assert.Equal(t, "exact", first(kong.Compat, "1", "99999999999999999999"))
}

// Of the path that a Prefix itself is, Kong makes an expression of the Ingress's
// priority, and of what is below it a prefix with a final slash.
func TestPrefixAmongExpressions(t *testing.T) {
	prefix := made("/a", "Prefix", map[string]string{"konghq.com/regex-priority": "1", "konghq.com/strip-path": "true", "konghq.com/path": "/base"})
	text := made("/a", "ImplementationSpecific", nil)
	regex := made("/~/a?", "ImplementationSpecific", nil)
	narrow := made("/~/a/[0-9]", "ImplementationSpecific", nil)
	for _, c := range []struct {
		other      *ingress.Ingress
		path, want string
	}{
		{regex, "/a", "prefix"}, {regex, "/a/", "other"}, {regex, "/a/x", "other"},
		{text, "/a", "prefix"}, {text, "/a/x", "prefix"}, {text, "/ax", "other"}, {text, "/a/1", "narrow"},
	} {
		other := *c.other
		other.Name, prefix.Name, narrow.Name = "other", "prefix", "narrow"
		got := kong.New(&kong.Options{Mode: kong.Compat}).Rewrite([]*ingress.Ingress{&other, prefix, narrow}, nil)
		type site struct {
			name    string
			program *rewrite.Program
		}
		table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, c *ingress.Compiled) (site, error) { return site{e.Source.Name, c.Program}, nil })
		require.Empty(t, problems)
		s, ok := table.Lookup("h", c.path)
		require.True(t, ok)
		assert.Equal(t, c.want, s.name, "%s beside %s", c.path, other.Rules[0].Paths[0].Path)
		if c.want == "prefix" {
			u := rewrite.URL{Path: c.path}
			_, err := s.program.Apply(rewrite.AfterLocation, &u, nil)
			require.NoError(t, err)
			assert.Equal(t, "/base"+strings.TrimPrefix(c.path, "/a"), u.Path)
		}
		told := make(map[ingress.Source]int)
		for _, p := range got.Problems {
			if p.Code == kong.CodeRegexFirst {
				told[p.Source]++
				assert.Empty(t, p.Source.Part, "what is said is about a path of the manifest")
			}
		}
		assert.Equal(t, 1, told[prefix.At(0, 0, "")])
	}
}

// An empty expression takes every path, and strips nothing of it.
func TestEmptyExpression(t *testing.T) {
	for _, c := range []struct{ path, regexPrefix string }{{"/~", ""}, {"/", "/"}} {
		annotations := map[string]string{"konghq.com/strip-path": "true", "konghq.com/regex-prefix": c.regexPrefix}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made(c.path, "ImplementationSpecific", annotations)}, nil)
		require.Empty(t, got.Problems)
		assert.Equal(t, route.Regex, got.Entries[0].Pattern.Type)
		assert.Equal(t, "/x/y", serve(t, got.Entries, "/x/y"))
		annotations["konghq.com/path"] = "/base"
		got = kong.New(nil).Rewrite([]*ingress.Ingress{made(c.path, "ImplementationSpecific", annotations)}, nil)
		assert.Equal(t, "/base/x/y", serve(t, got.Entries, "/x/y"))
		assert.Equal(t, "/base", serve(t, got.Entries, "/"))
	}
}

func TestMethods(t *testing.T) {
	for value, want := range map[string]struct {
		code    ingress.Code
		methods []string
		entries int
	}{
		",":         {kong.CodeCondition, nil, 0},
		"G@T":       {kong.CodeValue, nil, 0}, // and then kong-condition
		"":          {kong.CodeValue, nil, 1},
		"get, B@D,": {kong.CodeValue, []string{"GET"}, 1},
	} {
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/", "Prefix", map[string]string{"konghq.com/methods": value})}, nil)
		require.NotEmpty(t, got.Problems, value)
		assert.Equal(t, want.code, got.Problems[0].Code)
		require.Len(t, got.Entries, want.entries, value)
		if want.entries > 0 {
			assert.Equal(t, want.methods, got.Entries[0].When.Methods)
			continue
		}
		assert.Equal(t, kong.CodeCondition, got.Problems[len(got.Problems)-1].Code)
	}
}

// Captures are counted as package regexp counts them.
func TestCaptureCount(t *testing.T) {
	for expression, want := range map[string]int{`/([[:alpha:](]+)/(x)`: 2, `/[[:^digit:])(]+(x)`: 1, `/[[:](x)`: 1, `/([]:]+)`: 1} {
		for n := range 4 {
			annotations := map[string]string{"konghq.com/rewrite": "/a/$" + string(rune('0'+n))}
			got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/~"+expression, "ImplementationSpecific", annotations)}, nil)
			require.Len(t, got.Entries, 1, expression)
			missing := false
			for _, p := range got.Problems {
				missing = missing || p.Code == kong.CodeNoGroup
			}
			assert.Equal(t, n < 1 || n > want, missing, "%s, $%d", expression, n)
		}
	}
}

// No path begins without a slash, so such an expression would never match.
func TestExpressionWithoutSlash(t *testing.T) {
	for path, served := range map[string]bool{
		"/~(a)": false, "/~a": false, "/~^a": false, "/~(?i)a": false, "/~[a-z]+": false, "/~a|b": false,
		"/~/a": true, "/~^/a": true, "/~(?i)/a": true, "/~.*": true, "/~a|/b": true, "/~a?/b": true, "/~[^a]": true, "/~": true,
	} {
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made(path, "ImplementationSpecific", nil)}, nil)
		if served {
			assert.Len(t, got.Entries, 1, path)
			assert.Empty(t, got.Problems, path)
			continue
		}
		assert.Empty(t, got.Entries, path)
		require.Len(t, got.Problems, 1, path)
		p := got.Problems[0]
		assert.Equal(t, kong.CodeRegex, p.Code)
		assert.Equal(t, rewrite.Origin{Key: "path", Offset: 2}, p.Origin)
		assert.Contains(t, p.Detail, path)
	}
}

// A group that the path does not have is empty wherever it stands, and between two
// slashes leaves one.
func TestNoGroupBetweenSlashes(t *testing.T) {
	for _, c := range []struct{ path, pathType, target, request, want string }{
		{"/~/p(/|$)", "ImplementationSpecific", "/x/$2/y", "/p/q", "/x/y"},
		{"/~/p/(.*)", "ImplementationSpecific", "/x/$2/$3/$1", "/p/q", "/x/q"},
		{"/~/p/(.*)", "ImplementationSpecific", "/$1/$2/y", "/p/q", "/q/y"},
		{"/~/p/(.*)", "ImplementationSpecific", "/x/$2/$3", "/p/q", "/x/"},
		{"/~/p/(.*)", "ImplementationSpecific", "/x$2y/$1", "/p/q", "/xy/q"},
		{"/~/p/(.*)", "ImplementationSpecific", "$0$2", "/p/q", "/"},
		{"/p", "Prefix", "/x/$1/y", "/p/q", "/x/y"},
		{"/p", "Exact", "$1/$2/y", "/p", "/y"},
	} {
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made(c.path, c.pathType, map[string]string{"konghq.com/rewrite": c.target})}, nil)
		assert.Equal(t, c.want, serve(t, got.Entries, c.request), c.target)
		for _, p := range got.Problems {
			assert.Equal(t, ingress.Warning, p.Severity, p.Error())
		}
		assert.Equal(t, kong.CodeNoGroup, got.Problems[0].Code)
	}
}

// Paths with plugins answer 500, whatever else is wrong with the Ingress.
func TestGuardBesideFaults(t *testing.T) {
	onService := &ingress.Cluster{Service: func(string, string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}, Annotations: map[string]string{"konghq.com/plugins": "key-auth"}}, true
	}}
	for _, target := range []string{"/a$", "b", "/a/../b", "/a//b"} {
		annotations := map[string]string{"konghq.com/rewrite": target}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/x", "Prefix", annotations)}, nil)
		assert.Empty(t, got.Entries, target)
		for _, c := range []*ingress.Cluster{nil, onService} {
			if c == nil {
				annotations["konghq.com/plugins"] = "key-auth"
			} else {
				delete(annotations, "konghq.com/plugins")
			}
			got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/x", "Prefix", annotations)}, c)
			require.Len(t, got.Entries, 1, target)
			assert.True(t, got.Entries[0].Backends[0].Invalid)
		}
	}
}

// What has no effect is not silent.
func TestIdleAnnotations(t *testing.T) {
	for _, c := range []struct {
		name, value, beside string
		code                ingress.Code
	}{
		{"https-redirect-status-code", "301", "", kong.CodeOverridden},
		{"https-redirect-status-code", "301", "http,https", kong.CodeOverridden},
		{"https-redirect-status-code", "301", "https", ""},
		{"headers.x-a", "~*a{1,2}b", "", kong.CodeValue},
		{"headers.x-a", "one,~*two", "", ""},
		{"headers.x-a", "~*two", "", ""},
	} {
		annotations := map[string]string{"konghq.com/" + c.name: c.value}
		if c.beside != "" {
			annotations["konghq.com/protocols"] = c.beside
		}
		got := kong.New(nil).Rewrite([]*ingress.Ingress{made("/x", "Prefix", annotations)}, nil)
		assert.NotEmpty(t, got.Entries)
		if c.code == "" {
			assert.Empty(t, got.Problems, c.value)
			continue
		}
		require.Len(t, got.Problems, 1, c.value)
		assert.Equal(t, c.code, got.Problems[0].Code)
		assert.Equal(t, "konghq.com/"+c.name, got.Problems[0].Origin.Key)
	}
	handled := kong.New(&kong.Options{Handled: []string{"protocols"}})
	got := handled.Rewrite([]*ingress.Ingress{made("/x", "Prefix", map[string]string{
		"konghq.com/protocols": "https", "konghq.com/https-redirect-status-code": "301",
	})}, nil)
	assert.Empty(t, got.Problems)
}

// What problems show is what was written.
func TestMessages(t *testing.T) {
	details := func(mode kong.Mode, path, kind, target string) (list []string) {
		got := kong.New(&kong.Options{Mode: mode}).Rewrite([]*ingress.Ingress{made(path, kind, map[string]string{"konghq.com/rewrite": target})}, nil)
		for _, p := range got.Problems {
			list = append(list, p.Detail)
		}
		return list
	}
	assert.Contains(t, details(kong.Strict, "/", "Prefix", `/a\é`)[0], `unexpected 'é'`)
	assert.Contains(t, details(kong.Strict, "/", "Prefix", `/a$é`)[0], `unexpected 'é'`)
	assert.Contains(t, details(kong.Strict, "/", "Prefix", `/a$99999999999999999999`)[0], "more than any number of captures")
	assert.Equal(t, `"/a/../b" has the dot-segment ".." at offset 3: write the path that it leads to: the path is left out`,
		details(kong.Strict, "/", "Exact", "/a/../b")[0])
	for _, target := range []string{"/x", "/x$1"} {
		for _, detail := range details(kong.Compat, "/a.b", "Exact", target) {
			assert.Contains(t, detail, `"/a.b"`)
		}
		for _, detail := range details(kong.Strict, "/~/(a)", "ImplementationSpecific", "/x") {
			assert.Contains(t, detail, `"/~/(a)"`)
		}
	}
}
