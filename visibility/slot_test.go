package visibility

// Views of entries whose visibilities differ within one namespace. No Config
// can make these, as its only matcher is about the namespace.

import (
	"encoding/json"
	"hash/maphash"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestViewsOfMixedNamespaces(t *testing.T) {
	data, err := os.ReadFile("testdata/visibility.json")
	require.NoError(t, err)
	var vectors struct {
		Select []struct {
			ID      string
			Entries []struct {
				Name, Namespace, Kind string
				Visibility            Level
				Created               int64
			}
			Winners   map[string]string
			Canonical string
			Lookups   []struct{ ClientNamespace, Expect string }
		}
	}
	require.NoError(t, json.Unmarshal(data, &vectors))
	require.NotEmpty(t, vectors.Select)
	x := &Index{seed: maphash.MakeSeed(), resolver: Off()}
	for _, v := range vectors.Select {
		t.Run(v.ID, func(t *testing.T) {
			var candidates []*record
			for _, e := range v.Entries {
				r := &record{Entry: Entry{Ref: Ref{Namespace: e.Namespace, Name: e.Name}, Created: e.Created}}
				if e.Kind == "Service" {
					r.Kind = Service
				}
				x.judge(r, &namespace{level: e.Visibility})
				candidates = append(candidates, r)
			}
			slices.SortFunc(candidates, (*record).compare)
			view := x.newSlot(candidates, true).view
			pick := func(client string) string {
				if r, _ := view.pick(client, x.hashName(client), false); r != nil {
					return r.Name
				}
				return ""
			}
			assert.Equal(t, v.Canonical, pick("somebody-else"))
			for client, winner := range v.Winners {
				assert.Equal(t, winner, pick(client))
			}
			for _, l := range v.Lookups {
				assert.Equal(t, l.Expect, pick(l.ClientNamespace), "from %s", l.ClientNamespace)
			}
		})
	}
}

// A set of choices is the same however many there are.
func TestChoices(t *testing.T) {
	for _, hash := range []func(int) uint64{
		func(i int) uint64 { return uint64(i) * 0x9E3779B97F4A7C15 },
		func(int) uint64 { return 0 },
	} {
		var s choices
		name := func(i int) string { return "ns-" + string(rune('a'+i)) }
		for n := range 20 {
			for i := range 25 {
				c := s.find(name(i), hash(i))
				require.Equal(t, i < n, c != nil, "%d of %d", i, n)
				if c != nil {
					require.Equal(t, name(i), c.client)
				}
			}
			require.Nil(t, s.find("", 0))
			count := 0
			for range s.all {
				count++
			}
			require.Equal(t, n, count)
			s.add(choice{hash(n), new(record), name(n), false})
		}
	}
}
