package ingresstest

// The checks, in the order of the contract: name, match, rewrite.

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"

	"github.com/readdress/readdress/route/ingress"
)

// A check is one sentence of the contract.
type check struct {
	name string
	run  func(s *suite)
}

var checks = []check{
	{"the name is in lower case and stays", (*suite).name},
	{"it claims its class", (*suite).class},
	{"it refuses another known class", (*suite).other},
	{"it claims by annotations where the class is absent or unknown", (*suite).annotations},
	{"the classless are claimed if it says so", (*suite).classless},
	{"empty manifests are no fault", (*suite).empty},
	{"the same input gives the same output", (*suite).deterministic},
	{"what it is given stays as it is", (*suite).unchanged},
	{"every path becomes an entry", (*suite).paths},
	{"Exact is exact and Prefix is not", (*suite).pathTypes},
	{"rules without a host are not lost", (*suite).hostless},
	{"a path that is absent is /", (*suite).pathless},
	{"the default backend is not lost", (*suite).defaultBackend},
	{"backends that do not resolve are invalid and listed", (*suite).invalid},
	{"every entry has a Source of its own", (*suite).sources},
	{"the older Ingress comes first", (*suite).precedence},
	{"a faulty Ingress spoils no other", (*suite).isolation},
	{"there are no extra directives", (*suite).directives},
}

func (s *suite) name() {
	name := s.rw.Name()
	if name == "" || name != strings.ToLower(name) {
		s.fail("Name is %q: a class is compared in lower case, so write it so", name)
	}
	if again := s.rw.Name(); again != name {
		s.fail("Name is %q, then %q", name, again)
	}
}

func (s *suite) class() {
	if in := s.own("web"); !s.rw.Match(in, s.cluster) {
		s.fail("an Ingress with ingressClassName %q is not claimed", s.opts.Class)
	}
	in := s.own("web")
	in.ClassName = strings.ToUpper(s.opts.Class)
	if !s.rw.Match(in, s.cluster) {
		s.fail("ingressClassName %q is not claimed: ask Cluster.Class, which ignores letter case", in.ClassName)
	}
	in.ClassName = ""
	in.Annotations = map[string]string{"kubernetes.io/ingress.class": s.opts.Class}
	if !s.rw.Match(in, s.cluster) {
		s.fail("the annotation kubernetes.io/ingress.class: %s is not claimed: ask Cluster.Class, which reads it", s.opts.Class)
	}
	in.ClassName, in.Annotations = "mapped", nil
	c := *s.cluster
	c.Classes = map[string]string{"mapped": s.opts.Class}
	if !s.rw.Match(in, &c) {
		s.fail("a class that Cluster.Classes maps to %q is not claimed: ask Cluster.Class, which maps it", s.opts.Class)
	}
}

func (s *suite) other() {
	in := s.own("web")
	in.ClassName = otherClass
	if s.rw.Match(in, s.cluster) {
		s.fail("an Ingress of class %q, which Cluster.Known has, is claimed: it belongs to another controller", otherClass)
	}
	in.Annotations = s.opts.Annotations
	if s.opts.Annotations != nil && s.rw.Match(in, s.cluster) {
		s.fail("an Ingress of class %q with annotations %v is claimed: a known class wins over stray annotations", otherClass, in.Annotations)
	}
}

func (s *suite) annotations() {
	if s.opts.Annotations == nil {
		return
	}
	for _, class := range []string{"", "a-class-that-nobody-knows"} {
		in := s.own("web")
		in.ClassName, in.Annotations = class, s.opts.Annotations
		if !s.rw.Match(in, s.cluster) {
			s.fail("an Ingress of class %q with annotations %v is not claimed", class, in.Annotations)
		}
	}
}

func (s *suite) classless() {
	in := s.own("web")
	in.ClassName = ""
	if got := s.rw.Match(in, s.cluster); got != s.opts.Classless {
		s.fail("an Ingress without class and annotations: claimed is %v, and Options.Classless says %v", got, s.opts.Classless)
	}
	in.ClassName = "a-class-that-nobody-knows"
	if s.rw.Match(in, s.cluster) {
		s.fail("an Ingress of a class that nobody knows, without annotations, is claimed")
	}
}

func (s *suite) empty() {
	if t := s.rewrite(); len(t.Entries)+len(t.Problems) > 0 {
		s.fail("of no Ingress it makes %d entries and %d problems", len(t.Entries), len(t.Problems))
	}
	null := s.own("null", ingress.Rule{}, rule("a.example.com"), rule("b.example.com", ingress.Path{}), rule("", ingress.Path{}))
	null.TLS = []ingress.TLS{{}}
	for _, in := range []*ingress.Ingress{{}, s.own("web"), null, {ClassName: s.opts.Class, Default: &ingress.BackendRef{}}} {
		s.rw.Match(in, s.cluster)
		s.rw.Match(in, &ingress.Cluster{})
		s.rewrite(in)
	}
}

// sample is a list with a bit of everything.
func (s *suite) sample() []*ingress.Ingress {
	first := s.own("first", rule("a.example.com", path("/x", "Prefix", "x"), path("/y", "Exact", "y"), path("/", "", "root")))
	second := s.own("second", rule("*.example.com", path("/z", "ImplementationSpecific", "z")), rule("", path("/any", "Prefix", "any")))
	second.Default = &ingress.BackendRef{Service: "fallback", PortName: "http"}
	second.Annotations = maps.Clone(s.opts.Annotations)
	second.TLS = []ingress.TLS{{Hosts: []string{"a.example.com"}, Secret: "certificate"}}
	return []*ingress.Ingress{first, second}
}

func (s *suite) deterministic() {
	want := s.rewrite(s.sample()...)
	got := make([]ingress.Translation, 8)
	var wait sync.WaitGroup
	for i := range got {
		wait.Go(func() { got[i] = s.rw.Rewrite(s.sample(), s.cluster) })
	}
	wait.Wait()
	for _, t := range got {
		if !reflect.DeepEqual(t, want) {
			s.fail("the same list, translated again, gives\n%s\ninstead of\n%s", show(t), show(want))
			return
		}
	}
}

func (s *suite) unchanged() {
	list, want := s.sample(), s.sample()
	for _, in := range list {
		s.rw.Match(in, s.cluster)
	}
	s.rewrite(list...)
	if !reflect.DeepEqual(list, want) {
		s.fail("an Ingress was changed: translate into entries, and leave manifests to their owner")
	}
}

// served returns the entries of t that come from rule and path of an Ingress and
// forward something.
func served(t ingress.Translation, name string, rule, path int) []ingress.Entry {
	var list []ingress.Entry
	for _, e := range t.Entries {
		if e.Source.Name == name && e.Source.Rule == rule && e.Source.Path == path && len(e.Backends) > 0 {
			list = append(list, e)
		}
	}
	return list
}

func (s *suite) paths() {
	t := s.rewrite(s.sample()...)
	for _, want := range []struct {
		name       string
		rule, path int
		host, up   string
	}{
		{"first", 0, 0, "a.example.com", "x"}, {"first", 0, 1, "a.example.com", "y"}, {"first", 0, 2, "a.example.com", "root"},
		{"second", 0, 0, "*.example.com", "z"},
	} {
		list := served(t, want.name, want.rule, want.path)
		if len(list) == 0 {
			s.fail("Ingress %s rules[%d].paths[%d] has no entry: set Source from PathRule.Source\n%s", want.name, want.rule, want.path, show(t))
			continue
		}
		upstream := want.up + ".team.svc.cluster.local:80"
		for _, e := range list {
			if e.Pattern.Host != want.host {
				s.fail("%v is for host %q; the rule's is %q", e.Source, e.Pattern.Host, want.host)
			}
			if e.Backends[0].Upstream != upstream && s.opts.Cluster == nil {
				s.fail("%v goes to %q; Cluster.Resolve says %q", e.Source, e.Backends[0].Upstream, upstream)
			}
		}
	}
}

func (s *suite) pathTypes() {
	t := s.rewrite(s.own("web", rule("a.example.com", path("/exact", "Exact", "exact"), path("/prefix", "Prefix", "prefix"))))
	table, _ := ingress.Build(t.Entries, s.cluster, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) {
		if len(e.Backends) == 0 {
			return "", fmt.Errorf("no backend")
		}
		return e.Backends[0].Service.Name, nil
	})
	for _, want := range []struct{ path, service string }{
		{"/exact", "exact"}, {"/exact/below", ""}, {"/prefix", "prefix"}, {"/prefix/below", "prefix"},
	} {
		if got, _ := table.Lookup("a.example.com", want.path); got != want.service {
			s.fail("%s goes to Service %q; want %q (empty: none)", want.path, got, want.service)
		}
	}
}

func (s *suite) hostless() {
	t := s.rewrite(s.own("web", rule("", path("/x", "Prefix", "x"))))
	if list := served(t, "web", 0, 0); len(list) == 0 {
		s.fail("a rule without a host has no entry: it is one for every host, with Host empty\n%s", show(t))
	} else if list[0].Pattern.Host != "" {
		s.fail("a rule without a host is for host %q: Host must be empty", list[0].Pattern.Host)
	}
}

func (s *suite) pathless() {
	t := s.rewrite(s.own("web", rule("a.example.com", path("", "Prefix", "x"))))
	table, _ := ingress.Build(t.Entries, s.cluster, func(*ingress.Entry, *ingress.Compiled) (bool, error) { return true, nil })
	if ok, _ := table.Lookup("a.example.com", "/whatever"); !ok {
		s.fail("a path that is absent serves nothing: it is \"/\"\n%s", show(t))
	}
}

func (s *suite) defaultBackend() {
	in := s.own("web", rule("a.example.com", path("/x", "Prefix", "x")))
	in.Default = &ingress.BackendRef{Service: "fallback", Port: 80}
	t := s.rewrite(in)
	n := 0
	for i, e := range t.Entries {
		if e.Source.Path >= 0 {
			continue
		}
		n++
		for _, later := range t.Entries[i:] {
			if later.Source.Path >= 0 {
				s.fail("%v comes before %v: default backends are last, see DefaultsLast", e.Source, later.Source)
			}
		}
	}
	if n < 2 {
		s.fail("the default backend has %d entries with Source.Path -1: there is one for every host, and one for a.example.com, which has no \"/\"\n%s", n, show(t))
	}
}

func (s *suite) invalid() {
	for what, ref := range map[string]*ingress.BackendRef{
		"a port that nobody knows": {Service: "x", PortName: "nobody-knows"},
		"a resource":               {IsResource: true, Resource: ingress.ObjectRef{Kind: "Bucket", Name: "b"}},
		"no backend":               nil,
	} {
		t := s.rewrite(s.own("web", rule("a.example.com", ingress.Path{Path: "/x", Type: "Prefix", Backend: ref})))
		if len(t.Problems) == 0 {
			s.fail("a backend with %s is not listed", what)
		}
		for _, e := range served(t, "web", 0, 0) {
			for _, b := range e.Backends {
				if !b.Invalid {
					s.fail("a backend with %s goes to %q: it is Invalid", what, b.Upstream)
				}
			}
		}
	}
}

func (s *suite) sources() {
	t := s.rewrite(s.sample()...)
	seen := make(map[ingress.Source]bool)
	for _, e := range t.Entries {
		if seen[e.Source] {
			s.fail("two entries have the Source %v: set Part", e.Source)
		}
		seen[e.Source] = true
		if e.Source.Kind != "Ingress" || e.Source.Namespace != "team" || e.Source.Name != "first" && e.Source.Name != "second" {
			s.fail("the Source %v names no object that was given", e.Source)
		}
	}
	for _, p := range t.Problems {
		if p.Source.Name == "" {
			s.fail("a problem names no object: %v", &p)
		}
	}
}

func (s *suite) precedence() {
	t := s.rewrite(s.own("first", rule("a.example.com", path("/x", "Prefix", "x"))), s.own("second", rule("a.example.com", path("/x", "Prefix", "y"))))
	table, _ := ingress.Build(t.Entries, s.cluster, func(e *ingress.Entry, _ *ingress.Compiled) (string, error) { return e.Source.Name, nil })
	if name, _ := table.Lookup("a.example.com", "/x"); name != "first" {
		s.fail("of two Ingresses with one host and path %q wins: the first of the list does\n%s", name, show(t))
	}
}

// faulty are Ingresses that cannot be served, each in another way.
func (s *suite) faulty() []*ingress.Ingress {
	return []*ingress.Ingress{
		s.own("bad-host", rule("bad..host", path("/", "Prefix", "x"))),
		s.own("bad-path", rule("bad.example.com", path("no-slash", "Prefix", "x"))),
		s.own("dots", rule("bad.example.com", path("/a/../b", "Prefix", "x"))),
		s.own("bad-type", rule("bad.example.com", path("/", "Suffix", "x"))),
		s.own("bad-service", rule("bad.example.com", path("/", "Prefix", "not a name"))),
		s.own("bad-port", rule("bad.example.com", ingress.Path{Path: "/", Backend: &ingress.BackendRef{Service: "x", Port: 70000}})),
	}
}

func (s *suite) isolation() {
	good := s.sample()
	want := s.rw.Rewrite(good, s.cluster).Entries
	for _, bad := range s.faulty() {
		t := s.rw.Rewrite(append([]*ingress.Ingress{bad}, good...), s.cluster)
		kept := t.Entries[:0:0]
		listed := false
		for _, e := range t.Entries {
			if e.Source.Name != bad.Name {
				kept = append(kept, e)
			}
		}
		for _, p := range t.Problems {
			listed = listed || p.Source.Name == bad.Name
		}
		_, problems := ingress.Build(t.Entries, s.cluster, func(*ingress.Entry, *ingress.Compiled) (int, error) { return 0, nil })
		for _, p := range problems {
			listed = listed || p.Source.Name == bad.Name
		}
		if !reflect.DeepEqual(kept, want) {
			s.fail("beside the faulty Ingress %s others have entries\n%s\ninstead of\n%s", bad.Name, show(ingress.Translation{Entries: kept}), show(ingress.Translation{Entries: want}))
		}
		if !listed {
			s.fail("the fault of Ingress %s is in no problem", bad.Name)
		}
	}
}

func (s *suite) directives() {
	for _, e := range s.rewrite(s.sample()...).Entries {
		//lint:ignore SA1019 what is deprecated is what is looked for
		if d := e.ExtraDirectives; len(d) > 0 {
			s.fail("%v has ExtraDirectives %q: no other proxy understands them", e.Source, d)
		}
	}
}

// show lists what was made, for messages.
func show(t ingress.Translation) string {
	var b strings.Builder
	for _, e := range t.Entries {
		fmt.Fprintf(&b, "  %v: %v", e.Source, e.Pattern)
		if !reflect.ValueOf(e.When).IsZero() {
			fmt.Fprintf(&b, " %+v", e.When)
		}
		for _, backend := range e.Backends {
			fmt.Fprintf(&b, " %s*%d", backend.Upstream, backend.Weight)
		}
		b.WriteByte('\n')
	}
	for i := range t.Problems {
		fmt.Fprintf(&b, "  %v\n", &t.Problems[i])
	}
	return strings.TrimSuffix(b.String(), "\n")
}
