package ingress

// Paths and Resolve: what an Ingress routes, and to which address.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// A PathRule is one path of an Ingress with its host and its backend.
type PathRule struct {
	Source Source
	Host   string // "" for every host
	Path   string // as written; "/" if it is absent
	// Type is Exact, Prefix, ImplementationSpecific or, if it is absent, empty.
	// An unknown one is Prefix.
	Type    string
	Backend Backend // of weight 1; Invalid where it does not resolve
	Default bool    // it is the Ingress's default backend for this host
}

// Paths returns the paths of in, in the order of the manifest, with resolved
// backends, and after them its default backend: for every host, and for each
// host of the Ingress that has no "/" of its own. Problems say what is odd or
// missing; nothing is left out but what is null. A nil Ingress has no paths. It is
// for authors of rewriters, and takes time linear in the manifest.
func (c *Cluster) Paths(in *Ingress) ([]PathRule, []Problem) {
	if in == nil {
		return nil, nil
	}
	w := walker{c: c, in: in}
	for i, rule := range in.Rules {
		if rule.Host == "" && len(rule.Paths) > 0 {
			w.report(Warning, CodeNoHost, in.At(i, -1, ""), "a rule without a host serves every host that has no route of its own")
		}
		if len(rule.Paths) == 0 && in.Default == nil {
			w.report(Warning, CodeNoRule, in.At(i, -1, ""), "a rule without paths serves nothing: write a path and its backend")
		}
		for j, p := range rule.Paths {
			w.path(in.At(i, j, ""), rule.Host, p)
		}
	}
	if in.Default != nil {
		w.defaults()
	} else if len(in.Rules) == 0 {
		w.report(Warning, CodeNoRule, in.Source(), "there are neither rules nor a default backend: nothing is served")
	}
	return w.rules, w.problems
}

// A walker collects what Paths returns.
type walker struct {
	c        *Cluster
	in       *Ingress
	rules    []PathRule
	problems []Problem
}

func (w *walker) report(s Severity, code Code, at Source, format string, args ...any) {
	w.problems = append(w.problems, Problem{Severity: s, Code: code, Source: at, Detail: fmt.Sprintf(format, args...)})
}

func (w *walker) path(at Source, host string, p Path) {
	if p == (Path{}) {
		w.report(Warning, CodeNoBackend, at, "a path that is null, or has no backend, is skipped")
		return
	}
	rule := PathRule{Source: at, Host: host, Path: p.Path, Type: p.Type}
	if rule.Path == "" {
		rule.Path = "/"
		w.report(Warning, CodeNoPath, at, `the path is absent: it is "/"`)
	}
	switch p.Type {
	case "Exact", "Prefix", "ImplementationSpecific", "":
	default:
		w.report(Warning, CodePathType, at, "pathType %.64q is unknown and read as Prefix: write Exact, Prefix or ImplementationSpecific", p.Type)
		rule.Type = "Prefix"
	}
	rule.Backend = w.resolve(at, p.Backend)
	w.rules = append(w.rules, rule)
}

func (w *walker) defaults() {
	in := w.in
	w.report(Warning, CodeDefaultBackend, in.Source(), `the default backend serves "/" of every host that has no route of its own`)
	backend := w.resolve(in.Source(), in.Default)
	add := func(host string, rule int) {
		w.rules = append(w.rules, PathRule{
			Source: in.At(rule, -1, "default-backend"), Host: host, Path: "/", Type: "Prefix", Backend: backend, Default: true,
		})
	}
	served, first := make(map[string]bool), make(map[string]int)
	var hosts []string
	for i, rule := range in.Rules {
		host := strings.ToLower(rule.Host)
		if _, ok := first[host]; !ok {
			first[host], hosts = i, append(hosts, host)
		}
		served[host] = served[host] || slices.ContainsFunc(rule.Paths, func(p Path) bool {
			return p != (Path{}) && (p.Path == "/" || p.Path == "") && p.Type != "Exact"
		})
	}
	for _, host := range hosts {
		if host != "" && !served[host] {
			add(in.Rules[first[host]].Host, first[host])
		}
	}
	if !served[""] {
		add("", -1)
	}
}

func (w *walker) resolve(at Source, ref *BackendRef) Backend {
	if ref == nil {
		w.report(Error, CodeNoBackend, at, "there is no backend: requests are answered with 500; write backend.service")
		return Backend{Weight: 1, Invalid: true}
	}
	backend, problems := w.c.Resolve(w.in.Namespace, *ref)
	for _, p := range problems {
		p.Source = at
		w.problems = append(w.problems, p)
	}
	return backend
}

// Resolve returns the backend that ref names, of weight 1, in a namespace
// ("" is "default"). Where it does not resolve the backend is Invalid, and a
// problem, whose Source is the caller's to fill in, says why. It is for authors
// of rewriters. In dekube: resolve_backend.
func (c *Cluster) Resolve(namespace string, ref BackendRef) (Backend, []Problem) {
	if namespace == "" {
		namespace = "default"
	}
	b := Backend{
		Service: Service{Namespace: namespace, Name: ref.Service, Port: ref.Port, PortName: ref.PortName},
		Scheme:  "http", Weight: 1,
	}
	invalid := func(code Code, format string, args ...any) (Backend, []Problem) {
		b.Invalid = true
		return b, []Problem{{Code: code, Detail: fmt.Sprintf(format, args...) + ": requests are answered with 500"}}
	}
	switch {
	case ref.IsResource:
		b.Service = Service{}
		return invalid(CodeResourceBackend, "the backend is a resource, %s %.64q, and no Service", ref.Resource.Kind, ref.Resource.Name)
	case !hostname.IsLabel(ref.Service):
		return invalid(CodeBadName, "%.64q is no name of a Service", ref.Service)
	case !hostname.IsLabel(namespace):
		return invalid(CodeBadName, "%.64q is no name of a namespace", namespace)
	}
	var info ServiceInfo
	known := false
	if c != nil && c.Service != nil {
		if info, known = c.Service(namespace, ref.Service); !known {
			return invalid(CodeUnknownService, "there is no Service %s in namespace %s", ref.Service, namespace)
		}
	}
	var problems []Problem
	switch {
	case ref.PortName != "":
		b.Service.Port = namedPort(info, known, ref.PortName)
		if b.Service.Port == 0 {
			return invalid(CodeUnresolvedPort, "port %.64q of Service %s is not known: write its number", ref.PortName, ref.Service)
		}
	case ref.Port == 0:
		b.Service.Port = 80
		problems = append(problems, Problem{Severity: Warning, Code: CodeDefaultPort, Detail: "the backend has no port: it is 80"})
	case ref.Port < 0 || ref.Port > 65535:
		return invalid(CodeUnknownPort, "%d is no port: write 1 to 65535", ref.Port)
	case known && !slices.ContainsFunc(info.Ports, func(p ServicePort) bool { return p.Number == ref.Port }):
		return invalid(CodeUnknownPort, "Service %s has no port %d", ref.Service, ref.Port)
	}
	b.Upstream = ref.Service + "." + namespace + ".svc." + c.domain() + ":" + strconv.Itoa(b.Service.Port)
	return b, problems
}

// namedPort returns the number of a port, 0 if nobody knows it.
func namedPort(info ServiceInfo, known bool, name string) int {
	for _, p := range info.Ports {
		if p.Name == name && 0 < p.Number && p.Number <= 65535 {
			return p.Number
		}
	}
	switch {
	case known:
		return 0
	case name == "http":
		return 80
	case name == "https":
		return 443
	}
	return 0
}
