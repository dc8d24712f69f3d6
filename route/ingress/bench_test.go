package ingress_test

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// many returns n Ingresses of two paths each, half of which a rewriter claims by
// class and half by annotations.
func many(n int) []*ingress.Ingress {
	list := make([]*ingress.Ingress, n)
	for i := range list {
		in := &ingress.Ingress{Namespace: fmt.Sprintf("team-%d", i%100), Name: fmt.Sprintf("app-%d", i), Rules: []ingress.Rule{
			{Host: fmt.Sprintf("app-%d.example.com", i), Paths: []ingress.Path{
				{Path: "/api", Type: "Prefix", Backend: service("api", 80)}, {Path: "/", Type: "Prefix", Backend: service("web", 80)},
			}},
		}}
		if i%2 == 0 {
			in.ClassName = "nginx"
		} else {
			in.Annotations = map[string]string{"nginx.ingress.kubernetes.io/x": "y"}
		}
		list[i] = in
	}
	return list
}

func BenchmarkDispatch(b *testing.B) {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: minimal{}})
	if err != nil {
		b.Fatal(err)
	}
	list := many(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if r := d.Dispatch(list, nil); len(r.Entries) != 20_000 {
			b.Fatal(len(r.Entries))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/Ingress")
}

func BenchmarkBuild(b *testing.B) {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: minimal{}})
	if err != nil {
		b.Fatal(err)
	}
	entries := d.Dispatch(many(10_000), nil).Entries
	for i := range entries {
		entries[i].Rules = []rewrite.Rule{{Action: rewrite.TrimPathPrefix("/api")}}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := ingress.Build(entries, nil, func(_ *ingress.Entry, c *ingress.Compiled) (*ingress.Compiled, error) { return c, nil }); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(entries)), "ns/entry")
}
