package ingress_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

func TestProblemText(t *testing.T) {
	p := &ingress.Problem{
		Severity: ingress.Warning, Code: "nginx-regex",
		Source:  ingress.Source{Kind: "Ingress", Namespace: "a", Name: "b", Rule: 1, Path: 2, Part: "canary"},
		Origin:  rewrite.Origin{Key: "example.com/key", Offset: 7},
		Detail:  "what to do",
		Related: []ingress.Source{{Kind: "Ingress", Namespace: "a", Name: "c", Rule: -1, Path: -1}, {Kind: "Service", Name: "d", Rule: 3, Path: -1}},
	}
	assert.Equal(t, "warning: Ingress a/b rules[1].paths[2] (canary): example.com/key at offset 7: nginx-regex: what to do; see Ingress a/c, Service d rules[3]", p.Error())
	assert.Equal(t, "error: bad-entry", (&ingress.Problem{Code: ingress.CodeBadEntry}).Error())
	assert.Equal(t, "[error: bad-entry]", fmt.Sprint([]ingress.Problem{{Code: ingress.CodeBadEntry}}))
	forged := ingress.Source{Kind: "Ingress", Name: "a'\nIngress b"}
	assert.Equal(t, `Ingress a\'\nIngress b rules[0].paths[0]`, forged.String())
	assert.Equal(t, "Severity(9)", ingress.Severity(9).String())
}
