package route_test

// Regular expressions among other paths: the ones that are tried first, and the
// ones that match every path.

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/texts"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// A RegexFirst comes behind Exact and before the longest prefix, whether the
// host is scanned or hashed, and what does not hold leaves the next.
func TestRegexFirst(t *testing.T) {
	post := route.Conditions{Methods: []string{"POST"}}
	routes := []route.Route[string]{
		{Pattern: route.Pattern{Host: "a", Path: "/"}, Value: "root"},
		{Pattern: route.Pattern{Host: "a", Path: "/api/v1/users/long"}, Value: "long"},
		{Pattern: route.Pattern{Host: "a", Path: "/api/v", Type: route.TextPrefix}, Value: "text"},
		{Pattern: route.Pattern{Host: "a", Path: "/.*7", Type: route.Regex}, Value: "last"},
		{Pattern: route.Pattern{Host: "a", Path: "/api/v[0-9]+", Type: route.RegexFirst}, Value: "first"},
		{Pattern: route.Pattern{Host: "a", Path: "/.*6", Type: route.RegexFirst}, When: post, Value: "posted"},
		{Pattern: route.Pattern{Host: "a", Path: "/api/v1.*/x", Type: route.RegexFirst}, Value: "behind first"},
		{Pattern: route.Pattern{Host: "a", Path: "/api/v1", Type: route.Exact}, When: post, Value: "exact, posted"},
		{Pattern: route.Pattern{Host: "a", Path: "/api/v2", Type: route.Exact}, Value: "exact"},
		{Pattern: route.Pattern{Host: "*.a", Path: "/7", Type: route.Exact}, When: post, Value: "none"},
		{Pattern: route.Pattern{Host: "*.a", Path: "/6", Type: route.RegexFirst}, Value: "only"},
		{Pattern: route.Pattern{Host: "*.a", Path: "/7", Type: route.Regex}, Value: "last"},
	}
	for _, more := range []int{0, 200} { // scanned and hashed
		for i := range more {
			for _, host := range []string{"a", "*.a"} {
				routes = append(routes, route.Route[string]{Pattern: route.Pattern{Host: host, Path: fmt.Sprintf("/more%d", i)}, Value: "more"})
			}
		}
		table, err := route.NewTable(routes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if hashed := strings.Contains(table.String(), ": hash"); hashed != (more > 0) {
			t.Fatalf("%d more routes: hashed is %v", more, hashed)
		}
		for _, tt := range []struct{ method, url, want string }{
			{"GET", "http://a/api/v1", "first"},
			{"POST", "http://a/api/v1", "exact, posted"},
			{"GET", "http://a/api/v2", "exact"},
			{"GET", "http://a/api/v2/", "first"},
			{"GET", "http://a/api/v1/users/long", "first"},
			{"GET", "http://a/%61pi/v%31/x", "first"},
			{"GET", "http://a/api/vx", "text"},
			{"GET", "http://a/api/vx7", "text"},
			{"GET", "http://a/api/vx6", "text"},
			{"POST", "http://a/api/vx6", "posted"},
			{"POST", "http://a/api/v6", "first"},
			{"GET", "http://a/x7", "root"},
			{"GET", "http://b.a/6", "only"},
			{"GET", "http://b.a/7", "last"},
			{"POST", "http://b.a/7", "none"},
			{"GET", "http://b.a/8", ""},
		} {
			u, err := rewrite.Parse(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			r := &fakeRequest{method: tt.method}
			if got, ok := table.Match(&u, r); got != tt.want || ok != (tt.want != "") {
				t.Errorf("%d more routes: %s %s finds %q, %v; want %q", more, tt.method, tt.url, got, ok, tt.want)
			}
			chosen := ""
			for c := range table.Explain(&u, r) {
				if c.Code == route.Chosen {
					chosen = routes[c.Route].Value
				}
			}
			if chosen != tt.want {
				t.Errorf("%d more routes: Explain of %s %s chooses %q, want %q", more, tt.method, tt.url, chosen, tt.want)
			}
		}
	}
}

// A RegexFirst that a path is too long for ends the lookup before every prefix,
// and not before an Exact.
func TestRegexFirstBudget(t *testing.T) {
	long := "/" + strings.Repeat("a", 1000)
	patterns := []route.Pattern{{Path: "/"}, {Path: "/v[0-9]", Type: route.RegexFirst}, {Path: long, Type: route.Exact}}
	for _, more := range []int{0, 200} {
		for i := range more {
			patterns = append(patterns, route.Pattern{Path: fmt.Sprintf("/more%d", i)})
		}
		table := newTable(t, &route.Options{Regexp: rewrite.RegexpLimits{Budget: 1000}}, patterns...)
		wantLookup(t, table, "", "/a", "/ Prefix")
		wantLookup(t, table, "", "/v1", "/v[0-9] RegexFirst")
		wantLookup(t, table, "", long, long+" Exact")
		wantLookup(t, table, "", long+"a", "")
		if _, _, err := table.Route(&rewrite.URL{Path: long + "a"}, nil, nil, nil); err != rewrite.ErrBudget {
			t.Errorf("error %v", err)
		}
	}
}

// A quotation that only the end of an expression closes quotes what is there,
// and nothing that is put behind it.
func TestOpenQuotation(t *testing.T) {
	u := &rewrite.URL{Host: "h", Path: "/"}
	for expr, text := range map[string]string{`/\Qa.b`: "/a.b", `/\Qa.b%2f`: "/a.b%2f", `/[%]\Q\`: `/%\`} {
		table, err := route.NewTable([]route.Route[int]{
			{Pattern: route.Pattern{Path: expr, Type: route.Regex}},
			{Pattern: route.Pattern{Host: "h"}, When: route.Conditions{Headers: one("a", route.Matches, expr)}},
		}, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, ok := table.Lookup("", text+"x"); !ok {
			t.Errorf("%s does not match %s", expr, text)
		}
		if _, ok := table.Lookup("", "/axb%2f"); ok {
			t.Errorf("%s matches another path", expr)
		}
		for value, want := range map[string]bool{text: true, text + "x": false} {
			if _, ok := table.Match(u, &fakeRequest{headers: map[string]string{"A": value}}); ok != want {
				t.Errorf("the condition %s on %s is %v", expr, value, ok)
			}
		}
	}
}

func TestEveryPath(t *testing.T) {
	noBudget := &route.Options{Regexp: rewrite.RegexpLimits{Budget: 1}}
	for _, tt := range []struct {
		every bool
		exprs []string
	}{
		{true, []string{"", "/", "/.*", "/(.*)", "/?", "/(?:)", "/(a|b)?", "/a{0,3}", "/|/a", "/a|/", "/(?:a|.*)b*", "/(a*)+", "/(?s:.*)", "/%2F?|/"}},
		{false, []string{"/a", "/.+", "/$", "/.*$", `/\b`, `/\B`, "/(?:$|a)", "/.", "/[^a]*b", "//", "/(?:a|b)"}},
	} {
		for _, expr := range tt.exprs {
			for _, pathType := range []route.PathType{route.Regex, route.RegexFirst} {
				table := newTable(t, noBudget, route.Pattern{Path: expr, Type: pathType})
				for _, path := range []string{"/", "/a", "/%61%2F", "//", "/" + strings.Repeat("b", 1<<16)} {
					if _, ok := table.Lookup("", path); ok != tt.every {
						t.Errorf("%q %v: found %.20q without a budget: %v", expr, pathType, path, ok)
					}
				}
				for _, path := range []string{"", "*", "a"} {
					wantLookup(t, table, "", path, "")
				}
			}
		}
	}
}

// What is found without a budget, package regexp finds: every expression of a
// few symbols.
func TestEveryPathIsRegexp(t *testing.T) {
	every, others := 0, 0
	for _, expr := range texts.UpTo("", []string{"/", "a", ".", "*", "?", "+", "(", ")", "|", "$", `\b`, "^", "{0}", "{2}"}, 4) {
		expr = "/" + expr
		re, err := regexp.Compile("^(?:" + expr + ")")
		if err != nil {
			continue
		}
		table, err := route.NewTable([]route.Route[int]{{Pattern: route.Pattern{Path: expr, Type: route.Regex}}}, &route.Options{Regexp: rewrite.RegexpLimits{Budget: 1}})
		if err != nil {
			continue // such as a)(b, which stands alone as little
		}
		if _, ok := table.Lookup("", "/"); !ok {
			others++
			continue
		}
		every++
		for _, path := range []string{"/", "/a", "//", "/b", "/%2F", "/a/a", "/\n", "/-"} {
			if !re.MatchString(path) {
				t.Errorf("%q matches %q without package regexp, and not with it", expr, path)
			}
		}
	}
	if every < 500 || others < 500 {
		t.Errorf("only %d expressions that match every path, and %d others", every, others)
	}
}
