// Which entry points have an example.

package readdress_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hotPackages are the packages that run once per request, and those that users
// meet first, with the types whose methods are entry points.
var hotPackages = []struct {
	pkg   string
	types []string
}{
	{"rewrite", []string{"Program", "Input", "Result", "Scratch", "URL", "Inverse"}},
	{"route", []string{"Table"}},
	{"split", []string{"Picker", "Cursor", "Buckets"}},
	{"annotation", []string{"Plan"}},
	{"route/ingress", []string{"Cluster", "Dispatcher"}},
	{"visibility", []string{"Index", "Resolver", "Scope", "Selector"}},
}

// TestExamples wants every entry point of the hot packages used in an Example
// whose output is checked. The entry points are all exported functions, and the
// exported methods of the types above except String() and the marshalers.
func TestExamples(t *testing.T) {
	for _, hot := range hotPackages {
		t.Run(hot.pkg, func(t *testing.T) {
			checker, err := newExampleChecker(hot.pkg)
			if err != nil {
				t.Fatal(err)
			}
			entries := checker.entryPoints(t, hot.types)
			for _, p := range packages(t) {
				if p.rel != hot.pkg {
					continue
				}
				for used := range checker.usedInExamples(t, p) {
					delete(entries, used)
				}
			}
			for _, name := range slices.Sorted(maps.Values(entries)) {
				t.Errorf("no Example with an // Output: comment uses %s: add one to package %s_test", name, hot.pkg)
			}
		})
	}
}

// An exampleChecker resolves what examples call, by the export data of the
// package and its dependencies.
type exampleChecker struct {
	fset     *token.FileSet
	importer types.Importer
	pkg      *types.Package
}

func newExampleChecker(rel string) (*exampleChecker, error) {
	path := modulePath + "/" + rel
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", path, "fmt").Output()
	if err != nil {
		return nil, withStderr(err)
	}
	exports := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		exports[name] = file
	}
	c := &exampleChecker{fset: token.NewFileSet()}
	c.importer = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(exports[path])
	})
	c.pkg, err = c.importer.Import(path)
	return c, err
}

// entryPoints returns the functions and methods that need an example.
func (c *exampleChecker) entryPoints(t *testing.T, typeNames []string) map[types.Object]string {
	t.Helper()
	entries := make(map[types.Object]string)
	scope := c.pkg.Scope()
	for _, name := range scope.Names() {
		if f, ok := scope.Lookup(name).(*types.Func); ok && f.Exported() {
			entries[f] = name
		}
	}
	for _, name := range typeNames {
		obj := scope.Lookup(name)
		if obj == nil {
			t.Errorf("package %s has no type %s: mend hotPackages", c.pkg.Path(), name)
			continue
		}
		methods := types.NewMethodSet(types.NewPointer(obj.Type()))
		for method := range methods.Methods() {
			f := method.Obj().(*types.Func)
			if f.Exported() && !formats(f) {
				entries[f] = name + "." + f.Name()
			}
		}
	}
	return entries
}

// formats reports whether f is String() or a marshaler, which other packages call.
func formats(f *types.Func) bool {
	name := f.Name()
	return name == "String" && f.Signature().Params().Len() == 0 ||
		strings.HasPrefix(name, "Marshal") || strings.HasPrefix(name, "Unmarshal")
}

// usedInExamples returns every function that an example of p with an output
// refers to. What the importer does not know is somebody else's and no entry
// point, so type errors do not matter here.
func (c *exampleChecker) usedInExamples(t *testing.T, p goPackage) map[types.Object]bool {
	t.Helper()
	var files []*ast.File
	for _, name := range p.XTestGoFiles {
		f, err := parser.ParseFile(c.fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: c.importer, Error: func(error) {}}
	_, _ = conf.Check(p.ImportPath+"_test", c.fset, files, info)

	used := make(map[types.Object]bool)
	for _, example := range doc.Examples(files...) {
		if example.Output == "" && !example.EmptyOutput {
			continue
		}
		ast.Inspect(example.Code, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				obj := info.Uses[id]
				if f, ok := obj.(*types.Func); ok {
					obj = f.Origin() // of a generic type
				}
				used[obj] = true
			}
			return true
		})
	}
	return used
}
