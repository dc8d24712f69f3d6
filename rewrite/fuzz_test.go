// Any program on any URL, and any Input on any URL: by fuzzing, and on random
// ones in every run of the tests.

package rewrite_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// byteSource makes a random source of bytes, so that a fuzzer's mutation of
// one byte changes one choice of a generator. When the bytes are used up every
// choice is the first.
type byteSource struct{ data []byte }

func (s *byteSource) Uint64() uint64 {
	b := uint64(0)
	if len(s.data) > 0 {
		b, s.data = uint64(s.data[0]), s.data[1:]
	}
	// rand takes the lowest bits for a power of two and the highest for any
	// other number; with zeros between them it would draw for ever.
	return b<<56 | (1<<56 - 1<<8) | b
}

// fuzzRules makes up to eight rules of choices, and one of an op with two
// arguments of any kind.
func fuzzRules(r *rand.Rand, op byte, arg1, arg2 string) []rewrite.Rule {
	rules := rewritetest.Rules(r, r.IntN(8))
	last := rewrite.Op(op)%rewrite.OpSetScheme + 1
	for _, args := range [][]string{{arg1, arg2}, {arg1}, nil} {
		if action, err := makeAction(last, args...); err == nil {
			return append(rules, rewrite.Rule{Order: r.IntN(3) - 1, Action: action})
		}
	}
	return rules
}

// FuzzApply: any program on any URL, as it is and cleaned. The guarantees
// hold, the fused program does what its rules do one by one, and rules that
// match nothing change nothing.
func FuzzApply(f *testing.F) {
	for _, seed := range []struct {
		why                    string
		choices                []byte
		op                     rewrite.Op
		arg1, arg2, host, path string
		query                  string
	}{
		{"a chain that set, trim, strip and add fuse into", []byte{90, 0, 0, 0, 60, 60, 60, 120, 120, 120, 180, 180, 180}, rewrite.OpAddPathPrefix, "/v1", "", "x.com", "/a/api/v1/b", "a=1"},
		{"a trim that leaves what begins with //", nil, rewrite.OpTrimPathPrefix, "/a", "/b", "x.com", "/a//evil.com", ""},
		{"a text trim that makes a dot-segment", nil, rewrite.OpTrimPathText, "/api", "/a", "x.com", "/api../b", ""},
		{"a dot-segment that was there, spelled %2e", nil, rewrite.OpStripPathSegments, "1", "", "x.com", "/a/%2e%2E/b", ""},
		{"a prefix spelled with escapes, at the end of the path", nil, rewrite.OpTrimPathPrefix, "/%61pi", "/caf%c3%a9", "x.com", "/caf%C3%A9", ""},
		{"an encoded slash, which is no boundary", nil, rewrite.OpReplacePathPrefix, "/a", "/b/", "x.com", "/a%2Fb", ""},
		{"the trim that needs a slash, on a path without one", nil, rewrite.OpRewritePath, "^/a/(.*)$", "/$1", "x.com", "/a", ""},
		{"captures that overlap, one of them in the query", nil, rewrite.OpRewritePath, "^/((.*))$", "/$1$2?q=$1&", "x.com", "/a%20b+c", "x=%zz&&"},
		{"matches of nothing between the bytes of an escape", nil, rewrite.OpReplacePathRegex, "x*", "-", "x.com", "/%61%2F", ""},
		{"a match that ends within an escape", nil, rewrite.OpReplacePathRegex, "%2", "b", "x.com", "/%2Fa", ""},
		{"escapes that normal form shortens, before a capture", nil, rewrite.OpRewritePath, "(?i)^/A(P)(.*)", "/$2$1", "x.com", "/%61%70i%2f", ""},
		{"a pattern over the limit on instructions", nil, rewrite.OpRewritePath, "(.*){1,1000}", "$1", "x.com", "/a", ""},
		{"a path over the budget of its pattern", nil, rewrite.OpRewritePath, "(.*?)(.*?)(.*?)(.*?)x$", "/$1", "x.com", "/" + strings.Repeat("a", 8192), ""},
		{"flags, empty pairs, keys that do not decode", nil, rewrite.OpDeleteQuery, "a", "%zz", "x.com", "/", "a&&%zz=1&%25zz&%61=2&"},
		{"a key with + and %20, renamed to one that grows", nil, rewrite.OpRenameQuery, "a b", "\u00e9&=", "x.com", "/", "a+b=1&a%20b&a+b+c"},
		{"an allow-list and pairs that net/url drops", nil, rewrite.OpKeepQuery, "a", "b", "x.com", "/", "a=1;b=2&b=%zz&;a"},
		{"a query that only ForceQuery shows", nil, rewrite.OpSetQuery, "a", "?", "x.com", "/", ""},
		{"a host out of the path, with port and final dot", []byte{255, 128, 0, 0, 210}, rewrite.OpAddPathPrefix, "/a", "", "x.com:80", "/x.com.:8080//b", ""},
		{"a suffix, with a leading dot and a port", nil, rewrite.OpReplaceHostSuffix, ".x.com", "\u00e9.org", "www.X.Com.:443", "/", ""},
		{"an IPv6 host that gets another port", nil, rewrite.OpSetPort, "443", "", "[::1]:80", "/", ""},
		{"the asterisk form", nil, rewrite.OpSetPath, "/a", "", "x.com", "*", "a=1"},
		{"nothing that Clean would let through", nil, rewrite.OpTrimPathPrefix, "/a", "", "a b", "a/..?#\xff", "#\x00"},
	} {
		f.Add(seed.choices, byte(seed.op-1), seed.arg1, seed.arg2, seed.host, seed.path, seed.query, seed.query == "")
	}
	f.Fuzz(func(t *testing.T, choices []byte, op byte, arg1, arg2, host, path, query string, force bool) {
		r := rand.New(&byteSource{choices})
		rules := fuzzRules(r, op, arg1, arg2)
		opts := &rewrite.Options{AllowAnyHost: true, MaxLength: []int{0, 24}[r.IntN(2)]}
		p, err := rewrite.Compile(rules, opts)
		if err != nil { // only the last rule can be wrong
			rules = rules[:len(rules)-1]
			p = rewrite.MustCompile(rules, opts)
		}
		padded := rewrite.MustCompile(pad(rules), opts)
		u := rewrite.URL{Scheme: []string{"http", "https", ""}[r.IntN(3)], Host: host, Path: path, RawQuery: query, ForceQuery: force}
		for _, h := range rewrite.Hooks() {
			applyUncleaned(t, p, h, u)
		}
		if err := (&rewrite.Input{DotSegments: rewrite.KeepDotSegments}).Clean(&u, nil); err != nil {
			return
		}
		for _, h := range rewrite.Hooks() {
			out, _, err := judge(t, p, h, u)
			again := u
			if _, err2 := padded.Apply(h, &again, nil); again != out || err2 != err {
				t.Errorf("G10: %#v\nbecame %#v, %v\nand with rules that match nothing %#v, %v\n%v", u, out, err, again, err2, p)
			}
		}
	})
}

func TestApplyOfRandomPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range randomRuns(t) {
		rules := rewritetest.Rules(r, r.IntN(8))
		p := rewrite.MustCompile(rules, &rewrite.Options{AllowAnyHost: true, MaxLength: []int{0, 0, 40}[r.IntN(3)]})
		for _, in := range []rewrite.URL{rewritetest.CleanURL(r), rewritetest.CleanURL(r), rewritetest.CleanURL(r)} {
			judge(t, p, rewrite.AfterLocation, in)
		}
		if t.Failed() {
			t.Fatalf("%v", rules)
		}
	}
}

func TestCleanOfRandomURLs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range randomRuns(t) {
		in := rewrite.Input{
			DotSegments: rewrite.DotSegments(r.IntN(3)), Normalize: r.IntN(2) > 0, MergeSlashes: r.IntN(2) > 0,
			Strict: r.IntN(4) == 0, MaxLength: r.IntN(2) * r.IntN(40),
		}
		cleanLikeReference(t, in, rewritetest.URL(r))
	}
}

func randomRuns(t *testing.T) int {
	if testing.Short() || buildSetting(t, "-race") == "true" {
		return 2_000
	}
	return 20_000
}

// applyUncleaned holds Apply and Explain to what they promise for any URL.
func applyUncleaned(t *testing.T, p *rewrite.Program, h rewrite.Hook, in rewrite.URL) {
	out := in
	result, err := p.Apply(h, &out, nil)
	if err := rewritetest.Check(p, h, in, out, result, err); err != nil {
		t.Errorf("%v\n%v", err, p)
	}
	p.Explain(h, in)
}

// pad puts rules before and behind that match no URL of any test.
func pad(rules []rewrite.Rule) []rewrite.Rule {
	const nowhere = "/No-Such-Prefix"
	var padded []rewrite.Rule
	for _, h := range rewrite.Hooks() {
		padded = append(padded,
			rewrite.Rule{Hook: h, Order: -9, Action: rewrite.TrimPathPrefix(nowhere, nowhere+"/b")},
			rewrite.Rule{Hook: h, Order: -9, Action: rewrite.DeleteQuery("No-Such-Name", "No such name either")},
			rewrite.Rule{Hook: h, Order: 9, Action: rewrite.ReplacePathText(nowhere, "/b")},
			rewrite.Rule{Hook: h, Order: 9, Action: rewrite.RenameQuery("No-Such-Name", "b")},
			rewrite.Rule{Hook: h, Order: 9, Action: rewrite.ReplaceHostSuffix("No-Such-Suffix", "b")},
		)
	}
	return append(padded, rules...)
}

// FuzzClean: any Input and any URL. Clean does what the reference does, once,
// and what is clean stays the very same strings.
func FuzzClean(f *testing.F) {
	const normalize, merge, strict = 4, 8, 16
	for _, seed := range []struct {
		why                     string
		flags                   byte
		most                    uint16
		scheme, host, path, raw string
	}{
		{"nothing to do", 0, 0, "http", "x.com", "/a/b", "a=1&b"},
		{"every byte that is escaped", 0, 0, "", "", "/ \"<>\\^{|}`\x80\xff\u00e9", " \x80\xff"},
		{"a control byte, and the byte after the last", 0, 0, "", "", "/\x1f\x7f", "\x7f"},
		{"an escape cut short", 0, 0, "", "", "/%4", "%4"},
		{"an escape with one digit", 0, 0, "", "", "/%4g", "%g"},
		{"dots behind a text that is read eight bytes a step", 0, 0, "", "", "/12345/%2E.", ""},
		{"dots that are none", 0, 0, "", "", "/.../..a/a../.%2e.", ""},
		{"kept dots", byte(rewrite.KeepDotSegments), 0, "", "", "/a/../b", ""},
		{"resolving above the root", byte(rewrite.ResolveDotSegments), 0, "", "", "/../a/./b/..", ""},
		{"resolving to what begins with //", byte(rewrite.ResolveDotSegments), 0, "", "", "/a/..//b", ""},
		{"resolving what began with //", byte(rewrite.ResolveDotSegments), 0, "", "", "//a/..//b", ""},
		{"merging before resolving", byte(rewrite.ResolveDotSegments) | merge, 0, "", "", "/a//../b", ""},
		{"letters, dots and a slash behind escapes", byte(rewrite.ResolveDotSegments) | normalize, 0, "", "", "/%61%2e%2E/%2e/%2f%7e%C3%a9", ""},
		{"a parameter behind dots", strict, 0, "", "", "/%2e.;a=1", ""},
		{"an encoded slash, NUL and DEL", strict, 0, "", "", "/%2F%00%7f", ""},
		{"UTF-8, half as bytes, half as escapes", strict, 0, "", "", "/\xc3%A9", ""},
		{"not UTF-8: overlong, and a surrogate", strict, 0, "", "", "/%C0%AE%ED%A0%80", ""},
		{"a path that fits until it is escaped", 0, 4, "", "", "/ab ", ""},
		{"a query that fits until it is escaped", 0, 4, "", "", "/", "ab  "},
		{"a hash where eight query bytes are read at once", 0, 0, "", "", "/", "1234567#90"},
		{"an IPv6 literal with a port", 0, 0, "", "[2001:db8::1]:443", "/", ""},
		{"a name that ends in a number", 0, 0, "", "a.0x1f.", "/", ""},
		{"the longest label and a port too high", 0, 0, "", strings.Repeat("a", 63) + ":65536", "/", ""},
		{"the longest name with its final dot", 0, 0, "", strings.Repeat("a.", 126) + "a.", "/", ""},
		{"the asterisk form", 0, 0, "", "x.com", "*", "a b"},
	} {
		f.Add(seed.flags, seed.most, seed.scheme, seed.host, seed.path, seed.raw)
	}
	f.Fuzz(func(t *testing.T, flags byte, most uint16, scheme, host, path, query string) {
		in := rewrite.Input{
			DotSegments:  rewrite.DotSegments(flags % 4 % 3),
			Normalize:    flags&normalize != 0,
			MergeSlashes: flags&merge != 0,
			Strict:       flags&strict != 0,
			MaxLength:    int(most),
		}
		u := rewrite.URL{Scheme: scheme, Host: host, Path: path, RawQuery: query}
		if cleaned, ok := cleanLikeReference(t, in, u); ok {
			// A program that does nothing is judged too: the cleaned URL is
			// one that the guarantees are about.
			judge(t, identity, rewrite.AfterLocation, cleaned)
		}
	})
}

// cleanLikeReference fails unless Clean does with given what the reference
// does, and cleaning again does nothing. ok is false if Clean refuses it.
func cleanLikeReference(t *testing.T, in rewrite.Input, given rewrite.URL) (u rewrite.URL, ok bool) {
	t.Helper()
	u = given
	err := in.Clean(&u, nil)
	want, faults := referenceClean(in, given)
	if !mayRefuse(faults, err) {
		t.Fatalf("%+v: %#v\nended with %v, want one of %v", in, given, err, faults)
	}
	if err != nil {
		want = given
	}
	if u != want {
		t.Fatalf("%+v: %#v\nbecame %#v\nwant   %#v (%v)", in, given, u, want, err)
	}
	withScratch := given
	if err2 := in.Clean(&withScratch, new(rewrite.Scratch)); withScratch != u || err2 != err {
		t.Fatalf("%+v: %#v\nbecame %#v, %v\nand with a Scratch %#v, %v", in, given, u, err, withScratch, err2)
	}
	if err != nil {
		return u, false
	}
	sameStrings(t, given, u)
	again := u
	if err := in.Clean(&again, nil); err != nil || again != u {
		t.Fatalf("%+v: %#v\nbecame %#v\nand then %#v, %v", in, given, u, again, err)
	}
	sameStrings(t, u, again)
	return u, true
}

var identity = rewrite.MustCompile([]rewrite.Rule{
	{Action: rewrite.TrimPathPrefix("/")}, {Action: rewrite.DeleteQuery("No-Such-Name")},
}, nil)

// sameStrings fails where a component is equal but not the very same string.
func sameStrings(t *testing.T, before, after rewrite.URL) {
	t.Helper()
	for _, c := range [][2]string{{before.Host, after.Host}, {before.Path, after.Path}, {before.RawQuery, after.RawQuery}} {
		if c[0] == c[1] && c[0] != "" && reflect.ValueOf(c[0]).Pointer() != reflect.ValueOf(c[1]).Pointer() {
			t.Errorf("%q was copied", c[0])
		}
	}
}
