package bfe_test

// One operator's mistake stops nobody: three bad Ingresses among 1,000.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
)

// faults are the kinds of mistakes, each made to a good Ingress.
var faults = map[string]func(in *ingress.Ingress){
	"rewrite, no JSON":       annotate("rewrite-url.host", "bar.com"),
	"rewrite, empty":         annotate("rewrite-url.host", ""),
	"rewrite, no list":       annotate("rewrite-url.host", `{"params": "a.com"}`),
	"rewrite, no params":     annotate("rewrite-url.host", `[{"order": 1}]`),
	"rewrite, field":         annotate("rewrite-url.host", `[{"params": "a.com", "oder": 1}]`),
	"rewrite, host":          annotate("rewrite-url.host", `[{"params": "bar.com.*"}]`),
	"rewrite, any host":      annotate("rewrite-url.host-from-path-prefix", `[{"params": true}]`),
	"rewrite, false":         annotate("rewrite-url.host-from-path-prefix", `[{"params": false}]`),
	"rewrite, path":          annotate("rewrite-url.path", `[{"params": "/a?b=c"}]`),
	"rewrite, dot-segment":   annotate("rewrite-url.path", `[{"params": "/../a"}]`),
	"rewrite, control byte":  annotate("rewrite-url.path", "[{\"params\": \"/a\\n\"}]"),
	"rewrite, no UTF-8":      annotate("rewrite-url.path", "[{\"params\": \"/\xff\"}]"),
	"rewrite, huge":          annotate("rewrite-url.path", `[{"params": "/`+strings.Repeat("a", 300<<10)+`"}]`),
	"rewrite, deep":          annotate("rewrite-url.path", strings.Repeat("[", 10_000)),
	"rewrite, strip 0":       annotate("rewrite-url.path-prefix-strip", `[{"params": 0}]`),
	"rewrite, strip -1":      annotate("rewrite-url.path-prefix-strip", `[{"params": -1}]`),
	"rewrite, strip a lot":   annotate("rewrite-url.path-prefix-strip", `[{"params": 3}]`),
	"rewrite, hook":          annotate("rewrite-url.path", `[{"params": "/a", "when": "BeforeForward"}]`),
	"rewrite, hook twice":    annotate("rewrite-url.path", `[{"params": "/a"}, {"params": "/b"}]`),
	"rewrite, order":         annotate("rewrite-url.path", `[{"params": "/a", "order": 1.5}]`),
	"rewrite, empty value":   annotate("rewrite-url.query-add", `[{"params": {"": "x"}}]`),
	"rewrite, empty name":    annotate("rewrite-url.query-delete", `[{"params": [""]}]`),
	"rewrite, key":           annotate("rewrite-url.query-del-all-except", `[{"params": "a"}]`),
	"rewrite, exclusive":     annotate("rewrite-url.path", `[{"params": "/a"}]`, "rewrite-url.path-prefix-add", `[{"params": "/b"}]`),
	"rewrite, tie":           annotate("rewrite-url.path-prefix-add", `[{"params": "/a"}]`, "rewrite-url.path-prefix-strip", `[{"params": 1}]`),
	"header, no colon":       annotate("router.header", "X"),
	"header, no value":       annotate("router.header", "X:"),
	"header, name":           annotate("router.header", "X Y: z"),
	"cookie, no colon":       annotate("router.cookie", "c"),
	"cookie, control byte":   annotate("router.cookie", "c: \x00"),
	"weight, no JSON":        annotate("balance.weight", `{"web": {"a": 1}`),
	"weight, null":           annotate("balance.weight", `null`),
	"weight, string":         annotate("balance.weight", `{"web": {"a": "1"}}`),
	"weight, negative":       annotate("balance.weight", `{"web": {"a": -1, "web": 2}}`),
	"weight, sum":            annotate("balance.weight", `{"web": {"a": 0}}`),
	"weight, overflow":       annotate("balance.weight", `{"web": {"a": 99999999999999999999}}`),
	"weight, Service":        annotate("balance.weight", `{"web": {"web": 1, "gone": 1}}`),
	"weight, group":          annotate("balance.weight", `{"nobody": {"web": 1}}`),
	"redirect, URL":          annotate("redirect.url-set", "aaa-bbb"),
	"redirect, empty":        annotate("redirect.url-set", ""),
	"redirect, fragment":     annotate("redirect.url-prefix-add", "https://a.com/#b"),
	"redirect, scheme":       annotate("redirect.scheme-set", "ftp"),
	"redirect, no hosts":     annotate("redirect.url-from-query", "url"),
	"redirect, two":          annotate("redirect.url-set", "/a", "redirect.url-prefix-add", "/b"),
	"redirect, status alone": annotate("redirect.response-status", "301"),
	"redirect, status":       annotate("redirect.url-set", "/a", "redirect.response-status", "200"),
	"unknown annotation":     annotate("balance.weights", "{}"),
	"path with star":         func(in *ingress.Ingress) { in.Rules[0].Paths[0].Path = "/foo*" },
	"path without slash":     func(in *ingress.Ingress) { in.Rules[0].Paths[0].Path = "foo" },
	"path, dot-segment":      func(in *ingress.Ingress) { in.Rules[0].Paths[0].Path = "/foo/../bar" },
	"path, null":             func(in *ingress.Ingress) { in.Rules[0].Paths[0] = ingress.Path{} },
	"path, absent":           func(in *ingress.Ingress) { in.Rules[0].Paths[0].Path = "" },
	"path type":              func(in *ingress.Ingress) { in.Rules[0].Paths[0].Type = "Suffix" },
	"host with star":         func(in *ingress.Ingress) { in.Rules[0].Host = "*.*.com" },
	"host, star alone":       func(in *ingress.Ingress) { in.Rules[0].Host = "*" },
	"host, no host":          func(in *ingress.Ingress) { in.Rules[0].Host = "a..b" },
	"host, control byte":     func(in *ingress.Ingress) { in.Rules[0].Host = "a\x00" },
	"host of another":        func(in *ingress.Ingress) { in.Rules[0].Host = "h1.example.com" },
	"no rules":               func(in *ingress.Ingress) { in.Rules = nil },
	"no paths":               func(in *ingress.Ingress) { in.Rules[0].Paths = nil },
	"no backend":             func(in *ingress.Ingress) { in.Rules[0].Paths[0].Backend = nil },
	"backend, Service":       func(in *ingress.Ingress) { in.Rules[0].Paths[0].Backend.Service = "gone" },
	"backend, name":          func(in *ingress.Ingress) { in.Rules[0].Paths[0].Backend.Service = "Not A Name" },
	"backend, port":          func(in *ingress.Ingress) { in.Rules[0].Paths[0].Backend.Port = 81 },
	"backend, named port": func(in *ingress.Ingress) {
		*in.Rules[0].Paths[0].Backend = ingress.BackendRef{Service: "web", PortName: "x"}
	},
	"backend, resource": func(in *ingress.Ingress) { *in.Rules[0].Paths[0].Backend = ingress.BackendRef{IsResource: true} },
	"default backend":   func(in *ingress.Ingress) { in.Default = &ingress.BackendRef{Service: "gone"} },
	"name of another":   func(in *ingress.Ingress) { in.Name = "i1" },
	"namespace":         func(in *ingress.Ingress) { in.Namespace = "Not A Name" },
}

// annotate adds annotations, key and value in turn.
func annotate(pairs ...string) func(in *ingress.Ingress) {
	return func(in *ingress.Ingress) {
		in.Annotations = maps.Clone(in.Annotations)
		for i := 0; i < len(pairs); i += 2 {
			in.Annotations[prefix+pairs[i]] = pairs[i+1]
		}
	}
}

func TestThreeAmongThousand(t *testing.T) {
	const n = 1000
	bad := []int{100, 500, 999}
	c := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Name: "http", Number: 80}}}, name == "web"
	}}
	dispatcher, err := ingress.NewDispatcher(ingress.Registration{Rewriter: bfe.New(nil)})
	require.NoError(t, err)
	good := func(i int) *ingress.Ingress {
		in := manifest(t, map[string]string{"rewrite-url.query-add": fmt.Sprintf(`[{"params": {"n": "%d"}}]`, i)}, fmt.Sprintf("h%d.example.com/foo=web", i))
		in.Name = fmt.Sprintf("i%d", i)
		in.Created = time.Unix(int64(i), 0)
		return in
	}
	for name, spoil := range faults {
		t.Run(name, func(t *testing.T) {
			var list []*ingress.Ingress
			want := make(map[string]bool)
			for i := range n {
				in := good(i)
				if slices.Contains(bad, i) {
					spoil(in)
					want[in.Source().String()] = true
				}
				list = append(list, in)
			}
			result := dispatcher.Dispatch(list, c)
			table, problems := ingress.Build(result.Entries, c, func(e *ingress.Entry, compiled *ingress.Compiled) (*rewrite.Program, error) {
				return compiled.Program, nil
			})
			served := 0
			for i := range n {
				if slices.Contains(bad, i) {
					continue
				}
				u := rewrite.URL{Scheme: "http", Host: fmt.Sprintf("h%d.example.com", i), Path: "/foo"}
				program, ok := table.Match(&u, nil)
				if ok && assert.NotNil(t, program) {
					_, err := program.Apply(rewrite.AfterLocation, &u, nil)
					require.NoError(t, err)
					if u.RawQuery == fmt.Sprintf("n=%d", i) {
						served++
					}
				}
			}
			assert.Equal(t, n-len(bad), served)
			listed := make(map[string]bool)
			for _, p := range append(result.Problems, problems...) {
				listed[p.Source.Object().String()] = true
				assert.NotEmpty(t, p.Detail)
				assert.NotEmpty(t, p.Code)
			}
			assert.Equal(t, want, listed)
		})
	}
}
