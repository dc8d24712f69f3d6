package nginx_test

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// BenchmarkRewrite translates ten thousand Ingresses, each with a host of its
// own, or all with one.
func BenchmarkRewrite(b *testing.B) {
	const n = 10_000
	for _, c := range []struct {
		name        string
		annotations map[string]string
		path        string
		oneHost     bool
	}{
		{"plain", nil, "/p", false},
		{"rewrite", map[string]string{prefix + "rewrite-target": "/$2", prefix + "use-regex": "true", prefix + "proxy-read-timeout": "60"}, "/p(/|$)(.*)", false},
		{"rewrite-one-host", map[string]string{prefix + "rewrite-target": "/$2"}, "/p%d(/|$)(.*)", true},
		{"snippet", map[string]string{prefix + "configuration-snippet": "rewrite ^/a/(.*)$ /b/$1 break;\nmore_set_headers 'X-A: b';"}, "/p", false},
	} {
		list := make([]*ingress.Ingress, n)
		for i := range list {
			host, path := fmt.Sprintf("h%d.example.com", i), c.path
			if c.oneHost {
				host, path = "example.com", fmt.Sprintf(c.path, i)
			}
			list[i] = &ingress.Ingress{
				Namespace: "default", Name: fmt.Sprintf("web-%d", i), ClassName: "nginx", Annotations: c.annotations,
				Rules: []ingress.Rule{{Host: host, Paths: []ingress.Path{
					{Path: path, Type: "ImplementationSpecific", Backend: &ingress.BackendRef{Service: "web", Port: 80}},
				}}},
			}
		}
		for _, mode := range []nginx.Mode{nginx.Strict, nginx.Compat} {
			b.Run(c.name+"/"+mode.String(), func(b *testing.B) {
				b.ReportAllocs()
				rewriter := nginx.New(&nginx.Options{Mode: mode})
				for b.Loop() {
					if got := rewriter.Rewrite(list, nil); len(got.Entries) != n {
						b.Fatalf("%d entries", len(got.Entries))
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/Ingress")
			})
		}
	}
}
