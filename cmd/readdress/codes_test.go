// Which codes there are, and the pages about them in docs/codes.

package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the repository.
const root = "../.."

// A code is a constant with a page.
type code struct {
	Value string // such as "nginx-value"
	Const string // nginx.CodeValue
	Dir   string // route/ingress/nginx
	What  string // what its comment says, but for the fix
	Fix   string
}

// codePackages are the packages that have codes, and what the page's name has
// before the code.
func codePackages(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{
		"route/ingress": "", "annotation": "annotation-", "visibility": "visibility-",
		"cmd/readdress/internal/manifest": "", "cmd/readdress/internal/convert": "",
	}
	dialects, err := filepath.Glob(filepath.Join(root, "route/ingress/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dialects {
		name := filepath.Base(d)
		if info, err := os.Stat(d); err == nil && info.IsDir() && name != "internal" && name != "ingresstest" {
			dirs["route/ingress/"+name] = ""
		}
	}
	return dirs
}

// allCodes returns the codes of all packages, sorted.
func allCodes(t *testing.T) []code {
	t.Helper()
	var list []code
	for dir, prefix := range codePackages(t) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range fileCodes(file) {
				c.Value, c.Dir = prefix+c.Value, dir
				list = append(list, c)
			}
		}
	}
	slices.SortFunc(list, func(a, b code) int {
		return cmp.Or(strings.Compare(a.Value, b.Value), strings.Compare(a.Const, b.Const))
	})
	return slices.CompactFunc(list, func(a, b code) bool { return a.Value == b.Value }) // dialects share some
}

// fileCodes returns the constants of a type Code or WarningCode.
func fileCodes(file *ast.File) []code {
	var list []code
	for _, decl := range file.Decls {
		consts, ok := decl.(*ast.GenDecl)
		if !ok || consts.Tok != token.CONST {
			continue
		}
		for _, spec := range consts.Specs {
			value := spec.(*ast.ValueSpec)
			if !isCode(value.Type) || len(value.Values) != 1 {
				continue
			}
			text, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				continue
			}
			doc := value.Doc.Text()
			if doc == "" {
				doc = value.Comment.Text()
			}
			if doc == "" {
				doc = consts.Doc.Text()
			}
			c := code{Value: text, Const: file.Name.Name + "." + value.Names[0].Name}
			c.What, c.Fix = splitDoc(value.Names[0].Name, doc)
			list = append(list, c)
		}
	}
	return list
}

func isCode(typ ast.Expr) bool {
	switch t := typ.(type) {
	case *ast.Ident:
		return t.Name == "Code" || t.Name == "WarningCode"
	case *ast.SelectorExpr:
		return t.Sel.Name == "Code"
	}
	return false
}

var (
	sentenceEnd = regexp.MustCompile(`\.\s+`)
	// advice is how a sentence begins that says what to do.
	advice = regexp.MustCompile(`^(?:In \w+, )?(?:Add|Ask|Begin|Correct|Count|Create|End|Escape|Give|Include|Leave|Let|List|Look|Make|Map|Move|Name|Nothing is to|Nothing needs|Nothing to|Put|Read|Register|Remove|Rename|Replace|Require|Route|Say|See|Set|Spell|Take|There is nothing|Use|Write)\b`)
)

// splitDoc splits a comment into what it says of a fault and the sentences that
// say what to do about it.
func splitDoc(name, doc string) (what, fix string) {
	doc = strings.Join(strings.Fields(doc), " ")
	for _, begin := range []string{name + ": ", name + " is ", name + " says "} {
		doc = strings.TrimPrefix(doc, begin)
	}
	var whats, fixes []string
	for _, s := range sentenceEnd.Split(strings.TrimSuffix(doc, "."), -1) {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if advice.MatchString(s) {
			fixes = append(fixes, s+".")
		} else {
			whats = append(whats, s+".")
		}
	}
	return capital(strings.Join(whats, " ")), strings.Join(fixes, " ")
}

func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
