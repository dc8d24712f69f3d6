package given

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/rewrite"
)

func TestOrigin(t *testing.T) {
	assert.Equal(t, rewrite.Origin{Key: "a/b", Offset: 3}, Annotation{Key: "a/b", Value: "value"}.Origin(3))
	assert.Equal(t, rewrite.Origin{}, Annotation{}.Origin(0))
}

func TestInstead(t *testing.T) {
	known := []string{"path-rewrite", "server-ssl"}
	var a Advice
	assert.Equal(t, ": write path-rewrite", a.Instead("path-rewrites", known))
	assert.Empty(t, a.Instead("something-else-altogether", known))
	for range maxAdvice - 2 {
		assert.Equal(t, ": write server-ssl", a.Instead("serverssl", known))
	}
	assert.Empty(t, a.Instead("serverssl", known), "more than %d names", maxAdvice)
}
