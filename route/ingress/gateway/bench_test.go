package gateway_test

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/route/ingress/gateway"
)

const benchRoutes = 10_000

func benchmarkRoutes(b *testing.B) []*gateway.HTTPRoute {
	routes := make([]*gateway.HTTPRoute, benchRoutes)
	for i := range routes {
		routes[i] = decode(b, fmt.Sprintf("route-%05d", i), prefixRule("/app", "/"))
		routes[i].Hostnames = []string{fmt.Sprintf("h%05d.example.com", i)}
	}
	return routes
}

// measure reports what f, which takes all routes, costs for each.
func measure(b *testing.B, f func() int) {
	allocs := testing.AllocsPerRun(1, func() { f() })
	b.ReportAllocs()
	for b.Loop() {
		if f() != benchRoutes {
			b.Fatal("some are missing")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRoutes, "ns/HTTPRoute")
	b.ReportMetric(allocs/benchRoutes, "allocs/HTTPRoute")
}

func BenchmarkTranslate(b *testing.B) {
	routes := benchmarkRoutes(b)
	measure(b, func() int { return len(gateway.Translate(routes, nil).Entries) })
}

func BenchmarkWrite(b *testing.B) {
	t := gateway.Translate(benchmarkRoutes(b), nil)
	measure(b, func() int {
		routes, _ := gateway.Write(t.Entries, nil)
		return len(routes)
	})
}
