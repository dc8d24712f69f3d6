package rewritetest

// Generated URLs.

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// The vocabularies are small, and rules draw on the same ones as URLs, so that
// prefixes, names and hosts meet their like often.
var (
	// plainSegments are what paths and prefixes have in common.
	plainSegments = []string{"a", "b", "api", "v1", "app", "a.b", "caf%C3%A9"}
	// hardSegments are legal in a clean path, but not what they seem.
	hardSegments = []string{
		"", "", // "//" inside the path or at its end
		"a%2Fb", "a%2fb", "%2F", "%5c", "a%5Cb", // encoded slash and backslash are no slash
		"..;", "..;x", ".;", "...", ".a", "..a", "api..", "api.", // nearly dot-segments
		"%2e%2e%2f", "%252e", "%25", "%00", "%0d%0a", "%3F", "%23", // escapes to leave alone
		"%c0%ae", "%FF", // not UTF-8
		"a;v=1", "a+b", "a=b&c", "!$'()*,", "@:", "[x]", "$1", "$%7B1%7D",
		"apix", "API", "%61pi", "ap%69", "v%31", "%7E", "~", // other spellings
		"x.com", "x.com:8080", "evil.com.", "127.0.0.1", "[::1]", "x%2ecom", // for HostFromPathPrefix
	}
	hosts = []string{
		"", "x.com", "www.x.com", "x.com:8080", "a.b.x.com", "X.Com", "x.com.", "x.com.:443",
		"y.org", "y.org:80", "a_b", "localhost:1", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[2001:db8::1]:443",
		"xn--bcher-kva.example", "notx.com",
	}
	// queryNames are names as text, querySpellings what queries make of them.
	queryNames     = []string{"a", "a", "b", "b", "ab", "name", "a b", "a+b", "é", "a[]", "%61", "a;b", "%zz"}
	querySpellings = []string{
		"a", "a", "b", "b", "ab", "name", "%61", "%6Eame", "n%61me", "a+b", "a%20b", "a%2Bb", "%C3%A9", "%c3%a9",
		"a%5B%5D", "a[]", "%2561", "%25zz", "a;b", "a%3Bb", "?a", "xa", "A",
	}
	queryValues = []string{"", "1", "1", "x%20y", "x+y", "%zz", "%", "a=b", "/p?q", "%26", "%2f", "1;b=2", "~"}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// oneIn reports true once in n times.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// CleanURL returns a URL that Input.Clean accepts and leaves as it is, with
// the zero Input and with every choice of DotSegments.
//
// One in fifty has the path "*". Else the path has none to five segments, half
// of them from a set of seven that Action's prefixes have too, half from hard
// cases: empty ones, every kind of escape, ";", what nearly is a dot-segment,
// what HostFromPathPrefix may take for a host; one segment in five has a
// letter escaped; one path in three ends in "/". A third of the queries is
// empty, others have up to six pairs: flags, empty pairs and values, keys that
// do not decode, "+", "%20", ";", repeats. Hosts have ports, final dots and
// upper case, or are addresses or empty. For rules of your own, whose words are
// not among these, there is CleanURLFor.
func CleanURL(r *rand.Rand) rewrite.URL {
	u := rewrite.URL{
		Scheme:   pick(r, []string{"http", "https", ""}),
		Host:     pick(r, hosts),
		Path:     cleanPath(r),
		RawQuery: cleanQuery(r),
	}
	u.ForceQuery = u.RawQuery == "" && oneIn(r, 4)
	return u
}

// URL returns a URL of any kind. Two in five are a CleanURL; the others have
// one to three faults: dot-segments in every spelling, paths that are empty,
// relative or "//", bytes that Clean escapes (space, backslash, "é", 0xFF),
// bytes and escapes that it refuses, hosts that are none.
func URL(r *rand.Rand) rewrite.URL {
	u := CleanURL(r)
	if r.IntN(5) < 2 {
		return u
	}
	for range 1 + r.IntN(3) {
		switch r.IntN(5) {
		case 0:
			u.Path = insert(r, u.Path, "/"+pick(r, []string{".", "..", "%2e", "%2E.", ".%2e", "%2e%2E"})+"/")
		case 1:
			u.Path = insert(r, u.Path, pick(r, []string{" ", `\`, "é", "\xff", "{", "|", `"`, "?", "#", "\x00", "\r\n", "\x7f", "%", "%z0", "%2", "//", "/\\"}))
		case 2:
			u.Path = pick(r, []string{"", "a", "//a", `/\a`, "/..", "/.", "%2Fa", "*a", "http://x.com/a"})
		case 3:
			u.RawQuery = insert(r, u.RawQuery, pick(r, []string{" ", "é", "\xff", "#", "\x00", "\n", "\x7f", "?"}))
		case 4:
			u.Host = pick(r, []string{"a b", "u@x.com", "x.com/", "x.com:", "x.com:0", "x.com:99999", "x.com:08", "::1", "[::1", "[::1%25lo]", "[1.2.3.4]", "a..b", ".", "-a", "1.2.3", "0x7f.1", "é.com", "a%2fb", "a,b", strings.Repeat("a", 64)})
		}
	}
	return u
}

// insert puts what somewhere into s.
func insert(r *rand.Rand, s, what string) string {
	i := r.IntN(len(s) + 1)
	return s[:i] + what + s[i:]
}

func cleanPath(r *rand.Rand) string {
	if oneIn(r, 50) {
		return "*"
	}
	var b strings.Builder
	for range r.IntN(6) {
		segment := pick(r, plainSegments)
		if oneIn(r, 2) {
			segment = pick(r, hardSegments)
		}
		if oneIn(r, 5) {
			segment = escapeOneLetter(r, segment)
		}
		b.WriteString("/" + segment)
	}
	if b.Len() == 0 || oneIn(r, 3) {
		b.WriteByte('/')
	}
	return b.String()
}

// escapeOneLetter writes one letter as an escape, in either case of the
// hexadecimal digits, unless that would break an escape that is there.
func escapeOneLetter(r *rand.Rand, s string) string {
	if s == "" || strings.Contains(s, "%") {
		return s
	}
	i := r.IntN(len(s))
	if strings.IndexByte(alphanumeric, s[i]) < 0 {
		return s
	}
	format := "%%%02x"
	if oneIn(r, 2) {
		format = "%%%02X"
	}
	return s[:i] + fmt.Sprintf(format, s[i]) + s[i+1:]
}

func cleanQuery(r *rand.Rand) string {
	if oneIn(r, 3) {
		return ""
	}
	list := make([]string, 1+r.IntN(6))
	for i := range list {
		switch r.IntN(8) {
		case 0: // an empty pair
		case 1:
			list[i] = pick(r, querySpellings) // a flag
		case 2:
			list[i] = pick(r, []string{"=", "=1", "%zz=1", "%=", "%zz", "%6"}) // no name, or none that decodes
		default:
			list[i] = pick(r, querySpellings) + "=" + pick(r, queryValues)
		}
	}
	return strings.Join(list, "&")
}
