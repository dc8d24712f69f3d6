// What is hostile to a terminal or to JSON: escape sequences, line breaks and
// bytes that are no text, wherever a user or a file can put them.

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// inProcess runs a command.
func inProcess(args ...string) (exit int, stdout, stderr string) {
	var out, err bytes.Buffer
	exit = run(&environment{strings.NewReader(""), &out, &err}, args)
	return exit, out.String(), err.String()
}

// TestHostileErrors wants errors to be printable, whatever they quote.
func TestHostileErrors(t *testing.T) {
	const hostile = "\x1b]0;t\a\u202e"
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const manifest = `{kind: Ingress, metadata: {name: a, annotations: {"nginx.ingress.kubernetes.io/\e\u202e\a": x}}, spec: {ingressClassName: nginx}}`
	web := write("web.yaml", manifest)
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write("folder/"+hostile+"\nx.yaml", "kind: [")
	for name, args := range map[string][]string{
		"a file in a folder":      {"lint", folder},
		"no such file":            {"lint", hostile},
		"a flag":                  {"lint", "-" + hostile},
		"a flag's value":          {"diff", "-n", hostile},
		"a command":               {hostile},
		"a header":                {"explain", "-f", web, "-H", "a: " + hostile, "h"},
		"a URL":                   {"explain", "-f", web, "ftp://" + hostile},
		"workflow annotations":    {"lint", "-format", "github", web},
		"a table's key":           {"test", write("key.yaml", `{"\e\u202e": 1}`)},
		"a table's value":         {"test", write("value.yaml", `{manifests: "\e\u202e\a", cases: "\e"}`)},
		"a table's manifest":      {"test", write("manifest.yaml", `{manifests: ["\e\u202e\a"], cases: [{request: h, status: 1}]}`)},
		"a table's mode":          {"test", write("mode.yaml", `{mode: "\e\u202e\a"}`)},
		"a file of a mesh":        {"lint", "-visibility", write("mesh.yaml", `{serviceEntryVisibility: {"\e\u202e": 1}}`)},
		"titles side by side":     {"diff", "-n", "10", write(hostile+".yaml", "kind: HTTPRoute\nmetadata: {name: a}\nspec: {rules: [{backendRefs: [{name: x, port: 80}]}]}"), web},
		"a name of an access log": {"diff", "-log", hostile, "-host", "h", web, web},
	} {
		t.Run(name, func(t *testing.T) {
			exit, stdout, stderr := inProcess(args...)
			if exit == exitOK || stdout+stderr == "" {
				t.Errorf("exit status %d: it is no fault", exit)
			}
			for _, r := range stdout + stderr {
				if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
					t.Fatalf("%U is in\n%q%q", r, stdout, stderr)
				}
			}
		})
	}
}

// TestHostileHeader wants a header with a line break to be refused.
func TestHostileHeader(t *testing.T) {
	for _, flag := range []string{"-H", "-response"} {
		exit, _, stderr := inProcess("explain", "-f", "testdata/manifests/shop.yaml", flag, "A: b\nC: d", "http://shop.example/")
		if exit != exitUnusable || !strings.Contains(stderr, "the value of A has a control character") {
			t.Errorf("%s: %d, %s", flag, exit, stderr)
		}
	}
}

// TestBytesInJSON wants the bytes of a URL that JSON cannot have to be escaped as
// Clean escapes them.
func TestBytesInJSON(t *testing.T) {
	_, stdout, stderr := inProcess("explain", "-json", "-f", "testdata/manifests/shop.yaml", "http://shop.example/\xff\u00e9")
	var x struct{ URL, Cleaned string }
	if err := json.Unmarshal([]byte(stdout), &x); err != nil {
		t.Fatal(err, stderr)
	}
	if x.URL != "http://shop.example/%FF\u00e9" || x.Cleaned != "http://shop.example/%FF%C3%A9" {
		t.Errorf("%+q", x)
	}
}
