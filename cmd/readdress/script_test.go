// The tool as its users run it: the built binary, over testdata/manifests, by
// the scripts in testdata/script.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// buildBinary builds the command once and returns the folder it is in.
var buildBinary = sync.OnceValues(func() (string, error) {
	binaryBuilt = true
	dir, err := os.MkdirTemp("", "readdress")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, executable), ".").CombinedOutput()
	if err != nil {
		return dir, &buildError{out, err}
	}
	return dir, nil
})

var binaryBuilt bool

type buildError struct {
	out []byte
	err error
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + string(e.out) }

var executable = map[bool]string{true: "readdress.exe", false: "readdress"}[runtime.GOOS == "windows"]

func TestMain(m *testing.M) {
	status := m.Run()
	if binaryBuilt {
		dir, _ := buildBinary()
		_ = os.RemoveAll(dir) // a temporary folder
	}
	os.Exit(status)
}

func binary(t *testing.T) string {
	t.Helper()
	dir, err := buildBinary()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, executable)
}

func TestScript(t *testing.T) {
	dir := filepath.Dir(binary(t))
	manifests, err := filepath.Abs("testdata/manifests")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", dir+string(filepath.ListSeparator)+env.Getenv("PATH"))
			files, err := os.ReadDir(manifests)
			if err != nil {
				return err
			}
			for _, f := range files {
				data, err := os.ReadFile(filepath.Join(manifests, f.Name()))
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, f.Name()), data, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
