// A cookie reaches on the client's side what it reaches on the upstream's.

package rewrite_test

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// pathMatch is RFC 6265, section 5.1.4.
func pathMatch(cookie, request string) bool {
	rest, ok := strings.CutPrefix(request, cookie)
	return ok && (rest == "" || strings.HasSuffix(cookie, "/") || rest[0] == '/')
}

// Every Path that has to do with the prefix that was put, below it or above it,
// is sent for the same pages on both sides.
func TestCookiePathReachesTheSame(t *testing.T) {
	prefixes := []string{"/", "/a", "/a/b", "/c"}
	rests := []string{"/", "/a", "/a/", "/a/b", "/a/b/c", "/ab", "//a", "/b"}
	var paths []string
	for _, p := range append([]string{"/", "/a/b/c", "/c/a", "/c/a/b", "/a/b/a"}, prefixes[1:]...) {
		paths = append(paths, p, strings.TrimSuffix(p, "/")+"/")
	}
	kept, moved := 0, 0
	for _, cut := range prefixes {
		for _, put := range prefixes {
			p := program(rewrite.ReplacePathPrefix(cut, put))
			client := rewrite.URL{Scheme: "http", Host: "x.com", Path: strings.TrimSuffix(cut, "/") + "/x"}
			k, err := applyHooks(p, client)
			if err != nil {
				t.Fatal(err)
			}
			was, is, _ := k.prefixes()
			for _, path := range paths {
				if !pathMatch(path, is+"/") && !pathMatch(is+"/", path) {
					continue // elsewhere
				}
				got, _ := k.inverse().SetCookie("a=1; Path=" + path)
				got = strings.TrimPrefix(got, "a=1; Path=")
				for _, rest := range rests {
					if pathMatch(path, is+rest) != pathMatch(got, was+rest) {
						t.Errorf("%s became %s: Path=%s became %s, of which one is sent for %s and the other not for %s", cut, put, path, got, is+rest, was+rest)
					}
				}
				if got == path {
					kept++
				} else {
					moved++
				}
			}
		}
	}
	if kept < 20 || moved < 40 {
		t.Errorf("%d Paths stayed and %d moved", kept, moved)
	}
}
