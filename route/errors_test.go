package route_test

// What NewTable refuses, all of it at once, and that it takes the rest.

import (
	"errors"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/route"
)

func TestErrors(t *testing.T) {
	host := func(h string) route.Route[int] { return route.Route[int]{Pattern: route.Pattern{Host: h}} }
	path := func(t route.PathType, p string) route.Route[int] {
		return route.Route[int]{Pattern: route.Pattern{Path: p, Type: t}}
	}
	when := func(w route.Conditions) route.Route[int] { return route.Route[int]{When: w} }
	for _, tt := range []struct {
		route route.Route[int]
		want  string // parts of the error, in order
	}{
		{host("*"), `route 0: Pattern.Host: "*"…write nothing`},
		{host("*."), `Pattern.Host: "*."…a name is missing`},
		{host("*.*.com"), `Pattern.Host: "*.*.com": byte 2: a wildcard`},
		{host("a.*.com"), `byte 2: a wildcard`},
		{host("*com"), `byte 0: a wildcard is "*." and a name`},
		{host("*.192.0.2.1"), `must be an IPv4 address`},
		{host("*.[::1]"), `Pattern.Host`},
		{host("a..com"), `byte 2: a label is empty`},
		{host("*.a..com"), `byte 4: a label is empty`},
		{host("http://a.com"), `no scheme`},
		{host("a.com:0"), `a port`},
		{host("*.a" + strings.Repeat("a.", 126)), `254 bytes`},
		{host("xn--\xff"), `UTF-8`},
		{path(route.Prefix, "foo"), `Pattern.Path: "foo" does not begin with a slash: write "/foo"`},
		{path(route.Exact, "foo"), `does not begin with a slash`},
		{path(route.Regex, "^/foo"), `"^/foo" does not begin with a slash: write "/foo", which is matched`},
		{path(route.Regex, "(?i)/foo"), `"(?i)/foo" does not begin with a slash: write one in front of flags and groups, as in /(?i)api`},
		{path(route.RegexFirst, "(/a|/b)"), `does not begin with a slash: write one in front of flags and groups`},
		{path(route.Prefix, "/a//b"), `empty segment`},
		{path(route.Exact, "/a/../b"), `dot-segment ".."`},
		{path(route.TextPrefix, "/%2e"), `dot-segment`},
		{path(route.Prefix, "/a?b"), `question mark`},
		{path(route.Prefix, "/a#b"), `%23`},
		{path(route.Prefix, "/%zz"), `% without two hexadecimal digits`},
		{path(route.Prefix, "/\x00"), `control byte`},
		{path(route.Prefix, "/"+strings.Repeat("a", 1<<17)), `at most 65536`},
		{path(route.Regex, "/a("), `missing closing )`},
		{path(route.Regex, "/a)|(/b"), `unexpected )`},
		{path(route.Regex, "/"+strings.Repeat("a", 512)), `is 513 bytes long: at most 512; write a shorter expression`},
		{path(route.Regex, "/b/%61dmin"), `Pattern.Path: "/b/%61dmin" has %61 at offset 3, which nothing matches…'a': write a`},
		{path(route.Regex, "/a%2F|/a%7e+"), `%7e at offset 8…write ~`},
		{path(route.Regex, `/[%2F](\%2E|b)`), `%2E at offset 8…write \.`},
		{path(route.Regex, `/\Q[%61\E`), `%61 at offset 4`},
		{path(route.Regex, `/\Q%61*\E`), `%61 at offset 3`},
		{path(route.Regex, "/a{200}"), `instructions: at most 200`},
		{path(route.RegexFirst, "v1"), `Pattern.Path: "v1" does not begin with a slash: write "/v1"`},
		{path(route.RegexFirst, "^/v1"), `write "/v1", which is matched`},
		{path(route.RegexFirst, "/.*("), `missing closing )`},
		{path(route.RegexFirst, "/%61dmin"), `has %61 at offset 1`},
		{path(route.RegexFirst, "/a{200}"), `instructions: at most 200`},
		{path(5, "/"), `Pattern.Type: unknown PathType(5): write Prefix, Exact, TextPrefix, Regex or RegexFirst`},
		{path(-1, "/"), `Pattern.Type: unknown PathType(-1)`},
		{when(route.Conditions{Scheme: "HTTPS"}), `When.Scheme: "HTTPS": write http or https`},
		{when(route.Conditions{Methods: []string{"GET", ""}}), `When.Methods[1]: the name is empty: write that of a method, such as GET`},
		{when(route.Conditions{Methods: []string{"GET, HEAD"}}), `When.Methods[0]: "GET, HEAD" is not the name of a method, which has no ',' (offset 3)`},
		{when(route.Conditions{Headers: one("a b", route.Present, "")}), `route 0: When.Headers[0].Name: "a b" is not the name of a header, which has no ' ' (offset 1): write one such as X-Canary`},
		{when(route.Conditions{Headers: append(one("a", route.Present, ""), one("b:", route.Present, "")...)}), `When.Headers[1].Name: "b:"…':' (offset 1)`},
		{when(route.Conditions{Cookies: one("\xff", route.Present, "")}), `When.Cookies[0].Name: "\xff" is not the name of a cookie, which has no '\u00ff' (offset 0)`},
		{when(route.Conditions{Cookies: one("", route.Present, "")}), `When.Cookies[0].Name: the name is empty: write that of a cookie`},
		{when(route.Conditions{Query: one("", route.Equals, "1")}), `When.Query[0].Name: the name is empty: write that of a query pair, decoded`},
		{when(route.Conditions{Query: one("a", route.Absent, "1")}), `When.Query[0].Value: "1": Absent compares no value`},
		{when(route.Conditions{Query: one("a", route.Matches, "(")}), `When.Query[0].Value: …missing closing )`},
		{when(route.Conditions{Headers: one("a", route.Matches, strings.Repeat("a", 513))}), `When.Headers[0].Value: "aaa…is 513 bytes long: at most 512; write a shorter expression`},
		{when(route.Conditions{Query: one("a", 5, "")}), `When.Query[0].Test: unknown Test(5)`},
	} {
		table, err := route.NewTable([]route.Route[int]{tt.route, {Pattern: route.Pattern{Host: "good", Path: "/good"}, Value: 1}}, nil)
		if err == nil {
			t.Errorf("%.80v: no error, want %s", tt.route.Pattern, tt.want)
			continue
		}
		rest := err.Error()
		for part := range strings.SplitSeq(tt.want, "…") {
			var ok bool
			if _, rest, ok = strings.Cut(rest, part); !ok {
				t.Errorf("%.80v: %v; want %s", tt.route.Pattern, err, tt.want)
				break
			}
		}
		if len(err.Error()) > 600 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80v: the error has %d bytes", tt.route.Pattern, len(err.Error()))
		}
		if v, ok := table.Lookup("good", "/good"); v != 1 || !ok {
			t.Errorf("%.80v took a good route with it", tt.route.Pattern)
		}
		n := 0
		for range table.All() {
			n++
		}
		if n != 1 {
			t.Errorf("%.80v is in the table", tt.route.Pattern)
		}
	}
}

func TestAllErrors(t *testing.T) {
	_, err := route.NewTable([]route.Route[int]{
		{Pattern: route.Pattern{Host: "a b", Path: "x"}, When: route.Conditions{Scheme: "ftp"}},
		{},
		{Pattern: route.Pattern{Path: "//"}},
	}, nil)
	list, ok := errors.AsType[route.RouteErrors](err)
	if !ok || len(list) != 4 {
		t.Fatalf("%d faults: %v", len(list), err)
	}
	for i, want := range []struct {
		index int
		field string
	}{{0, "Pattern.Host"}, {0, "Pattern.Path"}, {0, "When.Scheme"}, {2, "Pattern.Path"}} {
		if list[i].Index != want.index || list[i].Field != want.field {
			t.Errorf("fault %d is %v", i, list[i])
		}
	}
	if strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("one line each:\n%v", err)
	}
	if _, ok := errors.AsType[*hostname.Error](err); !ok {
		t.Error("the cause is not to be had")
	}
}
