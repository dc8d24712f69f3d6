// The exported API, as api/v0.txt has it: what a change takes away or alters is
// seen in review.

package readdress_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/golden"
)

const apiFile = "api/v0.txt"

// TestAPI compares the exported API of the module's public packages with the
// listing. After an intended change, run
//
//	go test -run TestAPI -update .
func TestAPI(t *testing.T) {
	got := strings.Join(exportedAPI(t), "\n") + "\n"
	if golden.Updating() {
		if err := os.WriteFile(apiFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	listed, exported := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for _, line := range listed {
		if !slices.Contains(exported, line) {
			t.Errorf("no longer exported: %s", line)
		}
	}
	for _, line := range exported {
		if !slices.Contains(listed, line) {
			t.Errorf("not in %s: %s", apiFile, line)
		}
	}
	if t.Failed() {
		t.Logf("if that is meant, run go test -run TestAPI -update . and say it in CHANGELOG.md")
	} else if got != string(want) {
		t.Errorf("%s is out of order: run go test -run TestAPI -update .", apiFile)
	}
}

// exportedAPI returns a sorted line for each exported name: constants and
// variables, functions, types with each of their fields and methods.
func exportedAPI(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, p := range packages(t) {
		parts := strings.Split(p.rel, "/")
		if len(p.files) == 0 || p.Name == "main" || slices.Contains(parts, "internal") || slices.Contains([]string{"cmd", "examples"}, parts[0]) {
			continue
		}
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		d, err := doc.NewFromFiles(fset, files, p.ImportPath)
		if err != nil {
			t.Fatal(err)
		}
		l := lister{fset: fset, pkg: p.rel}
		l.pkgDoc(d)
		lines = append(lines, l.lines...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// A lister collects the lines of one package.
type lister struct {
	fset  *token.FileSet
	pkg   string
	lines []string
}

func (l *lister) add(format string, args ...any) {
	l.lines = append(l.lines, "pkg "+l.pkg+", "+fmt.Sprintf(format, args...))
}

// text prints a node in one line.
func (l *lister) text(node any) string {
	var b strings.Builder
	if err := printer.Fprint(&b, l.fset, node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (l *lister) pkgDoc(d *doc.Package) {
	l.values("const", d.Consts)
	l.values("var", d.Vars)
	l.funcs(d.Funcs)
	for _, t := range d.Types {
		l.values("const", t.Consts)
		l.values("var", t.Vars)
		l.funcs(t.Funcs)
		l.funcs(t.Methods)
		for _, spec := range t.Decl.Specs {
			l.typ(spec.(*ast.TypeSpec))
		}
	}
}

// values lists names with their types; what a value is, tests say.
func (l *lister) values(kind string, values []*doc.Value) {
	for _, v := range values {
		var typ ast.Expr
		for _, spec := range v.Decl.Specs {
			s := spec.(*ast.ValueSpec)
			if s.Type != nil || s.Values != nil {
				typ = s.Type // an iota list repeats it
			}
			for _, name := range s.Names {
				switch {
				case !name.IsExported():
				case typ == nil:
					l.add("%s %s", kind, name.Name)
				default:
					l.add("%s %s %s", kind, name.Name, l.text(typ))
				}
			}
		}
	}
}

func (l *lister) funcs(funcs []*doc.Func) {
	for _, f := range funcs {
		signature := strings.TrimPrefix(l.text(unnamed(f.Decl.Type)), "func")
		if f.Decl.Recv != nil {
			l.add("method (%s) %s%s", l.text(f.Decl.Recv.List[0].Type), f.Name, signature)
			continue
		}
		if f.Decl.Type.TypeParams != nil {
			signature = l.typeParams(f.Decl.Type.TypeParams) + signature
		}
		l.add("func %s%s", f.Name, signature)
	}
}

// unnamed is a type of functions without the names of its parameters, which
// callers do not depend on.
func unnamed(f *ast.FuncType) *ast.FuncType {
	strip := func(list *ast.FieldList) *ast.FieldList {
		if list == nil {
			return nil
		}
		var out ast.FieldList
		for _, field := range list.List {
			typ := field.Type
			if nested, ok := typ.(*ast.FuncType); ok {
				typ = unnamed(nested)
			}
			for range max(len(field.Names), 1) {
				out.List = append(out.List, &ast.Field{Type: typ})
			}
		}
		return &out
	}
	return &ast.FuncType{Params: strip(f.Params), Results: strip(f.Results)}
}

func (l *lister) typeParams(list *ast.FieldList) string {
	var params []string
	for _, p := range list.List {
		for _, n := range p.Names {
			params = append(params, n.Name+" "+l.text(p.Type))
		}
	}
	return "[" + strings.Join(params, ", ") + "]"
}

func (l *lister) typ(spec *ast.TypeSpec) {
	name := spec.Name.Name
	if spec.TypeParams != nil {
		name += l.typeParams(spec.TypeParams)
	}
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		l.add("type %s struct", name)
		l.members(typ.Fields, "type "+name+" struct, ", false)
	case *ast.InterfaceType:
		l.add("type %s interface", name)
		l.members(typ.Methods, "type "+name+" interface, ", true)
	default:
		if spec.Assign.IsValid() {
			name += " ="
		}
		l.add("type %s %s", name, l.text(typ))
	}
}

// members lists the exported fields, or methods, and what is embedded.
func (l *lister) members(list *ast.FieldList, prefix string, methods bool) {
	for _, f := range list.List {
		typ := " " + l.text(f.Type)
		if signature, ok := f.Type.(*ast.FuncType); ok && methods {
			typ = strings.TrimPrefix(l.text(unnamed(signature)), "func")
		}
		for _, name := range f.Names {
			if name.IsExported() {
				l.add("%s", prefix+name.Name+typ)
			}
		}
		if f.Names == nil {
			l.add("%sembeds%s", prefix, typ)
		}
	}
}
