// The recorded run in the README, made by running it.

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// recorded are the commands of the README, which run in testdata/manifests.
var recorded = []string{
	"explain -f shop.yaml -key alice 'https://shop.example/api/a%2Fb?page=2'",
	"lint typo.yaml",
	"test table.yaml",
}

// TestReadme wants testdata/readme.md to be what the commands write, and the
// README to have it word for word, if it has a section about the tool.
func TestReadme(t *testing.T) {
	var b bytes.Buffer
	for _, command := range recorded {
		b.WriteString("```console\n$ readdress " + command + "\n")
		cmd := exec.Command(binary(t), strings.Fields(strings.ReplaceAll(command, "'", ""))...)
		cmd.Dir = "testdata/manifests"
		out, _ := cmd.Output() // the exit status says that there are faults and differences
		b.Write(out)
		b.WriteString("```\n\n")
	}
	text := strings.TrimSuffix(b.String(), "\n")
	golden := filepath.Join("testdata", "readme.md")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != text {
		t.Errorf("%s is not what the commands write: go test ./cmd/readdress -run TestReadme -update\n%s", golden, text)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(readme), "$ readdress ") {
		for _, block := range strings.SplitAfter(text, "\n```\n\n") {
			if !strings.Contains(string(readme), strings.TrimSpace(block)) {
				t.Errorf("README.md has another run than cmd/readdress/%s:\n%s", golden, block)
			}
		}
	}
}
