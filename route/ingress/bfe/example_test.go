package bfe_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
)

func ExampleNew() {
	const manifest = `{
		"kind": "Ingress",
		"metadata": {
			"name": "shop",
			"annotations": {
				"bfe.ingress.kubernetes.io/rewrite-url.path-prefix-trim": "[{\"params\": \"/shop\"}]",
				"bfe.ingress.kubernetes.io/balance.weight": "{\"shop\": {\"blue\": 80, \"green\": 20}}",
				"bfe.ingress.kubernetes.io/router.heder": "X-Canary: yes"
			}
		},
		"spec": {
			"ingressClassName": "bfe",
			"rules": [{"host": "foo.com", "http": {"paths": [
				{"path": "/shop", "backend": {"service": {"name": "shop", "port": {"number": 80}}}}
			]}}]
		}
	}`
	var in ingress.Ingress
	if err := json.Unmarshal([]byte(manifest), &in); err != nil {
		log.Fatal(err)
	}
	dispatcher, err := ingress.NewDispatcher(ingress.Registration{Rewriter: bfe.New(nil)})
	if err != nil {
		log.Fatal(err)
	}
	result := dispatcher.Dispatch([]*ingress.Ingress{&in}, nil)
	for _, e := range result.Entries {
		fmt.Println(e.Pattern)
		for _, r := range e.Rules {
			fmt.Println(" ", r.Action)
		}
		for _, b := range e.Backends {
			fmt.Println(" ", b.Upstream, b.Weight)
		}
	}
	for i := range result.Problems {
		fmt.Println(&result.Problems[i])
	}
	// Output:
	// foo.com/shop Prefix
	//   TrimPathPrefix("/shop")
	//   blue.default.svc.cluster.local:80 80
	//   green.default.svc.cluster.local:80 20
	// warning: Ingress default/shop: bfe.ingress.kubernetes.io/router.heder: bfe-unknown: nothing reads this annotation: write bfe.ingress.kubernetes.io/router.header
}

func ExampleWrite() {
	entries := []ingress.Entry{{
		Pattern: route.Pattern{Host: "foo.com", Path: "/whoami"},
		Rules: []rewrite.Rule{
			{Action: rewrite.SetHost("bar.com")},
			{Action: rewrite.AddPathPrefix("/service")},
		},
	}}
	data, problems := bfe.Write(entries, nil)
	fmt.Print(string(data))
	fmt.Println(len(problems), "problems")
	// Output:
	// {
	//     "Version": "1",
	//     "Config": {
	//         "default": [
	//             {
	//                 "Cond": "req_host_in(\"foo.com\") && req_path_element_prefix_in(\"/whoami\", false)",
	//                 "Actions": [
	//                     {
	//                         "Cmd": "HOST_SET",
	//                         "Params": ["bar.com"]
	//                     },
	//                     {
	//                         "Cmd": "PATH_PREFIX_ADD",
	//                         "Params": ["/service/"]
	//                     }
	//                 ],
	//                 "Last": true
	//             }
	//         ]
	//     }
	// }
	// 0 problems
}

func ExampleRead() {
	const data = `{"Version": "1", "Config": {"default": [
		{"Cond": "req_host_in(\"foo.com|bar.com\") && req_path_element_prefix_in(\"/v1\", false)",
		 "Actions": [{"Cmd": "PATH_PREFIX_TRIM", "Params": ["/v1"]}], "Last": true},
		{"Cond": "req_method_in(\"POST\")", "Actions": [], "Last": true}
	]}}`
	entries, problems := bfe.Read([]byte(data), nil)
	for _, e := range entries {
		fmt.Println(e.Pattern, e.Rules[0].Action)
	}
	for i := range problems {
		fmt.Println(&problems[i])
	}
	// Output:
	// foo.com/v1 Prefix TrimPathPrefix("/v1")
	// bar.com/v1 Prefix TrimPathPrefix("/v1")
	// error: mod_rewrite default rules[1].paths[0]: rewrite.data at offset 225: bfe-cond: "req_method_in" cannot be said by an entry: write conditions on the host, the path, header fields and cookies; the rule is left out
}
