// The program on the first screen of the README, and that the README has it.

package readdress_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

func Example() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api")},
		{Action: rewrite.DeleteQuery("token")},
	}, nil)
	for _, path := range []string{"/api/a%2Fb", "/%61pi/users", "/apix/users", "/api/../admin"} {
		u := rewrite.URL{Scheme: "https", Host: "shop.example", Path: path, RawQuery: "a=1;b=2&%74oken=x"}
		err := new(rewrite.Input).Clean(&u, nil) // once per request: what a listener accepts
		if err == nil {
			_, err = program.Apply(rewrite.AfterLocation, &u, nil)
		}
		fmt.Println(u, err)
	}
	// Output:
	// https://shop.example/a%2Fb?a=1;b=2 <nil>
	// https://shop.example/users?a=1;b=2 <nil>
	// https://shop.example/apix/users?a=1;b=2 <nil>
	// https://shop.example/api/../admin?a=1;b=2&%74oken=x rewrite: path has a dot-segment
}

// TestReadmePrograms holds each Go block of the README, and each output, against
// the examples, which go test runs.
func TestReadmePrograms(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	examples := read("readme_test.go") + read("rewrite/rewritehttp/example_test.go")
	blocks := strings.Split("\n"+read("README.md"), "\n```")
	programs, outputs := 0, 0
	for i := 1; i < len(blocks); i += 2 {
		language, text, _ := strings.Cut(blocks[i], "\n")
		indent := "\n\t"
		switch language {
		case "go":
			programs++
		case "text":
			outputs++
			indent = "\n\t// "
		default:
			continue
		}
		if want := strings.ReplaceAll("\n"+text, "\n", indent) + "\n"; !strings.Contains(examples, want) {
			t.Errorf("README.md has a block that no example has:\n%s", text)
		}
	}
	if programs == 0 || outputs == 0 {
		t.Errorf("README.md has %d Go blocks and %d outputs", programs, outputs)
	}
}
