package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestParseList(t *testing.T) {
	got := parseList("FuzzA\nFuzzB\nok  \texample.com/m/a\t0.002s\n?   \texample.com/m/b\t[no test files]\nok  \texample.com/m/c\t0.003s\nFuzzC\nok  \texample.com/m/d\t0.003s\n")
	want := []target{{pkg: "example.com/m/a", name: "FuzzA"}, {pkg: "example.com/m/a", name: "FuzzB"}, {pkg: "example.com/m/d", name: "FuzzC"}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
}

func TestParseFuzz(t *testing.T) {
	executions, took := parseFuzz("fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed\n" +
		"fuzz: elapsed: 3s, execs: 996 (332/sec), new interesting: 0 (total: 127)\n" +
		"fuzz: elapsed: 1m5s, execs: 1721 (315/sec), new interesting: 1 (total: 128)\nPASS\n")
	if executions != 1721 || took != 65*time.Second {
		t.Errorf("got %d in %v", executions, took)
	}
	if executions, _ := parseFuzz("FAIL example.com/m [build failed]\n"); executions != 0 {
		t.Errorf("got %d of nothing", executions)
	}
}

func TestReport(t *testing.T) {
	var b strings.Builder
	report(&b, []target{
		{pkg: "github.com/readdress/readdress/rewrite", name: "FuzzApply", executions: 1000, took: 2 * time.Second},
		{pkg: "example.com/m", name: "FuzzB", executions: 5, failure: "exit status 1"},
	})
	const want = "| target | executions | a second | found |\n|---|---:|---:|---|\n" +
		"| rewrite.FuzzApply | 1000 | 500 | nothing |\n| example.com/m.FuzzB | 5 | 0 | a failure |\n| all | 1005 | | |\n"
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// Of a workspace, one target holds and that of the other module fails.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("fuzzes for seconds")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.work":     "go 1.26\n\nuse (\n\t.\n\t./n\n)\n",
		"go.mod":      "module example.com/m\n\ngo 1.26\n",
		"m_test.go":   "package m\n\nimport \"testing\"\n\nfunc FuzzGood(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }\n",
		"n/go.mod":    "module example.com/n\n\ngo 1.26\n",
		"n/n_test.go": "package n\n\nimport \"testing\"\n\nfunc FuzzBad(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { if n > 5 { t.Fatal(n) } }) }\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	var b strings.Builder
	err := soak(dir, regexp.MustCompile(""), 10*time.Second, 1, &b)
	if err == nil || err.Error() != "1 of 2 targets failed" {
		t.Errorf("error %v", err)
	}
	good := regexp.MustCompile(`\| example.com/m.FuzzGood \| [1-9]\d* \| [1-9]\d* \| nothing \|`)
	if !good.MatchString(b.String()) || !strings.Contains(b.String(), "| example.com/n.FuzzBad |") || !strings.Contains(b.String(), "| a failure |") {
		t.Errorf("got\n%s", b.String())
	}
}
