package route_test

// Explain: each candidate in order, and why it lost.

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

func TestExplain(t *testing.T) {
	x := route.Pattern{Host: "a.example", Path: "/x"}
	routes := []route.Route[int]{
		0:  {Pattern: route.Pattern{Path: "/"}},
		1:  {Pattern: route.Pattern{Host: "*.example", Path: "/x"}},
		2:  {Pattern: route.Pattern{Host: "a.example", Path: "/x", Type: route.Exact}},
		3:  {Pattern: x, When: route.Conditions{Scheme: "https"}},
		4:  {Pattern: x, When: route.Conditions{Methods: []string{"POST"}}},
		5:  {Pattern: x, When: route.Conditions{Headers: []route.Condition{{Name: "A", Test: route.Present}, {Name: "b", Value: "1"}}}},
		6:  {Pattern: x, When: route.Conditions{Cookies: one("c", route.Matches, "1")}},
		7:  {Pattern: x, When: route.Conditions{Query: one("q", route.Present, "")}},
		8:  {Pattern: x},
		9:  {Pattern: x},
		10: {Pattern: route.Pattern{Host: "a.example", Path: "/"}},
		11: {Pattern: route.Pattern{Host: "other", Path: "/x"}},
	}
	u := &rewrite.URL{Scheme: "http", Host: "A.example:80", Path: "/x/y"}
	get := &fakeRequest{"GET", map[string]string{"A": ""}}
	for _, tt := range []struct {
		name string
		opts *route.Options
		r    route.Request
		want string
	}{
		{"best host only", nil, get, `
route 2 a.example/x Exact: path
route 3 a.example/x Prefix: scheme: "http" is not https
route 4 a.example/x Prefix: method: "GET" is none of ["POST"]
route 5 a.example/x Prefix: header: B Equals "1"
route 6 a.example/x Prefix: cookie: c Matches "1"
route 7 a.example/x Prefix: query: q Present
route 8 a.example/x Prefix: chosen
route 9 a.example/x Prefix: conflict: route 8 has the same pattern and conditions
route 10 a.example/ Prefix: rank: route 8 comes before it
route 1 *.example/x Prefix: rank: route 8 comes before it
route 0 / Prefix: rank: route 8 comes before it
`},
		{"no request", nil, nil, `
route 2 a.example/x Exact: path
route 3 a.example/x Prefix: scheme: "http" is not https
route 4 a.example/x Prefix: method: there is no Request
route 5 a.example/x Prefix: header: A Present: there is no Request
route 6 a.example/x Prefix: cookie: c Matches "1": there is no Request
route 7 a.example/x Prefix: query: q Present
route 8 a.example/x Prefix: chosen
route 9 a.example/x Prefix: conflict: route 8 has the same pattern and conditions
route 10 a.example/ Prefix: rank: route 8 comes before it
route 1 *.example/x Prefix: rank: route 8 comes before it
route 0 / Prefix: rank: route 8 comes before it
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, err := route.NewTable(routes, tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			got.WriteByte('\n')
			for c := range table.Explain(u, tt.r) {
				got.WriteString(c.String() + "\n")
			}
			if got.String() != tt.want {
				t.Errorf("got%swant%s", got.String(), tt.want)
			}
			for range table.Explain(u, tt.r) {
				break
			}
		})
	}
}

// A better host that has nothing for a request keeps it, or does not.
func TestExplainHosts(t *testing.T) {
	routes := []route.Route[int]{{Pattern: route.Pattern{Host: "a", Path: "/x"}}, {Value: 1}}
	u := &rewrite.URL{Host: "a", Path: "/y"}
	for next, want := range map[bool]route.Code{false: route.LostHost, true: route.Chosen} {
		table, err := route.NewTable(routes, &route.Options{TryNextHost: next})
		if err != nil {
			t.Fatal(err)
		}
		var codes []route.Code
		for c := range table.Explain(u, nil) {
			codes = append(codes, c.Code)
		}
		if len(codes) != 2 || codes[0] != route.LostPath || codes[1] != want {
			t.Errorf("TryNextHost %v: %v", next, codes)
		}
	}
}
