package ingress

// Cluster: what the caller knows of the cluster beside the Ingresses, and the
// questions that every rewriter asks of it.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// A Cluster is what the caller knows beside the objects to be translated. The
// zero Cluster knows nothing, and so does a nil one. It is only read, so one may
// be used at a time by all.
type Cluster struct {
	// Classes maps names of ingress classes to the names of rewriters, in one
	// hop: what the controller of an IngressClass object says, in the caller's
	// reading. Keys are in lower case; an empty value maps nothing.
	Classes map[string]string
	// Known are class names that belong to a controller, whether or not its
	// rewriter is registered. A Dispatcher adds those of the dialects here and
	// of its registrations.
	Known []string
	// Domain of the cluster; empty: cluster.local.
	Domain  string
	Rewrite *rewrite.Options // of all that is compiled
	Table   *route.Options   // of the table that Build makes

	// Service returns what the cluster knows of a Service, and whether there is
	// one. A nil func: it is not known which there are, and all are taken as
	// there.
	Service func(namespace, name string) (ServiceInfo, bool)
	// Object returns the JSON of an object that another refers to, such as a
	// Middleware. A nil func: there are none.
	Object func(ref ObjectRef) (json []byte, ok bool)
	// Grant reports whether objects such as from, which has no name, may refer
	// to the object to in another namespace: the ReferenceGrants. A nil func:
	// there are none.
	Grant func(from, to ObjectRef) bool
}

// An ObjectRef names an object, or with an empty Name a kind in a namespace.
type ObjectRef struct {
	Group, Kind, Namespace, Name string
}

// String returns the reference in one line, such as
// "traefik.io Middleware default/strip".
func (r ObjectRef) String() string {
	s := r.Kind + " " + r.Namespace + "/" + r.Name
	if r.Group != "" {
		s = r.Group + " " + s
	}
	return s
}

// ServiceInfo is what a Service object says, as far as routing reads it.
type ServiceInfo struct {
	Ports       []ServicePort
	Annotations map[string]string
}

// A ServicePort is one of a Service's spec.ports.
type ServicePort struct {
	Name   string
	Number int
}

// classAnnotation is how the class was named before spec.ingressClassName.
const classAnnotation = "kubernetes.io/ingress.class"

// Class returns the name of the class of in: spec.ingressClassName, else the
// annotation kubernetes.io/ingress.class, in lower case, mapped once through
// Classes; "" if it has none: a cluster's default class is the caller's to write
// into Ingress.ClassName. known reports whether the name is in Known. It is for
// authors of rewriters. In dekube: get_ingress_class.
func (c *Cluster) Class(in *Ingress) (name string, known bool) {
	if in == nil {
		return "", false
	}
	name = in.ClassName
	if name == "" {
		name = in.Annotations[classAnnotation]
	}
	name = strings.ToLower(name)
	if c == nil || name == "" {
		return name, false
	}
	if to := c.Classes[name]; to != "" {
		name = strings.ToLower(to)
	}
	return name, containsFold(c.Known, name)
}

// containsFold reports whether name is in list, without regard to letter case.
func containsFold(list []string, name string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, name) })
}

// Claims is how a rewriter decides on an Ingress: it claims one of a class of
// its own, in any letter case, refuses one of another known class, and otherwise
// claims what has an annotation with one of its prefixes, such as "haproxy.org/".
// It never claims nil.
func (c *Cluster) Claims(in *Ingress, classes, prefixes []string) bool {
	if in == nil {
		return false
	}
	class, known := c.Class(in)
	switch {
	case class != "" && containsFold(classes, class):
		return true
	case known:
		return false
	}
	return HasAnnotation(in, prefixes...)
}

// HasAnnotation reports whether in has an annotation whose key begins with one
// of the prefixes. A nil Ingress has none.
func HasAnnotation(in *Ingress, prefixes ...string) bool {
	if in == nil {
		return false
	}
	for key := range in.Annotations {
		for _, prefix := range prefixes {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
	}
	return false
}

func (c *Cluster) domain() string {
	if c == nil || c.Domain == "" {
		return "cluster.local"
	}
	return c.Domain
}

// HasTLS reports whether in's spec.tls names host, exactly or by a wildcard of
// one label, or names no hosts at all.
func (in *Ingress) HasTLS(host string) bool {
	for _, t := range in.TLS {
		if len(t.Hosts) == 0 {
			return true
		}
		for _, h := range t.Hosts {
			if strings.EqualFold(h, host) {
				return true
			}
			if suffix, ok := strings.CutPrefix(h, "*"); ok && len(host) > len(suffix) {
				label := host[:len(host)-len(suffix)]
				if strings.EqualFold(host[len(label):], suffix) && !strings.Contains(label, ".") {
					return true
				}
			}
		}
	}
	return false
}
