// What the cases of testdata cannot say: how names become objects, what rules
// compile to, what Services say, and what comes of any input.

package traefik_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/ingresstest"
	"github.com/readdress/readdress/route/ingress/traefik"
)

const middlewares = "traefik.ingress.kubernetes.io/router.middlewares"

// A world is objects by "namespace/name", as the JSON of their spec.
type world map[string]string

func (w world) cluster() *ingress.Cluster {
	return &ingress.Cluster{Object: func(ref ingress.ObjectRef) ([]byte, bool) {
		spec, ok := w[ref.Namespace+"/"+ref.Name]
		return []byte(`{"kind": "` + ref.Kind + `", "spec": ` + spec + `}`), ok && ref.Group == "traefik.io"
	}}
}

func service(name string) *ingress.BackendRef { return &ingress.BackendRef{Service: name, Port: 80} }

// web returns default/web with one path.
func web(path, pathType string, annotations map[string]string) *ingress.Ingress {
	return &ingress.Ingress{Name: "web", ClassName: "traefik", Annotations: annotations, Rules: []ingress.Rule{{
		Host: "h", Paths: []ingress.Path{{Path: path, Type: pathType, Backend: service("web")}},
	}}}
}

func translate(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	return traefik.New(nil).Rewrite([]*ingress.Ingress{in}, c)
}

func TestMatch(t *testing.T) {
	known := &ingress.Cluster{Known: []string{"nginx", "traefik"}}
	stray := map[string]string{middlewares: "x"}
	for _, c := range []struct {
		name        string
		class       string
		annotations map[string]string
		want        bool
	}{
		{"its class", "traefik", nil, true},
		{"another class", "nginx", stray, false},
		{"an unknown class and an annotation", "internal", stray, true},
		{"an unknown class and one of version 1", "internal", map[string]string{"traefik.frontend.rule.type": "Path"}, true},
		{"no class and an annotation", "", stray, true},
		{"neither", "", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, traefik.New(nil).Match(&ingress.Ingress{ClassName: c.class, Annotations: c.annotations}, known))
		})
	}
	assert.False(t, traefik.New(nil).Match(nil, known))
}

func TestConformance(t *testing.T) {
	ingresstest.Run(t, traefik.New(nil), &ingresstest.Options{
		Annotations: map[string]string{"traefik.ingress.kubernetes.io/router.entrypoints": "websecure"},
	})
}

// closed reports whether there are entries and all answer 500.
func closed(got ingress.Translation) bool {
	return len(got.Entries) > 0 && !slices.ContainsFunc(got.Entries, func(e ingress.Entry) bool {
		return e.Redirect != nil || len(e.Backends) == 0 || slices.ContainsFunc(e.Backends, func(b ingress.Backend) bool { return !b.Invalid })
	})
}

// rules returns the text of the rules of the first entry.
func rules(got ingress.Translation) string {
	if len(got.Entries) == 0 {
		return "(no entry)"
	}
	var list []string
	for _, r := range got.Entries[0].Rules {
		list = append(list, r.Action.String())
	}
	return strings.Join(list, " ")
}

func TestNames(t *testing.T) {
	add := func(p string) string { return `{"addPrefix": {"prefix": "/` + p + `"}}` }
	w := world{
		"default/a": add("own"), "default/b-c": add("hyphen"), "team-x/a": add("team-x"), "team/x-a": add("team"),
		"default/chain": `{"chain": {"middlewares": [{"name": "a"}, {"name": "a", "namespace": "team-x"}]}}`,
		"default/outer": `{"chain": {"middlewares": [{"name": "chain"}, {"name": "b-c"}]}}`,
		"default/loop":  `{"chain": {"middlewares": [{"name": "a"}, {"name": "loop"}]}}`,
		"default/hole":  `{"chain": {"middlewares": [{"name": "none"}]}}`,
		"default/wide":  `{"chain": {"middlewares": [{"name": "empty"}, {"name": "empty"}, {"name": "empty"}, {"name": "empty"}, {"name": "empty"}, {"name": "empty"}, {"name": "empty"}, {"name": "empty"}]}}`,
		"default/empty": `{"chain": {}}`,
		"default/two":   `{"addPrefix": {"prefix": "/a"}, "compress": {}}`,
		"default/null":  `{"addPrefix": {"prefix": "/a"}, "compress": null}`,
		"default/none":  `{}`,
		"default/text":  `"x"`,
		"default/type":  `{"addPrefix": {"prefix": 1}}`,
	}
	delete(w, "default/none")
	for _, c := range []struct {
		value  string
		want   string       // rules
		code   ingress.Code // else the code of the error
		at     int          // and its offset
		closed bool         // the path answers 500, because the middleware may be a guard
	}{
		{"default-a@kubernetescrd", `AddPathPrefix("/own")`, "", 0, false},
		{" default-a@kubernetescrd ,, default-b-c@kubernetescrd,", `AddPathPrefix("/own") AddPathPrefix("/hyphen")`, "", 0, false},
		{"team-x-a@kubernetescrd", `AddPathPrefix("/team")`, "", 0, false},
		{"default-outer@kubernetescrd", `AddPathPrefix("/own") AddPathPrefix("/team-x") AddPathPrefix("/hyphen")`, "", 0, false},
		{"default-null@kubernetescrd", `AddPathPrefix("/a")`, "", 0, false},
		{"default_a@kubernetescrd,team-x_a@kubernetescrd,team_x-a@kubernetescrd", `AddPathPrefix("/own") AddPathPrefix("/team-x") AddPathPrefix("/team")`, "", 0, false},
		{"_a@kubernetescrd", "", traefik.CodeMiddleware, 0, true},
		{"default_@kubernetescrd", "", traefik.CodeMiddleware, 0, true},
		{"team_x_a@kubernetescrd", "", traefik.CodeMiddleware, 0, true},
		{"default-a@kubernetescrd,default-z@kubernetescrd", "", traefik.CodeMiddleware, 24, true},
		{"default-loop@kubernetescrd", "", traefik.CodeChain, 0, true},
		{"default-hole@kubernetescrd", "", traefik.CodeMiddleware, 0, true},
		{"default-two@kubernetescrd", "", traefik.CodeMiddleware, 0, true},
		{"default-text@kubernetescrd", "", traefik.CodeMiddleware, 0, true},
		{"default-type@kubernetescrd", "", traefik.CodeMiddleware, 0, false},
		{"default-@kubernetescrd", "", traefik.CodeMiddleware, 0, true},
		{strings.Repeat("default-wide@kubernetescrd,", 8), "", traefik.CodeChain, 27 * 7, true},
		{strings.Repeat("default-a@kubernetescrd,", 65), "", traefik.CodeChain, 24 * 64, true},
	} {
		t.Run(c.value[:min(len(c.value), 60)], func(t *testing.T) {
			got := translate(web("/", "Prefix", map[string]string{middlewares: c.value}), w.cluster())
			if c.code == "" {
				assert.Equal(t, c.want, rules(got))
				assert.Empty(t, got.Problems)
				return
			}
			assert.Equal(t, c.closed, closed(got))
			require.NotEmpty(t, got.Problems)
			p := got.Problems[0]
			assert.Equal(t, c.code, p.Code)
			assert.Equal(t, ingress.Error, p.Severity)
			assert.Equal(t, rewrite.Origin{Key: middlewares, Offset: c.at}, p.Origin)
			assert.Equal(t, []ingress.Source{web("/", "", nil).At(0, 0, "")}, p.Related)
		})
	}
}

// Objects of the group that Traefik 2 had are found too.
func TestOldGroup(t *testing.T) {
	c := &ingress.Cluster{Object: func(ref ingress.ObjectRef) ([]byte, bool) {
		return []byte(`{"spec": {"addPrefix": {"prefix": "/a"}}}`), ref.Group == "traefik.containo.us" && ref.Kind == "Middleware"
	}}
	got := translate(web("/", "Prefix", map[string]string{middlewares: "default-x@kubernetescrd"}), c)
	assert.Equal(t, `AddPathPrefix("/a")`, rules(got))
}

func TestHandled(t *testing.T) {
	w := world{"default/auth": `{"basicAuth": {"secret": "x"}}`}
	in := web("/", "Prefix", map[string]string{middlewares: "default-auth@kubernetescrd", "traefik.ingress.kubernetes.io/router.priority": "5"})
	assert.True(t, closed(translate(in, w.cluster())))
	got := traefik.New(&traefik.Options{Handled: []string{"basicAuth", "router.priority"}}).Rewrite([]*ingress.Ingress{in}, w.cluster())
	assert.Len(t, got.Entries, 1)
	assert.Empty(t, got.Problems)
}

func TestHeaders(t *testing.T) {
	w := world{
		"default/h": `{"headers": {"frameDeny": true, "customRequestHeaders": {"X-B": "", "X-A": "1", "Host": "internal:80"}, "customResponseHeaders": {"Server": ""}}}`,
		"default/b": `{"buffering": {"maxRequestBodyBytes": 1024}}`,
		"default/c": `{"buffering": {"maxRequestBodyBytes": 2048}}`,
		"default/x": `{"headers": {"customRequestHeaders": {"X A": "1"}}}`,
		"default/y": `{"headers": {"customRequestHeaders": {"Host": "a/b"}}}`,
	}
	got := translate(web("/", "Prefix", map[string]string{middlewares: "default-h@kubernetescrd,default-b@kubernetescrd,default-c@kubernetescrd"}), w.cluster())
	require.Len(t, got.Entries, 1)
	e := got.Entries[0]
	assert.Equal(t, []ingress.HeaderOp{{Op: ingress.SetHeader, Name: "X-A", Value: "1"}, {Op: ingress.RemoveHeader, Name: "X-B"}}, e.RequestHeaders)
	assert.Equal(t, []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "Server"}}, e.ResponseHeaders)
	assert.Equal(t, `SetHost("internal:80")`, rules(got))
	assert.EqualValues(t, 1024, e.MaxBodySize)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, traefik.CodeNotTranslated, got.Problems[0].Code)
	assert.Contains(t, got.Problems[0].Detail, "frameDeny")
	for _, name := range []string{"x", "y"} {
		assert.Empty(t, translate(web("/", "Prefix", map[string]string{middlewares: "default-" + name + "@kubernetescrd"}), w.cluster()).Entries)
	}
}

// Only the first change of a path knows what the path begins with.
func TestTwoStrips(t *testing.T) {
	strip := `{"stripPrefix": {"prefixes": ["/api"]}}`
	got := translate(web("/api", "Prefix", map[string]string{middlewares: "default-m@kubernetescrd,default-m@kubernetescrd"}), world{"default/m": strip}.cluster())
	assert.Equal(t, `TrimPathPrefix("/api") TrimPathText("/api")`, rules(got))
}

// A Mode that is neither is Strict.
func TestUnknownMode(t *testing.T) {
	list := []*ingress.Ingress{web("/api", "Prefix", nil)}
	strict := traefik.New(nil).Rewrite(list, nil)
	assert.Equal(t, strict, traefik.New(&traefik.Options{Mode: 7}).Rewrite(list, nil))
	assert.NotEqual(t, strict, traefik.New(&traefik.Options{Mode: traefik.Compat}).Rewrite(list, nil))
}

// The root is the same by segment and as a text.
func TestRootIsNoQuirk(t *testing.T) {
	got := traefik.New(&traefik.Options{Mode: traefik.Compat}).Rewrite([]*ingress.Ingress{web("/", "Prefix", nil)}, nil)
	assert.Empty(t, got.Problems)
}

// Every way to strip a prefix is a prefix instruction, and no expression.
func TestStripsArePrefixInstructions(t *testing.T) {
	regex := func(expression, with string) string {
		data, _ := json.Marshal(map[string]string{"regex": expression, "replacement": with})
		return `{"replacePathRegex": ` + string(data) + `}`
	}
	for _, c := range []struct {
		spec, at, pathType string
		want               string // the instruction
		strip              bool   // Entry.StripPrefix is /api
	}{
		{`{"stripPrefix": {"prefixes": ["/api"]}}`, "/api", "Prefix", `trim "/api"`, true},
		{`{"stripPrefix": {"prefixes": ["/api", "/x"]}}`, "/api/v1", "ImplementationSpecific", `trim "/api"`, true},
		{`{"stripPrefix": {"prefixes": ["/api"]}}`, "/", "Prefix", `text "/api"`, false},
		{`{"stripPrefix": {"prefixes": ["/x", "/api"]}}`, "/api", "Prefix", `text "/api"`, false},
		{`{"stripPrefixRegex": {"regex": ["/api"]}}`, "/api", "Prefix", `trim "/api"`, true},
		{`{"stripPrefixRegex": {"regex": ["^/api"]}}`, "/", "Prefix", `text "/api"`, false},
		{regex("^/api/(.*)", "/$1"), "/", "Prefix", `trim "/api"`, false},
		{regex("/api/(.*)", "/$1"), "/api", "Prefix", `trim "/api"`, false},
		{regex("/api(/|$)(.*)", "/$2"), "/api", "Prefix", `trim "/api"`, false},
		{regex("/api(/|$)(.*)", "/${2}"), "/api/v1", "ImplementationSpecific", `trim "/api"`, false},
		{regex("/api(/.*)?$", "$1"), "/api", "Prefix", `trim "/api"`, false},
		{regex("/api/?(.*)", "/$1"), "/api", "ImplementationSpecific", `text "/api"`, false},
		{regex("/api(.*)", "/$1"), "/api", "ImplementationSpecific", `text "/api"`, false},
	} {
		t.Run(c.spec+" on "+c.at+" "+c.pathType, func(t *testing.T) {
			got := translate(web(c.at, c.pathType, map[string]string{middlewares: "default-m@kubernetescrd"}), world{"default/m": c.spec}.cluster())
			require.Len(t, got.Entries, 1)
			program, err := rewrite.Compile(got.Entries[0].Rules, nil)
			require.NoError(t, err)
			assert.Contains(t, program.String(), c.want)
			assert.NotContains(t, program.String(), "regex")
			prefix, ok := got.Entries[0].StripPrefix()
			assert.Equal(t, c.strip, ok && prefix == "/api")
		})
	}
}

// replacePathRegex against Regexp.ReplaceAllString, which is what Traefik calls.
func FuzzReplacePathRegex(f *testing.F) {
	for _, seed := range [][3]string{
		{"^/p/(.*)", "/$1", "/p/x"}, {"/p/(.*)", "/n/${1}y", "/p/x"}, {"/p(/|$)(.*)", "/$2", "/p"}, {"/p/?(.*)", "/$1x$$", "/px"},
		{"p", "$0$0", "/p/p"}, {"(?P<a>p)", "${a}$b", "/p"}, {"(p)", "$01$10$-${", "/p"}, {"/p(.*)", "$1", "/p/p/x"}, {"x*", "-", "/x/x"},
	} {
		for _, at := range []string{"/", "/p"} {
			f.Add(seed[0], seed[1], seed[2], at)
		}
	}
	f.Fuzz(func(t *testing.T, expression, with, path, at string) {
		for _, s := range []string{expression, with, path, at} {
			if len(s) > 40 || strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
				return
			}
		}
		re, err := regexp.Compile(expression)
		if err != nil || strings.ContainsAny(path, "%?#.\\") || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(with, "%?#.\\") {
			return
		}
		spec, err := json.Marshal(map[string]any{"replacePathRegex": map[string]string{"regex": expression, "replacement": with}})
		require.NoError(t, err)
		got := translate(web(at, "Prefix", map[string]string{middlewares: "default-m@kubernetescrd"}), world{"default/m": string(spec)}.cluster())
		table, problems := ingress.Build(got.Entries, nil, func(_ *ingress.Entry, compiled *ingress.Compiled) (*rewrite.Program, error) {
			return compiled.Program, nil
		})
		u := rewrite.URL{Scheme: "http", Host: "h", Path: path}
		if (*rewrite.Input)(nil).Clean(&u, nil) != nil || u.Path != path {
			return
		}
		program, ok := table.Match(&u, nil)
		if !ok || len(problems) > 0 {
			return
		}
		if _, err := program.Apply(rewrite.AfterLocation, &u, nil); err != nil {
			return
		}
		want := "/" + strings.TrimLeft(re.ReplaceAllString(path, with), "/")
		if strings.ContainsAny(want, "\"<>^`{|}") {
			return // escaped, because these bytes may not stand in a path
		}
		assert.Equal(t, want, u.Path, "%q with %q", expression, with)
	})
}

func TestNil(t *testing.T) {
	assert.Empty(t, traefik.New(nil).Rewrite([]*ingress.Ingress{nil, {}}, nil).Entries)
	assert.Equal(t, "Mode(7)", traefik.Mode(7).String())
}

// FuzzRewrite: whatever annotations and objects are, each entry of a Result
// compiles, what is not served is an error, and the input stays as it was.
func FuzzRewrite(f *testing.F) {
	for _, spec := range []string{
		`{"stripPrefix": {"prefixes": ["/a", "b", ""]}}`, `{"stripPrefixRegex": {"regex": ["/a|b", "("]}}`, `{"chain": {"middlewares": [{"name": "m"}]}}`,
		`{"redirectRegex": {"regex": "(", "statusCode": 999}}`, `{"redirectScheme": {"scheme": "https", "port": "x"}}`, `{"headers": {"customRequestHeaders": {"": "x"}}}`,
		`{"buffering": {"maxRequestBodyBytes": -5}}`, `{"replacePath": {"path": "x"}}`, `{`,
	} {
		f.Add(middlewares, "default-m@kubernetescrd", spec, "/api", "Prefix")
	}
	f.Add("traefik.ingress.kubernetes.io/router.pathmatcher", "PathRegexp", "", "(", "")
	f.Add("traefik.ingress.kubernetes.io/rewrite-target", "/x", "", "/a/", "Exact")
	f.Add("traefik.ingress.kubernetes.io/app-root", "//x", "", "/", "")
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: traefik.New(nil)})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, key, value, spec, path, pathType string) {
		annotations := map[string]string{key: value}
		in := web(path, pathType, maps.Clone(annotations))
		c := world{"default/m": spec}.cluster()
		r := d.Dispatch([]*ingress.Ingress{in}, c)
		_, problems := ingress.Build(r.Entries, c, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
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

// Of a middleware each field that nobody reads is named.
func TestUnknownFields(t *testing.T) {
	w := world{"default/m": `{"addPrefix": {"prefix": "/a", "prefx": "/b", "sufix": "/c"}}`}
	got := translate(web("/", "Prefix", map[string]string{middlewares: "default-m@kubernetescrd"}), w.cluster())
	require.Len(t, got.Problems, 2)
	for i, field := range []string{"prefx", "sufix"} {
		assert.Equal(t, traefik.CodeUnknown, got.Problems[i].Code)
		assert.Contains(t, got.Problems[i].Detail, field)
	}
}

// A group that a redirect's replacement names and the expression has not is told
// where the replacement is.
func TestRedirectsWithoutGroup(t *testing.T) {
	const v1 = "traefik.ingress.kubernetes.io/redirect-"
	w := world{"default/m": `{"redirectRegex": {"regex": "^http://h/(.*)", "replacement": "https://w/$3"}}`}
	for key, annotations := range map[string]map[string]string{
		middlewares:        {middlewares: "default-m@kubernetescrd"},
		v1 + "replacement": {v1 + "regex": "^http://h/(.*)", v1 + "replacement": "https://w/$3"},
	} {
		got := translate(web("/", "Prefix", annotations), w.cluster())
		require.Len(t, got.Problems, 1)
		p := got.Problems[0]
		assert.Equal(t, traefik.CodeNoGroup, p.Code)
		assert.Equal(t, ingress.Warning, p.Severity)
		assert.Equal(t, key, p.Origin.Key)
		assert.Contains(t, p.Detail, "$3")
	}
}

// A field that is there in several spellings, or is an empty Host, is a warning.
func TestOddHeaders(t *testing.T) {
	w := world{"default/h": `{"headers": {"customRequestHeaders": {"x-a": "1", "X-A": "", "X-a": "2", "Host": ""}, "customResponseHeaders": {"x-a": "3"}}}`}
	got := translate(web("/", "Prefix", map[string]string{middlewares: "default-h@kubernetescrd"}), w.cluster())
	require.Len(t, got.Entries, 1)
	assert.Equal(t, []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "X-A"}}, got.Entries[0].RequestHeaders)
	assert.Equal(t, []ingress.HeaderOp{{Name: "x-a", Value: "3"}}, got.Entries[0].ResponseHeaders)
	assert.Empty(t, got.Entries[0].Rules)
	require.Len(t, got.Problems, 3)
	for _, p := range got.Problems {
		assert.Equal(t, traefik.CodeDead, p.Code)
	}
}
