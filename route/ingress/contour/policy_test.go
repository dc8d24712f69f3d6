package contour_test

// Services, header policies and cookies.

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

func TestServices(t *testing.T) {
	c := &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{
			Ports:       []ingress.ServicePort{{Number: 80, Name: "web"}, {Number: 443, Name: "secure"}},
			Annotations: map[string]string{"projectcontour.io/upstream-protocol.tls": "secure, 8443"},
		}, name != "missing"
	}}
	p := root(t, `{"services": [
		{"name": "one", "port": 80}, {"name": "two", "port": 443}, {"name": "copy", "port": 80, "mirror": true},
		{"name": "three", "port": 80, "protocol": "h2", "validation": {"caSecret": "default/ca", "subjectName": "three.example"}},
		{"name": "missing", "port": 80}
	]}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, c)
	assert.Equal(t, []ingress.Code{contour.CodeMirror, ingress.CodeUnknownService}, codes(got.Problems))
	b := got.Entries[0].Backends
	require.Len(t, b, 4)
	for _, x := range b {
		assert.Equal(t, uint32(1), x.Weight, "all are absent, so all are equal")
	}
	assert.Equal(t, []string{"http", "https", "https"}, []string{b[0].Scheme, b[1].Scheme, b[2].Scheme})
	assert.Equal(t, []string{"ca", "three.example"}, []string{b[2].CASecret, b[2].SNI})
	assert.True(t, b[3].Invalid)

	p = root(t, `{"services": [{"name": "one", "port": 80, "weight": 90}, {"name": "two", "port": 80}, {"name": "three", "port": 80, "weight": -1}, {"name": "four", "port": 80, "weight": 1000001}]}`)
	got = contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, []ingress.Code{contour.CodeWeight, contour.CodeWeight}, codes(got.Problems))
	b = got.Entries[0].Backends
	assert.Equal(t, []uint32{90, 0, 0, 1_000_000}, []uint32{b[0].Weight, b[1].Weight, b[2].Weight, b[3].Weight})
}

func TestHeaders(t *testing.T) {
	p := root(t, `{"requestHeadersPolicy": {"set": [{"name": "Host", "value": "in.example"}, {"name": "A", "value": "50% of %CONTOUR_NAMESPACE%"}], "remove": ["B"]},
		"responseHeadersPolicy": {"set": [{"name": "D", "value": "kept"}]},
		"services": [{"name": "web", "port": 80, "requestHeadersPolicy": {"set": [{"name": "C", "value": "%CONTOUR_SERVICE_NAME%:%CONTOUR_SERVICE_PORT%"}]}}]}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, nil)
	require.Empty(t, got.Problems)
	e := got.Entries[0]
	assert.Equal(t, rewrite.SetHost("in.example"), e.Rules[0].Action)
	assert.Equal(t, []ingress.HeaderOp{{Name: "A", Value: "50% of default"}, {Op: ingress.RemoveHeader, Name: "B"}}, e.RequestHeaders)
	assert.Equal(t, []ingress.HeaderOp{{Name: "D", Value: "kept"}}, e.ResponseHeaders)
	assert.Equal(t, []ingress.HeaderOp{{Name: "C", Value: "web:80"}}, e.Backends[0].RequestHeaders)

	for set, want := range map[string]struct {
		code   ingress.Code
		answer string
	}{
		`{"name": "Host", "value": "%REQ(X-Host)%"}`:            {contour.CodeDynamic, "500"},
		`{"name": "A", "value": "%DOWNSTREAM_REMOTE_ADDRESS%"}`: {contour.CodeDynamic, "http://h/"},
		`{"name": "Host", "value": "not a host"}`:               {contour.CodeHost, "500"},
		`{"name": "a b", "value": ""}`:                          {contour.CodeUnsupported, "http://h/"},
	} {
		p := root(t, `{"requestHeadersPolicy": {"set": [`+set+`]}, `+service+`}`)
		got := contour.Translate([]*contour.HTTPProxy{p}, nil)
		assert.Equal(t, []ingress.Code{want.code}, codes(got.Problems), set)
		assert.Equal(t, want.answer, ask(t, got.Entries, "http://h/", nil), set)
	}
	p = root(t, `{"services": [{"name": "web", "port": 80, "requestHeadersPolicy": {"set": [{"name": "host", "value": "one.example"}]}}]}`)
	assert.Equal(t, "http://one.example/", ask(t, contour.Translate([]*contour.HTTPProxy{p}, nil).Entries, "http://h/", nil))
}

func TestCookies(t *testing.T) {
	p := root(t, `{`+service+`, "cookieRewritePolicies": [
		{"name": "a", "pathRewrite": {"value": "/$1"}, "domainRewrite": {"value": "x.y"}, "secure": true},
		{"name": "b", "pathRewrite": {"value": "/other"}}, {"name": "c", "pathRewrite": {"value": "/$1"}}]}`)
	got := contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Equal(t, []rewrite.Mapping{{Kind: rewrite.MapCookiePath, From: "~.*", To: "/$$1"}, {Kind: rewrite.MapCookieDomain, From: "~.*", To: "x.y"}}, got.Entries[0].Back[:2])
	var errs []string
	for _, p := range got.Problems {
		if p.Severity == ingress.Error {
			errs = append(errs, p.Origin.Key)
		}
	}
	assert.Equal(t, []string{"spec.routes[0].cookieRewritePolicies[1].pathRewrite"}, errs)

	p = root(t, `{`+service+`, "cookieRewritePolicies": [{"name": "a"}]}`)
	got = contour.Translate([]*contour.HTTPProxy{p}, nil)
	assert.Empty(t, got.Entries[0].Back)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, contour.CodeCookie, got.Problems[0].Code)
	assert.Equal(t, "spec.routes[0].cookieRewritePolicies[0]", got.Problems[0].Origin.Key)
}
