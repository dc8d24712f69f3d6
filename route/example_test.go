package route_test

// An example of each question that a table answers.

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
	"github.com/readdress/readdress/route"
)

func ExampleTable_Lookup() {
	table, err := route.NewTable([]route.Route[string]{
		{Pattern: route.Pattern{Host: "shop.example.com", Path: "/"}, Value: "shop"},
		{Pattern: route.Pattern{Host: "shop.example.com", Path: "/api"}, Value: "api"},
		{Pattern: route.Pattern{Host: "shop.example.com", Path: "/api", Type: route.Exact}, Value: "api docs"},
		{Pattern: route.Pattern{Host: "*.example.com"}, Value: "tenants"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, at := range [][2]string{
		{"shop.example.com", "/api"},
		{"SHOP.example.com:8080", "/api/users"},
		{"shop.example.com", "/apis"},
		{"blue.example.com", "/"},
		{"example.com", "/"},
	} {
		service, ok := table.Lookup(at[0], at[1])
		fmt.Println(at[0]+at[1], "→", service, ok)
	}
	// Output:
	// shop.example.com/api → api docs true
	// SHOP.example.com:8080/api/users → api true
	// shop.example.com/apis → shop true
	// blue.example.com/ → tenants true
	// example.com/ →  false
}

func ExampleTable_Lookup_regexFirst() {
	table, err := route.NewTable([]route.Route[string]{
		{Pattern: route.Pattern{Path: "/"}, Value: "site"},
		{Pattern: route.Pattern{Path: "/api/v[0-9]+", Type: route.RegexFirst}, Value: "api"},
		{Pattern: route.Pattern{Path: "/api/v1", Type: route.Exact}, Value: "api docs"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, path := range []string{"/api/v1", "/api/v2/users", "/api"} {
		service, ok := table.Lookup("example.com", path)
		fmt.Println(path, "→", service, ok)
	}
	// Output:
	// /api/v1 → api docs true
	// /api/v2/users → api true
	// /api → site true
}

func ExampleTable_Match() {
	canary := route.Conditions{
		Methods: []string{"GET", "HEAD"},
		Headers: []route.Condition{{Name: "X-Canary", Value: "always"}},
	}
	table, err := route.NewTable([]route.Route[string]{
		{Value: "stable"},
		{When: canary, Value: "canary"},
		{When: route.Conditions{Query: []route.Condition{{Name: "debug", Test: route.Present}}}, Value: "debug"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	u := rewrite.URL{Scheme: "http", Host: "example.com", Path: "/", RawQuery: "debug"}
	r := &http.Request{Method: "GET", Header: http.Header{"X-Canary": {"always"}}}
	fmt.Println(table.Match(&u, rewritehttp.Of(r)))
	fmt.Println(table.Match(&u, nil))
	u.RawQuery = ""
	fmt.Println(table.Match(&u, nil))
	// Output:
	// canary true
	// debug true
	// stable true
}

func ExampleTable_Route() {
	type service struct {
		name  string
		rules *rewrite.Program
	}
	legacy := rewrite.MustCompile([]rewrite.Rule{
		{Hook: rewrite.BeforeLocation, Action: rewrite.ReplacePathPrefix("/v1", "/v2")},
	}, nil)
	table, err := route.NewTable([]route.Route[service]{
		{Pattern: route.Pattern{Path: "/v1"}, Value: service{"one", legacy}},
		{Pattern: route.Pattern{Path: "/v2"}, Value: service{"two", nil}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	rules := func(s service) *rewrite.Program { return s.rules }
	for _, path := range []string{"/v1/users", "/v3"} {
		u := rewrite.URL{Host: "example.com", Path: path}
		s, _, err := table.Route(&u, nil, rules, nil)
		switch {
		case errors.Is(err, route.ErrNoRoute):
			fmt.Println(path, "→ 404")
		case err != nil:
			fmt.Println(path, "→ 400")
		default:
			fmt.Println(path, "→", s.name, u.Path)
		}
	}
	// Output:
	// /v1/users → two /v2/users
	// /v3 → 404
}

// HTTPRoutes rank hosts otherwise than Ingresses, so each kind has its table.
// Where the one has no route the other is asked, about the URL as it was.
func ExampleTable_Route_twoTables() {
	type service struct {
		name  string
		rules *rewrite.Program
	}
	moved := rewrite.MustCompile([]rewrite.Rule{
		{Hook: rewrite.BeforeLocation, Action: rewrite.TrimPathPrefix("/old")},
	}, nil)
	ingresses, err := route.NewTable([]route.Route[service]{
		{Pattern: route.Pattern{Host: "shop.example", Path: "/cart"}, Value: service{"cart", nil}},
		{Pattern: route.Pattern{Host: "shop.example", Path: "/old"}, Value: service{"legacy", moved}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	httpRoutes, err := route.NewTable([]route.Route[service]{
		{Pattern: route.Pattern{Host: "*.example"}, Value: service{"web", nil}},
	}, &route.Options{AnyDepthWildcard: true, TryNextHost: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	rules := func(s service) *rewrite.Program { return s.rules }
	find := func(u *rewrite.URL) (s service, err error) {
		for _, table := range []*route.Table[service]{ingresses, httpRoutes} {
			if s, _, err = table.Route(u, nil, rules, nil); !errors.Is(err, route.ErrNoRoute) {
				break
			}
		}
		return s, err
	}
	for _, at := range [][2]string{
		{"shop.example", "/old/cart"},
		{"shop.example", "/old/blog"},
		{"a.blog.example", "/"},
		{"shop.test", "/"},
	} {
		u := rewrite.URL{Host: at[0], Path: at[1]}
		s, err := find(&u)
		switch {
		case errors.Is(err, route.ErrNoRoute):
			fmt.Println(at[0]+at[1], "→ 404")
		case err != nil:
			fmt.Println(at[0]+at[1], "→ 400")
		default:
			fmt.Println(at[0]+at[1], "→", s.name, u.Path)
		}
	}
	// Output:
	// shop.example/old/cart → cart /cart
	// shop.example/old/blog → web /old/blog
	// a.blog.example/ → web /
	// shop.test/ → 404
}

func ExampleTable_Explain() {
	table, err := route.NewTable([]route.Route[string]{
		{Pattern: route.Pattern{Path: "/"}},
		{Pattern: route.Pattern{Path: "/api"}, When: route.Conditions{Scheme: "https"}},
		{Pattern: route.Pattern{Path: "/api", Type: route.Exact}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for c := range table.Explain(&rewrite.URL{Scheme: "http", Path: "/api/users"}, nil) {
		fmt.Println(c)
	}
	// Output:
	// route 2 /api Exact: path
	// route 1 /api Prefix: scheme: "http" is not https
	// route 0 / Prefix: chosen
}

func ExampleTable_Conflicts() {
	table, err := route.NewTable([]route.Route[string]{
		{Pattern: route.Pattern{Host: "*.example.com", Path: "/caf%C3%A9"}},
		{Pattern: route.Pattern{Host: "*.Example.com.", Path: "/café/"}},
	}, nil)
	fmt.Println(err)
	for _, c := range table.Conflicts() {
		fmt.Println(c)
	}
	// Output:
	// <nil>
	// route 1 is never chosen: route 0 has the same pattern and conditions; both match http://x.example.com/caf%C3%A9
}

func ExampleTable_All() {
	table, err := route.NewTable([]route.Route[string]{
		{Pattern: route.Pattern{Host: "Example.com", Path: "/"}, Value: "all"},
		{Pattern: route.Pattern{Host: "example.com", Path: "/api/"}, Value: "api"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for pattern, service := range table.All() {
		fmt.Println(pattern, service)
	}
	// Output:
	// example.com/api Prefix api
	// example.com/ Prefix all
}

func ExampleNewTable() {
	table, err := route.NewTable([]route.Route[string]{
		{Pattern: route.Pattern{Host: "example.com", Path: "/api/../admin"}, Value: "bad"},
		{Pattern: route.Pattern{Host: "example.com", Path: "/"}, Value: "good"},
	}, nil)
	fmt.Println(err)
	fmt.Println(table.Lookup("example.com", "/"))
	// Output:
	// route 0: Pattern.Path: "/api/../admin" has the dot-segment ".." at offset 5: write the path that it leads to
	// good true
}
