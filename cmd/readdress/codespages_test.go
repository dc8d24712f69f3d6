// The pages in docs/codes: made of the comments of the codes, of the texts and
// examples in testdata/codes, and of what the tool says to the examples.

package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
)

var update = flag.Bool("update", false, "write golden files and generated pages anew")

// texts is what testdata/codes/texts.yaml says of a code beside its comment.
type texts struct{ What, Fix string }

// TestCodePages wants a page for each code, made of an example that has it.
func TestCodePages(t *testing.T) {
	var more map[string]texts
	data, err := os.ReadFile("testdata/codes/texts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &more); err != nil {
		t.Fatal(err)
	}
	pages := make(map[string]string)
	levels := make(map[string]string)
	codes := allCodes(t)
	for i := range codes {
		c := &codes[i]
		if text, ok := more[c.Value]; ok {
			if text.What != "" {
				c.What = text.What
			}
			if text.Fix != "" {
				c.Fix = text.Fix
			}
			delete(more, c.Value)
		}
		if c.Fix == "" {
			t.Errorf("%s: neither the comment of %s nor testdata/codes/texts.yaml says what to do about it", c.Value, c.Const)
		}
		t.Run(c.Value, func(t *testing.T) { // in a folder of its own
			pages[c.Value+".md"], levels[c.Value] = page(t, *c)
		})
	}
	for value := range more {
		t.Errorf("testdata/codes/texts.yaml has %s, which is no code: remove it", value)
	}
	examples, err := filepath.Glob("testdata/codes/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range examples {
		value := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if _, ok := levels[value]; !ok && value != "texts" {
			t.Errorf("%s is the example of no code: remove it", file)
		}
	}
	pages["README.md"] = codeIndex(codes, levels)
	comparePages(t, pages)
}

func comparePages(t *testing.T, pages map[string]string) {
	t.Helper()
	dir := filepath.Join(root, "docs", "codes")
	for name, want := range pages {
		file := filepath.Join(dir, name)
		if *update {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/codes/%s is not up to date: go test ./cmd/readdress -run TestCodePages -update", name)
		}
	}
	there, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range there {
		if _, ok := pages[filepath.Base(file)]; !ok {
			t.Errorf("%s is the page of no code: remove it", file)
		}
	}
}

// page returns the page of a code, and the level that its example has.
func page(t *testing.T, c code) (text, level string) {
	t.Helper()
	example, level := example(t, c)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n<!-- generated: go test ./cmd/readdress -run TestCodePages -update -->\n", c.Value)
	fmt.Fprintf(&b, "`%s` of [%s](../../%s) is %s\n\n", c.Const, c.Dir, c.Dir, article(level))
	fmt.Fprintf(&b, "%s\n\n## Example\n\n%s\n## Fix\n\n%s\n", markdown(c.What), example, markdown(c.Fix))
	return b.String(), level
}

func article(level string) string {
	switch level {
	case "error":
		return "an error: something that was asked for is not done."
	case "warning":
		return "a warning: it is done, perhaps not as meant."
	case "note":
		return "a note: worth knowing, no fault."
	}
	return level
}

var markdownSpecial = regexp.MustCompile(`[*_<\[\]\\|` + "`" + `]`)

// markdown returns a comment as Markdown, in which nothing is special.
func markdown(s string) string { return markdownSpecial.ReplaceAllString(s, `\$0`) }

// example returns the example of a code with what is said to it, and the level.
func example(t *testing.T, c code) (text, level string) {
	t.Helper()
	name := filepath.Join("testdata", "codes", c.Value)
	if data, err := os.ReadFile(name + ".yaml"); err == nil {
		return manifestExample(t, c, string(data))
	}
	if data, err := os.ReadFile(name + ".json"); err == nil {
		return dataExample(t, c, string(data))
	}
	if data, err := os.ReadFile(name + ".txt"); err == nil {
		level, text, _ := strings.Cut(string(data), "\n")
		return strings.TrimLeft(text, "\n"), level
	}
	t.Errorf("%s has no example: write %s.yaml with the command in a comment on its first line, or .txt with the level on its first line", c.Value, name)
	return "", ""
}

// manifestExample runs the command in the comment on the first line of a file
// on the rest of it.
func manifestExample(t *testing.T, c code, data string) (text, level string) {
	t.Helper()
	command, manifest, _ := strings.Cut(data, "\n")
	command, ok := strings.CutPrefix(command, "# readdress ")
	if !ok {
		t.Errorf("%s: the example does not begin with a comment such as '# readdress lint web.yaml'", c.Value)
		return "", ""
	}
	args := strings.Fields(command)
	t.Chdir(t.TempDir())
	if err := os.WriteFile(args[len(args)-1], []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	run(&environment{strings.NewReader(""), &stdout, &stderr}, args)
	said := stdout.String()
	if args[0] == "convert" {
		said = stderr.String()
		command += " >/dev/null"
	}
	found := false
	for line := range strings.Lines(said) {
		if strings.Contains(line, ": "+c.Value+": ") || strings.HasSuffix(line, "["+c.Value+"]\n") {
			found = true
			_, rest, _ := strings.Cut(line, ": ")
			_, rest, _ = strings.Cut(rest, ": ")
			level, _, _ = strings.Cut(rest, ":")
		}
	}
	if !found {
		t.Errorf("%s: the example does not have the code, but\n%s%s", c.Value, said, stderr.String())
	}
	return fmt.Sprintf("```yaml\n%s```\n\n```console\n$ readdress %s\n%s```\n", manifest, command, said), level
}

// dataExample reads a file of BFE's mod_rewrite.
func dataExample(t *testing.T, c code, data string) (text, level string) {
	t.Helper()
	_, problems := bfe.Read([]byte(data), nil)
	i := slices.IndexFunc(problems, func(p ingress.Problem) bool { return string(p.Code) == c.Value })
	if i < 0 {
		t.Errorf("%s: the example does not have the code, but %v", c.Value, problems)
		return "", ""
	}
	var said strings.Builder
	for j := range problems {
		said.WriteString(problems[j].Error() + "\n")
	}
	return fmt.Sprintf("`bfe.Read` of\n\n```json\n%s```\n\nsays\n\n```text\n%s```\n", data, said.String()), problems[i].Severity.String()
}

// index lists the codes by package.
func codeIndex(codes []code, levels map[string]string) string {
	var b strings.Builder
	b.WriteString("# Codes\n\n<!-- generated: go test ./cmd/readdress -run TestCodePages -update -->\n")
	b.WriteString("What `readdress lint` and the packages report, each with an example and what to do. A code keeps its meaning over releases. What the pages call Options.Handled is -handled of the tool.\n")
	dirs := make(map[string][]code)
	for _, c := range codes {
		dirs[c.Dir] = append(dirs[c.Dir], c)
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		fmt.Fprintf(&b, "\n## %s\n\n| code | level | what |\n|---|---|---|\n", dir)
		for _, c := range dirs[dir] {
			what, _, _ := strings.Cut(c.What, ". ")
			fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", c.Value, c.Value, levels[c.Value], markdown(strings.TrimSuffix(what, ".")))
		}
	}
	return b.String()
}
