package rewritehttp_test

import (
	"net/http"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

var benchTargets = []struct{ name, target string }{
	{"plain", "/api/v1/users/42?x=1"},
	{"escaped", "/api/v1/a%2Fb/caf%C3%A9?x=1"},
}

func BenchmarkURL(b *testing.B) {
	for _, c := range benchTargets {
		b.Run(c.name, func(b *testing.B) {
			r := read(b, "GET "+c.target)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rewritehttp.URL(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkApply(b *testing.B) {
	for _, c := range []struct {
		name, target string
		p            *rewrite.Program
	}{
		{"trim", "/api/v1/users/42?x=1", rules(rewrite.TrimPathPrefix("/api"))},
		{"trim-escaped", "/api/v1/a%2Fb?x=1", rules(rewrite.TrimPathPrefix("/api"))},
		{"add", "/v1/users/42?x=1", rules(rewrite.AddPathPrefix("/api"))},
		{"add-escaped", "/v1/a%2Fb?x=1", rules(rewrite.AddPathPrefix("/api"))},
		{"host-path-query", "/api/v1/users/42?x=1&token=2", rules(rewrite.SetHost("b.internal"), rewrite.TrimPathPrefix("/api"), rewrite.DeleteQuery("token"))},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := read(b, "GET "+c.target)
			host, u := r.Host, *r.URL
			b.ReportAllocs()
			for b.Loop() {
				r.Host, *r.URL = host, u
				if _, err := rewritehttp.Apply(c.p, rewrite.AfterLocation, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHandler compares with the handler of net/http that does least.
func BenchmarkHandler(b *testing.B) {
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, c := range []struct {
		name string
		h    http.Handler
	}{
		{"StripPrefix", http.StripPrefix("/api", next)},
		{"Middleware", rewritehttp.Middleware(rules(rewrite.TrimPathPrefix("/api")), rewrite.AfterLocation, nil, next)},
	} {
		for _, target := range benchTargets {
			b.Run(c.name+"/"+target.name, func(b *testing.B) {
				r := read(b, "GET "+target.target)
				b.ReportAllocs()
				for b.Loop() {
					c.h.ServeHTTP(nil, r)
				}
			})
		}
	}
}
