package bfe

// What Write writes: read again it is the same programs for the same requests,
// and evaluated as BFE does it finds the entry that a table finds.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

var anyHost = &rewrite.Options{AllowAnyHost: true}

// program is the instructions of an entry; TrimPathText and TrimPathPrefix of
// what only segments can be are one.
func program(t testing.TB, e *ingress.Entry) string {
	t.Helper()
	rules := slices.Clone(e.Rules)
	k := knownOf(e.Pattern)
	for i, r := range rules {
		if args := r.Action.Args(); r.Action.Op() == rewrite.OpTrimPathText && len(args) == 1 {
			if p := canonical(args[0]); !strings.HasSuffix(p, "/") && k.trimsSegments(p) {
				rules[i].Action = rewrite.TrimPathPrefix(args[0])
			}
		}
		k = k.after(rules[i].Action)
	}
	p, err := rewrite.Compile(rules, anyHost)
	require.NoError(t, err)
	return p.String()
}

// checkRoundTrip writes an entry and reads it again, unless it cannot be said.
func checkRoundTrip(t testing.TB, e ingress.Entry) (said bool) {
	t.Helper()
	data, problems := Write([]ingress.Entry{e}, nil)
	read, readProblems := Read(data, &ReadOptions{Rewrite: anyHost})
	for i := range readProblems {
		require.NotEqual(t, ingress.Error, readProblems[i].Severity, "%v\n%s", readProblems[i].Error(), data)
	}
	if slices.ContainsFunc(problems, func(p ingress.Problem) bool { return p.Severity == ingress.Error && p.Code == CodeCond }) {
		assert.Empty(t, read)
		return false
	}
	require.Len(t, read, 1, string(data))
	got := &read[0]
	assert.Equal(t, canonicalHost(e.Pattern.Host), got.Pattern.Host)
	assert.Equal(t, knownOf(e.Pattern), knownOf(got.Pattern))
	if matchesAll(e.Pattern) {
		assert.Equal(t, route.Pattern{Host: got.Pattern.Host, Path: "/"}, got.Pattern)
	} else {
		assert.Equal(t, e.Pattern.Type, got.Pattern.Type)
	}
	assert.Equal(t, fmt.Sprint(e.When), fmt.Sprint(got.When))
	if slices.ContainsFunc(problems, func(p ingress.Problem) bool { return p.Severity == ingress.Error }) {
		assert.Empty(t, got.Rules)
		return false
	}
	return assert.Equal(t, program(t, &e), program(t, got), string(data))
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	path := func() string {
		return pick("/", "/foo", "/foo/", "/foo/bar", "/bar", "/a%20b", "/50%25", "/caf%C3%A9", "/x;y=1", "/a%2Fb", "/%41", "/a%3Fb", "/[1]")
	}
	name := func() string { return pick("a", "b", "user", "a b", "é", "a&b=c", "%41", "+") }
	said := 0
	for range 5000 {
		e := ingress.Entry{Pattern: route.Pattern{
			Host: pick("", "foo.com", "*.foo.com", "Foo.Com.", "bücher.example"),
			Path: path(), Type: route.PathType(rng.IntN(3)),
		}}
		if rng.IntN(3) == 0 {
			e.When.Headers = []route.Condition{{Name: "X-" + strconv.Itoa(rng.IntN(3)), Test: route.Test(rng.IntN(5)), Value: pick("v", `"`, `\d+`, "`", "a|b", "")}}
			if e.When.Headers[0].Test > route.Matches {
				e.When.Headers[0].Value = ""
			}
		}
		if rng.IntN(3) == 0 {
			e.When.Cookies = []route.Condition{{Name: "c", Test: route.Test(rng.IntN(5)), Value: pick("v", "a b", `\.`, "")}}
			if e.When.Cookies[0].Test > route.Matches {
				e.When.Cookies[0].Value = ""
			}
		}
		for i := range rng.IntN(4) {
			e.Rules = append(e.Rules, rewrite.Rule{Order: i, Action: []rewrite.Action{
				rewrite.SetHost(pick("bar.com", "Bar.com:81", "bücher.example", "[::1]")), rewrite.HostFromPathPrefix(), rewrite.SetPath(path()),
				rewrite.AddPathPrefix(path()), rewrite.TrimPathPrefix(path()), rewrite.TrimPathText(path()),
				rewrite.AddQuery(name(), name()), rewrite.RenameQuery(name(), name()),
				rewrite.DeleteQuery(name(), name()), rewrite.KeepQuery(name()), rewrite.DropQuery(),
			}[rng.IntN(11)]})
		}
		if checkRoundTrip(t, e) {
			said++
		}
		if t.Failed() {
			t.Logf("%+v", e)
			return
		}
	}
	assert.Greater(t, said, 1500)
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("foo.com", "/whoami", 0, "bar.com", "/service", "name", "alice") // seed 000
	f.Add("*.foo.com", "/foo/bar", 1, "a:1", "/foo", "a b", "")
	f.Add("", "/", 2, "[::1]", "/a%2Fb%41", "%", "\x00")
	f.Add("*.foo.com", "/", 3, "a", "/foo", "a", "b") // a default backend
	f.Add("x", "/`\"|", 2, "", "/é?", "&", "\\")
	f.Fuzz(func(t *testing.T, host, path string, kind int, toHost, toPath, name, value string) {
		pattern := route.Pattern{Host: host, Path: path, Type: route.PathType(kind & 3)}
		condition := route.Condition{Name: "X", Test: route.Test(kind >> 2 & 3), Value: value}
		if condition.Test == route.Present {
			condition.Value = ""
		}
		when := route.Conditions{Headers: []route.Condition{condition}}
		if kind&16 != 0 {
			when = route.Conditions{Cookies: []route.Condition{condition}}
		}
		if _, err := route.NewTable([]route.Route[bool]{{Pattern: pattern, When: when}}, nil); err != nil {
			return
		}
		for _, a := range []rewrite.Action{
			rewrite.SetHost(toHost), rewrite.SetPath(toPath), rewrite.AddPathPrefix(toPath), rewrite.TrimPathPrefix(toPath), rewrite.TrimPathText(toPath),
			rewrite.AddQuery(name, value), rewrite.RenameQuery(name, value), rewrite.DeleteQuery(name), rewrite.KeepQuery(name, value),
		} {
			e := ingress.Entry{Pattern: pattern, When: when, Rules: []rewrite.Rule{{Action: a}}}
			if _, err := rewrite.Compile(e.Rules, anyHost); err == nil {
				checkRoundTrip(t, e)
			}
		}
	})
}

// BFE takes the first rule that matches. Of the rules as they are written that
// is the entry that a table finds, wherever it finds one.
func TestWriteOrderAgainstTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	found := 0
	for range 3000 {
		var entries []ingress.Entry
		var routes []route.Route[int]
		for i := range 1 + rng.IntN(8) {
			e := ingress.Entry{
				Source:  ingress.Source{Path: i},
				Pattern: route.Pattern{Host: pick("", "a.com", "*.a.com", "A.com", "*.x.a.com", "b.com"), Path: pick("/", "/foo", "/foo/", "/foo/bar", "/foob"), Type: route.PathType(rng.IntN(3))},
				Rules:   []rewrite.Rule{{Action: rewrite.SetPath("/" + strconv.Itoa(i))}},
			}
			for _, name := range []string{"X", "Y"} {
				if rng.IntN(3) == 0 {
					e.When.Headers = append(e.When.Headers, route.Condition{Name: name, Value: pick("v", "w")})
				}
			}
			if rng.IntN(3) == 0 {
				e.When.Cookies = append(e.When.Cookies, route.Condition{Name: "c", Test: route.Present})
			}
			entries = append(entries, e)
			routes = append(routes, route.Route[int]{Pattern: e.Pattern, When: e.When, Value: i})
		}
		table, err := route.NewTable(routes, nil)
		require.NoError(t, err)
		data, problems := Write(entries, nil)
		require.Empty(t, problems)
		root, fault := parseJSON(data)
		require.Nil(t, fault)
		rules := root.fields[1].value.fields[0].value.elems
		require.Len(t, rules, len(entries))
		for range 10 {
			r := someRequest(rng)
			want, ok := table.Match(&rewrite.URL{Scheme: "http", Host: r.host, Path: r.path}, r)
			if !ok {
				continue
			}
			found++
			for i := range rules {
				x, fault := parseCond(rules[i].fields[0].value.text)
				require.Nil(t, fault)
				if evaluate(x, r) {
					got := rules[i].fields[1].value.elems[0].fields[1].value.elems[0].text
					require.Equal(t, "/"+strconv.Itoa(want), got, "%+v\n%s", r, data)
					break
				}
				require.Less(t, i, len(rules)-1, "no rule matches %+v\n%s", r, data)
			}
		}
	}
	assert.Greater(t, found, 3000)
}
