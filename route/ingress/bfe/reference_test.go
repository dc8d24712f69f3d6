package bfe

// Conditions as BFE evaluates them, on a request, slowly: what the alternatives
// of a condition, put into a table, are held against.

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A requestCase is a request, and a route.Request.
type requestCase struct {
	host, path string
	headers    map[string]string
}

func (r requestCase) Method() string { return "GET" }

func (r requestCase) Header(name string) (string, bool) {
	for key, value := range r.headers {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

func (r requestCase) cookie(name string) (string, bool) {
	for _, pair := range strings.Split(r.headers["Cookie"], "; ") {
		if key, value, ok := strings.Cut(pair, "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

// evaluate is BFE's evaluation of a condition.
func evaluate(x *expr, r requestCase) bool {
	switch x.op {
	case '!':
		return !evaluate(x.args[0], r)
	case '&':
		for _, arg := range x.args {
			if !evaluate(arg, r) {
				return false
			}
		}
		return true
	case '|':
		for _, arg := range x.args {
			if evaluate(arg, r) {
				return true
			}
		}
		return false
	}
	arg := func(i int) string { return x.values[i].text }
	anyOf := func(list, s string, fold bool, test func(s, p string) bool) bool {
		for _, p := range strings.Split(list, "|") {
			if test(s, p) || fold && test(strings.ToUpper(s), strings.ToUpper(p)) {
				return true
			}
		}
		return false
	}
	equal := func(a, b string) bool { return a == b }
	element := func(s, p string) bool {
		return strings.HasPrefix(strings.TrimSuffix(s, "/")+"/", strings.TrimSuffix(p, "/")+"/")
	}
	host, _, _ := strings.Cut(r.host, ":")
	path := decodePath(r.path)
	kind, test, _ := strings.Cut(strings.TrimPrefix(x.name, "req_"), "_")
	switch x.name {
	case "default_t":
		return true
	case "req_host_in":
		return anyOf(arg(0), host, true, equal)
	case "req_host_suffix_in":
		return anyOf(arg(0), host, true, strings.HasSuffix)
	case "req_host_regmatch":
		return regexp.MustCompile(arg(0)).MatchString(host)
	case "req_path_in":
		return anyOf(arg(0), path, arg(1) == "true", equal)
	case "req_path_prefix_in":
		return anyOf(arg(0), path, arg(1) == "true", strings.HasPrefix)
	case "req_path_element_prefix_in":
		return anyOf(arg(0), path, arg(1) == "true", element)
	}
	value, ok := r.Header(arg(0))
	if kind == "cookie" {
		value, ok = r.cookie(arg(0))
	}
	switch test {
	case "key_in":
		for _, name := range strings.Split(arg(0), "|") {
			if kind == "header" {
				if value, _ := r.Header(name); value != "" {
					return true
				}
			} else if _, ok := r.cookie(name); ok {
				return true
			}
		}
		return false
	case "value_in":
		return (ok || kind == "header") && anyOf(arg(1), value, arg(2) == "true", equal)
	case "value_prefix_in":
		return (ok || kind == "header") && anyOf(arg(1), value, arg(2) == "true", strings.HasPrefix)
	case "value_regmatch":
		return (ok || kind == "header") && regexp.MustCompile(arg(1)).MatchString(value)
	}
	panic("no primitive of BFE: " + x.name)
}

// Pieces of generated conditions and requests: few, so that they meet.
var (
	someHosts  = []string{"a.com", "b.com", "x.a.com", "y.x.a.com"}
	somePaths  = []string{"/", "/foo", "/foo/", "/foobar", "/foo/bar", "/Foo", "/foo%20b", "/foo%20b/c"}
	someValues = []string{"", "v", "va", "V", "w", "ab", "ac", "v^-"}
	someTerms  = []string{
		`default_t()`, `req_host_in("a.com")`, `req_host_in("A.com|b.com")`, `req_host_suffix_in(".a.com")`,
		"req_host_regmatch(`(?i)^[^.]+\\.a\\.com$`)", `req_path_in("/foo", false)`, `req_path_in("/foo|/foo b", true)`,
		`req_path_prefix_in("/foo", false)`, `req_path_prefix_in("/foo/|/foob", false)`, `req_path_prefix_in("/FOO", true)`,
		`req_path_element_prefix_in("/foo", false)`, `req_path_element_prefix_in("/foo/|/foo b", true)`, `req_path_element_prefix_in("/", false)`,
		`req_header_key_in("X")`, `req_header_key_in("X|Y")`, `req_cookie_key_in("c")`, `req_cookie_key_in("c|d")`,
		`req_header_value_in("X", "v", false)`, `req_header_value_in("X", "v|ab", true)`, `req_header_value_in("X", "|w", false)`,
		`req_header_value_in("X", "v^-", false)`, `req_header_value_prefix_in("X", "v", false)`, `req_header_value_prefix_in("X", "a|w", true)`,
		`req_header_value_prefix_in("X", "", false)`, `req_header_value_regmatch("X", "^(?:v|w)$")`, `req_header_value_regmatch("X", "a")`,
		`req_header_value_regmatch("X", "^$")`,
		`req_cookie_value_in("c", "v", false)`, `req_cookie_value_in("c", "|ab", true)`, `req_cookie_value_prefix_in("c", "a", false)`,
		`req_cookie_value_prefix_in("c", "", false)`, `req_cookie_value_regmatch("c", "b$")`,
	}
)

func someCondition(rng *rand.Rand, depth int) string {
	switch n := rng.IntN(6); {
	case depth == 0 || n < 2:
		return someTerms[rng.IntN(len(someTerms))]
	case n == 2:
		return "!(" + someCondition(rng, depth-1) + ")"
	case n == 3:
		return "(" + someCondition(rng, depth-1) + " || " + someCondition(rng, depth-1) + ")"
	default:
		return "(" + someCondition(rng, depth-1) + " && " + someCondition(rng, depth-1) + ")"
	}
}

func someRequest(rng *rand.Rand) requestCase {
	r := requestCase{someHosts[rng.IntN(len(someHosts))], somePaths[rng.IntN(len(somePaths))], map[string]string{}}
	for _, name := range []string{"X", "Y"} {
		if rng.IntN(2) == 0 {
			r.headers[name] = someValues[rng.IntN(len(someValues))]
		}
	}
	var cookies []string
	for _, name := range []string{"c", "d"} {
		if rng.IntN(2) == 0 {
			cookies = append(cookies, name+"="+someValues[rng.IntN(len(someValues))])
		}
	}
	if len(cookies) > 0 {
		r.headers["Cookie"] = strings.Join(cookies, "; ")
	}
	return r
}

// Each alternative has a table of its own, because in one table the best host
// alone counts.
func TestAlternativesAgainstEvaluation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	said, held := 0, 0
	for range 4000 {
		text := someCondition(rng, 3)
		x, fault := parseCond(text)
		require.Nil(t, fault, text)
		b := brancher{deep: true, budget: 1 << 20, warn: func(int, ingress.Code, string) {}}
		list, fault := b.branch(x, false)
		if fault != nil { // a negation or a combination that no entry can say
			continue
		}
		said++
		var tables []*route.Table[int]
		for i, a := range list {
			table, err := route.NewTable([]route.Route[int]{{Pattern: a.pattern, When: a.when, Value: i}}, &route.Options{AnyDepthWildcard: true})
			require.NoError(t, err, text)
			tables = append(tables, table)
		}
		for range 20 {
			r := someRequest(rng)
			got := false
			for i, table := range tables {
				if strings.Contains(text, "regmatch(`(?i)^[^.]+") && strings.HasPrefix(list[i].pattern.Host, "*.") && !list[i].deep && strings.HasPrefix(r.host, "y.") {
					continue // in this table every wildcard is of any depth
				}
				_, ok := table.Match(&rewrite.URL{Scheme: "http", Host: r.host, Path: r.path}, r)
				got = got || ok
			}
			want := evaluate(x, r)
			if want {
				held++
			}
			if !assert.Equal(t, want, got, "%s\non %+v\nalternatives %+v", text, r, list) {
				return
			}
		}
	}
	assert.Greater(t, said, 2000)
	assert.Greater(t, held, 5000)
}

// What differs makes is the complement of a literal and of a prefix.
func TestDiffers(t *testing.T) {
	texts := []string{"", "a", "ab", "abc", "b", "ba", "A", "aB", "^", "^-", "]", "a]", `\`, "é", "éa", "e", "a\nb", "\n"}
	for _, v := range texts {
		equal := regexp.MustCompile(`\A(?s:` + differs(v, route.Equals) + `)\z`)
		begins := regexp.MustCompile(`\A(?s:` + differs(v, route.BeginsWith) + `)\z`)
		folded := regexp.MustCompile(`\A(?is:` + differs(v, route.Equals) + `)\z`)
		for _, s := range texts {
			assert.Equal(t, s != v, equal.MatchString(s), "%q is not %q", s, v)
			assert.Equal(t, !strings.EqualFold(s, v), folded.MatchString(s), "%q is not %q in any case", s, v)
			assert.Equal(t, !strings.HasPrefix(s, v), begins.MatchString(s), "%q does not begin with %q", s, v)
		}
	}
}

func TestParsePrecedence(t *testing.T) {
	var show func(x *expr) string
	show = func(x *expr) string {
		if x.op == 'p' {
			return x.name
		}
		var args []string
		for _, a := range x.args {
			args = append(args, show(a))
		}
		return fmt.Sprintf("%c(%s)", x.op, strings.Join(args, " "))
	}
	for text, want := range map[string]string{
		"a()":                         "a",
		"a() && b() || c()":           "|(&(a b) c)",
		"a() || b() && c()":           "|(a &(b c))",
		"a()&&b()&&c()":               "&(a b c)",
		"!a() && b()":                 "&(!(a) b)",
		"!!a()":                       "a",
		"!(a() || b()) && ((c()))":    "&(!(|(a b)) c)",
		" a ( \"x\" , true )\n||b() ": "|(a b)",
	} {
		x, fault := parseCond(text)
		require.Nil(t, fault, text)
		assert.Equal(t, want, show(x), text)
	}
}

func FuzzCond(f *testing.F) {
	for _, term := range someTerms {
		f.Add(term)
	}
	f.Add(`req_host_in("foo.com") && req_path_prefix_in("/whoami", false)`) // seed 000
	f.Add("!(" + someTerms[1] + " || !" + someTerms[5] + ")")
	f.Add(`req_host_in("a`)
	f.Add(strings.Repeat("(", 100))
	f.Fuzz(func(t *testing.T, text string) {
		x, fault := parseCond(text)
		if fault != nil {
			assert.True(t, 0 <= fault.at && fault.at <= len(text), "offset %d", fault.at)
			return
		}
		b := brancher{budget: budgetOf(text), warn: func(at int, _ ingress.Code, _ string) {
			assert.True(t, 0 <= at && at <= len(text), "offset %d", at)
		}}
		if _, fault := b.branch(x, false); fault != nil {
			assert.True(t, 0 <= fault.at && fault.at <= len(text), "offset %d", fault.at)
		}
	})
}
