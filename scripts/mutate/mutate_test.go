package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMutations(t *testing.T) {
	const source = "package m\n\nimport \"fmt\"\n\nfunc f(a int, b bool) int {\n\tif a < 2 && !b {\n\t\treturn 1\n\t}\n\tfor {\n\t\ta++\n\t\tbreak\n\t}\n\ta = a + 3\n\tfmt.Println(true)\n\treturn a\n}\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "m.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutations(fset, file, "m.go", source) {
		got = append(got, m.String())
		if m.text == source {
			t.Errorf("%v changes nothing", m)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "m.go", m.text, 0); err != nil {
			t.Errorf("%v: %v", m, err)
		}
	}
	want := []string{
		`m.go:6:17: "{}" for "{ …"`,
		`m.go:13:2: without "a = a + 3"`,
		`m.go:14:2: without "fmt.Println(true)"`,
		`m.go:6:11: "||" for "&&"`,
		`m.go:6:7: "<=" for "<"`, `m.go:6:7: ">=" for "<"`, `m.go:6:9: "(2+1)" for "2"`,
		`m.go:6:14: without "!"`,
		`m.go:7:10: "(1+1)" for "1"`,
		`m.go:10:4: "--" for "++"`,
		`m.go:11:3: "continue" for "break"`,
		`m.go:13:8: "-" for "+"`, `m.go:13:10: "(3+1)" for "3"`,
		`m.go:14:14: "false" for "true"`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Of a function whose test looks at one of two results, changes of the other
// survive.
func TestMutate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test for each change")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.26\n",
		"m.go":      "package m\n\nfunc f(a, b int) (int, int) {\n\treturn a + b, a * b\n}\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif sum, _ := f(2, 3); sum != 5 {\n\t\tt.Error(sum)\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	var out strings.Builder
	p := &tester{dir: dir, each: 10 * time.Minute, out: &out}
	if err := p.mutate(regexp.MustCompile(""), 10*time.Minute, 1); err != nil {
		t.Fatal(err)
	}
	const want = "m.go:4:18: \"/\" for \"*\"\n2 of 2 changes tried: 1 killed, 0 did not compile, 1 survived\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
