// How long ten thousand Ingresses take.

package traefik_test

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/traefik"
)

func BenchmarkRewrite(b *testing.B) {
	const n = 10_000
	cluster := world{
		"default/strip": `{"stripPrefix": {"prefixes": ["/api"]}}`,
		"default/https": `{"redirectScheme": {"scheme": "https"}}`,
		"default/regex": `{"replacePathRegex": {"regex": "^/api/(.*)", "replacement": "/v2/$1"}}`,
	}.cluster()
	for _, c := range []struct {
		name        string
		annotations map[string]string
	}{
		{"plain", nil},
		{"stripPrefix", map[string]string{middlewares: "default-https@kubernetescrd,default-strip@kubernetescrd"}},
		{"replacePathRegex", map[string]string{middlewares: "default-regex@kubernetescrd"}},
		{"version 1", map[string]string{"traefik.ingress.kubernetes.io/rule-type": "PathPrefixStrip"}},
	} {
		list := make([]*ingress.Ingress, n)
		for i := range list {
			list[i] = web("/api", "Prefix", c.annotations)
			list[i].Name, list[i].Rules[0].Host = fmt.Sprintf("web-%d", i), fmt.Sprintf("h%d.example.com", i)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			rewriter := traefik.New(nil)
			for b.Loop() {
				if got := rewriter.Rewrite(list, cluster); len(got.Entries) < n {
					b.Fatal(got.Problems[0].Error())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/Ingress")
		})
	}
}
