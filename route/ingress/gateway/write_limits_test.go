package gateway_test

// What the schema of the API refuses, and so is not written.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

func TestWriteWithinTheSchema(t *testing.T) {
	rules := func(actions ...rewrite.Action) func(*ingress.Entry) {
		return func(e *ingress.Entry) {
			for _, a := range actions {
				e.Rules = append(e.Rules, rewrite.Rule{Action: a})
			}
		}
	}
	header := func(c route.Condition) func(*ingress.Entry) {
		return func(e *ingress.Entry) { e.When.Headers = []route.Condition{c} }
	}
	query := func(c route.Condition) func(*ingress.Entry) {
		return func(e *ingress.Entry) { e.When.Query = []route.Condition{c} }
	}
	location := func(to string) func(*ingress.Entry) {
		return func(e *ingress.Entry) { e.Redirect = &ingress.Redirect{Location: to} }
	}
	for name, c := range map[string]struct {
		change func(*ingress.Entry)
		detail string
	}{
		"underscore in a host": {func(e *ingress.Entry) { e.Pattern.Host = "a_b.example" }, "underscore"},
		"underscore, host set": {rules(rewrite.SetHost("a_b.example")), "underscore"},
		"underscore, redirect": {location("https://a_b.example/"), "underscore"},
		"name of a parameter":  {query(route.Condition{Name: "a b", Value: "c"}), `"a b" is no name`},
		"long parameter":       {query(route.Condition{Name: "a", Value: strings.Repeat("b", 1025)}), "1024"},
		"long name":            {query(route.Condition{Name: strings.Repeat("a", 257), Value: "b"}), "256"},
		"long header":          {header(route.Condition{Name: "a", Value: strings.Repeat("b", 4097)}), "4096"},
		"long quoted header":   {header(route.Condition{Name: "a", Value: strings.Repeat(".", 2048), Test: route.BeginsWith}), "4096"},
		"long expression": {func(e *ingress.Entry) {
			e.Pattern = route.Pattern{Path: "/" + strings.Repeat("[ab]", 256), Type: route.Regex}
		}, "1024"},
		"long text": {func(e *ingress.Entry) {
			e.Pattern = route.Pattern{Path: "/" + strings.Repeat(".", 512), Type: route.TextPrefix}
		}, "1024"},
		"expression that is none": {func(e *ingress.Entry) { e.Pattern = route.Pattern{Path: "/a(", Type: route.Regex} }, "missing closing"},
		"type of a path":          {func(e *ingress.Entry) { e.Pattern.Type = 99 }, "PathType(99)"},
		"weight":                  {func(e *ingress.Entry) { e.Backends[0].Weight = 1_000_001 }, "1000000"},
		"name of a Service":       {func(e *ingress.Entry) { e.Backends[0].Service.Name = "shop.web" }, "no name of a Service"},
		"scheme":                  {func(e *ingress.Entry) { e.When.Scheme = "ftp" }, "http or https"},
		"dot-segment put before":  {rules(rewrite.AddPathPrefix("/../x")), "dot-segment"},
		"no segments to strip":    {rules(rewrite.StripPathSegments(0)), "number of segments"},
		"redirect, long path":     {location("https://x.example/" + strings.Repeat("ß", 512)), "1024"},
		"long path set":           {rules(rewrite.SetPath("/" + strings.Repeat("ß", 512))), "1024"},
		"long wildcard":           {func(e *ingress.Entry) { e.Pattern.Host = "*." + strings.Repeat("ab.", 83) + "abc" }, "253"},
		"redirect, no path":       {location("https://x.example/%zz"), "%25"},
		"redirect, dot-segment":   {location("https://x.example/a/../b"), "dot-segment"},
		"redirect, two slashes":   {location("/a//b"), "empty segment"},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry(route.Pattern{Host: "h", Path: "/a"})
			c.change(&e)
			routes, problems := gateway.Write([]ingress.Entry{e}, &gateway.WriteOptions{Sections: map[string]string{"http": "web", "https": "secure", "ftp": "other"}})
			require.Equal(t, []ingress.Code{gateway.CodeUnsayable}, codes(problems), "%v", problems)
			assert.Contains(t, problems[0].Detail, c.detail)
			assert.Empty(t, routes)
		})
	}
}

// A header field that cannot be written is named, and the others are written.
func TestWriteHeadersWithinTheSchema(t *testing.T) {
	for name, c := range map[string]struct {
		op     ingress.HeaderOp
		detail string
	}{
		"empty":      {ingress.HeaderOp{Name: "A"}, `"A" cannot be set: the value is empty`},
		"long":       {ingress.HeaderOp{Name: "A", Value: strings.Repeat("b", 4097)}, "4096"},
		"long name":  {ingress.HeaderOp{Name: strings.Repeat("a", 257), Value: "b", Op: ingress.AddHeader}, "256"},
		"name":       {ingress.HeaderOp{Name: "a b", Value: "b"}, `"a b" is no name`},
		"line feed":  {ingress.HeaderOp{Name: "A", Value: "b\nc"}, "control byte"},
		"removed":    {ingress.HeaderOp{Name: "a b", Op: ingress.RemoveHeader}, "cannot be removed"},
		"not UTF-8":  {ingress.HeaderOp{Name: "A", Value: "\xff"}, "UTF-8"},
		"added, 17.": {ingress.HeaderOp{Name: "h16", Value: "1"}, "h16 is one too many to be set: at most 16"},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry(route.Pattern{Host: "h", Path: "/a"})
			e.RequestHeaders = append(headers(16), c.op, ingress.HeaderOp{Name: "B", Op: ingress.RemoveHeader})
			routes, problems := gateway.Write([]ingress.Entry{e}, nil)
			require.Equal(t, []ingress.Code{gateway.CodeElsewhere}, codes(problems), "%v", problems)
			assert.Contains(t, problems[0].Detail, c.detail)
			m := routes[0].Rules[0].Filters[0].RequestHeaderModifier
			assert.Len(t, m.Set, 16)
			assert.Equal(t, []string{"B"}, m.Remove)
			assert.Empty(t, gateway.Translate(routes, nil).Problems)
		})
	}
}

// Hosts are written as the API has them: in lower case, and mapped.
func TestWriteHostsAsTheAPI(t *testing.T) {
	set := entry(route.Pattern{Host: "H.example.", Path: "/a"}, rewrite.SetHost("Bücher.example"))
	to := entry(route.Pattern{Host: "h.example", Path: "/b"})
	to.Redirect = &ingress.Redirect{Location: "https://Bücher.example/x"}
	by := entry(route.Pattern{Host: "h.example", Path: "/c"})
	by.Redirect = &ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetHostname("Bücher.example")}}, ListenerPort: true}
	routes, _ := gateway.Write([]ingress.Entry{set, to, by}, nil)
	require.Len(t, routes, 1)
	assert.Equal(t, []string{"h.example"}, routes[0].Hostnames)
	require.Len(t, routes[0].Rules, 3)
	const name = "xn--bcher-kva.example"
	assert.Equal(t, name, routes[0].Rules[0].Filters[0].URLRewrite.Hostname)
	assert.Equal(t, name, routes[0].Rules[1].Filters[0].RequestRedirect.Hostname)
	assert.Equal(t, name, routes[0].Rules[2].Filters[0].RequestRedirect.Hostname)
}

// With one listener named, what is for the other scheme would attach to all, and
// win there where the table has it lose.
func TestWriteNeedsBothSections(t *testing.T) {
	for _, sections := range []map[string]string{{"http": "web"}, {"https": "secure"}} {
		for _, scheme := range []string{"http", "https"} {
			redirect, plain := entry(route.Pattern{Host: "h", Path: "/"}), entry(route.Pattern{Host: "h", Path: "/"})
			redirect.When.Scheme = scheme
			redirect.Redirect = &ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetHost("x.example")}}}
			routes, problems := gateway.Write([]ingress.Entry{redirect, plain}, &gateway.WriteOptions{Sections: sections})
			assert.Equal(t, []ingress.Code{gateway.CodeUnsayable}, codes(problems))
			require.Len(t, routes, 1)
			assert.Len(t, routes[0].Rules, 1)
		}
	}
}
