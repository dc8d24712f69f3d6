package rewritetest

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// draws is enough for every case of the generators to turn up many times.
const draws = 20_000

func source() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestCleanURLIsClean(t *testing.T) {
	r := source()
	for range draws {
		u := CleanURL(r)
		for _, dots := range []rewrite.DotSegments{rewrite.RefuseDotSegments, rewrite.KeepDotSegments, rewrite.ResolveDotSegments} {
			if !isClean(u, dots) {
				t.Fatalf("%#v is not clean under DotSegments %d", u, dots)
			}
		}
	}
}

// The hard cases that the documentation promises turn up.
func TestCleanURLReachesHardCases(t *testing.T) {
	hard := map[string]func(rewrite.URL) bool{
		"asterisk":           func(u rewrite.URL) bool { return u.Path == "*" },
		"root":               func(u rewrite.URL) bool { return u.Path == "/" },
		"double slash first": func(u rewrite.URL) bool { return strings.HasPrefix(u.Path, "//") },
		"double slash later": func(u rewrite.URL) bool { return strings.LastIndex(u.Path, "//") > 0 },
		"final slash":        func(u rewrite.URL) bool { return len(u.Path) > 1 && strings.HasSuffix(u.Path, "/") },
		"encoded slash":      func(u rewrite.URL) bool { return strings.Contains(u.Path, "%2F") },
		"lower-case hex":     func(u rewrite.URL) bool { return strings.Contains(u.Path, "%2f") },
		"escaped letter":     func(u rewrite.URL) bool { return strings.Contains(u.Path, "%61") },
		"nearly dots":        func(u rewrite.URL) bool { return strings.Contains(u.Path, "/..;") },
		"glued dots":         func(u rewrite.URL) bool { return strings.Contains(u.Path, "/api..") },
		"host in path":       func(u rewrite.URL) bool { return strings.HasPrefix(u.Path, "/x.com/") },
		"flag":               func(u rewrite.URL) bool { return strings.HasPrefix(u.RawQuery+"&", "a&") },
		"empty pair":         func(u rewrite.URL) bool { return strings.Contains(u.RawQuery, "&&") },
		"final ampersand":    func(u rewrite.URL) bool { return strings.HasSuffix(u.RawQuery, "&") },
		"undecodable key":    func(u rewrite.URL) bool { return strings.Contains(u.RawQuery, "%zz=") },
		"plus":               func(u rewrite.URL) bool { return strings.Contains(u.RawQuery, "a+b") },
		"semicolon":          func(u rewrite.URL) bool { return strings.Contains(u.RawQuery, ";") },
		"ForceQuery":         func(u rewrite.URL) bool { return u.ForceQuery },
		"port":               func(u rewrite.URL) bool { return strings.HasSuffix(u.Host, ":8080") },
		"no host":            func(u rewrite.URL) bool { return u.Host == "" },
	}
	seen := map[string]int{}
	r := source()
	for range draws {
		u := CleanURL(r)
		for name, is := range hard {
			if is(u) {
				seen[name]++
			}
		}
	}
	for name := range hard {
		if seen[name] < draws/1000 {
			t.Errorf("%s: %d of %d URLs", name, seen[name], draws)
		}
	}
}

func TestURLMeetsEveryRefusal(t *testing.T) {
	seen := map[error]int{}
	r := source()
	for range draws {
		u := URL(r)
		err := new(rewrite.Input).Clean(&u, nil)
		seen[err]++
	}
	for _, err := range []error{nil, rewrite.ErrPath, rewrite.ErrDotSegment, rewrite.ErrQuery, rewrite.ErrHost} {
		if seen[err] < draws/50 {
			t.Errorf("%v: %d of %d URLs", err, seen[err], draws)
		}
	}
}

func TestActionCompilesAndIsOfEveryOp(t *testing.T) {
	seen := map[rewrite.Op]int{}
	r := source()
	for range draws {
		a := Action(r)
		seen[a.Op()]++
		if _, err := rewrite.Compile([]rewrite.Rule{{Action: a}}, &rewrite.Options{AllowAnyHost: true}); err != nil {
			t.Fatal(err)
		}
	}
	for op := rewrite.OpSetHost; op <= rewrite.OpSetScheme; op++ {
		if seen[op] < draws/200 {
			t.Errorf("%v: %d of %d actions", op, seen[op], draws)
		}
	}
}

// Rules and URLs are from the same small world, so that actions match, and
// what they make of a URL is sometimes refused.
func TestRulesMeetURLs(t *testing.T) {
	seen := map[error]int{}
	var changed [4]int
	r := source()
	for range draws {
		p := rewrite.MustCompile(Rules(r, 4), &rewrite.Options{AllowAnyHost: true})
		u := CleanURL(r)
		result, err := p.Apply(rewrite.AfterLocation, &u, nil)
		seen[err]++
		for i := range changed {
			if result.Changed()&(1<<i) != 0 {
				changed[i]++
			}
		}
	}
	for i, n := range changed {
		if n < draws/50 {
			t.Errorf("%v: changed %d times of %d", rewrite.Changes(1<<i), n, draws)
		}
	}
	for err, least := range map[error]int{nil: draws / 2, rewrite.ErrHost: draws / 100, rewrite.ErrDotSegment: draws / 1000} {
		if seen[err] < least {
			t.Errorf("%v: %d times of %d, want %d", err, seen[err], draws, least)
		}
	}
}

func TestGeneratorsHoldTheGuarantees(t *testing.T) {
	r := source()
	for range draws {
		p := rewrite.MustCompile(Rules(r, r.IntN(8)), &rewrite.Options{AllowAnyHost: true})
		in := URL(r)
		for _, h := range rewrite.Hooks() {
			out := in
			result, err := p.Apply(h, &out, nil)
			if err := Check(p, h, in, out, result, err); err != nil {
				t.Fatalf("%v\n%v", err, p)
			}
		}
	}
}

func TestGeneratorsAreReproducible(t *testing.T) {
	draw := func() []any {
		r := source()
		return []any{URL(r), CleanURL(r), Action(r), Rules(r, 5)}
	}
	if a, b := draw(), draw(); !reflect.DeepEqual(a, b) {
		t.Errorf("the same source gave\n%v and\n%v", a, b)
	}
}

func TestRulesCompileWithAllowedHosts(t *testing.T) {
	r := source()
	for range draws / 10 {
		_, err := rewrite.Compile(Rules(r, 5), &rewrite.Options{AllowedHosts: []string{"*.x.com"}})
		var faults rewrite.RuleErrors
		if errors.As(err, &faults) {
			t.Fatal(err)
		}
	}
}
