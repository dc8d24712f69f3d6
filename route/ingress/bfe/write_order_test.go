package bfe_test

// Write: the first rule that matches is for the entry that a table finds.

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
)

// A requestOf has header fields.
type requestOf map[string]string

func (r requestOf) Method() string { return "GET" }

func (r requestOf) Header(name string) (string, bool) { v, ok := r[name]; return v, ok }

// inOrder returns the indexes of entries in the order of their rules, for
// entries that set the path to their index.
func inOrder(t *testing.T, entries []ingress.Entry) (order []int) {
	t.Helper()
	data, problems := bfe.Write(entries, nil)
	require.Empty(t, problems)
	var file struct {
		Config map[string][]struct {
			Actions []struct{ Params []string }
		}
	}
	require.NoError(t, json.Unmarshal(data, &file))
	for _, r := range file.Config["default"] {
		i, err := strconv.Atoi(r.Actions[0].Params[0][1:])
		require.NoError(t, err)
		order = append(order, i)
	}
	return order
}

func TestWriteOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range 3000 {
		var entries []ingress.Entry
		for i := range 2 + r.IntN(5) {
			path, kind := pick("/", "/a", "/a/", "/a/b", "/ab", "/%61", ""), []route.PathType{route.Prefix, route.Prefix, route.Exact, route.TextPrefix}[r.IntN(4)]
			if r.IntN(5) == 0 {
				path, kind = pick("/", ""), []route.PathType{route.Regex, route.RegexFirst}[r.IntN(2)]
			}
			e := entry(pick("h.x", "h.x", "H.x.", "*.x", "*.h.x", ""), path, kind, rewrite.SetPath("/"+strconv.Itoa(i)))
			for range r.IntN(3) {
				e.When.Headers = append(e.When.Headers, route.Condition{Name: pick("A", "a", "B"), Value: "1"})
			}
			for range r.IntN(3) {
				e.When.Cookies = append(e.When.Cookies, route.Condition{Name: pick("a", "b"), Test: []route.Test{route.Present, route.Absent}[r.IntN(2)]})
			}
			entries = append(entries, e)
		}
		all := make([]route.Route[int], len(entries))
		single := make([]*route.Table[int], len(entries))
		for i, e := range entries {
			all[i] = route.Route[int]{Pattern: e.Pattern, When: e.When, Value: i}
			single[i], _ = route.NewTable(all[i:i+1], nil)
		}
		table, err := route.NewTable(all, nil)
		require.NoError(t, err)
		order := inOrder(t, entries)
		for _, host := range []string{"h.x", "y.x", "y.h.x", "z"} {
			for _, path := range []string{"/", "/a", "/a/", "/a/b", "/a/b/c", "/ab", "/c"} {
				for _, fields := range []requestOf{nil, {"A": "1"}, {"A": "1", "B": "1", "Cookie": "a=1; b=2"}, {"Cookie": "a=1"}} {
					u := rewrite.URL{Scheme: "http", Host: host, Path: path}
					want, ok := table.Match(&u, fields)
					if !ok { // and BFE has chosen no cluster
						continue
					}
					for _, i := range order {
						if _, ok := single[i].Match(&u, fields); ok {
							require.Equal(t, want, i, "%s%s %v of %+v", host, path, fields, entries)
							break
						}
					}
				}
			}
		}
	}
}

// Equal conditions count as one, and expressions are tried in the order in which
// they stand.
func TestOrderOfConditions(t *testing.T) {
	with := func(e ingress.Entry, headers ...string) ingress.Entry {
		for _, name := range headers {
			e.When.Headers = append(e.When.Headers, route.Condition{Name: name, Value: "1"})
		}
		return e
	}
	at := func(i int, path string, kind route.PathType) ingress.Entry {
		return entry("h", path, kind, rewrite.SetPath("/"+strconv.Itoa(i)))
	}
	assert.Equal(t, []int{0, 1}, inOrder(t, []ingress.Entry{with(at(0, "/", route.Prefix), "A"), with(at(1, "/", route.Prefix), "B", "b")}))
	assert.Equal(t, []int{0, 1}, inOrder(t, []ingress.Entry{at(0, "", route.Regex), with(at(1, "/", route.Regex), "A")}))
	for _, rules := range [][]string{
		{rule(`req_path_in("/a", true)`), rule(`req_path_prefix_in("/a", true) && req_header_value_in("X", "1", false)`)},
		{rule(`req_header_value_in("X", "1", false)`), rule(`req_header_value_in("Y", "1", false) && req_header_value_in("y", "1", false)`)},
	} {
		_, problems := bfe.Read([]byte(file(rules...)), nil)
		assert.Empty(t, problems)
	}
}
