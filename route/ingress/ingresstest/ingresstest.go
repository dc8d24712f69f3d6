// Package ingresstest tells whether an ingress.Rewriter keeps its contract.
//
//	func TestConformance(t *testing.T) {
//		ingresstest.Run(t, myrewriter.New(), &ingresstest.Options{
//			Class:       "mine",
//			Annotations: map[string]string{"mine.example.com/timeout": "5s"},
//		})
//	}
//
// Every check has a name and says, where it fails, what was given, what came out
// and what the contract wants: that of dekube and the doc comments of package ingress.
package ingresstest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/readdress/readdress/route/ingress"
)

// Options are what the suite cannot know of a rewriter. A nil *Options is the
// zero Options.
type Options struct {
	// Class is the class that the rewriter owns; empty: its name.
	Class string
	// Annotations are such that the rewriter claims an Ingress that has them and
	// no class, or one that nobody knows. They must not change what is served.
	// nil: it claims nothing by annotations.
	Annotations map[string]string
	// Classless: it claims what has neither class nor annotations.
	Classless bool
	// Cluster is what it is given beside Ingresses; nil: the zero Cluster.
	Cluster *ingress.Cluster
}

// Run runs every check as a subtest.
func Run(t *testing.T, rw ingress.Rewriter, opts *Options) {
	s := newSuite(rw, opts)
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			for _, err := range s.run(c) {
				t.Error(err)
			}
		})
	}
}

// Test runs every check and joins what fails, each error with the name of its
// check. It is Run for where there is no testing.T.
func Test(rw ingress.Rewriter, opts *Options) error {
	s := newSuite(rw, opts)
	var all []error
	for _, c := range checks {
		for _, err := range s.run(c) {
			all = append(all, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(all...)
}

// A suite is one rewriter under test.
type suite struct {
	rw      ingress.Rewriter
	opts    Options
	cluster *ingress.Cluster // that of opts, and the classes of the suite are known
	errs    []error          // of the check that runs
}

func newSuite(rw ingress.Rewriter, opts *Options) *suite {
	s := &suite{rw: rw}
	if opts != nil {
		s.opts = *opts
	}
	return s
}

// run runs one check. A panic is a failure of the rewriter, not of the suite.
func (s *suite) run(c check) (errs []error) {
	s.errs = nil
	defer func() {
		if p := recover(); p != nil {
			errs = append(s.errs, fmt.Errorf("the rewriter panics: %v; manifests may be as empty and as wrong as JSON allows", p))
		}
	}()
	if s.rw == nil {
		s.fail("there is no rewriter: it is nil")
		return s.errs
	}
	if s.cluster == nil {
		s.prepare()
	}
	c.run(s)
	return s.errs
}

// prepare asks the rewriter what the checks need to know.
func (s *suite) prepare() {
	name := s.rw.Name()
	if s.opts.Class == "" {
		s.opts.Class = name
	}
	s.cluster = &ingress.Cluster{}
	if s.opts.Cluster != nil {
		*s.cluster = *s.opts.Cluster
	}
	s.cluster.Known = append([]string{s.opts.Class, name, otherClass}, s.cluster.Known...)
}

func (s *suite) fail(format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf(format, args...))
}

// otherClass is known and belongs to nobody under test.
const otherClass = "another-known-controller"

// own returns an Ingress that the rewriter claims.
func (s *suite) own(name string, rules ...ingress.Rule) *ingress.Ingress {
	return &ingress.Ingress{Namespace: "team", Name: name, ClassName: s.opts.Class, Rules: rules}
}

// rewrite translates and compiles a list, and fails for what does not compile.
func (s *suite) rewrite(list ...*ingress.Ingress) ingress.Translation {
	t := s.rw.Rewrite(list, s.cluster)
	_, problems := ingress.Build(t.Entries, s.cluster, func(*ingress.Entry, *ingress.Compiled) (struct{}, error) { return struct{}{}, nil })
	for i := range problems {
		if problems[i].Code == ingress.CodeBadEntry {
			s.fail("an entry does not compile, so it would not be served: %v", &problems[i])
		}
	}
	return t
}

func rule(host string, paths ...ingress.Path) ingress.Rule {
	return ingress.Rule{Host: host, Paths: paths}
}

func path(text, pathType, service string) ingress.Path {
	return ingress.Path{Path: text, Type: pathType, Backend: &ingress.BackendRef{Service: service, Port: 80}}
}
