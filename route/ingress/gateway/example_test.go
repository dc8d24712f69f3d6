package gateway_test

import (
	"encoding/json"
	"fmt"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

// A prefix is cut, one request in ten goes to the canary, and a filter that is
// not supported is no reason to serve without it.
func ExampleTranslate() {
	var r gateway.HTTPRoute
	err := json.Unmarshal([]byte(`{
		"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute",
		"metadata": {"namespace": "shop", "name": "web"},
		"spec": {"hostnames": ["shop.example.com"], "rules": [
			{
				"matches": [{"path": {"type": "PathPrefix", "value": "/api"}}],
				"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}],
				"backendRefs": [{"name": "api", "port": 80, "weight": 9}, {"name": "canary", "port": 80}]
			},
			{
				"matches": [{"path": {"type": "PathPrefix", "value": "/admin"}}],
				"filters": [{"type": "ExternalAuth"}],
				"backendRefs": [{"name": "admin", "port": 80}]
			}
		]}
	}`), &r)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := gateway.Translate([]*gateway.HTTPRoute{&r}, nil)
	for _, e := range t.Entries {
		fmt.Println(e.Pattern)
		for _, rule := range e.Rules {
			fmt.Println(" ", rule.Action)
		}
		for _, b := range e.Backends {
			fmt.Println(" ", b.Weight, b.Upstream, b.Invalid)
		}
	}
	for _, p := range t.Problems {
		fmt.Println(p.Origin.Key, p.Code)
	}
	// Output:
	// shop.example.com/api Prefix
	//   TrimPathPrefix("/api")
	//   9 api.shop.svc.cluster.local:80 false
	//   1 canary.shop.svc.cluster.local:80 false
	// shop.example.com/admin Prefix
	//   1  true
	// spec.rules[1].filters[0].type gateway-filter
}

// An Ingress with captures, as an HTTPRoute; a condition on a cookie, which no
// HTTPRoute can have.
func ExampleWrite() {
	at := ingress.Source{Kind: "Ingress", Namespace: "shop", Name: "web"}
	backends := []ingress.Backend{{Service: ingress.Service{Namespace: "shop", Name: "app", Port: 80}, Weight: 1}}
	canary := at
	canary.Part = "canary"
	routes, problems := gateway.Write([]ingress.Entry{
		{
			Source: at, Pattern: route.Pattern{Host: "shop.example.com", Path: "/app(/|$)(.*)", Type: route.Regex}, Backends: backends,
			Rules: []rewrite.Rule{{Action: rewrite.RewritePath("^/app(/|$)(.*)", "/$2")}},
		},
		{
			Source: canary, Pattern: route.Pattern{Host: "shop.example.com", Path: "/app"}, Backends: backends,
			When: route.Conditions{Cookies: []route.Condition{{Name: "canary", Value: "always"}}},
		},
	}, &gateway.WriteOptions{Parents: []gateway.ParentRef{{Name: "public"}}})
	text, err := json.MarshalIndent(routes[0], "", "  ")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	for _, p := range problems {
		fmt.Println(p.Error())
	}
	// Output:
	// {
	//   "apiVersion": "gateway.networking.k8s.io/v1",
	//   "kind": "HTTPRoute",
	//   "metadata": {
	//     "namespace": "shop",
	//     "name": "web-shop-example-com"
	//   },
	//   "spec": {
	//     "parentRefs": [
	//       {
	//         "name": "public"
	//       }
	//     ],
	//     "hostnames": [
	//       "shop.example.com"
	//     ],
	//     "rules": [
	//       {
	//         "matches": [
	//           {
	//             "path": {
	//               "type": "PathPrefix",
	//               "value": "/app"
	//             }
	//           }
	//         ],
	//         "filters": [
	//           {
	//             "type": "URLRewrite",
	//             "urlRewrite": {
	//               "path": {
	//                 "type": "ReplacePrefixMatch",
	//                 "replacePrefixMatch": "/"
	//               }
	//             }
	//           }
	//         ],
	//         "backendRefs": [
	//           {
	//             "name": "app",
	//             "port": 80
	//           }
	//         ]
	//       }
	//     ]
	//   }
	// }
	// error: Ingress shop/web rules[0].paths[0] (canary): gateway-unsayable: there are no conditions on cookies: the entry is left out
}
