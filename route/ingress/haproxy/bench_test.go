// How long ten thousand Ingresses take.

package haproxy_test

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

func BenchmarkRewrite(b *testing.B) {
	const n = 10_000
	for _, c := range []struct {
		name        string
		annotations map[string]string
	}{
		{"plain", nil},
		{"path-rewrite", map[string]string{"haproxy.org/path-rewrite": `/api/(.*) /\1`, "haproxy.org/ssl-redirect": "true", "haproxy.org/ssl-redirect-port": "443"}},
		{"rewrite-target", map[string]string{"haproxy-ingress.github.io/rewrite-target": "/", "haproxy-ingress.github.io/timeout-server": "5s"}},
	} {
		list := make([]*ingress.Ingress, n)
		for i := range list {
			list[i] = &ingress.Ingress{Name: fmt.Sprintf("web-%d", i), ClassName: "haproxy", Annotations: c.annotations, Rules: []ingress.Rule{{
				Host: fmt.Sprintf("h%d.example.com", i),
				Paths: []ingress.Path{
					{Path: "/api", Type: "Prefix", Backend: &ingress.BackendRef{Service: "api", Port: 80}},
				},
			}}}
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			rewriter := haproxy.New(nil)
			for b.Loop() {
				if got := rewriter.Rewrite(list, nil); len(got.Entries) < n {
					b.Fatal(got.Problems[0].Error())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/Ingress")
		})
	}
}
