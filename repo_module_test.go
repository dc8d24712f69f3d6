// What the module requires, and what it brings to its users.

package readdress_test

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGoMod keeps the module small: what stands here, every user of the
// library has in its module graph, and go install refuses a replace.
func TestGoMod(t *testing.T) {
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatal(withStderr(err))
	}
	var mod struct {
		Module  struct{ Path string }
		Require []struct {
			Path     string
			Indirect bool
		}
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if mod.Module.Path != modulePath {
		t.Errorf("module %s, want %s", mod.Module.Path, modulePath)
	}
	var direct []string
	for _, r := range mod.Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	slices.Sort(direct)
	want := []string{"github.com/leanovate/gopter", "github.com/stretchr/testify", "golang.org/x/net"}
	if !slices.Equal(direct, want) {
		t.Errorf("go.mod requires %q directly, want %q: do without the others, or use them in a module of their own such as examples; run go mod tidy if one is marked indirect", direct, want)
	}
	for _, r := range mod.Replace {
		t.Errorf("go.mod replaces %s: go.work serves local development, remove the replace", r.Old.Path)
	}
}

// TestConsumer builds a program that imports rewrite, in a module of its own
// and with an empty module cache, and looks at what it had to download.
func TestConsumer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it fills an empty module cache")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	filled, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(withStderr(err))
	}
	env := strings.Split(string(filled), "\n")
	local := url.URL{Scheme: "file", Path: path.Join("/", filepath.ToSlash(env[0]), "cache/download")}

	dir, cache := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/consumer\n\ngo 1.26.0\n\nrequire "+modulePath+" v0.0.0\n\nreplace "+modulePath+" => "+strconv.Quote(root)+"\n")
	write("main.go", "package main\n\nimport \""+modulePath+"/rewrite\"\n\nfunc main() { println(len(rewrite.Hooks())) }\n")
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// What this machine has downloaded is the proxy, so that no network is
		// needed; the real one stands behind it.
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw", "GOSUMDB=off",
			"GOMODCACHE="+cache, "GOPROXY="+local.String()+","+env[1])
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %s: %v", strings.Join(args, " "), withStderr(err))
		}
		return string(out)
	}
	run("build", "-o", filepath.Join(dir, "consumer"), ".")

	allowed := []string{"golang.org/x/net", "golang.org/x/text"}
	modules := strings.Fields(run("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "."))
	slices.Sort(modules)
	for _, m := range slices.Compact(modules) {
		if m != "example.com/consumer" && m != modulePath && !slices.Contains(allowed, m) {
			t.Errorf("a program that imports rewrite links packages of %s: import it in tests only", m)
		}
	}
	if !slices.Contains(modules, modulePath) {
		t.Errorf("the consumer's packages are of %q, want %s among them", modules, modulePath)
	}
	for _, p := range strings.Fields(run("list", "-deps", ".")) {
		if p == "net/http" {
			t.Error("a program that imports rewrite links net/http: keep that in rewrite/rewritehttp")
		}
	}
	for _, m := range downloaded(t, cache) {
		if !slices.Contains(allowed, m) {
			t.Errorf("a program that imports rewrite downloads %s: move what needs it to another module", m)
		}
	}
}

// downloaded returns the paths of the modules whose contents, and not only
// go.mod, are in a module cache.
func downloaded(t *testing.T, cache string) []string {
	t.Helper()
	root := os.DirFS(filepath.Join(cache, "cache", "download"))
	var modules []string
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".zip" {
			modules = append(modules, strings.TrimSuffix(path.Dir(name), "/@v"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return modules
}
