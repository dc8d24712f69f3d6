package contour_test

import (
	"encoding/json"
	"fmt"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/contour"
)

// A root includes the routes of a team, which cuts the prefix that it was given.
func ExampleTranslate() {
	var proxies []*contour.HTTPProxy
	err := json.Unmarshal([]byte(`[
		{"kind": "HTTPProxy", "metadata": {"namespace": "infra", "name": "shop"}, "spec": {
			"virtualhost": {"fqdn": "shop.example.com"},
			"includes": [{"name": "api", "namespace": "team", "conditions": [{"prefix": "/api"}]}]}},
		{"kind": "HTTPProxy", "metadata": {"namespace": "team", "name": "api"}, "spec": {
			"routes": [{
				"conditions": [{"prefix": "/v1/"}],
				"services": [{"name": "api", "port": 80, "weight": 9}, {"name": "canary", "port": 80, "weight": 1}],
				"pathRewritePolicy": {"replacePrefix": [{"prefix": "/api/v1/", "replacement": "/"}]}}]}}
	]`), &proxies)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := contour.Translate(proxies, nil)
	for _, e := range t.Entries {
		fmt.Println(e.Source)
		fmt.Println(e.Pattern, e.Rules[0].Action)
		for _, b := range e.Backends {
			fmt.Println(b.Weight, b.Upstream)
		}
	}
	// Output:
	// HTTPProxy team/api rules[0].paths[0] (shop.example.com/api/v1)
	// shop.example.com/api/v1 Prefix TrimPathPrefix("/api/v1")
	// 9 api.team.svc.cluster.local:80
	// 1 canary.team.svc.cluster.local:80
}

// In Compat a prefix with a final slash also matches what goes on in the segment.
func ExampleOptions_Translate() {
	proxies := []*contour.HTTPProxy{{
		Name: "shop", VirtualHost: &contour.VirtualHost{FQDN: "shop.example.com"},
		Routes: []contour.Route{{
			Conditions:        []contour.Condition{{Prefix: "/docs/"}},
			Services:          []contour.Service{{Name: "docs", Port: 80}},
			PathRewritePolicy: &contour.PathRewritePolicy{ReplacePrefix: []contour.ReplacePrefix{{Replacement: "/v1/"}}},
		}},
	}}
	for _, opts := range []*contour.Options{nil, {Mode: contour.Compat}} {
		t := opts.Translate(proxies, nil)
		fmt.Println(t.Entries[0].Pattern, t.Entries[0].Rules[0].Action)
		for _, p := range t.Problems {
			fmt.Println(p.Severity, p.Code)
		}
	}
	// Output:
	// shop.example.com/docs Prefix ReplacePathPrefix("/docs", "/v1")
	// shop.example.com/docs TextPrefix ReplacePathText("/docs", "/v1")
	// warning contour-trailing-slash
}

func ExampleNew() {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: contour.New(nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := d.Dispatch([]*ingress.Ingress{{
		Name: "web", ClassName: "contour",
		Annotations: map[string]string{"ingress.kubernetes.io/force-ssl-redirect": "true"},
		Rules: []ingress.Rule{{Host: "shop.example.com", Paths: []ingress.Path{
			{Path: "/img/[0-9]+", Type: "ImplementationSpecific", Backend: &ingress.BackendRef{Service: "web", Port: 80}},
		}}},
	}}, nil)
	for _, e := range result.Entries {
		fmt.Println(e.Pattern, e.When.Scheme, e.Redirect != nil)
	}
	// Output:
	// shop.example.com/img/[0-9]+\z Regex http true
	// shop.example.com/img/[0-9]+\z Regex  false
}
