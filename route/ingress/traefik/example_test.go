package traefik_test

// An example of an Ingress and the Middleware that it names.

import (
	"encoding/json"
	"fmt"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/traefik"
)

func ExampleNew() {
	const strip = `{"kind": "Middleware", "spec": {"stripPrefix": {"prefixes": ["/api"]}}}`
	cluster := &ingress.Cluster{Object: func(ref ingress.ObjectRef) ([]byte, bool) {
		return []byte(strip), ref == ingress.ObjectRef{Group: "traefik.io", Kind: "Middleware", Namespace: "default", Name: "strip"}
	}}
	var in ingress.Ingress
	err := json.Unmarshal([]byte(`{
		"kind": "Ingress",
		"metadata": {"name": "web", "annotations": {
			"traefik.ingress.kubernetes.io/router.middlewares": "default-strip@kubernetescrd"
		}},
		"spec": {"ingressClassName": "traefik", "rules": [{"host": "example.com", "http": {"paths": [
			{"path": "/api", "pathType": "Prefix", "backend": {"service": {"name": "api", "port": {"number": 80}}}}
		]}}]}
	}`), &in)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: traefik.New(nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func() {
		result := d.Dispatch([]*ingress.Ingress{&in}, cluster)
		for _, e := range result.Entries {
			fmt.Println(e.Pattern, e.Backends[0].Upstream, e.Backends[0].Invalid)
			for _, r := range e.Rules {
				fmt.Println(r.Action)
			}
		}
		for _, p := range result.Problems {
			fmt.Println(p.Error())
		}
	}
	show()
	in.Annotations["traefik.ingress.kubernetes.io/router.middlewares"] = "default-strip@file"
	show()
	// Output:
	// example.com/api Prefix api.default.svc.cluster.local:80 false
	// TrimPathPrefix("/api")
	// example.com/api Prefix  true
	// error: Ingress default/web: traefik.ingress.kubernetes.io/router.middlewares: traefik-middleware: "default-strip@file" is of provider "file", of which nothing is known: write a Middleware object, and namespace-name@kubernetescrd; the paths of this Ingress answer 500, so that no other path gets their requests; see Ingress default/web rules[0].paths[0]
}

func ExampleMode_String() {
	fmt.Println(traefik.Strict, traefik.Compat)
	// Output: strict compat
}
