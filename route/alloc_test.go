package route_test

// The allocation gates: no lookup allocates.

import (
	"runtime/debug"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// underRace reports whether the race detector is on: sync.Pool, which package
// regexp uses, then drops at random what it is given.
func underRace(t *testing.T) bool {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("no build information")
	}
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}

// tenConditional are ten routes of one pattern, each with conditions, of all
// kinds, and one without.
func tenConditional() (list []route.Route[int]) {
	header := func(test route.Test, value string) []route.Condition {
		return []route.Condition{{Name: "X-Canary", Test: test, Value: value}}
	}
	for _, w := range []route.Conditions{
		{Scheme: "https", Methods: []string{"POST"}},
		{Methods: []string{"PUT", "DELETE"}},
		{Headers: header(route.Equals, "never")},
		{Headers: header(route.BeginsWith, "team-")},
		{Headers: header(route.Matches, "[0-9]+")},
		{Cookies: []route.Condition{{Name: "session", Test: route.Equals, Value: "blue"}}},
		{Cookies: []route.Condition{{Name: "beta", Test: route.Present}}},
		{Query: []route.Condition{{Name: "version", Test: route.Equals, Value: "2"}}},
		{Query: []route.Condition{{Name: "version", Test: route.Matches, Value: "v 3"}}},
		{Query: []route.Condition{{Name: "debug", Test: route.Absent}}},
		{},
	} {
		list = append(list, route.Route[int]{Pattern: route.Pattern{Host: "example.com", Path: "/api"}, When: w, Value: len(list)})
	}
	return list
}

func conditionalURL(query string) *rewrite.URL {
	return &rewrite.URL{Scheme: "http", Host: "example.com", Path: "/api/users", RawQuery: query}
}

func TestAllocs(t *testing.T) {
	if underRace(t) {
		t.Skip("the pools of regular expressions lose memory under the race detector")
	}
	routes := tenConditional()
	for _, p := range []route.Pattern{
		{Host: "*.example.com", Path: "/"},
		{Host: "b.example.com", Path: "/a(b|c)", Type: route.Regex},
		{Host: "c.example.com", Path: "/a(b|c)", Type: route.RegexFirst},
		{Host: "c.example.com", Path: "/"},
		{Host: "d.example.com", Path: "/.*", Type: route.Regex},
		{Host: "api.example.com", Path: "/v[0-9]", Type: route.RegexFirst},
		{Host: "", Path: "/a%2Fb", Type: route.Exact},
		{Host: "[2001:db8:1234:5678:1234:5678:1234:5678]"},
	} {
		routes = append(routes, route.Route[int]{Pattern: p, Value: len(routes)})
	}
	for _, p := range oneHost(200) {
		routes = append(routes, route.Route[int]{Pattern: p, Value: len(routes)})
	}
	table, err := route.NewTable(routes, &route.Options{TryNextHost: true, AnyDepthWildcard: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]lookup{
		"plain":             {"example.com", "/api/users"},
		"port, case, dot":   {"EXAMPLE.com.:8080", "/api/users"},
		"deep wildcard":     {"x.y.z.example.com", "/"},
		"IPv6":              {"[2001:DB8:1234:5678:1234:5678:1234:5678]:8080", "/"},
		"IPv6, not cleaned": {"[2001:db8::1%25eth0]", "/a%2Fb"},
		"escapes":           {"other", "/%61%2fb"},
		"regex":             {"b.example.com", "/ab"},
		"regex, normalised": {"b.example.com", "/%61b"},
		"first":             {"c.example.com", "/ab"},
		"first, normalised": {"c.example.com", "/%61b"},
		"first, no match":   {"c.example.com", "/b"},
		"every path":        {"d.example.com", "/%61b"},
		"large, first":      {"api.example.com", "/v1"},
		"large":             {"api.example.com", "/group3/item00003/x"},
		"large, escapes":    {"api.example.com", "/group3/item0000%33/x"},
	} {
		if _, ok := table.Lookup(l.host, l.path); !ok {
			t.Errorf("%s: nothing found", name)
		}
		if got := testing.AllocsPerRun(100, func() { table.Lookup(l.host, l.path) }); got != 0 {
			t.Errorf("%s: Lookup makes %v allocations", name, got)
		}
	}
	var r route.Request = &fakeRequest{"GET", map[string]string{"X-Canary": "always", "Cookie": "a=b; session=green"}}
	for name, u := range map[string]*rewrite.URL{
		"the last":         conditionalURL("debug=1&version=1"),
		"decoded values":   conditionalURL("debug&version=v+%33"),
		"a query, escaped": conditionalURL("%64ebug&version=%32"),
	} {
		if _, ok := table.Match(u, r); !ok {
			t.Errorf("%s: nothing found", name)
		}
		if got := testing.AllocsPerRun(100, func() { table.Match(u, r) }); got != 0 {
			t.Errorf("%s: Match makes %v allocations", name, got)
		}
	}
	got := testing.AllocsPerRun(100, func() {
		u := rewrite.URL{Host: "x.example.com", Path: "/"} // must not be moved to the heap
		table.Match(&u, r)
	})
	if got != 0 {
		t.Errorf("Match makes %v allocations of a local URL", got)
	}
	trim := rewrite.MustCompile([]rewrite.Rule{{Hook: rewrite.BeforeLocation, Action: rewrite.TrimPathPrefix("/api")}}, nil)
	before := func(int) *rewrite.Program { return trim }
	got = testing.AllocsPerRun(100, func() {
		u := rewrite.URL{Scheme: "http", Host: "x.example.com", Path: "/api/users"}
		if _, res, err := table.Route(&u, r, before, nil); err != nil || res.Changed() == 0 {
			t.Error(res, err)
		}
	})
	if got != 0 {
		t.Errorf("Route makes %v allocations", got)
	}
}

// BenchmarkMatch is Match on a pattern with ten conditional routes, of which
// none holds but the last.
func BenchmarkMatch(b *testing.B) {
	table, err := route.NewTable(tenConditional(), nil)
	if err != nil {
		b.Fatal(err)
	}
	u := conditionalURL("debug=1&version=1")
	var r route.Request = &fakeRequest{"GET", map[string]string{"X-Canary": "always", "Cookie": "a=b; session=green"}}
	b.ReportAllocs()
	for b.Loop() {
		if v, ok := table.Match(u, r); !ok || v != 10 {
			b.Fatal(v, ok)
		}
	}
}
