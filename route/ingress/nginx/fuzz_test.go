package nginx_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// FuzzRewrite: whatever a tenant writes, there is no panic, the same input gives
// the same output, every problem says where it is, and an Ingress that comes
// before it is served still, also on the same host: name decides between equals.
func FuzzRewrite(f *testing.F) {
	type seed struct{ annotations, path, pathType, host string }
	for _, s := range []seed{
		{"rewrite-target=/$2", "/p(/|$)(.*)", "ImplementationSpecific", "h"},
		{"rewrite-target=https://$host/$1?", "/((?!a|b).*)", "Prefix", "*.h"},
		{"configuration-snippet=rewrite ^/a$ /b; rewrite (b) \"/c$1?x\" last; if (x) { a {b} }", "/", "", ""},
		{"configuration-snippet=rewrite ^/a/(.)$ $scheme://h/$1 permanent;#", "/a", "Exact", "h"},
		{"server-snippet=return 301 https://x$request_uri;\nmore_set_headers 'A: b' \"C\";", "/a/", "Prefix", "h"},
		{"canary=true\ncanary-weight=3000000\ncanary-weight-total=9223372036854775807\ncanary-by-header=X\ncanary-by-header-pattern=^a++", "/x", "Prefix", "good"},
		{"server-alias=*.a, ~^b,c, c\nfrom-to-www-redirect=1\nforce-ssl-redirect=t\napp-root=/a?b", "/", "Prefix", "www.h"},
		{"permanent-redirect=//$request_uri\nrelative-redirects=true\npermanent-redirect-code=-1", "/[a", "ImplementationSpecific", "h"},
		{"proxy-cookie-path=~^/(.+)$ /$1\nproxy-redirect-from=~*(\nproxy-redirect-to=/\nupstream-vhost=$service_name.$x", "/é{2}", "ImplementationSpecific", "é.h"},
		{"auth-tls-secret=x\nserver-alias=b,good", "/api?(?!x)", "ImplementationSpecific", "good"},
		{"configuration-snippet=rewrite ^/a(/.*|b)*$ $1/x redirect; rewrite ^ /c;\nuse-regex=true", "/", "Prefix", "h"},
		{"use-regex=true", "/{3}", "ImplementationSpecific", "h"},
		{"use-regex=true", "/?+*a|b", "ImplementationSpecific", "h"},
	} {
		f.Add(s.annotations, s.path, s.pathType, s.host, true)
		f.Add(s.annotations, s.path, s.pathType, s.host, false)
	}
	f.Fuzz(func(t *testing.T, annotations, path, pathType, host string, compat bool) {
		made := func(name, host, path, pathType string) *ingress.Ingress {
			return &ingress.Ingress{Namespace: "n", Name: name, ClassName: "nginx", Rules: []ingress.Rule{{Host: host, Paths: []ingress.Path{
				{Path: path, Type: pathType, Backend: &ingress.BackendRef{Service: name, Port: 80}},
				{Path: path + "x", Type: pathType, Backend: &ingress.BackendRef{Service: name, PortName: "http"}},
			}}}}
		}
		good, rude := made("good", "good", "/x", "Prefix"), made("rude", host, path, pathType)
		rude.Annotations = map[string]string{}
		for line := range strings.SplitSeq(annotations, "\n") {
			name, value, _ := strings.Cut(line, "=")
			rude.Annotations[prefix+name] = value
		}
		opts := &nginx.Options{SkipValidation: len(annotations)%2 == 0}
		if compat {
			opts.Mode = nginx.Compat
		}
		d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(opts)})
		if err != nil {
			t.Fatal(err)
		}
		list := []*ingress.Ingress{good, rude}
		got := d.Dispatch(list, nil)
		if again := d.Dispatch(list, nil); !reflect.DeepEqual(got, again) {
			t.Fatalf("%v, and then %v", got, again)
		}
		const badVerb = "%!" // of package fmt, unless the input is quoted
		quoted := strings.Contains(annotations+"\n"+path+"\n"+pathType+"\n"+host, badVerb)
		for _, p := range got.Problems {
			if p.Source.Name == "" || p.Code == "" || p.Detail == "" && p.Err == nil || !quoted && strings.Contains(p.Detail, badVerb) {
				t.Fatalf("a problem says too little: %+v", p)
			}
		}
		served := false
		for _, e := range got.Entries {
			served = served || e.Source.Name == "good" && len(e.Backends) > 0
		}
		if !served {
			t.Fatalf("the Ingress before it is not served: %v", got.Problems)
		}
		ingress.Build(got.Entries, nil, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
	})
}
