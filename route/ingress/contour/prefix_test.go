package contour_test

// Prefixes that are replaced.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

func TestReplacePrefix(t *testing.T) {
	for _, c := range []struct{ prefix, with, path, strict, compat string }{
		{"/foo", "/bar", "/foo", "/bar", "/bar"},
		{"/foo", "/bar", "/foo/", "/bar/", "/bar/"},
		{"/foo", "/bar", "/foo/x", "/bar/x", "/bar/x"},
		{"/foo", "/bar", "/foosball", "/barsball", "/barsball"},
		{"/foo", "/bar/", "/foo", "/bar", "/bar"},
		{"/foo", "/", "/foo", "/", "/"},
		{"/foo", "/", "/foosball", "/sball", "/sball"},
		{"/foo/", "/bar", "/foo", "/bar", "/bar"},
		{"/foo/", "/bar", "/foosball", "404", "/barsball"},
		{"/foo/", "/", "/foo/x", "/x", "/x"},
		{"/", "/app", "/x", "/appx", "/appx"},
		{"/", "/app/", "/x", "/app/x", "/app/x"},
		{"/", "/", "/x", "/x", "/x"},
		{"/foo", "/foo", "/foo/x", "/foo/x", "/foo/x"},
	} {
		for mode, want := range map[contour.Mode]string{contour.Strict: c.strict, contour.Compat: c.compat} {
			t.Run(fmt.Sprint(c.prefix, " ", c.with, " ", c.path, " ", mode), func(t *testing.T) {
				p := root(t, `{"conditions": [{"prefix": "`+c.prefix+`"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [{"replacement": "`+c.with+`"}]}}`)
				got := (&contour.Options{Mode: mode}).Translate([]*contour.HTTPProxy{p}, nil)
				if want != "404" {
					want = "http://h" + want
				}
				assert.Equal(t, want, ask(t, got.Entries, "http://h"+c.path, nil))
			})
		}
	}
}

// contour#899 and #3613: //test.
func TestReport30(t *testing.T) {
	p := root(t, `{"conditions": [{"prefix": "/routeapp"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [{"replacement": "/"}]}}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, "http://h/test", ask(t, got.Entries, "http://h/routeapp/test", nil))
}

// contour#6981: /app/v1/docsXyz was rewritten.
func TestReport31(t *testing.T) {
	p := root(t, `{"conditions": [{"prefix": "/app/v1/docs/"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [{"prefix": "/app/v1/docs/", "replacement": "/v1/"}]}}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, "404", ask(t, got.Entries, "http://h/app/v1/docsXyz/page", nil))
	assert.Equal(t, "http://h/v1/page", ask(t, got.Entries, "http://h/app/v1/docs/page", nil))
	compat := (&contour.Options{Mode: contour.Compat}).Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, []ingress.Code{contour.CodeTrailingSlash}, codes(compat.Problems))
}

// A prefix that is cut is an instruction.
func TestInstructions(t *testing.T) {
	for prefix, want := range map[string]string{"/foo/": `trim "/foo"`, "/foo": `text "/foo"`} {
		p := root(t, `{"conditions": [{"prefix": "`+prefix+`"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [{"replacement": "/"}]}}`)
		got := contour.Translate([]*contour.HTTPProxy{p}, nil)
		dump := rewrite.MustCompile(got.Entries[0].Rules, nil).String()
		assert.Contains(t, dump, want)
		assert.NotContains(t, dump, "regex")
	}
}

// Both spellings are routed, so each is what it says and no more.
func TestBothSpellings(t *testing.T) {
	p := root(t, `{"conditions": [{"prefix": "/foo"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [{"replacement": "/bar"}]}},
		{"conditions": [{"prefix": "/foo/"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [{"replacement": "/slash/"}]}}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, "http://h/bar", ask(t, got.Entries, "http://h/foo", nil))
	assert.Equal(t, "http://h/barsball", ask(t, got.Entries, "http://h/foosball", nil))
	assert.Equal(t, "http://h/slash/x", ask(t, got.Entries, "http://h/foo/x", nil))
}

// The other spelling may also be routed by what is included, at any depth.
func TestBothSpellingsOfIncludes(t *testing.T) {
	rewritten := func(prefix, with string) string {
		return `{"conditions": [{"prefix": "` + prefix + `"}], ` + service + `, "pathRewritePolicy": {"replacePrefix": [{"replacement": "` + with + `"}]}}`
	}
	plain := func(prefix string) string {
		return `{"conditions": [{"prefix": "` + prefix + `"}], "services": [{"name": "web", "port": 80}], "requestHeadersPolicy": {"set": [{"name": "Host", "value": "child"}]}}`
	}
	for name, c := range map[string]struct {
		own, child string
		want       map[string]string // by path
	}{
		"without a slash":   {rewritten("/a/foo/", "/"), plain("/foo"), map[string]string{"/a/foo": "child/a/foo", "/a/foosball": "child/a/foosball", "/a/foo/x": "h/x"}},
		"with a slash":      {rewritten("/a/foo", "/bar/"), plain("/foo/"), map[string]string{"/a/foo": "h/bar/", "/a/foosball": "h/bar/sball", "/a/foo/x": "child/a/foo/x"}},
		"of another prefix": {rewritten("/a/foo/", "/"), plain("/fo"), map[string]string{"/a/foo": "h/", "/a/foo/x": "h/x"}},
		"an exact path":     {rewritten("/a/foo/", "/"), strings.Replace(plain("/foo"), "prefix", "exact", 1), map[string]string{"/a/foo": "child/a/foo", "/a/foo/x": "h/x"}},
	} {
		for _, mode := range []contour.Mode{contour.Strict, contour.Compat} {
			t.Run(fmt.Sprint(name, " ", mode), func(t *testing.T) {
				got := (&contour.Options{Mode: mode}).Translate([]*contour.HTTPProxy{
					decode(t, "root", `{"virtualhost": {"fqdn": "h"}, "includes": [{"name": "between"}], "routes": [`+c.own+`]}`),
					decode(t, "between", `{"includes": [{"name": "child", "conditions": [{"prefix": "/a"}]}]}`),
					decode(t, "child", `{"routes": [`+c.child+`]}`),
				}, nil)
				require.Len(t, got.Entries, 2)
				assert.Equal(t, "root", got.Entries[0].Source.Name, "what is its own comes first")
				for path, want := range c.want {
					assert.Equal(t, "http://"+want, ask(t, got.Entries, "http://h"+path, nil), path)
				}
			})
		}
	}
}

// One spelling is routed for two kinds of requests: an object that includes one of
// the routes does in Strict what one with both of them does.
func TestOneSpellingOfIncludes(t *testing.T) {
	rewritten := func(prefix, conditions, with string) string {
		return `{"conditions": [{"prefix": "` + prefix + `"}` + conditions + `], ` + service + `, "pathRewritePolicy": {"replacePrefix": [{"replacement": "` + with + `"}]}}`
	}
	const beta = `{"header": {"name": "X-Beta", "present": true}}`
	for name, list := range map[string][]*contour.HTTPProxy{
		"one object": {root(t, rewritten("/a/foo/", "", "/own/")+", "+rewritten("/a/foo/", ", "+beta, "/child/"))},
		"an include": {
			decode(t, "root", `{"virtualhost": {"fqdn": "h"}, "includes": [{"name": "child", "conditions": [{"prefix": "/a"}, `+beta+`]}], "routes": [`+rewritten("/a/foo/", "", "/own/")+`]}`),
			decode(t, "child", `{"routes": [`+rewritten("/foo/", "", "/child/")+`]}`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := contour.Translate(list, nil)
			require.Len(t, got.Entries, 2)
			for _, path := range []string{"", "/x"} {
				assert.Equal(t, "http://h/own"+path, ask(t, got.Entries, "http://h/a/foo"+path, nil))
				assert.Equal(t, "http://h/child"+path, ask(t, got.Entries, "http://h/a/foo"+path, headers{"X-Beta": "1"}))
			}
		})
	}
}
