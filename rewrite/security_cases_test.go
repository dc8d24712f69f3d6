// The published faults of other software that testdata/security-cases.json
// lists, and what answers each of them here.

package rewrite_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A securityCase is one published fault, with one answer: vectors and tests,
// what refuses it, or why it cannot happen here.
type securityCase struct {
	ID      string   `json:"id"`
	Aliases []string `json:"aliases"` // other names of the same report
	System  string   `json:"system"`
	Fault   string   `json:"fault"`

	// Vectors are names in security.json, or in bfe.json behind "bfe/".
	Vectors []string `json:"vectors"`
	// Tests are "directory.TestName", or "directory.TestName/part".
	Tests []string `json:"tests"`
	// Refused are inputs of an Ingress that the tests of internal/securitytest
	// dispatch; At is what the problem names.
	Refused []struct {
		Annotations map[string]string `json:"annotations"`
		Path        string            `json:"path"`
		At          string            `json:"at"`
	} `json:"refused"`
	Outside string `json:"outside"`
}

func readSecurityCases(t *testing.T) []securityCase {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "security-cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	var cases []securityCase
	if err := d.Decode(&cases); err != nil {
		t.Fatalf("security-cases.json: %v", err)
	}
	return cases
}

// securityCounts says how many cases have which answer.
func securityCounts(cases []securityCase) (tested, refused, outside int) {
	for _, c := range cases {
		switch {
		case c.Outside != "":
			outside++
		case c.Refused != nil:
			refused++
		default:
			tested++
		}
	}
	return tested, refused, outside
}

// TestSecurityCases counts the cases, so that none is lost, and wants of each
// that it has a name of its own and one answer, whose vectors and tests exist.
func TestSecurityCases(t *testing.T) {
	cases := readSecurityCases(t)
	if tested, refused, outside := securityCounts(cases); tested != 135 || refused != 12 || outside != 8 {
		t.Errorf("%d cases have tests, %d are refused, %d are outside: if that is meant, write it here", tested, refused, outside)
	}
	names := make(map[string]bool)
	for _, v := range readVectors(t, "security").Vectors {
		names[v.Name] = true
	}
	for _, v := range readVectors(t, "bfe").Vectors {
		names["bfe/"+v.Name] = true
	}
	seen := make(map[string]bool)
	for _, c := range cases {
		for _, id := range append(c.Aliases, c.ID) {
			if seen[id] {
				t.Errorf("%s: twice", id)
			}
			seen[id] = true
		}
		answers := 0
		for _, given := range []bool{c.Vectors != nil || c.Tests != nil, c.Refused != nil, c.Outside != ""} {
			if given {
				answers++
			}
		}
		if answers != 1 || c.System == "" || c.Fault == "" {
			t.Errorf("%s: %d answers, system %q, fault %q", c.ID, answers, c.System, c.Fault)
		}
		for _, name := range c.Vectors {
			if !names[name] {
				t.Errorf("%s: there is no vector %s", c.ID, name)
			}
		}
		for _, name := range c.Tests {
			if fault := findTest(name); fault != "" {
				t.Errorf("%s: %s: %s", c.ID, name, fault)
			}
		}
	}
}

// findTest looks for the source of a test, and for the name of its part there or
// in its data; it says what is missing.
func findTest(name string) (fault string) {
	dir, test, ok := strings.Cut(name, ".Test")
	if !ok {
		return "write directory.TestName"
	}
	test, part, _ := strings.Cut(test, "/")
	dir = filepath.Join("..", filepath.FromSlash(dir))
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if files == nil {
		return "the directory has no tests"
	}
	data, _ := filepath.Glob(filepath.Join(dir, "testdata", "*.json"))
	declaration := regexp.MustCompile(`(?m)^func Test` + regexp.QuoteMeta(test) + `\(t \*testing\.T\)`)
	declared, divided := false, part == ""
	for _, file := range append(files, data...) {
		text, err := os.ReadFile(file)
		if err != nil {
			return err.Error()
		}
		declared = declared || declaration.Match(text)
		divided = divided || strings.Contains(string(text), strconv.Quote(part))
	}
	switch {
	case !declared:
		return "there is no such test"
	case !divided:
		return "the test has no part of that name"
	}
	return ""
}

func TestFindTest(t *testing.T) {
	for name, good := range map[string]bool{
		"rewrite.TestFindTest":                true,
		"rewrite.TestFindTests":               false,
		"rewrite.FindTest":                    false,
		"nowhere.TestFindTest":                false,
		"rewrite.TestFindTest/else" + "where": false,
	} {
		if fault := findTest(name); (fault == "") != good {
			t.Errorf("%s: %q", name, fault)
		}
	}
}

func securityCasesText(cases []securityCase, vectors []vector) string {
	var b strings.Builder
	tested, refused, outside := securityCounts(cases)
	fmt.Fprintf(&b, "# Security cases\n\n"+generated+
		"Published faults of other software that rewrites, routes or parses URLs, and what answers them here. Of %d, %d\n"+
		"have vectors or tests that replay them, %d are refused by a parser, and %d cannot happen, for the reason given. The\n"+
		"vectors are those of [security.json](../rewrite/testdata/security.json), listed below, and, where it says so, of\n"+
		"[bfe.json](../rewrite/testdata/bfe.json): the tests of package rewrite run each of them through Clean and Apply,\n"+
		"through Explain, and, if it is not refused, through net/http to a raw listener.\n\n"+
		"| case | where | what went wrong | here |\n|---|---|---|---|\n", len(cases), tested, refused, outside)
	for _, c := range cases {
		row(&b, strings.Join(append([]string{c.ID}, c.Aliases...), ", "), c.System, c.Fault, answerText(c))
	}
	b.WriteString("\n## Vectors\n\nA word in angle brackets stands for a long text, or for bytes that are not UTF-8.\n\n| name | rules | input | outcome | why |\n|---|---|---|---|---|\n")
	for _, v := range vectors {
		row(&b, fmt.Sprintf(`<a id="%s"></a>%s`, v.Name, v.Name), rulesText(v), code(v.In), outcomeText(v), v.Why)
	}
	return b.String()
}

// answerText is what the table says of a case.
func answerText(c securityCase) string {
	if c.Outside != "" {
		return "outside: " + c.Outside
	}
	var parts []string
	for _, r := range c.Refused {
		parts = append(parts, "refused at "+code(r.At))
	}
	for _, name := range c.Vectors {
		if theirs, ok := strings.CutPrefix(name, "bfe/"); ok {
			parts = append(parts, theirs+" of bfe.json")
			continue
		}
		parts = append(parts, fmt.Sprintf("[%s](#%s)", name, name))
	}
	for _, name := range c.Tests {
		parts = append(parts, code(name))
	}
	return strings.Join(parts, ", ")
}
