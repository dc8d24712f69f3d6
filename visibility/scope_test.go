// To whom entries are exported: every combination.

package visibility_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

// For each set of values of exportTo, visibility, owner and client the scope is
// what the two rules say, and is never wider than what the owner declared or
// than what the visibility shows.
func TestScopeNeverWidens(t *testing.T) {
	values := []string{"*", ".", "~", "a", "b", "c"}
	levels := []visibility.Level{visibility.None, visibility.Namespace, visibility.Public}
	free := mustCompile(t, &visibility.Config{})
	capped := mustCompile(t, &visibility.Config{ApplyToSidecars: true})
	for set := 1; set < 1<<len(values); set++ {
		var exportTo []string
		for i, value := range values {
			if set>>i&1 == 1 {
				exportTo = append(exportTo, value)
			}
		}
		reversed := slices.Clone(exportTo)
		slices.Reverse(reversed)
		for _, owner := range []string{"a", "b"} {
			for _, client := range []string{"a", "b", "c", "d", ""} {
				declared := slices.Contains(exportTo, "*") || client != "" &&
					(slices.Contains(exportTo, client) || client == owner && slices.Contains(exportTo, "."))
				for _, l := range levels {
					label := strings.Join(exportTo, ",") + " " + l.String() + " of " + owner + " for " + client
					assert.Equal(t, declared, free.Scope(l, owner, exportTo).Allows(client), label)
					got := capped.Scope(l, owner, exportTo)
					assert.Equal(t, declared && l.VisibleTo(owner, client), got.Allows(client), label)
					assert.True(t, got.Equal(capped.Scope(l, owner, reversed)), label)
				}
				for _, l := range []visibility.Level{visibility.Unspecified, 9} {
					assert.False(t, capped.Scope(l, owner, exportTo).Allows(client))
				}
			}
		}
	}
}

func TestScopeOfDefaults(t *testing.T) {
	nobody := []string{}
	for _, tt := range []struct {
		defaults, exportTo []string
		want               string
	}{
		{nil, nil, "*"},
		{nil, []string{}, "*"},
		{nobody, nil, "~"},
		{nobody, []string{"x"}, "x"},
		{[]string{"."}, nil, "owner"},
		{[]string{".", "x", "owner"}, nil, "owner,x"},
		{[]string{"~"}, nil, "~"},
		{[]string{"x"}, []string{"*"}, "*"},
	} {
		for name, r := range map[string]*visibility.Resolver{
			"configured": mustCompile(t, &visibility.Config{DefaultExportTo: tt.defaults}),
			"off":        visibility.Off(tt.defaults...),
		} {
			got := r.Scope(visibility.Public, "owner", tt.exportTo)
			assert.Equal(t, tt.want, got.String(), "%s: %v, default %v", name, tt.exportTo, tt.defaults)
			assert.Equal(t, tt.want == "*", got.Everyone())
		}
	}
	assert.False(t, visibility.Scope{}.Allows("a"))
	assert.Equal(t, "~", visibility.Scope{}.String())
}

func TestScopeOfManyNames(t *testing.T) {
	var names []string
	for i := range 26 {
		names = append(names, string(rune('z'-i)))
	}
	s := visibility.Off().Scope(visibility.Public, "owner", append(names, "a", ""))
	assert.Len(t, s.Namespaces(), 26)
	assert.True(t, slices.IsSorted(s.Namespaces()))
	for _, name := range names {
		assert.True(t, s.Allows(name))
	}
	assert.False(t, s.Allows("owner"))
	assert.False(t, s.Allows(""))
	assert.False(t, s.Allows("aa"))
}

func TestValidateExportTo(t *testing.T) {
	err := visibility.ValidateExportTo("own", []string{".", "own", "a_b", "x", "x", "*", "~"})
	var faults visibility.Errors
	require.ErrorAs(t, err, &faults)
	assert.Equal(t, strings.Join([]string{
		`visibility: exportTo[1]: the own namespace is written twice: write "." once`,
		`visibility: exportTo[2]: "a_b" is no name of a namespace: write one, or "*", "." or "~"`,
		`visibility: exportTo[4]: "x" is written twice: remove one`,
		`visibility: exportTo: "*" is everybody: write it alone`,
		`visibility: exportTo: "~" is nobody: write it alone`,
	}, "\n"), err.Error())
}
