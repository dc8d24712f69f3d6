package nginx

// New: the rewriter and what can be chosen about it.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

const (
	class  = "nginx"
	prefix = "nginx.ingress.kubernetes.io/"
)

// A Mode says whose rules hold where the controller and Kubernetes disagree.
// The zero Mode is Strict, and so is one that is neither.
type Mode = ingress.Mode

const (
	// Strict takes each Ingress for itself: path types mean what Kubernetes says,
	// letter case counts, escapes stay, and https comes before app-root.
	Strict = ingress.Strict
	// Compat does what ingress-nginx v1.15.1 does, as far as this module's
	// guarantees allow, and says with a coded warning where Strict differs.
	Compat = ingress.Compat
)

// Options are what can be chosen. A nil *Options and the zero Options are
// Strict.
type Options struct {
	Mode Mode
	// SkipValidation takes, in Compat, values and paths that the controller's
	// validation refuses, as it does itself with enable-annotation-validation and
	// strict-validate-path-type off. Strict takes what it can say, and ignores
	// this.
	SkipValidation bool
	// Handled are names of annotations, such as "auth-url", that the caller obeys
	// itself. Nothing is said about them here, and they keep no entry back.
	Handled []string
}

// New returns the rewriter of ingress-nginx's annotations. It claims Ingresses
// of class nginx, and those without a class that is known that have an
// annotation nginx.ingress.kubernetes.io/. It copies what it keeps of opts. The
// rewriter is immutable and safe for concurrent use; it takes time linear in
// the Ingresses, and n log n in the regular expressions of a host.
func New(opts *Options) ingress.Rewriter {
	r := &rewriter{handled: make(map[string]bool)}
	if opts != nil {
		r.compat = opts.Mode == Compat
		r.validate = r.compat && !opts.SkipValidation
		for _, name := range opts.Handled {
			r.handled[strings.TrimPrefix(name, prefix)] = true
		}
	}
	return r
}

type rewriter struct {
	compat   bool
	validate bool // as the controller's validation does
	handled  map[string]bool
}

func (r *rewriter) Name() string { return class }

func (r *rewriter) Match(in *ingress.Ingress, c *ingress.Cluster) bool {
	return c.Claims(in, []string{class}, []string{prefix})
}

func (r *rewriter) Rewrite(in []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := &translation{rewriter: r, cluster: c, servers: make(map[string]*server), near: make(map[string]string)}
	for _, ing := range in {
		if ing != nil {
			t.read(ing)
		}
	}
	t.locate()
	t.order()
	t.attach()
	return ingress.Translation{Entries: ingress.DefaultsLast(t.entries()), Problems: t.problems}
}

// A translation is one call of Rewrite.
type translation struct {
	*rewriter
	cluster  *ingress.Cluster
	objects  []*object
	servers  map[string]*server // by host in lower case
	problems []ingress.Problem
	count    int               // of locations
	near     map[string]string // the known name for one that is not
}

// options returns those of the cluster for package rewrite.
func (t *translation) options() *rewrite.Options {
	if t.cluster == nil {
		return nil
	}
	return t.cluster.Rewrite
}

// table returns those of the cluster for package route.
func (t *translation) table() *route.Options {
	if t.cluster == nil {
		return nil
	}
	return t.cluster.Table
}

// An object is one Ingress as it was read.
type object struct {
	in     *ingress.Ingress
	paths  []ingress.PathRule
	values map[string]string // of the annotations that are read, by name
	names  []string          // the same names in order
	settings
	tls       map[string]bool // hosts of certificates; nil: not looked for
	host      string          // the first one
	several   bool            // there are others
	rewritten bool            // one of its paths is, and has
	groups    int             // so many groups
	dropped   bool            // a fault keeps all of it from being served
	guarded   bool            // what keeps clients out cannot be obeyed: its paths answer 500
	guardHost bool            // in Compat all paths of its hosts do
	begun     bool            // its first entry has been made
	places    []*location
}

// lead returns the number of bytes before the value of an annotation, which is
// read without the white space around it.
func (o *object) lead(name string) int {
	value := o.in.Annotations[prefix+name]
	return len(value) - len(strings.TrimLeft(value, " \t\r\n\v\f"))
}

// pathField is the field of a rule that a problem is about, where that is no
// annotation.
const pathField = "path"

// report adds a problem about the annotation name, or about pathField.
func (t *translation) report(at ingress.Source, severity ingress.Severity, code ingress.Code, name string, offset int, format string, args ...any) {
	key := pathField
	if name != pathField {
		key = prefix + name
	}
	t.problems = append(t.problems, ingress.Problem{
		Severity: severity, Code: code, Source: at, Origin: rewrite.Origin{Key: key, Offset: offset},
		Detail: oneLine(fmt.Sprintf(format, args...)),
	})
}

// oneLine returns s with its control bytes as escapes.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// relate names another place that the last problem is about.
func (t *translation) relate(to ingress.Source) {
	last := &t.problems[len(t.problems)-1]
	last.Related = append(last.Related, to)
}

// quirk tells of what the controller does otherwise than Strict: a warning in
// Compat, where it is done, and a note in Strict.
func (t *translation) quirk(at ingress.Source, code ingress.Code, name, does, strict string) {
	if t.compat {
		t.report(at, ingress.Warning, code, name, 0, "%s; in Strict %s", does, strict)
		return
	}
	t.report(at, ingress.Note, code, name, 0, "in Compat, %s; here %s", does, strict)
}
