// What the Markdown files link to, and which package has its comment where.

package readdress_test

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestMarkdownLinks follows every relative link and anchor in the Markdown
// files, and every web address stays unvisited.
func TestMarkdownLinks(t *testing.T) {
	root := os.DirFS(".")
	docs := make(map[string]document)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ".md":
			text, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			docs[name] = parseMarkdown(string(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		for _, l := range docs[name].links {
			if fault := checkLink(root, docs, name, l.target); fault != "" {
				t.Errorf("%s:%d: link to %s: %s", name, l.line, l.target, fault)
			}
		}
	}
}

// checkLink says what is wrong with a link in the document from, if anything.
func checkLink(root fs.FS, docs map[string]document, from, target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" || u.Host != "" {
		return ""
	}
	name := from
	if u.Path != "" {
		name = path.Join(path.Dir(from), u.Path)
		if rest, ok := strings.CutPrefix(u.Path, "/"); ok {
			name = path.Clean(rest) // GitHub: relative to the repository
		}
		if !fs.ValidPath(name) {
			return "leaves the repository: name the thing without a link"
		}
		if _, err := fs.Stat(root, name); err != nil {
			return "no such file: mend the path, or remove the link"
		}
	}
	if u.Fragment == "" {
		return ""
	}
	doc, ok := docs[name]
	if !ok {
		return name + " is not Markdown, so its anchor cannot be checked: link to the file"
	}
	if !doc.anchors[u.Fragment] {
		return name + " has no heading with that anchor: use the heading's text in lower case, hyphens for spaces, without punctuation"
	}
	return ""
}

// A document is what link checking needs of a Markdown file.
type document struct {
	anchors map[string]bool
	links   []docLink
}

type docLink struct {
	line   int
	target string
}

var (
	fence     = regexp.MustCompile("^ *(```+|~~~+)")
	heading   = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	codeSpan  = regexp.MustCompile("`[^`]+`")
	mdLink    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	inline    = regexp.MustCompile(`\]\(\s*(?:<([^>]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)
	reference = regexp.MustCompile(`^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)`)
	htmlLink  = regexp.MustCompile(`<(?:a|img)\s[^>]*(?:href|src)="([^"]*)"`)
	htmlID    = regexp.MustCompile(`<[a-z]+\s[^>]*(?:id|name)="([^"]*)"`)
)

// parseMarkdown collects anchors as GitHub makes them, and link targets,
// leaving code out. Headings are of the # kind.
func parseMarkdown(text string) document {
	doc := document{anchors: make(map[string]bool)}
	seen := make(map[string]int)
	fenced := ""
	for i, line := range strings.Split(text, "\n") {
		if m := fence.FindStringSubmatch(line); m != nil {
			switch {
			case fenced == "":
				fenced = m[1]
			case strings.HasPrefix(m[1], fenced):
				fenced = ""
			}
			continue
		}
		if fenced != "" {
			continue
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			anchor := slug(m[1])
			if n := seen[anchor]; n > 0 {
				doc.anchors[fmt.Sprintf("%s-%d", anchor, n)] = true
			} else {
				doc.anchors[anchor] = true
			}
			seen[anchor]++
		}
		line = codeSpan.ReplaceAllString(line, "")
		for _, m := range htmlID.FindAllStringSubmatch(line, -1) {
			doc.anchors[m[1]] = true
		}
		for _, form := range []*regexp.Regexp{inline, reference, htmlLink} {
			for _, m := range form.FindAllStringSubmatch(line, -1) {
				doc.links = append(doc.links, docLink{i + 1, strings.Join(m[1:], "")})
			}
		}
	}
	return doc
}

// slug makes the anchor of a heading.
func slug(text string) string {
	text = mdLink.ReplaceAllString(text, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func TestParseMarkdown(t *testing.T) {
	doc := parseMarkdown(strings.Join([]string{
		"# The `go` tool: [how & why](b.md), 2 ways #",
		"see [one](a.md#x \"title\") and ![two](<b c.png>) or `[three](no.md)`",
		"```sh",
		"# not a heading [four](no.md)",
		"```",
		"## snake_case Übung",
		"## snake_case Übung",
		"[five]: ../five.md",
		`<a id="own"></a><a href="six.md">six</a> [seven](seven_(7).md)`,
	}, "\n"))
	for _, anchor := range []string{"the-go-tool-how--why-2-ways", "snake_case-übung", "snake_case-übung-1", "own"} {
		if !doc.anchors[anchor] {
			t.Errorf("no anchor %q in %v", anchor, doc.anchors)
		}
	}
	if n := len(doc.anchors); n != 4 {
		t.Errorf("%d anchors, want 4: %v", n, doc.anchors)
	}
	var got []string
	for _, l := range doc.links {
		got = append(got, fmt.Sprint(l.line, " ", l.target))
	}
	want := []string{"1 b.md", "2 a.md#x", "2 b c.png", "8 ../five.md", "9 seven_(7).md", "9 six.md"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("links %q, want %q", got, want)
	}
}

func TestCheckLink(t *testing.T) {
	root := os.DirFS(".")
	docs := map[string]document{"docs/a.md": {anchors: map[string]bool{"here": true}}, "b.md": {}}
	for target, good := range map[string]bool{
		"https://example.com/nowhere#x": true,
		"#here":                         true,
		"#there":                        false,
		"../go.mod":                     true,
		"/go.mod":                       true,
		"../go.mod#L1":                  false,
		"go.mod":                        false,
		"../../go.mod":                  false,
	} {
		if fault := checkLink(root, docs, "docs/a.md", target); (fault == "") != good {
			t.Errorf("link to %q: fault %q, want a good link: %v", target, fault, good)
		}
	}
}

// TestPackageDocs wants one package comment a package, in the usual form, and
// no comment that became one because a blank line was forgotten.
func TestPackageDocs(t *testing.T) {
	licence := regexp.MustCompile(`(?i)copyright|licen[cs]ed under|SPDX-`)
	for _, p := range packages(t) {
		var where []string
		for _, f := range p.files {
			if f.ast.Doc == nil {
				continue
			}
			where = append(where, f.name)
			doc := f.ast.Doc.Text()
			if p.Name != "main" && !strings.HasPrefix(doc, "Package "+p.Name+" ") {
				t.Errorf("%s: begin the package comment with %q", f.name, "Package "+p.Name+" ")
			}
			if m := licence.FindString(doc); m != "" {
				t.Errorf("%s: the package comment has %q: put a blank line behind the licence header", f.name, m)
			}
		}
		if len(p.files) > 0 && len(where) != 1 {
			t.Errorf("package %s has its package comment in %q, want it in one file: write it there, and put a blank line between other files' comments and their package clause", p.rel, where)
		}
	}
}
