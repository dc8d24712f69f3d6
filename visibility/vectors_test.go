// The cases of testdata/visibility.json: what Kubernetes, Istio and ztunnel do
// with selectors, policies, exportTo, shared hosts and addresses. Where this
// package decides otherwise, it is in docs/differences-visibility.md.

package visibility_test

import (
	"encoding/json"
	"net/netip"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

type vectors struct {
	Selectors []struct {
		ID       string
		Selector json.RawMessage
		Labels   map[string]string
		Expect   string
	}
	LabelKeys, LabelValues []struct {
		ID, Value string
		Valid     bool
	}
	Resolve []struct {
		ID               string
		Config           *visibility.Config
		NamespaceLabels  map[string]string
		ExpectVisibility visibility.Level
		CompileOK        bool
	}
	Parse []struct {
		ID            string
		Mesh          json.RawMessage
		Istio         string
		Expect, Error string
		Unset         bool
	}
	Scopes []struct {
		ID                               string
		ServiceNamespace                 string
		ExportTo, DefaultServiceExportTo []string
		Visibility                       visibility.Level
		ApplyToSidecars                  bool
		ClientNamespace                  string
		ExpectVisible                    bool
	}
	ExportTo []struct {
		ID, Namespace string
		ExportTo      []string
		Valid         bool
	}
	Select []struct {
		ID      string
		Mixed   bool // the entries of one namespace differ: see TestViewsOfMixedNamespaces
		Entries []vectorEntry
		Lookups []vectorLookup
	}
	Addresses, Names []struct {
		ID      string
		Unknown string
		Entries []vectorEntry
		Lookups []vectorLookup
	}
	Lookups []struct {
		ID              string
		Config          *visibility.Config
		Namespaces      map[string]map[string]string
		Entries         []vectorEntry
		Sidecar         bool
		Gateway         bool
		ClientNamespace string
		Lookup          string
		Expect          *string
		Reason          string
	}
}

type vectorEntry struct {
	Name, Namespace, Kind, Host string
	Visibility                  visibility.Level
	Created                     int64
	Canonical                   bool
	Addresses, VIPs, ExportTo   []string
}

// A vectorLookup is for a name or an address; a client of null is unknown.
type vectorLookup struct {
	Name, Address   string
	ClientNamespace *string
	Expect          *string
}

func (e *vectorEntry) entry(t testing.TB, hosts ...string) visibility.Entry {
	t.Helper()
	if e.Host != "" {
		hosts = append(hosts, e.Host)
	}
	out := visibility.Entry{
		Ref:      visibility.Ref{Namespace: e.Namespace, Name: e.Name},
		Hosts:    hosts,
		ExportTo: e.ExportTo,
		Created:  e.Created,
	}
	if e.Kind == "Service" {
		out.Kind = visibility.Service
	}
	if e.Canonical { // which is what being the oldest means
		out.Created--
	}
	for _, text := range append(e.Addresses, e.VIPs...) {
		address, err := visibility.ParseAddress(text)
		require.NoError(t, err)
		out.Addresses = append(out.Addresses, address)
	}
	return out
}

// indexOf makes an ambient index in which each namespace has the visibility
// that its ServiceEntries have in the vector. Unless unknown is "deny", unknown
// clients see everything, as those of ztunnel do.
func indexOf(t testing.TB, unknown string, entries []vectorEntry, hosts ...string) *visibility.Index {
	t.Helper()
	var list []visibility.Entry
	namespaces := make(map[string]map[string]string)
	for i := range entries {
		e := &entries[i]
		list = append(list, e.entry(t, hosts...))
		if e.Kind != "Service" {
			namespaces[e.Namespace] = map[string]string{"level": e.Visibility.String()}
		}
	}
	opts := visibility.IndexOptions{Unknown: visibility.UnknownAll}
	if unknown == "deny" {
		opts.Unknown = visibility.UnknownDeny
	}
	x, err := visibility.NewIndex(byLabel(t), namespaces, list, &opts)
	require.NoError(t, err)
	return x
}

// byLabel resolves a namespace to the visibility in its label "level".
func byLabel(t testing.TB) *visibility.Resolver {
	t.Helper()
	c := new(visibility.Config)
	for _, l := range []visibility.Level{visibility.None, visibility.Namespace, visibility.Public} {
		selector := &visibility.LabelSelector{MatchLabels: map[string]string{"level": l.String()}}
		c.Policies = append(c.Policies, visibility.Policy{
			Visibility:    l,
			MatchingRules: []visibility.MatchRule{{NamespaceSelector: selector}},
		})
	}
	r, err := visibility.Compile(c)
	require.NoError(t, err)
	return r
}

func readVectors(t testing.TB) *vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/visibility.json")
	require.NoError(t, err)
	v := new(vectors)
	require.NoError(t, json.Unmarshal(data, v))
	return v
}

// selectorOf reads a selector as the one rule of a policy.
func selectorOf(t testing.TB, raw json.RawMessage) *visibility.LabelSelector {
	t.Helper()
	c, err := visibility.ParseConfig([]byte(`{"policies":[{"matchingRules":[{"namespaceSelector":` + string(raw) + `}]}]}`))
	require.NoError(t, err)
	return c.Policies[0].MatchingRules[0].NamespaceSelector
}

func TestVectorsSelectors(t *testing.T) {
	for _, v := range readVectors(t).Selectors {
		t.Run(v.ID, func(t *testing.T) {
			s, err := visibility.CompileSelector(selectorOf(t, v.Selector))
			if v.Expect == "invalid" {
				assert.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, v.Expect == "match", s.Matches(v.Labels))
		})
	}
}

func TestVectorsLabels(t *testing.T) {
	v := readVectors(t)
	for _, c := range v.LabelKeys {
		_, err := visibility.CompileSelector(&visibility.LabelSelector{
			MatchExpressions: []visibility.Requirement{{Key: c.Value, Operator: visibility.Exists}},
		})
		assert.Equal(t, c.Valid, err == nil, "%s: %v", c.ID, err)
	}
	for _, c := range v.LabelValues {
		_, err := visibility.CompileSelector(&visibility.LabelSelector{MatchLabels: map[string]string{"k": c.Value}})
		assert.Equal(t, c.Valid, err == nil, "%s: %v", c.ID, err)
	}
}

func TestVectorsResolve(t *testing.T) {
	for _, v := range readVectors(t).Resolve {
		t.Run(v.ID, func(t *testing.T) {
			r := visibility.Off()
			if v.Config != nil {
				var err error
				r, err = visibility.Compile(v.Config)
				if !v.CompileOK {
					assert.Error(t, err)
					assert.Nil(t, r)
					return
				}
				require.NoError(t, err)
			}
			got, _ := r.Resolve(v.NamespaceLabels)
			assert.Equal(t, v.ExpectVisibility, got)
		})
	}
}

func TestVectorsParse(t *testing.T) {
	for _, v := range readVectors(t).Parse {
		t.Run(v.ID, func(t *testing.T) {
			resolve := func(c *visibility.Config) string {
				if c == nil {
					return "PUBLIC"
				}
				r, err := visibility.Compile(c)
				require.NoError(t, err)
				l, _ := r.Resolve(nil)
				return l.String()
			}
			c, err := visibility.ParseConfig(v.Mesh)
			if v.Error != "" {
				assert.EqualError(t, err, "visibility: "+v.Error)
				assert.Nil(t, c)
			} else {
				require.NoError(t, err)
				assert.Equal(t, v.Unset, c == nil)
				assert.Equal(t, v.Expect, resolve(c))
			}
			c, warnings, err := visibility.ParseConfigLenient(v.Mesh)
			if v.Istio == "error" {
				assert.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, v.Istio, resolve(c))
			assert.Equal(t, v.Error != "", len(warnings) > 0)
		})
	}
}

func TestVectorsScopes(t *testing.T) {
	for _, v := range readVectors(t).Scopes {
		t.Run(v.ID, func(t *testing.T) {
			r, err := visibility.Compile(&visibility.Config{
				ApplyToSidecars: v.ApplyToSidecars,
				DefaultExportTo: v.DefaultServiceExportTo,
			})
			require.NoError(t, err)
			s := r.Scope(v.Visibility, v.ServiceNamespace, v.ExportTo)
			assert.Equal(t, v.ExpectVisible, s.Allows(v.ClientNamespace))
		})
	}
}

func TestVectorsExportTo(t *testing.T) {
	for _, v := range readVectors(t).ExportTo {
		err := visibility.ValidateExportTo(v.Namespace, v.ExportTo)
		assert.Equal(t, v.Valid, err == nil, "%s: %v", v.ID, err)
	}
}

// expect holds a lookup to the name of an entry, nil or "forward" for none.
func (v *vectorLookup) expect(t *testing.T, ref visibility.Ref, ok bool) {
	t.Helper()
	if v.Expect == nil || *v.Expect == "forward" {
		assert.False(t, ok, "%s%s from %v: %v", v.Name, v.Address, v.ClientNamespace, ref)
		return
	}
	assert.True(t, ok, "%s%s from %v", v.Name, v.Address, v.ClientNamespace)
	assert.Equal(t, *v.Expect, ref.Name, "%s%s from %v", v.Name, v.Address, v.ClientNamespace)
}

func (v *vectorLookup) client() string {
	if v.ClientNamespace == nil {
		return ""
	}
	return *v.ClientNamespace
}

func TestVectorsSelect(t *testing.T) {
	const host = "shared.example.com"
	for _, v := range readVectors(t).Select {
		if v.Mixed {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			x := indexOf(t, "", v.Entries, host)
			for _, l := range v.Lookups {
				ref, ok := x.LookupHost(host, l.client())
				l.expect(t, ref, ok)
			}
		})
	}
}

func TestVectorsAddresses(t *testing.T) {
	for _, v := range readVectors(t).Addresses {
		t.Run(v.ID, func(t *testing.T) {
			x := indexOf(t, v.Unknown, v.Entries)
			for _, l := range v.Lookups {
				ref, ok := x.LookupAddr(netip.MustParseAddr(l.Address), l.client())
				l.expect(t, ref, ok)
			}
		})
	}
}

func TestVectorsNames(t *testing.T) {
	for _, v := range readVectors(t).Names {
		t.Run(v.ID, func(t *testing.T) {
			x := indexOf(t, v.Unknown, v.Entries)
			for _, l := range v.Lookups {
				ref, ok := x.LookupDNS(l.Name, l.client())
				l.expect(t, ref, ok)
			}
		})
	}
}

func TestVectorsLookups(t *testing.T) {
	for _, v := range readVectors(t).Lookups {
		t.Run(v.ID, func(t *testing.T) {
			r, err := visibility.Compile(v.Config)
			require.NoError(t, err)
			var entries []visibility.Entry
			for i := range v.Entries {
				entries = append(entries, v.Entries[i].entry(t))
			}
			var opts visibility.IndexOptions
			switch {
			case v.Sidecar:
				opts.DataPlane = visibility.Envoy
			case v.Gateway:
				opts.DataPlane = visibility.Gateway
			}
			x, err := visibility.NewIndex(r, v.Namespaces, entries, &opts)
			require.NoError(t, err)
			ref, ok := x.LookupHost(v.Lookup, v.ClientNamespace)
			l := vectorLookup{Name: v.Lookup, ClientNamespace: &v.ClientNamespace, Expect: v.Expect}
			l.expect(t, ref, ok)
		})
	}
}
