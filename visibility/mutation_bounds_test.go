// Edges that other tests step over: what scripts/mutate has found to be changed
// without a failing test.

package visibility_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/visibility"
)

// The first number behind the levels is none.
func TestLevelBehindTheLast(t *testing.T) {
	assert.Equal(t, "Level(4)", (visibility.Public + 1).String())
	_, err := (visibility.Public + 1).MarshalText()
	assert.Error(t, err)
}

// A namespace has at most the 63 bytes of a DNS label.
func TestLongestNamespace(t *testing.T) {
	for n, good := range map[int]bool{63: true, 64: false} {
		namespace := strings.Repeat("n", n)
		x, err := visibility.NewIndex(visibility.Off(), nil, []visibility.Entry{{
			Ref:   visibility.Ref{Namespace: namespace, Name: "e"},
			Hosts: []string{"a.example"},
		}}, nil)
		assert.Equal(t, good, err == nil, "%d: %v", n, err)
		_, found := x.LookupHost("a.example", "other")
		assert.Equal(t, good, found, n)
	}
}

// Protobuf's numbers of an enum have 32 bits.
func TestLargestLevelNumber(t *testing.T) {
	for text, good := range map[string]bool{"2147483647": true, "2147483648": false, "-2147483648": true, "-2147483649": false} {
		c, _, err := visibility.ParseConfigLenient([]byte(`{"defaultVisibility":` + text + `}`))
		assert.Equal(t, good, err == nil, "%s: %v", text, err)
		if good {
			assert.Equal(t, visibility.Public, c.DefaultVisibility, text)
		}
	}
}

// More keys than Resolve remembers, each asked for by one policy.
func TestManyKeys(t *testing.T) {
	var c visibility.Config
	key := func(i int) string { return fmt.Sprintf("key%d", i) }
	for i := range 40 {
		s := &visibility.LabelSelector{MatchLabels: map[string]string{key(i): "v", "all": "v"}}
		c.Policies = append(c.Policies, visibility.Policy{Visibility: visibility.Namespace, MatchingRules: []visibility.MatchRule{{NamespaceSelector: s}}})
	}
	r, err := visibility.Compile(&c)
	assert.NoError(t, err)
	for i := range c.Policies {
		level, policy := r.Resolve(map[string]string{key(i): "v", "all": "v", key(i + 1): "w"})
		assert.Equal(t, visibility.Namespace, level)
		assert.Equal(t, i, policy)
	}
	_, policy := r.Resolve(map[string]string{"all": "v", key(39): "w", key(1): "w"})
	assert.Equal(t, -1, policy)
}

// An owner without a name has no namespace to show an entry to.
func TestScopeOfNoOwner(t *testing.T) {
	r, err := visibility.Compile(&visibility.Config{DefaultVisibility: visibility.Namespace, ApplyToSidecars: true})
	assert.NoError(t, err)
	for _, exportTo := range [][]string{nil, {"*"}, {"."}} {
		s := r.Scope(visibility.Namespace, "", exportTo)
		assert.Equal(t, "~", s.String(), exportTo)
		assert.False(t, s.Allows(""), exportTo)
	}
}

// A hyphen at either end makes no namespace.
func TestHyphensOfNamespaces(t *testing.T) {
	for namespace, good := range map[string]bool{"a-b": true, "a": true, "-a": false, "a-": false, "-": false} {
		_, err := visibility.NewIndex(visibility.Off(), nil, []visibility.Entry{{
			Ref:   visibility.Ref{Namespace: namespace, Name: "e"},
			Hosts: []string{"a.example"},
		}}, nil)
		assert.Equal(t, good, err == nil, "%s: %v", namespace, err)
	}
}

// What an index has none of is looked for all the same.
func TestIndexOfOneSort(t *testing.T) {
	hosts, err := visibility.NewIndex(visibility.Off(), nil, []visibility.Entry{
		{Ref: visibility.Ref{Namespace: "n", Name: "e"}, Hosts: []string{"a.example"}},
	}, nil)
	assert.NoError(t, err)
	addresses, err := visibility.NewIndex(visibility.Off(), nil, []visibility.Entry{
		{Ref: visibility.Ref{Namespace: "n", Name: "e"}, Hosts: []string{"*.example"}, Addresses: []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")}},
	}, nil)
	assert.NoError(t, err)
	empty, err := visibility.NewIndex(visibility.Off(), nil, nil, nil)
	assert.NoError(t, err)
	for name, x := range map[string]*visibility.Index{"hosts": hosts, "addresses": addresses, "empty": empty} {
		_, ok := x.LookupAddr(netip.MustParseAddr("10.0.0.1"), "n")
		assert.Equal(t, name == "addresses", ok, name)
		_, ok = x.LookupHost("a.example", "n")
		assert.Equal(t, name != "empty", ok, name)
		_, ok = x.LookupHost("b.c", "n")
		assert.False(t, ok, name)
	}
}
