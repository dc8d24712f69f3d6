package manifest_test

import (
	"encoding/json"
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

func TestUnmarshal(t *testing.T) {
	type object struct {
		Spec struct {
			TLS   []struct{ SecretName string }
			Rules []*struct {
				HTTP *struct{ Paths map[string]*int }
			}
			Deep bool
			Port struct{ APIGroup, CASecret string }
		}
	}
	for text, want := range map[string]string{
		`{"spec": {"tls": [{"secretName": 7}]}}`:                    "spec.tls.secretName: write a text, in quotes, not a number",
		`{"spec": {"tls": {}}}`:                                     "spec.tls: write a list, not an object",
		`{"spec": {"rules": [{"http": []}]}}`:                       "spec.rules.http: write an object, not an array",
		`{"spec": {"rules": [{"http": {"paths": {"a": 1.5}}}]}}`:    "write a whole number, not a number 1.5",
		`{"spec": {"port": {"apiGroup": 7}}}`:                       "spec.port.apiGroup: write a text",
		`{"spec": {"port": {"caSecret": 7}}}`:                       "spec.port.caSecret: write a text",
		`{"spec": {"deep": "x"}}`:                                   "spec.deep: write true or false, not a string",
		`[]`:                                                        "write an object, not an array",
		`{"spec": {"tls": [null], "rules": [null, {"http": null}]}`: "unexpected end of JSON input",
	} {
		err := manifest.Unmarshal([]byte(text), new(object))
		assert.ErrorContains(t, err, want, text)
	}
	var fault *json.UnmarshalTypeError
	assert.ErrorAs(t, manifest.Unmarshal([]byte("7"), new(object)), &fault)
	assert.NoError(t, manifest.Unmarshal([]byte(`{"spec": {"tls": [null]}}`), new(object)))
}
