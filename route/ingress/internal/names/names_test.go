package names_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/route/ingress/internal/names"
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
