// Who may import whom, where unsafe may stand, and who writes JSON.

package readdress_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An importRule is one row of the import table. Paths of this module are
// relative to it. A path that ends in "/..." stands for everything below it
// too, and "..." alone for everything.
type importRule struct {
	pkg      string   // the packages that the row is about
	module   []string // what they may import of this repository
	external []string // and of other modules
	deny     []string // and what they must not, of this repository or of std
	fix      string
}

// effects are the packages by which code logs, waits, reads a clock or does I/O.
var effects = []string{"log/...", "net", "net/http/...", "os/...", "syscall/...", "time/..."}

// noEffects are those that a package must not import which has times as data.
var noEffects = []string{"log/...", "net", "net/http/...", "os/...", "syscall/..."}

// The first row that is about a package decides.
var importRules = []importRule{
	{
		pkg: ".",
		fix: "the root package is documentation: move the code to the package that answers its question",
	},
	{
		pkg: "internal/gate",
		fix: "what measures time in tests knows nothing of what is measured",
	},
	{
		pkg: "internal/golden",
		fix: "what compares files in tests knows nothing of what is in them",
	},
	{
		pkg: "internal/quoted",
		fix: "what quotes texts in messages knows nothing of them",
	},
	{
		pkg:      "internal/...",
		module:   []string{"internal/..."},
		external: []string{"golang.org/x/net/idna"},
		deny:     effects,
		fix:      "an internal package is a leaf: pass in what it needs, or move the code to the one package that uses it",
	},
	{
		pkg:    "rewrite",
		module: []string{"internal/..."},
		deny:   effects,
		fix:    "the engine is pure: let the caller do it, or put it in rewrite/rewritehttp if it is about net/http",
	},
	{
		pkg:    "rewrite/rewritehttp",
		module: []string{"rewrite"},
		fix:    "the net/http adapter knows rewrite and the standard library only",
	},
	{
		pkg:    "rewrite/rewritetest",
		module: []string{"rewrite"},
		fix:    "users import rewritetest into their tests, so it brings no dependency: generators for gopter go in rewritegen",
	},
	{
		pkg:      "rewrite/rewritetest/rewritegen",
		module:   []string{"rewrite", "rewrite/rewritetest"},
		external: []string{"github.com/leanovate/gopter/..."},
		deny:     []string{"net/http/..."},
		fix:      "rewritegen wraps the generators of rewritetest for gopter and does nothing else",
	},
	{
		pkg:    "annotation",
		module: []string{"internal/...", "rewrite"},
		deny:   effects,
		fix:    "annotation makes rules of text and knows nothing of routes: a dialect brings the two together",
	},
	{
		pkg:    "route",
		module: []string{"internal/...", "rewrite"},
		deny:   append([]string{"encoding/json"}, effects...),
		fix:    "the table is pure and knows rewrite only: let the caller do it, or put it in route/ingress",
	},
	{
		pkg:    "route/ingress",
		module: []string{"internal/...", "rewrite", "route", "route/ingress/internal/manifest"},
		deny:   noEffects,
		fix:    "entries are of no dialect: what only one needs goes into its package",
	},
	{
		pkg:    "route/ingress/ingresstest",
		module: []string{"rewrite", "route", "route/ingress"},
		fix:    "the suite is for rewriters that are not here, so it knows none",
	},
	{
		pkg:    "route/ingress/internal/vector",
		module: []string{"rewrite", "route", "route/ingress"},
		fix:    "what runs test cases of dialects knows none of them",
	},
	{
		pkg:    "route/ingress/bfe",
		module: []string{"annotation", "internal/...", "rewrite", "route", "route/ingress", "route/ingress/internal/..."},
		deny:   noEffects,
		fix:    "a dialect makes entries of text and knows no other dialect",
	},
	{
		pkg:    "route/ingress/...",
		module: []string{"internal/...", "rewrite", "route", "route/ingress", "route/ingress/internal/..."},
		deny:   noEffects,
		fix:    "a dialect makes entries of text and knows no other dialect",
	},
	{
		pkg:    "split",
		module: []string{"internal/..."},
		deny:   effects,
		fix:    "the picker is pure: pass in what it needs",
	},
	{
		pkg:    "visibility",
		module: []string{"internal/..."},
		deny:   noEffects,
		fix:    "visibility is pure and knows no sibling: pass in what it needs",
	},
	{
		pkg:      "cmd/...",
		module:   []string{"..."},
		external: []string{"..."},
		deny:     []string{"internal/..."},
		fix:      "the tool uses what its readers can: export what is missing",
	},
	{
		pkg:      "examples/...",
		module:   []string{"..."},
		external: []string{"..."},
		deny:     []string{"internal/..."},
		fix:      "an example uses what its readers can: export what is missing, or do without",
	},
}

func TestImportDirection(t *testing.T) {
	for _, rule := range importRules {
		if dir := strings.TrimSuffix(rule.pkg, "/..."); !isDir(dir) {
			t.Errorf("importRules has a row for %s, which does not exist: remove the row", dir)
		}
	}
	for _, p := range packages(t) {
		row := slices.IndexFunc(importRules, func(r importRule) bool { return matches(r.pkg, p.rel) })
		if row < 0 {
			t.Errorf("package %s has no row in importRules: add one that says what it may import", p.rel)
			continue
		}
		rule := importRules[row]
		for _, f := range p.files {
			for _, spec := range f.ast.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if !rule.allows(path) {
					t.Errorf("%s imports %s, which %s must not: %s", f.name, path, p.rel, rule.fix)
				}
			}
		}
	}
}

func isDir(name string) bool {
	info, err := os.Stat(filepath.FromSlash(name))
	return err == nil && info.IsDir()
}

func (r *importRule) allows(path string) bool {
	rel := relative(path)
	if matchesAny(r.deny, rel) {
		return false
	}
	first, _, _ := strings.Cut(path, "/")
	switch {
	case rel != path:
		return matchesAny(r.module, rel)
	case strings.Contains(first, "."):
		return matchesAny(r.external, path)
	default:
		return true
	}
}

func matches(pattern, path string) bool {
	base, below := strings.CutSuffix(pattern, "/...")
	return pattern == "..." || path == base || below && strings.HasPrefix(path, base+"/")
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

func TestImportRuleAllows(t *testing.T) {
	rule := importRule{
		module:   []string{"internal/...", "rewrite"},
		external: []string{"golang.org/x/net/idna"},
		deny:     []string{"net", "net/http/...", "internal/secret"},
	}
	for path, want := range map[string]bool{
		"strings":                          true,
		"net/netip":                        true,
		"net":                              false,
		"net/http":                         false,
		"net/http/httptest":                false,
		"golang.org/x/net/idna":            true,
		"golang.org/x/net/http2":           false,
		modulePath + "/rewrite":            true,
		modulePath + "/rewrite/rewritehtt": false,
		modulePath + "/internal/escape":    true,
		modulePath + "/internal/secret":    false,
		modulePath:                         false,
	} {
		if got := rule.allows(path); got != want {
			t.Errorf("allows(%q) = %v, want %v", path, got, want)
		}
	}
}

// TestUnsafe holds the module to one unsafe file, in rewrite, that the build
// tag purego leaves out.
func TestUnsafe(t *testing.T) {
	var found []string
	for _, p := range packages(t) {
		for _, f := range p.files {
			for _, spec := range f.ast.Imports {
				if spec.Path.Value != `"unsafe"` {
					continue
				}
				found = append(found, f.name)
				if p.rel != "rewrite" {
					t.Errorf("%s imports unsafe: only the Scratch of package rewrite may; use safe code here", f.name)
				}
				if !excludedByPurego(f.ast) {
					t.Errorf("%s imports unsafe in builds with the tag purego: add //go:build !purego and a safe twin", f.name)
				}
			}
		}
	}
	if len(found) != 1 {
		t.Errorf("files that import unsafe: %q, want exactly one: keep all of it in rewrite's Scratch", found)
	}
}

// excludedByPurego reports whether the file's build constraint is !purego.
func excludedByPurego(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && c.Text == "//go:build !purego" {
				return true
			}
		}
	}
	return false
}

// TestNoJSONTags keeps the wire form of exported types in their marshalers,
// where unknown and duplicate fields are errors with an offset.
func TestNoJSONTags(t *testing.T) {
	for _, p := range packages(t) {
		if p.Name == "main" || strings.Contains(p.rel, "internal/") {
			continue
		}
		for _, f := range p.files {
			for _, decl := range f.ast.Decls {
				gen, ok := decl.(*ast.GenDecl)
				if !ok || gen.Tok != token.TYPE {
					continue
				}
				for _, spec := range gen.Specs {
					typ := spec.(*ast.TypeSpec)
					if !typ.Name.IsExported() {
						continue
					}
					ast.Inspect(typ.Type, func(n ast.Node) bool {
						if field, ok := n.(*ast.Field); ok && hasJSONTag(field) {
							t.Errorf("%s: type %s has a json tag: give the type MarshalJSON and UnmarshalJSON instead", f.name, typ.Name.Name)
						}
						return true
					})
				}
			}
		}
	}
}

func hasJSONTag(field *ast.Field) bool {
	if field.Tag == nil {
		return false
	}
	tag, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return false
	}
	_, ok := reflect.StructTag(tag).Lookup("json")
	return ok
}
