package pcre_test

import (
	"regexp"
	"regexp/syntax"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

func TestUnsupported(t *testing.T) {
	for _, c := range []struct {
		pattern string
		offset  int
		detail  string // a part of it
	}{
		{`/api/v1/((?!invitations|session).*)`, 9, "/api/v1/invitations and /api/v1/session"},
		{`^/api/(?!v1$)`, 6, "Prefix for /api/v1,"},
		{`/a(?!b)`, 2, "a route for what is not to match"},
		{`/(?!a[bc])`, 1, "a route for what is not to match"},
		{`/a(?=b)`, 2, "(?="},
		{`/a(?<=b)`, 2, "(?<="},
		{`/a(?<!b)`, 2, "(?<!"},
		{`/(?>a)b`, 1, "write (?:"},
		{`/(a)\1`, 4, `\1`},
		{`/(?P<x>a)\k<x>`, 9, `\k`},
		{`/a*+b`, 2, "*+"},
		{`/a{2}+b`, 4, "}+"},
		{`/\p{L}+(?=x)`, 7, "(?="},
		{`/[^\x{41}]\x{41}++`, 16, "++"},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			detail, offset, ok := pcre.Unsupported(c.pattern)
			assert.True(t, ok)
			assert.Equal(t, c.offset, offset)
			assert.Contains(t, detail, c.detail)
			_, err := syntax.Parse(c.pattern, syntax.Perl)
			assert.Error(t, err, "package regexp takes it")
		})
	}
	for _, pattern := range []string{``, `/a`, `\\1`, `[*+]`, `[]*+]`, `[^]*+]`, `\Q(?!\E`, `\*+`, `\Qa*\E+`, `(?i)a`, `(?:a)+`, `(?P<n>a)`, `a\+`, `[(?!]`, `\p{L}+`, `\P{Greek}*`, `\x{41}+`, `\pL+`, `\x41+`} {
		t.Run(pattern, func(t *testing.T) {
			_, _, ok := pcre.Unsupported(pattern)
			assert.False(t, ok)
		})
	}
}

func TestFault(t *testing.T) {
	detail, offset, bad := pcre.Fault(`/a(b`)
	assert.True(t, bad)
	assert.Contains(t, detail, "missing closing )")
	assert.Equal(t, 0, offset)
	detail, offset, bad = pcre.Fault(`/a(?=b)`)
	assert.True(t, bad)
	assert.Contains(t, detail, "(?=")
	assert.Equal(t, 2, offset)
	_, _, bad = pcre.Fault(`/a(b)`)
	assert.False(t, bad)
}

func TestWhole(t *testing.T) {
	paths := []string{"/", "/a", "/A", "/a/", "/a/1", "/a/1/x", "/b", "/ab", "/a|/b", "/a.x"}
	for _, c := range []struct{ re, want string }{
		{`/a`, `/a\z`},
		{`/a/[0-9]+`, `/a/[0-9]+\z`},
		{`/a.*`, `/a`},
		{`/a\.*`, `/a\.*\z`},
		{`/a|/b`, `/{0}(?:/a|/b)\z`},
		{`/(a|b)/x`, `/(a|b)/x\z`},
		{`/[]|]/(x)`, `/[]|]/(x)\z`},
		{`/[|]|/a`, `/{0}(?:/[|]|/a)\z`},
		{`/\||/a`, `/{0}(?:/\||/a)\z`},
		{`/(a|b)/.*`, `/(a|b)/`},
		{`(?:/a|/b).*`, `/a|/b`},
		{`(?i)/a`, `/{0}(?:(?i)/a)\z`},
		{`(?i)/a.*`, `/{0}(?:(?i)/a.*)\z`},
		{`(?:a)(?:b).*`, `/{0}(?:(?:a)(?:b).*)\z`},
		{`.*`, `/{0}(?:.*)\z`},
		{`^/a$`, `/{0}(?:^/a$)\z`},
	} {
		t.Run(c.re, func(t *testing.T) {
			got := pcre.Whole(c.re)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.re, pcre.Start(got))
			whole, start := regexp.MustCompile("^(?:"+c.re+")$"), regexp.MustCompile("^(?:"+got+")")
			for _, path := range paths {
				assert.Equal(t, whole.MatchString(path), start.MatchString(path), path)
			}
		})
	}
	for _, re := range []string{`/a`, `/a|/b`, `/a/.*`, `/a$`, `/a\z`, `/(?i)a`, `/{0}(?:a)`, `/[0-9]+(/|$)(.*)`} {
		again := pcre.Whole(pcre.Start(re))
		a, b := regexp.MustCompile("^(?:"+re+")"), regexp.MustCompile("^(?:"+again+")")
		for _, path := range paths {
			assert.Equal(t, a.MatchString(path), b.MatchString(path), "%s, again %s, on %s", re, again, path)
		}
	}
}

// TestOpenQuotation has expressions whose quotation only their end closes.
func TestOpenQuotation(t *testing.T) {
	for _, c := range []struct {
		re    string // a pattern of the path "/a.x", and of no "/abx"
		whole bool
	}{
		{pcre.Whole(`/\Qa.x`), true},
		{pcre.Whole(`(?i)/\QA.x`), true},
		{pcre.Begin(`(?i)/\QA.x`), false},
		{pcre.Start(`/\Qa.x`), false},
	} {
		re, err := regexp.Compile("^(?:" + c.re + ")")
		if !assert.NoError(t, err, c.re) {
			continue
		}
		assert.True(t, re.MatchString("/a.x"), c.re)
		assert.False(t, re.MatchString("/abx"), c.re)
		assert.Equal(t, !c.whole, re.MatchString("/a.xy"), c.re)
	}
}

func TestBeginning(t *testing.T) {
	for re, want := range map[string]string{
		"": "/", "a": "/", "/": "/", "/a": "/a", "^/a/b": "/a/b", "/a.b": "/a", `/a\.b`: "/a", "/ab*": "/a", "/ab?c": "/a", "/ab{0}": "/a", "/ab+": "/a",
		"/*": "/", "/é*": "/", "/é(a": "/é", "/a(?!b)": "/a", "/a|/b": "/", "/(a|b)": "/", "/a[b": "/a",
	} {
		assert.Equal(t, want, pcre.Beginning(re), re)
	}
}

func TestBegin(t *testing.T) {
	for re, want := range map[string]string{`/a`: `/a`, `^/a`: `/a`, `/a|/b`: `/a|/b`, `(/a)`: `/{0}(?:(/a))`, `(?i)/a`: `/{0}(?:(?i)/a)`} {
		assert.Equal(t, want, pcre.Begin(re))
	}
}

func FuzzUnsupported(f *testing.F) {
	for _, seed := range []string{`/a(?!b|c)`, `[`, `\`, `\Q`, `(?!`, `a++`, `(?!|`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		detail, offset, ok := pcre.Unsupported(pattern)
		if ok && (detail == "" || offset < 0 || offset >= len(pattern)) {
			t.Errorf("%q: %q at %d", pattern, detail, offset)
		}
		pcre.Fault(pattern)
	})
}
