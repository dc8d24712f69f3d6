package visibility

// The table against a map, through edits of which every one must leave the
// tables before it as they were, and with hashes that collide.

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

type keyed struct{ key, value int }

func get(t *table[keyed], hash func(int) uint64, key int) *keyed {
	h := hash(key)
	v, at := t.first(h)
	for v != nil && v.key != key {
		v, at = t.next(h, at)
	}
	return v
}

func TestTable(t *testing.T) {
	for name, hash := range map[string]func(int) uint64{
		"scattered": func(key int) uint64 { return uint64(key) * 0x9E3779B97F4A7C15 },
		"equal":     func(int) uint64 { return 1<<63 | 5 },
		"few":       func(key int) uint64 { return uint64(key%3) << 62 },
		"low bits":  func(key int) uint64 { return uint64(key) },
	} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			current, want := newTable[keyed](), map[int]int{}
			keys := 400
			for round := range 40 {
				next, after := current.edit(), maps.Clone(want)
				for range 50 {
					key := random.IntN(keys)
					before := get(next, hash, key)
					if random.IntN(10) < 2+round/8 { // fuller, then emptier
						if before != nil {
							next.replace(hash(key), before, nil)
							delete(after, key)
						}
						continue
					}
					next.replace(hash(key), before, &keyed{key, round})
					after[key] = round
				}
				requireTable(t, current, hash, want, keys)
				requireTable(t, next, hash, after, keys)
				current, want = next, after
			}
		})
	}
}

func requireTable(t *testing.T, table *table[keyed], hash func(int) uint64, want map[int]int, keys int) {
	t.Helper()
	require.Equal(t, len(want), table.len)
	got := make(map[int]int)
	for v := range table.all {
		got[v.key] = v.value
	}
	require.Equal(t, want, got)
	for key := range keys {
		v := get(table, hash, key)
		value, ok := want[key]
		require.Equal(t, ok, v != nil)
		if ok {
			require.Equal(t, keyed{key, value}, *v)
		}
	}
}

// A table to which nothing was added has a shard without cells.
func TestTableWithoutValues(t *testing.T) {
	for _, table := range []*table[keyed]{newTable[keyed](), newTable[keyed]().edit()} {
		require.Empty(t, table.shards[0].cells)
		for _, hash := range []uint64{0, 1, 1 << 63, 1<<64 - 1} {
			v, at := table.first(hash)
			require.Nil(t, v)
			v, _ = table.next(hash, at)
			require.Nil(t, v)
		}
	}
}

// An edit copies the shards that it changes and no others.
func TestTableSharesShards(t *testing.T) {
	hash := func(key int) uint64 { return uint64(key) * 0x9E3779B97F4A7C15 }
	before := newTable[keyed]()
	for key := range 10_000 {
		before.replace(hash(key), nil, &keyed{key, 0})
	}
	after := before.edit()
	after.replace(hash(7), get(after, hash, 7), &keyed{7, 1})
	require.Equal(t, len(before.shards), len(after.shards))
	copied := 0
	for i := range before.shards {
		if &before.shards[i].cells[0] != &after.shards[i].cells[0] {
			copied++
		}
	}
	require.Equal(t, 1, copied)
	require.LessOrEqual(t, len(before.shards)*perShard/2, 10_000)
}

func TestLengths(t *testing.T) {
	l := newLengths(32)
	l.replace(8, false, true)
	l.replace(24, false, true)
	l.replace(24, false, true)
	l.done()
	require.Equal(t, []int{24, 8}, l.desc)
	m := l.edit()
	m.replace(24, true, false)
	m.replace(8, true, false)
	m.replace(32, true, true)
	m.done()
	require.Equal(t, []int{24}, m.desc)
	require.False(t, m.has(8))
	require.False(t, m.has(33))
	require.True(t, l.has(8))
}
