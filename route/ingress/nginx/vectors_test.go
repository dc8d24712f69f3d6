package nginx_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress/internal/vector"
	"github.com/readdress/readdress/route/ingress/nginx"
)

func options(c *vector.Case) *nginx.Options {
	opts := &nginx.Options{SkipValidation: c.SkipValidation}
	if c.Mode == "compat" {
		opts.Mode = nginx.Compat
	}
	return opts
}

// A difference is a case that this package decides otherwise on purpose.
type difference struct{ Case, Their, Ours, Why string }

func differences(t *testing.T) map[string]difference {
	data, err := os.ReadFile("testdata/differences.json")
	require.NoError(t, err)
	var list []difference
	require.NoError(t, json.Unmarshal(data, &list))
	byCase := make(map[string]difference)
	for _, d := range list {
		require.NotEmpty(t, d.Why, d.Case)
		byCase[d.Case] = d
	}
	return byCase
}

// TestVectors runs what the controller was seen to do (vectors.json) and what
// its users have reported (cases.json), each case in the mode that it names. A
// difference must be one: its case expects what they do, and gets what we do.
func TestVectors(t *testing.T) {
	different := differences(t)
	cases := append(vector.Load(t, "testdata/vectors.json"), vector.Load(t, "testdata/cases.json")...)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if d, ok := different[c.Name]; ok {
				delete(different, c.Name)
				require.Equal(t, c.Expect, d.Their)
				require.NotEqual(t, d.Their, d.Ours)
				c.Expect = d.Ours
			}
			c.Run(t, nil, nginx.New(options(&c)))
		})
	}
	assert.Empty(t, different, "differences of cases that are not there")
}
