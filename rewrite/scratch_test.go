// How long the strings of a Scratch live, and how much memory it keeps.

package rewrite_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// joins makes a string in each component but the scheme.
var joins = program(rewrite.SetPort("8080"), rewrite.AddPathPrefix("/v2"), rewrite.AddQuery("debug", "1"))

// numberedURL is a URL like no other, and what joins makes of it.
func numberedURL(i int) (in, want rewrite.URL) {
	in = rewrite.URL{Scheme: "http", Host: fmt.Sprintf("h%d.example", i), Path: fmt.Sprintf("/p%d/%s", i, strings.Repeat("x", i%97)), RawQuery: fmt.Sprint("q=", i)}
	want = rewrite.URL{Scheme: in.Scheme, Host: in.Host + ":8080", Path: "/v2" + in.Path, RawQuery: in.RawQuery + "&debug=1"}
	return in, want
}

// applyNumbered returns what joins makes of a URL with s.
func applyNumbered(t *testing.T, i int, s *rewrite.Scratch) rewrite.URL {
	t.Helper()
	u, want := numberedURL(i)
	if _, err := joins.Apply(rewrite.AfterLocation, &u, s); err != nil || u != want {
		t.Fatalf("%v, %v; want %v", u, err, want)
	}
	return u
}

// Without Reuse there is no lifetime: every string stays what it was.
func TestDefaultScratchStrings(t *testing.T) {
	for name, s := range map[string]*rewrite.Scratch{"zero": {}, "nil": nil} {
		t.Run(name, func(t *testing.T) {
			const n = 5000
			var made []rewrite.URL
			for i := range n {
				made = append(made, applyNumbered(t, i, s))
				cleaned := rewrite.URL{Path: fmt.Sprint("/ ", i)}
				if err := new(rewrite.Input).Clean(&cleaned, s); err != nil || cleaned.Path != fmt.Sprint("/%20", i) {
					t.Fatalf("%v, %v", cleaned, err)
				}
				if i%1000 == 0 {
					runtime.GC()
				}
			}
			s = nil
			runtime.GC()
			for i, u := range made {
				if _, want := numberedURL(i); u != want {
					t.Fatalf("%d: %v became %v", i, want, u)
				}
			}
		})
	}
}

// Between two calls of Reuse no string touches another, whatever their sizes.
func TestStringsBetweenReuses(t *testing.T) {
	var s rewrite.Scratch
	for _, n := range []int{1, 10, 100, 1000, 10, 3000, 1} {
		s.Reuse()
		var made []rewrite.URL
		for i := range n {
			made = append(made, applyNumbered(t, i, &s))
		}
		runtime.GC()
		for i, u := range made {
			if _, want := numberedURL(i); u != want {
				t.Fatalf("%d of %d: %v became %v", i, n, want, u)
			}
		}
	}
}

// Reuse writes the memory of earlier strings again; with purego, where strings
// cannot be overwritten, it leaves them alone; and under the race detector
// what they were is gone at once.
func TestReuse(t *testing.T) {
	var s rewrite.Scratch
	s.Reuse()
	first := applyNumbered(t, 1, &s)
	kept := first.Clone()
	s.Reuse()
	switch {
	case tagged(t, "purego"):
		applyNumbered(t, 2, &s)
		if first != kept {
			t.Errorf("%v became %v", kept, first)
		}
	case buildSetting(t, "-race") == "true":
		for _, c := range [][2]string{{first.Host, kept.Host}, {first.Path, kept.Path}, {first.RawQuery, kept.RawQuery}} {
			if want := strings.Repeat("!", len(c[1])); c[0] != want {
				t.Errorf("%q became %q, want %q", c[1], c[0], want)
			}
		}
	default:
		second := applyNumbered(t, 2, &s)
		if pointer(first.Host) != pointer(second.Host) || first == kept {
			t.Errorf("%v is still there", first)
		}
	}
	if _, want := numberedURL(1); kept != want {
		t.Errorf("the clone %v became %v", want, kept)
	}
}

func pointer(s string) uintptr { return reflect.ValueOf(s).Pointer() }

// What a nil or zero Scratch says to Reuse.
func TestReuseOfNothing(t *testing.T) {
	var none *rewrite.Scratch
	none.Reuse()
	var s rewrite.Scratch
	s.Reuse()
	s.Reuse()
	applyNumbered(t, 1, none)
	applyNumbered(t, 1, &s)
}

func TestScratchString(t *testing.T) {
	var reused rewrite.Scratch
	reused.Reuse()
	for name, s := range map[string]*rewrite.Scratch{"zero": {}, "nil": nil, "reused": &reused} {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{"", "a", "\x00\xff", strings.Repeat("b", 1023), strings.Repeat("c", 1025), strings.Repeat("d", 100_000)} {
				b := []byte(text)
				got := s.String(b)
				for i := range b {
					b[i] = '?'
				}
				if got != text {
					t.Errorf("the string of %d bytes changed with them", len(text))
				}
			}
			if got := s.String(nil); got != "" {
				t.Errorf("nil became %q", got)
			}
			a, b := s.String([]byte("first")), s.String([]byte("second"))
			if a != "first" || b != "second" {
				t.Errorf("%q, %q", a, b)
			}
		})
	}
}

// A clone of a URL has nothing in common with it.
func TestCloneDetaches(t *testing.T) {
	in := rewrite.URL{Scheme: "http", Host: "x.com", Path: "/a", RawQuery: "a=1", ForceQuery: true}
	out := in.Clone()
	if out != in {
		t.Errorf("%v, want %v", out, in)
	}
	for _, c := range [][2]string{{in.Scheme, out.Scheme}, {in.Host, out.Host}, {in.Path, out.Path}, {in.RawQuery, out.RawQuery}} {
		if pointer(c[0]) == pointer(c[1]) {
			t.Errorf("%q is the very same string", c[0])
		}
	}
	if out := (rewrite.URL{}).Clone(); out != (rewrite.URL{}) {
		t.Errorf("the zero URL became %v", out)
	}
}

// What happens to one Scratch is nothing to another.
func TestTwoScratches(t *testing.T) {
	var a, b rewrite.Scratch
	a.Reuse()
	b.Reuse()
	for i := range 100 {
		inA := applyNumbered(t, 2*i, &a)
		for j := range 10 {
			b.Reuse()
			applyNumbered(t, i*j, &b)
		}
		if _, want := numberedURL(2 * i); inA != want {
			t.Fatalf("%v became %v", want, inA)
		}
		a.Reuse()
	}
}

// Outputs that fit in no chunk are like any other.
func TestScratchLongOutput(t *testing.T) {
	var zero, reused rewrite.Scratch
	for _, n := range []int{1000, 1024, 1025, 60_000, 64 << 10, 70_000, 2<<20 - 3, 100} {
		in := rewrite.URL{Host: "x.com", Path: "/" + strings.Repeat("p", n-1)}
		want := rewrite.URL{Host: "x.com:8080", Path: "/v2" + in.Path, RawQuery: "debug=1"}
		reused.Reuse()
		for name, s := range map[string]*rewrite.Scratch{"nil": nil, "zero": &zero, "reused": &reused} {
			u := in
			if _, err := joins.Apply(rewrite.AfterLocation, &u, s); err != nil || u != want {
				t.Errorf("%s, %d bytes: %.40v, %v", name, n, u, err)
			}
		}
	}
}

// 64 KiB are kept for reuse, with what Clean and Apply need between: one long
// request must not make a worker large for ever.
func TestScratchKeepsLittle(t *testing.T) {
	long := rewrite.URL{Host: "x.com", Path: "/" + strings.Repeat("%61 ", 250_000), RawQuery: strings.Repeat("user ", 100_000)}
	regex := program(rewrite.RewritePath("^/(.)", "/?$1"), rewrite.AddQuery("debug", "1"))
	input := rewrite.Input{Normalize: true}
	scratches := make([]rewrite.Scratch, 16)
	before := heap()
	for i := range scratches {
		s := &scratches[i]
		for range 2 {
			s.Reuse()
			u := rewrite.URL{Path: "/%61" + strings.Repeat("a", 10_000)}
			if _, err := regex.Apply(rewrite.AfterLocation, &u, s); err != nil {
				t.Fatal(err)
			}
			u = long
			if err := input.Clean(&u, s); err != nil {
				t.Fatal(err)
			}
			if _, err := joins.Apply(rewrite.AfterLocation, &u, s); err != nil {
				t.Fatal(err)
			}
		}
		s.Reuse()
	}
	const most = 2 * 64 << 10
	if each := (heap() - before) / int64(len(scratches)); each > most {
		t.Errorf("each keeps %d bytes, want at most %d", each, most)
	}
	runtime.KeepAlive(scratches)
}

// heap returns how much memory is in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what the first one found to be in a sync.Pool
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
