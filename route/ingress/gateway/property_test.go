package gateway_test

// Properties: what is written is read back, and what is read is served.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomRoute returns a route that Translate takes without a problem.
func randomRoute(r *rand.Rand, name string) *gateway.HTTPRoute {
	out := &gateway.HTTPRoute{Namespace: "default", Name: name}
	for range r.IntN(3) {
		out.Hostnames = append(out.Hostnames, pick(r, "a.example.com", "b.example.com", "*.example.com", "c.test"))
	}
	for range 1 + r.IntN(4) {
		out.Rules = append(out.Rules, randomRule(r))
	}
	return out
}

func randomRule(r *rand.Rand) (rule gateway.Rule) {
	for range r.IntN(3) {
		rule.Matches = append(rule.Matches, randomMatch(r))
	}
	onePrefix := len(rule.Matches) == 0 || len(rule.Matches) == 1 && (rule.Matches[0].Path.Type == "" || rule.Matches[0].Path.Type == "PathPrefix")
	modifier := func() gateway.PathModifier {
		switch {
		case r.IntN(3) == 0:
			return gateway.PathModifier{}
		case onePrefix && r.IntN(2) == 0:
			return gateway.PathModifier{Type: "ReplacePrefixMatch", Value: pick(r, "", "/", "/x", "/x/", "/x/y%2Fz")}
		}
		return gateway.PathModifier{Type: "ReplaceFullPath", Value: pick(r, "", "/", "/full", "/full/")}
	}
	values := func(n int) (list []gateway.HeaderValue) {
		for i := range r.IntN(n) {
			list = append(list, gateway.HeaderValue{Name: fmt.Sprint(pick(r, "A", "B", "C"), i), Value: pick(r, "1", "two")})
		}
		return list
	}
	if set := values(3); len(set) > 0 {
		rule.Filters = append(rule.Filters, gateway.Filter{Type: "RequestHeaderModifier", RequestHeaderModifier: &gateway.HeaderModifier{Set: set, Remove: []string{"Gone"}}})
	}
	if add := values(3); len(add) > 0 {
		rule.Filters = append(rule.Filters, gateway.Filter{Type: "ResponseHeaderModifier", ResponseHeaderModifier: &gateway.HeaderModifier{Add: add}})
	}
	rewritten := false
	switch r.IntN(3) {
	case 0:
		rule.Filters = append(rule.Filters, gateway.Filter{Type: "RequestRedirect", RequestRedirect: &gateway.RequestRedirect{
			Scheme: pick(r, "", "http", "https"), Hostname: pick(r, "", "x.example"), Port: pick(r, 0, 80, 443, 8443), StatusCode: pick(r, 0, 301, 308), Path: modifier(),
		}})
		return rule
	case 1:
		u := gateway.URLRewrite{Hostname: pick(r, "", "in.example"), Path: modifier()}
		rule.Filters = append(rule.Filters, gateway.Filter{Type: "URLRewrite", URLRewrite: &u})
		rewritten = true
	}
	for i := range 1 + r.IntN(3) {
		weight := int64(r.IntN(5))
		ref := gateway.BackendRef{Name: fmt.Sprint("s", i), Port: 80 + i, Weight: pick(r, nil, &weight)}
		if !rewritten && r.IntN(3) == 0 {
			ref.Filters = []gateway.Filter{{Type: "URLRewrite", URLRewrite: &gateway.URLRewrite{Hostname: pick(r, "", "b.example"), Path: modifier()}}}
		}
		if set := values(3); len(set) > 0 {
			ref.Filters = append(ref.Filters, gateway.Filter{Type: "RequestHeaderModifier", RequestHeaderModifier: &gateway.HeaderModifier{Set: set}})
		}
		rule.BackendRefs = append(rule.BackendRefs, ref)
	}
	return rule
}

func randomMatch(r *rand.Rand) (m gateway.Match) {
	m.Path = pick(r,
		gateway.PathMatch{}, gateway.PathMatch{Type: "PathPrefix", Value: "/"}, gateway.PathMatch{Value: "/a"},
		gateway.PathMatch{Type: "PathPrefix", Value: "/a/b/"}, gateway.PathMatch{Type: "Exact", Value: "/a/"},
		gateway.PathMatch{Type: "RegularExpression", Value: "/a/[0-9]+"}, gateway.PathMatch{Type: "RegularExpression", Value: "/a|/b"},
		gateway.PathMatch{Type: "RegularExpression", Value: "(?i)/a.*"}, gateway.PathMatch{Type: "RegularExpression", Value: "/x.*"},
	)
	m.Method = pick(r, "", "", "GET", "PUT")
	for i := range r.IntN(2) {
		m.Headers = append(m.Headers, gateway.ValueMatch{Type: pick(r, "", "Exact", "RegularExpression"), Name: fmt.Sprint("H", i), Value: "v"})
	}
	for i := range r.IntN(2) {
		m.QueryParams = append(m.QueryParams, gateway.ValueMatch{Type: pick(r, "", "RegularExpression"), Name: fmt.Sprint("q", i), Value: "v"})
	}
	return m
}

// texts returns entries without where they came from, in an order that
// does not depend on it, as text.
func texts(entries []ingress.Entry) []string {
	strip := func(rules []rewrite.Rule) []rewrite.Rule {
		rules = slices.Clone(rules)
		for i := range rules {
			rules[i].Origin = rewrite.Origin{}
		}
		return rules
	}
	var list []string
	for _, e := range entries {
		e.Source = ingress.Source{}
		e.Rules = strip(e.Rules)
		e.Backends = slices.Clone(e.Backends)
		for i := range e.Backends {
			e.Backends[i].Rules = strip(e.Backends[i].Rules)
		}
		redirect := ""
		if e.Redirect != nil {
			r := *e.Redirect
			r.Rules = strip(r.Rules)
			redirect, e.Redirect = fmt.Sprintf("%+v", r), nil
		}
		list = append(list, fmt.Sprintf("%+v %s", e, redirect))
	}
	sort.Strings(list)
	return list
}

// Routes that are read, written and read again are the same entries.
func TestRoundTrip(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 500
	properties := gopter.NewProperties(parameters)
	properties.Property("read, write, read", prop.ForAll(func(seed uint64) (bool, error) {
		r := rand.New(rand.NewPCG(seed, 0))
		first := gateway.Translate([]*gateway.HTTPRoute{randomRoute(r, "one"), randomRoute(r, "two")}, nil)
		if len(first.Problems) > 0 {
			return false, &first.Problems[0]
		}
		routes, problems := gateway.Write(first.Entries, nil)
		for i := range problems {
			if problems[i].Code != gateway.CodeApproximate {
				return false, &problems[i]
			}
		}
		text, err := json.Marshal(routes)
		if err != nil {
			return false, err
		}
		var back []*gateway.HTTPRoute
		if err := json.Unmarshal(text, &back); err != nil {
			return false, err
		}
		second := gateway.Translate(back, nil)
		if len(second.Problems) > 0 {
			return false, &second.Problems[0]
		}
		want, got := texts(first.Entries), texts(second.Entries)
		if !reflect.DeepEqual(want, got) {
			return false, fmt.Errorf("%s\n got %s\nwant %s", text, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
		return true, nil
	}, gen.UInt64()))
	properties.TestingRun(t)
}

// Whatever prefix rules an entry has: if Write has nothing to say, what is
// written does the same to every path.
func TestWrittenPathsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	plain := []string{"/", "/a", "/a/b", "/a/b/c", "/b", "/ab", "/x/"}
	prefixes := append(slices.Clip(plain), "/%61") // which is another spelling of /a
	action := func() rewrite.Action {
		switch r.IntN(7) {
		case 0:
			return rewrite.TrimPathPrefix(pick(r, prefixes...), pick(r, prefixes...))
		case 1:
			return rewrite.AddPathPrefix(pick(r, plain...))
		case 2:
			return rewrite.ReplacePathPrefix(pick(r, prefixes...), pick(r, append(plain, "")...))
		case 3:
			return rewrite.StripPathSegments(1 + r.IntN(3))
		case 4:
			return rewrite.ReplacePathText(pick(r, prefixes...), pick(r, append(plain, "")...))
		case 5:
			p := pick(r, "/a", "/a/b", "/b")
			return rewrite.RewritePath("^"+p+pick(r, "(/|$)(.*)", "(/.*)?$", "/(.*)", "/?(.*)", "(.*)"), pick(r, "/$2", "$1", "/x$1", "/$1", "/x/$2", "/c"))
		}
		return rewrite.TrimPathText(pick(r, prefixes...))
	}
	said := 0
	for range 20000 {
		e := entry(route.Pattern{Path: pick(r, prefixes[:6]...), Type: pick(r, route.Prefix, route.Exact)})
		for range 1 + r.IntN(2) {
			e.Rules = append(e.Rules, rewrite.Rule{Action: action()})
		}
		ours, err := rewrite.Compile(e.Rules, nil)
		if err != nil { // such as a group that the expression does not have
			continue
		}
		routes, problems := gateway.Write([]ingress.Entry{e}, nil)
		if len(problems) > 0 {
			continue
		}
		said++
		back := gateway.Translate(routes, nil)
		require.Empty(t, back.Problems, "%v %v", e.Pattern, e.Rules)
		theirs := rewrite.MustCompile(back.Entries[0].Rules, nil)
		base := strings.TrimSuffix(e.Pattern.Path, "/")
		rests := []string{"", "/", "/a", "/a/b", "/c/d/e", "/b/c", "/%61/b", "//a"}
		if e.Pattern.Type == route.Exact {
			base, rests = e.Pattern.Path, rests[:1]
		}
		for _, rest := range rests {
			path := base + rest
			if path == "" || path == "//a" {
				continue
			}
			a, b := rewrite.URL{Path: path}, rewrite.URL{Path: path}
			_, err1 := ours.Apply(rewrite.AfterLocation, &a, nil)
			_, err2 := theirs.Apply(rewrite.AfterLocation, &b, nil)
			require.Equal(t, err1, err2)
			require.Equal(t, a.Path, b.Path, "%v %v on %s, written as %s", e.Pattern, e.Rules, path, jsonOf(t, routes))
		}
	}
	require.Greater(t, said, 4000, "too few of the entries can be said for this to be a test")
}

// A prefix that is added is a ReplacePrefixMatch, which by the form that the package
// documents makes the same of every path that the rule has.
func TestAddedPrefixIsExact(t *testing.T) {
	for _, prefix := range []string{"/", "/share", "/share/", "/a/b%20c"} {
		for _, added := range []string{"/x", "/x/", "x", "/x/y%2Fz", "/share"} {
			e := entry(route.Pattern{Path: prefix}, rewrite.AddPathPrefix(added))
			routes, problems := gateway.Write([]ingress.Entry{e}, nil)
			require.Empty(t, problems)
			rule := routes[0].Rules[0]
			match := "/"
			if len(rule.Matches) > 0 {
				match = rule.Matches[0].Path.Value
			}
			require.Equal(t, "ReplacePrefixMatch", rule.Filters[0].URLRewrite.Path.Type)
			with := strings.TrimRight(rule.Filters[0].URLRewrite.Path.Value, "/")
			base := strings.TrimRight(prefix, "/")
			require.Equal(t, base, strings.TrimRight(match, "/"))
			program := rewrite.MustCompile(e.Rules, nil)
			for _, rest := range []string{"", "/", "/a", "/a/", "/a/b", "//a", "/x", "/share", "/%61", "/a%2Fb", "/%2F", "/.a"} {
				path := base + rest
				if path == "" {
					continue
				}
				u := rewrite.URL{Path: path}
				_, err := program.Apply(rewrite.AfterLocation, &u, nil)
				require.NoError(t, err)
				require.Equal(t, with+strings.TrimPrefix(path, base), u.Path, "%s before %s, written as %s", added, path, jsonOf(t, routes))
			}
		}
	}
}

// FuzzTranslate: whatever decodes makes entries that all build, and that can be
// written without a panic.
func FuzzTranslate(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 5))
	for range 20 {
		text, err := json.Marshal(randomRoute(r, "seed"))
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(prefixRule("/foo", "/bar")))
	f.Add([]byte(`{"spec": {"rules": [{"matches": [{"path": {"type": "RegularExpression", "value": "/a\\Q"}}]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var route gateway.HTTPRoute
		if json.Unmarshal(text, &route) != nil {
			return
		}
		got := gateway.Translate([]*gateway.HTTPRoute{&route}, cluster)
		_, problems := ingress.Build(got.Entries, cluster, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
		for _, p := range problems {
			if p.Code != ingress.CodeShadowed {
				t.Fatalf("%s\n%s", p.Error(), text)
			}
		}
		seen := make(map[ingress.Source]bool)
		for _, e := range got.Entries {
			if seen[e.Source] {
				t.Fatalf("two entries of %v", e.Source)
			}
			seen[e.Source] = true
		}
		gateway.Write(got.Entries, nil)
	})
}

// FuzzWrite: whatever an entry says, Translate takes what is written of it.
func FuzzWrite(f *testing.F) {
	f.Add("h", "/app(/|$)(.*)", byte(route.Regex), `[{"action": {"rewritePath": ["^/app(/|$)(.*)", "/$2"]}}]`, "", "X-A", "1")
	f.Add("*.x", "/a", byte(route.Prefix), `[{"action": {"trimPathPrefix": ["/b", "/a"]}}, {"action": {"addPathPrefix": "/c"}}]`, "https://x.y:1/z", "", "")
	f.Add("", "/a/b", byte(route.Exact), `[{"action": {"setHostname": "x.y"}}, {"action": {"stripPathSegments": 1}}]`, "/x", "A", "")
	f.Add("a.b.c", "/a", byte(route.TextPrefix), `[{"action": {"replacePathText": ["/a", "/b/"]}}, {"action": {"replaceHostSuffix": ["c", "d"]}}]`, "", "Host", "x:1")
	f.Add("h", "/", byte(route.Prefix), `[{"action": {"setPath": "/a?b"}}]`, "//x", "a b", "\n")
	f.Fuzz(func(t *testing.T, host, path string, kind byte, rules, location, name, value string) {
		e := entry(route.Pattern{Host: host, Path: path, Type: route.PathType(kind % 4)})
		if json.Unmarshal([]byte(rules), &e.Rules) != nil {
			return
		}
		e.RequestHeaders = []ingress.HeaderOp{{Name: "A", Value: "b"}}
		if name != "" {
			e.When.Headers = []route.Condition{{Name: name, Value: value, Test: route.Test(kind % 5)}}
		}
		redirect := e
		redirect.Redirect = &ingress.Redirect{Location: location}
		if location == "" {
			redirect.Redirect = &ingress.Redirect{Rules: e.Rules}
		}
		for _, e := range []ingress.Entry{e, redirect} {
			_, problems := ingress.Build([]ingress.Entry{e}, nil, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
			if len(problems) > 0 { // an entry that does not build is nobody's
				gateway.Write([]ingress.Entry{e}, nil)
				continue
			}
			routes, _ := gateway.Write([]ingress.Entry{e}, nil)
			for _, p := range gateway.Translate(routes, nil).Problems {
				if p.Severity == ingress.Error {
					t.Errorf("%s\n%+v", p.Error(), e)
				}
			}
		}
	})
}
