package diff

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
)

// TestGeneratorReaches has pairs of configurations that differ for few requests
// only, and in one word.
func TestGeneratorReaches(t *testing.T) {
	const (
		bfe     = "bfe.ingress.kubernetes.io/rewrite-url."
		traefik = "traefik.ingress.kubernetes.io/"
		twice   = `  - {conditions: [{prefix: /}], services: [{name: other, port: 80}]}`
	)
	web := func(class, host, path, annotations string) string {
		return fmt.Sprintf(`kind: Ingress
metadata: {name: w, annotations: {%s}}
spec:
  ingressClassName: %s
  rules:
  - host: %q
    http: {paths: [{path: %q, pathType: ImplementationSpecific, backend: {service: {name: web, port: {number: 80}}}}]}
`, annotations, class, host, path)
	}
	when := func(match string) string {
		return "kind: HTTPRoute\nmetadata: {name: r}\nspec:\n  hostnames: [h.example]\n  rules:\n  - {matches: [{" + match + "}], backendRefs: [{name: web, port: 80}]}\n  - " + other + "\n"
	}
	header := func(expression string) string {
		return when(fmt.Sprintf("headers: [{name: X, type: RegularExpression, value: %q}]", expression))
	}
	for _, c := range []struct{ name, format, a, b string }{
		{"a regular expression before prefixes", web("traefik", "h.example", "/%s/[0-9]+$", traefik+"router.pathmatcher: PathRegexp"), "a", "b"},
		{"a regular expression with an escape", web("kong", "h.example", "/~/x%%2F%s$", ""), "a", "b"},
		{"a space in a value", header("v1, %s"), "v2", "v3"},
		{"a slash before a value", header("/v%s"), "1", "2"},
		{"the second of two letters", header("v1%s"), "|v2", ""},
		{"a value that has to be escaped", when("queryParams: [{name: q, value: 'a&%s'}]"), "b", "c"},
		{"a header that is not there", "kind: HTTPProxy\nmetadata: {name: p}\nspec:\n  virtualhost: {fqdn: h.example}\n  routes:\n" +
			"  - {conditions: [{prefix: /}, {header: {name: X-%s, notpresent: true}}], services: [{name: web, port: 80}]}\n" + twice, "A", "B"},
		{"behind a header that is not there", "kind: HTTPProxy\nmetadata: {name: p}\nspec:\n  virtualhost: {fqdn: h.example}\n  routes:\n" +
			"  - {conditions: [{prefix: /}, {queryParameter: {name: q, prefix: %s}}], services: [{name: web, port: 80}]}\n" +
			"  - {conditions: [{prefix: /}, {header: {name: X, notpresent: true}}], services: [{name: other, port: 80}]}\n", "t", "u"},
		{"a method that nobody names", "kind: HTTPRoute\nmetadata: {name: r}\nspec:\n  rules:\n" +
			"  - {matches: [{method: GET}, {method: POST}], backendRefs: [{name: web, port: 80}]}\n  - {backendRefs: [{name: %s, port: 80}]}\n", "x", "y"},
		{"many segments", web("bfe", "h.example", "/", bfe+`path-prefix-strip: '[{"params": %s}]'`), "6", "7"},
		{"one prefix behind another", web("bfe", "h.example", "/", bfe+`path-prefix-trim: '[{"params": "/api", "when": "BeforeLocation"}, {"params": "/b/c"}, {"params": "/%s/d", "when": "Forward"}]'`), "v1", "v2"},
		{"a prefix behind a host", web("bfe", "h.example", "/", bfe+`host-from-path-prefix: '[{"params": true}]', `+bfe+`path-prefix-trim: '[{"params": "/%s/z", "order": 1}]'`), "v1", "v2"},
		{"a location in the query", web("bfe", "h.example", "/", "bfe.ingress.kubernetes.io/redirect.url-from-query: %s"), "next", "to"},
		{"a redirect of some URLs", web("traefik", "h.example", "/", traefik+"redirect-regex: '^http://h[.]example/%s/(.*)', "+traefik+"redirect-replacement: 'https://i.example/$1'"), "a", "b"},
		{"a redirect of one host", web("traefik", "", "/a", traefik+"redirect-regex: '^https?://h.example/(.*)', "+traefik+"redirect-replacement: 'https://%s.example/$1'"), "i", "j"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sides [2]*engine.Config
			for i, word := range []string{c.a, c.b} {
				set := manifest.NewSet()
				if err := set.Read("f", fmt.Appendf(nil, c.format, word)); err != nil {
					t.Fatal(err)
				}
				var err error
				if sides[i], err = engine.Load(set, &engine.Options{Hosts: []string{"allowed.example"}}); err != nil {
					t.Fatal(err)
				}
				if len(sides[i].Sites) == 0 {
					t.Fatal(sides[i].Problems)
				}
			}
			d := New(sides[0], sides[1])
			g := NewGenerator(d.A, d.B, 1)
			for range 10_000 {
				r := g.Next()
				if err := d.Compare(&r); err != nil {
					t.Fatal(err)
				}
			}
			if d.Different == 0 {
				t.Error("none of the requests shows the difference")
			}
		})
	}
}
