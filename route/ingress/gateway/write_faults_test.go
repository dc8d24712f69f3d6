package gateway_test

// What would be written and refused, or be read as something else.

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

func TestUnsayableValues(t *testing.T) {
	good := ingress.Backend{Service: ingress.Service{Namespace: "shop", Name: "other", Port: 80}, Upstream: "other:80", Weight: 1}
	for name, change := range map[string]func(*ingress.Entry){
		"one header twice": func(e *ingress.Entry) {
			e.When.Headers = []route.Condition{{Name: "A", Value: "1"}, {Name: "a", Test: route.Present}}
		},
		"one parameter twice": func(e *ingress.Entry) {
			e.When.Query = []route.Condition{{Name: "a", Value: "1"}, {Name: "a", Test: route.Present}}
		},
		"17 headers": func(e *ingress.Entry) {
			for i := range 17 {
				e.When.Headers = append(e.When.Headers, route.Condition{Name: string(rune('a' + i)), Value: "1"})
			}
		},
		"empty segment": func(e *ingress.Entry) {
			e.Pattern = route.Pattern{Host: "h", Path: "/a/", Type: route.Exact}
			e.Rules = []rewrite.Rule{{Action: rewrite.RewritePath("^/a(/.*)?$", "/x/$1")}}
		},
		"query before the path that is set": func(e *ingress.Entry) {
			e.Pattern.Type = route.Exact
			e.Rules = []rewrite.Rule{{Action: rewrite.AddQuery("k", "v")}, {Action: rewrite.SetPath("/n")}}
		},
		"query dropped before a path that is set": func(e *ingress.Entry) {
			e.Rules = []rewrite.Rule{{Action: rewrite.SetPath("/a")}, {Action: rewrite.DropQuery()}, {Action: rewrite.SetPath("/n")}}
		},
		"query of a redirect": func(e *ingress.Entry) {
			e.Pattern.Type = route.Exact
			e.Redirect = &ingress.Redirect{ListenerPort: true, Rules: []rewrite.Rule{{Action: rewrite.SetQuery("k", "v")}, {Action: rewrite.SetPath("/n")}}}
		},
		"no port": func(e *ingress.Entry) {
			e.Backends = []ingress.Backend{{Service: ingress.Service{Name: "web"}, Weight: 1, Invalid: true}, good}
		},
		"great port": func(e *ingress.Entry) {
			e.Backends = []ingress.Backend{{Service: ingress.Service{Name: "web", Port: math.MaxInt}, Weight: 1, Invalid: true}, good}
		},
		"namespace": func(e *ingress.Entry) {
			e.Backends = []ingress.Backend{{Service: ingress.Service{Namespace: "\x00", Name: "web", Port: 80}, Weight: 1, Invalid: true}, good}
		},
		"resource": func(e *ingress.Entry) {
			e.Backends = []ingress.Backend{{Weight: 1, Invalid: true}, good}
		},
		"namespace of the route": func(e *ingress.Entry) { e.Source.Namespace = "\x00" },
	} {
		t.Run(name, func(t *testing.T) {
			e := entry(route.Pattern{Host: "h", Path: "/a"})
			change(&e)
			routes, problems := gateway.Write([]ingress.Entry{e}, nil)
			require.Equal(t, []ingress.Code{gateway.CodeUnsayable}, codes(problems), "%v", problems)
			assert.Empty(t, routes)
		})
	}
}

// If there are none or all are such, a rule without backends says the same.
func TestWriteClosed(t *testing.T) {
	lists := [][]ingress.Backend{nil}
	for _, s := range []ingress.Service{{Name: "web"}, {Name: "web", Port: math.MaxInt}, {Namespace: "\x00", Name: "web", Port: 80}, {}} {
		lists = append(lists, []ingress.Backend{{Service: s, Weight: 1, Invalid: true}})
	}
	for _, list := range lists {
		e := entry(route.Pattern{Host: "h", Path: "/a"})
		e.Backends = list
		routes, problems := gateway.Write([]ingress.Entry{e}, nil)
		assert.Empty(t, problems)
		require.Len(t, routes, 1)
		assert.Empty(t, routes[0].Rules[0].BackendRefs)
	}
}

// A path that a dialect has closed stays closed for an implementation to which
// its Service is as good as any.
func TestWriteStaysClosed(t *testing.T) {
	e := entry(route.Pattern{Host: "h", Path: "/a"})
	for i := range e.Backends {
		e.Backends[i].Invalid = true
	}
	require.NotEmpty(t, e.Backends[0].Service.Name)
	routes, problems := gateway.Write([]ingress.Entry{e}, nil)
	assert.Equal(t, []ingress.Code{gateway.CodeApproximate}, codes(problems))
	require.Len(t, routes, 1)
	assert.Empty(t, routes[0].Rules[0].BackendRefs)
}

// The Host of a request is its URL's, and to remove it would be refused.
func TestWriteHostHeader(t *testing.T) {
	for _, op := range []ingress.HeaderOp{{Name: "Host", Value: "x.y"}, {Op: ingress.RemoveHeader, Name: "host"}} {
		e := entry(route.Pattern{Host: "h", Path: "/a"})
		e.RequestHeaders = []ingress.HeaderOp{op}
		routes, problems := gateway.Write([]ingress.Entry{e}, nil)
		require.Equal(t, []ingress.Code{gateway.CodeElsewhere}, codes(problems))
		assert.Contains(t, problems[0].Detail, "Host")
		assert.Empty(t, routes[0].Rules[0].Filters)
	}
}

// Where a redirect goes, and what it says of the port.
func TestWriteLocationPort(t *testing.T) {
	for location, want := range map[string]struct {
		port  int
		codes int
	}{"/x": {0, 2}, "http://h:8080/x": {8080, 1}, "http://h/x": {0, 1}} {
		e := entry(route.Pattern{Host: "h", Path: "/a"})
		e.Redirect = &ingress.Redirect{Location: location}
		routes, problems := gateway.Write([]ingress.Entry{e}, nil)
		assert.Len(t, problems, want.codes, location)
		require.Len(t, routes, 1)
		assert.Equal(t, want.port, routes[0].Rules[0].Filters[0].RequestRedirect.Port)
	}
}

// A parameter that is there may have a line feed.
func TestWriteLineFeed(t *testing.T) {
	for _, c := range []route.Condition{{Name: "q", Test: route.Present}, {Name: "q", Test: route.BeginsWith, Value: "a"}} {
		e := entry(route.Pattern{Host: "h", Path: "/a"})
		e.When.Query = []route.Condition{c}
		routes, problems := gateway.Write([]ingress.Entry{e}, nil)
		require.Empty(t, problems)
		back := gateway.Translate(routes, nil)
		require.Empty(t, back.Problems)
		assert.NotNil(t, find(t, back.Entries, nil, "http://h/a?q=a%0ab", nil))
	}
}

func TestAddedAfterAdded(t *testing.T) {
	e := entry(route.Pattern{Host: "h", Path: "/a"})
	e.RequestHeaders = []ingress.HeaderOp{{Op: ingress.AddHeader, Name: "a", Value: "1"}, {Op: ingress.AddHeader, Name: "a", Value: "2"}}
	_, problems := gateway.Write([]ingress.Entry{e}, nil)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].Detail, "added after it was added")
}
