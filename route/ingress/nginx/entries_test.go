package nginx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// entry returns the last entry of an Ingress of one path, which is the one that
// forwards.
func entry(t *testing.T, annotations map[string]string, opts *nginx.Options) ingress.Entry {
	t.Helper()
	got := nginx.New(opts).Rewrite([]*ingress.Ingress{made(annotations)}, nil)
	require.NotEmpty(t, got.Entries, "%v", got.Problems)
	return got.Entries[len(got.Entries)-1]
}

func TestBack(t *testing.T) {
	location := func(from, to string) []rewrite.Mapping {
		return []rewrite.Mapping{{Kind: rewrite.MapLocation, From: from, To: to}}
	}
	type values = map[string]string
	for _, c := range []struct {
		name        string
		annotations values
		opts        nginx.Options
		want        []rewrite.Mapping
	}{
		{"ingress-nginx#12917 captures", values{"proxy-redirect-from": "~^/([^/]+)/([^/]+)/([^/]+)/", "proxy-redirect-to": "/$1/$2/$3/"},
			nginx.Options{}, location("~^/([^/]+)/([^/]+)/([^/]+)/", "/$1/$2/$3/")},
		{"ingress-nginx#12917 refused since 1.12", values{"proxy-redirect-from": "~^/(.+)/", "proxy-redirect-to": "/$1/"},
			nginx.Options{Mode: nginx.Compat}, nil},
		{"ingress-nginx#12917 unless validation is off", values{"proxy-redirect-from": "~^/(.+)/", "proxy-redirect-to": "/$1/"},
			nginx.Options{Mode: nginx.Compat, SkipValidation: true}, location("~^/(.+)/", "/$1/")},
		{"an expression, which is refused too", values{"proxy-redirect-from": "~^/a", "proxy-redirect-to": "/b", "proxy-cookie-path": "~^/a /b"}, nginx.Options{Mode: nginx.Compat}, nil},
		{"text, which is not", values{"proxy-redirect-from": "http://web:8080/two/", "proxy-redirect-to": "/one/"}, nginx.Options{Mode: nginx.Compat}, location("http://web:8080/two/", "/one/")},
		{"text", values{"proxy-redirect-from": "http://web:8080/two/", "proxy-redirect-to": "/one/"}, nginx.Options{}, location("http://web:8080/two/", "/one/")},
		{"off", values{"proxy-redirect-from": "off", "proxy-redirect-to": "/one/"}, nginx.Options{}, nil},
		{"default", values{"proxy-redirect-from": "default"}, nginx.Options{}, nil},
		{"cookies", values{"proxy-cookie-path": "/one  /", "proxy-cookie-domain": "internal example.com"}, nginx.Options{}, []rewrite.Mapping{
			{Kind: rewrite.MapCookiePath, From: "/one", To: "/"},
			{Kind: rewrite.MapCookieDomain, From: "internal", To: "example.com"},
		}},
		{"a tab", values{"proxy-cookie-path": "/one\t/"}, nginx.Options{}, []rewrite.Mapping{{Kind: rewrite.MapCookiePath, From: "/one", To: "/"}}},
		{"cookies off", values{"proxy-cookie-path": "off", "proxy-cookie-domain": "off"}, nginx.Options{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, entry(t, c.annotations, &c.opts).Back) })
	}
}

func TestBackends(t *testing.T) {
	b := entry(t, map[string]string{
		"backend-protocol": "HTTPS", "proxy-ssl-secret": "shop/ca", "proxy-ssl-name": "internal.example.com", "proxy-ssl-server-name": "on",
	}, nil).Backends[0]
	assert.Equal(t, ingress.Backend{
		Service: ingress.Service{Namespace: "shop", Name: "web", Port: 80}, Upstream: "web.shop.svc.cluster.local:80",
		Scheme: "https", CASecret: "ca", SNI: "internal.example.com", Weight: 1,
	}, b)
	b = entry(t, map[string]string{"backend-protocol": "GRPCS", "proxy-ssl-name": "internal.example.com"}, nil).Backends[0]
	assert.Equal(t, []string{"https", ""}, []string{b.Scheme, b.SNI}, "a server name is sent only if proxy-ssl-server-name is on")
}

func TestBodySize(t *testing.T) {
	for value, want := range map[string]int64{"": 0, "0": -1, "10": 10, "10b": 10, "8m": 8 << 20, "1G": 1 << 30, "10kb": 0, "b": 0, "-1": 0} {
		assert.Equal(t, want, entry(t, map[string]string{"proxy-body-size": value}, nil).MaxBodySize, value)
	}
}

func TestCORS(t *testing.T) {
	show := func(annotations map[string]string) string {
		annotations["enable-cors"] = "true"
		s := ""
		for _, h := range entry(t, annotations, nil).ResponseHeaders {
			s += fmt.Sprintln(h.Op, h.Name, h.Value)
		}
		return s
	}
	assert.Equal(t, `set Access-Control-Allow-Origin *
set Access-Control-Allow-Credentials true
set Access-Control-Allow-Methods GET, PUT, POST, DELETE, PATCH, OPTIONS
set Access-Control-Allow-Headers DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization
set Access-Control-Max-Age 1728000
`, show(map[string]string{}))
	assert.Equal(t, `set Access-Control-Allow-Origin https://a.example.com
add Vary Origin
set Access-Control-Allow-Methods GET
set Access-Control-Allow-Headers X-A
set Access-Control-Expose-Headers X-B
set Access-Control-Max-Age 60
`, show(map[string]string{
		"cors-allow-origin": "https://a.example.com", "cors-allow-methods": "GET", "cors-allow-headers": "X-A",
		"cors-expose-headers": "X-B", "cors-allow-credentials": "false", "cors-max-age": "60",
	}))
	assert.Empty(t, show(map[string]string{"cors-allow-origin": "https://*.example.com"}))
}

func TestHeadersOfSnippets(t *testing.T) {
	e := entry(t, map[string]string{"configuration-snippet": `
		# what follows is a comment; it says "nothing
		more_set_headers "X-A: b c" 'X-B: "d"' "X-C:" X-D;
		add_header X-E f always;
		add_header X-F "";
		proxy_set_header X-G "";
		proxy_set_header X-H i;
		proxy_set_header Host internal:8080;
	`}, nil)
	assert.Equal(t, []ingress.HeaderOp{
		{Name: "X-A", Value: "b c"}, {Name: "X-B", Value: `"d"`}, {Op: ingress.RemoveHeader, Name: "X-C"}, {Op: ingress.RemoveHeader, Name: "X-D"},
		{Op: ingress.AddHeader, Name: "X-E", Value: "f"},
	}, e.ResponseHeaders)
	assert.Equal(t, []ingress.HeaderOp{{Op: ingress.RemoveHeader, Name: "X-G"}, {Name: "X-H", Value: "i"}}, e.RequestHeaders)
	assert.Equal(t, `SetHost("internal:8080")`, actions(e.Rules))
}

// TestPathVariables: the variables that say which path it is are text in a header
// field, of each path its own; the others cannot be said. A name may be in braces.
func TestPathVariables(t *testing.T) {
	line := "proxy_set_header l5d-dst-override ${service_name}.$namespace.svc.cluster.local:$service_port; add_header X-By $ingress_name; proxy_set_header X-Id $request_id;"
	in := named("web", "h", map[string]string{"configuration-snippet": line}, "Prefix /a", "Prefix /b")
	in.Rules[0].Paths[1].Backend = &ingress.BackendRef{Service: "other", Port: 8080}
	got := nginx.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	require.Len(t, got.Entries, 2)
	for i, want := range []string{"web.shop.svc.cluster.local:80", "other.shop.svc.cluster.local:8080"} {
		assert.Equal(t, []ingress.HeaderOp{{Name: "l5d-dst-override", Value: want}}, got.Entries[i].RequestHeaders)
		assert.Equal(t, []ingress.HeaderOp{{Op: ingress.AddHeader, Name: "X-By", Value: "web"}}, got.Entries[i].ResponseHeaders)
	}
	assert.Equal(t, strings.Index(line, "proxy_set_header X-Id"), find(t, got.Problems, nginx.CodeVariable).Origin.Offset)

	in.Rules[0].Paths[1].Backend.Service = "a\r\nX-Evil: b"
	got = nginx.New(nil).Rewrite([]*ingress.Ingress{in}, nil)
	require.Len(t, got.Entries, 2)
	assert.Equal(t, []ingress.HeaderOp{{Name: "l5d-dst-override"}}, got.Entries[1].RequestHeaders)
}

// TestSources: an entry's Source says from which path it came and what part of
// it the entry is, and its rules say which annotation asked for them.
func TestSources(t *testing.T) {
	stable := made(map[string]string{
		"rewrite-target": "/$2", "force-ssl-redirect": "true", "app-root": "/app", "server-alias": "alias",
		"from-to-www-redirect": "true", "upstream-vhost": "internal",
	}, "/p(/|$)(.*)")
	canary := made(map[string]string{"canary": "true", "canary-weight": "5", "canary-by-header": "X-C", "canary-by-cookie": "c"}, "/p(/|$)(.*)")
	canary.Name = "canary"
	canary.Rules[0].Paths[0].Backend = &ingress.BackendRef{Service: "canary", Port: 80}
	got := nginx.New(nil).Rewrite([]*ingress.Ingress{stable, canary}, nil)
	s := ""
	for _, e := range got.Entries {
		s += e.Source.String() + ": " + e.Pattern.String()
		if e.When.Scheme != "" {
			s += " " + e.When.Scheme
		}
		for _, c := range append(e.When.Headers, e.When.Cookies...) {
			s += " " + c.String()
		}
		for _, b := range e.Backends {
			s += fmt.Sprintf(" %s*%d", b.Service.Name, b.Weight)
		}
		s += "\n"
	}
	const at = "Ingress shop/web rules[0].paths[0]"
	assert.Equal(t, at+` (app-root,https): h/ Exact http
`+at+` (app-root): h/ Exact
`+at+` (app-root,https,alias=alias): alias/ Exact http
`+at+` (app-root,alias=alias): alias/ Exact
`+at+` (www): www.h/ Prefix
`+at+` (https): h/p Prefix http
`+at+` (canary-header-always): h/p Prefix X-C Equals "always" canary*1
`+at+` (canary-header-never): h/p Prefix X-C Equals "never" web*1
`+at+` (canary-cookie-always): h/p Prefix c Equals "always" canary*1
`+at+` (canary-cookie-never): h/p Prefix c Equals "never" web*1
`+at+`: h/p Prefix web*95 canary*5
`+at+` (https,alias=alias): alias/p Prefix http
`+at+` (canary-header-always,alias=alias): alias/p Prefix X-C Equals "always" canary*1
`+at+` (canary-header-never,alias=alias): alias/p Prefix X-C Equals "never" web*1
`+at+` (canary-cookie-always,alias=alias): alias/p Prefix c Equals "always" canary*1
`+at+` (canary-cookie-never,alias=alias): alias/p Prefix c Equals "never" web*1
`+at+` (alias=alias): alias/p Prefix web*95 canary*5
`, s)
	for _, e := range got.Entries {
		for _, r := range e.Rules {
			assert.Contains(t, []string{prefix + "rewrite-target", prefix + "upstream-vhost"}, r.Origin.Key)
		}
	}
}

// TestCanaryWeights: clamped and, for a total that is too great, scaled.
func TestCanaryWeights(t *testing.T) {
	for _, c := range []struct {
		weight, total  string
		strict, compat string
	}{
		{"30", "", "70 30", "70 30"},
		{"5", "10", "5 5", "95 5"},
		{"50", "10", "0 10", "50 50"},
		{"150", "", "0 100", "0 100"},
		{"-1", "", "100 0", "100 0"},
		{"x", "", "100 0", "100 0"},
		{"1", "0", "99 1", "99 1"},
		{"1", "x", "99 1", "99 1"},
		{"1", "1000", "999 1", "999 1"},
		{"2000000", "4000000", "500000 500000", "500000 500000"},
		{"2147483647", "2147483647", "0 1000000", "0 1000000"},
		{"1", "2147483647", "1000000 0", "1000000 0"},
	} {
		t.Run(c.weight+" of "+c.total, func(t *testing.T) {
			for mode, want := range map[nginx.Mode]string{nginx.Strict: c.strict, nginx.Compat: c.compat} {
				canary := made(map[string]string{"canary": "true", "canary-weight": c.weight, "canary-weight-total": c.total})
				canary.Name = "canary"
				canary.Rules[0].Paths[0].Backend = &ingress.BackendRef{Service: "canary", Port: 80}
				got := nginx.New(&nginx.Options{Mode: mode}).Rewrite([]*ingress.Ingress{made(nil), canary}, nil)
				require.Len(t, got.Entries, 1)
				for _, p := range got.Problems {
					assert.NotEqual(t, nginx.CodeCanaryIgnored, p.Code)
				}
				b := got.Entries[0].Backends
				assert.Equal(t, want, fmt.Sprint(b[0].Weight, b[1].Weight), mode)
			}
		})
	}
}

// TestCanaryOfTheFirst: of two ordinary Ingresses of one path the first has it,
// and its canary.
func TestCanaryOfTheFirst(t *testing.T) {
	second, canary := made(nil), made(map[string]string{"canary": "true", "canary-by-header": "X-C", "canary-by-header-value": "beta"})
	second.Name, canary.Name = "second", "canary"
	canary.Rules[0].Paths[0].Backend = &ingress.BackendRef{Service: "canary", Port: 80}
	got := nginx.New(nil).Rewrite([]*ingress.Ingress{made(nil), second, canary}, nil)
	assert.Empty(t, got.Problems)
	var backends []int
	for _, e := range got.Entries {
		backends = append(backends, len(e.Backends))
	}
	assert.Equal(t, []int{1, 2, 1}, backends, "the one with the header, the others, and the second Ingress")
}
