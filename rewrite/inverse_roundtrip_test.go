// There and back: what Apply produced is taken back to what the client asked
// for, and what it cannot have produced stays.

package rewrite_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// applyHooks runs the rules of all hooks, as a proxy does.
func applyHooks(p *rewrite.Program, client rewrite.URL) (k knownRewrite, err error) {
	k.client, k.upstream = client, client
	for _, h := range rewrite.Hooks() {
		r, err := p.Apply(h, &k.upstream, nil)
		if err != nil {
			return k, err
		}
		k.result = k.result.Then(r)
	}
	return k, nil
}

func (k knownRewrite) inverse() rewrite.Inverse {
	return rewrite.NewInverse(k.client, k.upstream, k.result, k.aliases...)
}

// roundTrip fails unless a Location that names what p made of the client's
// URL becomes the client's URL in normal form: with the query that the upstream
// wrote, and with the slash of an upstream's path where the rules left nothing
// of the client's. p makes the same of that as of the client's URL, unless the
// slash makes a host for HostFromPathPrefix of the last segment.
func roundTrip(t *testing.T, p *rewrite.Program, rules []rewrite.Rule, k knownRewrite) {
	t.Helper()
	v := k.inverse()
	path := k.client.Path
	if cut, _, ok := k.result.Splice(); ok && cut == len(path) && strings.HasSuffix(k.upstream.Path, "/") && !strings.HasSuffix(path, "/") {
		path += "/"
	}
	query := string(rewrite.URL{RawQuery: k.upstream.RawQuery, ForceQuery: k.upstream.ForceQuery}.AppendTarget(nil))
	if k.client.Host != "" {
		want := path + query
		if k.upstream.Scheme != "" {
			scheme := k.client.Scheme
			if scheme == "" {
				scheme = k.upstream.Scheme
			}
			want = scheme + "://" + k.client.Host + want
		} else {
			want = "//" + k.client.Host + want
		}
		if got, _ := v.Location(k.upstream.String()); got != want {
			t.Errorf("%v became %v: Location of that is %s, want %s\n%v", k.client, k.upstream, got, want, p)
		}
	}
	if target := string(k.upstream.AppendTarget(nil)); !leadsAway(target) {
		want := path + query
		if leadsAway(want) {
			if k.client.Scheme == "" || k.client.Host == "" {
				want = target
			} else {
				want = k.client.Scheme + "://" + k.client.Host + want
			}
		}
		if got, _ := v.Location(target); got != want {
			t.Errorf("%v became %v: Location of its path is %s, want %s\n%v", k.client, k.upstream, got, want, p)
		}
	}
	again := k.client
	again.Path = path
	takesHost := slices.ContainsFunc(rules, func(r rewrite.Rule) bool { return r.Action.Op() == rewrite.OpHostFromPathPrefix })
	if takesHost && path != k.client.Path {
		return
	}
	if k2, err := applyHooks(p, again); err != nil || k2.upstream.Path != k.upstream.Path || k2.upstream.Host != k.upstream.Host {
		t.Errorf("%v became %v, but the way back leads to %v, which becomes %v, %v\n%v", k.client, k.upstream, again, k2.upstream, err, p)
	}
}

func TestInverseRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	spliced := 0
	for range randomRuns(t) {
		rules := rewritetest.Rules(r, r.IntN(5))
		p := rewrite.MustCompile(rules, anyHost)
		if p.Invertible() != nil {
			continue
		}
		for range 4 {
			client := rewritetest.CleanURL(r)
			k, err := applyHooks(p, client)
			if err != nil || client.Path == "*" {
				continue
			}
			roundTrip(t, p, rules, k)
			if cut, put, _ := k.result.Splice(); cut+put > 0 {
				spliced++
			}
		}
		if t.Failed() {
			t.Fatalf("%v", rules)
		}
	}
	if spliced < 500 {
		t.Errorf("only %d paths were spliced", spliced)
	}
}

// locations returns values that have to do with a rewrite, most of them nearly
// what the upstream would write.
func locations(r *rand.Rand, k knownRewrite) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	_, is, _ := k.prefixes()
	start := pick("", "", "", "//", "http://", "https://", "HTTP://", "http:", "ftp://", "http:/", `http:\\`, `\\`, "/", `/\`, "///", "?", "#", " ")
	if strings.HasSuffix(start, "//") {
		start += pick(k.upstream.Host, k.upstream.Host, strings.ToUpper(k.upstream.Host), k.client.Host, "alias.example:81", "x.com", "[::1]", "[0::1]:443", "evil.example", "") +
			pick("", "", ":", ":80", ":443", "@evil.example", ".", ".evil.example", "é", `\`)
	}
	path := pick(is, is, is+"/", "", "/", "/a", strings.Replace(is, "a", "%61", 1), k.upstream.Path, k.client.Path, is+"x") +
		pick("", "/", "/y", "/a/b", "//y", `/\y`, `\y`, "/..", "/../z", "/y/../../z", "/y/%2e%2E/z", `/y\..\..\z`, "/%2F", "/.", "/./..", "/é", "/a b", "%2fy", ";a", "\x00", "\r\n")
	return start + path + pick("", "", "?", "?a=/b", "#", "#/c?", "?//x#y")
}

func TestLocationAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	changed := 0
	for range randomRuns(t) {
		p := rewrite.MustCompile(rewritetest.Rules(r, r.IntN(5)), anyHost)
		k, err := applyHooks(p, rewritetest.CleanURL(r))
		if err != nil {
			continue
		}
		if r.IntN(2) == 0 {
			k.aliases = []string{"alias.example:81", "[::1]"}
		}
		for range 8 {
			if likeReference(t, k, locations(r, k)) {
				changed++
			}
		}
		if t.Failed() {
			t.Fatal(p)
		}
	}
	if changed < 500 {
		t.Errorf("only %d values changed", changed)
	}
}

// likeReference holds Location to the reference, every header to what none may
// become, and reports whether Location changed the value.
func likeReference(t *testing.T, k knownRewrite, value string) bool {
	t.Helper()
	v := k.inverse()
	got, changed := v.Location(value)
	if strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c == 0x7F }) {
		if got != "" || !changed {
			t.Errorf("%v became %v: Location of %q is %q", k.client, k.upstream, value, got)
		}
	} else if want := k.location(value); got != want {
		t.Errorf("%v became %v: Location of %q is %q, want %q", k.client, k.upstream, value, got, want)
	}
	for header, method := range inverseMethods {
		for _, in := range []string{value, "0;url=" + value, "a=1; Path=" + value + "; Domain=" + k.upstream.Host, "<" + value + ">"} {
			got, changed := method(v, in)
			if err := checkInverse(header, in, got, changed); err != nil {
				t.Errorf("%v became %v: %v", k.client, k.upstream, err)
			}
		}
	}
	return changed
}

// FuzzInverse: any program, any clean URL, any value that an upstream may
// write, and mappings of any text.
func FuzzInverse(f *testing.F) {
	for _, seed := range []struct {
		why        string
		choices    []byte
		op         rewrite.Op
		arg1, arg2 string
		host, path string
		value      string
	}{
		{"what was trimmed comes back", nil, rewrite.OpTrimPathPrefix, "/app", "", "x.com", "/app/x", "/x?a=1#b"},
		{"nothing was left", nil, rewrite.OpTrimPathPrefix, "/app", "", "x.com", "/app", "/"},
		{"two slashes, one of which the guard drops", nil, rewrite.OpTrimPathPrefix, "/app", "", "x.com", "/app//evil.example", "/evil.example"},
		{"what is left leads away", nil, rewrite.OpAddPathPrefix, "/v2", "", "x.com", "/x", "/v2//evil.example"},
		{"what is left leads away by a backslash", nil, rewrite.OpAddPathPrefix, "/v2", "", "x.com", "/x", `/v2/\evil.example`},
		{"what was cut leads away", nil, rewrite.OpStripPathSegments, "2", "", "x.com", "//evil.example/x", "/y"},
		{"an attribute of the client's choice", nil, rewrite.OpStripPathSegments, "1", "", "x.com", "/a;Domain=evil/x", "/"},
		{"the authority as the upstream spells it", nil, rewrite.OpSetHost, "up.internal:80", "", "x.com", "/x", "HTTP://UP.internal./y"},
		{"an authority that goes on", nil, rewrite.OpSetHost, "up.internal", "", "x.com", "/x", "http://up.internal:80@evil.example/"},
		{"an address", nil, rewrite.OpSetHost, "[::1]", "", "x.com", "/x", "http://[0:0::1]/"},
		{"dot-segments that lead out", nil, rewrite.OpTrimPathPrefix, "/app", "", "x.com", "/app/x", `/a\..\%2e./b`},
		{"the host of the path", nil, rewrite.OpHostFromPathPrefix, "", "", "x.com", "/y.org:81/x", "//y.org:81/z"},
		{"header injection", nil, rewrite.OpTrimPathPrefix, "/app", "", "x.com", "/app", "/a\r\nSet-Cookie: b"},
		{"quotes of a Refresh", nil, rewrite.OpTrimPathPrefix, "/o'neil", "", "x.com", "/o'neil/", "'/x'"},
	} {
		f.Add(seed.choices, byte(seed.op-1), seed.arg1, seed.arg2, seed.host, seed.path, seed.value)
	}
	f.Fuzz(func(t *testing.T, choices []byte, op byte, arg1, arg2, host, path, value string) {
		r := rand.New(&byteSource{choices})
		rules := fuzzRules(r, op, arg1, arg2)
		p, err := rewrite.Compile(rules, anyHost)
		if err != nil { // only the last rule can be wrong
			rules = rules[:len(rules)-1]
			p = rewrite.MustCompile(rules, anyHost)
		}
		client := rewrite.URL{Scheme: []string{"http", "https", ""}[r.IntN(3)], Host: host, Path: path}
		if new(rewrite.Input).Clean(&client, nil) != nil || client.Path == "*" {
			return
		}
		k, err := applyHooks(p, client)
		if err != nil {
			return
		}
		if p.Invertible() == nil {
			roundTrip(t, p, rules, k)
		}
		k.aliases = []string{arg1}
		likeReference(t, k, value)

		m, err := rewrite.CompileMappings([]rewrite.Mapping{
			{Kind: rewrite.MapLocation, From: arg1, To: arg2},
			{Kind: rewrite.MapCookiePath, From: arg1, To: arg2},
		}, nil)
		if err != nil {
			return
		}
		v := k.inverse().With(m)
		for header, method := range inverseMethods {
			for _, in := range []string{value, "a=1; Path=" + value} {
				got, changed := method(v, in)
				if err := checkInverse(header, in, got, changed); err != nil {
					t.Errorf("%q to %q: %v", arg1, arg2, err)
				}
			}
		}
	})
}
