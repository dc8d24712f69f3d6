package nginx

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDirectives: words end at white space, semicolons and braces; quotes and
// comments are read as nginx reads them.
func TestDirectives(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // "|" between words, ";" after a directive, "{}" after one with a block
		bad  int
	}{
		{"", "", -1},
		{" \n# nothing;", "", -1},
		{"a;", "a;", -1},
		{"a b  c;d;", "a|b|c;d;", -1},
		{"a 'b c' \"d;e\";", "a|b c|d;e;", -1},
		{`a "b\"c" 'd\'e' "\d" "\\";`, `a|b"c|d'e|\d|\;`, -1},
		{`a b\ c;`, `a|b\ c;`, -1},
		{`a ^/b\\.c\"\'\d '\"' "\'";`, `a|^/b\.c"'\d|"|';`, -1},
		{`a \t\r\n "\t";`, "a|\t\r\n|\t;", -1},
		{"a # b;\n c;", "a|c;", -1},
		{"a#b;", "a#b;", -1},
		{"if ($x = 'y') { return 1; }b;", "if|($x|=|y|);{}b;", -1},
		{"a{b{c;}d;}e;", "a;{}e;", -1},
		{"a { \"}\" '}' }", "a;{}", -1},
		{"a { # }\n}", "a;{}", -1},
		{"a ${b}c;", "a|${b}c;", -1},
		{"a { b ${c}; }", "a;{}", -1},
		{"a b", "", 0},
		{"a;\n b", "a;", 4},
		{"a 'b", "", 2},
		{";", "", 0},
		{"}", "", 0},
		{"{}", "", 0},
		{"a {", "", 2},
		{"a { 'b }", "", 2},
		{"a { #}", "", 2},
	} {
		t.Run(c.text, func(t *testing.T) {
			list, bad := directives(c.text)
			var b strings.Builder
			for _, d := range list {
				b.WriteString(strings.Join(append([]string{d.name}, d.args...), "|") + ";")
				if d.block {
					b.WriteString("{}")
				}
				require.True(t, strings.HasPrefix(c.text[d.offset:], d.name), "offset %d of %s", d.offset, d.name)
			}
			assert.Equal(t, c.want, b.String())
			assert.Equal(t, c.bad, bad)
		})
	}
}

// TestDirectiveString: what is said of a directive is short, however long it is.
func TestDirectiveString(t *testing.T) {
	d := directive{name: "a", args: []string{strings.Repeat("b", 200), "c"}}
	assert.Equal(t, "a "+strings.Repeat("b", 78)+"...", d.String())
	d = directive{name: strings.Repeat("a", 200), block: true}
	assert.Equal(t, strings.Repeat("a", 80)+"... {...}", d.String())
	d = directive{name: "a", args: make([]string, 1_000_000)}
	assert.Less(t, testing.AllocsPerRun(1, func() { _ = d.String() }), 200.0)
}

// TestURLPattern: a redirect by a pattern on the whole URL goes where nginx's
// rewrite goes, which sees the path, and leaves alone what that leaves alone.
func TestURLPattern(t *testing.T) {
	exprs := []string{"^/a", "/a$", "^/a$", "a(.*)", "^/(a|b)/(.*)$", "(b+)", "^/[^a]*$", "^/a(/|$)(.*)", "^([^.?]*[^/])$", ".", "(.)b", "^/a?", "[^/]$"}
	targets := []string{"/x", "/$1", "/$1/y", "https://e/$1", "/x?", "https://e$request_uri"}
	paths := []string{"/", "/a", "/b", "/ab", "/a/b", "/b/a", "/b/a/", "/a/a/b", "/c", "/bb"}
	for _, e := range exprs {
		tree, err := syntax.Parse(e, syntax.Perl)
		require.NoError(t, err)
		re := regexp.MustCompile(e)
		for _, text := range targets {
			to, f := parseTarget(text)
			require.Nil(t, f)
			to = to.without(tree.MaxCap())
			expr, template, ok := urlPattern(tree, to)
			if !ok {
				assert.Contains(t, e, "(/|$)", "an anchor inside of it is the only reason here")
				continue
			}
			pattern := regexp.MustCompile(expr)
			for _, path := range paths {
				for _, query := range []string{"", "?a=/b", "?a?b$"} {
					url := "http://h" + path + query
					want := url
					if m := re.FindStringSubmatchIndex(path); m != nil {
						want = ""
						for _, p := range to.path {
							if p.group > 0 {
								if m[2*p.group] >= 0 {
									want += path[m[2*p.group]:m[2*p.group+1]]
								}
							} else {
								want += p.text
							}
						}
						switch {
						case to.whole:
							want += path + query
						case !to.dropArgs:
							want += query
						}
						if to.absolute {
							want = "https://e" + want
						} else {
							want = "http://h" + want
						}
					}
					if got := pattern.ReplaceAllString(url, template); got != want {
						t.Fatalf("rewrite %s %s: %s goes to %s; want %s (%s)", e, text, url, got, want, expr)
					}
				}
			}
		}
	}
}

func TestIsUniversal(t *testing.T) {
	for expr, want := range map[string]bool{
		"": true, "^": true, "^/": true, "/": true, "^/(.*)$": true, "(.*)": true, "^(.*)$": true, ".*": true, "^/.*": true,
		"$": false, "^$": false, "^/$": false, "^/a": false, "(.+)": false, "^/(.*)a": false, ".*?": false,
	} {
		tree, err := syntax.Parse(expr, syntax.Perl)
		require.NoError(t, err)
		assert.Equal(t, want, isUniversal(tree), expr)
	}
}
