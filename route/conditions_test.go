package route_test

// Conditions: whether each kind holds, and which route is first.

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

func one(name string, test route.Test, value string) []route.Condition {
	return []route.Condition{{Name: name, Test: test, Value: value}}
}

func TestOneCondition(t *testing.T) {
	request := func(method string, headers ...string) route.Request {
		r := &fakeRequest{method, map[string]string{}}
		for i := 0; i < len(headers); i += 2 {
			r.headers[headers[i]] = headers[i+1]
		}
		return r
	}
	cookie := func(value string) route.Request { return request("GET", "Cookie", value) }
	type in struct {
		url string
		r   route.Request
	}
	const host = "http://h/"
	for _, tt := range []struct {
		name         string
		when         route.Conditions
		holds, fails []in
	}{
		{"scheme", route.Conditions{Scheme: "https"},
			[]in{{"https://h/", nil}},
			[]in{{host, nil}, {"/", nil}}},
		{"methods", route.Conditions{Methods: []string{"GET", "HEAD"}},
			[]in{{host, request("GET")}, {host, request("HEAD")}},
			[]in{{host, request("POST")}, {host, request("get")}, {host, nil}}},
		{"header equals", route.Conditions{Headers: one("x-canary", route.Equals, "1")},
			[]in{{host, request("GET", "X-Canary", "1")}},
			[]in{{host, request("GET", "X-Canary", "11")}, {host, request("GET")}, {host, nil}}},
		{"header begins", route.Conditions{Headers: one("X-CANARY", route.BeginsWith, "te")},
			[]in{{host, request("GET", "X-Canary", "test")}},
			[]in{{host, request("GET", "X-Canary", "attest")}}},
		{"header matches as a whole", route.Conditions{Headers: one("X-Canary", route.Matches, "a|b+")},
			[]in{{host, request("GET", "X-Canary", "a")}, {host, request("GET", "X-Canary", "bbb")}},
			[]in{{host, request("GET", "X-Canary", "ab")}, {host, request("GET", "X-Canary", "a\n")}, {host, request("GET", "X-Canary", "")}}},
		{"header present", route.Conditions{Headers: one("X-Canary", route.Present, "")},
			[]in{{host, request("GET", "X-Canary", "")}},
			[]in{{host, request("GET")}, {host, nil}}},
		{"header absent", route.Conditions{Headers: one("X-Canary", route.Absent, "")},
			[]in{{host, request("GET")}},
			[]in{{host, request("GET", "X-Canary", "")}, {host, nil}}},
		{"all headers", route.Conditions{Headers: append(one("A", route.Present, ""), one("B", route.Absent, "")...)},
			[]in{{host, request("GET", "A", "")}},
			[]in{{host, request("GET", "A", "", "B", "")}, {host, request("GET")}}},
		{"cookie equals", route.Conditions{Cookies: one("id", route.Equals, "1")},
			[]in{{host, cookie("id=1")}, {host, cookie("a=b; id=1; id=2")}, {host, cookie("a;id=1\t")}},
			[]in{{host, cookie("id=2; id=1")}, {host, cookie("ID=1")}, {host, cookie(`id="1"`)}, {host, cookie("xid=1")}, {host, nil}}},
		{"cookie absent", route.Conditions{Cookies: one("id", route.Absent, "")},
			[]in{{host, cookie("a=id")}, {host, request("GET")}},
			[]in{{host, cookie("id=")}, {host, nil}}},
		{"query equals", route.Conditions{Query: one("a b", route.Equals, "x y")},
			[]in{{host + "?a+b=x+y", nil}, {host + "?c&a%20b=%78%20y", nil}},
			[]in{{host + "?a+b=x", nil}, {host + "?a+b=x+y+z", nil}, {host + "?a+b=1&a+b=x+y", nil}, {host, nil}}},
		{"query begins", route.Conditions{Query: one("v", route.BeginsWith, "2.")},
			[]in{{host + "?v=2.1", nil}, {host + "?v=%32.", nil}},
			[]in{{host + "?v=12.", nil}, {host + "?v=%32", nil}}},
		{"query matches", route.Conditions{Query: one("v", route.Matches, "[0-9]+")},
			[]in{{host + "?v=12", nil}, {host + "?v=%31", nil}},
			[]in{{host + "?v=1x", nil}, {host + "?v=%", nil}, {host + "?v", nil}}},
		{"query present", route.Conditions{Query: one("debug", route.Present, "")},
			[]in{{host + "?debug", nil}, {host + "?%64ebug=", nil}},
			[]in{{host + "?debugs", nil}, {host + "?x=debug", nil}}},
		{"bad escapes are data", route.Conditions{Query: one("p", route.Equals, "100%")},
			[]in{{host + "?p=100%", nil}, {host + "?p=100%25", nil}},
			[]in{{host + "?p=100", nil}}},
		{"everything", route.Conditions{Scheme: "http", Methods: []string{"PUT"}, Headers: one("A", route.Present, ""), Cookies: one("c", route.Present, ""), Query: one("q", route.Present, "")},
			[]in{{host + "?q", request("PUT", "A", "", "Cookie", "c=")}},
			[]in{{"https://h/?q", request("PUT", "A", "", "Cookie", "c=")}, {host, request("PUT", "A", "", "Cookie", "c=")}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, err := route.NewTable([]route.Route[int]{{When: tt.when}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, in := range slices.Concat(tt.holds, tt.fails) {
				u := rewrite.URL{}
				if in.url == "/" {
					u.Path = "/"
				} else if u, err = rewrite.Parse(in.url); err != nil {
					t.Fatal(err)
				}
				if _, ok := table.Match(&u, in.r); ok != (i < len(tt.holds)) {
					t.Errorf("%s with %+v: holds %v", in.url, in.r, ok)
				}
				if _, ok := table.Lookup(u.Host, u.Path); ok {
					t.Error("Lookup finds a route with conditions")
				}
			}
		})
	}
}

// The rules of precedence on one pattern, each against all that come after it.
func TestConditionPrecedence(t *testing.T) {
	present := func(names ...string) (list []route.Condition) {
		for _, n := range names {
			list = append(list, route.Condition{Name: n, Test: route.Present})
		}
		return list
	}
	best := []route.Conditions{
		{Scheme: "http"},
		{Methods: []string{"GET"}, Headers: present("A")},
		{Methods: []string{"GET"}, Cookies: present("a", "b"), Query: present("a", "b")},
		{Methods: []string{"GET", "HEAD"}, Cookies: present("a")}, // how many methods does not count
		{Headers: present("A", "B")},
		{Headers: present("A"), Cookies: present("a")},
		{Headers: present("A", "A", "a"), Query: present("a", "b")}, // one condition, repeated
		{Cookies: present("a", "b")},
		{Cookies: present("a"), Query: present("a", "b")},
		{Query: present("a", "b")},
		{Query: present("a")},
		{},
	}
	u, r := rewrite.URL{Scheme: "http", Path: "/", RawQuery: "a&b"}, &fakeRequest{"GET", map[string]string{"A": "", "B": "", "Cookie": "a=;b="}}
	for i := range best {
		for j := i + 1; j < len(best); j++ {
			for _, order := range [][]int{{i, j}, {j, i}} {
				var routes []route.Route[int]
				for _, k := range order {
					routes = append(routes, route.Route[int]{When: best[k], Value: k})
				}
				table, err := route.NewTable(routes, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got, ok := table.Match(&u, r); !ok || got != i {
					t.Errorf("%+v and %+v, %v: found %d, %v", best[i], best[j], order, got, ok)
				}
			}
		}
	}
	// As good as each other: the first.
	table, err := route.NewTable([]route.Route[int]{{When: route.Conditions{Query: present("b")}}, {When: route.Conditions{Query: present("a")}, Value: 1}}, nil)
	if got, _ := table.Match(&u, r); err != nil || got != 0 {
		t.Errorf("found %d, error %v", got, err)
	}
}

// A route whose conditions do not hold leaves the request to the next path of
// its host, and keeps it from the next host.
func TestConditionsFallThrough(t *testing.T) {
	debug := route.Conditions{Query: one("debug", route.Present, "")}
	routes := []route.Route[string]{
		{Pattern: route.Pattern{Host: "a", Path: "/x/y", Type: route.Exact}, When: debug, Value: "exact"},
		{Pattern: route.Pattern{Host: "a", Path: "/x/y"}, When: debug, Value: "prefix"},
		{Pattern: route.Pattern{Host: "a", Path: "/x/y", Type: route.TextPrefix}, When: route.Conditions{Scheme: "https"}, Value: "text"},
		{Pattern: route.Pattern{Host: "a", Path: "/x"}, Value: "short"},
		{Pattern: route.Pattern{Host: "b", Path: "/"}, When: debug, Value: "b"},
		{Pattern: route.Pattern{}, Value: "any"},
	}
	for _, more := range []int{0, 200} { // scanned and hashed
		routes := slices.Clone(routes)
		for i := range more {
			routes = append(routes, route.Route[string]{Pattern: route.Pattern{Host: "a", Path: fmt.Sprintf("/more%d", i)}})
		}
		table, err := route.NewTable(routes, nil)
		if err != nil {
			t.Fatal(err)
		}
		for url, want := range map[string]string{
			"http://a/x/y?debug":    "exact",
			"http://a/x/y/z?debug":  "prefix",
			"https://a/x/y/z?debug": "prefix",
			"https://a/x/y":         "text",
			"http://a/x/y":          "short",
			"http://a/z":            "",
			"http://b/?debug":       "b",
			"http://b/":             "",
			"http://c/":             "any",
		} {
			u, err := rewrite.Parse(url)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := table.Match(&u, nil); got != want || ok != (want != "") {
				t.Errorf("%s finds %q, %v; want %q", url, got, ok, want)
			}
		}
	}
}

// The budget is instructions × (bytes + 1), and may be used up.
func TestBudgetIsExact(t *testing.T) {
	const path = "/aaa"
	tree, err := syntax.Parse("^(?:/a+)", syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		t.Fatal(err)
	}
	need := len(prog.Inst) * (len(path) + 1)
	for budget, want := range map[int]error{need: nil, need - 1: rewrite.ErrBudget} {
		table, err := route.NewTable([]route.Route[int]{{Pattern: route.Pattern{Path: "/a+", Type: route.Regex}}}, &route.Options{Regexp: rewrite.RegexpLimits{Budget: budget}})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := table.Route(&rewrite.URL{Path: path}, nil, nil, nil); err != want {
			t.Errorf("budget %d of %d: %v", budget, need, err)
		}
	}
}

// A regular expression that a text is too long for ends the lookup: nothing
// that comes after it is found instead.
func TestBudget(t *testing.T) {
	opts := &route.Options{TryNextHost: true, Regexp: rewrite.RegexpLimits{Budget: 1000}}
	long := "/" + fmt.Sprintf("%01000d", 0)
	routes := []route.Route[int]{
		{Pattern: route.Pattern{Host: "a", Path: "/admin|/0.*", Type: route.Regex}, Value: 1},
		{Pattern: route.Pattern{Host: "b"}, When: route.Conditions{Query: one("q", route.Matches, "0*")}, Value: 2},
		{Value: 3},
		{Pattern: route.Pattern{Host: "header"}, When: route.Conditions{Headers: one("x-a", route.Matches, "0*")}, Value: 4},
		{Pattern: route.Pattern{Host: "cookie"}, When: route.Conditions{Cookies: one("c", route.Matches, "0*")}, Value: 5},
	}
	table, err := route.NewTable(routes, opts)
	if err != nil {
		t.Fatal(err)
	}
	const tooLong = " is too long for the regular expression of a "
	for _, tt := range []struct {
		u    rewrite.URL
		want int
		err  string // what rewrite.ErrBudget says
	}{
		{rewrite.URL{Host: "a", Path: "/0"}, 1, ""},
		{rewrite.URL{Host: "a", Path: "/x"}, 3, ""},
		{rewrite.URL{Host: "a", Path: long}, 0, "rewrite: path" + tooLong + "rule"},
		{rewrite.URL{Host: "b", Path: long, RawQuery: "q=0"}, 2, ""},
		{rewrite.URL{Host: "b", Path: "/", RawQuery: "q=1"}, 3, ""},
		{rewrite.URL{Host: "b", Path: "/", RawQuery: "q=" + long}, 0, `route: query pair "q"` + tooLong + "condition"},
		{rewrite.URL{Host: "b", Path: "/", RawQuery: "q=%30" + long}, 0, `route: query pair "q"` + tooLong + "condition"},
		{rewrite.URL{Host: "c", Path: long}, 3, ""},
		{rewrite.URL{Host: "header", Path: "/"}, 0, `route: header "X-A"` + tooLong + "condition"},
		{rewrite.URL{Host: "cookie", Path: "/"}, 0, `route: cookie "c"` + tooLong + "condition"},
	} {
		r := &fakeRequest{"GET", map[string]string{"X-A": long, "Cookie": "c=" + long}}
		got, _, err := table.Route(&tt.u, r, nil, nil)
		if got != tt.want || (err == nil) != (tt.err == "") {
			t.Errorf("%.20v finds %d, %v", tt.u, got, err)
		}
		if err != nil && (err.Error() != tt.err || !errors.Is(err, rewrite.ErrBudget) || !errors.Is(err, rewrite.ErrRefused)) {
			t.Errorf("%.20v: %v, want %s", tt.u, err, tt.err)
		}
		if got, ok := table.Match(&tt.u, r); got != tt.want || ok != (tt.err == "") {
			t.Errorf("%.20v matches %d, %v", tt.u, got, ok)
		}
		chosen, ended := 0, ""
		for c := range table.Explain(&tt.u, r) {
			switch c.Code {
			case route.Chosen:
				chosen = routes[c.Route].Value
			case route.LostBudget:
				ended = c.Detail
			}
		}
		if chosen != tt.want || ended != tt.err {
			t.Errorf("%.20v: Explain chooses %d, the budget ends it: %s", tt.u, chosen, ended)
		}
	}
}
