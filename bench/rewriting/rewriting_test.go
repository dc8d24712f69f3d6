package rewriting

import (
	"net/http"
	"testing"

	"github.com/readdress/readdress/bench/internal/measure"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

// ours is the library on requests of net/http: in place, as most peers work,
// and as a handler, which cleans the URL and copies the request.
var ours = []Peer{
	of("readdress-request", func(p *rewrite.Program) Rewriter {
		return func(r *http.Request) *http.Request {
			if _, err := rewritehttp.Apply(p, rewrite.AfterLocation, r); err != nil {
				return nil
			}
			return r
		}
	}),
	of("readdress-http", func(p *rewrite.Program) Rewriter {
		return Through(func(next http.Handler) http.Handler {
			return rewritehttp.Middleware(p, rewrite.AfterLocation, nil, next)
		})
	}),
}

func of(name string, do func(*rewrite.Program) Rewriter) Peer {
	p := Peer{name, make(map[string]func(testing.TB) Rewriter)}
	for _, s := range Scenarios() {
		p.Scenarios[s.Name] = func(tb testing.TB) Rewriter { return do(program(tb, &s)) }
	}
	return p
}

func program(tb testing.TB, s *Scenario) *rewrite.Program {
	tb.Helper()
	p, err := s.Program()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func BenchmarkRewriting(b *testing.B) {
	run := func(scenario, by string, loop measure.Loop) {
		measure.Run(b, measure.Name("case", scenario, "by", by), func(testing.TB) measure.Loop { return loop })
	}
	run("restore-only", "floor", floorLoop(nothing, usual))
	for _, s := range Scenarios() {
		p := program(b, &s)
		run(s.Name, "floor", floorLoop(s.Floor, s.In))
		run(s.Name, "readdress", reuseLoop(p, s.In))
		run(s.Name, "readdress-clean", cleanLoop(p, s.In))
		run(s.Name, "readdress-heap", heapLoop(p, s.In))
	}
	for _, p := range append(ours, Std()...) {
		Bench(b, p)
	}
}

func floorLoop(f Floor, in rewrite.URL) measure.Loop {
	u, buf := new(rewrite.URL), make([]byte, 0, 64<<10)
	return func(n int) {
		for range n {
			*u = in
			f(u, buf)
		}
	}
}

// reuseLoop is for callers who call Scratch.Reuse.
func reuseLoop(p *rewrite.Program, in rewrite.URL) measure.Loop {
	u, s := new(rewrite.URL), new(rewrite.Scratch)
	return func(n int) {
		for range n {
			*u = in
			s.Reuse()
			p.Apply(rewrite.AfterLocation, u, s)
		}
	}
}

// cleanLoop cleans the URL first, as every listener has to once a request.
func cleanLoop(p *rewrite.Program, in rewrite.URL) measure.Loop {
	var input rewrite.Input
	u, s := new(rewrite.URL), new(rewrite.Scratch)
	return func(n int) {
		for range n {
			*u = in
			s.Reuse()
			input.Clean(u, s)
			p.Apply(rewrite.AfterLocation, u, s)
		}
	}
}

// heapLoop is for callers without a Scratch: strings are ordinary ones.
func heapLoop(p *rewrite.Program, in rewrite.URL) measure.Loop {
	u := new(rewrite.URL)
	return func(n int) {
		for range n {
			*u = in
			p.Apply(rewrite.AfterLocation, u, nil)
		}
	}
}

func TestFloors(t *testing.T) {
	for _, s := range Scenarios() {
		u := s.In
		if !s.Floor(&u, make([]byte, 0, 64<<10)) || u != s.Want {
			t.Errorf("%s: the floor makes %v, want %v", s.Name, u, s.Want)
		}
		u = s.In
		if _, err := program(t, &s).Apply(rewrite.AfterLocation, &u, nil); err != nil || u != s.Want {
			t.Errorf("%s: Apply makes %v, error %v, want %v", s.Name, u, err, s.Want)
		}
	}
}

func TestPeers(t *testing.T) {
	for _, p := range append(ours, Std()...) {
		t.Run(p.Name, func(t *testing.T) { Check(t, p) })
	}
}
