package bfe

// Each command and each way of a parameter through the conversion.

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

func TestWriteAction(t *testing.T) {
	under := func(path string) known { return knownOf(route.Pattern{Path: path}) }
	seen := make(map[string]bool)
	for _, c := range []struct {
		action rewrite.Action
		known  known
		want   []action
		fault  bool
	}{
		{rewrite.SetHost("www.Example.com:8080"), known{}, []action{{"HOST_SET", []string{"www.example.com:8080"}}}, false},
		{rewrite.SetHost("bücher.example"), known{}, []action{{"HOST_SET", []string{"xn--bcher-kva.example"}}}, false},
		{rewrite.HostFromPathPrefix(), known{}, []action{{"HOST_SET_FROM_PATH_PREFIX", []string{}}}, false},

		{rewrite.SetPath("/index"), known{}, []action{{"PATH_SET", []string{"/index"}}}, false},
		{rewrite.SetPath("/a%20b%25"), known{}, []action{{"PATH_SET", []string{"/a b%"}}}, false},
		{rewrite.SetPath("/a b"), known{}, []action{{"PATH_SET", []string{"/a b"}}}, false},
		{rewrite.SetPath("/a%3Fb"), known{}, []action{{"PATH_SET", []string{"/a?b"}}}, false},
		{rewrite.SetPath("/%E6%90%9C"), known{}, []action{{"PATH_SET", []string{"/搜"}}}, false},
		{rewrite.SetPath("/a%2Fb"), known{}, nil, true},
		{rewrite.SetPath("/%e6%90%9c"), known{}, nil, true}, // BFE sends upper-case digits
		{rewrite.SetPath("/%41"), known{}, nil, true},
		{rewrite.SetPath("/a%3Bb"), known{}, nil, true},
		{rewrite.SetPath("/%FF"), known{}, nil, true},

		{rewrite.AddPathPrefix("/service"), known{}, []action{{"PATH_PREFIX_ADD", []string{"/service/"}}}, false},
		{rewrite.AddPathPrefix("service/"), known{}, []action{{"PATH_PREFIX_ADD", []string{"/service/"}}}, false},
		{rewrite.AddPathPrefix("/a%20b"), known{}, []action{{"PATH_PREFIX_ADD", []string{"/a b/"}}}, false},
		{rewrite.AddPathPrefix("/"), known{}, []action{{"PATH_PREFIX_ADD", []string{"/"}}}, false},
		{rewrite.AddPathPrefix("/a%2F"), known{}, nil, true},

		{rewrite.TrimPathPrefix("/foo/"), under("/foo/bar"), []action{{"PATH_PREFIX_TRIM", []string{"/foo"}}}, false},
		{rewrite.TrimPathPrefix("foo"), under("/foo"), []action{{"PATH_PREFIX_TRIM", []string{"/foo"}}}, false},
		{rewrite.TrimPathPrefix("/%66o%20o"), under("/fo o"), []action{{"PATH_PREFIX_TRIM", []string{"/fo o"}}}, false},
		{rewrite.TrimPathPrefix("/bar"), under("/foo"), []action{{"PATH_PREFIX_TRIM", []string{"/bar"}}}, false},
		{rewrite.TrimPathPrefix("/"), known{}, []action{{"PATH_PREFIX_ADD", []string{"/"}}}, false}, // both do nothing
		{rewrite.TrimPathPrefix("/foo"), known{}, nil, true},
		{rewrite.TrimPathPrefix("/foo"), under("/foobar"), nil, true},
		{rewrite.TrimPathPrefix("/a", "/b"), under("/a"), nil, true},
		{rewrite.TrimPathPrefix("/a%2Fb"), under("/a%2Fb"), nil, true},
		{rewrite.TrimPathText("/foo/"), known{}, []action{{"PATH_PREFIX_TRIM", []string{"/foo/"}}}, false},

		{rewrite.StripPathSegments(1), under("/foo/bar"), []action{{"PATH_PREFIX_TRIM", []string{"/foo"}}}, false},
		{rewrite.StripPathSegments(2), under("/foo/bar"), []action{{"PATH_PREFIX_TRIM", []string{"/foo/bar"}}}, false},
		{rewrite.StripPathSegments(3), under("/foo/bar"), nil, true},
		{rewrite.StripPathSegments(1), known{}, nil, true},

		{rewrite.AddQuery("k e", "a&b=c"), known{}, []action{{"QUERY_ADD", []string{"k%20e", "a%26b%3Dc"}}}, false},
		{rewrite.AddQuery("k", ""), known{}, nil, true},
		{rewrite.RenameQuery("old", "n w"), known{}, []action{{"QUERY_RENAME", []string{"old", "n%20w"}}}, false},
		{rewrite.DeleteQuery("a", "b"), known{}, []action{{"QUERY_DEL", []string{"a", "b"}}}, false},
		{rewrite.DeleteQuery("a+b"), known{}, nil, true},
		{rewrite.KeepQuery("a", "b"), known{}, []action{{"QUERY_DEL_ALL_EXCEPT", []string{"a", "b"}}}, false},
		{rewrite.KeepQuery("a", "ü"), known{}, nil, true},
		{rewrite.DropQuery(), known{}, []action{{"QUERY_DEL_ALL_EXCEPT", nil}}, false},

		{rewrite.SetHostname("a.com"), known{}, nil, true},
		{rewrite.SetPort("80"), known{}, nil, true},
		{rewrite.ReplaceHostSuffix("a.com", "b.com"), known{}, nil, true},
		{rewrite.ReplacePathPrefix("/a", "/b"), under("/a"), nil, true},
		{rewrite.ReplacePathText("/a", "/b"), under("/a"), nil, true},
		{rewrite.RewritePath("^/a", "/b"), under("/a"), nil, true},
		{rewrite.ReplacePathRegex("a", "b"), under("/a"), nil, true},
		{rewrite.SetQuery("a", "b"), known{}, nil, true},
		{rewrite.SetScheme("https"), known{}, nil, true},
	} {
		t.Run(c.action.String(), func(t *testing.T) {
			got, code, fault := writeAction(c.action, c.known)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.fault, fault != "", fault)
			assert.Equal(t, c.fault, code != "")
		})
		for _, a := range c.want {
			seen[a.cmd] = true
		}
	}
	for _, c := range commands {
		assert.True(t, seen[c.name], "no row writes %s", c.name)
	}
}

func TestReadParam(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range []struct{ cmd, param, want, fault string }{
		{"HOST_SET", "a.com:81", "a.com:81", ""},
		{"PATH_SET", "/a b", "/a b", ""},
		{"PATH_SET", "/a%20b", "/a%2520b", ""},
		{"PATH_SET", "/a?b#c", "/a%3Fb%23c", ""},
		{"PATH_SET", "/a\n", "/a%0A", ""},
		{"PATH_PREFIX_ADD", "/bar/", "/bar", ""},
		{"PATH_PREFIX_ADD", "/bar", "/bar", ""},
		{"PATH_PREFIX_ADD", "index/", "/index", ""},
		{"PATH_PREFIX_ADD", "/", "/", ""},
		{"PATH_PREFIX_ADD", "//", "", "empty segment"}, // BFE makes //x of /x
		{"PATH_PREFIX_ADD", "/a//", "", "empty segment"},
		{"PATH_PREFIX_ADD", "a//b/", "", "empty segment"},
		{"PATH_PREFIX_TRIM", "/foo/", "/foo/", ""},
		{"PATH_PREFIX_TRIM", "/50%", "/50%25", ""},
		{"QUERY_ADD", "a%20b+c", "a b c", ""},
		{"QUERY_ADD", "a=b", "a=b", ""},
		{"QUERY_ADD", "a&b", "", "would not stay"},
		{"QUERY_ADD", "a b", "", "would not stay"},
		{"QUERY_ADD", "a;b", "", "would not stay"},
		{"QUERY_ADD", "a#b", "", "would not stay"},
		{"QUERY_ADD", "a%zz", "", "hexadecimal"},
		{"QUERY_ADD", "%FF", "", "UTF-8"},
		{"QUERY_RENAME", "my%20key", "my key", ""},
		{"QUERY_DEL", "a-b_c.d~", "a-b_c.d~", ""},
		{"QUERY_DEL", "a%20b", "", "cannot be named"},
		{"QUERY_DEL_ALL_EXCEPT", "id", "id", ""},
		{"QUERY_DEL_ALL_EXCEPT", "my+key", "", "cannot be named"},
	} {
		t.Run(c.cmd+" "+c.param, func(t *testing.T) {
			got, fault := commandNamed(c.cmd).param.read(c.param)
			if c.fault != "" {
				assert.Contains(t, fault, c.fault)
				return
			}
			assert.Empty(t, fault)
			assert.Equal(t, c.want, got)
		})
		seen[c.cmd] = true
	}
	for _, c := range commands {
		assert.True(t, seen[c.name] || c.params == 0, "no row reads %s", c.name)
	}
}

func TestCommandNamed(t *testing.T) {
	for name, want := range map[string]string{
		"HOST_SET": "HOST_SET", "host_set": "HOST_SET", "Path_Prefix_Trim": "PATH_PREFIX_TRIM",
		"RAW_QUERY_ADD": "QUERY_ADD", "RAW_QUERY_RENAME": "QUERY_RENAME", "raw_query_del": "QUERY_DEL",
		"RAW_QUERY_DEL_ALL_EXCEPT": "QUERY_DEL_ALL_EXCEPT",
	} {
		c := commandNamed(name)
		if assert.NotNil(t, c, name) {
			assert.Equal(t, want, c.name)
		}
	}
	for _, name := range []string{"", "CLOSE", "PASS", "FINISH", "REQ_HEADER_SET", "HOST_SUFFIX_REPLACE", "PATH_STRIP", "URL_SET", "RAW_PATH_SET", "RAW_"} {
		assert.Nil(t, commandNamed(name), name)
	}
}
