package judge

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// TestJudge: nobody's options are the defaults, and a cluster's count.
func TestJudge(t *testing.T) {
	const path = "/[0-9]+"
	regex := route.Pattern{Path: path, Type: route.Regex}
	strict := rewrite.RegexpLimits{PatternBytes: 1}
	c := &ingress.Cluster{Rewrite: &rewrite.Options{Regexp: strict}, Table: &route.Options{Regexp: strict}}
	for _, none := range []*ingress.Cluster{nil, {}} {
		assert.Nil(t, Options(none))
		assert.Nil(t, Pattern(regex, none))
		assert.Nil(t, Action(rewrite.RewritePath(path, "/"), none))
	}
	assert.Same(t, c.Rewrite, Options(c))
	require.NotNil(t, Pattern(regex, c))
	assert.Equal(t, "Pattern.Path", Pattern(regex, c).Field)
	fault := Action(rewrite.RewritePath(path, "/"), c)
	require.NotNil(t, fault)
	assert.Equal(t, fault.Err, Reason(fault))
	assert.Equal(t, fault.Err, Reason(errors.Join(fault)))
	plain := errors.New("plain")
	assert.Equal(t, plain, Reason(plain))

	faults := Route(route.Pattern{Host: "a..b"}, route.Conditions{Methods: []string{"no method"}}, nil)
	require.Len(t, faults, 2)
	assert.Equal(t, "Pattern.Host", faults[0].Field)
}
