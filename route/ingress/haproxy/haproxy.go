package haproxy

// Options, New and the Rewriter: which Ingresses are read, and by which reading.

import (
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

// A Mode says whose rules decide where HAProxy and Kubernetes differ. The zero
// Mode is Strict, and so is one that is neither.
type Mode = ingress.Mode

const (
	// Strict scopes each rewrite to the path that its Ingress routes, and strips
	// prefixes by segment.
	Strict = ingress.Strict
	// Compat does what the controller does, also where a warning says that this
	// is seldom what was meant.
	Compat = ingress.Compat
)

// Options are what the translation can do another way. A nil *Options and the
// zero Options are the defaults.
type Options struct {
	Mode Mode
	// Handled are names of annotations, such as "allow-list", that the caller
	// obeys itself. Nothing is read of them or said about them here, and they
	// keep no entry back.
	Handled []string
}

// The classes and the prefixes of annotations of the two controllers. Of one
// name under several prefixes the first counts. The last is that of several
// controllers, so it claims nothing.
const (
	techClass      = "haproxy"
	communityClass = "haproxy-ingress"

	techPrefix      = "haproxy.org/"
	techOldPrefix   = "haproxy.com/"
	communityPrefix = "haproxy-ingress.github.io/"
	barePrefix      = "ingress.kubernetes.io/"
)

var prefixes = []string{techPrefix, techOldPrefix, communityPrefix, barePrefix}

// New returns the Rewriter. It is immutable and safe for concurrent use, and
// keeps nothing of opts. It has a method Priority() int, by which a Dispatcher
// asks it after the others, because it takes the Ingresses that have no class.
// Rewrite takes time linear in the Ingresses, and n log n for the n regular
// expressions of a host.
func New(opts *Options) ingress.Rewriter {
	s := settings{handled: make(map[string]bool)}
	if opts != nil {
		s.compat = opts.Mode == Compat
		for _, name := range opts.Handled {
			if short, at := cutPrefix(name, prefixes); at >= 0 {
				name = short
			}
			s.handled[name] = true
		}
	}
	return rewriter{ingress.Each(techClass, match, s.translate)}
}

// settings are what of the Options is kept.
type settings struct {
	compat  bool
	handled map[string]bool // names without a prefix
}

type rewriter struct{ ingress.Rewriter }

func (w rewriter) Rewrite(list []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := w.Rewriter.Rewrite(list, c)
	longestFirst(list, t.Entries)
	return t
}

// Priority returns ingress.FallbackPriority.
func (rewriter) Priority() int { return ingress.FallbackPriority }

func match(in *ingress.Ingress, c *ingress.Cluster) bool {
	if in == nil {
		return false
	}
	class, _ := c.Class(in)
	return class == "" ||
		c.Claims(in, []string{techClass, communityClass}, []string{techPrefix, techOldPrefix, communityPrefix})
}

func (s settings) translate(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	if in == nil {
		return ingress.Translation{}
	}
	r := &reading{settings: s, in: in, c: c, source: in.Source(), out: &ingress.Translation{}}
	if isCommunity(in, c) {
		r.dialect = communityDialect
		r.read()
		r.community()
	} else {
		r.dialect = techDialect
		r.read()
		r.tech()
	}
	return *r.out
}

// isCommunity reports whether haproxy-ingress's reading is that of in: its class
// says so, or if that is neither controller's, an annotation does.
func isCommunity(in *ingress.Ingress, c *ingress.Cluster) bool {
	switch class, _ := c.Class(in); class {
	case techClass:
		return false
	case communityClass:
		return true
	}
	return ingress.HasAnnotation(in, communityPrefix)
}

// foreign are the prefixes of other dialects.
var foreign = []string{
	techPrefix, techOldPrefix, communityPrefix, "nginx.ingress.kubernetes.io/", "nginx.org/", "traefik.ingress.kubernetes.io/",
	"traefik.frontend.", "projectcontour.io/", "konghq.com/", "bfe.ingress.kubernetes.io/",
}

// cutPrefix returns the name of an annotation without the prefix that it has,
// and the index of that among prefixes; -1: none.
func cutPrefix(key string, prefixes []string) (name string, at int) {
	for i, prefix := range prefixes {
		if name, ok := strings.CutPrefix(key, prefix); ok {
			return name, i
		}
	}
	return "", -1
}
