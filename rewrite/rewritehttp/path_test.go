package rewritehttp_test

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

// checkTarget holds for every target that net/http reads: URL returns its
// bytes, and With of what Clean makes of them is what package url would have
// parsed, and goes out as it is.
func checkTarget(t *testing.T, target string) {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + target + " HTTP/1.1\r\n\r\n")))
	if err != nil || r.RequestURI != target {
		return
	}
	u, err := rewritehttp.URL(r)
	if err != nil {
		t.Fatalf("%q: %v", target, err)
	}
	if got := string(u.AppendTarget(nil)); got != target {
		t.Fatalf("%q became %q", target, got)
	}
	in := rewrite.Input{DotSegments: rewrite.KeepDotSegments}
	if in.Clean(&u, nil) != nil {
		return
	}
	cleaned := string(u.AppendTarget(nil))
	want, err := url.ParseRequestURI(cleaned)
	if err != nil {
		t.Fatalf("Clean(%q) = %q: %v", target, cleaned, err)
	}
	// The parts of the old path are not those of the new one, and are shared
	// only if they should be.
	for _, old := range []*url.URL{r.URL, {Path: "/x"}, {Path: "/x" + want.Path}, {Path: "/x" + want.Path + "y", RawPath: "/"}} {
		w := rewritehttp.With(&http.Request{URL: old}, u)
		if *w.URL != *want {
			t.Fatalf("%q: With on %#v: %#v, want %#v", target, old, w.URL, want)
		}
		if got := w.URL.EscapedPath(); got != u.Path {
			t.Fatalf("%q: With sends %q, want %q", target, got, u.Path)
		}
		if back, err := rewritehttp.URL(w); err != nil || back.Path != u.Path || back.RawQuery != u.RawQuery {
			t.Fatalf("%q: URL of With: %s, %v", target, back, err)
		}
	}
}

// Every byte and every escape, in both letter cases.
func TestTargetBytes(t *testing.T) {
	const lower, upper = "0123456789abcdef", "0123456789ABCDEF"
	for c := range 256 {
		checkTarget(t, "/a"+string([]byte{byte(c)})+"b")
		checkTarget(t, "/a%2Fb"+string([]byte{byte(c)}))
		for _, hi := range []byte{lower[c>>4], upper[c>>4]} {
			for _, lo := range []byte{lower[c&15], upper[c&15]} {
				checkTarget(t, "/a%"+string([]byte{hi, lo}))
				checkTarget(t, "/%"+string([]byte{hi, lo})+"?%"+string([]byte{hi, lo}))
			}
		}
	}
}

// All short targets over the bytes that mean something.
func TestTargetSmallWorld(t *testing.T) {
	var grow func(target string, n int)
	grow = func(target string, n int) {
		checkTarget(t, target)
		if n == 0 {
			return
		}
		for _, s := range []string{"/", ".", "a", "%2F", "%2f", "%61", "%20", "%C3", "%", "!", "|", "é", "?", ";", "*"} {
			grow(target+s, n-1)
		}
	}
	grow("/", 4)
}

func FuzzTarget(f *testing.F) {
	f.Add("/a%2Fb|c?x=1;y=%zz")
	f.Add("/%61%20%c3%A9!*'")
	f.Add("/a#b")
	f.Fuzz(func(t *testing.T, target string) {
		if strings.HasPrefix(target, "/") {
			checkTarget(t, target)
		}
	})
}

// A path that is not clean is no reason to panic, nor to send a bad target.
func TestWithUncleanPath(t *testing.T) {
	for path, want := range map[string]string{
		"/a%zz":  "/a%25zz",
		"/%":     "/%25",
		"/a b":   "/a%20b",
		"":       "/",
		"/a?b#c": "/a%3Fb%23c",
	} {
		w := rewritehttp.With(&http.Request{URL: new(url.URL)}, rewrite.URL{Path: path})
		if got := w.URL.RequestURI(); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
