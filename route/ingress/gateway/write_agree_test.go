package gateway_test

// Of what Write has nothing to say, the routes choose as a table does.

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

var bothListeners = &gateway.WriteOptions{
	Parents: []gateway.ParentRef{{Name: "public"}}, Sections: map[string]string{"http": "web", "https": "secure"},
}

// services returns the table of entries, whose values are their Services.
func services(t *testing.T, entries []ingress.Entry, opts *route.Options) *route.Table[string] {
	t.Helper()
	var routes []route.Route[string]
	for _, e := range entries {
		routes = append(routes, route.Route[string]{Pattern: e.Pattern, When: e.When, Value: e.Backends[0].Service.Name})
	}
	table, err := route.NewTable(routes, opts)
	require.NoError(t, err)
	return table
}

// listener returns the table of the routes that a listener has.
func listener(t *testing.T, routes []*gateway.HTTPRoute, section string) *route.Table[string] {
	t.Helper()
	var attached []*gateway.HTTPRoute
	for _, r := range routes {
		if s := r.Parents[0].SectionName; s == "" || s == section {
			attached = append(attached, r)
		}
	}
	back := gateway.Translate(attached, &ingress.Cluster{Grant: func(_, _ ingress.ObjectRef) bool { return true }})
	require.Empty(t, back.Problems)
	return services(t, back.Entries, &route.Options{AnyDepthWildcard: true, TryNextHost: true})
}

func randomEntries(r *rand.Rand) (entries []ingress.Entry) {
	for i := range 2 + r.IntN(5) {
		p := route.Pattern{
			Host: pick(r, "h.x", "h.x", "h.x", "*.x", "z"), Path: pick(r, "/", "/a", "/a/", "/a/b", "/ab", "/%61"),
			Type: pick(r, route.Prefix, route.Prefix, route.Exact, route.TextPrefix),
		}
		if r.IntN(4) == 0 {
			p.Path, p.Type = pick(r, "/", "", "/a(/|$)(.*)", "/a(/.*)?$"), pick(r, route.Regex, route.RegexFirst)
		}
		e := entry(p)
		e.Source.Path, e.Source.Namespace = i, pick(r, "shop", "shop", "alpha")
		e.Backends[0].Service = ingress.Service{Namespace: e.Source.Namespace, Name: fmt.Sprint("s", i), Port: 80}
		if r.IntN(4) == 0 {
			e.When.Methods = pick(r, []string{"GET"}, []string{"PUT", "POST"})
		}
		if r.IntN(4) == 0 {
			e.When.Headers = []route.Condition{{Name: pick(r, "A", "B"), Value: "1"}}
		}
		if r.IntN(6) == 0 {
			e.When.Query = []route.Condition{{Name: "q", Test: route.Present}}
		}
		if r.IntN(8) == 0 {
			e.When.Scheme = pick(r, "http", "https")
		}
		entries = append(entries, e)
	}
	return entries
}

func TestWrittenRoutesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	said := 0
	for range 3000 {
		entries := randomEntries(r)
		routes, problems := gateway.Write(entries, bothListeners)
		if len(problems) > 0 {
			continue
		}
		said++
		agree(t, entries, routes)
	}
	require.Greater(t, said, 400, "too few of the lists can be said for this to be a test")
}

func agree(t *testing.T, entries []ingress.Entry, routes []*gateway.HTTPRoute) {
	t.Helper()
	ours := services(t, entries, nil)
	for _, scheme := range []string{"http", "https"} {
		theirs := listener(t, routes, bothListeners.Sections[scheme])
		for _, host := range []string{"h.x", "y.x", "z"} {
			for _, path := range []string{"/", "/a", "/a/", "/a/b", "/a/b/c", "/ab", "/c"} {
				for _, query := range []string{"", "q"} {
					for _, q := range []request{{"GET", nil}, {"PUT", nil}, {"GET", map[string]string{"A": "1"}}, {"PUT", map[string]string{"A": "1", "B": "1"}}} {
						u := rewrite.URL{Scheme: scheme, Host: host, Path: path, RawQuery: query}
						a, _ := ours.Match(&u, q)
						b, _ := theirs.Match(&u, q)
						require.Equal(t, a, b, "%v %v of %+v, written as %s", q, u, entries, jsonOf(t, routes))
					}
				}
			}
		}
	}
}

// Pairs and more of which the API tries another first than a table.
func TestWriteRanksOfConditions(t *testing.T) {
	one := []route.Condition{{Name: "A", Value: "1"}}
	at := func(path string, kind route.PathType, change func(*ingress.Entry)) ingress.Entry {
		e := entry(route.Pattern{Host: "h", Path: path, Type: kind})
		if change != nil {
			change(&e)
		}
		return e
	}
	header := func(e *ingress.Entry) { e.When.Headers = one }
	https := func(e *ingress.Entry) { e.When.Scheme = "https" }
	both := func(e *ingress.Entry) { https(e); header(e) }
	method := func(e *ingress.Entry) { e.When.Methods = []string{"GET"} }
	alpha := func(e *ingress.Entry) { e.Source.Namespace, e.Backends[0].Service.Namespace = "alpha", "alpha" }
	for name, c := range map[string]struct {
		entries []ingress.Entry
		want    int // the entry that is warned of
		detail  string
	}{
		"text and segments":    {[]ingress.Entry{at("/", route.Prefix, nil), at("/", route.TextPrefix, header)}, 1, "conditions"},
		"text before segments": {[]ingress.Entry{at("/", route.TextPrefix, nil), at("/", route.Prefix, nil)}, 0, "order"},
		"a prefix of the same text between": {[]ingress.Entry{
			at("/", route.Prefix, nil), at("/a", route.Prefix, header), at("/a(/.*)?$", route.Regex, nil),
		}, 2, "length"},
		"one expression in both types": {[]ingress.Entry{
			at("/a(/.*)?$", route.Regex, nil), at("/a(/|$)", route.RegexFirst, header), at("/a(/.*)?$", route.RegexFirst, method),
		}, 2, "conditions"},
		"an expression that is first for the other scheme": {[]ingress.Entry{
			at("/", route.Regex, header), at("/a(/|$)", route.Regex, both), at("/", route.Regex, https),
		}, 1, "length"},
		"a scheme in another namespace": {[]ingress.Entry{at("/a", route.Prefix, alpha), at("/a", route.Prefix, https)}, 0, "namespaces"},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c.entries {
				c.entries[i].Source.Path = i
			}
			_, problems := gateway.Write(c.entries, bothListeners)
			require.Len(t, problems, 1, "%v", problems)
			assert.Equal(t, c.want, problems[0].Source.Path)
			assert.Contains(t, problems[0].Detail, c.detail)
			assert.Len(t, problems[0].Related, 1)
		})
	}
}
