// Package vector runs test cases of dialects: a manifest, a request, and what
// becomes of it.
//
// What a case expects is one of
//
//	http://host/path?query      the URL that is forwarded; its host is the Host field
//	302 https://host/path       a redirect, with the Location as it is sent
//	404, 400, 500               an answer of the proxy's own
//	backend NAME                the one Service that gets the request
//	weights A=70 B=30           all Services and their weights, by name
//	rewriter NAME               who won the Ingress
//	entry KEY=VALUE ...         what the entry says: path, type, host, upstream, scheme, strip_prefix ("none")
//	invalid: ...                an Error among the problems
//	warning: ...                a Warning among the problems
//
// and Codes, where given, are codes that the problems must have.
package vector

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A Case is one test case, as it stands in testdata.
type Case struct {
	Name           string            `json:"name,omitempty"`
	Dialect        string            `json:"dialect,omitempty"`
	Annotations    map[string]string `json:"annotations,omitempty"`
	Path           string            `json:"ingress_path"`
	PathType       string            `json:"path_type,omitempty"`
	Host           string            `json:"host,omitempty"`
	Backend        string            `json:"backend,omitempty"` // the Service of the case's own Ingress; empty: web
	Class          string            `json:"ingress_class,omitempty"`
	TLS            bool              `json:"tls,omitempty"`
	Others         []Other           `json:"other_ingresses,omitempty"`
	Request        string            `json:"request"`
	Method         string            `json:"method,omitempty"`
	ListenerPort   int               `json:"listener_port,omitempty"`
	RequestHeaders map[string]string `json:"request_headers,omitempty"`

	Mode           string            `json:"mode,omitempty"` // compat; else strict
	SkipValidation bool              `json:"skip_validation,omitempty"`
	Expect         string            `json:"expect"`
	ExpectHeaders  map[string]string `json:"expect_headers,omitempty"` // of what is forwarded
	Codes          []ingress.Code    `json:"codes,omitempty"`
	Source         string            `json:"source,omitempty"`
	Their          string            `json:"their,omitempty"` // what the other system does, if another thing
	Why            string            `json:"why,omitempty"`   // why this library does not
}

// An Other is another Ingress of the same host.
type Other struct {
	Name        string            `json:"name,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Path        string            `json:"path"`
	PathType    string            `json:"path_type,omitempty"`
	Backend     string            `json:"backend"`
}

// Load reads a JSON list of cases and names those without a name by their
// index.
func Load(t testing.TB, file string) []Case {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for i := range cases {
		if cases[i].Name == "" {
			cases[i].Name = fmt.Sprintf("%03d", i)
		}
	}
	return cases
}

// Ingresses returns the case's own Ingress, default/web, and the others, which
// are older than it. All Services have port 80.
func (c *Case) Ingresses() []*ingress.Ingress {
	made := func(name string, annotations map[string]string, path, pathType, backend string) *ingress.Ingress {
		in := &ingress.Ingress{
			Namespace: "default", Name: name, ClassName: c.Class,
			Annotations: annotations,
			Rules: []ingress.Rule{{Host: c.Host, Paths: []ingress.Path{
				{Path: path, Type: pathType, Backend: &ingress.BackendRef{Service: backend, Port: 80}},
			}}},
		}
		if c.TLS {
			in.TLS = []ingress.TLS{{Hosts: []string{c.Host}, Secret: "certificate"}}
		}
		return in
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	own := made("web", c.Annotations, c.Path, c.PathType, cmp.Or(c.Backend, "web"))
	own.Created = start.Add(time.Hour)
	list := []*ingress.Ingress{own}
	for i, o := range c.Others {
		name := o.Name
		if name == "" {
			name = fmt.Sprintf("other-%d", i)
		}
		other := made(name, o.Annotations, o.Path, o.PathType, o.Backend)
		other.Created = start.Add(time.Duration(i) * time.Minute)
		list = append(list, other)
	}
	return list
}

// Run dispatches the case's Ingresses and checks the result. A nil cluster is
// the zero Cluster.
func (c *Case) Run(t testing.TB, cluster *ingress.Cluster, rewriters ...ingress.Rewriter) {
	t.Helper()
	var regs []ingress.Registration
	for _, r := range rewriters {
		regs = append(regs, ingress.Registration{Rewriter: r})
	}
	d, err := ingress.NewDispatcher(regs...)
	if err != nil {
		t.Fatal(err)
	}
	c.Check(t, d.Dispatch(c.Ingresses(), cluster), cluster)
}

// Check compares a result with what the case expects.
func (c *Case) Check(t testing.TB, r *ingress.Result, cluster *ingress.Cluster) {
	t.Helper()
	for _, code := range c.Codes {
		if !slices.ContainsFunc(r.Problems, func(p ingress.Problem) bool { return p.Code == code }) {
			t.Errorf("no problem has the code %s\n%s", code, problems(r))
		}
	}
	has := func(s ingress.Severity) bool {
		return slices.ContainsFunc(r.Problems, func(p ingress.Problem) bool { return p.Severity == s })
	}
	kind, rest, _ := strings.Cut(c.Expect, " ")
	got := ""
	switch {
	case kind == "invalid:":
		if !has(ingress.Error) {
			t.Errorf("no error; want %s\n%s", c.Expect, problems(r))
		}
		return
	case kind == "warning:":
		if !has(ingress.Warning) {
			t.Errorf("no warning; want %s\n%s", c.Expect, problems(r))
		}
		return
	case kind == "rewriter":
		for _, d := range r.Decisions {
			if d.Ingress.Name == "web" {
				got = "rewriter " + d.Rewriter
			}
		}
	case kind == "entry":
		got = "entry " + c.entry(r, rest)
	default:
		a := c.answer(t, r, cluster)
		switch kind {
		case "backend":
			got = "backend " + a.backend()
		case "weights":
			got = "weights " + a.weights()
		default:
			got = a.text
		}
		for name, want := range c.ExpectHeaders {
			if have := a.header(name); have != want {
				t.Errorf("header %s is %q; want %q", name, have, want)
			}
		}
	}
	if got != c.Expect {
		t.Errorf("%s on %s\n got %s\nwant %s\n%s", c.Request, c.Path, got, c.Expect, problems(r))
	}
}

func problems(r *ingress.Result) string {
	var b strings.Builder
	for i := range r.Problems {
		fmt.Fprintln(&b, " ", r.Problems[i].Error())
	}
	return b.String()
}

// entry returns the keys of want with what the case's own entry has.
func (c *Case) entry(r *ingress.Result, want string) string {
	i := slices.IndexFunc(r.Entries, func(e ingress.Entry) bool {
		return (e.Source.Name == "web" || e.Source.Kind != "Ingress") && e.Source.Path >= 0 && e.Redirect == nil
	})
	if i < 0 {
		return "(none)"
	}
	e := &r.Entries[i]
	strip, ok := e.StripPrefix()
	if !ok {
		strip = "none"
	}
	values := map[string]string{"path": e.Pattern.Path, "type": e.Pattern.Type.String(), "host": e.Pattern.Host, "strip_prefix": strip}
	if len(e.Backends) > 0 {
		values["upstream"], values["scheme"] = e.Backends[0].Upstream, e.Backends[0].Scheme
	}
	var out []string
	for _, pair := range strings.Fields(want) {
		key, _, _ := strings.Cut(pair, "=")
		out = append(out, key+"="+values[key])
	}
	return strings.Join(out, " ")
}

// An answer is what becomes of a request.
type answer struct {
	text  string // as Case.Expect
	entry *ingress.Entry
}

type site struct {
	entry    *ingress.Entry
	compiled *ingress.Compiled
}

func (c *Case) answer(t testing.TB, r *ingress.Result, cluster *ingress.Cluster) answer {
	t.Helper()
	table, _ := ingress.Build(r.Entries, cluster, func(e *ingress.Entry, compiled *ingress.Compiled) (site, error) {
		return site{e, compiled}, nil
	})
	u, err := rewrite.Parse(c.Request)
	if err == nil {
		err = (*rewrite.Input)(nil).Clean(&u, nil)
	}
	if err != nil {
		return answer{text: "400"}
	}
	client := u
	s, _, err := table.Route(&u, request{c}, func(s site) *rewrite.Program { return s.compiled.Program }, nil)
	switch {
	case errors.Is(err, route.ErrNoRoute):
		return answer{text: "404"}
	case err != nil:
		return answer{text: "400"}
	}
	a := answer{entry: s.entry}
	status, location, err := s.compiled.Redirect.Answer(ingress.RedirectRequest{URL: client, Method: c.Method, ListenerPort: c.ListenerPort})
	if err == nil && status != 0 {
		a.text = fmt.Sprintf("%d %s", status, location)
		return a
	}
	if err == nil {
		_, err = s.compiled.Program.Apply(rewrite.AfterLocation, &u, nil)
	}
	if err != nil {
		a.text = "400"
		return a
	}
	i := slices.IndexFunc(s.entry.Backends, func(b ingress.Backend) bool { return b.Weight > 0 })
	switch {
	case i < 0 || s.entry.Backends[i].Invalid:
		a.text = "500"
	default:
		if _, err := s.compiled.Forward[i].Apply(rewrite.Forward, &u, nil); err != nil {
			a.text = "400"
			return a
		}
		a.text = u.String()
	}
	return a
}

// backend returns the name of the Service that gets every request.
func (a answer) backend() string {
	if a.entry == nil {
		return a.text
	}
	var names []string
	for _, b := range a.entry.Backends {
		if b.Weight > 0 {
			names = append(names, b.Service.Name)
		}
	}
	return strings.Join(names, " or ")
}

func (a answer) weights() string {
	if a.entry == nil {
		return a.text
	}
	var list []string
	for _, b := range a.entry.Backends {
		list = append(list, fmt.Sprintf("%s=%d", b.Service.Name, b.Weight))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func (a answer) header(name string) string {
	value := ""
	if a.entry != nil {
		for _, h := range a.entry.RequestHeaders {
			if strings.EqualFold(h.Name, name) {
				value = h.Value
			}
		}
	}
	return value
}

// A request answers what conditions ask.
type request struct{ c *Case }

func (r request) Method() string {
	if r.c.Method == "" {
		return "GET"
	}
	return r.c.Method
}

func (r request) Header(name string) (string, bool) {
	for _, key := range slices.Sorted(maps.Keys(r.c.RequestHeaders)) {
		if strings.EqualFold(key, name) {
			return r.c.RequestHeaders[key], true
		}
	}
	return "", false
}
