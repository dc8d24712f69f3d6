// Package golden holds generated files to what tests generate. It is for tests,
// and gives them the flag -update.
package golden

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write generated files instead of comparing them")

// Updating reports whether files are to be written.
func Updating() bool { return *update }

// File compares the file at path with what was generated, or with -update writes
// it.
func File(t testing.TB, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
		return
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != text {
		t.Errorf("%s is not what the test generates (%v): run go test -run '^%s$' -update here", path, err, t.Name())
	}
}
