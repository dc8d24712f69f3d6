package contour_test

// Objects that multiply, and whom that concerns.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

// repeat returns n times a piece of JSON, with commas between.
func repeat(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }

// What is wrong with an object is told once, however often it is included.
func TestFaultsAreToldOnce(t *testing.T) {
	for name, route := range map[string]string{
		"conditions":  `{"conditions": [` + repeat(1000, `{"prefix": "/"}`) + `], ` + service + `}`,
		"two":         `{"conditions": [{"prefix": "/a"}, {"prefix": "/b"}], ` + service + `}`,
		"weight":      `{"services": [{"name": "web", "port": 80, "weight": -1}]}`,
		"header":      `{` + service + `, "requestHeadersPolicy": {"set": [{"name": "a b", "value": ""}]}}`,
		"dot-segment": `{"conditions": [{"prefix": "/a/../b"}], ` + service + `}`,
		"rewrite":     `{"pathRewritePolicy": {"replacePrefix": [{"replacement": "/a?b"}]}, ` + service + `}`,
		"certificate": `{"services": [{"name": "web", "port": 80, "validation": {"caSecret": "c a"}}]}`,
		"missing":     `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			root := decode(t, "root", `{"virtualhost": {"fqdn": "h"}, "includes": [`+repeat(2000, `{"name": "b", "conditions": [{"prefix": "/c"}]}`)+`]}`)
			child := decode(t, "b", `{"routes": [`+route+`]}`)
			got := contour.Translate([]*contour.HTTPProxy{root, child}, nil)
			var told []ingress.Problem
			for _, p := range got.Problems {
				if p.Code != contour.CodeLimit {
					told = append(told, p)
				}
			}
			require.Len(t, told, 1)
			assert.Equal(t, "b", told[0].Source.Name)
		})
	}
}

// The spellings of prefixes are looked for in time linear in the conditions.
func TestManyPathConditions(t *testing.T) {
	long := `{"conditions": [` + repeat(20_000, `{"prefix": "/abcdefgh"}`) + `], ` + service + `}`
	got := contour.Translate([]*contour.HTTPProxy{root(t, long)}, nil)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "spec.routes[0].conditions", got.Problems[0].Origin.Key)
	assert.Contains(t, got.Problems[0].Detail, "at most 64")
}

// A root that multiplies takes nothing from another, and says that it is cut.
func TestRootsDoNotStarveOthers(t *testing.T) {
	include := func(namespace string, n int) []*contour.HTTPProxy {
		child := decode(t, "child", `{"routes": [`+repeat(150, `{`+service+`}`)+`]}`)
		root := decode(t, "root", `{"virtualhost": {"fqdn": "`+namespace+`"}, "routes": [{"conditions": [{"prefix": "/own"}], `+service+`}], "includes": [`+
			repeat(n, `{"name": "child", "conditions": [{"prefix": "/a"}]}`)+`]}`)
		child.Namespace, root.Namespace = namespace, namespace
		return []*contour.HTTPProxy{root, child}
	}
	objects := append(include("evil", 400), include("good", 2)...)
	objects = append(objects, decode(t, "large", `{"routes": [`+repeat(5000, `{`+service+`}`)+`]}`))
	objects[4].Namespace = "good"
	objects[2].Includes = append(objects[2].Includes, contour.Include{Name: "large"})
	got := contour.Translate(objects, nil)
	var cut []ingress.Source
	for _, p := range got.Problems {
		require.Equal(t, contour.CodeLimit, p.Code)
		assert.Equal(t, ingress.Error, p.Severity)
		cut = append(cut, p.Source)
	}
	assert.Equal(t, []ingress.Source{{Kind: "HTTPProxy", Namespace: "evil", Name: "root", Rule: -1, Path: -1}}, cut)
	good := 0
	for _, e := range got.Entries {
		if e.Pattern.Host == "good" {
			good++
		}
	}
	assert.Equal(t, 1+2*150+5000, good)

	// Many roots that multiply are each cut, and each said to be.
	objects = nil
	for i := range 20 {
		objects = append(objects, include(fmt.Sprintf("evil-%02d", i), 400)...)
	}
	got = contour.Translate(objects, nil)
	assert.Len(t, got.Problems, 20)
	assert.Less(t, len(got.Entries), 75_000)
}
