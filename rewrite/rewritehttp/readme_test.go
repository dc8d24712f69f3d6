// The table in the README that compares with code written by hand.

package rewritehttp_test

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/golden"
	"github.com/readdress/readdress/rewrite"
)

const (
	readme      = "../../README.md"
	tableBegins = "<!-- generated: go test ./rewrite/rewritehttp -run TestReadmeTable -update -->\n"
	tableEnds   = "<!-- end of the generated part -->\n"
)

// TestReadmeTable holds the table in the README against what a ReverseProxy
// with each snippet, and with this package, sends.
func TestReadmeTable(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), tableBegins)
	have, after, ok2 := strings.Cut(rest, tableEnds)
	if !ok1 || !ok2 {
		t.Fatalf("%s: the lines %q and %q are missing", readme, tableBegins, tableEnds)
	}
	want := snippets(t) + "\n" + table(t)
	if have != want {
		t.Logf("the table in %s should be\n%s", readme, want)
	}
	golden.File(t, readme, before+tableBegins+want+tableEnds+after)
}

// snippets lists the source of the functions in byHand.
func snippets(t *testing.T) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "byhand_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	n := 0
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n++
		fmt.Fprintf(&b, "%d. `", n)
		for i, stmt := range f.Body.List {
			if i > 0 {
				b.WriteString("; ")
			}
			if err := format.Node(&b, fset, stmt); err != nil {
				t.Fatal(err)
			}
		}
		b.WriteString("`\n")
	}
	if n != len(byHand) {
		t.Fatalf("byhand_test.go has %d functions, byHand %d", n, len(byHand))
	}
	return b.String()
}

// table sends each request through each proxy and says what the upstream got.
func table(t *testing.T) string {
	up := newUpstream(t)
	var proxies []string
	for _, edit := range byHand {
		proxies = append(proxies, serve(t, &httputil.ReverseProxy{Rewrite: func(pr *httputil.ProxyRequest) {
			pr.SetURL(up.url)
			edit(pr.Out.URL)
		}}))
	}
	proxies = append(proxies, serve(t, proxyTo(up.url, rules(rewrite.TrimPathPrefix("/api")))))

	var b strings.Builder
	b.WriteString("| the client sends | 1 | 2 | 3 | 4 | readdress |\n|---|---|---|---|---|---|\n")
	for _, row := range []struct{ target, right string }{
		{"/api/a%2Fb", "/a%2Fb"},
		{"/apix/y", "/apix/y"},
		{"/%61pi/a%2Fb", "/a%2Fb"},
		{"/api/../admin", "400"},
		{"/api/x?a=1;b=2&c=3", "/x?a=1;b=2&c=3"},
	} {
		fmt.Fprintf(&b, "| `%s` |", row.target)
		for i, addr := range proxies {
			status, _ := send(t, addr, row.target)
			m, arrived := up.got()
			got := m.target
			if !arrived {
				got = fmt.Sprint(status)
			}
			mark := "✗"
			if got == row.right {
				mark = "✓"
			} else if i == len(byHand) {
				t.Errorf("%s: got %s, want %s", row.target, got, row.right)
			}
			if arrived {
				got = "`" + got + "`"
			}
			fmt.Fprintf(&b, " %s %s |", got, mark)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// A snippet that is right about the plain case is what makes the others easy
// to miss.
func TestByHandPlain(t *testing.T) {
	for i, edit := range byHand {
		for path, want := range map[string]string{"/api/users": "/users", "/api": "/"} {
			u := &url.URL{Path: path}
			edit(u)
			if got := u.RequestURI(); got != want {
				t.Errorf("%d: %s became %s, want %s", i+1, path, got, want)
			}
		}
	}
}
