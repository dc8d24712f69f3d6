package contour_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

// FuzzTranslate: whatever decodes makes entries that all build.
func FuzzTranslate(f *testing.F) {
	f.Add([]byte(`[{"spec": {"virtualhost": {"fqdn": "h"}, "routes": [{"conditions": [{"prefix": "/a/"}], "services": [{"name": "web", "port": 80}],
		"pathRewritePolicy": {"replacePrefix": [{"replacement": "/"}]}}]}}]`))
	f.Add([]byte(`[{"metadata": {"name": "a"}, "spec": {"virtualhost": {"fqdn": "*.h"}, "includes": [{"name": "b", "conditions": [{"prefix": "/a"}]}]}},
		{"metadata": {"name": "b"}, "spec": {"routes": [{"conditions": [{"regex": "/[a"}, {"header": {"name": "a", "regex": "b"}}]}, {"requestRedirectPolicy": {"prefix": "/x"}}]}}]`))
	f.Add([]byte(`[{"spec": {"virtualhost": {"fqdn": "h", "tls": {"secretName": "x"}}, "routes": [{"services": [{"name": "web"}],
		"cookieRewritePolicies": [{"pathRewrite": {"value": "$"}}], "requestHeadersPolicy": {"set": [{"name": "Host", "value": "%"}]}}]}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var proxies []*contour.HTTPProxy
		if json.Unmarshal(text, &proxies) != nil {
			return
		}
		for _, mode := range []contour.Mode{contour.Strict, contour.Compat} {
			got := (&contour.Options{Mode: mode}).Translate(proxies, nil)
			_, problems := ingress.Build(got.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (int, error) {
				_, err := rewrite.CompileMappings(e.Back, nil)
				return 0, err
			})
			for _, p := range problems {
				if p.Code != ingress.CodeShadowed {
					t.Fatalf("%s\n%s", p.Error(), text)
				}
			}
		}
	})
}

// A slow version of what Contour makes of a prefix and its replacement: the two
// routes, and Envoy's replacement of text, with one slash where there are two.
func contourReplaces(prefix, with, path string) (string, bool) {
	if prefix == "/" {
		return with + path[1:], true
	}
	trimmed := strings.TrimRight(prefix, "/")
	if rest, ok := strings.CutPrefix(path, trimmed+"/"); ok {
		return strings.TrimRight(with, "/") + "/" + rest, true
	}
	if rest, ok := strings.CutPrefix(path, trimmed); ok {
		short := strings.TrimRight(with, "/")
		if short == "" {
			short = "/"
		}
		return short + rest, true
	}
	return "", false
}

// FuzzReplacePrefix holds Compat against the two routes that Contour makes.
func FuzzReplacePrefix(f *testing.F) {
	for _, seed := range [][3]string{{"/foo", "/bar", "/foosball"}, {"/foo/", "/", "/foo"}, {"/", "/app", "/x"}, {"/a/b", "/c/", "/a/b//x"}} {
		f.Add(seed[0], seed[1], seed[2])
	}
	compat := &contour.Options{Mode: contour.Compat}
	f.Fuzz(func(t *testing.T, prefix, with, path string) {
		const plain = "/abcdefghijklmnopqrstuvwxyz"
		for _, s := range []string{prefix, with, path} {
			if !strings.HasPrefix(s, "/") || strings.Trim(s, plain) != "" || strings.HasPrefix(s, "//") {
				return
			}
		}
		if strings.Contains(prefix, "//") || strings.Contains(with, "//") {
			return
		}
		got := compat.Translate([]*contour.HTTPProxy{{Name: "web", VirtualHost: &contour.VirtualHost{FQDN: "h"}, Routes: []contour.Route{{
			Conditions:        []contour.Condition{{Prefix: prefix}},
			Services:          []contour.Service{{Name: "web", Port: 80}},
			PathRewritePolicy: &contour.PathRewritePolicy{ReplacePrefix: []contour.ReplacePrefix{{Replacement: with}}},
		}}}}, nil)
		want, ok := contourReplaces(prefix, with, path)
		for strings.HasPrefix(want, "//") { // which no rewrite here makes
			want = want[1:]
		}
		if want = "http://h" + want; !ok {
			want = "404"
		}
		if answer := ask(t, got.Entries, "http://h"+path, nil); answer != want {
			t.Errorf("%s replaced by %s in %s: %s; want %s", prefix, with, path, answer, want)
		}
	})
}
