package contour_test

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

const benchObjects = 10_000

func BenchmarkRewrite(b *testing.B) {
	list := make([]*ingress.Ingress, benchObjects)
	for i := range list {
		list[i] = made("/app", "Prefix", map[string]string{"ingress.kubernetes.io/force-ssl-redirect": "true"})
		list[i].Name, list[i].Rules[0].Host = fmt.Sprintf("web-%d", i), fmt.Sprintf("h%d.example.com", i)
	}
	rewriter := contour.New(nil)
	measure(b, "Ingress", func() int { return len(rewriter.Rewrite(list, nil).Entries) / 2 })
}

func BenchmarkTranslate(b *testing.B) {
	list := make([]*contour.HTTPProxy, benchObjects)
	for i := range list {
		list[i] = root(b, `{"conditions": [{"prefix": "/app/"}], `+service+`, "pathRewritePolicy": {"replacePrefix": [{"replacement": "/"}]}}`)
		list[i].Name, list[i].VirtualHost.FQDN = fmt.Sprintf("web-%d", i), fmt.Sprintf("h%d.example.com", i)
	}
	measure(b, "HTTPProxy", func() int { return len(contour.Translate(list, nil).Entries) })
}

// measure reports what f, which translates all objects, costs for each.
func measure(b *testing.B, object string, f func() int) {
	allocs := testing.AllocsPerRun(1, func() { f() })
	b.ReportAllocs()
	for b.Loop() {
		if f() != benchObjects {
			b.Fatal("some are not translated")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchObjects, "ns/"+object)
	b.ReportMetric(allocs/benchObjects, "allocs/"+object)
}
