package traefik

// Options, New and the Rewriter.

import "github.com/readdress/readdress/route/ingress"

// A Mode says whose rules decide where Traefik and Kubernetes differ. The zero
// Mode is Strict.
type Mode = ingress.Mode

const (
	// Strict takes pathType Prefix as Kubernetes has it, by segment, as Traefik
	// does with strictPrefixMatching.
	Strict = ingress.Strict
	// Compat takes pathType Prefix as a text prefix, as Traefik does by itself.
	Compat = ingress.Compat
)

// Options are what the translation can do another way. A nil *Options and the
// zero Options are the defaults.
type Options struct {
	Mode Mode
	// Handled are names of annotations, such as "router.priority", and kinds of
	// middlewares, such as "basicAuth", that the caller obeys itself. Nothing is
	// read of them or said about them here, and they keep no entry back.
	Handled []string
}

const (
	class  = "traefik"
	prefix = "traefik.ingress.kubernetes.io/"
	// frontendPrefix is how Traefik 1 wrote some annotations, as it did labels.
	frontendPrefix = "traefik.frontend."
)

// foreign are the prefixes of other dialects.
var foreign = []string{
	"nginx.ingress.kubernetes.io/", "nginx.org/", "haproxy.org/", "haproxy.com/", "haproxy-ingress.github.io/",
	"projectcontour.io/", "konghq.com/", "bfe.ingress.kubernetes.io/",
}

// New returns the Rewriter. It claims class traefik, and what has an annotation
// with Traefik's prefix and no other known class. It is immutable and safe for
// concurrent use, and keeps nothing of opts. Rewrite takes time linear in the
// Ingresses; an Ingress has at most 64 middlewares, those of chains included.
func New(opts *Options) ingress.Rewriter {
	r := rewriter{handled: make(map[string]bool)}
	if opts != nil {
		r.mode = opts.Mode
		for _, name := range opts.Handled {
			r.handled[named(name)] = true
		}
	}
	return ordered{ingress.Each(class, match, r.translate)}
}

type rewriter struct {
	mode    Mode
	handled map[string]bool
}

func match(in *ingress.Ingress, c *ingress.Cluster) bool {
	return c.Claims(in, []string{class}, []string{prefix, frontendPrefix})
}
