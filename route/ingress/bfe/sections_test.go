package bfe

// Two sections: what BFE makes of a request, and what the entries that are read
// without a problem make of it.

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

var twoSections = map[rewrite.Hook]string{rewrite.BeforeLocation: "before", rewrite.AfterLocation: "default"}

// A sectionRule is a rule of generated data.
type sectionRule struct{ cond, cmd, params string }

func sectionData(before, after []sectionRule) string {
	list := func(rules []sectionRule) string {
		var out []string
		for _, r := range rules {
			actions := ""
			if r.cmd != "" {
				actions = fmt.Sprintf(`{"Cmd": %q, "Params": [%s]}`, r.cmd, r.params)
			}
			out = append(out, fmt.Sprintf(`{"Cond": %q, "Actions": [%s], "Last": true}`, r.cond, actions))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	return `{"Version": "1", "Config": {"before": ` + list(before) + `, "default": ` + list(after) + `}}`
}

func add(cond, value string) sectionRule {
	return sectionRule{cond, "QUERY_ADD", `"k", "` + value + `"`}
}

// bfeRun is what BFE makes of a request: in each section the first rule that
// matches runs.
func bfeRun(t *testing.T, r requestCase, sections ...[]sectionRule) (host, path, query string) {
	for _, rules := range sections {
		for _, rule := range rules {
			x, fault := parseCond(rule.cond)
			require.Nil(t, fault)
			if !evaluate(x, r) {
				continue
			}
			param := strings.Trim(rule.params, `"`)
			switch rule.cmd {
			case "QUERY_ADD":
				query = strings.TrimPrefix(query+"&k="+strings.TrimPrefix(param, `k", "`), "&")
			case "PATH_SET":
				r.path = param
			case "HOST_SET":
				r.host = param
			}
			break
		}
	}
	return r.host, r.path, query
}

// entriesRun is what entries make of a request.
func entriesRun(t *testing.T, r requestCase, table *route.Table[*rewrite.Program]) (host, path, query string) {
	u := rewrite.URL{Scheme: "http", Host: r.host, Path: r.path}
	for _, hook := range []rewrite.Hook{rewrite.BeforeLocation, rewrite.AfterLocation} {
		if program, ok := table.Match(&u, r); ok {
			_, err := program.Apply(hook, &u, nil)
			require.NoError(t, err)
		}
	}
	return u.Host, u.Path, u.RawQuery
}

// What is read of two sections without a problem does what BFE does.
func TestSectionsAgainstEvaluation(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	conds := []string{
		`default_t()`, `req_host_in("a.com")`, `req_host_in("x.a.com")`, "req_host_regmatch(`(?i)^[^.]+\\.a\\.com$`)",
		`req_path_element_prefix_in("/foo", false)`, `req_path_element_prefix_in("/foo/bar", false)`, `req_path_in("/foo", false)`, `req_path_in("/", false)`,
		`req_host_in("a.com") && req_path_element_prefix_in("/foo", false)`, `req_host_in("a.com|b.com") && req_path_in("/foo/bar", false)`,
		`req_header_value_in("X", "v", false)`, `req_header_value_in("Y", "v", false) && req_path_element_prefix_in("/foo", false)`,
		`req_path_prefix_in("/foo", false)`,
	}
	silent, both := 0, 0
	for range 8000 {
		list := func(section string) (rules []sectionRule) {
			for i := range 1 + rng.IntN(2) {
				rule := add(conds[rng.IntN(len(conds))], section+strconv.Itoa(i))
				switch rng.IntN(6) {
				case 0:
					rule.cmd, rule.params = "PATH_SET", `"`+[]string{"/foo", "/foo/bar", "/new"}[rng.IntN(3)]+`"`
				case 1:
					rule.cmd, rule.params = "HOST_SET", `"b.com"`
				case 2:
					rule.cmd = ""
				}
				rules = append(rules, rule)
			}
			return rules
		}
		before, after := list("b"), list("d")
		entries, problems := Read([]byte(sectionData(before, after)), &ReadOptions{Sections: twoSections})
		if len(problems) > 0 {
			continue
		}
		silent++
		table, problems := ingress.Build(entries, &ingress.Cluster{Table: &route.Options{TryNextHost: true}}, func(_ *ingress.Entry, c *ingress.Compiled) (*rewrite.Program, error) {
			return c.Program, nil
		})
		for _, p := range problems {
			require.Equal(t, ingress.CodeShadowed, p.Code)
		}
		for range 20 {
			r := someRequest(rng)
			host, path, query := bfeRun(t, r, before, after)
			gotHost, gotPath, gotQuery := entriesRun(t, r, table)
			if strings.Contains(query, "&") {
				both++
			}
			if !assert.Equal(t, []string{host, path, query}, []string{gotHost, gotPath, gotQuery}, "%+v\n%s", r, sectionData(before, after)) {
				return
			}
		}
	}
	assert.Greater(t, silent, 300)
	assert.Greater(t, both, 500)
}

func TestSectionsLost(t *testing.T) {
	const all, host, a, ab = `default_t()`, `req_host_in("a.com")`, `req_path_element_prefix_in("/a", false)`, `req_path_element_prefix_in("/a/b", false)`
	none := sectionRule{cond: ab}
	for name, c := range map[string]struct {
		before, after []sectionRule
		at            string // the section of the rule with the problem, and its index
	}{
		"after is narrower":      {[]sectionRule{add(a, "1")}, []sectionRule{add(ab, "2")}, "default 0"},
		"before is narrower":     {[]sectionRule{add(ab, "1")}, []sectionRule{add(a, "2")}, "before 0"},
		"host after all":         {[]sectionRule{add(all, "1")}, []sectionRule{add(host, "2")}, "default 0"},
		"all after host":         {[]sectionRule{add(host, "1")}, []sectionRule{add(all, "2")}, "before 0"},
		"host and path":          {[]sectionRule{add(host, "1")}, []sectionRule{add(a, "2")}, "before 0"},
		"other headers":          {[]sectionRule{add(`req_header_value_in("X", "1", false)`, "1")}, []sectionRule{add(`req_header_value_in("Y", "1", false)`, "2")}, "before 0"},
		"nothing is lost":        {[]sectionRule{none, add(a, "1")}, []sectionRule{add(a, "2")}, "before 0"},
		"the same":               {[]sectionRule{add(ab, "1"), add(a, "2")}, []sectionRule{add(ab, "3"), add(a, "4")}, ""},
		"the narrower in both":   {[]sectionRule{add(ab, "1"), add(a, "2")}, []sectionRule{add(ab, "3")}, ""},
		"the wider does nothing": {[]sectionRule{{cond: a}}, []sectionRule{add(ab, "3")}, ""},
		"other paths":            {[]sectionRule{add(a, "1")}, []sectionRule{add(`req_path_element_prefix_in("/ab", false)`, "2")}, ""},
		"below an exact one":     {[]sectionRule{add(`req_path_in("/a", false)`, "1")}, []sectionRule{add(host+" && "+ab, "2")}, ""},
		"other hosts":            {[]sectionRule{add(host, "1")}, []sectionRule{add(`req_host_in("b.com")`, "2")}, ""},
		"path is left":           {[]sectionRule{{a, "PATH_SET", `"/new"`}}, []sectionRule{add(all, "2")}, ""},
		"host is left":           {[]sectionRule{{host, "HOST_SET", `"b.com"`}}, []sectionRule{add(all, "2")}, ""},
		"path is not left":       {[]sectionRule{{a, "PATH_SET", `"/a/b"`}}, []sectionRule{add(all, "2")}, "before 0"},
	} {
		t.Run(name, func(t *testing.T) {
			data := sectionData(c.before, c.after)
			_, problems := Read([]byte(data), &ReadOptions{Sections: twoSections})
			if c.at == "" {
				assert.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			p := problems[0]
			assert.Equal(t, ingress.Warning, p.Severity)
			assert.Equal(t, CodeOrder, p.Code)
			assert.Equal(t, c.at, fmt.Sprintf("%s %d", p.Source.Name, p.Source.Rule))
			cond := c.before[0].cond
			if p.Source.Name == "default" {
				cond = c.after[0].cond
			}
			assert.True(t, strings.HasPrefix(data[p.Origin.Offset:], strconv.Quote(cond)))
		})
	}
}

// "*." of a table with AnyDepthWildcard overlaps with names of any depth.
func TestSectionsAnyDepth(t *testing.T) {
	data := sectionData([]sectionRule{add(`req_host_suffix_in(".a.com")`, "1")}, []sectionRule{add(`req_host_in("y.x.a.com")`, "2")})
	_, problems := Read([]byte(data), &ReadOptions{Sections: twoSections, Table: &route.Options{AnyDepthWildcard: true}})
	require.Len(t, problems, 1)
	assert.Equal(t, CodeOrder, problems[0].Code)
}

// A section is for one hook: the first that is named, as Write has it.
func TestSectionForTwoHooks(t *testing.T) {
	const data = `{"Version": "1", "Config": {"x": [{"Cond": "default_t()", "Actions": [{"Cmd": "PATH_SET", "Params": ["/a"]}], "Last": true}]}}`
	entries, problems := Read([]byte(data), &ReadOptions{Sections: map[rewrite.Hook]string{rewrite.BeforeLocation: "x", rewrite.AfterLocation: "x"}})
	require.Len(t, problems, 1)
	assert.Equal(t, ingress.Error, problems[0].Severity)
	assert.Equal(t, CodeHook, problems[0].Code)
	assert.Contains(t, problems[0].Detail, `section "x" is for two hooks`)
	require.Len(t, entries, 1)
	assert.Equal(t, rewrite.BeforeLocation, entries[0].Rules[0].Hook)
}

func TestWiderHosts(t *testing.T) {
	for host, want := range map[string][2]string{
		"":          {"", ""},
		"com":       {"com ", "com "},
		"a.com":     {"a.com *.com ", "a.com *.com "},
		"x.a.com":   {"x.a.com *.a.com ", "x.a.com *.a.com *.com "},
		"*.com":     {"*.com ", "*.com "},
		"*.x.a.com": {"*.x.a.com ", "*.x.a.com *.a.com *.com "},
		"*.":        {"*. ", "*. "},
		"a..":       {"a.. *.. ", "a.. *.. *. "},
		"y.x.a.com": {"y.x.a.com *.x.a.com ", "y.x.a.com *.x.a.com *.a.com *.com "},
	} {
		for i, anyDepth := range []bool{false, true} {
			assert.Equal(t, want[i], strings.Join(widerHosts(host, anyDepth), " "), "%q", host)
		}
	}
}
