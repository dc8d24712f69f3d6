package bfe_test

// Read: what BFE's loader takes and refuses, and where.

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
)

// file is a file of rules of section default.
func file(rules ...string) string {
	return `{"Version": "1", "Config": {"default": [` + strings.Join(rules, ", ") + `]}}`
}

// rule is a rule, the last for its requests.
func rule(cond string, actions ...string) string {
	return fmt.Sprintf(`{"Cond": %q, "Actions": [%s], "Last": true}`, cond, strings.Join(actions, ", "))
}

// at checks the problem and that it points at the text.
func at(t *testing.T, data string, p ingress.Problem, code, text string) {
	t.Helper()
	assert.Equal(t, code, p.Severity.String()+" "+string(p.Code), p.Detail)
	assert.Equal(t, "rewrite.data", p.Origin.Key)
	if assert.LessOrEqual(t, p.Origin.Offset, len(data)) && text != "" {
		assert.True(t, strings.HasPrefix(data[p.Origin.Offset:], text), "offset %d: %.40q, want %q (%s)", p.Origin.Offset, data[p.Origin.Offset:], text, p.Detail)
	}
}

func TestReadSeed(t *testing.T) {
	data, err := os.ReadFile("testdata/seed-rewrite.data")
	require.NoError(t, err)
	entries, problems := bfe.Read(data, nil)
	require.Len(t, problems, 1)
	at(t, string(data), problems[0], "warning bfe-add-glues", `"]`)
	require.Len(t, entries, 1)
	e := entries[0]
	assert.Equal(t, route.Pattern{Host: "foo.com", Path: "/whoami", Type: route.TextPrefix}, e.Pattern)
	assert.Equal(t, "mod_rewrite default rules[0].paths[0]", e.Source.String())
	require.Len(t, e.Rules, 2)
	assert.Equal(t, rewrite.SetHost("bar.com"), e.Rules[0].Action)
	assert.Equal(t, rewrite.AddPathPrefix("/service"), e.Rules[1].Action)
	for i, cmd := range []string{"HOST_SET", "PATH_PREFIX_ADD"} {
		o := e.Rules[i].Origin
		assert.Equal(t, "rewrite.data", o.Key)
		assert.Contains(t, string(data[o.Offset:o.Offset+60]), cmd)
	}
}

// The conditions that can be said, and what they are.
func TestReadConditions(t *testing.T) {
	for cond, want := range map[string][]string{
		`default_t()`:                                                                     {"/ Prefix"},
		`req_host_in("foo.com")`:                                                          {"foo.com/ Prefix"},
		`req_host_in("Foo.com|bar.com")`:                                                  {"foo.com/ Prefix", "bar.com/ Prefix"},
		"req_host_regmatch(`(?i)^[^.]+\\.foo\\.com$`)":                                    {"*.foo.com/ Prefix"},
		`req_path_in("/a|/b c", false)`:                                                   {"/a Exact", "/b c Exact"},
		`req_path_in("/a%20b", false)`:                                                    {"/a%2520b Exact"},
		`req_path_prefix_in("/a", false)`:                                                 {"/a TextPrefix"},
		`req_path_element_prefix_in("/a", false)`:                                         {"/a Prefix"},
		`req_path_element_prefix_in("/a.b", true)`:                                        {`/(?i:a\.b)(?:/|$) Regex`},
		`req_path_in("/中", true)`:                                                         {`/(?i:%E4%B8%AD)$ Regex`},
		`req_path_in("/a", true)`:                                                         {`/(?i:a)$ Regex`},
		`req_host_in("a") && req_path_in("/b", false)`:                                    {"a/b Exact"},
		`req_host_in("a") || req_path_in("/b", false)`:                                    {"a/ Prefix", "/b Exact"},
		`!!default_t()`:                                                                   {"/ Prefix"},
		`!(!req_host_in("a") || !req_host_in("a"))`:                                       {"a/ Prefix"},
		`(req_host_in("a|b")) && (req_host_in("b|c"))`:                                    {"b/ Prefix"},
		"req_host_in(`a`)\n&&\tdefault_t( )":                                              {"a/ Prefix"},
		`req_host_in("a.x.com") && req_host_in("b")`:                                      nil, // no request
		`!default_t()`:                                                                    nil,
		`req_path_in("/a", false) && req_path_element_prefix_in("/", false)`:              {"/a Exact"},
		`req_path_prefix_in("/a/b", false) && req_path_element_prefix_in("/a", false)`:    {"/a/b TextPrefix"},
		"req_host_in(\"b.x.com\") && req_host_regmatch(`(?i)^[^.]+\\.x\\.com$`)":          {"b.x.com/ Prefix"},
		"req_host_in(\"a.b.x.com\") && req_host_regmatch(`(?i)^[^.]+\\.x\\.com$`)":        nil,
		`req_path_element_prefix_in("/a", true) && req_path_element_prefix_in("/", true)`: {`/(?i:a)(?:/|$) Regex`},
	} {
		t.Run(cond, func(t *testing.T) {
			entries, problems := bfe.Read([]byte(file(rule(cond))), nil)
			var got []string
			for i, e := range entries {
				got = append(got, e.Pattern.String())
				assert.Equal(t, i, e.Source.Path)
			}
			assert.Equal(t, want, got)
			if want == nil {
				assert.Equal(t, []string{"warning bfe-never"}, codes(problems))
			} else {
				assert.Empty(t, problems)
			}
		})
	}
}

func TestReadHostSuffix(t *testing.T) {
	for suffix, want := range map[string][]string{".foo.com": {"*.foo.com"}, "Foo.com": {"foo.com", "*.foo.com"}} {
		data := file(rule(`req_host_suffix_in("` + suffix + `")`))
		entries, problems := bfe.Read([]byte(data), nil)
		var got []string
		for _, e := range entries {
			got = append(got, e.Pattern.Host)
		}
		assert.Equal(t, want, got)
		require.Len(t, problems, 1)
		at(t, data, problems[0], "warning bfe-host-suffix", suffix)

		_, problems = bfe.Read([]byte(data), &bfe.ReadOptions{Table: &route.Options{AnyDepthWildcard: true}})
		assert.Equal(t, suffix[0] == '.', len(problems) == 0)
	}
}

// Faults, each at its place: <<…>> marks the text that is pointed at, and is
// not part of the data. No rule of theirs is read.
func TestReadFaults(t *testing.T) {
	set := `{"Cmd": "PATH_SET", "Params": ["/a"]}`
	ok := func(actions string) string {
		return `{"Version": "1", "Config": {"default": [{"Cond": "default_t()", "Actions": [` + actions + `], "Last": true}]}}`
	}
	cond := func(text string) string {
		return `{"Version": "1", "Config": {"default": [{"Cond": "` + text + `", "Actions": [], "Last": true}]}}`
	}
	for name, c := range map[string]struct{ data, code string }{
		"empty":                   {`<<>>`, "bfe-syntax"},
		"no JSON":                 {`{"Version": "1", <<}>>`, "bfe-syntax"},
		"short":                   {`{"Version": "1"<<>>`, "bfe-syntax"},
		"behind the value":        {ok(set) + `<<x>>`, "bfe-syntax"},
		"no UTF-8":                {"{\"Version\": \"<<\xff>>\"}", "bfe-syntax"},
		"half a pair":             {`{"Version": <<"\ud800">>, "Config": {}}`, "bfe-syntax"},
		"deep":                    {strings.Repeat("[", 16) + "<<[>>" + strings.Repeat("]", 17), "bfe-syntax"},
		"list":                    {`<<[]>>`, "bfe-syntax"},
		"no Version":              {`<<{"Config": {}}>>`, "bfe-syntax"},
		"Version":                 {`{"Version": <<1>>, "Config": {}}`, "bfe-syntax"},
		"no Config":               {`<<{"Version": "1"}>>`, "bfe-syntax"},
		"twice":                   {`{"Version": "1", "Config": {}, <<"Config">>: {}}`, "bfe-syntax"},
		"twice, letter case":      {`{"Version": "1", "Config": {}, <<"config">>: {}}`, "bfe-syntax"},
		"null list":               {`{"Version": "1", "Config": {"default": <<null>>}}`, "bfe-syntax"},
		"rule":                    {`{"Version": "1", "Config": {"default": [<<null>>]}}`, "bfe-syntax"},
		"no Cond":                 {`{"Version": "1", "Config": {"default": [<<{"Actions": [], "Last": true}>>]}}`, "bfe-syntax"},
		"no Actions":              {`{"Version": "1", "Config": {"default": [<<{"Cond": "default_t()", "Last": true}>>]}}`, "bfe-syntax"},
		"null Actions":            {`{"Version": "1", "Config": {"default": [{"Cond": "default_t()", "Actions": <<null>>, "Last": true}]}}`, "bfe-syntax"},
		"no Last":                 {`{"Version": "1", "Config": {"default": [<<{"Cond": "default_t()", "Actions": []}>>]}}`, "bfe-syntax"},
		"no Cmd":                  {ok(`<<{"Params": []}>>`), "bfe-syntax"},
		"Params":                  {ok(`{"Cmd": "PATH_SET", "Params": <<"/a">>}`), "bfe-syntax"},
		"other module's":          {ok(`{"Cmd": <<"CLOSE">>, "Params": []}`), "bfe-action"},
		"pass":                    {ok(`{"Cmd": <<"Pass">>, "Params": []}`), "bfe-action"},
		"strip":                   {ok(`{"Cmd": <<"PATH_STRIP">>, "Params": ["1"]}`), "bfe-action"},
		"suffix":                  {ok(`{"Cmd": <<"HOST_SUFFIX_REPLACE">>, "Params": [".com", ".net"]}`), "bfe-action"},
		"nil parameters":          {ok(`<<{"Cmd": "HOST_SET"}>>`), "bfe-param"},
		"no parameters":           {ok(`{"Cmd": "HOST_SET", "Params": <<[]>>}`), "bfe-param"},
		"two parameters":          {ok(`{"Cmd": "HOST_SET", "Params": <<["a", "b"]>>}`), "bfe-param"},
		"host from path, true":    {ok(`{"Cmd": "HOST_SET_FROM_PATH_PREFIX", "Params": <<["true"]>>}`), "bfe-param"},
		"four parameters":         {ok(`{"Cmd": "QUERY_ADD", "Params": <<["a", "1", "b", "2"]>>}`), "bfe-param"},
		"one parameter":           {ok(`{"Cmd": "QUERY_RENAME", "Params": <<["a"]>>}`), "bfe-param"},
		"empty host":              {ok(`{"Cmd": "HOST_SET", "Params": [<<"">>]}`), "bfe-param"},
		"empty trim":              {ok(`{"Cmd": "PATH_PREFIX_TRIM", "Params": [<<"">>]}`), "bfe-param"},
		"empty value":             {ok(`{"Cmd": "QUERY_ADD", "Params": ["a", <<"">>]}`), "bfe-param"},
		"empty name":              {ok(`{"Cmd": "QUERY_DEL", "Params": ["a", <<"">>]}`), "bfe-param"},
		"number":                  {ok(`{"Cmd": "QUERY_DEL", "Params": [<<1>>]}`), "bfe-param"},
		"two pairs":               {ok(`{"Cmd": "QUERY_ADD", "Params": ["a", <<"b&c=d">>]}`), "bfe-param"},
		"empty segment":           {ok(`{"Cmd": "PATH_PREFIX_ADD", "Params": [<<"//">>]}`), "bfe-param"},
		"name of a pair":          {ok(`{"Cmd": "QUERY_ADD", "Params": ["a<<=>>b", "c"]}`), "bfe-param"},
		"new name of a pair":      {ok(`{"Cmd": "QUERY_RENAME", "Params": ["a", "b<<=>>c"]}`), "bfe-param"},
		"does not compile":        {ok(`<<{"Cmd": "PATH_SET", "Params": ["/a/../b"]}>>`), "bfe-action"},
		"host from path":          {ok(`<<{"Cmd": "HOST_SET_FROM_PATH_PREFIX", "Params": []}>>`), "bfe-action"},
		"too many":                {ok(strings.Repeat(set+", ", 64) + "<<" + set + ">>"), "bfe-action"},
		"condition, empty":        {cond(`<<>>`), "bfe-syntax"},
		"condition, word":         {cond(`default_t<<>>`), "bfe-syntax"},
		"condition, open":         {cond(`(default_t()<<>>`), "bfe-syntax"},
		"condition, behind":       {cond(`default_t() <<default_t()>>`), "bfe-syntax"},
		"condition, operator":     {cond(`default_t() &&<<>>`), "bfe-syntax"},
		"condition, one operator": {cond(`default_t() <<& default_t()>>`), "bfe-syntax"},
		"condition, string":       {cond(`req_host_in(\"a<<>>`), "bfe-syntax"},
		"condition, comma":        {cond(`req_path_in(\"/a\" <<false>>)`), "bfe-syntax"},
		"condition, argument":     {cond(`req_path_in(<<,>> false)`), "bfe-syntax"},
		"condition, parentheses":  {cond(strings.Repeat("(", 64) + `<<(>>`), "bfe-syntax"},
		"condition, escapes":      {cond(`req_host_in(\"\u00e9\ud83d\ude00\") && <<nothing>>()`), "bfe-cond"},
		"condition, primitive":    {cond(`default_t() && <<req_method_in>>(\"GET\")`), "bfe-cond"},
		"condition, arguments":    {cond(`<<req_path_in>>(\"/a\")`), "bfe-cond"},
		"condition, no string":    {cond(`req_host_in(<<true>>)`), "bfe-cond"},
		"condition, no bool":      {cond(`req_path_in(\"/a\", \"<<true\">>)`), "bfe-cond"},
		"condition, not":          {cond(`!<<req_host_in>>(\"a.com\")`), "bfe-cond"},
		"condition, not path":     {cond(`!(default_t() && <<req_path_in>>(\"/a\", false))`), "bfe-cond"},
		"condition, port":         {cond(`req_host_in(\"a.com|<<b.com:80>>\")`), "bfe-cond"},
		"condition, regmatch":     {cond(`req_host_regmatch(\"<<foo>>\")`), "bfe-cond"},
		"condition, controller's": {cond("req_host_regmatch(`<<(?i)^[^\\\\.]+foo\\\\.com>>`)"), "bfe-cond"},
		"condition, path":         {cond(`req_path_in(\"/a|<<b>>\", false)`), "bfe-cond"},
		"condition, expression":   {cond(`req_header_value_regmatch(\"X\", \"<<(>>\")`), "bfe-cond"},
		"condition, letter case":  {cond(`req_path_in(\"/a|/b<<É>>\", true)`), "bfe-cond"},
		"condition, two paths":    {cond(`req_path_in(\"/a\", true) && <<req_path_in>>(\"/b\", true)`), "bfe-cond"},
		"condition, table":        {cond(`<<req_host_in(\"-\")>>`), "bfe-cond"},
		"condition, too many":     {cond(strings.TrimSuffix(strings.Repeat(`(req_header_key_in(\"a\") || req_header_key_in(\"b\")) && `, 20), " && ")), "bfe-cond"},
	} {
		t.Run(name, func(t *testing.T) {
			before, rest, marked := strings.Cut(c.data, "<<")
			text, after, _ := strings.Cut(rest, ">>")
			data := before + text + after
			entries, problems := bfe.Read([]byte(data), nil)
			assert.Empty(t, entries)
			require.Len(t, problems, 1, "%v", problems)
			p := problems[0]
			assert.Equal(t, c.code, string(p.Code), p.Detail)
			assert.Equal(t, ingress.Error, p.Severity)
			assert.NotEmpty(t, p.Detail)
			want := len(before)
			if strings.HasPrefix(name, "condition, table") {
				want-- // the quote before it
			}
			if marked {
				assert.Equal(t, want, p.Origin.Offset, p.Detail)
			}
		})
	}
}

// What is read, and said to be another thing.
func TestReadWarnings(t *testing.T) {
	set := `{"Cmd": "path_set", "params": ["/a"]}`
	for name, c := range map[string]struct {
		data, code, text string
		entries          int
	}{
		"unknown field":   {`{"Version": "1", "Config": {}, "Comment": "x"}`, "warning bfe-syntax", `"Comment"`, 0},
		"section":         {`{"Version": "1", "Config": {"tenant": []}}`, "warning bfe-hook", `"tenant"`, 0},
		"glues":           {file(rule("default_t()", `{"Cmd": "PATH_PREFIX_ADD", "Params": ["/a"]}`)), "warning bfe-add-glues", `"]}`, 1},
		"trims nothing":   {file(rule("default_t()", `{"Cmd": "PATH_PREFIX_TRIM", "Params": ["a"]}`)), "warning bfe-param", `"a"`, 1},
		"renames, escape": {file(rule("default_t()", `{"Cmd": "QUERY_RENAME", "Params": ["%61", "c"]}`)), "warning bfe-param", `"%61"`, 1},
		"renames, space":  {file(rule("default_t()", `{"Cmd": "QUERY_RENAME", "Params": ["a+b", "c"]}`)), "warning bfe-param", `"a+b"`, 1},
		"renames, equals": {file(rule("default_t()", `{"Cmd": "QUERY_RENAME", "Params": ["a=b", "c"]}`)), "warning bfe-param", `"a=b"`, 1},
		"not the last":    {file(`{"cond": "default_t()", "actions": [`+set+`], "last": false}`, rule("default_t()")), "warning bfe-last", "false", 2},
		"order":           {file(rule("default_t()", set), rule(`req_host_in("a")`, set)), "warning bfe-order", `"req_host`, 2},
		"order, path":     {file(rule(`req_path_element_prefix_in("/a", false)`, set), rule(`req_path_in("/a/b", false)`, set)), "warning bfe-order", `"req_path_in`, 2},
		"order, below":    {file(rule(`req_path_in("/a/b/c", false)`, set), rule(`req_host_in("h") && req_path_element_prefix_in("/a", false)`, set)), "warning bfe-order", `"req_host_in`, 2},
		"order, wildcard": {file(rule("req_host_regmatch(`(?i)^[^.]+\\.com$`)", set), rule(`req_host_in("a.com")`, set)), "warning bfe-order", `"req_host_in`, 2},
		"order, headers":  {file(rule(`req_host_in("a")`, set), rule(`req_host_in("a") && req_header_value_in("X", "1", false)`, set)), "warning bfe-order", `"req_host_in(\"a\") && `, 2},
	} {
		t.Run(name, func(t *testing.T) {
			entries, problems := bfe.Read([]byte(c.data), nil)
			assert.Len(t, entries, c.entries)
			require.Len(t, problems, 1, "%v", problems)
			at(t, c.data, problems[0], c.code, c.text)
		})
	}
	for name, data := range map[string]string{
		"last is the last": file(rule(`req_host_in("a")`, set), `{"Cond": "default_t()", "Actions": [], "Last": false}`),
		"in order":         file(rule(`req_host_in("a") && req_path_in("/a", false)`), rule(`req_host_in("a")`), rule(`req_host_in("b") && req_path_in("/a", false)`), rule("default_t()")),
		"equals in value":  file(rule("default_t()", `{"Cmd": "QUERY_ADD", "Params": ["a", "b=c"]}`)),
		"nothing to do":    file(rule("default_t()", `{"Cmd": "QUERY_DEL", "Params": []}`, `{"Cmd": "QUERY_DEL", "Params": null}`)),
	} {
		_, problems := bfe.Read([]byte(data), nil)
		assert.Empty(t, problems, name)
	}
}

// One rule with a fault does not hide the others.
func TestReadRest(t *testing.T) {
	set := `{"Cmd": "PATH_SET", "Params": ["/a"]}`
	bad := `{"Cmd": "CLOSE", "Params": []}`
	entries, problems := bfe.Read([]byte(file(rule(`req_host_in("a")`, set), rule(`req_host_in("b")`, set, bad), rule("x", bad), rule(`req_host_in("c")`, set))), nil)
	assert.Len(t, entries, 2)
	assert.Equal(t, []string{"error bfe-action", "error bfe-action", "error bfe-syntax"}, codes(problems))
	assert.Equal(t, []int{1, 2, 2}, []int{problems[0].Source.Rule, problems[1].Source.Rule, problems[2].Source.Rule})
}

// Sections of two hooks make one entry of what is for the same requests.
func TestReadSections(t *testing.T) {
	sections := map[rewrite.Hook]string{rewrite.BeforeLocation: "before", rewrite.AfterLocation: "default"}
	e := entry("a.com", "/x", route.Prefix, rewrite.SetPath("/y"))
	e.Rules = append([]rewrite.Rule{{Hook: rewrite.BeforeLocation, Action: rewrite.AddPathPrefix("/b")}}, e.Rules...)
	other := entry("b.com", "/", route.Prefix, rewrite.SetPath("/z"))
	data, problems := bfe.Write([]ingress.Entry{e, other}, &bfe.WriteOptions{Sections: sections})
	require.Empty(t, problems)
	got, problems := bfe.Read(data, &bfe.ReadOptions{Sections: sections})
	require.Empty(t, problems)
	require.Len(t, got, 2)
	want, err := rewrite.Compile(e.Rules, nil)
	require.NoError(t, err)
	program, err := rewrite.Compile(got[0].Rules, nil)
	require.NoError(t, err)
	assert.Equal(t, want.String(), program.String())
}

// A section that is left out, and what to do about it.
func TestReadSectionsLeftOut(t *testing.T) {
	sections := map[rewrite.Hook]string{rewrite.AfterLocation: "default", rewrite.Forward: "forward"}
	for name, detail := range map[string]string{
		"forward": "belong to backends",
		"other":   "name it in ReadOptions.Sections, which has default, forward",
	} {
		entries, problems := bfe.Read([]byte(`{"Version": "1", "Config": {"`+name+`": []}}`), &bfe.ReadOptions{Sections: sections})
		assert.Empty(t, entries)
		require.Equal(t, []string{"warning bfe-hook"}, codes(problems), name)
		assert.Contains(t, problems[0].Detail, detail)
	}
}

// Of two rules for the same requests only the first is ever chosen, so it alone
// takes the rules of the other section.
func TestReadSectionsTwice(t *testing.T) {
	set := func(path string) string { return `{"Cmd": "PATH_SET", "Params": ["` + path + `"]}` }
	list := func(a, b string) string {
		return "[" + rule("default_t()", set(a)) + ", " + rule("default_t()", set(b)) + "]"
	}
	data := `{"Version": "1", "Config": {"before": ` + list("/1", "/2") + `, "default": ` + list("/3", "/4") + `}}`
	entries, problems := bfe.Read([]byte(data), &bfe.ReadOptions{Sections: map[rewrite.Hook]string{rewrite.BeforeLocation: "before", rewrite.AfterLocation: "default"}})
	assert.Empty(t, problems)
	var got []string
	for _, e := range entries {
		text := ""
		for _, r := range e.Rules {
			text += r.Hook.String() + " " + r.Action.Args()[0] + " "
		}
		got = append(got, text)
	}
	assert.Equal(t, []string{"BeforeLocation /1 AfterLocation /3 ", "BeforeLocation /2 ", "AfterLocation /4 "}, got)
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/seed-rewrite.data", "testdata/write.golden", "testdata/empty.golden"} {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte(`{"Version": "1", "Config": {"default": [` + rule("default_t()", `{"Cmd": "PATH_SET", "Params": ["/b"]}`) + `], "a": [` + rule(`req_host_suffix_in("a.b")`) + `]}}`))
	f.Add([]byte(file(rule(`!req_header_key_in("a|b")`, `{"Cmd": "RAW_QUERY_DEL", "Params": ["x"]}`))))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, problems := bfe.Read(data, nil)
		_, inTwo := bfe.Read(data, &bfe.ReadOptions{Sections: map[rewrite.Hook]string{rewrite.BeforeLocation: "default", rewrite.AfterLocation: "a"}})
		problems = append(problems, inTwo...)
		for i := range problems {
			o := problems[i].Origin.Offset
			assert.True(t, 0 <= o && o <= len(data), "%v", problems[i].Error())
		}
		_, faults := ingress.Build(entries, nil, func(*ingress.Entry, *ingress.Compiled) (bool, error) { return true, nil })
		for i := range faults {
			assert.Equal(t, ingress.CodeShadowed, faults[i].Code, "%v", faults[i].Error())
		}
		again, _ := bfe.Write(entries, nil)
		_, problems = bfe.Read(again, nil)
		for i := range problems {
			assert.NotEqual(t, bfe.CodeSyntax, problems[i].Code, "%s", again)
		}
	})
}

// Alternatives of hosts and paths are combined as far as time stays linear in
// the condition.
func TestReadCombinations(t *testing.T) {
	list := func(format string, n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(format, i))
		}
		return strings.Join(all, "|")
	}
	cond := func(n int) string {
		return `req_host_in("` + list("h%d.com", n) + `") && req_path_in("` + list("/p%d", n) + `", false)`
	}
	entries, problems := bfe.Read([]byte(file(rule(cond(30)))), nil)
	assert.Empty(t, problems)
	assert.Len(t, entries, 900)

	entries, problems = bfe.Read([]byte(file(rule(cond(300)), rule("default_t()"))), nil)
	assert.Equal(t, []string{"error bfe-cond"}, codes(problems))
	assert.Len(t, entries, 1)
}
