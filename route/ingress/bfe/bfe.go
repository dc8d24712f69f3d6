package bfe

// The rewriter: from an Ingress to its entries.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// Name is the name of the rewriter and of its class.
const Name = "bfe"

// Options say what an Ingress cannot say. A nil *Options and the zero Options
// are the defaults.
type Options struct {
	// TableOrder runs rewrites that no "order" puts in order, and whose result
	// depends on it, in the order of package annotation's table, with a warning.
	// Without it they are an error.
	TableOrder bool
	// RedirectHosts are where redirect.url-from-query may lead beside paths of
	// the same host: names, and "*.suffix" for every name below suffix.
	RedirectHosts []string
}

// New returns the rewriter for Ingresses of class bfe, or of no known class and
// with an annotation of BFE. It copies opts and is safe for concurrent use.
func New(opts *Options) ingress.Rewriter {
	var o Options
	if opts != nil {
		o = *opts
		o.RedirectHosts = slices.Clone(o.RedirectHosts)
	}
	match := func(in *ingress.Ingress, c *ingress.Cluster) bool {
		return c.Claims(in, []string{Name}, []string{prefix})
	}
	return ingress.Each(Name, match, o.translate)
}

// A translator makes the entries of one Ingress.
type translator struct {
	opts *Options
	in   *ingress.Ingress
	c    *ingress.Cluster
	out  ingress.Translation

	faulty  bool           // nothing can be served
	rules   []rewrite.Rule // of the entries
	forward []rewrite.Rule // of their backends
	strip   int            // the most segments that a rule strips
	origin  rewrite.Origin // of that rule
	when    route.Conditions
	to      *redirect // nil: none

	defaultDone bool // the default backend's Services have been judged
}

func (o *Options) translate(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := &translator{opts: o, in: in, c: c}
	t.unknownKeys()
	t.rewrites()
	t.router()
	t.redirect()
	weights := t.weights()
	rules := t.paths(weights)
	if !t.faulty {
		for i := range rules {
			t.entries(&rules[i], weights)
		}
	}
	t.unused(weights)
	return t.out
}

// report adds a problem of the Ingress as a whole, or of a place in it.
func (t *translator) report(s ingress.Severity, code ingress.Code, at ingress.Source, o rewrite.Origin, format string, args ...any) {
	t.out.Problems = append(t.out.Problems, ingress.Problem{
		Severity: s, Code: code, Source: at, Origin: o, Detail: fmt.Sprintf(format, args...),
	})
}

// refuse reports a fault because of which nothing of the Ingress is served.
func (t *translator) refuse(code ingress.Code, o rewrite.Origin, format string, args ...any) {
	t.faulty = true
	t.report(ingress.Error, code, t.in.Source(), o, format+": the Ingress is not served", args...)
}

// rewrites reads the rewrite-url annotations.
func (t *translator) rewrites() {
	plan, err := annotation.Parse(t.in.Annotations, &annotation.Options{TableOrder: t.opts.TableOrder, Rewrite: judge.Options(t.c)})
	if faults, ok := errors.AsType[annotation.ErrorList](err); ok {
		t.faulty = true
		t.annotationErrors(ingress.Error, faults)
		return
	}
	t.annotationErrors(ingress.Warning, plan.Warnings)
	for _, r := range plan.Rules {
		if r.Action.Op() == rewrite.OpStripPathSegments {
			if n := count(r.Action.Args()[0]); n > t.strip {
				t.strip, t.origin = n, r.Origin
			}
		}
		if r.Hook == rewrite.Forward {
			t.forward = append(t.forward, r)
		} else {
			t.rules = append(t.rules, r)
		}
	}
}

func (t *translator) annotationErrors(s ingress.Severity, list annotation.ErrorList) {
	for _, e := range list {
		p := ingress.Problem{Severity: s, Code: CodeRewrite, Source: t.in.Source(), Detail: e.Detail, Err: e}
		if e.Key != "" {
			p.Origin = rewrite.Origin{Key: e.Key, Index: e.Index, Offset: e.Offset}
		}
		for i, o := range e.Related {
			p.Detail += []string{" (see ", ", "}[min(i, 1)] + o.Key
			if o.Offset >= 0 {
				p.Detail += " at offset " + strconv.Itoa(o.Offset)
			}
		}
		if len(e.Related) > 0 {
			p.Detail += ")"
		}
		t.out.Problems = append(t.out.Problems, p)
	}
}

// paths returns the paths of the Ingress that can be served. Those whose
// Service is a group have a backend that stands for it.
func (t *translator) paths(w *weights) []ingress.PathRule {
	rules, problems := t.c.Paths(w.standIns(t.in))
	for _, p := range problems {
		switch {
		case p.Code == ingress.CodeNoHost: // BFE means every host, and says so
		case p.Code == ingress.CodeResourceBackend && w.of(t.ref(p.Source)) != nil: // a stand-in
		default:
			t.out.Problems = append(t.out.Problems, p)
		}
	}
	return slices.DeleteFunc(rules, func(r ingress.PathRule) bool {
		switch host := strings.TrimPrefix(r.Host, "*."); {
		case strings.Contains(host, "*"):
			t.report(ingress.Error, CodeHost, r.Source, rewrite.Origin{}, `host %.64q has a "*" that is not "*." at its beginning: the path is not served; write "*." and a name, which stands for one label`, r.Host)
		case strings.Contains(r.Path, "*"):
			t.report(ingress.Error, CodePath, r.Source, rewrite.Origin{}, `path %.64q has a "*": the path is not served; write it without, with pathType Prefix`, r.Path)
		default:
			return false
		}
		return true
	})
}

// entries adds the entries of one path.
func (t *translator) entries(r *ingress.PathRule, w *weights) {
	toScheme := t.to != nil && t.to.scheme != ""
	entries := 1
	if toScheme {
		entries = 2
	}
	backends, ok := t.backends(r, w, entries)
	if !ok {
		return
	}
	t.defaultDone = t.defaultDone || r.Default
	for i := range backends {
		backends[i].Rules = slices.Clip(t.forward)
	}
	e := ingress.Entry{
		Source:   r.Source,
		Pattern:  route.Pattern{Host: r.Host, Path: r.Path},
		When:     t.when,
		Backends: backends,
		Rules:    slices.Clip(t.rules),
	}
	if r.Type == "Exact" {
		e.Pattern.Type = route.Exact
	}
	if segments := strings.Count(strings.TrimSuffix(r.Path, "/"), "/"); segments < t.strip && !r.Default {
		t.report(ingress.Warning, CodeStripShort, r.Source, t.origin, "path %.64q has %d of the %d segments to strip: a request with fewer than %d is not stripped", r.Path, segments, t.strip, t.strip)
	}
	if toScheme {
		other := e
		other.Source.Part = strings.TrimPrefix(other.Source.Part+" redirect", " ")
		other.When.Scheme = t.to.scheme
		other.Backends = slices.Clone(backends)
		other.Redirect = t.to.copy()
		t.out.Entries = append(t.out.Entries, other)
	} else if t.to != nil {
		e.Redirect = t.to.copy()
	}
	t.out.Entries = append(t.out.Entries, e)
}
