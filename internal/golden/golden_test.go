package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// A recorder is a test whose errors are counted.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Helper()               {}
func (r *recorder) Name() string          { return "Recorder" }
func (r *recorder) Error(...any)          { r.errors++ }
func (r *recorder) Errorf(string, ...any) { r.errors++ }

func TestFile(t *testing.T) {
	defer func(before bool) { *update = before }(*update)
	path := filepath.Join(t.TempDir(), "file")
	for _, step := range []struct {
		update bool
		path   string
		text   string
		fails  bool
	}{
		{false, path, "a", true}, // there is none
		{true, path, "a", false},
		{false, path, "a", false},
		{false, path, "b", true},
		{true, filepath.Join(path, "below"), "a", true},
	} {
		*update = step.update
		r := &recorder{TB: t}
		File(r, step.path, step.text)
		if (r.errors > 0) != step.fails || Updating() != step.update {
			t.Errorf("%+v: %d errors", step, r.errors)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != "a" {
		t.Errorf("%q, %v", have, err)
	}
}
