package main

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/readdress/readdress/annotation"
)

// routes is a manifest with one Ingress whose service names its route. A
// route is written "host path [pathType]"; host - is any.
func routes(list ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec:\n  rules:\n")
	for i, r := range list {
		f := strings.Fields(r + " Prefix")
		fmt.Fprintf(&b, "    - {host: %q, http: {paths: [{path: %q, pathType: %s, backend: {service: {name: r%d, port: {number: 80}}}}]}}\n",
			strings.TrimPrefix(f[0], "-"), f[1], f[2], i)
	}
	return b.String()
}

// mustLoad loads a manifest that has no faults.
func mustLoad(t *testing.T, l *loader, manifest string) *config {
	t.Helper()
	c, err := l.load("m.yaml", []byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	if c.faulty {
		t.Fatal(strings.Join(c.problems, "\n"))
	}
	return c
}

func TestUpstreamAddress(t *testing.T) {
	for _, tt := range []struct{ service, want string }{
		{"plain", "plain.shop.svc.cluster.local:8080"},
		{"given", "127.0.0.1:1"},
		{"narrow", "127.0.0.1:2"},
	} {
		l := newLoader()
		l.upstreams = map[string]string{"given": "127.0.0.1:1", "narrow": "127.0.0.1:1", "shop/narrow": "127.0.0.1:2", "else/plain": "127.0.0.1:3"}
		manifest := strings.NewReplacer("name: test", "namespace: shop", "name: svc", "name: "+tt.service, "80", "8080").Replace(oneRoute())
		c := mustLoad(t, &l, manifest)
		d, err := c.decide(httptest.NewRequest("GET", "http://shop.example/", nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := d.site.upstreams[d.backend].String(); got != "http://"+tt.want {
			t.Errorf("%s: got %s, want http://%s", tt.service, got, tt.want)
		}
	}
}

// A List, other kinds, empty documents, anchors and block scalars are what
// real manifests have.
func TestManifestForms(t *testing.T) {
	manifest := `# a comment
---
kind: Service
metadata: {name: x}
---
apiVersion: v1
kind: List
items:
  - apiVersion: networking.k8s.io/v1
    kind: Ingress
    metadata:
      name: a
      creationTimestamp: 2026-01-02T03:04:05Z
      annotations:
        unrelated: &path |
          [{"params":
            "/set"}]
        bfe.ingress.kubernetes.io/rewrite-url.path: *path
    spec:
      rules: [{host: a.example, http: {paths: [{path: /, backend: {service: {name: svc, port: {number: 80}}}}]}}]
---
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: b
  annotations:
spec:
  rules: [{host: b.example, http: {paths: [{path: /, backend: {service: {name: svc, port: {number: 80}}}}]}}]
`
	l := newLoader()
	c := mustLoad(t, &l, manifest)
	for host, want := range map[string]string{"a.example": "/set", "b.example": "/x"} {
		d, err := c.decide(httptest.NewRequest("GET", "http://"+host+"/x", nil))
		if err != nil || d.url.Path != want {
			t.Errorf("%s: got %s, %v, want %s", host, d.url.Path, err, want)
		}
	}
}

// What is not YAML, or has no Ingress, cannot be loaded.
func TestNotAManifest(t *testing.T) {
	for _, tt := range []struct{ name, manifest, want string }{
		{"empty", "", "m.yaml: there is no object in this manifest"},
		{"no kind", "a: b\n", "m.yaml: there is no object in this manifest"},
		{"no Ingress", "kind: Service\nmetadata: {name: x}\n", "m.yaml: there is no Ingress in this manifest"},
		{"YAML syntax", "a: b\nc: d: e\n", "m.yaml: yaml: line 2: mapping values are not allowed in this context"},
		{"YAML anchor", "a: b\nc: *nowhere\n", "m.yaml: yaml: unknown anchor 'nowhere' referenced"},
		{"control byte", "a: b\nc: \x01\n", "m.yaml:2: control byte or invalid UTF-8"},
		{"invalid UTF-8", "a: b\n\nc: \xff\n", "m.yaml:3: control byte or invalid UTF-8"},
		{"syntax behind an Ingress", oneRoute() + "---\na: b: c\n", "m.yaml: yaml: line 14: mapping values are not allowed in this context"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLoader()
			c, err := l.load("m.yaml", []byte(tt.manifest))
			if c != nil || err == nil || err.Error() != tt.want {
				t.Errorf("got %v, %v, want %s", c, err, tt.want)
			}
		})
	}
}

// Each manifest has faults of its own. They are listed with their lines, and the
// Ingress beside them is served.
func TestFaults(t *testing.T) {
	const p = annotation.DefaultPrefix
	for _, tt := range []struct {
		name, manifest string
		want           []string // without the file, in any order; … is any text
	}{
		{"annotation without quotes", oneRoute(`path: [{"params": "/x"}]`),
			[]string{"6: error: Ingress default/test: " + p + "path: the value is not a string: put it in single quotes"}},
		{"annotations without quotes", oneRoute(`path: 1`, `host: true`), []string{
			"6: error: Ingress default/test: " + p + "path: the value is not a string: put it in single quotes",
			"7: error: Ingress default/test: " + p + "host: the value is not a string: put it in single quotes",
		}},
		{"an annotation twice", oneRoute(`path: '[]'`, `path: '[]'`), []string{"1: error: an object is not served: …"}},
		{"annotations that are none", "kind: Ingress\nmetadata: {annotations: none}\n", []string{"1: error: an object is not served: …"}},
		{"kind", "kind: [Ingress]\n", []string{"1: error: an object is not served: …"}},
		{"no object", "- kind: Ingress\n", []string{"1: error: what is here is no object"}},
		{"no kind, beside an Ingress", "Kind: Ingress\n", []string{"1: error: an object without a kind is not served"}},
		{"routes that are no Ingress", "kind: HTTPRoute\nmetadata: {name: r}\n",
			[]string{"1: error: HTTPRoute default/r: it is not served: this gateway reads Ingresses alone"}},
		{"items", "kind: IngressList\nitems: {a: b}\n", []string{"1: error: an object is not served: …"}},
		{"the same Ingress twice", oneRoute() + "---\n" + strings.Replace(oneRoute(), "shop.example", "other.example", 1),
			[]string{"1: error: Ingress default/test: duplicate-ingress: … (also at line 14)"}},
		{"wrong type", strings.Replace(oneRoute(), "number: 80", "number: web", 1),
			[]string{"1: error: Ingress default/test: ingress: …"}},
		{"path", routes("a.example x", "a.example /ok"),
			[]string{"5: error: Ingress default/ rules[0].paths[0]: …: write \"/x\"; this path is not served"}},
		{"host", routes("a_b!.example /"),
			[]string{"5: error: Ingress default/ rules[0].paths[0]: …'!' is not allowed in a host; this path is not served"}},
		{"path type", routes("a.example /y Regex"),
			[]string{"5: warning: Ingress default/ rules[0].paths[0]: path-type: …"}},
		{"the same route twice", routes("a.example /x", "a.example /x/"),
			[]string{"6: warning: Ingress default/ rules[1].paths[0]: shadowed: …"}},
		{"unknown class", strings.Replace(oneRoute(), "spec:\n", "spec:\n  ingressClassName: other\n", 1),
			[]string{"1: warning: Ingress default/test: unmatched: …"}},
		{"no service", strings.Replace(oneRoute(), "name: svc, ", "", 1),
			[]string{"11: error: Ingress default/test rules[0].paths[0]: bad-name: …"}},
		{"named port", strings.Replace(oneRoute(), "number: 80", "name: web", 1),
			[]string{"11: error: Ingress default/test rules[0].paths[0]: unresolved-port: …"}},
		{"unknown annotation", oneRoute(`path-add: '[{"params": "/x"}]'`),
			[]string{"6: error: Ingress default/test: " + p + "path-add: …write " + p + "path-prefix-add"}},
		{"annotation on several lines", oneRoute("path: >-\n      [{\"params\": \"/service\"\n        \"when\": \"Forward\"}]"),
			[]string{"6: error: Ingress default/test: " + p + "path at offset 25: …\n\t  \"when\": \"Forward\"}]\n\t  ^"}},
		{"every fault", oneRoute(`path: '[{"params": 1}]'`, `host: '[{"params": null}]'`), []string{
			"6: error: Ingress default/test: " + p + "path at offset 12: …\n\t[{\"params\": 1}]\n\t            ^",
			"7: error: Ingress default/test: " + p + "host at offset 12: …",
		}},
		{"by its alias", oneRoute(`host: &list '[]'`, `path: *list`),
			[]string{"6: error: Ingress default/test: " + p + "host at offset 1: …", "7: error: Ingress default/test: " + p + "path at offset 1: …"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			good := strings.NewReplacer("shop.example", "good.example", "name: test", "name: good").Replace(oneRoute())
			l := newLoader()
			c, err := l.load("m.yaml", []byte(tt.manifest+"---\n"+good))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.decide(httptest.NewRequest("GET", "http://good.example/", nil)); err != nil {
				t.Errorf("the good Ingress: %v", err)
			}
			for _, want := range tt.want {
				head, tail, open := strings.Cut("m.yaml:"+want, "…")
				found := false
				for _, got := range c.problems {
					found = found || got == head || open && strings.HasPrefix(got, head) && strings.HasSuffix(got, tail)
				}
				if !found {
					t.Errorf("%s is not in\n%s", want, strings.Join(c.problems, "\n"))
				}
			}
			if len(c.problems) < len(tt.want) || c.faulty != strings.Contains(tt.want[0], " error:") {
				t.Errorf("faulty is %v\n%s", c.faulty, strings.Join(c.problems, "\n"))
			}
		})
	}
}

// A redirect leads to the hosts that the operator allows, and to no others.
func TestRedirectHosts(t *testing.T) {
	l := newLoader()
	l.options.AllowedHosts = []string{"*.tenants.example"}
	manifest := strings.ReplaceAll(oneRoute("url-from-query: next"), "rewrite-url.", "redirect.")
	c := mustLoad(t, &l, manifest)
	for next, want := range map[string]string{
		"https://a.tenants.example/x": "https://a.tenants.example/x",
		"/x":                          "/x",
		"https://other.example/x":     "",
	} {
		d, err := c.decide(httptest.NewRequest("GET", "http://shop.example/?next="+next, nil))
		if d.location != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v", next, d.location, err)
		}
	}
}
