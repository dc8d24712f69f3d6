// The rules of the repository are tests, and a failure says the fix. This file
// loads what the others judge: every package of the workspace, with all its
// files, whatever build constraints they carry.
package readdress_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const modulePath = "github.com/readdress/readdress"

// A goPackage is one package of the modules that this repository's tests see:
// those of go.work, or this one alone without it.
type goPackage struct {
	ImportPath, Name, Dir string
	GoFiles               []string
	CgoFiles              []string
	IgnoredGoFiles        []string // excluded by build constraints
	XTestGoFiles          []string

	rel   string // ImportPath within this module; "." is the root
	files []goFile
}

// A goFile is a non-test source file.
type goFile struct {
	name string // relative to the root, with slashes
	ast  *ast.File
}

// packages returns the packages of the workspace.
func packages(t *testing.T) []goPackage {
	t.Helper()
	pkgs, err := loadPackages()
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

var loadPackages = sync.OnceValues(func() ([]goPackage, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,IgnoredGoFiles,XTestGoFiles", "work").Output()
	if err != nil {
		return nil, withStderr(err)
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		p.rel = relative(p.ImportPath)
		for _, names := range [][]string{p.GoFiles, p.CgoFiles, p.IgnoredGoFiles} {
			for _, name := range names {
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				path := filepath.Join(p.Dir, name)
				file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
				if err != nil {
					return nil, err
				}
				rel, err := filepath.Rel(root, path)
				if err != nil {
					return nil, err
				}
				p.files = append(p.files, goFile{filepath.ToSlash(rel), file})
			}
		}
		pkgs = append(pkgs, p)
	}
})

// relative returns an import path relative to this module, "." for the root
// itself, and a path of another module or the standard library as it is.
func relative(importPath string) string {
	if importPath == modulePath {
		return "."
	}
	return strings.TrimPrefix(importPath, modulePath+"/")
}

// withStderr adds what a command said to its exit status.
func withStderr(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return errors.New(exit.Error() + "\n" + string(exit.Stderr))
	}
	return err
}
