package manifest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/route/ingress/internal/manifest"
)

func TestDecode(t *testing.T) {
	var out struct{ Name string }
	unread, err := manifest.Decode([]byte(`{"NAME": "x", "b": 1, "a": {}, "c": null}`), &out, "name")
	assert.NoError(t, err)
	assert.Equal(t, "x", out.Name)
	assert.Equal(t, []string{"a", "b"}, unread)

	unread, err = manifest.Decode([]byte(`{"a": 1}`), &out)
	assert.NoError(t, err)
	assert.Empty(t, unread)

	_, err = manifest.Decode([]byte(" null "), &out, "name")
	assert.ErrorIs(t, err, manifest.ErrNull)
	for _, text := range []string{`[]`, `{"name": 1}`, `{`, ``} {
		_, err = manifest.Decode([]byte(text), &out, "name")
		assert.Error(t, err, text)
	}
}
