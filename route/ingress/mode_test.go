package ingress_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/kong"
	"github.com/readdress/readdress/route/ingress/nginx"
)

func TestMode(t *testing.T) {
	assert.Equal(t, "strict compat Mode(7)", fmt.Sprint(ingress.Strict, ingress.Compat, ingress.Mode(7)))
	assert.Equal(t, nginx.Compat, kong.Compat, "one type for all dialects")
	var zero ingress.Mode
	assert.Equal(t, ingress.Strict, zero)
}
