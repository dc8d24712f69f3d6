package bfe_test

// Write: the files as they are, and what cannot be said.

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/internal/golden"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
)

// entry is one for requests to host and path, with actions at AfterLocation.
func entry(host, path string, t route.PathType, actions ...rewrite.Action) ingress.Entry {
	e := ingress.Entry{
		Source:  ingress.Source{Kind: "Ingress", Namespace: "default", Name: "web"},
		Pattern: route.Pattern{Host: host, Path: path, Type: t},
	}
	for i, a := range actions {
		e.Rules = append(e.Rules, rewrite.Rule{Order: i, Action: a})
	}
	return e
}

// The conversion of the design of ingress-bfe, seed 000: its Ingress, with the
// missing comma, and its file.
func TestWriteSeed(t *testing.T) {
	data, err := os.ReadFile("testdata/seed-ingress.json")
	require.NoError(t, err)
	var in ingress.Ingress
	require.NoError(t, json.Unmarshal(data, &in))
	translation := translate(&in, nil)
	require.Empty(t, translation.Problems)

	got, problems := bfe.Write(translation.Entries, nil)
	assert.Empty(t, problems)
	golden.File(t, "testdata/seed.golden", string(got))

	// The two differences from the seed's own file.
	seed, err := os.ReadFile("testdata/seed-rewrite.data")
	require.NoError(t, err)
	theirs := strings.Replace(string(seed), `req_path_prefix_in(`, `req_path_element_prefix_in(`, 1)
	theirs = strings.Replace(theirs, `["/service"]`, `["/service/"]`, 1)
	assert.Equal(t, theirs, string(got))

	got, problems = bfe.Write(translation.Entries, &bfe.WriteOptions{SeedPrefix: true})
	assert.Empty(t, problems)
	assert.Equal(t, strings.Replace(string(seed), `["/service"]`, `["/service/"]`, 1), string(got))
}

func TestWriteGolden(t *testing.T) {
	forward := entry("a.com", "/before", route.Prefix, rewrite.AddQuery("after", "1"))
	forward.Rules = append(forward.Rules, rewrite.Rule{Hook: rewrite.BeforeLocation, Action: rewrite.AddPathPrefix("/early")})
	forward.Backends = []ingress.Backend{{Rules: []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost("late.example")}}}}

	header := entry("a.com", "/", route.Prefix, rewrite.SetPath("/canary"))
	header.When = route.Conditions{
		Headers: []route.Condition{{Name: "X-A", Value: `say "hi"`}, {Name: "X-B", Test: route.BeginsWith, Value: "v"}, {Name: "X-C", Test: route.Matches, Value: `\d+|none`}},
		Cookies: []route.Condition{{Name: "c", Value: ""}, {Name: "d", Test: route.Present}, {Name: "e", Test: route.Absent}, {Name: "f", Value: "back`quote"}},
	}
	entries := []ingress.Entry{
		entry("", "/", route.Prefix),
		entry("*.com", "/", route.Prefix, rewrite.SetPath("/com")),
		entry("*.Sub.a.com", "/x", route.Prefix, rewrite.SetPath("/sub")),
		entry("b.com", "/foo", route.TextPrefix, rewrite.TrimPathText("/foo")),
		entry("b.com", "/foo", route.Prefix, rewrite.TrimPathPrefix("/foo"), rewrite.StripPathSegments(1)),
		entry("b.com", "/foo/bar/", route.Prefix, rewrite.StripPathSegments(2), rewrite.AddPathPrefix("/x y"), rewrite.TrimPathPrefix("/x%20y")),
		entry("b.com", "/foo", route.Exact, rewrite.SetHost("C.com"), rewrite.HostFromPathPrefix()),
		entry("a.com", "", route.Prefix, rewrite.AddQuery("a b", "c"), rewrite.RenameQuery("x", "y"), rewrite.DeleteQuery("p", "q"), rewrite.KeepQuery("r"), rewrite.DropQuery()),
		entry("A.com.", "/50%25", route.Prefix, rewrite.TrimPathPrefix("/")),
		header,
		forward,
	}
	got, problems := bfe.Write(entries, &bfe.WriteOptions{
		Version:  `2 "quoted" <&>`,
		Sections: map[rewrite.Hook]string{rewrite.BeforeLocation: "before", rewrite.AfterLocation: "default", rewrite.Forward: "forward"},
	})
	// What is known of the path ends where the rest of /foo begins, and BFE keeps
	// the pair "a b".
	assert.Equal(t, []string{"warning bfe-any-host", "error bfe-trim", "warning bfe-param"}, codes(problems))
	golden.File(t, "testdata/write.golden", string(got))
	assert.True(t, json.Valid(got))

	got, problems = bfe.Write(nil, nil)
	assert.Empty(t, problems)
	golden.File(t, "testdata/empty.golden", string(got))
}

// Each thing that cannot be said, with the others said.
func TestWriteProblems(t *testing.T) {
	with := func(e ingress.Entry, change func(*ingress.Entry)) ingress.Entry {
		change(&e)
		return e
	}
	plain := entry("h.com", "/x", route.Prefix)
	header := func(c route.Condition) ingress.Entry {
		return with(plain, func(e *ingress.Entry) { e.When.Headers = []route.Condition{c} })
	}
	cookie := func(value string) ingress.Entry {
		return with(plain, func(e *ingress.Entry) { e.When.Cookies = []route.Condition{{Name: "c", Value: value}} })
	}
	const left, none = "left out", "no actions"
	for name, c := range map[string]struct {
		entry  ingress.Entry
		opts   *bfe.WriteOptions
		code   string
		detail string // of the problem
		is     string // the rule: left, none, or empty
	}{
		"host with port":        {entry("h.com:80", "/", route.Prefix), nil, "error bfe-cond", "port", left},
		"host of IPv6":          {entry("[::1]", "/", route.Prefix), nil, "error bfe-cond", "IPv6", left},
		"host":                  {entry("a..b", "/", route.Prefix), nil, "error bfe-cond", "Pattern.Host", left},
		"regular expression":    {entry("h.com", "/a.*", route.Regex), nil, "error bfe-cond", "regular expression", left},
		"path":                  {entry("h.com", "/a/../b", route.Prefix), nil, "error bfe-cond", "Pattern.Path", left},
		"escaped slash":         {entry("h.com", "/a%2Fb", route.Prefix), nil, "error bfe-cond", "another path", left},
		"bar in path":           {entry("h.com", "/a|b", route.Prefix), nil, "error bfe-cond", `"|" at offset 2`, left},
		"control byte in path":  {entry("h.com", "/a%0A", route.Prefix), nil, "error bfe-cond", "control byte", left},
		"not UTF-8":             {entry("h.com", "/a%FF", route.Prefix), nil, "error bfe-cond", "UTF-8", left},
		"scheme":                {with(plain, func(e *ingress.Entry) { e.When.Scheme = "http" }), nil, "error bfe-cond", "scheme", left},
		"method":                {with(plain, func(e *ingress.Entry) { e.When.Methods = []string{"GET"} }), nil, "error bfe-cond", "method", left},
		"query":                 {with(plain, func(e *ingress.Entry) { e.When.Query = []route.Condition{{Name: "a"}} }), nil, "error bfe-cond", "query", left},
		"header with bar":       {header(route.Condition{Name: "X", Value: "a|b"}), nil, "error bfe-cond", `"|"`, left},
		"header, all quotes":    {header(route.Condition{Name: "X", Value: "a`\""}), nil, "error bfe-cond", "quotes", left},
		"header, escape, quote": {header(route.Condition{Name: "X", Value: "a`\\"}), nil, "error bfe-cond", "quotes", left},
		"header, control byte":  {header(route.Condition{Name: "X", Value: "a\x00"}), nil, "error bfe-cond", "control byte", left},
		"header, not UTF-8":     {header(route.Condition{Name: "X", Value: "a\xff"}), nil, "error bfe-cond", "UTF-8", left},
		"header present":        {header(route.Condition{Name: "X", Test: route.Present}), nil, "error bfe-cond", "absent for an empty", left},
		"header absent":         {header(route.Condition{Name: "X", Test: route.Absent}), nil, "error bfe-cond", "absent for an empty", left},
		"header empty":          {header(route.Condition{Name: "X"}), nil, "error bfe-cond", "absent for an empty", left},
		"header may be empty":   {header(route.Condition{Name: "X", Test: route.Matches, Value: "a*"}), nil, "error bfe-cond", "absent for an empty", left},
		"cookie with bar":       {cookie("a|b"), nil, "error bfe-cond", `"|"`, left},
		"no such action":        {entry("h.com", "/x", route.Prefix, rewrite.SetPath("/y"), rewrite.SetScheme("https")), nil, "error bfe-action", "no such action", none},
		"does not compile":      {entry("h.com", "/x", route.Prefix, rewrite.SetPath("y")), nil, "error bfe-action", "do not compile", none},
		"several prefixes":      {entry("h.com", "/x", route.Prefix, rewrite.TrimPathPrefix("/x", "/y")), nil, "error bfe-action", "one prefix", none},
		"escape":                {entry("h.com", "/x", route.Prefix, rewrite.SetPath("/a%2Fb")), nil, "error bfe-param", `"/a/b"`, none},
		"empty parameter":       {entry("h.com", "/x", route.Prefix, rewrite.AddQuery("a", "")), nil, "error bfe-param", "empty parameter", none},
		"trim as text":          {entry("h.com", "/", route.Prefix, rewrite.TrimPathPrefix("/x")), nil, "error bfe-trim", "middle of a segment", none},
		"trim under SeedPrefix": {entry("h.com", "/x", route.Prefix, rewrite.TrimPathPrefix("/x")), &bfe.WriteOptions{SeedPrefix: true}, "warning bfe-trim", "middle of a segment", ""},
		"strip too much":        {entry("h.com", "/x", route.Prefix, rewrite.StripPathSegments(2)), nil, "error bfe-trim", "so many", none},
		"kept, added before":    {entry("h.com", "/x", route.Prefix, rewrite.AddQuery("a b", "c"), rewrite.KeepQuery("a")), nil, "warning bfe-param", `keeps it`, ""},
		"dropped, renamed":      {entry("h.com", "/x", route.Prefix, rewrite.RenameQuery("a", "b c"), rewrite.AddQuery("d", "e"), rewrite.DropQuery()), nil, "warning bfe-param", `"b c"`, ""},
		"rename":                {entry("h.com", "/x", route.Prefix, rewrite.RenameQuery("a b", "c")), nil, "warning bfe-param", "never renames", ""},
		"redirect":              {with(plain, func(e *ingress.Entry) { e.Redirect = &ingress.Redirect{Location: "/"} }), nil, "warning bfe-not-rewrite", "mod_redirect", none},
		"redirect of a scheme": {with(plain, func(e *ingress.Entry) {
			e.When.Scheme, e.Redirect = "http", &ingress.Redirect{Location: "/"}
		}), nil, "warning bfe-not-rewrite", "mod_redirect", left},
		"hook of backends": {with(plain, func(e *ingress.Entry) {
			e.Rules = []rewrite.Rule{{Action: rewrite.SetPath("/y")}, {Hook: rewrite.Forward, Action: rewrite.SetHost("x.com")}}
		}), nil, "error bfe-hook", "Rules[1] is a rule of hook Forward: write it in the Rules of the backends", none},
		"hook of the entry": {with(plain, func(e *ingress.Entry) {
			e.Backends = []ingress.Backend{{}, {Rules: []rewrite.Rule{{Hook: rewrite.AfterLocation, Action: rewrite.SetPath("/y")}}}}
		}), nil, "error bfe-hook", "Backends[1].Rules[0] is a rule of hook AfterLocation: write it in the Rules of the entry", none},
		"no hook": {with(plain, func(e *ingress.Entry) {
			e.Rules = []rewrite.Rule{{Hook: 7, Action: rewrite.SetPath("/y")}}
		}), nil, "error bfe-hook", "Hook(7)", none},
		"hook": {with(plain, func(e *ingress.Entry) {
			e.Rules = []rewrite.Rule{{Hook: rewrite.BeforeLocation, Action: rewrite.SetPath("/y")}}
		}), nil, "warning bfe-hook", "BeforeLocation", none},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := entry("z.com", "/", route.Exact, rewrite.SetPath("/1")), entry("z.com", "/", route.Prefix, rewrite.SetPath("/2"))
			c.entry.Source.Name = "faulty"
			data, problems := bfe.Write([]ingress.Entry{before, c.entry, after}, c.opts)
			require.Equal(t, []string{c.code}, codes(problems))
			assert.Contains(t, problems[0].Detail, c.detail)
			assert.Equal(t, c.entry.Source, problems[0].Source)
			var file struct {
				Config map[string][]struct{ Actions []any }
			}
			require.NoError(t, json.Unmarshal(data, &file))
			rules := file.Config["default"]
			if c.is == left {
				assert.Len(t, rules, 2)
				return
			}
			require.Len(t, rules, 3)
			empty := 0
			for _, r := range rules {
				if len(r.Actions) == 0 {
					empty++
				}
			}
			assert.Equal(t, c.is == none, empty == 1)
		})
	}
}

// Default backends are written for all paths, behind every other rule of their
// host, and without a problem.
func TestWriteDefaults(t *testing.T) {
	in := manifest(t, map[string]string{"rewrite-url.query-add": `[{"params": {"a": "1"}}]`}, "b.com/x=web", "*.b.com/y=web", "a.com/=web")
	in.Default = &ingress.BackendRef{Service: "rest", Port: 80}
	result := translate(in, nil)
	require.Len(t, result.Entries, 6)
	data, problems := bfe.Write(result.Entries, nil)
	assert.Empty(t, problems)
	var file struct {
		Config map[string][]struct {
			Cond    string
			Actions []any
		}
	}
	require.NoError(t, json.Unmarshal(data, &file))
	var conds []string
	for _, r := range file.Config["default"] {
		conds = append(conds, r.Cond)
		assert.Len(t, r.Actions, 1)
	}
	assert.Equal(t, []string{
		`req_host_in("b.com") && req_path_element_prefix_in("/x", false)`, `req_host_in("b.com")`,
		`req_host_in("a.com")`,
		"req_host_regmatch(`(?i)^[^.]+\\.b\\.com$`) && req_path_element_prefix_in(\"/y\", false)", "req_host_regmatch(`(?i)^[^.]+\\.b\\.com$`)",
		"default_t()",
	}, conds)

	// The other order of the same two is not that of a table.
	entries := []ingress.Entry{
		entry("c.com", "/", route.Regex, rewrite.SetPath("/regex")), entry("c.com", "/x", route.TextPrefix, rewrite.SetPath("/text")),
		entry("c.com", "/", route.RegexFirst, rewrite.SetPath("/first")), entry("c.com", "/x", route.Exact, rewrite.SetPath("/exact")),
	}
	data, problems = bfe.Write(entries, nil)
	assert.Empty(t, problems)
	last := -1
	for _, path := range []string{"/exact", "/first", "/text", "/regex"} {
		at := strings.Index(string(data), `"`+path+`"`)
		assert.Greater(t, at, last, path)
		last = at
	}
}

// A quotation that an expression leaves open ends with it: BFE would load
// nothing of a file with a condition that does not compile.
func TestWriteOpenQuotation(t *testing.T) {
	for _, value := range []string{`\Qa.b`, `a\Q.\E\Qb`, `a\Q`, `\Qa.b\E`} {
		for _, kind := range []string{"header", "cookie"} {
			e := entry("h.com", "/x", route.Prefix, rewrite.SetPath("/y"))
			list := []route.Condition{{Name: "k", Test: route.Matches, Value: value}}
			if kind == "header" {
				e.When.Headers = list
			} else {
				e.When.Cookies = list
			}
			data, problems := bfe.Write([]ingress.Entry{e}, nil)
			assert.Empty(t, problems, value)
			entries, problems := bfe.Read(data, nil)
			assert.Empty(t, problems, value)
			require.Len(t, entries, 1)
			for _, text := range []string{"a.b", "axb", "a", "a.", "xa.b", "a.bx"} {
				assert.Equal(t, matches(t, list[0].Value, text), matches(t, append(entries[0].When.Headers, entries[0].When.Cookies...)[0].Value, text), "%s on %s", value, text)
			}
		}
	}
	entries, problems := bfe.Read([]byte(file(rule("req_cookie_value_regmatch(\"k\", `\\Qa.b`)"))), nil)
	assert.Empty(t, problems)
	require.Len(t, entries, 1)
	assert.True(t, matches(t, entries[0].When.Cookies[0].Value, "xa.bx"))
	assert.False(t, matches(t, entries[0].When.Cookies[0].Value, "xaxbx"))
}

// matches reports whether a condition with a regular expression holds for text.
func matches(t *testing.T, expression, text string) bool {
	t.Helper()
	table, err := route.NewTable([]route.Route[bool]{{When: route.Conditions{Query: []route.Condition{{Name: "k", Test: route.Matches, Value: expression}}}, Value: true}}, nil)
	require.NoError(t, err)
	found, _ := table.Match(&rewrite.URL{Path: "/", RawQuery: "k=" + text}, nil)
	return found
}

func TestWriteForward(t *testing.T) {
	sections := &bfe.WriteOptions{Sections: map[rewrite.Hook]string{rewrite.AfterLocation: "default", rewrite.Forward: "forward"}}
	late := []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost("a.com")}}
	other := []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost("b.com")}}
	for name, c := range map[string]struct {
		actions       []rewrite.Action
		first, second []rewrite.Rule
		want          []string
	}{
		"same":              {[]rewrite.Action{rewrite.AddQuery("a", "b")}, late, late, nil},
		"different":         {nil, late, other, []string{"error bfe-hook"}},
		"second alone":      {nil, nil, late, []string{"error bfe-hook"}},
		"found by its path": {[]rewrite.Action{rewrite.SetPath("/y")}, late, late, []string{"error bfe-hook"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry("h.com", "/x", route.Prefix, c.actions...)
			e.Backends = []ingress.Backend{{Rules: c.first}, {Rules: c.second}}
			data, problems := bfe.Write([]ingress.Entry{e}, sections)
			assert.Equal(t, c.want, codes(problems))
			assert.Equal(t, c.want == nil, strings.Contains(string(data), `["a.com"]`))
		})
	}
	_, problems := bfe.Write(nil, &bfe.WriteOptions{Sections: map[rewrite.Hook]string{rewrite.AfterLocation: "x", rewrite.Forward: "x"}})
	assert.Equal(t, []string{"error bfe-hook"}, codes(problems))
}
