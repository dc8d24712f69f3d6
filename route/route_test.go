package route_test

// Route: the BeforeLocation hook between two matches.

import (
	"errors"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

type service struct {
	name  string
	rules *rewrite.Program
}

func before(actions ...rewrite.Action) *rewrite.Program {
	var rules []rewrite.Rule
	for _, a := range actions {
		rules = append(rules, rewrite.Rule{Hook: rewrite.BeforeLocation, Action: a})
	}
	return rewrite.MustCompile(rules, &rewrite.Options{AllowedHosts: []string{"c"}, MaxLength: 100})
}

func TestRoute(t *testing.T) {
	after := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.SetPath("/never")}}, nil)
	routes := []route.Route[service]{
		{Pattern: route.Pattern{Host: "a"}, Value: service{"a", before(rewrite.SetHost("b"), rewrite.TrimPathPrefix("/x"))}},
		{Pattern: route.Pattern{Host: "b"}, Value: service{"b", before(rewrite.SetHost("a"))}},
		{Pattern: route.Pattern{Host: "c"}, Value: service{"c", nil}},
		{Pattern: route.Pattern{Host: "same"}, Value: service{"same", before(rewrite.SetHost("same"))}},
		{Pattern: route.Pattern{Host: "after"}, Value: service{"after", after}},
		{Pattern: route.Pattern{Host: "lost"}, Value: service{"lost", before(rewrite.SetHost("nowhere"))}},
		{Pattern: route.Pattern{Host: "refused"}, Value: service{"refused", before(rewrite.HostFromPathPrefix())}},
		{Pattern: route.Pattern{Host: "query"}, Value: service{"query", before(rewrite.AddQuery("canary", "1"))}},
		{Pattern: route.Pattern{Host: "query"}, When: route.Conditions{Query: one("canary", route.Equals, "1")}, Value: service{"canary", nil}},
	}
	table, err := route.NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	hook := func(s service) *rewrite.Program { return s.rules }
	for _, tt := range []struct {
		in, out, want string
		err           error
		changed       rewrite.Changes
	}{
		{"http://a/x/y", "http://b/y", "b", nil, rewrite.HostChanged | rewrite.PathChanged}, // and not back to a
		{"http://b/y", "http://a/y", "a", nil, rewrite.HostChanged},
		{"http://c/y", "http://c/y", "c", nil, 0},
		{"http://same/y", "http://same/y", "same", nil, 0},
		{"http://after/y", "http://after/y", "after", nil, 0},
		{"http://lost/y", "http://lost/y", "", route.ErrNoRoute, 0},
		{"http://nowhere/y", "http://nowhere/y", "", route.ErrNoRoute, 0},
		{"http://refused/d/y", "http://refused/d/y", "", rewrite.ErrHost, 0},
		{"http://refused/c/y", "http://c/y", "c", nil, rewrite.HostChanged | rewrite.PathChanged},
		{"http://query/", "http://query/?canary=1", "canary", nil, rewrite.QueryChanged},
	} {
		u, err := rewrite.Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		got, result, err := table.Route(&u, nil, hook, nil)
		if got.name != tt.want || !errors.Is(err, tt.err) || u.String() != tt.out || result.Changed() != tt.changed {
			t.Errorf("%s is %q, %v, %v, error %v", tt.in, got.name, u, result.Changed(), err)
		}
		if err != nil && errors.Is(err, rewrite.ErrRefused) == (err == route.ErrNoRoute) {
			t.Errorf("%s: %v is neither 400 nor 404, or both", tt.in, err)
		}
		u, _ = rewrite.Parse(tt.in)
		want, ok := table.Match(&u, nil)
		if got, result, err := table.Route(&u, nil, nil, nil); got != want || (err == nil) != ok || result != (rewrite.Result{}) || u.String() != tt.in {
			t.Errorf("%s without a hook is %q, %v, error %v", tt.in, got.name, u, err)
		}
	}
	if _, _, err := table.Route(nil, nil, hook, nil); err != route.ErrNoRoute {
		t.Error(err)
	}
}
