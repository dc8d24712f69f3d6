// Expressions beside paths, against the order that Traefik has.

package traefik_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/traefik"
)

const pathmatcher = "traefik.ingress.kubernetes.io/router.pathmatcher"

// hostOf returns an Ingress with expressions and one with paths, of one host,
// each with a Service of its own.
func hostOf(expressions, paths []string) []*ingress.Ingress {
	regex, plain := web("/", "", map[string]string{pathmatcher: "PathRegexp"}), web("/", "", nil)
	regex.Name, plain.Name = "regex", "plain"
	regex.Rules[0].Paths, plain.Rules[0].Paths = nil, nil
	for i, s := range expressions {
		regex.Rules[0].Paths = append(regex.Rules[0].Paths, ingress.Path{Path: s, Backend: service(fmt.Sprint("x", i))})
	}
	for i, s := range paths {
		plain.Rules[0].Paths = append(plain.Rules[0].Paths, ingress.Path{Path: s, Type: "Prefix", Backend: service(fmt.Sprint("p", i))})
	}
	return []*ingress.Ingress{regex, plain}
}

// wantService is Traefik: of the rules that match the longest.
func wantService(expressions, paths []string, path string) string {
	type rule struct {
		text, service string
		match         bool
	}
	var rules []rule
	for i, s := range expressions {
		rules = append(rules, rule{s, fmt.Sprint("x", i), regexp.MustCompile(s).MatchString(path)})
	}
	for i, s := range paths {
		s = strings.TrimSuffix(s, "/")
		rules = append(rules, rule{paths[i], fmt.Sprint("p", i), path == s || strings.HasPrefix(path, s+"/")})
	}
	slices.SortStableFunc(rules, func(a, b rule) int { return cmp.Compare(len(b.text), len(a.text)) })
	for _, r := range rules {
		if r.match {
			return r.service
		}
	}
	return ""
}

func TestOrder(t *testing.T) {
	expressions := []string{"^/a.*", "^/a/[bc]+", "b", "^/(a|b)/c/d$", "/c", "^/ab", "(?i)^/A"}
	paths := []string{"/", "/a", "/a/b", "/a/bb/c/d", "/ab/", "/abc", "/b/c/d/e", "/c/d-e.f", "/x"}
	requests := []string{"/", "/a", "/a/b", "/a/bb/c/d", "/a/bb/c/d/e", "/ab", "/ab/c", "/abc", "/abcd", "/b/c/d", "/b/c/d/e", "/c/d-e.f", "/c/d-eXf", "/x", "/x/b", "/A", "/x/c"}
	for set := 1; set < 1<<len(expressions); set++ {
		var some []string
		for i, s := range expressions {
			if set>>i&1 == 1 {
				some = append(some, s)
			}
		}
		got := traefik.New(nil).Rewrite(hostOf(some, paths), nil)
		assert.Empty(t, got.Problems)
		table, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) { return e.Backends[0].Service.Name, nil })
		require.Empty(t, problems)
		for _, path := range requests {
			name, _ := table.Lookup("h", path)
			require.Equal(t, wantService(some, paths, path), name, "%s with %v", path, some)
		}
	}
}

// A path that cannot be an expression stays a path, and that is said.
func TestOrderWithinLimits(t *testing.T) {
	long := "/a" + strings.Repeat("b", 400)
	got := traefik.New(nil).Rewrite(hostOf([]string{"^/a.*"}, []string{long, "/ab/cd"}), nil)
	require.Len(t, got.Entries, 3)
	for _, e := range got.Entries {
		assert.Equal(t, e.Source != got.Problems[0].Source, e.Pattern.Type == route.RegexFirst)
	}
	require.Len(t, got.Problems, 1)
	assert.Equal(t, traefik.CodePriority, got.Problems[0].Code)
	_, problems := ingress.Build(got.Entries, nil, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
	assert.Empty(t, problems)
}

// A host without expressions, and a path that no expression may match, stay as
// they are.
func TestOrderLeavesAlone(t *testing.T) {
	list := append(hostOf([]string{"^/a.*"}, []string{"/bcdefgh", "/a"}), web("/a/b/c/d", "Prefix", nil))
	list[2].Rules[0].Host = "other"
	for _, e := range traefik.New(nil).Rewrite(list, nil).Entries {
		assert.Equal(t, e.Source.Name == "regex", e.Pattern.Type == route.RegexFirst, e.Pattern)
	}
	twice := hostOf([]string{"^/a.*", "^/b.*"}, nil)
	again := hostOf([]string{"^/a.*"}, nil)
	assert.Len(t, traefik.New(nil).Rewrite(append(twice, again...), nil).Entries, 3, "two objects of one name")
}

// A path that no table takes is one problem, however many entries it would have.
func TestBadPathIsReportedOnce(t *testing.T) {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: traefik.New(nil)})
	require.NoError(t, err)
	for path, field := range map[string]string{"/a/../b": "Pattern.Path", "/": "Pattern.Host"} {
		in := web(path, "Prefix", map[string]string{middlewares: "default-s@kubernetescrd"})
		if field == "Pattern.Host" {
			in.Rules[0].Host = "h h"
		}
		got := d.Dispatch([]*ingress.Ingress{in}, world{"default/s": `{"redirectScheme": {"scheme": "https"}}`}.cluster())
		assert.Empty(t, got.Entries)
		require.Len(t, got.Problems, 1)
		assert.Equal(t, ingress.CodeBadEntry, got.Problems[0].Code)
		assert.Contains(t, got.Problems[0].Detail, field)
	}
}
