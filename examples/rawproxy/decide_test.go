package main

import (
	"encoding/json"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

func demoRoutes(t testing.TB, upstreams map[string]string) *routes {
	t.Helper()
	var ingresses []*ingress.Ingress
	if err := json.Unmarshal(demo, &ingresses); err != nil {
		t.Fatal(err)
	}
	table, problems, err := load(ingresses, upstreams)
	if err != nil {
		t.Fatal(err)
	}
	for i := range problems {
		t.Error(problems[i].Error())
	}
	return table
}

func TestDecide(t *testing.T) {
	table := demoRoutes(t, nil)
	for _, test := range []struct {
		host, target string
		want         string
	}{
		{"shop.example", "/api/items?debug=1&page=2", "catalog.default.svc.cluster.local:80 http://shop.example/items?page=2"},
		{"SHOP.example:8081", "/api", "catalog.default.svc.cluster.local:80 http://SHOP.example:8081/"},
		{"shop.example", "http://shop.example/api/a%2Fb", "catalog.default.svc.cluster.local:80 http://shop.example/a%2Fb"},
		{"shop.example", "/coffee/1", "coffee-v1.default.svc.cluster.local:80 http://shop.example/coffee/1"},
		{"shop.example", "https://shop.example/account?x", "308 https://shop.example/account?x"},
		{"shop.example", "/account?x", "308 https://shop.example/account?x"},
		{"shop.example", "/apix", "404"},
		{"other.example", "/api", "404"},
		{"shop.example", "/api/../admin", "400"},
		{"shop.example", "*", "400"},
		{"a b", "/api", "400"},
	} {
		h := head{line: [3]string{"GET", test.target, "HTTP/1.1"}, host: test.host}
		d := decide(table, &h, nil)
		got := d.upstream + " " + d.url.String()
		switch {
		case d.location != "":
			got = "308 " + d.location
		case d.status == 404:
			got = "404"
		case d.status == 400:
			got = "400"
		}
		if got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.host, test.target, got, test.want)
		}
	}
}

// TestDecideAllocates holds the whole decision, of requests that are rewritten,
// split and refused, to no allocation.
func TestDecideAllocates(t *testing.T) {
	table := demoRoutes(t, nil)
	var scratch rewrite.Scratch
	for _, target := range []string{"/api/items?debug=1&page=2", "/coffee/1", "/apix", "/api/../x"} {
		h := head{line: [3]string{"GET", target, "HTTP/1.1"}, host: "Shop.Example:8081"}
		allocs := testing.AllocsPerRun(1000, func() {
			scratch.Reuse()
			decide(table, &h, &scratch)
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", target, allocs)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	table := demoRoutes(b, nil)
	var scratch rewrite.Scratch
	h := head{line: [3]string{"GET", "/api/items?debug=1&page=2", "HTTP/1.1"}, host: "shop.example"}
	b.ReportAllocs()
	for b.Loop() {
		scratch.Reuse()
		decide(table, &h, &scratch)
	}
}
