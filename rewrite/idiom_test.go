// Regular expressions that are prefix rewrites in disguise: they are
// recognised, and what they become does what package regexp does.

package rewrite_test

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/texts"
	"github.com/readdress/readdress/rewrite"
)

// idioms are the forms that are recognised, with P for the prefix, and the
// instruction that each becomes. What follows (.*) can be nothing, so a final $
// makes no difference.
var idioms = []struct{ regex, template, instruction string }{
	{"^/P(/|$)(.*)", "/$2", "trim"},
	{"^/P(/|$)(.*)$", "/$2", "trim"},
	{"^/P(/.*)?$", "$1", "trim"},
	{"^/P/?(.*)", "/$1", "text"},
	{"^/P/?(.*)$", "/$1", "text"},
	{"^/P(.*)", "/$1", "text"},
	{"^/P(.*)$", "/$1", "text"},
	{"^/P/(.*)", "/$1", "trim"},
	{"^/P/(.*)$", "/$1", "trim"},
}

// idiomPrefixes are one and two segments, with sub-delimiters and dots.
var idiomPrefixes = []string{"a", "Ab", "a/b", `a;`, `\.a`, `a\./;b`}

// idiomSymbols are what the paths are made of.
var idiomSymbols = []string{"/", "a", "b", "A", "%61", "%62", "%2F", ".", ";"}

func TestIdioms(t *testing.T) {
	longest := longestIdiomPath(t)
	long, short := texts.UpTo("/", idiomSymbols, longest), texts.UpTo("/", idiomSymbols, longest-1)
	for _, form := range idioms {
		for _, p := range idiomPrefixes {
			for _, flags := range []string{"", "(?i)"} {
				regex := flags + strings.ReplaceAll(form.regex, "P", p)
				t.Run(regex, func(t *testing.T) {
					t.Parallel()
					rewritePath := rewritePathStep(regex, form.template)
					replaceRegex := replaceRegexStep(regex, form.template)
					wantRecognised(t, program(rewritePath.action), form.instruction, flags != "")
					wantRecognised(t, program(replaceRegex.action), form.instruction, flags != "")
					wantAllPaths(t, long, true, rewritePath)
					for _, step := range []pathStep{rewritePath, replaceRegex} {
						for _, chain := range idiomChains(step) {
							wantAllPaths(t, short, true, chain...)
						}
					}
				})
			}
		}
	}
}

// longestIdiomPath is how many symbols may follow the first slash.
func longestIdiomPath(t *testing.T) int {
	if testing.Short() || buildSetting(t, "-race") == "true" {
		return 3
	}
	return 5
}

// idiomChains returns chains in which what goes before s decides about the
// beginning of the path that s sees, or what follows sees the one that s made.
func idiomChains(s pathStep) [][]pathStep {
	return [][]pathStep{
		{s},
		{addStep("/a"), s},
		{addStep("/a."), s},
		{trimStep("/b"), s},
		{stripStep(1), s},
		{s, addStep("/b")},
		{s, trimStep("/a")},
		{s, stripStep(1)},
		{s, s},
		{stripStep(1), addStep("/A"), s, trimStep("/b"), addStep("/a")},
	}
}

// Other spellings of the same expressions are recognised too.
func TestIdiomsInOtherSpellings(t *testing.T) {
	paths := texts.UpTo("/", idiomSymbols, longestIdiomPath(t)-1)
	for _, c := range []struct {
		regex, template, instruction string
		fold                         bool
	}{
		{`\A/a(.*)\z`, "/$1", "text", false},
		{`^/a(.*)$`, "/${1}", "text", false},
		{`^/a(?P<rest>.*)$`, "/$1", "text", false},
		{`^/[a](/|$)(.*)`, "/$2", "trim", false},
		{`^\/\x61/(.*)$`, "/$1", "trim", false},
		{`^/(?i:a)/?(.*)`, "/$1", "text", true},
		{`^/[aA](/.*)?$`, "$1", "trim", true},
	} {
		t.Run(c.regex, func(t *testing.T) {
			s := rewritePathStep(c.regex, c.template)
			wantRecognised(t, program(s.action), c.instruction, c.fold)
			wantAllPaths(t, paths, true, s)
		})
	}
}

// What only resembles an idiom is left to package regexp.
func TestIdiomsNearMisses(t *testing.T) {
	paths := texts.UpTo("/", idiomSymbols, longestIdiomPath(t)-1)
	for name, c := range map[string]struct{ regex, template string }{
		"no ^":                      {`/a(/|$)(.*)`, "/$2"},
		"^ of a line":               {`(?m)^/a(.*)`, "/$1"},
		"$ of a line":               {`(?m:^/a(.*)$)`, "/$1"},
		"boundary for ^":            {`\B/a(.*)`, "/$1"},
		"^ twice":                   {`^^/a(.*)$`, "/$1"},
		"dot takes newlines":        {`(?s)^/a(.*)$`, "/$1"},
		"ungreedy flag":             {`(?U)^/a(.*)`, "/$1"},
		"lazy rest":                 {`^/a(.*?)`, "/$1"},
		"lazy rest to the end":      {`^/a/(.*?)$`, "/$1"},
		"lazy slash":                {`^/a/??(.*)`, "/$1"},
		"lazy group":                {`^/a(/.*)??$`, "$1"},
		"not empty":                 {`^/a/(.+)$`, "/$1"},
		"rest of a class":           {`^/a/([^.]*)$`, "/$1"},
		"end before the rest":       {`^/a($|/)(.*)`, "/$2"},
		"group without capture":     {`^/a(?:/|$)(.*)`, "/$1"},
		"rest without $":            {`^/a(/.*)?`, "$1"},
		"slash outside the group":   {`^/a/?(/.*)?$`, "$1"},
		"prefix in the group":       {`^(/a)(/|$)(.*)`, "/$3"},
		"prefix / alone":            {`^/(.*)$`, "/$1"},
		"prefix / by segment":       {`^/(/|$)(.*)`, "/$2"},
		"empty prefix":              {`^(/.*)?$`, "$1"},
		"relative prefix":           {`^a(.*)$`, "/$1"},
		"final slash":               {`^/a/(/|$)(.*)`, "/$2"},
		"two slashes":               {`^//a(.*)$`, "/$1"},
		"dot-segment":               {`^/\./a(.*)$`, "/$1"},
		"any byte":                  {`^/.(.*)$`, "/$1"},
		"percent sign":              {`^/a%2F(.*)$`, "/$1"},
		"colon":                     {`^/a:(.*)$`, "/$1"},
		"at sign":                   {`^/@a(.*)$`, "/$1"},
		"alternation":               {`^/(?:a|b;)/(.*)$`, "/$1"},
		"alternation of everything": {`^/a/(.*)$|^/b(.*)$`, "/$1"},
		"repeat":                    {`^/a{2}(.*)$`, "/$1"},
		"class":                     {`^/[ab](/|$)(.*)`, "/$2"},
		"some letters fold":         {`^/a(?i:b)(.*)$`, "/$1"},
		"some letters fold, class":  {`^/a[bB](.*)$`, "/$1"},
		"not ASCII":                 {`^/ä(.*)$`, "/$1"},
		"word boundary":             {`^/a\b(.*)$`, "/$1"},
	} {
		t.Run(name, func(t *testing.T) {
			wantUnrecognised(t, paths, c.regex, c.template)
		})
	}
}

// Each expression is an idiom with its own template alone.
func TestIdiomsWithOtherTemplates(t *testing.T) {
	paths := texts.UpTo("/", idiomSymbols, longestIdiomPath(t)-2)
	for _, form := range idioms {
		regex := strings.ReplaceAll(form.regex, "P", "a")
		for _, template := range []string{"", "/", "$1", "/$1", "$2", "/$2", "/$1/", "/b$1", "$1$1", "/$1$2"} {
			if template == form.template || strings.Contains(template, "$2") && strings.Count(regex, "(") < 2 {
				continue
			}
			t.Run(regex+" "+template, func(t *testing.T) { wantUnrecognised(t, paths, regex, template) })
		}
	}
}

func wantUnrecognised(t *testing.T, paths []string, regex, template string) {
	t.Helper()
	for _, s := range []pathStep{rewritePathStep(regex, template), replaceRegexStep(regex, template)} {
		if dump := program(s.action).String(); !strings.Contains(dump, "regex") {
			t.Errorf("%v is recognised:\n%s", s.action, dump)
		}
		wantAllPaths(t, paths, false, s)
	}
}

// A query part is not a prefix rewrite.
func TestIdiomsWithQuery(t *testing.T) {
	for _, template := range []string{"/$1?", "/$1?a=b", "/?p=$1"} {
		p := program(rewrite.RewritePath("^/a/(.*)$", template))
		if !strings.Contains(p.String(), "regex") {
			t.Errorf("%s is recognised:\n%v", template, p)
		}
	}
}

func TestIdiomsDoNotAllocate(t *testing.T) {
	for _, form := range idioms {
		regex := strings.ReplaceAll(form.regex, "P", "a")
		for _, flags := range []string{"", "(?i)"} {
			for _, action := range actions(rewrite.RewritePath(flags+regex, form.template), rewrite.ReplacePathRegex(flags+regex, form.template)) {
				t.Run(action.String(), func(t *testing.T) {
					for _, path := range []string{"/a", "/a/b", "/%61/b%2Fc", "/b"} {
						wantAllocs(t, path, 0, runNil(actions(action), withPath(path)))
						wantAllocs(t, path, 0, runReuse(actions(action), withPath(path)))
					}
				})
			}
		}
	}
}

func wantRecognised(t *testing.T, p *rewrite.Program, instruction string, fold bool) {
	t.Helper()
	dump := p.String()
	if strings.Contains(dump, "regex") || !strings.Contains(dump, instruction+` "`) || strings.Contains(dump, "fold") != fold {
		t.Errorf("want a %s instruction, fold %t; got\n%s", instruction, fold, dump)
	}
}

// wantAllPaths compares, for each path, the program of the steps with the
// steps themselves, one after the other. With spliced, the Result must tell
// how the path was spliced.
func wantAllPaths(t *testing.T, paths []string, spliced bool, steps ...pathStep) {
	t.Helper()
	var list []rewrite.Action
	for _, s := range steps {
		list = append(list, s.action)
	}
	p := program(list...)
	for _, path := range paths {
		want := path
		for _, s := range steps {
			want = s.run(want)
		}
		want, wantErr := finished(path, want)
		u := rewrite.URL{Path: path}
		r, err := p.Apply(rewrite.AfterLocation, &u, nil)
		if u.Path != want || err != wantErr {
			t.Fatalf("%v of %q: got %q, %v; want %q, %v\n%v", list, path, u.Path, err, want, wantErr, p)
		}
		if err != nil || !spliced {
			continue
		}
		if cut, put, ok := r.Splice(); !ok || u.Path[:put]+path[cut:] != u.Path {
			t.Fatalf("%v of %q: %q is not spliced of %d and %d bytes, %t", list, path, u.Path, put, cut, ok)
		}
	}
}
