package nginx_test

import (
	"fmt"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

func ExampleNew() {
	in := &ingress.Ingress{
		Name: "shop", ClassName: "nginx",
		Annotations: map[string]string{"nginx.ingress.kubernetes.io/rewrite-target": "/$2"},
		Rules: []ingress.Rule{{Host: "example.com", Paths: []ingress.Path{{
			Path: "/shop(/|$)(.*)", Type: "ImplementationSpecific",
			Backend: &ingress.BackendRef{Service: "shop", Port: 8080},
		}}}},
	}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(nil)})
	if err != nil {
		panic(err)
	}
	result := d.Dispatch([]*ingress.Ingress{in}, nil)
	for _, e := range result.Entries {
		fmt.Println(e.Pattern, e.Rules[0].Action, e.Backends[0].Upstream)
	}
	// Output:
	// example.com/shop Prefix TrimPathPrefix("/shop") shop.default.svc.cluster.local:8080
}

// A regular expression of the Perl kind that RE2 does not have is refused, with
// what to write instead.
func ExampleNew_exclusion() {
	in := &ingress.Ingress{
		Name: "api", ClassName: "nginx",
		Annotations: map[string]string{"nginx.ingress.kubernetes.io/use-regex": "true"},
		Rules: []ingress.Rule{{Host: "example.com", Paths: []ingress.Path{{
			Path: "/api/((?!admin|debug).*)", Type: "ImplementationSpecific",
			Backend: &ingress.BackendRef{Service: "api", Port: 80},
		}}}},
	}
	t := nginx.New(&nginx.Options{Mode: nginx.Strict}).Rewrite([]*ingress.Ingress{in}, nil)
	for i := range t.Problems {
		fmt.Println(t.Problems[i].Error())
	}
	// Output:
	// error: Ingress default/api rules[0].paths[0]: path at offset 6: nginx-regex: path /api/((?!admin|debug).*): RE2 has no negative lookahead: (?! at offset 6; write the path /api/(.*) here, and for what it excludes routes of their own, /api/admin and /api/debug, which win because they are longer: give them the backend that is to have these requests, or one that answers 404
}

func ExampleMode_String() {
	fmt.Println(nginx.Strict, nginx.Compat)
	// Output: strict compat
}
