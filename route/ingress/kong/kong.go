package kong

// New: the rewriter and what can be chosen about it.

import (
	"fmt"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

const (
	class  = "kong"
	prefix = "konghq.com/"
)

// A Mode says whose rules hold where Kong and Kubernetes disagree. The zero Mode
// is Strict.
type Mode = ingress.Mode

const (
	// Strict takes paths as Kubernetes says: Exact is literal, letter case counts,
	// and a regular expression comes after other paths.
	Strict = ingress.Strict
	// Compat does what Kong's ingress controller does, and says with a coded
	// warning where Strict differs.
	Compat = ingress.Compat
)

// Options are what can be chosen. A nil *Options and the zero Options are Strict.
type Options struct {
	Mode Mode
	// Handled are names of annotations, such as "plugins", that the caller obeys
	// itself. Nothing is said about them here, and they keep no request back.
	Handled []string
}

// New returns the rewriter of Kong's annotations on Ingresses and, by
// Cluster.Service, on Services. It claims Ingresses of class kong, and those
// without a class that is known that have an annotation konghq.com/. It copies
// what it keeps of opts. The rewriter is immutable and safe for concurrent use;
// it takes time linear in the Ingresses, and n log n in the paths of a host with
// regular expressions.
func New(opts *Options) ingress.Rewriter {
	r := &rewriter{handled: make(map[string]bool)}
	if opts != nil {
		r.compat = opts.Mode == Compat
		for _, name := range opts.Handled {
			r.handled[strings.TrimPrefix(name, prefix)] = true
		}
	}
	return r
}

type rewriter struct {
	compat  bool
	handled map[string]bool
}

func (r *rewriter) Name() string { return class }

func (r *rewriter) Match(in *ingress.Ingress, c *ingress.Cluster) bool {
	return c.Claims(in, []string{class}, []string{prefix})
}

func (r *rewriter) Rewrite(in []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := &translation{rewriter: r, cluster: c, guarded: make(map[ingress.Service]bool)}
	for _, ing := range in {
		if ing != nil {
			t.ingress(ing)
		}
	}
	t.order()
	entries := make([]ingress.Entry, len(t.made))
	for i, m := range t.made {
		entries[i] = m.entry
	}
	return ingress.Translation{Entries: ingress.DefaultsLast(entries), Problems: t.problems}
}

// A translation is one call of Rewrite.
type translation struct {
	*rewriter
	cluster  *ingress.Cluster
	made     []made
	problems []ingress.Problem
	guarded  map[ingress.Service]bool // of those whose annotations have been reported
	at       ingress.Source           // of what is being read
}

// A made entry, and what decides about its place.
type made struct {
	entry    ingress.Entry
	priority int  // of a regular expression; higher is tried first
	half     bool // it is for a path that the entry behind it has too
}

// report adds a problem about an annotation, or about the path of a rule, for
// which name is "".
func (t *translation) report(s ingress.Severity, code ingress.Code, name string, offset int, format string, args ...any) {
	key := prefix + name
	if name == "" {
		key = "path"
	}
	t.reportKey(s, code, key, offset, format, args...)
}

// reportKey is report with the whole name of an annotation.
func (t *translation) reportKey(s ingress.Severity, code ingress.Code, key string, offset int, format string, args ...any) {
	t.problems = append(t.problems, ingress.Problem{
		Severity: s, Code: code, Source: t.at, Origin: rewrite.Origin{Key: key, Offset: offset}, Detail: fmt.Sprintf(format, args...),
	})
}

func origin(name string) rewrite.Origin { return rewrite.Origin{Key: prefix + name} }

// ingress translates one Ingress.
func (t *translation) ingress(in *ingress.Ingress) {
	t.at = in.Source()
	s, ok := t.read(in)
	paths, problems := t.cluster.Paths(in)
	t.problems = append(t.problems, problems...)
	if !ok {
		return
	}
	for i := range paths {
		t.path(&paths[i], s)
	}
}
