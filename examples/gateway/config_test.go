package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
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

func TestMatch(t *testing.T) {
	l := newLoader()
	c, err := l.load("m.yaml", []byte(routes(
		"a.example /",
		"a.example /foo",
		"A.example. /foo/bar/",
		"a.example /foo/bar/x",
		"a.example /foo/bar/x Exact",
		"a.example /café/~",
		"*.example /",
		"*.b.example /only",
		"- /any ImplementationSpecific",
	)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		host, path string
		want       string // the service; empty: no route
	}{
		{"a.example", "/", "r0"},
		{"A.EXAMPLE:8080", "/", "r0"},
		{"a.example.", "/x", "r0"},
		{"a.example", "/foo", "r1"},
		{"a.example", "/foo/", "r1"},
		{"a.example", "/foo/ba", "r1"},
		{"a.example", "/foobar", "r0"},
		{"a.example", "/Foo", "r0"},
		{"a.example", "/foo%2Fbar", "r0"},
		{"a.example", "/foo/bar", "r2"},
		{"a.example", "/%66oo/bar/", "r2"},
		{"a.example", "/foo/bar/x", "r4"},
		{"a.example", "/foo/bar/x/", "r3"},
		{"a.example", "/caf%c3%a9/%7e/x", "r5"},
		{"b.example", "/foo", "r6"},
		{"x.b.example", "/only/x", "r7"},
		{"x.b.example", "/other", ""}, // the best host decides
		{"x.y.example", "/any", "r8"}, // * is one label
		{"example", "/any", "r8"},
		{"", "/any", "r8"},
		{"[::1]:80", "/any/x", "r8"},
		{"[::1]:80", "/", ""},
	} {
		t.Run(tt.host+tt.path, func(t *testing.T) {
			u := rewrite.URL{Host: tt.host, Path: tt.path}
			if err := input.Clean(&u, nil); err != nil {
				t.Fatal(err)
			}
			got := ""
			if r := c.match(&u); r != nil {
				got = r.services[0].Name
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUpstreamAddress(t *testing.T) {
	for _, tt := range []struct{ service, want string }{
		{"plain", "plain.shop.svc:8080"},
		{"given", "127.0.0.1:1"},
		{"narrow", "127.0.0.1:2"},
	} {
		l := newLoader()
		l.upstreams = map[string]string{"given": "127.0.0.1:1", "narrow": "127.0.0.1:1", "shop/narrow": "127.0.0.1:2", "else/plain": "127.0.0.1:3"}
		manifest := strings.NewReplacer("name: test", "namespace: shop", "name: svc", "name: "+tt.service, "80", "8080").Replace(oneRoute())
		c, err := l.load("m.yaml", []byte(manifest))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.match(&rewrite.URL{Host: "shop.example", Path: "/"}).upstreams[0].String(); got != "http://"+tt.want {
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
      annotations:
        unrelated: &path |
          [{"params":
            "/set"}]
        bfe.ingress.kubernetes.io/rewrite-url.path: *path
    spec:
      rules: [{host: a.example, http: {paths: [{backend: {service: {name: svc, port: {number: 80}}}}]}}]
---
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  annotations:
spec:
  rules: [{host: b.example, http: {paths: [{backend: {service: {name: svc, port: {number: 80}}}}]}}]
`
	l := newLoader()
	c, err := l.load("m.yaml", []byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{"a.example": "/set", "b.example": "/x"} {
		u := rewrite.URL{Scheme: "http", Host: host, Path: "/x"}
		r, err := c.route(&u)
		if err != nil {
			t.Fatal(host, err)
		}
		if _, err := r.program.Apply(rewrite.AfterLocation, &u, nil); err != nil || u.Path != want {
			t.Errorf("%s: got %s, %v, want %s", host, u.Path, err, want)
		}
	}
}

// Each manifest is bad in its own way; every fault is reported, in the order
// of the lines.
func TestBadManifests(t *testing.T) {
	const p = annotation.DefaultPrefix
	for _, tt := range []struct {
		name, manifest string
		want           []string // without the file; … is any text
	}{
		{"empty", "", []string{"1: there is no Ingress in this manifest"}},
		{"another kind", "kind: Service\n", []string{"1: there is no Ingress in this manifest"}},
		{"YAML syntax", "a: b\nc: d: e\n", []string{"2: YAML: mapping values are not allowed in this context"}},
		{"YAML syntax, first line", "a: b: c\n", []string{"1: YAML: mapping values are not allowed in this context"}},
		{"YAML flow", "x: 1\ny: 2\na: [b\nc: d\n", []string{"3: YAML: did not find expected ',' or ']'"}},
		{"YAML anchor", "a: b\nc: *nowhere\n", []string{"2: YAML: unknown anchor 'nowhere' referenced"}},
		{"YAML duplicate", "kind: Ingress\nspec: {}\nkind: Ingress\n", []string{"3: YAML: mapping key \"kind\" already defined at line 1"}},
		{"YAML type", "- 1\n", []string{"1: YAML: cannot unmarshal !!seq into main.object"}},
		{"control byte", "a: b\nc: \x01\n", []string{"2: control byte or invalid UTF-8"}},
		{"invalid UTF-8", "a: b\n\nc: \xff\n", []string{"3: control byte or invalid UTF-8"}},
		{"faults of two documents, then syntax",
			oneRoute(`path: '[]'`) + "---\n" + strings.Replace(oneRoute(`host: 'x'`), "shop.example", "a.example", 1) + "---\na: b: c\n",
			[]string{
				"6: " + p + "path@1: …\n\t[]\n\t ^",
				"20: " + p + "host@0: …\n\tx\n\t^",
				"29: YAML: mapping values are not allowed in this context",
			}},
		{"wrong version", strings.Replace(oneRoute(), "networking.k8s.io/v1", "extensions/v1beta1", 1),
			[]string{`1: apiVersion: "extensions/v1beta1": write networking.k8s.io/v1`}},
		{"default backend", oneRoute() + "  defaultBackend: {service: {name: svc}}\n",
			[]string{"13: spec.defaultBackend: not supported: write a rule without a host for the path /"}},
		{"no rules", "apiVersion: networking.k8s.io/v1\nkind: Ingress\n", []string{"1: spec.rules: no rule of this Ingress has a path"}},
		{"routes", routes(
			"a.example /x", "a.example /x/", "a.example x", "a.example /a/../b", "a.example /%zz",
			"a_b!.example /", "a.example:80 /", "*. /", "*.*.example /", "a.example /y Regex",
		), []string{
			"6: path: this host and path have a route already, at line 5",
			`7: path: "x": rewrite: path is malformed`,
			`8: path: "/a/../b": rewrite: path has a dot-segment`,
			`9: path: "/%zz": rewrite: path is malformed`,
			`10: host: "a_b!.example": rewrite: host is malformed or not allowed`,
			`11: host: "a.example:80": write a name without a port`,
			`12: host: "*.": write a name without a port`,
			`13: host: "*.*.example": rewrite: host is malformed or not allowed`,
			`14: pathType: "Regex": write Prefix or Exact`,
		}},
		{"no service", strings.Replace(oneRoute(), "name: svc, ", "", 1), []string{"11: backend.service.name: missing"}},
		{"named port", strings.Replace(oneRoute(), "number: 80", "name: web", 1),
			[]string{`12: backend.service: "svc.default.svc:0" is not an address: write a name and a port number, or use -upstream`}},
		{"port that is no number", strings.Replace(oneRoute(), "number: 80", "number: web", 1),
			[]string{"12: YAML: cannot unmarshal !!str `web` into int"}},

		{"annotation without quotes", oneRoute(`path: [{"params": "/x"}]`),
			[]string{"6: " + p + "path: the value is not a string: put it in single quotes"}},
		{"annotations that are no strings, one an alias", oneRoute(`host: &true true`, `path: *true`), []string{
			"6: " + p + "host: the value is not a string: put it in single quotes",
			"7: " + p + "path: the value is not a string: put it in single quotes",
		}},
		{"annotation by its alias", oneRoute(`host: &list '[]'`, `path: *list`),
			[]string{"6: " + p + "host@1: …", "7: " + p + "path@1: …"}},
		{"unknown annotation", oneRoute(`path: '[{"params": "/x"}]'`, `path-add: '[{"params": "/x"}]'`),
			[]string{"7: " + p + "path-add: …write " + p + "path-prefix-add"}},
		{"too large annotations", strings.Replace(oneRoute(), "annotations:", "annotations: {other: "+strings.Repeat("x", 256<<10)+"}", 1),
			[]string{"1: annotations: …"}},
		{"block scalar", oneRoute("path: >-\n      [{\"params\": \"/service\"\n        \"when\": \"Forward\"}]"),
			[]string{"6: " + p + "path[0]@25: …\n\t  \"when\": \"Forward\"}]\n\t  ^"}},
		{"every fault of every item",
			oneRoute(`path: '[{"params": 1}, {"params": 2, "when": "Forward"}]'`, `host: '[{"params": null}]'`),
			[]string{"6: " + p + "path[0]@12: …", "6: " + p + "path[1]@27: …", "7: " + p + "host[0]@12: …"}},
		{"exclusive, and no host allowed", oneRoute(`host: '[{"params": "a.example", "when": "Forward"}]'`, `host-from-path-prefix: '[{"params": true}]'`), []string{
			"7: " + p + "host-from-path-prefix: cannot stand beside …",
			"7: " + p + "host-from-path-prefix[0]@12: name the hosts that it may set: -allow-host\n\t[{\"params\": true}]\n\t            ^",
		}},
		{"order tie", oneRoute(`path-prefix-add: '[{"params": "/x"}]'`, `path-prefix-trim: '[{"params": "/y"}]'`),
			[]string{"7: " + p + "path-prefix-trim[0]@12: …"}},
		{"what rewrite refuses", oneRoute(`host: '[{"params": "a b"}]'`), []string{"6: " + p + "host[0]@14: \"a b\"…"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLoader()
			c, err := l.load("m.yaml", []byte(tt.manifest))
			if c != nil || err == nil {
				t.Fatalf("got %v, %v, want an error alone", c, err)
			}
			got := strings.Split("\n"+err.Error(), "\nm.yaml:")[1:]
			if !slices.EqualFunc(got, tt.want, func(got, want string) bool {
				head, tail, open := strings.Cut(want, "…")
				return got == want || open && strings.HasPrefix(got, head) && strings.HasSuffix(got, tail)
			}) {
				t.Errorf("got\n%v\nwant, without the file,\n%s", err, strings.Join(tt.want, "\n"))
			}
		})
	}
}
