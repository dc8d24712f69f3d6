package contour

// Options, and the rewriter of Ingresses.

import (
	"fmt"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

const (
	class      = "contour"
	prefix     = "projectcontour.io/"
	proxyKind  = "HTTPProxy"
	httpStatus = 301 // of the redirect to https
)

// A Mode says whose rules hold where Contour and its documentation disagree. The
// zero Mode is Strict.
type Mode = ingress.Mode

const (
	// Strict takes a rewritten prefix with a final slash by segment, and tries
	// regular expressions after prefixes.
	Strict = ingress.Strict
	// Compat does what Contour does, and says with a coded warning where Strict
	// differs.
	Compat = ingress.Compat
)

// Options are what can be chosen. A nil *Options and the zero Options are Strict.
type Options struct {
	Mode Mode
	// Handled are names of fields of an HTTPProxy, such as "authPolicy", that the
	// caller obeys itself. Nothing is said about them here, and they keep no
	// request back.
	Handled []string
}

// New returns the rewriter of Contour's Ingresses. It claims those of class
// contour, and those without a class that is known that have an annotation
// projectcontour.io/. It keeps nothing of opts. The rewriter is immutable and
// safe for concurrent use; it takes time linear in the Ingresses, and n log n in
// the regular expressions among their paths.
func New(opts *Options) ingress.Rewriter {
	each := ingress.Each(class, func(in *ingress.Ingress, c *ingress.Cluster) bool {
		return c.Claims(in, []string{class}, []string{prefix})
	}, rewriteIngress)
	if opts != nil && opts.Mode == Compat {
		return compatRewriter{each}
	}
	return each
}

// A report collects problems about one object.
type report struct {
	problems []ingress.Problem
	at       ingress.Source
}

func (r *report) add(s ingress.Severity, code ingress.Code, key, format string, args ...any) {
	r.problems = append(r.problems, ingress.Problem{
		Severity: s, Code: code, Source: r.at, Origin: rewrite.Origin{Key: key}, Detail: fmt.Sprintf(format, args...),
	})
}

// toHTTPS returns the entry that redirects to https what e gets over http.
func toHTTPS(e ingress.Entry, key, part string) ingress.Entry {
	origin := rewrite.Origin{Key: key}
	out := ingress.Entry{Source: e.Source, Pattern: e.Pattern, When: e.When}
	out.When.Scheme = "http"
	if out.Source.Part != "" {
		part = out.Source.Part + " " + part
	}
	out.Source.Part = part
	out.Redirect = &ingress.Redirect{Status: httpStatus, Rules: []rewrite.Rule{
		{Action: rewrite.SetScheme("https"), Origin: origin}, {Action: rewrite.SetPort(""), Origin: origin},
	}}
	return out
}
