// Edges that other tests step over: what scripts/mutate has found to be changed
// without a failing test.

package rewrite_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// Clean allows what becomes exactly as long as it may, escapes counted.
func TestCleanAtMaxLength(t *testing.T) {
	for _, c := range []struct {
		path, query         string
		cleanPath, cleanURI string
	}{
		{"/a b c", "", "/a%20b%20c", ""},
		{"/", "a b\xff", "/", "a%20b%FF"},
		{"/abc", "", "/abc", ""},
		{"/", "abc", "/", "abc"},
	} {
		most := max(len(c.cleanPath), len(c.cleanURI))
		in := rewrite.URL{Host: "h", Path: c.path, RawQuery: c.query}
		u := in
		if err := (&rewrite.Input{MaxLength: most}).Clean(&u, nil); err != nil || u.Path != c.cleanPath || u.RawQuery != c.cleanURI {
			t.Errorf("%q?%q: %v, %v", c.path, c.query, u, err)
		}
		u = in
		if err := (&rewrite.Input{MaxLength: most - 1}).Clean(&u, nil); err != rewrite.ErrTooLong || u != in {
			t.Errorf("%q?%q with one byte less: %v, %v", c.path, c.query, u, err)
		}
	}
}

// An alternative that is no slash is no segment boundary, so the expression is
// none of the idioms.
func TestIdiomsNeedTheSlash(t *testing.T) {
	for _, c := range []struct{ regex, in, want string }{
		{`^/p(x|$)(.*)`, "/px1", "/1"},
		{`^/p(x|$)(.*)`, "/p/1", "/p/1"},
		{`^/p(ab|$)(.*)`, "/pab1", "/1"},
		{`^/p(ab|$)(.*)`, "/p/1", "/p/1"},
		{`^/p(//|$)(.*)`, "/p//1", "/1"},
		{`^/p(//|$)(.*)`, "/p/1", "/p/1"},
	} {
		p := program(rewrite.RewritePath(c.regex, "/$2"))
		out, _, err := judge(t, p, rewrite.AfterLocation, rewrite.URL{Path: c.in})
		if err != nil || out.Path != c.want {
			t.Errorf("%s on %s: %s, %v, want %s", c.regex, c.in, out.Path, err, c.want)
		}
	}
}

// A query part that is one capture, wherever the capture begins and however long
// it is.
func TestTemplateQueryOfOneCapture(t *testing.T) {
	for _, c := range []struct{ regex, in, want string }{
		{`^(/a)$`, "/a", "%2Fa"},
		{`^(/)$`, "/", "%2F"},
		{`^/(a)$`, "/a", "a"},
		{`^/(b)?a$`, "/a", ""},
	} {
		out, _, err := judge(t, program(rewrite.RewritePath(c.regex, "/x?$1")), rewrite.AfterLocation, rewrite.URL{Path: c.in})
		if err != nil || out.Path != "/x" || strings.TrimPrefix(out.RawQuery, "?") != c.want {
			t.Errorf("%s on %s: %v, %v, want %q", c.regex, c.in, out, err, c.want)
		}
	}
}

// A parameter that is not text is one fault, whatever it is for.
func TestNoTextIsOneFault(t *testing.T) {
	const bad = "\xff"
	for _, a := range []rewrite.Action{
		rewrite.SetHost(bad), rewrite.SetHostname(bad), rewrite.SetPort(bad), rewrite.ReplaceHostSuffix(bad, "b.example"),
		rewrite.ReplaceHostSuffix("a.example", bad), rewrite.SetPath(bad), rewrite.AddPathPrefix(bad), rewrite.TrimPathPrefix(bad),
		rewrite.TrimPathText(bad), rewrite.ReplacePathPrefix(bad, "/a"), rewrite.ReplacePathPrefix("/a", bad), rewrite.ReplacePathText(bad, "/a"),
		rewrite.RewritePath(bad, "/a"), rewrite.RewritePath("^/a", bad), rewrite.ReplacePathRegex(bad, "/a"), rewrite.AddQuery(bad, ""),
		rewrite.AddQuery("a", bad), rewrite.SetQuery(bad, ""), rewrite.DeleteQuery(bad), rewrite.KeepQuery(bad), rewrite.RenameQuery(bad, "a"),
		rewrite.SetScheme(bad),
	} {
		_, err := rewrite.Compile([]rewrite.Rule{{Action: a}}, nil)
		var faults rewrite.RuleErrors
		if !errors.As(err, &faults) || len(faults) != 1 {
			t.Errorf("%v: %v", a, err)
		}
	}
}

// "$$" is a dollar sign, in the path and in the query of a template.
func TestTemplateDollars(t *testing.T) {
	for _, c := range []struct{ template, path, query string }{
		{"/b$$1", "/b$1", ""},
		{"/$$", "/$", ""},
		{"/$$$1", "/$x", ""},
		{"/b?k=$$1", "/b", "k=$1"},
	} {
		out, _, err := judge(t, program(rewrite.RewritePath("^/a(.*)$", c.template)), rewrite.AfterLocation, rewrite.URL{Path: "/ax"})
		if query := strings.ReplaceAll(out.RawQuery, "%24", "$"); err != nil || out.Path != c.path || query != c.query {
			t.Errorf("%s: %v, %v, want %s?%s", c.template, out, err, c.path, c.query)
		}
	}
}

// What a regular expression makes is as long as it may be, and no longer.
func TestRegexpAtMaxLength(t *testing.T) {
	for _, a := range []rewrite.Action{rewrite.RewritePath("^/a(b*)$", "/cc$1"), rewrite.ReplacePathRegex("a(b*)$", "cc$1")} {
		for most, want := range map[int]error{5: nil, 4: rewrite.ErrTooLong} {
			p := rewrite.MustCompile([]rewrite.Rule{{Action: a}}, &rewrite.Options{MaxLength: most})
			in := rewrite.URL{Path: "/abb"}
			out, _, err := judge(t, p, rewrite.AfterLocation, in)
			if err != want || err == nil && out.Path != "/ccbb" || err != nil && out != in {
				t.Errorf("%v with %d bytes: %v, %v", a, most, out, err)
			}
		}
	}
}

// Invertible names rules and not bytes.
func TestInvertibleHasNoOffset(t *testing.T) {
	var faults rewrite.RuleErrors
	if err := program(rewrite.SetPath("/a"), rewrite.RewritePath("b+", "/a")).Invertible(); !errors.As(err, &faults) {
		t.Fatal(err)
	}
	for _, fault := range faults {
		if fault.Offset != -1 {
			t.Errorf("%v: offset %d", fault, fault.Offset)
		}
	}
}

// A path of two bytes may begin with two slashes, whoever has put the first.
func TestShortestDoubleSlash(t *testing.T) {
	for _, c := range []struct {
		action   rewrite.Action
		in, want string
	}{
		{rewrite.TrimPathText("/a"), "/a//", "/"},
		{rewrite.TrimPathText("/a"), "/a/", "/"},
		{rewrite.TrimPathText("/a"), "/ab", "/b"},
		{rewrite.ReplacePathText("/a", "/"), "/a/", "/"},
		{rewrite.ReplacePathText("/a", "/"), "/ab", "/b"},
		{rewrite.StripPathSegments(1), "/a//", "/"},
		{rewrite.StripPathSegments(1), "/a/b", "/b"},
	} {
		out, _, err := judge(t, program(c.action), rewrite.AfterLocation, rewrite.URL{Path: c.in})
		if err != nil || out.Path != c.want {
			t.Errorf("%v of %s: %s, %v, want %s", c.action, c.in, out.Path, err, c.want)
		}
	}
}

// Without "=", what looks like url= is the URL.
func TestRefreshWithoutEquals(t *testing.T) {
	m, err := rewrite.CompileMappings([]rewrite.Mapping{{Kind: rewrite.MapLocation, From: "/", To: "/app/"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"0;url=/x": "0;url=/app/x", "0;url//x": "0;url//x", "0;url": "0;url", "0;url ": "0;url ", "0;url /x": "0;url /x", "0;ur=/x": "0;ur=/x",
	} {
		if got, _ := (rewrite.Inverse{}).With(m).Refresh(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A final dot of a host does not hide it from the list of those that are
// allowed, nor let another in.
func TestAllowedHostWithFinalDot(t *testing.T) {
	p, err := rewrite.Compile([]rewrite.Rule{{Action: rewrite.HostFromPathPrefix()}}, &rewrite.Options{AllowedHosts: []string{"a.example", "*.b.example"}})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]error{
		"a.example": nil, "a.example.": nil, "A.example.": nil, "x.b.example.": nil, "b.example.": rewrite.ErrHost, "xa.example.": rewrite.ErrHost,
	} {
		if _, _, err := judge(t, p, rewrite.AfterLocation, rewrite.URL{Host: "h", Path: "/" + host + "/x"}); err != want {
			t.Errorf("%s: %v, want %v", host, err, want)
		}
	}
}

// A suffix is found in front of a final dot, which goes with it.
func TestHostSuffixBeforeFinalDot(t *testing.T) {
	p := program(rewrite.ReplaceHostSuffix(".com", ".net"))
	for in, want := range map[string]string{"a.com.": "a.net", "a.com.:80": "a.net:80", "a.com": "a.net", "acom.": "acom."} {
		out, _, err := judge(t, p, rewrite.AfterLocation, rewrite.URL{Host: in, Path: "/"})
		if err != nil || out.Host != want {
			t.Errorf("%s: %s, %v, want %s", in, out.Host, err, want)
		}
	}
}
