package ingress_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// prefixed is a rewriter that claims its own class and annotations that begin
// with its name, and makes an entry of each path.
func prefixed(name string) ingress.Rewriter {
	return ingress.Each(name, func(in *ingress.Ingress, c *ingress.Cluster) bool {
		return c.Claims(in, []string{name}, []string{name + "/"})
	}, plain)
}

func plain(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	var t ingress.Translation
	rules, problems := c.Paths(in)
	t.Problems = problems
	for _, r := range rules {
		t.Entries = append(t.Entries, ingress.Entry{
			Source: r.Source, Pattern: route.Pattern{Host: r.Host, Path: r.Path}, Backends: []ingress.Backend{r.Backend},
		})
	}
	return t
}

// fallback is a rewriter that claims everything of no other known class.
type fallback struct{ ingress.Rewriter }

func (fallback) Priority() int { return ingress.FallbackPriority }
func (fallback) Match(in *ingress.Ingress, c *ingress.Cluster) bool {
	class, known := c.Class(in)
	return class == "haproxy" || class == "" && !known
}

func simple(name, class string, keys ...string) *ingress.Ingress {
	in := &ingress.Ingress{Namespace: "default", Name: name, ClassName: class, Rules: []ingress.Rule{
		{Host: name + ".example.com", Paths: []ingress.Path{{Path: "/", Type: "Prefix", Backend: service("app", 80)}}},
	}}
	for _, key := range keys {
		if in.Annotations == nil {
			in.Annotations = make(map[string]string)
		}
		in.Annotations[key] = "x"
	}
	return in
}

func winners(r *ingress.Result) map[string]string {
	m := make(map[string]string)
	for _, d := range r.Decisions {
		m[d.Ingress.Name] = d.Rewriter
	}
	return m
}

func TestDispatch(t *testing.T) {
	d, err := ingress.NewDispatcher(
		ingress.Registration{Rewriter: fallback{prefixed("haproxy")}},
		ingress.Registration{Rewriter: prefixed("nginx")},
		ingress.Registration{Rewriter: prefixed("traefik")},
	)
	require.NoError(t, err)
	c := &ingress.Cluster{Classes: map[string]string{"internal": "nginx"}}
	result := d.Dispatch([]*ingress.Ingress{
		nil,
		simple("own", "nginx"),
		simple("classless", ""),
		simple("classless-nginx", "", "nginx/x"),
		simple("stray", "traefik", "nginx/x"),
		simple("custom", "custom", "nginx/x"),
		simple("mapped", "internal"),
		simple("lost", "custom"),
		simple("unregistered", "kong", "nginx/x"),
	}, c)
	assert.Equal(t, map[string]string{
		"own": "nginx", "classless": "haproxy", "classless-nginx": "nginx", "stray": "traefik",
		"custom": "nginx", "mapped": "nginx", "lost": "", "unregistered": "",
	}, winners(result))
	assert.Equal(t, "Ingress 'default/lost': no matching rewriter, skipped\nIngress 'default/unregistered': no matching rewriter, skipped\n", result.String())
	assert.Equal(t, []string{"warning unmatched", "warning unregistered-class"}, codes(result.Problems))
	assert.Len(t, result.Entries, 6)
	assert.Nil(t, c.Known, "the caller's Cluster is not changed")
}

func TestDispatchWithoutRewriters(t *testing.T) {
	for _, d := range []*ingress.Dispatcher{nil, {}} {
		result := d.Dispatch([]*ingress.Ingress{simple("web", "nginx")}, nil)
		assert.Empty(t, result.Entries)
		assert.Equal(t, []string{"warning unregistered-class"}, codes(result.Problems))
		assert.Equal(t, "Ingress 'default/web': no matching rewriter, skipped\n", result.String())
		assert.Equal(t, "Ingress 'default/?': no matching rewriter, skipped\n", d.Dispatch([]*ingress.Ingress{{}}, nil).String())
		assert.Empty(t, d.Notes())
	}
}

func TestPriorities(t *testing.T) {
	reg := func(name string, priority int, external bool) ingress.Registration {
		all := func(*ingress.Ingress, *ingress.Cluster) bool { return true }
		return ingress.Registration{Rewriter: ingress.Each(name, all, plain), Priority: priority, External: external}
	}
	for _, test := range []struct {
		name string
		regs []ingress.Registration
		want string
	}{
		{"lower first", []ingress.Registration{reg("a", 20, false), reg("b", 10, false)}, "b"},
		{"negative before all", []ingress.Registration{reg("a", 1, true), reg("b", -1, false)}, "b"},
		{"0 is 1000", []ingress.Registration{reg("a", 1001, true), reg("b", 0, false), reg("c", 999, false)}, "c"},
		{"0 is 1000, from below", []ingress.Registration{reg("a", 1001, true), reg("b", 0, false)}, "b"},
		{"of equal ones the external", []ingress.Registration{reg("a", 0, false), reg("b", 1000, true)}, "b"},
		{"external does not beat priority", []ingress.Registration{reg("a", 999, false), reg("b", 0, true)}, "a"},
		{"of equal externals the first", []ingress.Registration{reg("a", 0, true), reg("b", 0, true)}, "a"},
		{"of equal built-ins the first", []ingress.Registration{reg("b", 0, false), reg("a", 0, false)}, "b"},
		{"the rewriter's own", []ingress.Registration{{Rewriter: own{reg("a", 0, false).Rewriter}}, reg("b", 900, false)}, "a"},
		{"the rewriter's 0 is 1000 too", []ingress.Registration{{Rewriter: unset{reg("a", 0, false).Rewriter}}, reg("b", 1, false)}, "b"},
		{"the registration before the rewriter's", []ingress.Registration{{Rewriter: own{reg("a", 0, false).Rewriter}, Priority: 950}, reg("b", 900, false)}, "b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := ingress.NewDispatcher(test.regs...)
			require.NoError(t, err)
			assert.Equal(t, test.want, winners(d.Dispatch([]*ingress.Ingress{simple("web", "")}, nil))["web"])
		})
	}
}

type own struct{ ingress.Rewriter }

func (own) Priority() int { return 5 }

type unset struct{ ingress.Rewriter }

func (unset) Priority() int { return 0 }

func TestOverrideAndDisable(t *testing.T) {
	d, err := ingress.NewDispatcher(
		ingress.Registration{Rewriter: prefixed("traefik")},
		ingress.Registration{Rewriter: fallback{prefixed("haproxy")}},
		ingress.Registration{Rewriter: prefixed("haproxy"), External: true},
		ingress.Registration{Rewriter: prefixed("bfe")},
		ingress.Registration{Rewriter: prefixed("bfe"), External: true},
		ingress.Registration{Rewriter: prefixed("traefik"), External: true, Disabled: true},
	)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"Rewriter disabled: traefik",
		"Rewriter overrides built-in: bfe",
		"Rewriter overrides built-in: haproxy",
	}, d.Notes())
	result := d.Dispatch([]*ingress.Ingress{
		simple("a", "haproxy"), simple("b", ""), simple("c", "traefik"), simple("d", "traefik", "haproxy/x"),
	}, nil)
	assert.Equal(t, map[string]string{"a": "haproxy", "b": "", "c": "", "d": ""}, winners(result),
		"the built-in that takes the classless is replaced, and a disabled class stays known")
}

func TestRegistrationFaults(t *testing.T) {
	for _, test := range []struct {
		name string
		regs []ingress.Registration
		want string
	}{
		{"no rewriter", []ingress.Registration{{}}, "registration 0 has no Rewriter"},
		{"no name", []ingress.Registration{{Rewriter: prefixed("")}}, "registration 0"},
		{"upper case", []ingress.Registration{{Rewriter: prefixed("NGINX")}}, "lower case"},
		{"two built-ins", []ingress.Registration{{Rewriter: prefixed("a")}, {Rewriter: prefixed("a")}}, `registration 1: "a" is the second built-in`},
		{"two externals", []ingress.Registration{{Rewriter: prefixed("a"), External: true}, {Rewriter: prefixed("b")}, {Rewriter: prefixed("a"), External: true, Disabled: true}}, `registration 2: "a" is the second external`},
	} {
		_, err := ingress.NewDispatcher(test.regs...)
		require.ErrorContains(t, err, test.want, test.name)
	}
	_, err := ingress.NewDispatcher(ingress.Registration{}, ingress.Registration{})
	assert.ErrorContains(t, err, "registration 1", "every fault")
}

// TestPrecedence has two rewriters for one host and path: the older Ingress
// wins, whoever translates it, and default backends come last.
func TestPrecedence(t *testing.T) {
	at := func(name, class string, created int, def bool) *ingress.Ingress {
		in := simple(name, class)
		in.Created = time.Unix(int64(created), 0)
		in.Rules[0].Host = ""
		if def {
			in.Default, in.Rules = service("fallback", 80), nil
		}
		return in
	}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: prefixed("nginx")}, ingress.Registration{Rewriter: prefixed("haproxy")})
	require.NoError(t, err)
	list := []*ingress.Ingress{
		at("e", "nginx", 5, false), at("d", "haproxy", 4, false), at("c", "nginx", 3, false),
		at("b", "haproxy", 2, false), at("z", "nginx", 1, true), at("y", "haproxy", 1, true), at("a", "nginx", 2, false),
	}
	names := func(r *ingress.Result) string {
		var b strings.Builder
		for _, e := range r.Entries {
			b.WriteString(e.Source.Name)
		}
		return b.String()
	}
	for range 20 {
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		assert.Equal(t, "abcdeyz", names(d.Dispatch(list, nil)))
	}
}

func TestDuplicateIngress(t *testing.T) {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: prefixed("nginx")})
	require.NoError(t, err)
	explicit, implicit := simple("web", "nginx"), simple("web", "nginx")
	implicit.Namespace = ""
	result := d.Dispatch([]*ingress.Ingress{explicit, implicit}, nil)
	assert.Len(t, result.Entries, 1)
	assert.Equal(t, []string{"error duplicate-ingress"}, codes(result.Problems))
}

// TestLaws gives the Dispatcher a rewriter that keeps no contract: what it makes
// is served as far as it compiles, and the rest is listed.
func TestLaws(t *testing.T) {
	good := ingress.Backend{Upstream: "app:80", Weight: 1}
	faults := map[string]ingress.Entry{
		"rule":             {Rules: []rewrite.Rule{{Action: rewrite.SetPath("no-slash"), Origin: rewrite.Origin{Key: "key"}}}},
		"rule at Forward":  {Rules: []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetPath("/")}}},
		"backend's rule":   {Backends: []ingress.Backend{{Upstream: "app:80", Rules: []rewrite.Rule{{Action: rewrite.SetPath("/")}}}}},
		"upstream":         {Backends: []ingress.Backend{{Weight: 1}}},
		"scheme":           {Backends: []ingress.Backend{{Upstream: "app:80", Scheme: "ftp"}}},
		"weight":           {Backends: []ingress.Backend{{Upstream: "app:80", Weight: 1_000_001}}},
		"redirect":         {Redirect: &ingress.Redirect{Status: 200}},
		"header":           {RequestHeaders: []ingress.HeaderOp{{Name: "a b", Value: "x"}}},
		"backend's header": {Backends: []ingress.Backend{{Upstream: "app:80", ResponseHeaders: []ingress.HeaderOp{{Name: ""}}}}},
		"header value":     {ResponseHeaders: []ingress.HeaderOp{{Name: "a", Value: "x\r\ny: z"}}},
		"header action":    {ResponseHeaders: []ingress.HeaderOp{{Op: 7, Name: "a"}}},
		"Host":             {RequestHeaders: []ingress.HeaderOp{{Name: "host", Value: "x.example"}}},
		"removed Host":     {Backends: []ingress.Backend{{Upstream: "app:80", RequestHeaders: []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "Host"}}}}},
		"removed value":    {RequestHeaders: []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "a", Value: "x"}}},
		"size":             {MaxBodySize: -2},
		"mapping":          {Back: []rewrite.Mapping{{From: "~("}}},
		"host":             {Pattern: route.Pattern{Host: "a..b"}},
		"path":             {Pattern: route.Pattern{Path: "no-slash"}},
		"regex":            {Pattern: route.Pattern{Path: "/(", Type: route.Regex}},
		"condition":        {When: route.Conditions{Headers: []route.Condition{{Name: "", Value: "x"}}}},
	}
	var entries []ingress.Entry
	for i, name := range slices.Sorted(mapKeys(faults)) {
		e := faults[name]
		e.Source = ingress.Source{Kind: "Ingress", Namespace: "default", Name: "web", Path: i, Part: name}
		if len(e.Backends) == 0 {
			e.Backends = []ingress.Backend{good}
		}
		entries = append(entries, e)
	}
	twin := ingress.Entry{Source: ingress.Source{Kind: "Ingress", Namespace: "default", Name: "web", Part: "twin"}, Backends: []ingress.Backend{good}}
	for i := range 3 {
		e := twin
		e.Pattern.Path = fmt.Sprintf("/%d", i)
		entries = append(entries, e)
		if i == 0 {
			e.Source.Part, e.Pattern.Path = "twin#2", "/taken"
			entries = append(entries, e)
		}
	}
	careless := ingress.Each("careless", func(*ingress.Ingress, *ingress.Cluster) bool { return true },
		func(*ingress.Ingress, *ingress.Cluster) ingress.Translation {
			return ingress.Translation{Entries: entries}
		})
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: careless})
	require.NoError(t, err)
	result := d.Dispatch([]*ingress.Ingress{simple("web", "")}, nil)

	parts := make([]string, len(result.Entries))
	for i, e := range result.Entries {
		parts[i] = e.Source.Part
	}
	assert.Equal(t, []string{"twin", "twin#2", "twin#3", "twin#4"}, parts)
	listed := make(map[string]ingress.Problem)
	for _, p := range result.Problems {
		listed[p.Source.Part] = p
	}
	for name := range faults {
		assert.Equal(t, ingress.CodeBadEntry, listed[name].Code, name)
		assert.Error(t, listed[name].Err, name)
	}
	assert.Equal(t, "key", listed["rule"].Origin.Key, "the rule's own origin")
	for name, key := range map[string]string{"host": "host", "path": "path", "regex": "path", "condition": ""} {
		assert.Equal(t, key, listed[name].Origin.Key, name)
	}
	assert.Equal(t, ingress.CodeRewriter, listed["twin"].Code)

	table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) { return e.Source.Part, nil })
	assert.Empty(t, problems, "every entry of a Result compiles")
	value, ok := table.Lookup("any", "/1")
	assert.True(t, ok)
	assert.Equal(t, "twin#3", value)
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestBuild(t *testing.T) {
	backend := []ingress.Backend{{Upstream: "app:80", Weight: 1}, {Upstream: "app:80", Weight: 1, Rules: []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost("b.example.com")}}}}
	entry := func(part, path string) ingress.Entry {
		return ingress.Entry{Source: ingress.Source{Kind: "Ingress", Name: "web", Part: part}, Pattern: route.Pattern{Path: path}, Backends: backend}
	}
	entries := []ingress.Entry{entry("first", "/a"), entry("bad", "a"), entry("refused", "/r"), entry("second", "/a/"), entry("raw", "/raw")}
	entries[0].Rules = []rewrite.Rule{{Action: rewrite.TrimPathPrefix("/a")}}
	entries[0].Redirect = &ingress.Redirect{Location: "/elsewhere"}
	entries[4].ExtraDirectives = []string{"encode gzip"}
	refuse := errors.New("no such pool")
	table, problems := ingress.Build(entries, nil, func(e *ingress.Entry, compiled *ingress.Compiled) (*ingress.Compiled, error) {
		if e.Source.Part == "refused" {
			return nil, refuse
		}
		return compiled, nil
	})
	assert.Equal(t, []string{"error caller", "warning raw-directives", "error bad-entry", "warning shadowed"}, codes(problems))
	assert.ErrorIs(t, &problems[0], refuse)
	assert.Equal(t, "bad", problems[2].Source.Part)
	assert.Equal(t, "second", problems[3].Source.Part)
	assert.Equal(t, []ingress.Source{entries[0].Source}, problems[3].Related)

	compiled, ok := table.Lookup("h", "/a/b")
	require.True(t, ok)
	u := rewrite.URL{Scheme: "http", Host: "h", Path: "/a/b"}
	_, err := compiled.Program.Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	assert.Equal(t, "/b", u.Path)
	require.Len(t, compiled.Forward, 2)
	assert.Nil(t, compiled.Forward[0])
	_, err = compiled.Forward[1].Apply(rewrite.Forward, &u, nil)
	require.NoError(t, err)
	assert.Equal(t, "b.example.com", u.Host)
	assert.NotNil(t, compiled.Redirect)
	_, ok = table.Lookup("h", "/r")
	assert.False(t, ok)

	never := ingress.Entry{Pattern: route.Pattern{Path: "/a^b", Type: route.Regex}, Backends: backend}
	_, problems = ingress.Build([]ingress.Entry{never, never}, nil, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
	require.Equal(t, []string{"warning shadowed"}, codes(problems))
	assert.True(t, strings.HasSuffix(problems[0].Detail, "gets all requests"), "no example, where no URL was found: %s", problems[0].Detail)

	none, problems := ingress.Build(nil, nil, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
	assert.NotNil(t, none)
	assert.Empty(t, problems)
}

// TestDefaultIsLast: a default backend gets what no route of its host matches,
// whatever the pattern of the route.
func TestDefaultIsLast(t *testing.T) {
	types := ingress.Each("types", func(*ingress.Ingress, *ingress.Cluster) bool { return true }, func(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
		tr := plain(in, c)
		for i := range tr.Entries {
			switch e := &tr.Entries[i]; e.Source.Path {
			case 0:
				e.Pattern.Type = route.Regex
			case 1:
				e.Pattern.Type = route.TextPrefix
			case -1:
				e.Pattern.Path = in.Annotations["default"] // "" is "/" too
			}
		}
		return tr
	})
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: types})
	require.NoError(t, err)
	in := &ingress.Ingress{Name: "web", Default: service("fallback", 80), Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
		{Path: "/t/[0-9]+", Backend: service("regex", 80)}, {Path: "/text", Backend: service("text", 80)},
	}}}}
	for _, path := range []string{"/", ""} {
		in.Annotations = map[string]string{"default": path}
		result := d.Dispatch([]*ingress.Ingress{in}, nil)
		table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) { return e.Backends[0].Service.Name, nil })
		assert.Empty(t, problems)
		for path, want := range map[string]string{"/t/5": "regex", "/textual": "text", "/other": "fallback", "/": "fallback"} {
			got, _ := table.Lookup("h", path)
			assert.Equal(t, want, got, path)
		}
	}
}
