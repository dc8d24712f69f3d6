package regexlimit

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOrDefaults(t *testing.T) {
	want := Limits{PatternBytes: 512, Instructions: 200, Budget: 262144}
	assert.Equal(t, want, Limits{}.OrDefaults())
	assert.Equal(t, want, Limits{PatternBytes: -1, Instructions: -1, Budget: -1}.OrDefaults())
	own := Limits{PatternBytes: 1, Instructions: 2, Budget: 3}
	assert.Equal(t, own, own.OrDefaults())
}
