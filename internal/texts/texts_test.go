package texts

import (
	"slices"
	"testing"
)

func TestUpTo(t *testing.T) {
	for longest, want := range [][]string{{"/"}, {"/", "/a", "/bc"}, {"/", "/a", "/bc", "/aa", "/abc", "/bca", "/bcbc"}} {
		if got := UpTo("/", []string{"a", "bc"}, longest); !slices.Equal(got, want) {
			t.Errorf("up to %d: %q, want %q", longest, got, want)
		}
	}
}
