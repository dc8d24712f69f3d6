package route_test

// Which route: paths, hosts and what decides between them, as the package
// documentation says it.

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// newTable makes a table whose values are the patterns as they were written.
func newTable(t *testing.T, opts *route.Options, patterns ...route.Pattern) *route.Table[string] {
	t.Helper()
	var routes []route.Route[string]
	for _, p := range patterns {
		routes = append(routes, route.Route[string]{Pattern: p, Value: p.String()})
	}
	table, err := route.NewTable(routes, opts)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// wantLookup fails unless Lookup finds the pattern; "" is none.
func wantLookup(t *testing.T, table *route.Table[string], host, path, want string) {
	t.Helper()
	if got, ok := table.Lookup(host, path); got != want || ok != (want != "") {
		t.Errorf("Lookup(%q, %q) finds %q, %v; want %q", host, path, got, ok, want)
	}
}

func TestOnePath(t *testing.T) {
	for _, tt := range []struct {
		pathType route.PathType
		path     string
		matches  string // paths, separated by spaces
		misses   string
	}{
		{route.Prefix, "/foo", "/foo /foo/ /foo/bar /foo//bar /%66oo /f%6Fo/x", "/ /foobar /fo /Foo /foo%2Fbar //foo /x/foo"},
		{route.Prefix, "/foo/", "/foo /foo/ /foo/bar", "/foobar /fo"},
		{route.Prefix, "/", "/ /foo // /%2F", "*"},
		{route.Prefix, "", "/ /foo //", "*"},
		{route.Prefix, "/a%2fb", "/a%2Fb /a%2fb/c /%61%2Fb", "/a/b /a%252fb"},
		{route.Prefix, "/é", "/%C3%A9 /%c3%a9/x", "/e /%C3"},
		{route.Prefix, "/a b", "/a%20b", "/a+b /a"},
		{route.Prefix, "/%61", "/a /%61/b", "/A"},
		{route.Exact, "/foo", "/foo /%66oo", "/foo/ /foo/bar /fo /foobar"},
		{route.Exact, "/foo/", "/foo/", "/foo /foo/bar"},
		{route.Exact, "/", "/", "/foo // *"},
		{route.Exact, "", "/", "/foo *"},
		{route.TextPrefix, "/foo", "/foo /foobar /foo/ /foo%2F", "/fo /Foo"},
		{route.TextPrefix, "/foo/", "/foo/ /foo/bar", "/foo /foobar"},
		{route.TextPrefix, "", "/ /foo", "*"},
		{route.Regex, "/foo", "/foo /foobar /%66oo", "/bar/foo /FOO"},
		{route.Regex, "/a|/b", "/a /b /bc", "/c /c/a"},
		{route.Regex, "/(?i:foo)$", "/foo /FOO", "/foo/"},
		{route.Regex, "/a%2Fb$", "/a%2Fb /a%2fb /%61%2Fb", "/a/b /a%2Fbb /a%252Fb"},
		{route.Regex, "/a%2fb", "/a%2Fb /a%2fb", "/a/b"},
		{route.Regex, `/\%c3%A9`, "/%C3%A9 /%c3%a9 /%C3%a9", "/%C3 /%C3%A8"},
		{route.Regex, `/\Q%2F.\E+$`, "/%2F. /%2f... /%2F%2E", "/%2Fa /%2F /%2F/"},
		{route.Regex, "/%2F*$", "/%2F /%2f /%2 /%2Ff", "/%2E"}, // of which * repeats the last digit
		{route.Regex, "/%61*", "/%6 /%60", "/a"},
		{route.Regex, `/[%2F]$`, "/F /2", "/f /%2F"},
		{route.Regex, `/[\]%2F]$`, "/F /]", "/f"},
		{route.Regex, `/\[%2F]$`, "/[%2F] /[%2f]", "/[ /F"},
		{route.Regex, `/[^]%2f]$`, "/F /x", "/f /2"},
		{route.Regex, `/[[:digit:]%2f\]]$`, "/1 /f /]", "/F /%2f"},
		{route.Regex, "", "/ /foo", "*"},
	} {
		types := []route.PathType{tt.pathType}
		if tt.pathType == route.Regex {
			types = append(types, route.RegexFirst)
		}
		for _, pathType := range types {
			t.Run(fmt.Sprintf("%s %v", tt.path, pathType), func(t *testing.T) {
				p := route.Pattern{Path: tt.path, Type: pathType}
				table := newTable(t, nil, p)
				for path := range strings.FieldsSeq(tt.matches) {
					wantLookup(t, table, "", path, p.String())
				}
				for path := range strings.FieldsSeq(tt.misses) {
					wantLookup(t, table, "", path, "")
				}
				wantLookup(t, table, "", "", "")
				wantLookup(t, table, "", "foo", "")
			})
		}
	}
}

// An escape is seen wherever in a path it stands.
func TestEscapeAnywhere(t *testing.T) {
	for n := 1; n < 80; n++ {
		p := route.Pattern{Path: "/" + strings.Repeat("a", n), Type: route.Exact}
		table := newTable(t, nil, p)
		for at := 1; at <= n; at++ {
			wantLookup(t, table, "", p.Path[:at]+"%61"+p.Path[at+1:], p.String())
		}
	}
}

func TestBestPath(t *testing.T) {
	table := newTable(t, nil,
		route.Pattern{Path: "/a.*", Type: route.Regex},
		route.Pattern{Path: "/.*c", Type: route.Regex},
		route.Pattern{Path: "/a"},
		route.Pattern{Path: "/a/b", Type: route.TextPrefix},
		route.Pattern{Path: "/a/b/c"},
		route.Pattern{Path: "/a/b/c/d", Type: route.TextPrefix},
		route.Pattern{Path: "/a/b/c/d"},
		route.Pattern{Path: "/a/b", Type: route.Exact},
		route.Pattern{Path: "/A/", Type: route.TextPrefix},
	)
	for path, want := range map[string]string{
		"/a/b":         "/a/b Exact",
		"/a/b/":        "/a/b TextPrefix",
		"/a/bc":        "/a/b TextPrefix",
		"/a/b/c/x":     "/a/b/c Prefix",
		"/a/b/c/d":     "/a/b/c/d Prefix",
		"/a/b/c/d/":    "/a/b/c/d Prefix",
		"/a/b/c/dx":    "/a/b/c/d TextPrefix",
		"/a/x/c":       "/a Prefix",
		"/axc":         "/a.* Regex",
		"/xc":          "/.*c Regex",
		"/x":           "",
		"/A":           "",
		"/A/":          "/A/ TextPrefix",
		"/%61/b":       "/a/b Exact",
		"/a/%62/c/%64": "/a/b/c/d Prefix",
	} {
		wantLookup(t, table, "", path, want)
	}
	root := newTable(t, nil, route.Pattern{Path: "/", Type: route.TextPrefix}, route.Pattern{Path: "/"})
	wantLookup(t, root, "", "/x", "/ Prefix")
}

func TestHosts(t *testing.T) {
	patterns := []route.Pattern{
		{Host: ""}, {Host: "*.example.com"}, {Host: "*.b.example.com"}, {Host: "a.b.example.com"}, {Host: "Example.COM.:8080"},
		{Host: "bücher.example"}, {Host: "*.straße.example"}, {Host: "192.0.2.1"}, {Host: "[2001:DB8::0:1]"},
		{Host: "[::FFFF:192.0.2.1]"}, {Host: "[2001:db8:1234:5678:1234:5678:1234:5678]"}, {Host: "*.net"},
	}
	for _, tt := range []struct{ host, want, deep string }{
		{"", "", ""},
		{"other", "", ""},
		{"example.com", "Example.COM.:8080", ""},
		{"EXAMPLE.com.:9", "Example.COM.:8080", ""},
		{"x.example.com", "*.example.com", ""},
		{"X.EXAMPLE.COM.:80", "*.example.com", ""},
		{"x.y.example.com", "", "*.example.com"},
		{"b.example.com", "*.example.com", ""},
		{"a.b.example.com", "a.b.example.com", ""},
		{"x.b.example.com", "*.b.example.com", ""},
		{"x.y.b.example.com", "", "*.b.example.com"},
		{"xexample.com", "", ""},
		{".example.com", "", ""},
		{"xn--bcher-kva.example", "bücher.example", ""},
		{"XN--BCHER-KVA.example", "bücher.example", ""},
		{"bücher.example", "", ""}, // not cleaned
		{"ü.example.com", "", ""},
		{"ü" + strings.Repeat("x", 40) + ".example.com", "", ""},
		{"x.xn--strae-oqa.example", "*.straße.example", ""},
		{"192.0.2.1:80", "192.0.2.1", ""},
		{"[2001:db8::1]:443", "[2001:DB8::0:1]", ""},
		{"[2001:db8::1]", "[2001:DB8::0:1]", ""},
		{"[2001:DB8::1]", "[2001:DB8::0:1]", ""},
		{"[2001:0Db8:0:0::0.0.0.1]:8080", "[2001:DB8::0:1]", ""},
		{"[2001:db8:1234:5678:1234:5678:1234:5678]", "[2001:db8:1234:5678:1234:5678:1234:5678]", ""},
		{"[::ffff:c000:201]", "[::FFFF:192.0.2.1]", ""},
		{"[2001:db8::2]", "", ""},
		{"[2001:db8::1", "", ""}, // not cleaned, nor what follows
		{"[2001:db8::1]x", "", ""},
		{"[2001:db8::1%25eth0]", "", ""},
		{"[192.0.2.1]", "", ""},
		{"[]", "", ""},
		{"[", "", ""},
		{"[.net", "", ""},
		{".", "", ""},
		{strings.Repeat("x.", 121) + "example.com", "", "*.example.com"}, // 253 bytes
		{strings.Repeat("x.", 121) + "example.com.", "", "*.example.com"},
		{"x" + strings.Repeat("x.", 121) + "example.com", "", ""}, // 254 bytes, so no name
		{strings.Repeat("x.", 200) + "example.com", "", ""},
		{"exampl\x65.c\x4fm", "Example.COM.:8080", ""},
		{"example\x0ecom", "", ""}, // differs from a dot by the bit that letter case is
	} {
		for _, deep := range []bool{false, true} {
			table := newTable(t, &route.Options{AnyDepthWildcard: deep}, patterns...)
			want := tt.want
			if deep && tt.deep != "" {
				want = tt.deep
			}
			wantLookup(t, table, tt.host, "/", want+" Prefix")
		}
	}
}

func TestTryNextHost(t *testing.T) {
	patterns := []route.Pattern{
		{Host: "a.b.example", Path: "/exact"}, {Host: "*.b.example", Path: "/wild"}, {Host: "*.example", Path: "/deep"}, {Path: "/any"},
	}
	for _, tt := range []struct{ path, want string }{
		{"/exact", "a.b.example/exact Prefix"},
		{"/wild", "*.b.example/wild Prefix"},
		{"/deep", "*.example/deep Prefix"},
		{"/any", "/any Prefix"},
		{"/none", ""},
	} {
		wantLookup(t, newTable(t, &route.Options{TryNextHost: true, AnyDepthWildcard: true}, patterns...), "A.b.example:1", tt.path, tt.want)
		want := tt.want
		if tt.path != "/exact" {
			want = ""
		}
		wantLookup(t, newTable(t, nil, patterns...), "A.b.example:1", tt.path, want)
	}
	// A host of which every route is at fault is not in the table.
	table, err := route.NewTable([]route.Route[int]{{Pattern: route.Pattern{Host: "a.example", Path: "//"}}, {Value: 1}}, nil)
	if v, ok := table.Lookup("a.example", "/"); err == nil || v != 1 || !ok {
		t.Errorf("found %v, %v, error %v", v, ok, err)
	}
}

// A host with many routes answers as one with few.
func TestLargeHost(t *testing.T) {
	patterns := []route.Pattern{
		{Path: "/"}, {Path: "/" + strings.Repeat("s/", 80) + "end"}, {Path: "/x/y", Type: route.TextPrefix}, {Path: "/x%2F", Type: route.TextPrefix}, {Path: "/d%2Fe%20/f"},
		{Path: "/r[0-9]", Type: route.Regex},
	}
	for i := range 500 {
		patterns = append(patterns, route.Pattern{Path: fmt.Sprintf("/p%d/q", i)}, route.Pattern{Path: fmt.Sprintf("/p%d/q", i), Type: route.Exact})
	}
	table := newTable(t, nil, patterns...)
	for path, want := range map[string]string{
		"/p7/q":                                  "/p7/q Exact",
		"/p7/q/":                                 "/p7/q Prefix",
		"/%707/q":                                "/p7/q Exact",
		"/p7/qq":                                 "/ Prefix",
		"/x/yz":                                  "/x/y TextPrefix",
		"/x/":                                    "/ Prefix",
		"/x%2fz":                                 "/x%2F TextPrefix",
		"/x%2":                                   "/ Prefix",
		"/none":                                  "/ Prefix",
		"/p500/q":                                "/ Prefix",
		"//p7/q":                                 "/ Prefix",
		"/p7%2Fq":                                "/ Prefix",
		"/p499/q/r/s":                            "/p499/q Prefix",
		"/" + strings.Repeat("s/", 80) + "end/x": patterns[1].String(),
		"/" + strings.Repeat("s/", 79) + "end/x": "/ Prefix",
	} {
		wantLookup(t, table, "any", path, want)
	}
	table = newTable(t, nil, patterns[1:]...)
	wantLookup(t, table, "any", "/r1", "/r[0-9] Regex")
	wantLookup(t, table, "any", "/r", "")
}

// The zero Table, the nil one and one of no routes find nothing, whatever is
// asked.
func TestNoRoutes(t *testing.T) {
	empty, err := route.NewTable[int](nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*route.Table[int]{"zero": new(route.Table[int]), "nil": nil, "empty": empty} {
		u := rewrite.URL{Scheme: "http", Host: "a.b", Path: "/x"}
		if v, ok := table.Lookup("a.b", "/x"); ok {
			t.Errorf("%s: Lookup finds %d", name, v)
		}
		if v, ok := table.Match(&u, nil); ok {
			t.Errorf("%s: Match finds %d", name, v)
		}
		if _, _, err := table.Route(&u, nil, nil, nil); err != route.ErrNoRoute {
			t.Errorf("%s: Route: %v", name, err)
		}
		for c := range table.Explain(&u, nil) {
			t.Errorf("%s: Explain has %v", name, c)
		}
		for p := range table.All() {
			t.Errorf("%s: All has %v", name, p)
		}
		if list := table.Conflicts(); len(list) > 0 {
			t.Errorf("%s: Conflicts has %v", name, list)
		}
		if s := table.String(); s != "" {
			t.Errorf("%s: String is %q", name, s)
		}
	}
}

func TestNilURL(t *testing.T) {
	table := newTable(t, nil, route.Pattern{})
	if v, ok := table.Match(nil, nil); ok {
		t.Errorf("Match finds %q", v)
	}
	for c := range table.Explain(nil, nil) {
		t.Errorf("Explain has %v", c)
	}
}

func TestAll(t *testing.T) {
	routes := []route.Route[int]{
		{Pattern: route.Pattern{Host: "B.example:80", Path: "/%61/"}},
		{Pattern: route.Pattern{Host: "*.example", Path: ""}, Value: 1},
		{Pattern: route.Pattern{Host: "b.example", Path: "/a"}, Value: 2},
		{Pattern: route.Pattern{Host: "b.example", Path: "/a", Type: route.Exact}, Value: 3},
		{Pattern: route.Pattern{Host: "b.example", Path: "/a"}, When: route.Conditions{Scheme: "https"}, Value: 4},
	}
	table, err := route.NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for p, v := range table.All() {
		got = append(got, fmt.Sprint(p, " ", v))
	}
	want := "[b.example/a Exact 3 b.example/a Prefix 4 b.example/a Prefix 0 *.example/ Prefix 1]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
	for range table.All() {
		break
	}
}

// A table does not change, whoever reads it, and not with the slice it was made of.
func TestConcurrentUse(t *testing.T) {
	routes := routesOf(oneHost(300))
	table, err := route.NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := newLookups(oneHost(300))
	want := make([]uint32, 2000)
	for i := range want {
		l := list.at(i)
		want[i], _ = table.Lookup(l.host, l.path)
	}
	clear(routes)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range want {
				l := list.at(i)
				if got, _ := table.Lookup(l.host, l.path); got != want[i] {
					t.Errorf("%v: %d, want %d", l, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func TestMillionRoutes(t *testing.T) {
	if testing.Short() || underRace(t) {
		t.Skip("it takes seconds")
	}
	for _, s := range shapes {
		patterns := s.patterns(1_000_000)
		table, err := route.NewTable(routesOf(patterns), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(patterns); i += 997 {
			if got, ok := table.Lookup(patterns[i].Host, patterns[i].Path); !ok || got != uint32(i) {
				t.Fatalf("%v finds %v", patterns[i], patterns[got])
			}
		}
	}
}
