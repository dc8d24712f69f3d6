// The cases of testdata: in vectors.json what Traefik has been seen to do, in
// cases.json what follows from that and from public reports.

package traefik_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/vector"
	"github.com/readdress/readdress/route/ingress/traefik"
)

func newRewriter(mode string) ingress.Rewriter {
	if mode == "compat" {
		return traefik.New(&traefik.Options{Mode: traefik.Compat})
	}
	return traefik.New(nil)
}

// lists are the fields of middlewares that are lists of texts.
var lists = []string{"stripPrefix.prefixes", "stripPrefixRegex.regex"}

// objects makes Middleware objects of annotations middleware.KIND.FIELD, one for
// each kind, in alphabetical order, and replaces these annotations by the one
// that names the objects.
func objects(t testing.TB, c *vector.Case) *ingress.Cluster {
	t.Helper()
	specs := make(map[string]map[string]any)
	annotations := make(map[string]string)
	for key, value := range c.Annotations {
		field, ok := strings.CutPrefix(key, "middleware.")
		if !ok {
			annotations[key] = value
			continue
		}
		kind, name, _ := strings.Cut(field, ".")
		if specs[kind] == nil {
			specs[kind] = make(map[string]any)
		}
		switch {
		case slices.Contains(lists, field):
			specs[kind][name] = strings.Split(value, ",")
		case value == "true" || value == "false":
			specs[kind][name] = value == "true"
		default:
			specs[kind][name] = value
		}
	}
	var names []string
	found := make(map[ingress.ObjectRef][]byte)
	for i, kind := range slices.Sorted(maps.Keys(specs)) {
		name := fmt.Sprintf("m-%d", i)
		data, err := json.Marshal(map[string]any{"kind": "Middleware", "spec": map[string]any{kind: specs[kind]}})
		require.NoError(t, err)
		found[ingress.ObjectRef{Group: "traefik.io", Kind: "Middleware", Namespace: "default", Name: name}] = data
		names = append(names, "default-"+name+"@kubernetescrd")
	}
	if len(names) > 0 {
		annotations["traefik.ingress.kubernetes.io/router.middlewares"] = strings.Join(names, ", ")
	}
	c.Annotations = annotations
	return &ingress.Cluster{Object: func(ref ingress.ObjectRef) ([]byte, bool) {
		data, ok := found[ref]
		return data, ok
	}}
}

func TestVectors(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/vectors.json") {
		for _, mode := range []string{"strict", "compat"} {
			t.Run(c.Name+" "+mode, func(t *testing.T) {
				own := c
				own.Class = "traefik"
				cluster := objects(t, &own)
				own.Run(t, cluster, newRewriter(mode))
			})
		}
	}
}

func TestCases(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/cases.json") {
		modes := []string{"strict", "compat"}
		if c.Mode != "" {
			modes = []string{c.Mode}
		}
		for _, mode := range modes {
			t.Run(c.Name+" "+mode, func(t *testing.T) {
				own := c
				own.Class = "traefik"
				cluster := objects(t, &own)
				own.Run(t, cluster, newRewriter(mode))
			})
		}
	}
}
