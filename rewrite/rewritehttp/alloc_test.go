package rewritehttp_test

import (
	"net/http"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

func rules(actions ...rewrite.Action) *rewrite.Program {
	var list []rewrite.Rule
	for _, a := range actions {
		list = append(list, rewrite.Rule{Action: a})
	}
	return rewrite.MustCompile(list, nil)
}

func TestAllocations(t *testing.T) {
	for _, c := range []struct {
		name, target string
		p            *rewrite.Program
		want         float64
	}{
		{"nothing to do", "/other", rules(rewrite.TrimPathPrefix("/api")), 0},
		{"trim", "/api/users?x=1", rules(rewrite.TrimPathPrefix("/api")), 0},
		{"trim before sub-delimiters", "/api/it's(1)", rules(rewrite.TrimPathPrefix("/api")), 0},
		{"set all", "/api?x=1", rules(rewrite.SetHost("a.example"), rewrite.SetPath("/x"), rewrite.DropQuery()), 0},
		// The decoded form of the rest is there already.
		{"trim before %2F", "/api/a%2Fb", rules(rewrite.TrimPathPrefix("/api")), 0},
		{"trim before UTF-8", "/api/caf%C3%A9", rules(rewrite.TrimPathPrefix("/api")), 0},
		{"set with escape", "/api", rules(rewrite.SetPath("/a%2Fb")), 1},
		{"join", "/users", rules(rewrite.AddPathPrefix("/v2")), 1},
		{"join with escape", "/a%2Fb", rules(rewrite.AddPathPrefix("/v2")), 2},
		{"join query", "/users?x=1", rules(rewrite.AddQuery("y", "2")), 1},
		{"join both", "/users?x=1", rules(rewrite.AddPathPrefix("/v2"), rewrite.AddQuery("y", "2")), 2},
		{"join both with escape", "/a%2Fb?x=1", rules(rewrite.AddPathPrefix("/v2"), rewrite.AddQuery("y", "2")), 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := read(t, "GET "+c.target)
			host, u := r.Host, *r.URL
			got := testing.AllocsPerRun(100, func() {
				r.Host, *r.URL = host, u
				if _, err := rewritehttp.Apply(c.p, rewrite.AfterLocation, r); err != nil {
					t.Fatal(err)
				}
			})
			if got != c.want {
				t.Errorf("%v allocations, want %v", got, c.want)
			}
		})
	}
}

// What With returned is the caller's own, and needs no second copy.
func TestAllocationsOfApplyAfterWith(t *testing.T) {
	p := rules(rewrite.DropQuery())
	r := read(t, "GET /a?x=1")
	u, err := rewritehttp.URL(r)
	if err != nil {
		t.Fatal(err)
	}
	r = rewritehttp.With(r, u)
	got := testing.AllocsPerRun(100, func() {
		r.URL.RawQuery = "x=1"
		if _, err := rewritehttp.Apply(p, rewrite.AfterLocation, r); err != nil || r.URL.RawQuery != "" {
			t.Fatal(r.URL, err)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func TestAllocationsOfURLAndWith(t *testing.T) {
	for _, target := range []string{"/", "/a/b?x", "/a%2Fb", "/caf%C3%A9", "/a!", "http://other.example/a%20b"} {
		r := read(t, "GET "+target)
		if got := testing.AllocsPerRun(100, func() { rewritehttp.URL(r) }); got != 0 {
			t.Errorf("URL of %s: %v allocations, want 0", target, got)
		}
		u, err := rewritehttp.URL(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := testing.AllocsPerRun(100, func() { rewritehttp.With(r, u) }); got != 2 {
			t.Errorf("With of %s: %v allocations, want 2", target, got)
		}
	}
}

func TestAllocationsOfRequest(t *testing.T) {
	r := read(t, "GET /")
	r.Header.Set("X-Tenant", "a")
	got := testing.AllocsPerRun(100, func() {
		var q interface {
			Method() string
			Header(string) (string, bool)
		} = rewritehttp.Of(r)
		if v, ok := q.Header("X-Tenant"); v != "a" || !ok || q.Method() != http.MethodGet {
			t.Fatal(v, ok)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}
