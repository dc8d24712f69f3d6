package route_test

// Conflicts and their witnesses.

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

func TestConflicts(t *testing.T) {
	both := func(a, b route.Pattern, w ...route.Conditions) []route.Route[int] {
		w = append(w, route.Conditions{}, route.Conditions{})
		if len(w) == 3 {
			w[1] = w[0]
		}
		return []route.Route[int]{{Pattern: a, When: w[0]}, {Pattern: b, When: w[1]}}
	}
	p := func(host, path string, t route.PathType) route.Pattern {
		return route.Pattern{Host: host, Path: path, Type: t}
	}
	for _, tt := range []struct {
		name   string
		routes []route.Route[int]
		want   string // the witness; "-": no conflict; "": a conflict without
	}{
		{"the same", both(p("a", "/x", 0), p("a", "/x", 0)), "http://a/x"},
		{"spelling", both(p("A.:80", "/%61%2f/", 0), p("a", "/a%2F", 0)), "http://a/a%2F"},
		{"idna", both(p("bücher.example", "", 0), p("xn--bcher-kva.example", "/", 0)), "http://xn--bcher-kva.example/"},
		{"wildcard", both(p("*.A", "/", 0), p("*.a.", "/", 0)), "http://x.a/"},
		{"any host", both(p("", "/x", 0), p("", "/x", 0)), "/x"},
		{"exact and slash", both(p("a", "/x", route.Exact), p("a", "/x/", route.Exact)), "-"},
		{"types", both(p("a", "/x", route.Prefix), p("a", "/x", route.TextPrefix)), "-"},
		{"hosts", both(p("a", "/x", 0), p("*.a", "/x", 0)), "-"},
		{"letter case", both(p("a", "/x", 0), p("a", "/X", 0)), "-"},
		{"regex", both(p("a", "/v[0-9]+/(b|c)$", route.Regex), p("a", "/v[0-9]+/(b|c)$", route.Regex)), "http://a/v0/b"},
		{"regex, first", both(p("a", "/v[0-9]+", route.RegexFirst), p("a", "/v[0-9]+", route.RegexFirst)), "http://a/v0"},
		{"regex, first and last", both(p("a", "/x", route.RegexFirst), p("a", "/x", route.Regex)), "-"},
		{"regexes that match the same", both(p("a", "", route.RegexFirst), p("a", "/", route.RegexFirst)), "-"},
		{"regex that needs a repetition", both(p("a", `/x*\Bx`, route.Regex), p("a", `/x*\Bx`, route.Regex)), "http://a/xx"},
		{"regex that nothing matches", both(p("a", "/a$b", route.Regex), p("a", "/a$b", route.Regex)), ""},
		{"regex about what no path has", both(p("a", "/é", route.Regex), p("a", "/é", route.Regex)), ""},
		{"empty regex", both(p("a", "", route.Regex), p("a", "", route.Regex)), "http://a/"},
		{"scheme", both(p("a", "/", 0), p("a", "/", 0), route.Conditions{Scheme: "https"}), "https://a/"},
		{"order and repetition", both(p("a", "/", 0), p("a", "/", 0),
			route.Conditions{Methods: []string{"GET", "PUT"}, Headers: []route.Condition{{Name: "x-a", Test: route.Present}, {Name: "b"}}},
			route.Conditions{Methods: []string{"PUT", "GET", "GET"}, Headers: []route.Condition{{Name: "B"}, {Name: "X-A", Test: route.Present}, {Name: "b"}}}), "http://a/"},
		{"query", both(p("a", "/", 0), p("a", "/", 0), route.Conditions{Query: []route.Condition{
			{Name: "a b", Value: "&"}, {Name: "c", Test: route.Matches, Value: "[0-9]{2}"}, {Name: "d", Test: route.Present}, {Name: "e", Test: route.Absent}, {Name: "f", Test: route.BeginsWith, Value: "+"},
		}}), "http://a/?a%20b=%26&c=00&d&f=%2B"},
		{"a query that cannot be", both(p("a", "/", 0), p("a", "/", 0), route.Conditions{Query: []route.Condition{{Name: "a", Value: "1"}, {Name: "a", Value: "2"}}}), ""},
		{"values", both(p("a", "/", 0), p("a", "/", 0), route.Conditions{Query: one("a", route.Equals, "1")}, route.Conditions{Query: one("a", route.Equals, "2")}), "-"},
		{"names of cookies", both(p("a", "/", 0), p("a", "/", 0), route.Conditions{Cookies: one("a", route.Present, "")}, route.Conditions{Cookies: one("A", route.Present, "")}), "-"},
		{"cookies are no headers", both(p("a", "/", 0), p("a", "/", 0), route.Conditions{Cookies: one("A", route.Present, "")}, route.Conditions{Headers: one("A", route.Present, "")}), "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, err := route.NewTable(tt.routes, nil)
			if err != nil {
				t.Fatal(err)
			}
			list := table.Conflicts()
			if tt.want == "-" {
				if len(list) != 0 {
					t.Fatal(list)
				}
				return
			}
			if len(list) != 1 || list[0].Winner != 0 || list[0].Loser != 1 {
				t.Fatalf("%v", list)
			}
			if got := list[0].Witness.String(); got != tt.want {
				t.Errorf("the witness is %q, want %q", got, tt.want)
			}
			if w := list[0].Witness; w != (rewrite.URL{}) {
				clean := w
				if err := (&rewrite.Input{}).Clean(&clean, nil); err != nil || clean != w {
					t.Errorf("%v is not clean: %v", w, err)
				}
			}
		})
	}
}

// The first of many wins against each, and the losers are in order.
func TestManyConflicts(t *testing.T) {
	var routes []route.Route[int]
	for i := range 10 {
		routes = append(routes, route.Route[int]{Pattern: route.Pattern{Path: fmt.Sprintf("/%d", i%3)}, Value: i})
	}
	table, err := route.NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := table.Conflicts()
	if len(list) != 7 {
		t.Fatal(list)
	}
	for i, c := range list {
		if c.Loser != i+3 || c.Winner != c.Loser%3 {
			t.Error(c)
		}
		if v, ok := table.Match(&c.Witness, nil); !ok || v != c.Winner {
			t.Errorf("%v: found %d", c, v)
		}
	}
}
