package bfe_test

// balance.weight: groups, their faults and their limits.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
)

// An unknown Service of a group leaves the others of the group, and every other
// path, alive; the name of a group need not be a Service.
func TestWeightsUnknownService(t *testing.T) {
	c := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}}, name == "good" || name == "plain"
	}}
	for value, invalid := range map[string][]bool{
		`{"shop": {"good": 70, "gone": 30}}`: {false, true},
		`{"shop": {"gone": 30, "good": 70}}`: {true, false},
	} {
		got := translate(manifest(t, map[string]string{"balance.weight": value}, "h.com/=shop", "h.com/plain=plain"), c)
		require.Len(t, got.Entries, 2)
		for i, b := range got.Entries[0].Backends {
			assert.Equal(t, invalid[i], b.Invalid, b.Service.Name)
			assert.Equal(t, map[string]uint32{"good": 70, "gone": 30}[b.Service.Name], b.Weight)
		}
		assert.False(t, got.Entries[1].Backends[0].Invalid)
		assert.Equal(t, []string{"error unknown-service"}, codes(got.Problems))
		assert.Equal(t, 0, got.Problems[0].Source.Rule)
	}
}

// A default backend may be a group, and is one for every host of the Ingress.
func TestWeightsOfDefaultBackend(t *testing.T) {
	in := manifest(t, map[string]string{"balance.weight": `{"rest": {"a": 1, "b": 3}}`}, "h.com/x=x", "i.com/y=y")
	in.Default = &ingress.BackendRef{Service: "rest"}
	got := translate(in, nil)
	require.Len(t, got.Entries, 5)
	for _, e := range got.Entries[2:] {
		require.Len(t, e.Backends, 2)
		assert.Equal(t, "a.default.svc.cluster.local:80", e.Backends[0].Upstream)
		assert.Equal(t, "b.default.svc.cluster.local:80", e.Backends[1].Upstream)
		assert.Equal(t, uint32(3), e.Backends[1].Weight)
	}
	assert.Equal(t, []string{"warning default-backend", "warning default-port", "warning default-port"}, codes(got.Problems))
}

// Each problem with a Service of a group has the place of its name.
func TestWeightsPlaces(t *testing.T) {
	const value = `{"other": {"x": 1}, "shop": {"Not A Name": 1, "b": 2, "also bad": 3}}`
	in := manifest(t, map[string]string{"balance.weight": value}, "h.com/=shop", "i.com/=other")
	in.Default = &ingress.BackendRef{Service: "shop", Port: 80}
	got := translate(in, nil)
	var places []string
	for _, p := range got.Problems {
		if p.Code == ingress.CodeDefaultBackend {
			continue
		}
		assert.Equal(t, ingress.CodeBadName, p.Code)
		assert.Equal(t, prefix+"balance.weight", p.Origin.Key)
		assert.Equal(t, 1, p.Origin.Index)
		name, _, _ := strings.Cut(value[p.Origin.Offset:], ":")
		places = append(places, p.Source.String()+" "+name)
	}
	assert.Equal(t, []string{
		`Ingress default/web rules[0].paths[0] "Not A Name"`, `Ingress default/web rules[0].paths[0] "also bad"`,
		`Ingress default/web "Not A Name"`, `Ingress default/web "also bad"`,
	}, places)
	require.Len(t, got.Entries, 3)
}

// A backend that is a resource is none of a group's.
func TestWeightsBesideResource(t *testing.T) {
	in := manifest(t, map[string]string{"balance.weight": `{"shop": {"a": 1}}`}, "h.com/=shop", "i.com/=shop")
	in.Rules[1].Paths[0].Backend.IsResource = true
	got := translate(in, nil)
	assert.Equal(t, []string{"error resource-backend"}, codes(got.Problems))
	assert.Equal(t, 1, got.Problems[0].Source.Rule)
	require.Len(t, got.Entries, 2)
	assert.False(t, got.Entries[0].Backends[0].Invalid)
	assert.True(t, got.Entries[1].Backends[0].Invalid)
}

// members returns a group of n Services.
func members(name string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"s%d": 1`, i)
	}
	return `"` + name + `": {` + strings.Join(list, ", ") + `}`
}

func TestWeightsMembers(t *testing.T) {
	got := translate(manifest(t, map[string]string{"balance.weight": "{" + members("g", 64) + "}"}, "h.com/=g"), nil)
	assert.Empty(t, got.Problems)
	require.Len(t, got.Entries, 1)
	assert.Len(t, got.Entries[0].Backends, 64)

	value := "{" + members("g", 65) + ", " + members("f", 1) + "}"
	got = translate(manifest(t, map[string]string{"balance.weight": value}, "h.com/=g", "i.com/=f"), nil)
	require.Len(t, got.Entries, 1)
	assert.Equal(t, "i.com", got.Entries[0].Pattern.Host)
	require.Equal(t, []string{"error bfe-weight"}, codes(got.Problems))
	p := got.Problems[0]
	assert.Equal(t, prefix+"balance.weight", p.Origin.Key)
	assert.True(t, strings.HasPrefix(value[p.Origin.Offset:], `"s64"`))
	assert.Contains(t, p.Detail, "write at most 64")
}

// The paths of a small Ingress do not make more backends than there may be,
// whatever doubles them.
func TestWeightsBackends(t *testing.T) {
	const most = 1 << 14
	var paths []string
	for i := range 1000 {
		paths = append(paths, fmt.Sprintf("h%d.com/=g", i))
	}
	value := "{ " + members("g", 64) + "}"
	for name, c := range map[string]struct {
		annotations map[string]string
		fallback    string
		served      int
	}{
		"paths":            {nil, "plain", most / 64},
		"redirects":        {map[string]string{"redirect.scheme-set": "https"}, "plain", most / 64},
		"default backends": {nil, "g", most / 64},
	} {
		t.Run(name, func(t *testing.T) {
			annotations := map[string]string{"balance.weight": value}
			for key, value := range c.annotations {
				annotations[key] = value
			}
			in := manifest(t, annotations, paths...)
			in.Default = &ingress.BackendRef{Service: c.fallback, Port: 80}
			if name == "default backends" {
				for i := range in.Rules {
					in.Rules[i].Paths[0].Path = "/x"
					in.Rules[i].Paths[0].Backend.Service = "plain"
				}
			}
			got := translate(in, nil)
			total, served := 0, 0
			for _, e := range got.Entries {
				if len(e.Backends) > 1 {
					total += len(e.Backends)
					served++
				}
			}
			assert.LessOrEqual(t, total, most)
			assert.Equal(t, c.served, served)
			refused := 0
			for _, p := range got.Problems {
				if p.Code == ingress.CodeDefaultBackend {
					continue
				}
				refused++
				require.Equal(t, "error bfe-weight", codes([]ingress.Problem{p})[0])
				require.Equal(t, prefix+"balance.weight", p.Origin.Key)
				require.True(t, strings.HasPrefix(value[p.Origin.Offset:], `"g"`))
				require.Contains(t, p.Detail, "move paths to another Ingress")
			}
			assert.Positive(t, refused)
		})
	}
}
