package livetest

// Which location of nginx a path takes, and which route of a table.

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// locations are told apart by their index. A table looks for an exact path, then
// for the longest prefix, then for expressions in order, as nginx does if its
// prefixes have ^~.
var locations = []struct {
	nginx   string
	pattern route.Pattern
}{
	{"= /", route.Pattern{Path: "/", Type: route.Exact}},
	{"= /api", route.Pattern{Path: "/api", Type: route.Exact}},
	{"= /a/b", route.Pattern{Path: "/a/b", Type: route.Exact}},
	{"^~ /api", route.Pattern{Path: "/api", Type: route.TextPrefix}},
	{"^~ /api/v1", route.Pattern{Path: "/api/v1", Type: route.TextPrefix}},
	{"^~ /a/", route.Pattern{Path: "/a/", Type: route.TextPrefix}},
	{"^~ /a/b/c", route.Pattern{Path: "/a/b/c", Type: route.TextPrefix}},
	{"~ ^/[a-z]+/[0-9]+$", route.Pattern{Path: "/[a-z]+/[0-9]+$", Type: route.Regex}},
	{"~ ^/b(/|$)", route.Pattern{Path: "/b(/|$)", Type: route.Regex}},
	{`~ ^/.*\.php$`, route.Pattern{Path: `/.*\.php$`, Type: route.Regex}},
	{"~ ^/b", route.Pattern{Path: "/b", Type: route.Regex}},
	{`~* ^/Image\.(png|gif)$`, route.Pattern{Path: `/(?i)Image\.(png|gif)$`, Type: route.Regex}},
}

func TestNginxLocations(t *testing.T) {
	addr := freeAddr(t)
	var config strings.Builder
	fmt.Fprintf(&config, "server {\nlisten %s;\nlocation / {\nreturn 200 none;\n}\n", addr)
	var routes []route.Route[string]
	for i, l := range locations {
		fmt.Fprintf(&config, "location %s {\nreturn 200 %d;\n}\n", l.nginx, i)
		routes = append(routes, route.Route[string]{Pattern: l.pattern, Value: strconv.Itoa(i)})
	}
	config.WriteString("}\n")
	table, err := route.NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	nginx := startNginx(t, addr, config.String())
	d := newDiffer(t, "nginx location", []kind{
		nul, aboveRoot,
		{"escaped slash", func(_ *rule, target, _, _ string) bool { return containsFold(target, "%2f") }},
		{"line end", func(_ *rule, target, _, _ string) bool { return containsFold(target, "%0a") }},
	})
	in := &rewrite.Input{DotSegments: rewrite.ResolveDotSegments, MergeSlashes: true}
	rules := []rule{{name: "table", config: "locations of all kinds"}}
	ask := func(_ int, target string) (theirs, mine string) {
		resp, body := nginx.get("table", target, nil)
		if theirs = body; resp.StatusCode != 200 {
			theirs = strconv.Itoa(resp.StatusCode)
		}
		u, err := rewrite.ParseTarget("http", "table", target)
		if err == nil {
			err = in.Clean(&u, nil)
		}
		if err != nil {
			return theirs, "400"
		}
		if value, ok := table.Match(&u, nil); ok {
			return theirs, value
		}
		return theirs, "none"
	}
	rng := rand.New(rand.NewPCG(23, 24))
	starts := []string{"/", "/api", "/api/", "/a/", "/a/b", "/b", "/image.", "/IMAGE.", "/%61pi", "//a", "/x/../a/b"}
	pieces := []string{"a", "b", "/", "/", "v1", "1", "23", ".php", "png", "GIF", ".", "/./", "%2F", "%2e", "%31", "%20", "%0A", "x", "/c", "c/", "%70hp", "%3F", ";", "~", "-", "_", "é", "%00"}
	d.run(rules, rng, starts, pieces, []string{"a", "/b", "="}, ask)
}
