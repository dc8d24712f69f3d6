// Programs are immutable, and swapped whole.

package rewrite_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// concurrencyVectors are the cases of testdata/security.json that no single
// request shows.
var concurrencyVectors = map[string]func(*testing.T){
	"hotswap-race":      testHotSwap,
	"program-immutable": testImmutable,
}

// Readers apply whichever program is current while a writer swaps it: every
// request sees one program, whole.
func testHotSwap(t *testing.T) {
	const readers, swaps = 8, 10_000
	generation := func(n int) *rewrite.Program {
		name := fmt.Sprintf("g%d", n)
		return rewrite.MustCompile([]rewrite.Rule{
			{Action: rewrite.SetHost(name)},
			{Action: rewrite.ReplacePathPrefix("/a", "/"+name)},
			{Action: rewrite.SetQuery("g", name)},
		}, nil)
	}
	var programs [7]*rewrite.Program
	for i := range programs {
		programs[i] = generation(i)
	}
	var current atomic.Pointer[rewrite.Program]
	current.Store(programs[0])
	var done atomic.Bool
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			var s rewrite.Scratch
			for !done.Load() {
				u := rewrite.URL{Host: "x", Path: "/a/b", RawQuery: "q=1"}
				if _, err := current.Load().Apply(rewrite.AfterLocation, &u, &s); err != nil {
					t.Error(err)
					return
				}
				if u.Path != "/"+u.Host+"/b" || u.RawQuery != "q=1&g="+u.Host {
					t.Errorf("of two programs: %#v", u)
					return
				}
			}
		})
	}
	for i := range swaps {
		current.Store(programs[i%len(programs)])
	}
	done.Store(true)
	wg.Wait()
}

// What the caller does to its slices after Compile does not reach a program,
// and Explain hands out copies.
func testImmutable(t *testing.T) {
	prefixes, hosts := []string{"/a", "/b"}, []string{"x.com"}
	rules := []rewrite.Rule{{Action: rewrite.HostFromPathPrefix()}, {Action: rewrite.TrimPathPrefix(prefixes...)}}
	p := rewrite.MustCompile(rules, &rewrite.Options{AllowedHosts: hosts})
	in := rewrite.URL{Host: "h", Path: "/x.com/a/c"}
	want := rewrite.URL{Host: "x.com", Path: "/c"}

	prefixes[0], hosts[0] = "/z", "z.com"
	rules[0], rules[1] = rules[1], rules[0]
	steps, _, err := p.Explain(rewrite.AfterLocation, in)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		for i := range step.Action.Args() {
			step.Action.Args()[i] = "/z"
		}
	}
	clear(steps)

	if got, _, err := judge(t, p, rewrite.AfterLocation, in); got != want || err != nil {
		t.Errorf("got %#v, %v", got, err)
	}
	if dump := p.String(); strings.Contains(dump, "z") || !slices.Equal(prefixes, []string{"/z", "/b"}) {
		t.Errorf("the caller's slices are the program's: %s", dump)
	}
}
