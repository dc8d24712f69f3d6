package diff

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
)

// routes returns a configuration of one HTTPRoute with these rules, and a rule
// for every other path.
func routes(t *testing.T, rules string) *engine.Config {
	t.Helper()
	set := manifest.NewSet()
	text := "kind: HTTPRoute\nmetadata: {name: r}\nspec:\n  hostnames: [h.example]\n  rules: [" + rules + "]\n"
	if err := set.Read("f", []byte(text)); err != nil {
		t.Fatal(err)
	}
	c, err := engine.Load(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const other = `{backendRefs: [{name: other, port: 80}]}`

func rule(path, backends, filters string) string {
	return fmt.Sprintf(`{matches: [{path: {type: PathPrefix, value: %s}}], backendRefs: [%s], filters: [%s]}, %s`, path, backends, filters, other)
}

const (
	setAB = "{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: A, value: b}, {name: B, value: c}]}}"
	setBA = "{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: B, value: c}, {name: A, value: b}]}}"
)

// addAA adds two fields of one name to the response.
func addAA(first, second string) string {
	return fmt.Sprintf("{type: ResponseHeaderModifier, responseHeaderModifier: {add: [{name: A, value: %s}, {name: a, value: %s}]}}", first, second)
}

const replace = `{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: %s}}}`

// TestDifferences has one pair of configurations for each thing that can differ,
// and pairs that only look different.
func TestDifferences(t *testing.T) {
	base := rule("/a", "{name: web, port: 80}", "")
	redirect := func(filter string) string {
		return fmt.Sprintf(`{matches: [{path: {value: /a}}], filters: [{type: RequestRedirect, requestRedirect: {%s}}]}`, filter)
	}
	for _, c := range []struct{ name, a, b, want string }{
		{"the same", base, base, ""},
		{"order of rules", base, other + ", " + strings.TrimSuffix(base, ", "+other), ""},
		{"order of backends", rule("/a", "{name: x, port: 80}, {name: y, port: 80}", ""), rule("/a", "{name: y, port: 80}, {name: x, port: 80}", ""), ""},
		{"weights in proportion", rule("/a", "{name: x, port: 80, weight: 1}, {name: y, port: 80, weight: 3}", ""), rule("/a", "{name: x, port: 80, weight: 25}, {name: y, port: 80, weight: 75}", ""), ""},
		{"order of equal weights", rule("/a", "{name: u, port: 80}, {name: v, port: 80}, {name: w, port: 80}", ""), rule("/a", "{name: w, port: 80}, {name: v, port: 80}, {name: u, port: 80}", ""), ""},
		{"a backend in two parts", rule("/a", "{name: x, port: 80, weight: 2}, {name: y, port: 80}", ""), rule("/a", "{name: x, port: 80}, {name: y, port: 80}, {name: x, port: 80}", ""), ""},
		{"a share of a millionth", base, rule("/a", "{name: web, port: 80, weight: 999999}, {name: x, port: 80}", ""), "backends"},
		{"a millionth and two", rule("/a", "{name: web, port: 80, weight: 999999}, {name: x, port: 80}", ""), rule("/a", "{name: web, port: 80, weight: 999998}, {name: x, port: 80, weight: 2}", ""), "shares"},
		{"a backend of weight 0", base, rule("/a", "{name: web, port: 80}, {name: x, port: 80, weight: 0}", ""), ""},
		{"a rewrite to itself, of /%61", base, rule("/a", "{name: web, port: 80}", fmt.Sprintf(replace, "/a")), "path"},
		{"backend", base, rule("/a", "{name: web2, port: 80}", ""), "backends"},
		{"port", base, rule("/a", "{name: web, port: 81}", ""), "backends"},
		{"shares", rule("/a", "{name: x, port: 80}, {name: y, port: 80}", ""), rule("/a", "{name: x, port: 80}, {name: y, port: 80, weight: 2}", ""), "shares"},
		{"path", base, rule("/a", "{name: web, port: 80}", fmt.Sprintf(replace, "/b")), "path"},
		{"prefix", base, rule("/ab", "{name: web, port: 80}", ""), "backends"},
		{"host", base, rule("/a", "{name: web, port: 80}", "{type: URLRewrite, urlRewrite: {hostname: i.example}}"), "host"},
		{"response headers", base, rule("/a", "{name: web, port: 80}", "{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: A, value: b}]}}"), "response headers"},
		{"response header names", rule("/a", "{name: web, port: 80}", "{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: A, value: b}]}}"), rule("/a", "{name: web, port: 80}", "{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: a, value: b}]}}"), ""},
		{"order of response headers", rule("/a", "{name: web, port: 80}", setAB), rule("/a", "{name: web, port: 80}", setBA), ""},
		{"order for one response header", rule("/a", "{name: web, port: 80}", addAA("b", "c")), rule("/a", "{name: web, port: 80}", addAA("c", "b")), "response headers"},
		{"status", redirect("hostname: i.example"), redirect("hostname: i.example, statusCode: 301"), "status"},
		{"location", redirect("hostname: i.example"), redirect("hostname: j.example"), "location"},
		{"no route", base, strings.TrimSuffix(base, ", "+other), "status"},
		{"an invalid backend", base, rule("/a", "{name: web}", ""), "status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := New(routes(t, c.a), routes(t, c.b))
			g := NewGenerator(d.A, d.B, 1)
			for range 1000 {
				r := g.Next()
				if err := d.Compare(&r); err != nil {
					t.Fatal(err)
				}
			}
			groups := d.Groups()
			got := ""
			if len(groups) > 0 {
				got = groups[0].What
			}
			if got != c.want || (d.Different > 0) != (c.want != "") {
				t.Errorf("difference %q for %d of %d requests, want %q", got, d.Different, d.Requests, c.want)
			}
			for _, g := range groups {
				if key, err := d.key(&g.Request); err != nil || key.what != g.What {
					t.Errorf("%s differs in %q, %v; the shortened request is of %q", g.Request.URL, key.what, err, g.What)
				}
			}
		})
	}
}

func TestShorten(t *testing.T) {
	d := New(routes(t, rule("/api", "{name: web, port: 80}", "")), routes(t, rule("/api", "{name: web, port: 80}", fmt.Sprintf(replace, "/v2"))))
	long := engine.Request{
		Method: "POST", URL: "https://H.EXAMPLE:8443/api/a/b/c/d.html?x=1&y=2&z",
		Headers: []engine.Header{{Name: "A", Value: "b"}, {Name: "C", Value: "d"}},
	}
	if err := d.Compare(&long); err != nil {
		t.Fatal(err)
	}
	got := d.Groups()[0].Request
	if got.URL != "http://h.example/api" || got.Method != "" || len(got.Headers) != 0 {
		t.Errorf("shortened to %+v", got)
	}
}

// TestGeneratorRepeats wants the same requests for the same seed, and others for
// another.
func TestGeneratorRepeats(t *testing.T) {
	c := routes(t, rule("/a", "{name: web, port: 80}", ""))
	list := func(seed uint64) string {
		var b strings.Builder
		g := NewGenerator(c, c, seed)
		for range 200 {
			r := g.Next()
			fmt.Fprintln(&b, r)
		}
		return b.String()
	}
	first := list(1)
	if list(1) != first {
		t.Error("the same seed gives other requests")
	}
	if list(2) == first {
		t.Error("another seed gives the same requests")
	}
}

func TestSample(t *testing.T) {
	g := &Generator{rng: rand.New(rand.NewPCG(1, 1))}
	for _, expression := range []string{
		`/a(/|$)(.*)`, `/v[0-9]+/x`, `/(foo|bar)?/baz{2,3}`, `/[^/]+/[a-z]{1,5}`, `/\d+\.html`, `/x*y+z?`, `/(?i)abc`,
	} {
		re := regexp.MustCompile("^(?:" + expression + ")")
		matched := 0
		for range 200 {
			if re.MatchString(g.sample(expression)) {
				matched++
			}
		}
		if matched < 100 { // assertions in the middle are not looked at
			t.Errorf("only %d of 200 samples match %s", matched, expression)
		}
	}
	if got := g.sample("("); got != "/" {
		t.Errorf("a broken expression gives %q", got)
	}
}
