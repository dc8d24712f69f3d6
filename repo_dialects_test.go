// docs/dialects.md and docs/differences-dialects.md: what the packages of the
// dialects say of themselves, side by side.

package readdress_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/golden"
)

var dialectNames = []string{"nginx", "haproxy", "traefik", "contour", "kong", "gateway", "bfe"}

// A capability is something that several dialects can say, and the words that
// each has for it, as they stand in the tables of its doc.go; "": none.
type capability struct {
	what  string
	words map[string]string
}

var capabilities = []capability{
	{"strip or replace a prefix", map[string]string{"nginx": "rewrite-target", "haproxy": "path-rewrite", "traefik": "stripPrefix", "contour": "pathRewritePolicy", "kong": "strip-path", "gateway": "URLRewrite.path", "bfe": "rewrite-url.*"}},
	{"add a prefix", map[string]string{"nginx": "rewrite-target", "haproxy": "path-rewrite", "traefik": "addPrefix", "kong": "path", "gateway": "URLRewrite.path", "bfe": "rewrite-url.*"}},
	{"the whole path, by a regular expression", map[string]string{"nginx": "rewrite-target", "haproxy": "path-rewrite", "traefik": "replacePathRegex", "kong": "rewrite"}},
	{"the host that the backend gets", map[string]string{"nginx": "upstream-vhost", "haproxy": "set-host", "contour": "requestHeadersPolicy", "kong": "host-header", "gateway": "URLRewrite.hostname", "bfe": "rewrite-url.*"}},
	{"the query", map[string]string{"bfe": "rewrite-url.*"}},
	{"redirect elsewhere", map[string]string{"nginx": "permanent-redirect", "haproxy": "request-redirect", "traefik": "redirectRegex", "contour": "requestRedirectPolicy", "gateway": "RequestRedirect", "bfe": "redirect.url-set"}},
	{"redirect to https", map[string]string{"nginx": "ssl-redirect", "haproxy": "ssl-redirect", "traefik": "redirectScheme", "contour": "virtualhost.tls", "kong": "protocols", "gateway": "RequestRedirect", "bfe": "redirect.scheme-set"}},
	{"redirect from /", map[string]string{"nginx": "app-root", "haproxy": "app-root", "traefik": "app-root"}},
	{"paths that are regular expressions", map[string]string{"nginx": "use-regex", "haproxy": "path-type", "traefik": "router.pathmatcher", "contour": "conditions.exact", "kong": "regex-prefix", "gateway": "matches.path"}},
	{"conditions on headers", map[string]string{"nginx": "canary-by-header", "contour": "conditions.header", "kong": "headers.NAME", "gateway": "matches.headers", "bfe": "router.header"}},
	{"conditions on cookies", map[string]string{"nginx": "canary-by-cookie", "bfe": "router.cookie"}},
	{"weights", map[string]string{"nginx": "canary-weight", "traefik": "TraefikService", "contour": "services.weight", "gateway": "backendRefs.weight", "bfe": "balance.weight"}},
	{"header fields", map[string]string{"nginx": "configuration-snippet", "haproxy": "request-set-header", "traefik": "headers", "contour": "requestHeadersPolicy", "gateway": "RequestHeaderModifier"}},
	{"more hosts", map[string]string{"nginx": "server-alias", "haproxy": "server-alias", "kong": "host-aliases", "gateway": "hostnames"}},
	{"TLS to the backend", map[string]string{"nginx": "backend-protocol", "haproxy": "server-ssl", "traefik": "service.serversscheme", "contour": "services.protocol", "kong": "protocol"}},
	{"the way back", map[string]string{"nginx": "proxy-redirect-from", "contour": "cookieRewritePolicies"}},
}

// A word is one row of a table in a doc.go.
type word struct{ name, treatment, meaning string }

var wordRow = regexp.MustCompile(`^\t(.*?)(?: {1,}| *)(supported|warned|refused|ignored)(?: +(.*))?$`)

// dialectWords reads the tables in the package comment of a dialect, by the
// title of their first column.
func dialectWords(t *testing.T, name string) (titles []string, tables map[string][]word) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path.Join("route/ingress", name, "doc.go"), nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	tables = make(map[string][]word)
	title := ""
	for lines := bufio.NewScanner(strings.NewReader(file.Doc.Text())); lines.Scan(); {
		line := lines.Text()
		if before, _, ok := strings.Cut(line, "read as "); ok && strings.HasPrefix(line, "\t") {
			title = strings.TrimSpace(before)
			titles = append(titles, title)
			continue
		}
		if title == "" || !strings.HasPrefix(line, "\t") {
			title = ""
			continue
		}
		list := tables[title]
		if m := wordRow.FindStringSubmatch(line); m != nil {
			tables[title] = append(list, word{strings.TrimSpace(m[1]), m[2], m[3]})
		} else if n := len(list) - 1; n >= 0 && !strings.HasPrefix(strings.TrimLeft(line, "\t"), "     ") {
			list[n].name += " " + strings.TrimSpace(line) // the name goes on
		} else if n >= 0 {
			list[n].meaning += " " + strings.TrimSpace(line)
		}
	}
	if len(titles) == 0 {
		t.Errorf("package %s has no table of what it reads in doc.go: write one with the columns annotation, read as, meaning", name)
	}
	return titles, tables
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func TestDialectDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The dialects, side by side\n\n<!-- Generated by TestDialectDocs of the tables in each doc.go. Do not edit. -->\n\n" +
		"What each dialect has a word for. Below is everything that each package reads; where it decides otherwise\n" +
		"than its controller is in [differences-dialects.md](differences-dialects.md).\n\n| |")
	known := make(map[string]string) // all words of a dialect
	for _, name := range dialectNames {
		b.WriteString(" [" + name + "](../route/ingress/" + name + ") |")
		_, tables := dialectWords(t, name)
		for _, list := range tables {
			for _, w := range list {
				known[name] += " " + w.name
			}
		}
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(dialectNames)) + "|\n")
	for _, c := range capabilities {
		b.WriteString("| " + c.what + " |")
		for _, name := range dialectNames {
			word := c.words[name]
			if word == "" {
				b.WriteString(" – |")
				continue
			}
			if !strings.Contains(known[name], word) {
				t.Errorf("%s: the tables of package %s have no %s", c.what, name, word)
			}
			b.WriteString(" `" + word + "` |")
		}
		b.WriteString("\n")
	}
	for _, name := range dialectNames {
		b.WriteString("\n## " + name + "\n")
		titles, tables := dialectWords(t, name)
		for _, title := range titles {
			fmt.Fprintf(&b, "\n| %s | read as | meaning |\n|---|---|---|\n", title)
			for _, w := range tables[title] {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(w.name), w.treatment, cell(w.meaning))
			}
		}
	}
	golden.File(t, "docs/dialects.md", b.String())
}

func TestDialectDifferences(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Intended differences: dialects\n\n<!-- Generated by TestDialectDifferences. Do not edit. -->\n\n" +
		"Where a dialect is read otherwise than its controller reads it, on purpose. The rows are cases of the\n" +
		"packages' tests. Those of rewriting are in [differences.md](differences.md).\n")
	for _, name := range dialectNames {
		file := path.Join("route/ingress", name, "testdata/differences.json")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var rows []struct{ Case, Their, Ours, Why string }
		if err := json.Unmarshal(data, &rows); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n| case | there | here | why |\n|---|---|---|---|\n", name)
		for i, r := range rows {
			if slices.Contains([]string{r.Case, r.Their, r.Ours, r.Why}, "") {
				t.Errorf("%s: row %d lacks case, their, ours or why", file, i)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(r.Case), cell(r.Their), cell(r.Ours), cell(r.Why))
		}
	}
	golden.File(t, "docs/differences-dialects.md", b.String())
}
