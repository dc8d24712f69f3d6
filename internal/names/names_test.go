package names_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/internal/names"
)

func TestNearest(t *testing.T) {
	candidates := []string{"rewrite-target", "use-regex", "app-root", "ab", "ac"}
	for name, want := range map[string]string{
		"rewrite-traget":        "rewrite-target",
		"rewritetarget":         "rewrite-target",
		"use-regexp":            "use-regex",
		"app-root":              "app-root",
		"ad":                    "ab",
		"something-else":        "",
		"":                      "ab",
		strings.Repeat("x", 65): "",
	} {
		assert.Equal(t, want, names.Nearest(name, candidates), name)
	}
	assert.Empty(t, names.Nearest("x", nil))
}

func TestEdits(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1},
		{"kitten", "sitting", 3}, {"ab", "ba", 2}, {long, long + "y", 1}, {long + "y", long, 1},
	} {
		assert.Equal(t, c.want, names.Edits(c.a, c.b), "%.10s, %.10s", c.a, c.b)
	}
	near := strings.Repeat("x", 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() { names.Edits(near, "rewrite-target") }))
}
