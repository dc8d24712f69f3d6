package ingress_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// TestCompanion has an older Ingress and a newer one of another namespace that
// redirects plain HTTP on the same path: it gets nothing of the older one's.
func TestCompanion(t *testing.T) {
	https := ingress.Each("https", func(*ingress.Ingress, *ingress.Cluster) bool { return true }, func(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
		tr := plain(in, c)
		if in.Name == "new" || in.Name == "own" {
			e := tr.Entries[0]
			e.Source.Part, e.When.Scheme, e.Backends = "https", "http", nil
			e.Redirect = &ingress.Redirect{Rules: []rewrite.Rule{{Action: rewrite.SetScheme("https")}}}
			tr.Entries = append([]ingress.Entry{e}, tr.Entries...)
		}
		return tr
	})
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: https})
	require.NoError(t, err)
	in := func(name, host, path string, created int64) *ingress.Ingress {
		return &ingress.Ingress{Namespace: name, Name: name, Created: time.Unix(created, 0), Rules: []ingress.Rule{
			{Host: host, Paths: []ingress.Path{{Path: path, Backend: service("app", 80)}}},
		}}
	}
	for _, new := range [][2]string{
		{"H.example.com", "/p/"}, {"h.example.com.", "/p"}, {"h.example.com:8080", "/p"}, {"h.example.com", "/%70"}, {"h。example.com", "/p"},
	} {
		result := d.Dispatch([]*ingress.Ingress{in("new", new[0], new[1], 2), in("old", "h.example.com", "/p", 1), in("own", "own.example.com", "/p", 3)}, nil)
		var got []string
		for _, e := range result.Entries {
			got = append(got, e.Source.Name+" "+e.Source.Part)
		}
		assert.Equal(t, []string{"old ", "new ", "own https", "own "}, got, new)
		if assert.Equal(t, []string{"warning shadowed"}, codes(result.Problems), new) {
			assert.Equal(t, "old", result.Problems[0].Related[0].Name)
		}
	}

	// What stands behind a companion that is left out does not take its place.
	again := in("own", "h.example.com", "/p", 3)
	result := d.Dispatch([]*ingress.Ingress{in("old", "h.example.com", "/p", 1), in("new", "h.example.com", "/p", 2), again}, nil)
	for _, e := range result.Entries {
		assert.Empty(t, e.When.Scheme, e.Source)
	}
	assert.Equal(t, []string{"warning shadowed", "warning shadowed"}, codes(result.Problems))
}

// TestCompanionOfConditions has both Ingresses ask for the same conditions,
// spelled differently: the newer one redirects nothing of the older one's. With
// other conditions it is another route.
func TestCompanionOfConditions(t *testing.T) {
	header := func(name, value string) []route.Condition { return []route.Condition{{Name: name, Value: value}} }
	old := route.Conditions{Methods: []string{"GET", "PUT"}, Headers: header("X-Canary", "always")}
	for _, c := range []struct {
		what string
		new  route.Conditions
		want []string
	}{
		{"equal", route.Conditions{Methods: []string{"PUT", "GET"}, Headers: header("x-canary", "always")}, []string{"old ", "new "}},
		{"another value", route.Conditions{Methods: old.Methods, Headers: header("X-Canary", "never")}, []string{"old ", "new https", "new "}},
		{"none", route.Conditions{}, []string{"old ", "new https", "new "}},
	} {
		rewriter := ingress.Each("https", func(*ingress.Ingress, *ingress.Cluster) bool { return true }, func(in *ingress.Ingress, _ *ingress.Cluster) ingress.Translation {
			e := ingress.Entry{Source: in.At(0, 0, ""), Pattern: route.Pattern{Path: "/p"}, When: old, Backends: []ingress.Backend{{Upstream: "app:80", Weight: 1}}}
			if in.Name == "old" {
				return ingress.Translation{Entries: []ingress.Entry{e}}
			}
			e.When = c.new
			redirect := e
			redirect.Source.Part, redirect.When.Scheme, redirect.Backends = "https", "http", nil
			redirect.Redirect = &ingress.Redirect{Rules: rules(rewrite.SetScheme("https"))}
			return ingress.Translation{Entries: []ingress.Entry{redirect, e}}
		})
		d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: rewriter})
		require.NoError(t, err)
		result := d.Dispatch([]*ingress.Ingress{{Name: "new", Created: time.Unix(2, 0)}, {Name: "old", Created: time.Unix(1, 0)}}, nil)
		var got []string
		for _, e := range result.Entries {
			got = append(got, e.Source.Name+" "+e.Source.Part)
		}
		assert.Equal(t, c.want, got, c.what)
		if len(c.want) == 2 {
			assert.Equal(t, []string{"warning shadowed"}, codes(result.Problems), c.what)
		} else {
			assert.Empty(t, result.Problems, c.what)
		}
	}
}

// TestCompanionOfFaulty has an older Ingress whose entry cannot be served: it
// shadows nothing, so a newer one keeps the redirect of the same path.
func TestCompanionOfFaulty(t *testing.T) {
	for what, spoil := range map[string]func(*ingress.Entry){
		"a rule":     func(e *ingress.Entry) { e.Rules = rules(rewrite.SetPath("no-slash")) },
		"a path":     func(e *ingress.Entry) { e.Pattern.Path = "/p//" }, // equal to /p at first sight
		"a mapping":  func(e *ingress.Entry) { e.Back = []rewrite.Mapping{{From: "~("}} },
		"a redirect": func(e *ingress.Entry) { e.Redirect = &ingress.Redirect{Status: 200} },
	} {
		https := ingress.Each("https", func(*ingress.Ingress, *ingress.Cluster) bool { return true }, func(in *ingress.Ingress, _ *ingress.Cluster) ingress.Translation {
			e := ingress.Entry{Source: in.At(0, 0, ""), Pattern: route.Pattern{Path: "/p/"}, Backends: []ingress.Backend{{Upstream: "app:80", Weight: 1}}}
			if in.Name == "old" {
				spoil(&e)
				return ingress.Translation{Entries: []ingress.Entry{e}}
			}
			redirect := e
			redirect.Source.Part, redirect.When.Scheme, redirect.Backends = "https", "http", nil
			redirect.Redirect = &ingress.Redirect{Rules: rules(rewrite.SetScheme("https"))}
			return ingress.Translation{Entries: []ingress.Entry{redirect, e}}
		})
		d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: https})
		require.NoError(t, err)
		result := d.Dispatch([]*ingress.Ingress{{Name: "new", Created: time.Unix(2, 0)}, {Name: "old", Created: time.Unix(1, 0)}}, nil)
		assert.Equal(t, []string{"error bad-entry"}, codes(result.Problems), what)
		var got []string
		for _, e := range result.Entries {
			got = append(got, e.Source.Name+" "+e.Source.Part)
		}
		assert.Equal(t, []string{"new https", "new "}, got, what)
	}
}
