package rewrite_test

import (
	"testing"

	"github.com/readdress/readdress/rewrite"
)

func TestParseTarget(t *testing.T) {
	type U = rewrite.URL
	for _, c := range []struct {
		target string
		want   U // zero: ErrTarget
	}{
		{"/a?b", U{Scheme: "https", Host: "H:8", Path: "/a", RawQuery: "b"}},
		{"", U{Scheme: "https", Host: "H:8", Path: "/"}},
		{"/?", U{Scheme: "https", Host: "H:8", Path: "/", ForceQuery: true}},
		{"?", U{Scheme: "https", Host: "H:8", Path: "/", ForceQuery: true}},
		{"?a/b", U{Scheme: "https", Host: "H:8", Path: "/", RawQuery: "a/b"}},
		{"//x/y?", U{Scheme: "https", Host: "H:8", Path: "//x/y", ForceQuery: true}},
		{"/a??b", U{Scheme: "https", Host: "H:8", Path: "/a", RawQuery: "?b"}},
		{"/a#b", U{Scheme: "https", Host: "H:8", Path: "/a#b"}},
		{"/a?b#c", U{Scheme: "https", Host: "H:8", Path: "/a", RawQuery: "b#c"}},
		{"/http://o/p", U{Scheme: "https", Host: "H:8", Path: "/http://o/p"}},
		{"http://o/p?q", U{Scheme: "http", Host: "o", Path: "/p", RawQuery: "q"}},
		{"HTTP://o:80", U{Scheme: "http", Host: "o:80", Path: "/"}},
		{"hTTps://o?", U{Scheme: "https", Host: "o", Path: "/", ForceQuery: true}},
		{"http://u@o/p#f", U{Scheme: "http", Host: "u@o", Path: "/p#f"}},
		{`http://o\x/y`, U{Scheme: "http", Host: `o\x`, Path: "/y"}},
		{"*", U{}}, {"o:443", U{}}, {"a", U{}}, {" /", U{}}, {"*/", U{}}, {"http", U{}}, {"http:", U{}}, {"http:o", U{}},
		{"http:/o", U{}}, {"http://", U{}}, {"http:///a", U{}}, {"http://?a", U{}}, {"http://#a", U{}}, {"http://o#a", U{}},
		{"ws://o/", U{}}, {"ftp://o/", U{}}, {"://o/", U{}}, {"httpss://o/", U{}},
	} {
		u, err := rewrite.ParseTarget("https", "H:8", c.target)
		if u != c.want || (err == rewrite.ErrTarget) != (c.want == U{}) {
			t.Errorf("%q is %#v, %v; want %#v", c.target, u, err, c.want)
		}
		absolute, err := rewrite.Parse(c.target)
		if c.want.Host == "H:8" {
			c.want = U{}
		}
		if absolute != c.want || (err == rewrite.ErrTarget) != (c.want == U{}) {
			t.Errorf("absolute %q is %#v, %v; want %#v", c.target, absolute, err, c.want)
		}
	}
}

func TestURLString(t *testing.T) {
	for _, c := range []struct {
		u                rewrite.URL
		target, absolute string
	}{
		{rewrite.URL{}, "", ""},
		{rewrite.URL{Path: "/a", RawQuery: "b"}, "/a?b", "/a?b"},
		{rewrite.URL{Host: "h", Path: "/a"}, "/a", "//h/a"},
		{rewrite.URL{Scheme: "http", Host: "h:80", Path: "/", ForceQuery: true}, "/?", "http://h:80/?"},
		{rewrite.URL{Scheme: "http", Host: "h", Path: "//a", RawQuery: "?", ForceQuery: true}, "//a??", "http://h//a??"},
		{rewrite.URL{Path: "*"}, "*", "*"},
		{rewrite.URL{Host: "h", Path: "*"}, "*", "//h"},
		{rewrite.URL{Scheme: "http", Host: "h", Path: "*", RawQuery: "a"}, "*?a", "http://h"},
	} {
		if got := string(c.u.AppendTarget([]byte("x"))); got != "x"+c.target {
			t.Errorf("the target of %#v is %q, want x%s", c.u, got, c.target)
		}
		if got := string(c.u.AppendTo([]byte("x"))); got != "x"+c.absolute {
			t.Errorf("the absolute form of %#v is %q, want x%s", c.u, got, c.absolute)
		}
		if got := c.u.String(); got != c.absolute {
			t.Errorf("%#v is %q, want %s", c.u, got, c.absolute)
		}
	}
}
