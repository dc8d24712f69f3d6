package ingress_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/split"
)

// minimal is the nginx-style rewriter of seed 003: it claims what nginx would,
// and makes an entry of each path of each host.
type minimal struct{}

func (minimal) Name() string { return "nginx" }

func (minimal) Match(in *ingress.Ingress, c *ingress.Cluster) bool {
	return c.Claims(in, []string{"nginx"}, []string{"nginx.ingress.kubernetes.io/"})
}

func (minimal) Rewrite(list []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	var t ingress.Translation
	for _, in := range list {
		rules, problems := c.Paths(in)
		t.Problems = append(t.Problems, problems...)
		for _, r := range rules {
			e := ingress.Entry{
				Source:   r.Source,
				Pattern:  route.Pattern{Host: r.Host, Path: r.Path},
				Backends: []ingress.Backend{r.Backend},
			}
			if r.Type == "Exact" {
				e.Pattern.Type = route.Exact
			}
			t.Entries = append(t.Entries, e)
		}
	}
	t.Entries = ingress.DefaultsLast(t.Entries)
	return t
}

const manifest = `{
	"kind": "Ingress",
	"metadata": {"namespace": "shop", "name": "web", "annotations": {"nginx.ingress.kubernetes.io/proxy-body-size": "8m"}},
	"spec": {"rules": [{"host": "app.example.com", "http": {"paths": [
		{"path": "/api", "pathType": "Prefix", "backend": {"service": {"name": "api", "port": {"number": 8080}}}},
		{"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "web", "port": {"name": "http"}}}}
	]}}]}
}`

func Example() {
	var in ingress.Ingress
	if err := json.Unmarshal([]byte(manifest), &in); err != nil {
		fmt.Println(err)
		return
	}
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: minimal{}, External: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := d.Dispatch([]*ingress.Ingress{&in}, nil)
	table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) {
		return e.Backends[0].Upstream, nil
	})
	upstream, _ := table.Lookup("app.example.com", "/api/users")
	fmt.Println(upstream, len(result.Problems), len(problems))
	// Output: api.shop.svc.cluster.local:8080 0 0
}

func ExampleEach() {
	r := ingress.Each("plain",
		func(in *ingress.Ingress, c *ingress.Cluster) bool { return c.Claims(in, []string{"plain"}, nil) },
		func(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
			rules, problems := c.Paths(in)
			t := ingress.Translation{Problems: problems}
			for _, p := range rules {
				t.Entries = append(t.Entries, ingress.Entry{
					Source: p.Source, Pattern: route.Pattern{Host: p.Host, Path: p.Path}, Backends: []ingress.Backend{p.Backend},
				})
			}
			return t
		})
	t := r.Rewrite([]*ingress.Ingress{{Namespace: "shop", Name: "web", Rules: []ingress.Rule{
		{Paths: []ingress.Path{{Path: "/", Backend: &ingress.BackendRef{Service: "web"}}}},
	}}}, nil)
	fmt.Println(t.Entries[0].Backends[0].Upstream)
	for _, p := range t.Problems {
		fmt.Println(p.Error())
	}
	// Output:
	// web.shop.svc.cluster.local:80
	// warning: Ingress shop/web rules[0]: no-host: a rule without a host serves every host that has no route of its own
	// warning: Ingress shop/web rules[0].paths[0]: default-port: the backend has no port: it is 80
}

func ExampleNewDispatcher() {
	haproxy := ingress.Each("haproxy", func(*ingress.Ingress, *ingress.Cluster) bool { return true }, nil)
	d, err := ingress.NewDispatcher(
		ingress.Registration{Rewriter: minimal{}, Disabled: true},
		ingress.Registration{Rewriter: haproxy, Priority: ingress.FallbackPriority},
		ingress.Registration{Rewriter: haproxy, External: true},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Join(d.Notes(), "\n"))
	// Output:
	// Rewriter disabled: nginx
	// Rewriter overrides built-in: haproxy
}

func ExampleDispatcher_Dispatch() {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: minimal{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := d.Dispatch([]*ingress.Ingress{
		{Namespace: "shop", Name: "web", ClassName: "nginx"},
		{Namespace: "shop", Name: "legacy", ClassName: "custom"},
	}, nil)
	fmt.Print(result)
	for _, p := range result.Problems {
		fmt.Println(p.Code, p.Source.Name)
	}
	// Output:
	// Ingress 'shop/legacy': no matching rewriter, skipped
	// unmatched legacy
	// no-rule web
}

func ExampleBuild() {
	entries := []ingress.Entry{{
		Source:   ingress.Source{Kind: "Ingress", Namespace: "shop", Name: "web"},
		Pattern:  route.Pattern{Host: "app.example.com", Path: "/api"},
		Backends: []ingress.Backend{{Upstream: "api:8080", Weight: 1}},
		Rules:    []rewrite.Rule{{Action: rewrite.TrimPathPrefix("/api")}},
	}, {
		Source:  ingress.Source{Kind: "Ingress", Namespace: "shop", Name: "broken"},
		Pattern: route.Pattern{Host: "app.example.com", Path: "broken"},
	}}
	table, problems := ingress.Build(entries, nil, func(_ *ingress.Entry, c *ingress.Compiled) (*rewrite.Program, error) {
		return c.Program, nil
	})
	u, _ := rewrite.Parse("http://app.example.com/api/users?page=2")
	program, _ := table.Lookup(u.Host, u.Path)
	if _, err := program.Apply(rewrite.AfterLocation, &u, nil); err != nil {
		fmt.Println(err)
	}
	fmt.Println(u)
	for _, p := range problems {
		fmt.Println(p.Severity, p.Code, p.Source)
	}
	// Output:
	// http://app.example.com/users?page=2
	// error bad-entry Ingress shop/broken rules[0].paths[0]
}

// A reload keeps the picker of an entry by its Source, so that the backends take
// their turns from where they were.
func ExampleSource() {
	at := ingress.Source{Kind: "Ingress", Namespace: "shop", Name: "web"}
	var pickers map[ingress.Source]*split.Picker
	for _, weights := range [][2]uint32{{3, 1}, {3, 1}, {1, 1}} {
		entries := []ingress.Entry{{Source: at, Backends: []ingress.Backend{
			{Upstream: "stable:80", Weight: weights[0]}, {Upstream: "canary:80", Weight: weights[1]},
		}}}
		next := make(map[ingress.Source]*split.Picker)
		ingress.Build(entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (*split.Picker, error) {
			var backends []split.Backend
			for _, b := range e.Backends {
				backends = append(backends, split.Backend{Name: b.Upstream, Weight: b.Weight, Invalid: b.Invalid})
			}
			picker, err := pickers[e.Source].With(backends) // of a nil one: New
			next[e.Source] = picker
			return picker, err
		})
		pickers = next
		for range 2 {
			i, err := pickers[at].Pick()
			if err != nil {
				fmt.Println(err) // answer 500
				return
			}
			fmt.Println(weights, entries[0].Backends[i].Upstream)
		}
	}
	// Output:
	// [3 1] stable:80
	// [3 1] stable:80
	// [3 1] canary:80
	// [3 1] stable:80
	// [1 1] stable:80
	// [1 1] canary:80
}

// The status of each object: what is wrong with it, or that nothing is.
func ExampleProblem() {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: minimal{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	rules := func(service string) []ingress.Rule {
		return []ingress.Rule{{Host: service + ".example", Paths: []ingress.Path{
			{Path: "/", Type: "Prefix", Backend: &ingress.BackendRef{Service: service}},
		}}}
	}
	result := d.Dispatch([]*ingress.Ingress{
		{Namespace: "shop", Name: "api", ClassName: "nginx", Rules: rules("api")},
		{Namespace: "shop", Name: "web", ClassName: "nginx", Rules: rules("web")},
	}, &ingress.Cluster{Service: func(_, name string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Number: 80}}}, name == "web"
	}})

	problems := make(map[ingress.Source][]ingress.Problem)
	for _, p := range result.Problems {
		problems[p.Source.Object()] = append(problems[p.Source.Object()], p)
	}
	for _, decision := range result.Decisions {
		status, lines := "True", ""
		for _, p := range problems[decision.Ingress] {
			if p.Severity == ingress.Error {
				status = "False"
			}
			lines += fmt.Sprintf("  %v: %v: %v\n", p.Severity, p.Code, p.Detail)
		}
		fmt.Printf("%v: Accepted is %s\n%s", decision.Ingress, status, lines)
	}
	// Output:
	// Ingress shop/api: Accepted is False
	//   error: unknown-service: there is no Service api in namespace shop: requests are answered with 500
	// Ingress shop/web: Accepted is True
	//   warning: default-port: the backend has no port: it is 80
}

func ExampleCompileRedirect() {
	r, err := ingress.CompileRedirect(&ingress.Redirect{
		Status: 308,
		Rules:  []rewrite.Rule{{Action: rewrite.SetScheme("https")}, {Action: rewrite.SetPort("")}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	u, _ := rewrite.Parse("http://app.example.com:8080/a%2Fb?c")
	fmt.Println(r.Answer(ingress.RedirectRequest{URL: u, Method: "GET", ListenerPort: 8080}))
	// Output: 308 https://app.example.com/a%2Fb?c <nil>
}

func ExampleEntry_MarshalJSON() {
	text, err := json.Marshal(ingress.Entry{
		Pattern:         route.Pattern{Host: "app.example.com", Path: "/api"},
		Backends:        []ingress.Backend{{Upstream: "api:8080", Weight: 1}},
		Rules:           []rewrite.Rule{{Action: rewrite.TrimPathPrefix("/api")}},
		ResponseHeaders: []ingress.HeaderOp{{Name: "X-Frame-Options", Value: "DENY"}},
		MaxBodySize:     100 << 20,
	})
	fmt.Println(string(text), err)
	// Output: {"host":"app.example.com","path":"/api","upstream":"api:8080","scheme":"http","strip_prefix":"/api","response_headers":{"X-Frame-Options":"DENY"},"max_body_size":"100m"} <nil>
}

func ExampleParseSize() {
	fmt.Println(ingress.ParseSize("100m"))
	fmt.Println(ingress.ParseSize("a lot"))
	// Output:
	// 104857600 <nil>
	// 0 "a lot" is no size: write a number of bytes, or one with k, m or g
}

func ExampleCluster_Class() {
	c := &ingress.Cluster{Classes: map[string]string{"nginx-internal": "nginx"}, Known: []string{"nginx"}}
	fmt.Println(c.Class(&ingress.Ingress{ClassName: "nginx-internal"}))
	fmt.Println(c.Class(&ingress.Ingress{Annotations: map[string]string{"kubernetes.io/ingress.class": "custom"}}))
	// Output:
	// nginx true
	// custom false
}

func ExampleCluster_Paths() {
	rules, _ := (&ingress.Cluster{}).Paths(&ingress.Ingress{Name: "web", Default: &ingress.BackendRef{Service: "web", Port: 80}})
	for _, r := range rules {
		fmt.Printf("%q %s %s\n", r.Host, r.Path, r.Backend.Upstream)
	}
	// Output: "" / web.default.svc.cluster.local:80
}

func ExampleCluster_Resolve() {
	c := &ingress.Cluster{Service: func(namespace, name string) (ingress.ServiceInfo, bool) {
		return ingress.ServiceInfo{Ports: []ingress.ServicePort{{Name: "web", Number: 8080}}}, name == "app"
	}}
	b, _ := c.Resolve("shop", ingress.BackendRef{Service: "app", PortName: "web"})
	fmt.Println(b.Upstream, b.Invalid)
	b, problems := c.Resolve("shop", ingress.BackendRef{Service: "gone", Port: 80})
	fmt.Println(b.Invalid, problems[0].Error())
	// Output:
	// app.shop.svc.cluster.local:8080 false
	// true error: unknown-service: there is no Service gone in namespace shop: requests are answered with 500
}

func ExampleHasAnnotation() {
	in := &ingress.Ingress{Annotations: map[string]string{"haproxy.org/path-rewrite": "/"}}
	fmt.Println(ingress.HasAnnotation(in, "haproxy.org/", "haproxy.com/"))
	// Output: true
}

func ExampleDefaultsLast() {
	entries := []ingress.Entry{
		{Source: ingress.Source{Name: "a", Path: -1}},
		{Source: ingress.Source{Name: "b", Path: 0}},
	}
	for _, e := range ingress.DefaultsLast(entries) {
		fmt.Println(e.Source.Name)
	}
	// Output:
	// b
	// a
}
