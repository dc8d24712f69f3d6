package haproxy_test

// An example of each reading.

import (
	"encoding/json"
	"fmt"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

func ExampleNew() {
	var in ingress.Ingress
	err := json.Unmarshal([]byte(`{
		"kind": "Ingress",
		"metadata": {"name": "web", "annotations": {
			"haproxy.org/path-rewrite": "/api(/|$)(.*) /\\2",
			"haproxy.org/set-host": "%[src]"
		}},
		"spec": {"ingressClassName": "haproxy", "rules": [{"host": "example.com", "http": {"paths": [
			{"path": "/api", "pathType": "Prefix", "backend": {"service": {"name": "api", "port": {"number": 80}}}}
		]}}]}
	}`), &in)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func() {
		result := d.Dispatch([]*ingress.Ingress{&in}, nil)
		for _, e := range result.Entries {
			fmt.Println(e.Pattern, e.Rules[0].Action, e.Backends[0].Upstream)
		}
		for _, p := range result.Problems {
			fmt.Println(p.Error())
		}
	}
	show()
	delete(in.Annotations, "haproxy.org/set-host")
	show()
	// Output:
	// error: Ingress default/web: haproxy.org/set-host: haproxy-expression: a log-format expression can only be evaluated by HAProxy: write the text itself, or %% for a percent sign; the paths of this Ingress are not served; see Ingress default/web rules[0].paths[0]
	// example.com/api Prefix TrimPathPrefix("/api") api.default.svc.cluster.local:80
}

func ExampleMode_String() {
	fmt.Println(haproxy.Strict, haproxy.Compat)
	// Output: strict compat
}
