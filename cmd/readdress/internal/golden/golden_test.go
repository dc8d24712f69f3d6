package golden

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
)

func TestNamed(t *testing.T) {
	for _, c := range []struct {
		want, got string
		is        bool
	}{
		{"shop/api:8080", "shop/api:8080", true},
		{"shop/api", "shop/api:8080", true},
		{"api:8080", "shop/api:8080", true},
		{"api", "shop/api:8080", true},
		{"api", "shop/api-next:8080", false},
		{"other/api", "shop/api:8080", false},
		{"api:80", "shop/api:8080", false},
		{"shop", "shop/api:8080", false},
	} {
		if named(c.want, c.got) != c.is {
			t.Errorf("named(%q, %q) is not %v", c.want, c.got, c.is)
		}
	}
}

const routes = `
kind: HTTPRoute
metadata: {name: r}
spec:
  rules:
  - matches: [{path: {value: /a}}]
    filters: [{type: URLRewrite, urlRewrite: {hostname: web.internal, path: {type: ReplacePrefixMatch, replacePrefixMatch: /b}}}]
    backendRefs: [{name: x, port: 80, weight: 1}, {name: y, port: 80, weight: 3}]
  - matches: [{path: {value: /moved}}]
    filters: [{type: RequestRedirect, requestRedirect: {scheme: https, statusCode: 301}}]
  - matches: [{path: {value: /nobody}}]
    backendRefs: [{name: z}]
  - matches: [{path: {value: /neither}}]
    backendRefs: [{name: z}, {name: w}]
`

// run runs a table of one case and returns what does not hold.
func run(t *testing.T, text string) (differences, missed string) {
	t.Helper()
	set := manifest.NewSet()
	if err := set.Read("routes", []byte(routes)); err != nil {
		t.Fatal(err)
	}
	config, err := engine.Load(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Parse("table", []byte("manifests: [routes]\ncases:\n- "+text))
	if err != nil {
		t.Fatal(err)
	}
	coverage := engine.NewCoverage(config)
	var list []string
	for _, f := range table.Run(coverage) {
		for _, d := range f.Differences {
			list = append(list, d.What)
		}
	}
	var units []string
	for _, u := range coverage.Missed() {
		units = append(units, u.What)
	}
	return strings.Join(list, " "), strings.Join(units, ", ")
}

// TestExpectations has for each expectation a case that meets it and one that
// does not.
func TestExpectations(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{request: 'http://h/a/x?q', url: 'http://web.internal/b/x?q'}", ""},
		{"{request: 'http://h/a/x?q', url: 'http://web.internal/b/x'}", "url"},
		{"{request: 'http://h/a', backends: {x: 25, y: 75}}", ""},
		{"{request: 'http://h/a', backends: {x: 50, y: 50}}", "backends"},
		{"{request: 'http://h/a', backends: {x: 100}}", "backends"},
		{"{request: 'http://h/a', backend: x}", "backend"}, // it is not certain
		{"{request: 'http://h/none', backend: '404'}", "backend"},
		{"{request: 'GET   http://h/moved', redirect: '301 https://h/moved'}", ""},
		{"{request: 'http://h/moved', redirect: '301 https://h/moved'}", ""},
		{"{request: 'http://h/moved', redirect: '302 https://h/moved'}", "redirect"},
		{"{request: 'http://h/moved', status: 301}", ""},
		{"{request: 'http://h/moved', url: 'http://h/moved'}", "url"},
		{"{request: 'http://h/a', redirect: '301 https://h/a'}", "redirect"},
		{"{request: 'http://h/nobody', status: 500}", ""},
		{"{request: 'http://h/neither', status: 500, error: 'no endpoint'}", "error"},
		{"{request: 'http://h/neither', status: 500}", ""},
		{"{request: 'http://h/neither', url: 'http://h/neither'}", "url"},
		{"{request: 'http://h/none', status: 404}", ""},
		{"{request: 'http://h/none', status: 200}", "status"},
		{"{request: 'http://h/../a', status: 400, error: dot-segment}", ""},
		{"{request: 'http://h/../a', error: host}", "error"},
		{"{request: 'ftp://h/', status: 400}", "request"},
		{"{request: 'http://h/a', url: 'http://h/b', backends: {x: 1}, status: 404}", "url backends status"},
	} {
		if got, _ := run(t, c.text); got != c.want {
			t.Errorf("%s: %q does not hold, want %q", c.text, got, c.want)
		}
	}
}

func TestCoverage(t *testing.T) {
	all := `route /a Prefix, SetHost("web.internal"), ReplacePathPrefix("/a", "/b"), route /moved Prefix, SetScheme("https"), route /nobody Prefix`
	for text, want := range map[string]string{
		"{request: 'http://h/none', status: 404}": all,
		"{request: 'http://h/a', status: 1}":      `route /moved Prefix, SetScheme("https"), route /nobody Prefix`,
	} {
		_, missed := run(t, text)
		for unit := range strings.SplitSeq(want, ", ") {
			if !strings.Contains(missed, unit) && !strings.HasPrefix(unit, "Set") {
				t.Errorf("%s: %s is not missed\n%s", text, unit, missed)
			}
		}
		if strings.Contains(missed, "route /a ") != strings.Contains(want, "route /a ") {
			t.Errorf("%s misses %s", text, missed)
		}
	}
}

// Shares that are all answered by the proxy, in different ways, are an outcome.
func TestOutcomeOfShares(t *testing.T) {
	for _, c := range []struct {
		want     string
		backends []engine.Backend
	}{
		{"400 or 500", []engine.Backend{{Weight: 1, Status: 400}, {Weight: 2, Status: 500}, {Weight: 1, Status: 400}}},
		{"http://h/a", []engine.Backend{{Weight: 1, Forwarded: "http://h/a"}, {Weight: 1, Status: 500}, {Forwarded: "http://h/b"}}},
		{"http://h/a or http://h/b", []engine.Backend{{Weight: 1_000_000, Percent: 100, Forwarded: "http://h/a"}, {Weight: 1, Forwarded: "http://h/b"}}},
	} {
		if got := Outcome(&engine.Explanation{Backends: c.backends}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
