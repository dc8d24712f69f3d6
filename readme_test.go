// The programs of the README, and that the README has them.

package readdress_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
	"github.com/readdress/readdress/split"
	"github.com/readdress/readdress/visibility"
)

func Example() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api")},
		{Action: rewrite.DeleteQuery("token")},
	}, nil)
	for _, path := range []string{"/api/a%2Fb", "/%61pi/users", "/apix/users", "/api/../admin"} {
		u := rewrite.URL{Scheme: "https", Host: "shop.example", Path: path, RawQuery: "a=1;b=2&%74oken=x"}
		err := new(rewrite.Input).Clean(&u, nil) // once per request: what a listener accepts
		if err == nil {
			_, err = program.Apply(rewrite.AfterLocation, &u, nil)
		}
		fmt.Println(u, err)
	}
	// Output:
	// https://shop.example/a%2Fb?a=1;b=2 <nil>
	// https://shop.example/users?a=1;b=2 <nil>
	// https://shop.example/apix/users?a=1;b=2 <nil>
	// https://shop.example/api/../admin?a=1;b=2&%74oken=x rewrite: path has a dot-segment
}

// From manifests to a backend, and why it is this one.
func Example_manifests() {
	const rules = `{"ingressClassName": "nginx", "rules": [{"host": "shop.example", "http": {"paths": [
		{"path": "/api(/|$)(.*)", "pathType": "ImplementationSpecific", "backend": {"service": {"name": "NAME", "port": {"number": 80}}}}
	]}}]}`
	data := []byte(`[
		{"kind": "Ingress", "metadata": {"name": "api", "annotations": {
			"nginx.ingress.kubernetes.io/rewrite-target": "/$2",
			"nginx.ingress.kubernetes.io/use-regex": "true"
		}}, "spec": ` + strings.Replace(rules, "NAME", "v1", 1) + `},
		{"kind": "Ingress", "metadata": {"name": "canary", "annotations": {
			"nginx.ingress.kubernetes.io/canary": "true",
			"nginx.ingress.kubernetes.io/canary-weight": "20"
		}}, "spec": ` + strings.Replace(rules, "NAME", "v2", 1) + `}
	]`)

	var ingresses []*ingress.Ingress
	if err := json.Unmarshal(data, &ingresses); err != nil {
		log.Fatal(err)
	}
	dispatcher, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(nil)})
	if err != nil {
		log.Fatal(err)
	}
	type site struct {
		*ingress.Compiled
		picker *split.Picker
	}
	result := dispatcher.Dispatch(ingresses, nil)
	table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, c *ingress.Compiled) (*site, error) {
		var backends []split.Backend
		for _, b := range e.Backends {
			backends = append(backends, split.Backend{Name: b.Upstream, Weight: b.Weight, Invalid: b.Invalid})
		}
		picker, err := split.New(backends, nil)
		return &site{c, picker}, err
	})
	for _, p := range append(result.Problems, problems...) {
		fmt.Println(p.Error()) // where, what, and what to write instead; the rest is served
	}

	u := rewrite.URL{Scheme: "https", Host: "shop.example", Path: "/api/a%2Fb"} // clean
	for candidate := range table.Explain(&u, nil) {
		fmt.Println(candidate)
	}
	s, _, err := table.Route(&u, nil, func(s *site) *rewrite.Program { return s.Program }, nil)
	if err != nil {
		log.Fatal(err) // for a client: 404 if it is route.ErrNoRoute, else 400
	}
	steps, _, _ := s.Program.Explain(rewrite.AfterLocation, u) // as Apply does; a refusal is the last step
	for _, step := range steps {
		fmt.Println(step.Action, step.Code, step.After)
	}
	i, err := s.picker.Pick() // an error is answered with 500
	fmt.Println("backend", i, err)
	// Output:
	// note: Ingress default/api rules[0].paths[0]: path: nginx-regex-prefix: in Compat, it is compared without letter case, and has no end unless it ends in $; here letter case counts
	// route 0 shop.example/api Prefix: chosen
	// TrimPathPrefix("/api") changed https://shop.example/a%2Fb
	// backend 0 <nil>
}

// Which services a client finds, and why not the others.
func Example_visibility() {
	namespaces := map[string]map[string]string{
		"team-a":       {"kubernetes.io/metadata.name": "team-a"},
		"istio-system": {"kubernetes.io/metadata.name": "istio-system"},
	}
	entries := []visibility.Entry{
		{Ref: visibility.Ref{Namespace: "istio-system", Name: "github"}, Hosts: []string{"github.com"}},
		{Ref: visibility.Ref{Namespace: "team-a", Name: "ledger"}, Hosts: []string{"ledger.example"}},
	}

	resolver, err := visibility.Compile(visibility.RootNamespace("istio-system")) // or what ParseConfig reads
	if err != nil {
		log.Fatal(err)
	}
	index, err := visibility.NewIndex(resolver, namespaces, entries, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, host := range []string{"github.com", "ledger.example"} {
		for _, client := range []string{"team-a", "team-b"} {
			ref, found := index.LookupHost(host, client)
			fmt.Println(host, "from", client, found, ref, index.Explain(host, client).Reason)
		}
	}
	// Output:
	// github.com from team-a true ServiceEntry istio-system/github canonical
	// github.com from team-b true ServiceEntry istio-system/github canonical
	// ledger.example from team-a true ServiceEntry team-a/ledger own-namespace
	// ledger.example from team-b false none hidden-namespace
}

// TestReadmePrograms holds each Go block of the README, and each output, against
// the examples, which go test runs.
func TestReadmePrograms(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	examples := read("readme_test.go") + read("rewrite/rewritehttp/example_test.go")
	blocks := strings.Split("\n"+read("README.md"), "\n```")
	programs, outputs := 0, 0
	for i := 1; i < len(blocks); i += 2 {
		language, text, _ := strings.Cut(blocks[i], "\n")
		indent := "\n\t"
		switch language {
		case "go":
			programs++
		case "text":
			outputs++
			indent = "\n\t// "
		default:
			continue
		}
		if want := strings.ReplaceAll("\n"+text, "\n", indent) + "\n"; !strings.Contains(examples, want) {
			t.Errorf("README.md has a block that no example has:\n%s", text)
		}
	}
	if programs == 0 || outputs == 0 {
		t.Errorf("README.md has %d Go blocks and %d outputs", programs, outputs)
	}
}
